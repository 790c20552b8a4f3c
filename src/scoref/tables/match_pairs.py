"""Tables of match pairs, which are refused where clusters are expected.

A pair of records that is read as a record and its cluster makes singletons of nearly
all records, and scores near 100. Names of columns tell pairs from clusters; where they
do not, the rows do: clusters that are records as well, and hold one record each.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from scoref.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Row = tuple[str, str]

SAMPLE = 1000
"""How many rows are looked at first."""

_SIDES = (
    *(("l", "r"), ("left", "right"), ("lhs", "rhs"), ("ltable", "rtable")),
    *(("source", "target"), ("first", "second"), ("from", "to")),
)
_NUMBERS = (("1", "2"), ("a", "b"), ("x", "y"), ("i", "j"))  # only of ids
_IDS = {"id", "ids", "uid", "uuid", "record", "rec", "recid", "mention", "item", "node"}
_SOURCES = {
    *("abt", "buy", "acm", "dblp", "scholar", "amazon", "google", "googlebase"),
    *("googleproducts", "walmart", "imdb", "tmdb", "tvdb", "dbpedia"),
}  # of benchmarks, whose pairs have columns such as idAbt and idBuy
_FEWEST = 3  # rows by which anything can be told
_MOST = 0.9  # of clusters have one record
_ADVICE = (
    "pairs are not supported here yet. Turn them into clusters first (see Pairs in "
    "docs/tables.md). `scoref curve KEY PAIRS` takes pairs with scores, and `scoref "
    "estimate PAIRS PREDICTED --pairs` takes labelled pairs"
)


def are_names_of_pairs(one: str, other: str) -> bool:
    """Tell whether two columns are the records of a pair, by their names.

    >>> are_names_of_pairs("unique_id_l", "unique_id_r")
    True
    >>> are_names_of_pairs("id", "cluster_id"), are_names_of_pairs("idAbt", "idBuy")
    (False, True)
    """
    first, second = _words(one), _words(other)
    rest = [word for word in first if word != "id"], [w for w in second if w != "id"]
    if {"".join(rest[0]), "".join(rest[1])} <= _SOURCES and first != second:
        return "id" in first and "id" in second
    if len(first) != len(second):
        return False
    differing = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    if len(differing) != 1:
        return False
    pair = tuple(sorted(differing[0]))
    is_id = bool(_IDS & set(first) & set(second))
    return pair in map(_sorted, _SIDES) or (is_id and pair in map(_sorted, _NUMBERS))


def _sorted(pair: tuple[str, str]) -> tuple[str, ...]:
    return tuple(sorted(pair))


def _words(name: str) -> list[str]:
    pieces = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)
    return [piece.lower() for piece in pieces]


def check_names(names: Sequence[str], source: str) -> None:
    """Refuse a table if two of these columns are the records of a pair."""
    for one, other in combinations(names, 2):
        if are_names_of_pairs(one, other):
            raise FormatError(
                f"this is a table of pairs ('{one}' and '{other}'), not of records "
                "and their clusters",
                source=source,
                hint=f"{_ADVICE}. If '{other}' is a cluster, rename the column",
            )


def look_like_pairs(rows: Sequence[Row], is_record: Callable[[set[str]], bool]) -> bool:
    """Tell whether rows of a record and its cluster are pairs of records instead.

    A cluster may be called by one of its records, which is then in that cluster. Whole
    numbers count clusters and records alike, so that these are pairs only if all are in
    the same order, and not numbered from 0 or 1.

    Args:
        rows: records and clusters.
        is_record: tells whether one of some names is that of a record.
    """
    if len(rows) < _FEWEST or any(record == cluster for record, cluster in rows):
        return False
    sizes = Counter(cluster for _, cluster in rows)
    single = sum(size == 1 for size in sizes.values())
    is_repeated = len({record for record, _ in rows}) < len(rows)
    if single < _MOST * len(sizes) and not is_repeated:
        return False
    if all(name.isdecimal() for row in rows for name in row):
        numbers = [(int(record), int(cluster)) for record, cluster in rows]
        is_rising = {record < cluster for record, cluster in numbers}
        clusters = {cluster for _, cluster in numbers}
        first = min(clusters)
        is_counted = max(clusters) - first + 1 == len(clusters) and first <= 1
        if len(is_rising) > 1 or is_counted:
            return False
    return is_record(set(sizes))


def refused_pairs(source: str, role: str) -> FormatError:
    """Say that the table of a side has pairs, by its content."""
    return FormatError(
        "this looks like a table of pairs, not of records and their clusters: what "
        "should be clusters are records as well, and nearly all have one record",
        source=source,
        hint=f"{_ADVICE}. If these are clusters, name both columns: --mention COLUMN "
        f"and --{role}-cluster COLUMN (mention and {role}_cluster in Python)",
    )

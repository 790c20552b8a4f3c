"""Recognition of tables of match pairs, which must not be read as clusters.

Nearly all records would become singletons, and the scores would be near 100. Pairs are
recognised by the names of the columns (`PairTableError`). If the names do not decide,
the rows do: clusters that are also records, and that hold one record each, are refused.
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


class PairTableError(FormatError):
    """A table of pairs, by the names of its columns, where clusters are expected."""

    def __init__(
        self, problem: str, *, source: str, role: str | None, hint: str
    ) -> None:
        super().__init__(problem, source=source, hint=hint)
        self.role = role


SAMPLE = 1000
"""How many rows are tested first."""

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


def are_names_of_pairs(one: str, other: str) -> bool:
    """Return whether two columns are the records of a pair, by their names.

    >>> are_names_of_pairs("unique_id_l", "unique_id_r")
    True
    >>> are_names_of_pairs("id", "cluster_id"), are_names_of_pairs("idAbt", "idBuy")
    (False, True)
    """
    first, second = (
        [
            piece.lower()
            for piece in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)
        ]
        for name in (one, other)
    )
    sources = {"".join(w for w in name if w != "id") for name in (first, second)}
    if sources <= _SOURCES and first != second:
        return "id" in first and "id" in second
    if len(first) != len(second):
        return False
    differing = [{a, b} for a, b in zip(first, second, strict=True) if a != b]
    if len(differing) != 1:
        return False
    is_id = bool(_IDS & set(first) & set(second))
    return differing[0] in map(set, _SIDES + _NUMBERS if is_id else _SIDES)


def check_names(names: Sequence[str], source: str, role: str | None = None) -> None:
    """Refuse a table if two of these columns are the records of a pair."""
    for one, other in combinations(names, 2):
        if are_names_of_pairs(one, other):
            raise PairTableError(
                f"this is a table of pairs ('{one}' and '{other}'), not of "
                "records and their clusters",
                source=source,
                role=role,
                hint=f"{_pairs_advice(role)} If '{other}' is a cluster, rename the "
                "column.",
            )


def _pairs_advice(role: str | None) -> str:
    if role is None:
        return (
            "Give the gold data and the prediction as two files: `scoref table GOLD "
            "PREDICTED --key-pairs --response-pairs` reads pairs."
        )
    option = f"--{role}-pairs ({role}_pairs=True in Python)"
    if role == "key":
        return f"If each row is a pair of matching records, add {option}."
    return f"`scoref table` reads pairs of matching records with {option}."


_FEWEST_ROWS = 3  # with fewer, pairs are not recognised

_SINGLE_SHARE = 0.9  # of clusters, in a table of pairs


def look_like_pairs(rows: Sequence[Row], is_record: Callable[[set[str]], bool]) -> bool:
    """Return whether rows of a record and its cluster are pairs of records instead.

    A cluster may have the name of one of its records, which is then in that cluster.
    Records and clusters may both be numbered. So rows of whole numbers are pairs only
    if the record is smaller in all of them, or larger in all of them, and the clusters
    are not numbered from 0 or 1.

    Args:
        rows: records and clusters.
        is_record: returns whether one of these names is the name of a record.
    """
    if len(rows) < _FEWEST_ROWS or any(record == cluster for record, cluster in rows):
        return False
    sizes = Counter(cluster for _, cluster in rows)
    single = sum(size == 1 for size in sizes.values())
    is_repeated = len({record for record, _ in rows}) < len(rows)
    if single < _SINGLE_SHARE * len(sizes) and not is_repeated:
        return False
    if all(name.isdecimal() for row in rows for name in row):
        numbers = [(int(record), int(cluster)) for record, cluster in rows]
        is_rising = {record < cluster for record, cluster in numbers}
        clusters = {cluster for _, cluster in numbers}
        first = min(clusters)
        is_numbered = max(clusters) - first + 1 == len(clusters) and first <= 1
        if len(is_rising) > 1 or is_numbered:
            return False
    return is_record(set(sizes))


def pairs_error(source: str, role: str) -> FormatError:
    """Return the error for a side whose rows are pairs of records."""
    named = (
        "--response-record COLUMN and --cluster COLUMN (response_mention and "
        "response_cluster in Python)"
        if role == "response"
        else "--record COLUMN and --gold COLUMN (mention and key_cluster in Python)"
    )
    return FormatError(
        "this looks like a table of pairs, not of records and their "
        "clusters: the values in the cluster column are records as "
        "well, and nearly all of them have one record",
        source=source,
        hint=f"{_pairs_advice(role)} If these are clusters, or the columns are "
        f"swapped, name both columns: {named}.",
    )

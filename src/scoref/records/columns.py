"""Columns of tables: which ones are read, how ids are compared, and what is refused.

The columns of mentions and clusters are found by name or by position. Ids are compared
as text: 7 and "7" are the same, "007" is another id. NULL, NaN and the empty text are
not ids. A whole number is written without a fraction even if it is a float, because
integers become floats in a column with gaps. Other floats are written as the engine
writes them, and equal only themselves. In a column of clusters, some words mean that a
record is not clustered; a record may still have such a word as its id.

Tables of match pairs are refused where clusters are expected. If a pair of records is
read as a record and its cluster, nearly all records become singletons and the scores
are near 100. Pairs are recognised by the names of the columns, or else by the rows:
clusters that are also records, and that hold one record each.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import isnan
from typing import TYPE_CHECKING, NamedTuple, Protocol

from scoref.errors import FormatError, OptionError, quoted
from scoref.lazy import np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Literal

    from numpy.typing import NDArray

    from scoref.model import Ints

    Kind = Literal["integer", "text", "real", "json", "other"]
    Values = Sequence[object] | NDArray[np.generic]
    Row = tuple[str, str]


_MENTION = {"mention", "mentions", "id", "ids", "record", "item", "point", "signature"}

_KEY = {"key", "gold", "true", "truth", "reference", "ref", "actual", "annotated"}

_RESPONSE = {"response", "predicted", "prediction", "pred", "system", "sys", "output"}

_OTHER = {"cluster", "clusters", "entity", "label", "group", "block", "document", "doc"}

_NAMES = _MENTION | _KEY | _RESPONSE | _OTHER


class MissingColumnError(OptionError):
    """A column that was named to be read beside the others, and is not there."""

    def __init__(self, name: str, columns: Sequence[str]) -> None:
        super().__init__(f"there is no column '{name}'; {_there(columns)}")
        self.name, self.columns = name, tuple(columns)


class ChosenColumns(Protocol):
    """Columns that were chosen."""

    @property
    def names(self) -> list[str]:
        """List them."""

    def used(self, role: str) -> dict[str, str]:
        """Tell what each is used for."""


class ColumnChooser(Protocol):
    """What the caller said of columns, and how the others are found."""

    @property
    def names(self) -> list[str]:
        """List those that the caller named."""

    def choose(
        self, columns: Sequence[str], source: str, role: str | None
    ) -> ChosenColumns:
        """Choose all that are read."""

    def is_header(self, row: Sequence[str | None]) -> bool:
        """Tell whether the first row of a file has names in it."""


@dataclass(frozen=True, slots=True)
class WantedColumns:
    """The columns that the caller named; ``others`` are read beside the key's."""

    mention: str | None = None
    key_cluster: str | None = None
    response_cluster: str | None = None
    group: str | None = None
    key_mention: str | None = None  # where the sides have different names for it
    response_mention: str | None = None
    others: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """List them."""
        every = (
            *(self.mention, self.key_cluster, self.response_cluster, self.group),
            *(self.key_mention, self.response_mention),
        )
        return [name for name in every if name is not None] + list(self.others)

    def of_side(self, role: str, *, is_named: bool = True) -> ColumnChooser:
        """Keep what is about one side, whose columns may have no names."""
        if not is_named:
            return WantedColumns(group=self.group)
        if role == "key":
            mention = self.key_mention or self.mention
            return WantedColumns(
                mention, self.key_cluster, None, self.group, others=self.others
            )
        mention = self.response_mention or self.mention
        return WantedColumns(mention, self.response_cluster, None, self.group)

    def choose(
        self, columns: Sequence[str], source: str, role: str | None
    ) -> SideColumns | BothColumns:
        """Choose the columns of a side, or of a table that has both."""
        if role is None:
            return both_columns(columns, self, source)
        return side_columns(columns, self, source, role)

    def is_header(self, row: Sequence[str | None]) -> bool:
        """Tell whether the first row of a file has names in it, not ids."""
        return is_header(row)


@dataclass(frozen=True, slots=True)
class SideColumns:
    """The columns of one side."""

    mention: str
    cluster: str
    group: str | None
    others: tuple[str, ...] = ()
    is_named: bool = False  # whether the caller named mention and cluster

    @property
    def names(self) -> list[str]:
        """List them."""
        return _unique(self.mention, self.cluster, self.group, *self.others)

    def used(self, role: str) -> dict[str, str]:
        """Tell what each is used for."""
        found = {f"{role} mention": self.mention, f"{role} cluster": self.cluster}
        return found | ({f"{role} group": self.group} if self.group else {})


@dataclass(frozen=True, slots=True)
class BothColumns:
    """The columns of a table that has both sides; no mention: each row is one."""

    mention: str | None
    key: str
    response: str
    group: str | None

    @property
    def names(self) -> list[str]:
        """List them."""
        return _unique(self.mention, self.key, self.response, self.group)

    def used(self, _: str) -> dict[str, str]:
        """Tell what each is used for, on whichever side."""
        found = {
            "mention": self.mention,
            "key cluster": self.key,
            "response cluster": self.response,
            "group": self.group,
        }
        return {use: name for use, name in found.items() if name is not None}


def _unique(*names: str | None) -> list[str]:
    return list(dict.fromkeys(name for name in names if name is not None))


def words(name: str) -> set[str]:
    """Cut a name into its words.

    >>> sorted(words("predictedCluster_id"))
    ['cluster', 'id', 'predicted']
    """
    pieces = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return set(re.split(r"[^a-z0-9]+", pieces.lower())) - {""}


def is_header(row: Sequence[str | None]) -> bool:
    """Tell whether the first row of a file has names in it, not ids.

    >>> is_header(["paper_id", "cluster"]), is_header(["doc_1", "cluster_1"])
    (True, False)
    """
    fields = [field or "" for field in row]
    if not all(re.search(r"[^\W\d_]", field) for field in fields):
        return False
    # In this order only: 'rec2,rec1' is a record and its cluster rather than names.
    if any(a < b and are_names_of_pairs(a, b) for a, b in pairwise(fields)):
        return True
    return any(_is_name(field) for field in fields)


def _is_name(field: str) -> bool:
    """Tell whether a field is a name that is known, and cannot be an id or a text."""
    found = words(field)
    if re.search(r"\d", field):
        return False
    return found <= _NAMES if " " in field else bool(found & _NAMES)


def side_columns(
    columns: Sequence[str], wanted: WantedColumns, source: str, role: str = "key"
) -> SideColumns:
    """Choose mention and cluster: what is named, and what is left if nothing else is.

    Of more columns than are needed none is taken: the wrong one would be scored.
    """
    _check(columns, wanted, source, role)
    left = [name for name in columns if name not in wanted.names]
    options = {"--mention": wanted.mention, f"--{role}-cluster": wanted.key_cluster}
    open_ones = [option for option, name in options.items() if name is None]
    if len(left) < len(open_ones):
        raise FormatError(
            "one column is the mention and one its cluster, but there is no second",
            source=source,
            hint=_there(columns),
        )
    if open_ones and len(left) > len(open_ones):
        check_names(columns, source)
        raise FormatError(
            "which column is the mention, and which its cluster? There are "
            f"{len(columns)}",
            source=source,
            hint=f"{_there(columns)}; name them: {_typed(open_ones)}",
        )
    chosen = [name or left.pop(0) for name in options.values()]
    _check_once(columns, [*chosen, wanted.group, *wanted.others], source)
    check_names(chosen, source)
    is_named = not open_ones
    return SideColumns(chosen[0], chosen[1], wanted.group, wanted.others, is_named)


def both_columns(
    columns: Sequence[str], wanted: WantedColumns, source: str
) -> BothColumns:
    """Choose the columns of a table that has both sides, by their names."""
    _check(columns, wanted, source)
    left = [name for name in columns if name not in wanted.names]
    key = wanted.key_cluster or _only(left, _KEY)
    response = wanted.response_cluster or _only(left, _RESPONSE)
    if key is None or response is None:
        check_names(columns, source)
        missing = "key" if key is None else "response"
        raise FormatError(
            f"which column has the {missing}'s clusters?",
            source=source,
            hint=f"{_there(columns)}; name it: {_typed([f'--{missing}-cluster'])}",
        )
    left = [name for name in left if name not in {key, response}]
    mention = wanted.mention or _mention(left, columns, source)
    _check_once(columns, [mention, key, response, wanted.group], source)
    return BothColumns(mention, key, response, wanted.group)


def _mention(left: Sequence[str], columns: Sequence[str], source: str) -> str | None:
    """Choose the mention of a table: by name, or the only column that is left."""
    named = [name for name in left if words(name) & _MENTION]
    if len(named) > 1:
        raise FormatError(
            f"which column is the mention? {quoted(named)} may be",
            source=source,
            hint=f"{_there(columns)}; name it: {_typed(['--mention'])}",
        )
    if named:
        return named[0]
    return left[0] if len(left) == 1 else None


def _only(columns: Iterable[str], known: set[str]) -> str | None:
    found = [name for name in columns if words(name) & known]
    return found[0] if len(found) == 1 else None


def _check(
    columns: Sequence[str], wanted: WantedColumns, source: str, role: str | None = None
) -> None:
    missing = [name for name in wanted.names if name not in columns]
    if not missing:
        return
    if missing[0] in wanted.others:
        raise MissingColumnError(missing[0], columns)
    hint = _there(columns)
    if role and wanted.mention in missing:
        hint += f"; if it is called otherwise here: {_typed([f'--{role}-mention'])}"
    raise FormatError(f"there is no column {quoted(missing)}", source=source, hint=hint)


def _check_once(
    columns: Sequence[str], chosen: Iterable[str | None], source: str
) -> None:
    """Refuse a name that two columns have; SQL takes capitals for small letters."""
    for name in chosen:
        alike = [each for each in columns if name and each.lower() == name.lower()]
        if len(alike) > 1:
            raise FormatError(
                f"there are {len(alike)} columns with the name {quoted(alike)}",
                source=source,
                hint="rename all but one; capitals make no other name",
            )


def _typed(options: Iterable[str]) -> str:
    """Name options as they are typed, and as Python has them.

    >>> _typed(["--key-cluster"])
    '--key-cluster COLUMN (key_cluster in Python)'
    """
    listed = list(options)
    python = " and ".join(each[2:].replace("-", "_") for each in listed)
    typed = " and ".join(f"{each} COLUMN" for each in listed)
    return f"{typed} ({python} in Python)"


def _there(columns: Sequence[str]) -> str:
    return f"its columns are {', '.join(columns)}"


NOT_CLUSTERED = ("nan", "na", "n/a", "<na>", "null", "none", "-1", "-1.0")
"""Clusters that mean "not clustered", in small letters; capitals make no difference.

-1 is what DBSCAN and HDBSCAN call noise. Dicts and lists have None for that, so that
these words are names of clusters there.
"""

_EXACT = 2**53

_GAPS = {"NAType", "NaTType"}  # of pandas


@dataclass(frozen=True, slots=True)
class EngineColumn:
    """A column of a table in an engine, and how its ids become text."""

    name: str
    kind: Kind
    has_words: bool = True  # for "not clustered", in a column of clusters

    def sql(self, quote: str, *, as_text: bool = True) -> str:
        """Write its ids, NULL where there is none, as text or as they are."""
        name = f"{quote}{self.name.replace(quote, quote * 2)}{quote}"
        if self.kind == "integer":
            return f"CAST({name} AS STRING)" if as_text else name
        if self.kind == "text":
            return f"nullif({name}, '')"
        if self.kind == "real":
            return _real(name)
        if self.kind == "json":
            real = _real(f"CAST({name} AS DOUBLE)")
            other = f"nullif({name} ->> '$', '')"
            return (
                f"CASE WHEN json_type({name}) = 'DOUBLE' AND NOT "
                f"regexp_full_match({name} ->> '$', '-?[0-9]+') "
                f"THEN {real} ELSE {other} END"
            )
        return f"nullif(CAST({name} AS STRING), '')"

    def cluster_sql(self, quote: str, *, as_text: bool = True) -> str:
        """Write its ids as those of clusters, NULL for what is not clustered."""
        sql = self.sql(quote, as_text=as_text)
        if not self.has_words:
            return sql
        return f"CASE WHEN {self.is_word_sql(quote)} THEN NULL ELSE {sql} END"

    def is_word_sql(self, quote: str) -> str:
        """Write the condition that a cluster is a word for "not clustered"."""
        if self.kind == "integer":
            return f"{self.sql(quote, as_text=False)} = -1"
        text, words = self.sql(quote), ", ".join(f"'{word}'" for word in NOT_CLUSTERED)
        longest = max(map(len, NOT_CLUSTERED))
        return f"(length({text}) <= {longest} AND lower({text}) IN ({words}))"


def _real(name: str) -> str:
    return (
        f"CASE WHEN isnan({name}) THEN NULL "
        f"WHEN abs({name}) < {_EXACT} AND {name} = floor({name}) "
        f"THEN CAST(CAST({name} AS BIGINT) AS STRING) ELSE CAST({name} AS STRING) END"
    )


def text_of(value: object) -> str | None:
    """Write one id, None if it is none.

    >>> [text_of(value) for value in (7, 7.0, "007", "", None, float("nan"))]
    ['7', '7', '007', None, None, None]
    """
    if isinstance(value, str):
        return value or None
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value).__name__ in _GAPS:
        return None
    if isinstance(value, float) and isnan(value):
        return None
    return _written(value) or None


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    return str(value)


class CodedColumn(NamedTuple):
    """Ids as numbers, -1 for none; numbers are in the order of their texts."""

    codes: Ints
    labels: list[str]

    @classmethod
    def of(cls, values: Values) -> CodedColumn:
        """Number the ids of a column."""
        if isinstance(values, np.ndarray) and values.dtype.kind in "iu":
            numbers, codes = np.unique(values, return_inverse=True)
            return cls.sorted(codes, [str(each) for each in numbers.tolist()])
        found: dict[str, int] = {}
        texts = map(
            text_of, values.tolist() if isinstance(values, np.ndarray) else values
        )
        listed = [-1 if t is None else found.setdefault(t, len(found)) for t in texts]
        return cls.sorted(np.array(listed, dtype=np.int64), list(found))

    @classmethod
    def of_clusters(
        cls, values: Values, *, has_words: bool
    ) -> tuple[CodedColumn, NDArray[np.bool_]]:
        """Number the clusters of a column, and mark words for "not clustered".

        Without ``has_words`` they are marked, but stay clusters.
        """
        codes, labels = cls.of(values)
        is_kept = np.array([each.lower() not in NOT_CLUSTERED for each in labels], bool)
        rank = np.append(np.where(is_kept, np.cumsum(is_kept) - 1, -1), -1)
        names = [label for label, kept in zip(labels, is_kept, strict=True) if kept]
        is_word = np.append(~is_kept, False)[codes]
        return cls(rank[codes], names) if has_words else cls(codes, labels), is_word

    @classmethod
    def sorted(cls, codes: Ints, labels: list[str]) -> CodedColumn:
        """Number them anew, in the order of their texts."""
        order = sorted(range(len(labels)), key=labels.__getitem__)
        rank = np.empty(len(labels) + 1, dtype=np.int64)
        rank[order] = np.arange(len(labels))
        rank[-1] = -1
        return cls(rank[codes], [labels[i] for i in order])


def concatenate_values(sides: Iterable[Values]) -> Values:
    """Put columns behind one another, as integers if all are."""
    listed = list(sides)
    if all(isinstance(side, np.ndarray) and side.dtype.kind == "i" for side in listed):
        return np.concatenate([np.asarray(side) for side in listed])
    return [
        value
        for side in listed
        for value in (side.tolist() if isinstance(side, np.ndarray) else side)
    ]


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


def pairs_error(source: str, role: str) -> FormatError:
    """Say that the table of a side has pairs, by its content."""
    return FormatError(
        "this looks like a table of pairs, not of records and their clusters: what "
        "should be clusters are records as well, and nearly all have one record",
        source=source,
        hint=f"{_ADVICE}. If these are clusters, or the columns are the other way "
        "round, name both columns: --mention COLUMN "
        f"and --{role}-cluster COLUMN (mention and {role}_cluster in Python)",
    )

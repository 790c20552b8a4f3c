"""Columns of tables: which ones are read, how ids are compared, and what is refused.

The columns of mentions and clusters are found by name or by position. Ids are compared
as text: 7 and "7" are the same, "007" is another id. NULL, NaN and the empty text are
not ids. A whole number is written without a fraction even if it is a float, because
integers become floats in a column with gaps. Other floats are written as the engine
writes them, and equal only themselves. In a column of clusters, some words (called null
words here) mean that a record is not clustered; it may have such a word as its id.

A table of match pairs must not be read as clusters: nearly all records would become
singletons, and the scores would be near 100. Pairs are recognised by the names of the
columns (`PairTableError`). If the names do not decide, the rows do: clusters that are
also records, and that hold one record each, are refused.
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
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Literal

    from numpy.typing import NDArray

    from scoref.model import Ints

    Kind = Literal["integer", "text", "real", "json", "other"]
    Values = Sequence[object] | NDArray[np.generic]
    Row = tuple[str, str]


class MissingColumnError(OptionError):
    """An additional column that the caller named, and that the table does not have."""

    def __init__(self, name: str, columns: Sequence[str]) -> None:
        super().__init__(f"column '{name}' does not exist. {_its_columns(columns)}")
        self.name, self.columns = name, tuple(columns)


class PairTableError(FormatError):
    """A table of pairs, by the names of its columns, where clusters are expected."""

    def __init__(
        self, problem: str, *, source: str, role: str | None, hint: str
    ) -> None:
        super().__init__(problem, source=source, hint=hint)
        self.role = role


class ChosenColumns(Protocol):
    """The columns of a table that are read."""

    @property
    def names(self) -> list[str]:
        """Their names."""

    def uses(self, role: str) -> dict[str, str]:
        """Return the names by what the columns are used for."""


class ColumnChooser(Protocol):
    """The columns that the caller named, and the rules for choosing the others."""

    @property
    def names(self) -> list[str]:
        """The names that the caller gave."""

    def choose(
        self, columns: Sequence[str], source: str, role: str | None
    ) -> ChosenColumns:
        """Choose all columns that are read."""

    def is_header(self, row: Sequence[str | None]) -> bool:
        """Return whether the first row of a file has names in it."""


@dataclass(frozen=True, slots=True)
class WantedColumns:
    """The columns that the caller named.

    ``key_mention`` and ``response_mention`` are for sides that call the mention
    differently. ``others`` are additional columns of the key. ``key_pairs`` and
    ``response_pairs`` choose the columns of a side whose rows are pairs of records.
    """

    mention: str | None = None
    key_cluster: str | None = None
    response_cluster: str | None = None
    group: str | None = None
    key_mention: str | None = None
    response_mention: str | None = None
    others: tuple[str, ...] = ()
    has_two_sides: bool = True  # whether each side may name its column of records
    key_pairs: ColumnChooser | None = None
    response_pairs: ColumnChooser | None = None

    @property
    def names(self) -> list[str]:
        """The names that the caller gave."""
        names = (
            *(self.mention, self.key_cluster, self.response_cluster, self.group),
            *(self.key_mention, self.response_mention),
        )
        return [name for name in names if name is not None] + list(self.others)

    def of_side(self, role: str, *, is_named: bool = True) -> ColumnChooser:
        """Return the part about one side, whose columns may not have names."""
        pairs = self.key_pairs if role == "key" else self.response_pairs
        if pairs is not None:
            return pairs
        if not is_named:
            return WantedColumns(group=self.group)
        if role == "key":
            mention = self.key_mention or self.mention
            return WantedColumns(
                mention,
                self.key_cluster,
                None,
                self.group,
                others=self.others,
                has_two_sides=self.has_two_sides,
            )
        mention = self.response_mention or self.mention
        return WantedColumns(mention, self.response_cluster, None, self.group)

    def choose(
        self, columns: Sequence[str], source: str, role: str | None
    ) -> SideColumns | BothColumns:
        """Choose the columns of a side, or of a table that has both sides."""
        if role is None:
            return both_columns(columns, self, source)
        return side_columns(columns, self, source, role)

    def is_header(self, row: Sequence[str | None]) -> bool:
        """Return whether the first row of a file has names in it, not ids."""
        return is_header(row)


@dataclass(frozen=True, slots=True)
class SideColumns:
    """The columns of one side; ``is_named`` if the caller named mention and cluster."""

    mention: str
    cluster: str
    group: str | None
    others: tuple[str, ...] = ()
    is_named: bool = False

    @property
    def names(self) -> list[str]:
        """Their names, each once."""
        return _unique(self.mention, self.cluster, self.group, *self.others)

    def uses(self, role: str) -> dict[str, str]:
        """Return the names by what the columns are used for."""
        uses = {f"{role} mention": self.mention, f"{role} cluster": self.cluster}
        return uses | ({f"{role} group": self.group} if self.group else {})


@dataclass(frozen=True, slots=True)
class BothColumns:
    """The columns of a table with both sides; without a mention, each row is one."""

    mention: str | None
    key: str
    response: str
    group: str | None

    @property
    def names(self) -> list[str]:
        """Their names, each once."""
        return _unique(self.mention, self.key, self.response, self.group)

    def uses(self, _: str) -> dict[str, str]:
        """Return the names by what the columns are used for."""
        uses = {
            "mention": self.mention,
            "key cluster": self.key,
            "response cluster": self.response,
            "group": self.group,
        }
        return {use: name for use, name in uses.items() if name is not None}


def _unique(*names: str | None) -> list[str]:
    return list(dict.fromkeys(name for name in names if name is not None))


_MENTION = {"mention", "mentions", "id", "ids", "record", "item", "point", "signature"}

_KEY = {"key", "gold", "true", "truth", "reference", "ref", "actual", "annotated"}

_RESPONSE = {"response", "predicted", "prediction", "pred", "system", "sys", "output"}

_OTHER = {"cluster", "clusters", "entity", "label", "group", "block", "document", "doc"}

_NAMES = _MENTION | _KEY | _RESPONSE | _OTHER


def words(name: str) -> set[str]:
    """Return the words of a column's name.

    >>> sorted(words("predictedCluster_id"))
    ['cluster', 'id', 'predicted']
    """
    pieces = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return set(re.split(r"[^a-z0-9]+", pieces.lower())) - {""}


def is_header(row: Sequence[str | None]) -> bool:
    """Return whether the first row of a file has names in it, not ids.

    >>> is_header(["paper_id", "cluster"]), is_header(["doc_1", "cluster_1"])
    (True, False)
    """
    fields = [field or "" for field in row]
    if not all(re.search(r"[^\W\d_]", field) for field in fields):
        return False
    # In this order only: 'rec2,rec1' is a record and its cluster rather than names.
    if any(a < b and are_names_of_pairs(a, b) for a, b in pairwise(fields)):
        return True
    for field in fields:
        names = words(field)
        is_known = names <= _NAMES if " " in field else names & _NAMES
        if is_known and not re.search(r"\d", field):  # ids have digits
            return True
    return False


def side_columns(
    columns: Sequence[str], wanted: WantedColumns, source: str, role: str = "key"
) -> SideColumns:
    """Choose mention and cluster: what the caller named, and what is left.

    If more columns are left than are needed, the table is refused, because a wrong
    guess would be scored.
    """
    _check_names_exist(columns, wanted, source, role)
    left = [name for name in columns if name not in wanted.names]
    mention_option = f"--{role}-record" if wanted.has_two_sides else "--record"
    options = {
        mention_option: wanted.mention,
        _cluster_option(role): wanted.key_cluster,
    }
    open_options = [option for option, name in options.items() if name is None]
    if len(left) < len(open_options):
        raise FormatError(
            "expected a column of records and a column of clusters, but "
            "there is only one column",
            source=source,
            hint=f"{_its_columns(columns)}.",
        )
    if open_options and len(left) > len(open_options):
        check_names(columns, source, role)
        by_name = _by_name(left, wanted)
        if by_name is not None:
            _check_unique(columns, [*by_name, wanted.group, *wanted.others], source)
            return SideColumns(*by_name, wanted.group, wanted.others)
        raise FormatError(
            f"cannot tell which of the {len(columns)} columns are the "
            "records and the clusters",
            source=source,
            hint=f"{_its_columns(columns)}. Name them: {_usage(*open_options)}.",
        )
    mention, cluster = (name or left.pop(0) for name in options.values())
    _check_unique(columns, [mention, cluster, wanted.group, *wanted.others], source)
    check_names([mention, cluster], source, role)
    is_named = not open_options
    return SideColumns(mention, cluster, wanted.group, wanted.others, is_named)


_RECORDS = {"id", "record", "record_id", "unique_id", "mention", "mention_id"}

_CLUSTERS = {"cluster", "cluster_id", "entity", "entity_id"}


def _by_name(left: Sequence[str], wanted: WantedColumns) -> tuple[str, str] | None:
    """Find the record and the cluster by usual names, if only one column has each."""
    records = [name for name in left if name.lower() in _RECORDS]
    clusters = [name for name in left if name.lower() in _CLUSTERS]
    records = [wanted.mention] if wanted.mention else records
    clusters = [wanted.key_cluster] if wanted.key_cluster else clusters
    if len(records) == len(clusters) == 1:
        return records[0], clusters[0]
    return None


def both_columns(
    columns: Sequence[str], wanted: WantedColumns, source: str
) -> BothColumns:
    """Choose the columns of a table that has both sides, by their names.

    The mention may also be the only column that is left.
    """
    _check_names_exist(columns, wanted, source)
    left = [name for name in columns if name not in wanted.names]
    key = wanted.key_cluster or _only_match(left, _KEY)
    response = wanted.response_cluster or _only_match(left, _RESPONSE)
    if key is None or response is None:
        check_names(columns, source)
        missing = "key" if key is None else "response"
        kind = "gold" if key is None else "predicted"
        raise FormatError(
            f"cannot tell which column has the {kind} clusters",
            source=source,
            hint=f"{_its_columns(columns)}. "
            f"Name it: {_usage(_cluster_option(missing))}.",
        )
    left = [name for name in left if name not in {key, response}]
    mentions = [name for name in left if words(name) & _MENTION]
    if len(left) == 1:
        mentions = left
    if not wanted.mention and len(mentions) > 1:
        raise FormatError(
            f"cannot tell which column has the records: {quoted(mentions)} "
            "are possible",
            source=source,
            hint=f"{_its_columns(columns)}. Name it: {_usage('--record')}.",
        )
    mention = wanted.mention or next(iter(mentions), None)
    _check_unique(columns, [mention, key, response, wanted.group], source)
    return BothColumns(mention, key, response, wanted.group)


def _only_match(columns: Iterable[str], known: set[str]) -> str | None:
    """Return the only column whose name has one of these words."""
    names = [name for name in columns if words(name) & known]
    return names[0] if len(names) == 1 else None


def _check_names_exist(
    columns: Sequence[str], wanted: WantedColumns, source: str, role: str | None = None
) -> None:
    """Refuse names of columns that the table does not have."""
    missing = [name for name in wanted.names if name not in columns]
    if not missing:
        return
    if missing[0] in wanted.others:
        raise MissingColumnError(missing[0], columns)
    hint = _its_columns(columns)
    if role and wanted.has_two_sides and wanted.mention in missing:
        hint += f". If it has another name here: {_usage(f'--{role}-record')}"
    problem = f"column {quoted(missing)} does not exist"
    raise FormatError(problem, source=source, hint=f"{hint}.")


def _check_unique(
    columns: Sequence[str], chosen: Iterable[str | None], source: str
) -> None:
    """Refuse a name that two columns have; SQL ignores the case of letters."""
    for name in chosen:
        alike = [other for other in columns if name and other.lower() == name.lower()]
        if len(alike) > 1:
            raise FormatError(
                f"{len(alike)} columns have the same name: {quoted(alike)}",
                source=source,
                hint="Rename all but one. Names that differ only in case count as "
                "the same.",
            )


_PYTHON_NAMES = {
    "--record": "mention",
    "--key-record": "key_mention",
    "--response-record": "response_mention",
    "--gold": "key_cluster",
    "--cluster": "response_cluster",
}


def _cluster_option(role: str) -> str:
    return "--gold" if role == "key" else "--cluster"


def _usage(*options: str) -> str:
    """Write options of columns as they are typed, and as Python calls them.

    >>> _usage("--gold")
    '--gold COLUMN (key_cluster in Python)'
    """
    python = " and ".join(_PYTHON_NAMES[option] for option in options)
    typed = " and ".join(f"{option} COLUMN" for option in options)
    return f"{typed} ({python} in Python)"


def columns_line(columns: Mapping[str, str]) -> str:
    """Write which columns were read, by their use.

    >>> columns_line({"key mention": "id", "key cluster": "person"})
    "Columns: gold record 'id', gold cluster 'person'"
    """
    words = {"key": "gold", "response": "predicted", "mention": "record"}
    uses = [
        f"{' '.join(words.get(word, word) for word in use.split())} '{name}'"
        for use, name in columns.items()
    ]
    return f"Columns: {', '.join(uses)}"


def _its_columns(columns: Sequence[str]) -> str:
    return f"The columns are {', '.join(columns)}"


NULL_WORDS = ("nan", "na", "n/a", "<na>", "null", "none", "-1", "-1.0")
"""Clusters that mean "not clustered", in small letters; case does not matter.

-1 is what DBSCAN and HDBSCAN call noise. Dicts and lists use None instead, so there
these words are names of clusters.
"""

_EXACT = 2**53  # floats below have no rounding error


@dataclass(frozen=True, slots=True)
class EngineColumn:
    """A column of a table in an engine, and how its ids become text.

    ``has_null_words`` says whether null words mean "not clustered" in this column.
    """

    name: str
    kind: Kind
    has_null_words: bool = True
    null_words: tuple[str, ...] = NULL_WORDS

    def sql(self, quote: str, *, as_text: bool = True) -> str:
        """Write the SQL of its ids, as text or as they are; a missing id is NULL."""
        name = f"{quote}{self.name.replace(quote, quote * 2)}{quote}"
        if self.kind == "integer":
            return f"CAST({name} AS STRING)" if as_text else name
        if self.kind == "text":
            return f"nullif({name}, '')"
        if self.kind == "real":
            return _real_sql(name)
        if self.kind == "json":
            real = _real_sql(f"CAST({name} AS DOUBLE)")
            other = f"nullif({name} ->> '$', '')"
            return (
                f"CASE WHEN json_type({name}) = 'DOUBLE' AND NOT "
                f"regexp_full_match({name} ->> '$', '-?[0-9]+') "
                f"THEN {real} ELSE {other} END"
            )
        return f"nullif(CAST({name} AS STRING), '')"

    def cluster_sql(self, quote: str, *, as_text: bool = True) -> str:
        """Write the SQL of its ids as clusters; NULL means "not clustered"."""
        sql = self.sql(quote, as_text=as_text)
        if not self.has_null_words:
            return sql
        return f"CASE WHEN {self.is_null_word_sql(quote)} THEN NULL ELSE {sql} END"

    def is_null_word_sql(self, quote: str) -> str:
        """Write the condition that a cluster is a null word."""
        if not self.null_words:
            return "false"
        if self.kind == "integer":
            numbers = [word for word in self.null_words if _is_integer(word)]
            listed = ", ".join(numbers) or "NULL"
            return f"coalesce({self.sql(quote, as_text=False)} IN ({listed}), false)"
        quoted_words = (word.replace("'", "''") for word in self.null_words)
        text, listed = self.sql(quote), ", ".join(f"'{word}'" for word in quoted_words)
        longest = max(map(len, self.null_words))
        return f"(length({text}) <= {longest} AND lower({text}) IN ({listed}))"


def _is_integer(word: str) -> bool:
    """Return whether a word is how a column of integers writes a number."""
    return re.fullmatch(r"0|-?[1-9]\d{0,17}", word, re.ASCII) is not None


def _real_sql(name: str) -> str:
    return (
        f"CASE WHEN isnan({name}) THEN NULL "
        f"WHEN abs({name}) < {_EXACT} AND {name} = floor({name}) "
        f"THEN CAST(CAST({name} AS BIGINT) AS STRING) ELSE CAST({name} AS STRING) END"
    )


def text_of(value: object) -> str | None:
    """Return an id as text, or None if the value is not an id.

    >>> [text_of(value) for value in (7, 7.0, "007", "", None, float("nan"))]
    ['7', '7', '007', None, None, None]
    """
    if isinstance(value, str):
        return value or None
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:  # of pandas
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace") or None
    if isinstance(value, float):
        if isnan(value):
            return None
        if value.is_integer() and abs(value) < _EXACT:
            return str(int(value))
    return str(value) or None


class CodedColumn(NamedTuple):
    """A column of ids as codes, in the order of their labels; a missing id is -1."""

    codes: Ints
    labels: list[str]

    @classmethod
    def of(cls, values: Values) -> CodedColumn:
        """Code the ids of a column."""
        if isinstance(values, np.ndarray) and values.dtype.kind in "iu":
            numbers, codes = np.unique(values, return_inverse=True)
            return cls.sorted(codes, list(map(str, numbers.tolist())))
        code_of: dict[str, int] = {}
        texts = map(
            text_of, values.tolist() if isinstance(values, np.ndarray) else values
        )
        rows = [
            -1 if text is None else code_of.setdefault(text, len(code_of))
            for text in texts
        ]
        return cls.sorted(np.array(rows, dtype=np.int64), list(code_of))

    @classmethod
    def of_clusters(
        cls,
        values: Values,
        *,
        has_null_words: bool,
        null_words: tuple[str, ...] = NULL_WORDS,
    ) -> tuple[CodedColumn, NDArray[np.bool_]]:
        """Code the clusters of a column, and mark the rows with null words.

        Without ``has_null_words`` these rows are marked, but keep their clusters.
        """
        codes, labels = cls.of(values)
        is_kept = np.array([label.lower() not in null_words for label in labels], bool)
        rank = np.append(np.where(is_kept, np.cumsum(is_kept) - 1, -1), -1)
        names = [label for label, kept in zip(labels, is_kept, strict=True) if kept]
        is_null_word = np.append(~is_kept, False)[codes]
        column = cls(rank[codes], names) if has_null_words else cls(codes, labels)
        return column, is_null_word

    @classmethod
    def sorted(cls, codes: Ints, labels: list[str]) -> CodedColumn:
        """Renumber codes in the order of their labels."""
        order = sorted(range(len(labels)), key=labels.__getitem__)
        rank = np.empty(len(labels) + 1, dtype=np.int64)
        rank[order] = np.arange(len(labels))
        rank[-1] = -1
        return cls(rank[codes], [labels[i] for i in order])


def concatenate_values(sides: Iterable[Values]) -> Values:
    """Concatenate columns, as integers if all of them are."""
    columns = list(sides)
    if all(isinstance(side, np.ndarray) and side.dtype.kind == "i" for side in columns):
        return np.concatenate([np.asarray(side) for side in columns])
    return [
        value
        for side in columns
        for value in (side.tolist() if isinstance(side, np.ndarray) else side)
    ]


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
    mention = "--response-record" if role == "response" else "--record"
    return FormatError(
        "this looks like a table of pairs, not of records and their "
        "clusters: the values in the cluster column are records as "
        "well, and nearly all of them have one record",
        source=source,
        hint=f"{_pairs_advice(role)} If these are clusters, or the columns are "
        f"swapped, name both columns: {_usage(mention, _cluster_option(role))}.",
    )

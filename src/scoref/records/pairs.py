"""Tables of pairs: two records in each row, with a score or a label.

The columns of common linkers are recognised by their names; other columns must be
named. `read_scored_pairs` reads a key and scored pairs, and returns records, clusters
and scores as columns of numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isnan
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError, OptionError
from scoref.records import numpy_engine
from scoref.records.columns import (
    CodedColumn,
    MissingColumnError,
    WantedColumns,
    concatenate_values,
    text_of,
)
from scoref.records.duckdb_engine import DuckSession
from scoref.records.engines import NUMPY, check_engine, engine_for, open_session
from scoref.records.file_types import Files
from scoref.records.loading import STEPS, TableSides
from scoref.records.sources import (
    Columns,
    Frame,
    check_unchanged,
    readings,
    recognise,
    used_columns,
)
from scoref.records.text_files import (
    is_small,
    is_text,
    load_into_memory,
    located_rows,
    read_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.records.columns import ColumnChooser, EngineColumn, Values
    from scoref.records.loading import Session
    from scoref.records.request import CountRequest, TableReading, TableSide
    from scoref.records.sources import TableInput


_NAMES = ("left", "right", "score")

_TRIPLE = 3


def recognise_pairs(table: object, source: str, *, remote: bool = False) -> TableInput:
    """Tell what a table of pairs is: triples, what dedupe scored, or any table."""
    if isinstance(table, np.ndarray):
        return _array(table, source)
    is_table = isinstance(table, str | PathLike | Mapping)
    is_frame = hasattr(table, "columns") or hasattr(table, "__arrow_c_stream__")
    if isinstance(table, Iterable) and not is_table and not is_frame:
        return _triples(list(table), source)
    return recognise(table, source, remote=remote)


def _array(table: np.ndarray[Any, Any], source: str) -> Columns:
    """Take dedupe's array of pairs and scores, or one with three columns."""
    if table.dtype.names and {"pairs", "score"} <= set(table.dtype.names):
        left, right = table["pairs"].T
        columns = left, right, table["score"].astype(np.float64)
    elif table.ndim == 2 and table.shape[1] == _TRIPLE:  # noqa: PLR2004
        columns = table[:, 0], table[:, 1], table[:, 2]
    else:
        raise OptionError(
            f"the {source} are an array of shape {table.shape}: give two columns of "
            "records and one of scores"
        )
    return Columns(source, dict(zip(_NAMES, columns, strict=True)))


def _triples(table: list[object], source: str) -> Columns:
    for each in table:
        if not isinstance(each, tuple | list) or len(each) != _TRIPLE:
            raise OptionError(
                f"the {source} list {each!r}: a pair is (record, record, score)"
            )
    columns = [list(column) for column in zip(*table, strict=True)]
    return Columns(source, dict(zip(_NAMES, columns or [[], [], []], strict=True)))


def fetch_pairs(
    given: TableInput, reading: TableReading, request: CountRequest
) -> Columns:
    """Bring a small table of pairs into memory."""
    if isinstance(given, Columns):
        return given.take(reading.needed(given.names))
    if isinstance(given, Frame) and given.library == "spark":
        given = Frame(given.source, "arrow", given.table.toArrow())
    if isinstance(given, Frame):
        return given.take(reading.needed(given.names))
    return _of_files(given, reading, request)


def _of_files(given: Files, reading: TableReading, request: CountRequest) -> Columns:
    if is_small(given):
        return read_text(given, reading)
    with DuckSession(request, [given]) as session:
        session.load(given, "pairs", reading)
        table: Any = session.connection.sql("FROM pairs")
        frame = Frame(given.source, "arrow", table.to_arrow_table())
        return frame.take(reading.needed(frame.names))


_SIDES = (
    ("unique_id_l", "unique_id_r"),  # Splink
    ("id1", "id2"),  # pyJedAI
    ("id_1", "id_2"),
    ("id_l", "id_r"),
    ("left", "right"),
    ("left_id", "right_id"),
    ("record_1", "record_2"),
    ("record1", "record2"),
    ("record_id_1", "record_id_2"),
    ("record_id_l", "record_id_r"),
    ("source", "target"),
)

SCORES = (
    *("match_probability", "match_weight"),  # Splink; both have the same order
    *("score", "similarity", "probability", "confidence", "distance"),
)

MATCHES = ("match", "is_match", "label", "clerical_match_score")


@dataclass(frozen=True, slots=True)
class PairColumns:
    """The columns of a table of pairs."""

    left: str
    right: str
    value: str
    others: tuple[str, ...]
    kind: str

    @property
    def names(self) -> list[str]:
        """List them."""
        return list(dict.fromkeys((self.left, self.right, self.value, *self.others)))

    def used(self, _: str) -> dict[str, str]:
        """Tell what each is used for."""
        return {"left": self.left, "right": self.right, self.kind: self.value}


@dataclass(frozen=True, slots=True)
class WantedPairs:
    """What the caller said of a table of pairs; ``kind`` is a score or a match."""

    left: str | None = None
    right: str | None = None
    value: str | None = None
    kind: str = "score"
    known: tuple[str, ...] = SCORES
    others: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """List those that the caller named."""
        every = self.left, self.right, self.value, *self.others
        return [name for name in every if name is not None]

    def choose(
        self,
        columns: Sequence[str],
        source: str,
        role: str | None,  # noqa: ARG002
    ) -> PairColumns:
        """Choose two records and a value: by name, or by place if there are three."""
        self._check(columns, source)
        left = [name for name in columns if name not in self.names]
        sides = self._sides(left)
        value = self.value or next((name for name in self.known if name in left), None)
        if sides and value:
            return PairColumns(*sides, value, self.others, self.kind)
        given = (self.left, self.right, self.value)
        if len(left) == given.count(None):
            first, second, third = (name or left.pop(0) for name in given)
            return PairColumns(first, second, third, self.others, self.kind)
        raise FormatError(
            f"which columns are the two records, and which the {self.kind}?",
            source=source,
            hint=f"its columns are {', '.join(columns)}; name them: --left COLUMN, "
            f"--right COLUMN and --{self.kind} COLUMN (left, right and {self.kind} in "
            "Python)",
        )

    def is_header(self, row: Sequence[str | None]) -> bool:
        """Tell whether the first row has names: none of them is a number."""
        return not any(_is_number(field) for field in row)

    def _sides(self, left: Sequence[str]) -> tuple[str, str] | None:
        if self.left and self.right:
            return self.left, self.right
        if self.left or self.right:
            return None
        found = [pair for pair in _SIDES if set(pair) <= set(left)]
        return found[0] if found else _suffixed(left)

    def _check(self, columns: Sequence[str], source: str) -> None:
        for name in self.names:
            if name not in columns:
                if name in self.others:
                    raise MissingColumnError(name, columns)
                raise FormatError(
                    f"there is no column '{name}'",
                    source=source,
                    hint=f"its columns are {', '.join(columns)}",
                )
        if len(columns) < 3:  # noqa: PLR2004 - two records and a value
            raise FormatError(
                f"a pair is two records and a {self.kind}, but there are only "
                f"{len(columns)} columns",
                source=source,
                hint=f"its columns are {', '.join(columns)}",
            )


def _suffixed(columns: Sequence[str]) -> tuple[str, str] | None:
    """Find ids that a linker told apart by _l and _r, if there is one pair of them."""
    stems = [
        name.removesuffix("_l")
        for name in columns
        if name.endswith("id_l") and f"{name.removesuffix('_l')}_r" in columns
    ]
    return (f"{stems[0]}_l", f"{stems[0]}_r") if len(stems) == 1 else None


def _is_number(text: str | None) -> bool:
    try:
        float(text or "")
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class WantedKeyAndPairs(WantedColumns):
    """What the caller said of a key and of the pairs beside it."""

    pairs: WantedPairs = field(default_factory=WantedPairs)

    @property
    def names(self) -> list[str]:
        """List all of them."""
        return [*WantedColumns.names.fget(self), *self.pairs.names]  # type: ignore[attr-defined]

    def of_side(self, role: str, *, is_named: bool = True) -> ColumnChooser:
        """Give the key its columns, and the pairs theirs."""
        if role == "key":
            return WantedColumns.of_side(self, role, is_named=is_named)
        return self.pairs if is_named else WantedPairs()


class ScoredPairs(NamedTuple):
    """Records by numbers; ``cluster`` is that of the key, -1 for what it lacks."""

    cluster: Ints
    left: Ints
    right: Ints
    score: Floats
    key: TableSide
    source: str  # of the pairs
    columns: dict[str, str]


def read_scored_pairs(
    key: object, pairs: object, request: CountRequest, *, engine: str | None = None
) -> ScoredPairs:
    """Read a key and pairs, whichever engine does it.

    Args:
        key: a table, as `scoref.score_table` takes it.
        pairs: triples (record, record, score), or any table with three such columns.
        request: how they are read.
        engine: what reads; otherwise what fits the tables.
    """
    check_engine(engine)
    tables = [
        recognise(key, "key", remote=request.remote),
        recognise_pairs(pairs, "pairs", remote=request.remote),
    ]
    chosen = engine or engine_for(tables, request)
    with check_unchanged(tables):
        if chosen == NUMPY:
            return _in_memory(tables, request)
        with open_session(chosen, request, tables) as session:
            return _by_sql(session, tables, request)


def _in_memory(given: Sequence[TableInput], request: CountRequest) -> ScoredPairs:
    tables = load_into_memory(given, request)
    of_key, of_pairs = readings(tables, request)
    chosen = _pair_columns(of_pairs, tables[1].names)
    taken = tables[1].take(chosen.names)
    left, right = (taken.values[name] for name in (chosen.left, chosen.right))
    side = numpy_engine.key_side(tables[0], of_key, request, [left, right])
    score = _scores(taken.values[chosen.value], given[1], of_pairs)
    records = CodedColumn.of(concatenate_values((side.mention, left, right)))
    parts = np.split(records.codes, [len(side.mention), len(side.mention) + len(left)])
    if any((part < 0).any() for part in parts[1:]):
        raise _nameless(given[1], of_pairs)
    cluster = np.full(len(records.labels), -1, dtype=np.int64)
    cluster[parts[0]] = side.cluster
    columns = used_columns(given, [side.columns, chosen])
    source = given[1].source
    return ScoredPairs(cluster, parts[1], parts[2], score, side.side, source, columns)


def _pair_columns(reading: TableReading, names: Sequence[str]) -> PairColumns:
    chosen = reading.choose(names)
    assert isinstance(chosen, PairColumns)
    return chosen


def _scores(values: Values, given: TableInput, reading: TableReading) -> Floats:
    """Read scores; infinite ones are fine, missing ones are not."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        found = values.astype(np.float64)
    else:
        found = np.array([_number(each) for each in values], dtype=np.float64)
    if np.isnan(found).any():
        place = int(np.flatnonzero(np.isnan(found))[0])
        raise _scoreless(given, reading, values[place], place)
    return found


def _number(value: object) -> float:
    try:
        return float(value) if isinstance(value, int | float) else float(str(value))
    except ValueError:
        return float("nan")


def _scoreless(
    given: TableInput, reading: TableReading, value: object = "", place: int = 0
) -> FormatError:
    """Say where a pair has no score."""
    for path, line, row in _located(given, reading):
        found = row[_pair_columns(reading, list(row)).value]
        if isnan(_number(found)):
            return _refused_score(found, path, line)
    return _refused_score(value, given.source, None, place)


def _located(
    given: TableInput, reading: TableReading
) -> Iterator[tuple[str, int, dict[str, str]]]:
    """Read a file of text again, to say where something is in it."""
    if isinstance(given, Files) and is_text(given) and given.format != "json":
        yield from located_rows(given, reading)


def _refused_score(
    value: object, source: str, line: int | None, place: int = 0
) -> FormatError:
    is_missing = text_of(value) is None  # NaN is how frames write that
    text = "is missing" if is_missing else f"'{value}' is not a number"
    where = "" if line else f" of pair {place + 1:,}" if place else ""
    return FormatError(f"the score{where} {text}", source=source, line=line)


def _nameless(given: TableInput, reading: TableReading) -> FormatError:
    for path, line, row in _located(given, reading):
        chosen = _pair_columns(reading, list(row))
        if not row[chosen.left] or not row[chosen.right]:
            return FormatError("a pair lacks a record", source=path, line=line)
    return FormatError("a pair lacks a record", source=given.source)


def _by_sql(
    session: Session, tables: Sequence[TableInput], request: CountRequest
) -> ScoredPairs:
    """Number records in the engine, and fetch numbers only."""
    sides = TableSides(session, request)
    key, pairs = tables
    of_key, of_pairs = readings(tables, request)
    there = sides.load(key, "key_table", of_key)
    names = of_key.side(list(there))
    linked = sides.load(pairs, "pairs_table", of_pairs)
    chosen = _pair_columns(of_pairs, list(linked))
    ids = [there[names.mention], linked[chosen.left], linked[chosen.right]]
    as_text = {column.kind for column in ids} != {"integer"}
    sides.name_rows("key", there, names, as_text=as_text)
    _name_pairs(sides, linked, chosen, as_text=as_text)
    records = [("key_rows", "mention"), ("pairs_rows", "l"), ("pairs_rows", "r")]
    sides.check_pairs("key", key, names, records)
    sides.count_side("key", key.source)
    _check_pairs(sides, pairs, of_pairs)
    found = _numbered(sides)
    columns = used_columns(tables, [names, chosen])
    return ScoredPairs(*found, sides.counts["key"], pairs.source, columns)


def _name_pairs(
    sides: TableSides,
    columns: dict[str, EngineColumn],
    chosen: PairColumns,
    *,
    as_text: bool,
) -> None:
    left, right = (
        sides.sql(columns[name], as_text=as_text)
        for name in (chosen.left, chosen.right)
    )
    quote = sides.session.quote
    value = f"{quote}{chosen.value.replace(quote, quote * 2)}{quote}"
    sides.view(
        "pairs_rows",
        f"SELECT {left} AS l, {right} AS r, TRY_CAST({value} AS DOUBLE) AS s, "
        f"{sides.sql(columns[chosen.value], as_text=True)} AS written "
        f"FROM {sides.name('pairs_table')}",
    )


def _check_pairs(sides: TableSides, pairs: TableInput, reading: TableReading) -> None:
    rows = sides.name("pairs_rows")
    scoreless, nameless = sides.numbers(
        "SELECT count(CASE WHEN s IS NULL OR isnan(s) THEN 1 END), "
        f"count(CASE WHEN l IS NULL OR r IS NULL THEN 1 END) FROM {rows}"
    )
    if scoreless:
        ((value,),) = sides.session.rows(
            f"SELECT written FROM {rows} WHERE s IS NULL OR isnan(s) LIMIT 1"
        )
        raise _scoreless(pairs, reading, value)
    if nameless:
        raise _nameless(pairs, reading)


def _numbered(sides: TableSides) -> tuple[Ints, Ints, Ints, Floats]:
    """Give every record a number, and each pair those of its records."""
    session = sides.session
    key, rows = sides.name("key_side"), sides.name("pairs_rows")
    records = sides.name("records")
    sides.tell("numbering records", 2)
    session.keep(
        records,
        f"SELECT id, {session.number} AS code FROM ("
        f"SELECT mention AS id FROM {key} UNION SELECT l FROM {rows} "
        f"UNION SELECT r FROM {rows}) AS every",
    )
    sides.tell("fetching pairs", STEPS // 2)
    left, right, score = session.arrays(
        f"SELECT a.code AS l, b.code AS r, s FROM {rows} "
        f"JOIN {records} AS a ON l = a.id JOIN {records} AS b ON r = b.id"
    )
    record, cluster = session.arrays(
        "SELECT code, dense_rank() OVER (ORDER BY cluster) - 1 AS g "
        f"FROM {key} JOIN {records} ON mention = id"
    )
    (codes,) = session.arrays(f"SELECT code FROM {records}")
    number = _dense(codes.astype(np.int64))
    of_record = np.full(len(codes), -1, dtype=np.int64)
    of_record[number(record)] = cluster
    return of_record, number(left), number(right), score.astype(np.float64)


class _dense:  # noqa: N801 - a function with a memory
    """Make numbers dense, where an engine leaves gaps."""

    def __init__(self, codes: Ints) -> None:
        self._sorted = np.sort(codes)
        is_dense = len(codes) and self._sorted[-1] == len(codes) - 1
        self._is_dense = bool(is_dense)

    def __call__(self, codes: NDArray[np.generic]) -> Ints:
        found = codes.astype(np.int64)
        return found if self._is_dense else np.searchsorted(self._sorted, found)

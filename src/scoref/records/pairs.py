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
from scoref.records.columns import MissingColumnError, WantedColumns
from scoref.records.duckdb_engine import DuckSession
from scoref.records.engines import NUMPY, check_engine, engine_for, open_session
from scoref.records.file_types import Files
from scoref.records.ids import (
    CodedColumn,
    concatenate_values,
    text_of,
    texts_of,
)
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
    from scoref.records.columns import ColumnChooser
    from scoref.records.ids import EngineColumn, Values
    from scoref.records.loading import Session
    from scoref.records.request import CountRequest, TableReading, TableSide
    from scoref.records.sources import TableInput


class TooFewColumnsError(FormatError):
    """A table of pairs without a third column."""


_NAMES = ("left", "right", "score")

_WIDTH = len(_NAMES)


def recognise_pairs(
    table: object, source: str, *, remote: bool = False, has_scores: bool = True
) -> TableInput:
    """Recognise a table of pairs: triples, dedupe's scored pairs, or any table.

    Without ``has_scores``, pairs may also be just two records.
    """
    widths = (_WIDTH,) if has_scores else (2, _WIDTH)
    if isinstance(table, np.ndarray):
        return _from_array(table, source, widths)
    is_table = isinstance(table, str | PathLike | Mapping)
    is_frame = hasattr(table, "columns") or hasattr(table, "__arrow_c_stream__")
    if isinstance(table, Iterable) and not is_table and not is_frame:
        return _from_tuples(list(table), source, widths)
    return recognise(table, source, remote=remote)


def _from_array(
    table: np.ndarray[Any, Any], source: str, widths: tuple[int, ...]
) -> Columns:
    """Take dedupe's array of pairs and scores, or one with three columns."""
    if table.dtype.names and {"pairs", "score"} <= set(table.dtype.names):
        left, right = table["pairs"].T
        columns = left, right, table["score"].astype(np.float64)
    elif table.ndim == 2 and table.shape[1] in widths:
        columns = tuple(table.T)
    else:
        raise OptionError(
            f"the {source} are an array of shape {table.shape}. Expected "
            "two columns of records and one of scores"
        )
    return Columns(source, dict(zip(_NAMES, columns, strict=False)))


def _from_tuples(table: list[object], source: str, widths: tuple[int, ...]) -> Columns:
    """Take tuples; the last column of whole numbers is a label if it may be one."""
    width = next((n for n in widths if all(_has_length(p, n) for p in table)), _WIDTH)
    for pair in table:
        if not _has_length(pair, width):
            raise OptionError(
                f"the {source} contain {pair!r}. A pair is (record, record, score)"
            )
    columns = [list(column) for column in zip(*table, strict=True)]
    columns = columns or [[] for _ in range(width)]
    names = list(_NAMES[:width])
    is_label = len(widths) > 1 and all(type(v) in {bool, int} for v in columns[-1])
    if width == _WIDTH and is_label:
        names[-1] = "label"
    return Columns(source, dict(zip(names, columns, strict=True)))


def _has_length(value: object, length: int) -> bool:
    return isinstance(value, tuple | list) and len(value) == length


def fetch_pairs(
    table: TableInput, reading: TableReading, request: CountRequest
) -> Columns:
    """Load a small table of pairs into memory."""
    if isinstance(table, Files):
        if is_small(table):
            return read_text(table, reading)
        with DuckSession(request, [table]) as session:
            session.load(table, "pairs", reading)
            relation: Any = session.connection.sql("FROM pairs")
            frame = Frame(table.source, "arrow", relation.to_arrow_table())
            return frame.take(reading.needed_names(frame.names))
    if isinstance(table, Frame) and table.library == "spark":
        table = Frame(table.source, "arrow", table.table.toArrow())
    return table.take(reading.needed_names(table.names))


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
        """Their names, each once."""
        return list(dict.fromkeys((self.left, self.right, self.value, *self.others)))

    def uses(self, _: str) -> dict[str, str]:
        """Return the names by what the columns are used for."""
        return {"left": self.left, "right": self.right, self.kind: self.value}


@dataclass(frozen=True, slots=True)
class WantedPairs:
    """The columns of pairs that the caller named; ``kind`` is a score or a match.

    ``known`` has the usual names of the score or match.
    """

    left: str | None = None
    right: str | None = None
    value: str | None = None
    kind: str = "score"
    known: tuple[str, ...] = SCORES
    others: tuple[str, ...] = ()
    prefixes: tuple[str, str] = ("", "")  # of ids, if two sources may have the same

    @property
    def word(self) -> str:
        """The value's name in messages and options."""
        return "label" if self.kind == "match" else self.kind

    @property
    def names(self) -> list[str]:
        """The names that the caller gave."""
        names = self.left, self.right, self.value, *self.others
        return [name for name in names if name is not None]

    def choose(
        self,
        columns: Sequence[str],
        source: str,
        role: str | None,  # noqa: ARG002
    ) -> PairColumns:
        """Choose two records and a value, by name or as the only three columns."""
        self._check(columns, source)
        left = [name for name in columns if name not in self.names]
        sides = self._sides(left)
        value = self.value or next((name for name in self.known if name in left), None)
        if sides and value:
            return PairColumns(*sides, value, self.others, self.kind)
        named = (self.left, self.right, self.value)
        if len(left) == named.count(None):
            first, second, third = (name or left.pop(0) for name in named)
            return PairColumns(first, second, third, self.others, self.kind)
        raise FormatError(
            f"cannot tell which columns are the two records and the {self.word}",
            source=source,
            hint=f"The columns are {', '.join(columns)}. Name them: --left "
            f"COLUMN, --right COLUMN and --{self.word} COLUMN (left, right "
            f"and {self.kind} in Python).",
        )

    def is_header(self, row: Sequence[str | None]) -> bool:
        """Return whether the first row has names: none of them is a number."""
        for name in row:
            try:
                float(name or "")
            except ValueError:
                continue
            return False
        return True

    def _check(self, columns: Sequence[str], source: str) -> None:
        """Refuse names that the table does not have, and too few columns."""
        hint = f"The columns are {', '.join(columns)}."
        for name in self.names:
            if name not in columns:
                if name in self.others:
                    raise MissingColumnError(name, columns)
                raise FormatError(
                    f"column '{name}' does not exist", source=source, hint=hint
                )
        if len(columns) < _WIDTH:
            raise TooFewColumnsError(
                f"a pair is two records and a {self.word}, but there are only "
                f"{len(columns)} columns",
                source=source,
                hint=hint,
            )

    def _sides(self, columns: Sequence[str]) -> tuple[str, str] | None:
        """Find the two records by name: as given, as usual, or ids with _l and _r."""
        if self.left and self.right:
            return self.left, self.right
        if self.left or self.right:
            return None
        for pair in _SIDES:
            if set(pair) <= set(columns):
                return pair
        stems = [
            name.removesuffix("_l")
            for name in columns
            if name.endswith("id_l") and f"{name.removesuffix('_l')}_r" in columns
        ]
        return (f"{stems[0]}_l", f"{stems[0]}_r") if len(stems) == 1 else None


@dataclass(frozen=True, slots=True)
class WantedKeyAndPairs(WantedColumns):
    """The columns that the caller named, of a key and of a table of pairs."""

    pairs: WantedPairs = field(default_factory=WantedPairs)

    @property
    def names(self) -> list[str]:
        """The names that the caller gave, for either table."""
        return [*WantedColumns.names.fget(self), *self.pairs.names]  # type: ignore[attr-defined]

    def of_side(self, role: str, *, is_named: bool = True) -> ColumnChooser:
        """Return the part about the key, or about the pairs."""
        if role == "key":
            return WantedColumns.of_side(self, role, is_named=is_named)
        return self.pairs if is_named else WantedPairs()


class ScoredPairs(NamedTuple):
    """A key and scored pairs, with records as codes.

    Args:
        cluster: the key cluster of each record, -1 if the key lacks the record.
        left: the first record of each pair.
        right: the second record.
        score: the score of each pair.
        key: the rows of the key.
        source: the source of the pairs.
        columns: the columns that were read, by their use.
    """

    cluster: Ints
    left: Ints
    right: Ints
    score: Floats
    key: TableSide
    source: str
    columns: dict[str, str]


def read_scored_pairs(
    key: object, pairs: object, request: CountRequest, *, engine: str | None = None
) -> ScoredPairs:
    """Read a key and scored pairs, with any engine.

    Args:
        key: a table, as `scoref.score_table` takes it.
        pairs: triples (record, record, score), or any table with three such columns.
        request: how they are read.
        engine: the engine that reads; by default chosen by the size of the tables.
    """
    check_engine(engine)
    tables = [
        recognise(key, "key", remote=request.remote),
        recognise_pairs(pairs, "pairs", remote=request.remote),
    ]
    chosen = engine or engine_for(tables, request)
    with check_unchanged(tables):
        if chosen == NUMPY:
            return _read_in_memory(tables, request)
        with open_session(chosen, request, tables) as session:
            return _read_by_sql(session, tables, request)


def _read_in_memory(tables: Sequence[TableInput], request: CountRequest) -> ScoredPairs:
    key, pairs = load_into_memory(tables, request)
    key_reading, pairs_reading = readings([key, pairs], request)
    chosen = _pair_columns(pairs_reading, pairs.names)
    taken = pairs.take(chosen.names)
    left, right = (
        _with_prefix(taken.values[name], prefix)
        for name, prefix in zip(
            (chosen.left, chosen.right), _prefixes(pairs_reading), strict=True
        )
    )
    side = numpy_engine.key_side(key, key_reading, request, [left, right])
    score = _scores(taken.values[chosen.value], tables[1], pairs_reading)
    records = CodedColumn.of(concatenate_values((side.mention, left, right)))
    ends = [len(side.mention), len(side.mention) + len(left)]
    key_record, left_record, right_record = np.split(records.codes, ends)
    if (left_record < 0).any() or (right_record < 0).any():
        raise _missing_record_error(tables[1], pairs_reading)
    cluster = np.full(len(records.labels), -1, dtype=np.int64)
    cluster[key_record] = side.cluster
    columns = used_columns(tables, [side.columns, chosen])
    source = tables[1].source
    return ScoredPairs(
        cluster, left_record, right_record, score, side.side, source, columns
    )


def _prefixes(reading: TableReading) -> tuple[str, str]:
    assert isinstance(reading.wanted, WantedPairs)
    return reading.wanted.prefixes


def _with_prefix(values: Values, prefix: str) -> Values:
    """Put a prefix before ids, as text; a missing id stays missing."""
    if not prefix:
        return values
    return [None if text is None else prefix + text for text in texts_of(values)]


def _pair_columns(reading: TableReading, names: Sequence[str]) -> PairColumns:
    chosen = reading.choose(names)
    assert isinstance(chosen, PairColumns)
    return chosen


def _scores(values: Values, pairs: TableInput, reading: TableReading) -> Floats:
    """Read scores; an infinite score is allowed, a missing one is not."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        scores = values.astype(np.float64)
    else:
        scores = np.array([_number(value) for value in values], dtype=np.float64)
    if np.isnan(scores).any():
        row = int(np.flatnonzero(np.isnan(scores))[0])
        raise _missing_score_error(pairs, reading, values[row], row)
    return scores


def _number(value: object) -> float:
    """Return a number, or NaN if the value is not one."""
    try:
        return float(value) if isinstance(value, int | float) else float(str(value))
    except ValueError:
        return float("nan")


def _missing_score_error(
    pairs: TableInput, reading: TableReading, value: object, row: int = 0
) -> FormatError:
    """Return the error for a pair without a score, with file and line if possible."""
    source, line = pairs.source, None
    for path, number, fields in _located_rows(pairs, reading):
        text = fields[_pair_columns(reading, list(fields)).value]
        if isnan(_number(text)):
            source, line, value = path, number, text
            break
    is_missing = text_of(value) is None  # frames have NaN instead
    problem = "is missing" if is_missing else f"'{value}' is not a number"
    where = f" of pair {row + 1:,}" if row and not line else ""
    return FormatError(f"the score{where} {problem}", source=source, line=line)


def _missing_record_error(pairs: TableInput, reading: TableReading) -> FormatError:
    for path, line, fields in _located_rows(pairs, reading):
        chosen = _pair_columns(reading, list(fields))
        if not fields[chosen.left] or not fields[chosen.right]:
            return FormatError("a pair has only one record", source=path, line=line)
    return FormatError("a pair has only one record", source=pairs.source)


def _located_rows(
    pairs: TableInput, reading: TableReading
) -> Iterator[tuple[str, int, dict[str, str]]]:
    """Read a text file again, to find the line of an error."""
    if isinstance(pairs, Files) and is_text(pairs) and pairs.format != "json":
        yield from located_rows(pairs, reading)


def _read_by_sql(
    session: Session, tables: Sequence[TableInput], request: CountRequest
) -> ScoredPairs:
    """Number records in the engine, and fetch only numbers."""
    sides = TableSides(session, request)
    key, pairs = tables
    key_reading, pairs_reading = readings(tables, request)
    key_columns = sides.load(key, "key_table", key_reading)
    key_chosen = key_reading.side(list(key_columns))
    pair_columns = sides.load(pairs, "pairs_table", pairs_reading)
    chosen = _pair_columns(pairs_reading, list(pair_columns))
    kinds = {
        key_columns[key_chosen.mention].kind,
        pair_columns[chosen.left].kind,
        pair_columns[chosen.right].kind,
    }
    prefixes = _prefixes(pairs_reading)
    as_text = kinds != {"integer"} or any(prefixes)
    sides.view_rows("key", key_columns, key_chosen, as_text=as_text)
    _view_pairs(sides, pair_columns, chosen, prefixes, as_text=as_text)
    records = [("key_rows", "mention"), ("pairs_rows", "l"), ("pairs_rows", "r")]
    sides.check_pairs("key", key, key_chosen, records)
    sides.count_side("key", key.source)
    _check_rows(sides, pairs, pairs_reading)
    columns = used_columns(tables, [key_chosen, chosen])
    return ScoredPairs(
        *_number_records(sides), sides.counts["key"], pairs.source, columns
    )


def _view_pairs(
    sides: TableSides,
    columns: dict[str, EngineColumn],
    chosen: PairColumns,
    prefixes: tuple[str, str],
    *,
    as_text: bool,
) -> None:
    """Create the view of pairs: two records, the score, and the score as text."""
    left, right = (
        (f"'{prefix}' || " if prefix else "")
        + sides.sql(columns[name], as_text=as_text)
        for name, prefix in zip((chosen.left, chosen.right), prefixes, strict=True)
    )
    quote = sides.session.quote
    value = f"{quote}{chosen.value.replace(quote, quote * 2)}{quote}"
    sides.view(
        "pairs_rows",
        f"SELECT {left} AS l, {right} AS r, TRY_CAST({value} AS DOUBLE) AS s, "
        f"{sides.sql(columns[chosen.value], as_text=True)} AS written "
        f"FROM {sides.name('pairs_table')}",
    )


def _check_rows(sides: TableSides, pairs: TableInput, reading: TableReading) -> None:
    """Refuse pairs that lack a score or a record."""
    rows = sides.name("pairs_rows")
    without_score, without_record = sides.numbers(
        "SELECT count(CASE WHEN s IS NULL OR isnan(s) THEN 1 END), "
        f"count(CASE WHEN l IS NULL OR r IS NULL THEN 1 END) FROM {rows}"
    )
    if without_score:
        ((value,),) = sides.session.rows(
            f"SELECT written FROM {rows} WHERE s IS NULL OR isnan(s) LIMIT 1"
        )
        raise _missing_score_error(pairs, reading, value)
    if without_record:
        raise _missing_record_error(pairs, reading)


def _number_records(sides: TableSides) -> tuple[Ints, Ints, Ints, Floats]:
    """Number all records, and fetch clusters, pairs and scores by these numbers."""
    session = sides.session
    key, rows = sides.name("key_side"), sides.name("pairs_rows")
    records = sides.name("records")
    sides.report_progress("numbering records", 2)
    session.keep(
        records,
        f"SELECT id, {session.number} AS code FROM ("
        f"SELECT mention AS id FROM {key} UNION SELECT l FROM {rows} "
        f"UNION SELECT r FROM {rows}) AS every",
    )
    sides.report_progress("fetching pairs", STEPS // 2)
    left, right, score = session.arrays(
        f"SELECT a.code AS l, b.code AS r, s FROM {rows} "
        f"JOIN {records} AS a ON l = a.id JOIN {records} AS b ON r = b.id"
    )
    record, key_cluster = session.arrays(
        "SELECT code, dense_rank() OVER (ORDER BY cluster) - 1 AS g "
        f"FROM {key} JOIN {records} ON mention = id"
    )
    (codes,) = session.arrays(f"SELECT code FROM {records}")
    in_order = np.sort(codes.astype(np.int64))
    is_dense = len(codes) > 0 and in_order[-1] == len(codes) - 1

    def close_gaps(numbers: NDArray[np.generic]) -> Ints:
        """Make the numbers of records dense: Spark leaves gaps."""
        integers = numbers.astype(np.int64)
        return integers if is_dense else np.searchsorted(in_order, integers)

    cluster = np.full(len(codes), -1, dtype=np.int64)
    cluster[close_gaps(record)] = key_cluster
    return cluster, close_gaps(left), close_gaps(right), score.astype(np.float64)

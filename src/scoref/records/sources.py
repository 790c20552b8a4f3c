"""The kinds of tables that a caller may give, recognised by their type.

No library is loaded for this: if a caller gives a frame, its library is loaded already.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike, fsdecode
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from scoref.errors import OptionError
from scoref.records.file_types import Files, find_files
from scoref.records.request import ROLES, TableReading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.records.columns import (
        ChosenColumns,
        ColumnChooser,
        Values,
        WantedColumns,
    )
    from scoref.records.request import CountRequest, Role


_LIBRARIES = {
    "pandas": "pandas",
    "polars": "polars",
    "pyarrow": "arrow",
    "duckdb": "duckdb",
    "_duckdb": "duckdb",
    "pyspark": "spark",
}


@dataclass(frozen=True, slots=True)
class Frame:
    """A table of another library."""

    source: str
    library: str
    table: Any

    def __len__(self) -> int:
        """Count its rows; what is not in memory has too many."""
        if self.library in {"pandas", "polars"}:
            return len(self.table)
        return getattr(self.table, "num_rows", sys.maxsize)

    @property
    def names(self) -> list[str]:
        """List its columns."""
        table = self.table
        if hasattr(table, "schema") and self.library == "arrow":
            return list(table.schema.names)
        return [str(name) for name in table.columns]

    def take(self, names: Sequence[str]) -> Columns:
        """Take the values of some columns out of it."""
        if self.library == "spark":
            raise OptionError("a Spark DataFrame is counted by Spark: --engine spark")
        if self.library == "pandas":
            frame = self.table.rename(columns=str)
            values = {name: _plain(frame[name]) for name in names}
        elif self.library == "polars":
            values = {name: self.table[name].to_list() for name in names}
        else:
            table = self._arrow()
            values = {name: table.column(name).to_pylist() for name in names}
        return Columns(self.source, values)

    def _arrow(self) -> Any:  # noqa: ANN401 - an Arrow table
        """Fetch a relation or a dataset."""
        if self.library == "duckdb":
            return self.table.to_arrow_table()
        is_table = hasattr(self.table, "column")
        return self.table if is_table else self.table.to_table()


@dataclass(frozen=True, slots=True)
class Columns:
    """A table in Python's own values; ``is_named`` if these columns have names."""

    source: str
    values: Mapping[str, Values]
    is_named: bool = False
    has_words: bool = True  # for "not clustered"; Python's own values have None

    def __len__(self) -> int:
        return max((len(column) for column in self.values.values()), default=0)

    @property
    def names(self) -> list[str]:
        """List its columns."""
        return list(self.values)

    def take(self, names: Sequence[str]) -> Columns:
        """Take some columns."""
        values = {name: self.values[name] for name in names}
        return Columns(self.source, values, has_words=self.has_words)


TableInput: TypeAlias = Files | Frame | Columns


def has_names(given: TableInput) -> bool:
    """Tell whether columns have names: those of a plain dict or list have none."""
    return not isinstance(given, Columns) or given.is_named


def readings(tables: Sequence[TableInput], request: CountRequest) -> list[TableReading]:
    """Say how each table is read: one that has both sides, or one for each."""
    roles: Sequence[Role | None] = [None] if len(tables) == 1 else ROLES
    return [
        TableReading(
            given.source,
            role,
            _wanted(given, request.wanted, role),
            request.header,
            request.table_of(role),
        )
        for given, role in zip(tables, roles, strict=True)
    ]


@contextmanager
def check_unchanged(tables: Sequence[TableInput]) -> Iterator[None]:
    """Refuse files that change while they are read, whatever came of it."""
    files = [table for table in tables if isinstance(table, Files)]
    try:
        yield
    except Exception:
        for each in files:
            each.check_unchanged()
        raise
    for each in files:
        each.check_unchanged()


def used_columns(
    tables: Sequence[TableInput | Columns], chosen: Sequence[ChosenColumns]
) -> dict[str, str]:
    """Name the columns that were read, by what they were used for."""
    found: dict[str, str] = {}
    for given, columns, role in zip(tables, chosen, ROLES, strict=False):
        if has_names(given):
            found |= columns.used(role)
    return found


def _wanted(
    given: TableInput, wanted: WantedColumns, role: Role | None
) -> ColumnChooser:
    """Keep the names that are about a table."""
    if role is None:
        return wanted
    return wanted.of_side(role, is_named=has_names(given))


def recognise(table: object, source: str, *, remote: bool = False) -> TableInput:
    """Tell what a table is."""
    if isinstance(table, str | PathLike):
        return find_files(fsdecode(table), remote=remote)
    library = _LIBRARIES.get(type(table).__module__.partition(".")[0])
    if library is None and hasattr(table, "__arrow_c_stream__"):
        library = "arrow"
    if library is not None:
        return _of_library(table, library, source)
    if isinstance(table, Mapping):
        return _mapping(table, source)
    if isinstance(table, np.ndarray):
        return _array(table, source)
    if isinstance(table, Iterable):
        return _listed(list(table), source)
    raise OptionError(f"the {source} is no table: {type(table).__name__}")


def _of_library(table: Any, library: str, source: str) -> TableInput:  # noqa: ANN401
    """Take a frame, or one column of labels."""
    if type(table).__name__ == "LazyFrame":
        table = table.collect()
    if type(table).__name__ == "RecordBatchReader":
        table = table.read_all()
    if hasattr(table, "columns") or hasattr(table, "to_table"):
        return Frame(source, library, table)
    if library == "pandas":  # a membership vector: the index is the mention
        values = {"mention": table.index.to_numpy(), "cluster": _plain(table)}
        return Columns(source, values)
    labels = table.to_list() if hasattr(table, "to_list") else table.to_pylist()
    return _listed(labels, source)


def _plain(series: Any) -> Values:  # noqa: ANN401 - a pandas Series
    values: Values = series.to_numpy() if series.dtype.kind in "iu" else series.tolist()
    return values


def check_lengths(key: TableInput, response: TableInput) -> None:
    """Refuse labels of another number of mentions."""
    if not (isinstance(key, Columns) and isinstance(response, Columns)):
        return
    by_position = all("position" in side.values for side in (key, response))
    if by_position and len(key) != len(response):
        raise OptionError(
            f"the key has {len(key)} labels, but the response {len(response)}: "
            "position is the mention"
        )


def _mapping(table: Mapping[object, object], source: str) -> Columns:
    """Take columns by name, or clusters by mention."""
    columns: dict[str, Values] = {
        str(name): column
        for name, column in table.items()
        if isinstance(column, list | np.ndarray)
    }
    if columns and len(columns) == len(table):
        _check_equal(columns, source)
        return Columns(source, columns, is_named=True)
    return _pairs(list(table.keys()), list(table.values()), source)


def _check_equal(columns: Mapping[str, Values], source: str) -> None:
    """Refuse columns of which one has more rows than another."""
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"'{name}' {count}" for name, count in lengths.items())
        raise OptionError(
            f"the {source}'s columns have different numbers of rows: {listed}"
        )


def _array(table: np.ndarray, source: str) -> Columns:
    """Take labels by position, or mentions and clusters in two columns."""
    if table.ndim == 1:
        return Columns(source, {"position": np.arange(len(table)), "cluster": table})
    if table.ndim == 2 and table.shape[1] == 2:  # noqa: PLR2004 - mention, cluster
        return Columns(source, {"mention": table[:, 0], "cluster": table[:, 1]})
    raise OptionError(
        f"the {source} is an array of shape {table.shape}: give labels, or two columns"
    )


def _listed(table: list[object], source: str) -> Columns:
    """Take pairs, clusters or labels, whatever is listed."""
    kinds = {_kind(each) for each in table}
    if kinds == {"scored cluster"}:  # as dedupe's `partition` gives them
        return _clusters(
            [list(each[0]) for each in table if isinstance(each, tuple)], source
        )
    if kinds == {"pair"}:
        pairs = [pair for pair in table if isinstance(pair, tuple)]
        return _pairs([m for m, _ in pairs], [c for _, c in pairs], source)
    if kinds == {"cluster"}:
        return _clusters(table, source)
    if kinds == {"label"} or not table:
        values: dict[str, Values]
        values = {"position": np.arange(len(table)), "cluster": table}
        return Columns(source, values, has_words=False)
    raise OptionError(
        f"the {source} lists several kinds of things: give pairs (mention, cluster) as "
        "tuples, clusters as lists or sets, or one label for each mention"
    )


def _kind(value: object) -> str:
    if isinstance(value, tuple):
        if len(value) != 2:  # noqa: PLR2004 - it is a pair
            return "tuple"
        return "scored cluster" if _is_scored(*value) else "pair"
    return "cluster" if isinstance(value, list | set | frozenset) else "label"


def _is_scored(records: object, scores: object) -> bool:
    """Tell a tuple of records beside as many scores from a mention and its cluster."""
    if not isinstance(records, tuple) or not isinstance(scores, tuple | np.ndarray):
        return False
    return len(records) == len(scores) and all(
        isinstance(each, float | np.floating) for each in scores
    )


def _clusters(table: list[object], source: str) -> Columns:
    mentions: list[object] = []
    clusters: list[int] = []
    for number, cluster in enumerate(table):
        listed = list(cluster) if isinstance(cluster, Iterable) else []
        mentions += listed
        clusters += [number] * len(listed)
    return Columns(
        source, {"mention": mentions, "cluster": np.array(clusters, dtype=np.int64)}
    )


def _pairs(mentions: list[object], clusters: list[object], source: str) -> Columns:
    values = {"mention": mentions, "cluster": clusters}
    return Columns(source, values, has_words=False)

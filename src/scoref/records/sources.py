"""The kinds of tables that a caller may give, recognised by their type.

A table is `Files`, a `Frame` of another library, or `Columns` of Python values. No
library is loaded for this: if a caller gives a frame, its library is loaded already.
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
from scoref.printable import describe
from scoref.records.file_types import Files, find_files
from scoref.records.request import ROLES, TableReading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.records.columns import ChosenColumns
    from scoref.records.ids import Values
    from scoref.records.request import CountRequest, Role


@dataclass(frozen=True, slots=True)
class Frame:
    """A table of another library."""

    source: str
    library: str
    table: Any

    def __len__(self) -> int:
        """Return the number of rows; a table that is not in memory has too many."""
        if self.library in {"pandas", "polars"}:
            return len(self.table)
        return getattr(self.table, "num_rows", sys.maxsize)

    @property
    def names(self) -> list[str]:
        """The names of its columns."""
        table = self.table
        if hasattr(table, "schema") and self.library == "arrow":
            return list(table.schema.names)
        return [str(name) for name in table.columns]

    def take(self, names: Sequence[str]) -> Columns:
        """Return some columns as Python values."""
        table = self.table
        if self.library == "spark":
            raise OptionError(
                "only Spark can read a Spark DataFrame. Use --engine spark"
            )
        if self.library == "pandas":
            frame = table.rename(columns=str)
            return Columns(self.source, {name: _values(frame[name]) for name in names})
        if self.library == "polars":
            return Columns(self.source, {name: table[name].to_list() for name in names})
        if self.library == "duckdb":
            table = table.to_arrow_table()
        elif not hasattr(table, "column"):  # a dataset
            table = table.to_table()
        values = {name: table.column(name).to_pylist() for name in names}
        return Columns(self.source, values)


@dataclass(frozen=True, slots=True)
class Columns:
    """A table of Python values.

    ``is_named`` says whether the names are names of columns: a plain dict or list has
    none. ``has_null_words`` says whether words such as NA mean "not clustered".
    """

    source: str
    values: Mapping[str, Values]
    is_named: bool = False
    has_null_words: bool = True

    def __len__(self) -> int:
        return max((len(column) for column in self.values.values()), default=0)

    @property
    def names(self) -> list[str]:
        """The names of its columns."""
        return list(self.values)

    def take(self, names: Sequence[str]) -> Columns:
        """Return some columns."""
        values = {name: self.values[name] for name in names}
        return Columns(self.source, values, has_null_words=self.has_null_words)


TableInput: TypeAlias = Files | Frame | Columns

_LIBRARIES = {
    "pandas": "pandas",
    "polars": "polars",
    "pyarrow": "arrow",
    "duckdb": "duckdb",
    "_duckdb": "duckdb",
    "pyspark": "spark",
}


def recognise(table: object, source: str, *, remote: bool = False) -> TableInput:
    """Return a table as one of the kinds, by its type."""
    if isinstance(table, str | PathLike):
        return find_files(fsdecode(table), remote=remote)
    library = _LIBRARIES.get(type(table).__module__.partition(".")[0])
    if library is None and hasattr(table, "__arrow_c_stream__"):
        library = "arrow"
    if library is not None:
        return _from_library(table, library, source)
    if isinstance(table, Mapping):
        return _from_mapping(table, source)
    if hasattr(table, "__array__"):
        return _from_array(np.asarray(table), source)
    is_content = isinstance(table, bytes | bytearray | memoryview)
    if is_content or hasattr(table, "read") or not isinstance(table, Iterable):
        raise OptionError(
            f"the {source} is {describe(table)}, not a table",
            hint="Give a path, a data frame, a dict of clusters by record, or a list "
            "with one label for each record.",
        )
    records = _from_list(list(table), source)
    if isinstance(table, set | frozenset) and "position" in records.values:
        raise OptionError(
            f"the {source} is {describe(table)}. Labels need an order",
            hint="Give a list with one label for each record, or clusters as sets.",
        )
    return records


def _from_library(table: Any, library: str, source: str) -> TableInput:
    """Take a frame, or one column of labels."""
    if type(table).__name__ == "LazyFrame":
        table = table.collect()
    if type(table).__name__ == "RecordBatchReader":
        table = table.read_all()
    if hasattr(table, "columns") or hasattr(table, "to_table"):
        return Frame(source, library, table)
    if library == "pandas":  # a membership vector: the index is the mention
        values = {"mention": table.index.to_numpy(), "cluster": _values(table)}
        return Columns(source, values)
    labels = table.to_list() if hasattr(table, "to_list") else table.to_pylist()
    return _from_list(labels, source)


def _values(series: Any) -> Values:
    values: Values = series.to_numpy() if series.dtype.kind in "iu" else series.tolist()
    return values


def _from_mapping(table: Mapping[object, object], source: str) -> Columns:
    """Take columns by name, or clusters by mention."""
    columns: dict[str, Values] = {
        str(name): column
        for name, column in table.items()
        if isinstance(column, list | np.ndarray)
    }
    if not columns or len(columns) < len(table):
        return _from_pairs(list(table.keys()), list(table.values()), source)
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        rows = ", ".join(f"'{name}' {count}" for name, count in lengths.items())
        raise OptionError(
            f"the columns of the {source} have different numbers of rows: {rows}"
        )
    return Columns(source, columns, is_named=True)


def _from_array(table: np.ndarray, source: str) -> Columns:
    """Take labels by position, or mentions and clusters in two columns."""
    if table.ndim == 1:
        return Columns(source, {"position": np.arange(len(table)), "cluster": table})
    if table.ndim == 2 and table.shape[1] == 2:
        return Columns(source, {"mention": table[:, 0], "cluster": table[:, 1]})
    raise OptionError(
        f"the {source} is an array of shape {table.shape}. Expected "
        "labels, or two columns"
    )


def _from_list(table: list[object], source: str) -> Columns:
    """Take pairs, clusters or labels, whichever the list has."""
    if any(hasattr(kind, "__array__") for kind in set(map(type, table))):
        table = [
            np.asarray(element).tolist() if hasattr(element, "__array__") else element
            for element in table
        ]
    kinds = {_kind(element) for element in table}
    if kinds == {"scored cluster"}:  # as returned by dedupe's `partition`
        clusters = [list(pair[0]) for pair in table if isinstance(pair, tuple)]
        return _from_clusters(clusters, source)
    if kinds == {"pair"}:
        pairs = [pair for pair in table if isinstance(pair, tuple)]
        return _from_pairs([m for m, _ in pairs], [c for _, c in pairs], source)
    if kinds == {"cluster"}:
        return _from_clusters(table, source)
    if kinds == {"label"} or not table:
        values: dict[str, Values]
        values = {"position": np.arange(len(table)), "cluster": table}
        return Columns(source, values, has_null_words=False)
    raise OptionError(
        f"the {source} mixes several kinds of items. Give pairs "
        "(record, cluster) as tuples, clusters as lists or sets, or "
        "one label for each record"
    )


def _kind(value: object) -> str:
    """Name the kind of a list's element.

    A scored cluster is a tuple of records with as many scores; any other tuple of two
    is a mention and its cluster.
    """
    if not isinstance(value, tuple):
        return "cluster" if isinstance(value, list | set | frozenset) else "label"
    if len(value) != 2:
        return "tuple"
    records, scores = value
    is_scored = (
        isinstance(records, tuple)
        and isinstance(scores, tuple | np.ndarray)
        and len(records) == len(scores)
        and all(isinstance(score, float | np.floating) for score in scores)
    )
    return "scored cluster" if is_scored else "pair"


def _from_clusters(table: Sequence[object], source: str) -> Columns:
    mentions: list[object] = []
    clusters: list[int] = []
    for number, cluster in enumerate(table):
        members = list(cluster) if isinstance(cluster, Iterable) else []
        if any(isinstance(member, list) for member in members):
            raise OptionError(
                f"cluster {number} of the {source} is {describe(cluster)}. A record is "
                "a text or a number",
                hint="Use scoref.score to score mentions of texts.",
            )
        mentions += members
        clusters += [number] * len(members)
    return Columns(
        source, {"mention": mentions, "cluster": np.array(clusters, dtype=np.int64)}
    )


def _from_pairs(mentions: list[object], clusters: list[object], source: str) -> Columns:
    values = {"mention": mentions, "cluster": clusters}
    return Columns(source, values, has_null_words=False)


def check_lengths(key: TableInput, response: TableInput) -> None:
    """Refuse labels by position if the sides have different numbers of them."""
    if not (isinstance(key, Columns) and isinstance(response, Columns)):
        return
    by_position = all("position" in side.values for side in (key, response))
    if by_position and len(key) != len(response):
        raise OptionError(
            f"there are {len(key):,} gold labels and {len(response):,} predicted "
            "labels. Both need one label for each record, in "
            "the same order"
        )


@contextmanager
def check_unchanged(tables: Sequence[TableInput]) -> Iterator[None]:
    """Refuse files that change while they are read, also if reading fails."""
    files = [table for table in tables if isinstance(table, Files)]
    try:
        yield
    except Exception:
        for table in files:
            table.check_unchanged()
        raise
    for table in files:
        table.check_unchanged()


def has_names(table: TableInput) -> bool:
    """Return whether columns have names: those of a plain dict or list have none."""
    return not isinstance(table, Columns) or table.is_named


def readings(tables: Sequence[TableInput], request: CountRequest) -> list[TableReading]:
    """Return how each table is read: one with both sides, or one for each side."""
    roles: Sequence[Role | None] = [None] if len(tables) == 1 else ROLES
    return [
        TableReading(
            table.source,
            role,
            request.wanted
            if role is None
            else request.wanted.of_side(role, is_named=has_names(table)),
            request.header,
            request.table_of(role),
        )
        for table, role in zip(tables, roles, strict=True)
    ]


def used_columns(
    tables: Sequence[TableInput], chosen: Sequence[ChosenColumns]
) -> dict[str, str]:
    """Return the names of the columns that were read, by their use."""
    uses: dict[str, str] = {}
    for table, columns, role in zip(tables, chosen, ROLES, strict=False):
        if has_names(table):
            uses |= columns.uses(role)
    return uses

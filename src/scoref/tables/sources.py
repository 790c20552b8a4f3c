"""What a caller may give for a table, told apart by its type alone.

Nothing is loaded to find out: a frame comes from a library that is loaded already.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import OptionError
from scoref.tables.files import Files, find_files

if TYPE_CHECKING:
    from scoref.tables.ids import Values

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
    table: object


@dataclass(frozen=True, slots=True)
class Columns:
    """A table in Python's own values."""

    source: str
    values: Mapping[str, Values]

    def __len__(self) -> int:
        return max((len(column) for column in self.values.values()), default=0)


Given = Files | Frame | Columns


def recognise(table: object, source: str) -> Given:
    """Tell what a table is."""
    if isinstance(table, str | PathLike):
        return find_files(fspath(table) if not isinstance(table, str) else table)
    library = _LIBRARIES.get(type(table).__module__.partition(".")[0])
    if library == "pandas" and not hasattr(table, "columns"):
        return _series(table, source)
    if library is None and hasattr(table, "__arrow_c_stream__"):
        library = "arrow"
    if library is not None and not _is_labels(table):
        return Frame(source, library, table)
    if isinstance(table, Mapping):
        return _mapping(table, source)
    if isinstance(table, np.ndarray) or _is_labels(table):
        return _array(np.asarray(table), source)
    if isinstance(table, Iterable):
        return _listed(list(table), source)
    raise OptionError(f"the {source} is no table: {type(table).__name__}")


def check_lengths(key: Columns, response: Columns) -> None:
    """Refuse labels of another number of mentions."""
    sides = key.values, response.values
    if all("position" in side for side in sides) and len(key) != len(response):
        raise OptionError(
            f"the key has {len(key)} labels, but the response {len(response)}: "
            "position is the mention"
        )


def _is_labels(table: object) -> bool:
    """Tell whether it is one column of another library."""
    return type(table).__name__ in {"Series", "ChunkedArray"} or (
        hasattr(table, "to_pylist") and not hasattr(table, "column_names")
    )


def _series(table: object, source: str) -> Columns:
    """Take the index of a pandas Series for the mention."""
    index, values = getattr(table, "index"), getattr(table, "to_numpy")()  # noqa: B009
    return Columns(source, {"mention": index.to_numpy(), "cluster": values})


def _mapping(table: Mapping[object, object], source: str) -> Columns:
    """Take columns by name, or clusters by mention."""
    if table and all(_is_column(value) for value in table.values()):
        return Columns(source, {str(name): _values(v) for name, v in table.items()})
    return _pairs(list(table.keys()), list(table.values()), source)


def _is_column(value: object) -> bool:
    return isinstance(value, list | np.ndarray)


def _values(column: object) -> Values:
    return column if isinstance(column, list | np.ndarray) else list(column)  # type: ignore[call-overload]


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
    if kinds == {"pair"}:
        mentions, clusters = zip(*table, strict=True)  # type: ignore[call-overload]
        return _pairs(list(mentions), list(clusters), source)
    if kinds == {"cluster"}:
        return _clusters(table, source)
    if kinds == {"label"} or not table:
        return Columns(source, {"position": np.arange(len(table)), "cluster": table})
    raise OptionError(
        f"the {source} lists several kinds of things: give pairs (mention, cluster) as "
        "tuples, clusters as lists or sets, or one label for each mention"
    )


def _kind(value: object) -> str:
    if isinstance(value, tuple):
        return "pair" if len(value) == 2 else "tuple"  # noqa: PLR2004 - it is a pair
    return "cluster" if isinstance(value, list | set | frozenset) else "label"


def _clusters(table: list[object], source: str) -> Columns:
    mentions, clusters = [], []
    for number, cluster in enumerate(table):
        for mention in cluster:  # type: ignore[attr-defined]
            mentions.append(mention)
            clusters.append(number)
    return Columns(
        source, {"mention": mentions, "cluster": np.array(clusters, dtype=np.int64)}
    )


def _pairs(mentions: list[object], clusters: list[object], source: str) -> Columns:
    return Columns(source, {"mention": mentions, "cluster": clusters})

"""Spark: the same queries on a cluster; only small results come back.

Spark has no order of rows, so that of two rows for one mention, the first is the one
with the smaller cluster, by text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

import numpy as np

from scoref.errors import FormatError, OptionError
from scoref.tables.alignment import Shared
from scoref.tables.extras import extra
from scoref.tables.files import Files
from scoref.tables.ids import Column, Labelled, text_of
from scoref.tables.sources import Frame

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from scoref.tables.asking import Reading
    from scoref.tables.ids import Kind
    from scoref.tables.queries import Queries
    from scoref.tables.sources import Columns, Given

_MOST_CELLS = 50_000_000
_KINDS: dict[str, Kind] = {
    "tinyint": "integer",
    "smallint": "integer",
    "int": "integer",
    "bigint": "integer",
    "string": "text",
    "float": "real",
    "double": "real",
}


class SparkSession:
    """The session of the given DataFrames, or the one that is running."""

    quote = "`"
    number = "monotonically_increasing_id()"
    place: str | None = None

    def __init__(self, tables: Sequence[Given]) -> None:
        sql = extra("pyspark.sql")
        frames = [each.table for each in tables if isinstance(each, Frame)]
        of_frames = [
            frame.sparkSession for frame in frames if hasattr(frame, "sparkSession")
        ]
        self._spark: Any = (
            of_frames[0] if of_frames else sql.SparkSession.builder.getOrCreate()
        )
        self.prefix = f"scoref_{uuid4().hex}_"
        self._views: set[str] = set()
        self._kept: list[Any] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for name in self._views:
            self._spark.catalog.dropTempView(name)
        for frame in self._kept:
            frame.unpersist()

    def load(self, given: Given, name: str, reading: Reading) -> list[Column]:
        """Make a table known by name, and tell its columns."""
        if isinstance(given, Files):
            frame = self._files(given, reading)
        elif isinstance(given, Frame) and given.library == "spark":
            frame = given.table
        else:
            frame = self._values(given.take(reading.needed(given.names)))
        self._name(name, frame)
        return [
            Column(column, _KINDS.get(kind, "other")) for column, kind in frame.dtypes
        ]

    def view(self, name: str, query: str) -> None:
        """Name a query."""
        self._name(name, self._spark.sql(query))

    def keep(self, name: str, query: str) -> None:
        """Name the result of a query."""
        frame = self._spark.sql(query).cache()
        self._kept.append(frame)
        self._name(name, frame)

    def keep_parts(self, queries: Queries, rows: int) -> None:  # noqa: ARG002 - Spark spills
        """Join the sides."""
        sides = f"{self.prefix}key_side", f"{self.prefix}response_side"
        self.keep(f"{self.prefix}parts", queries.parts_of_sides(*sides))

    def count_different(self, source: str, most: int) -> None:
        """Leave the answer to a query."""

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Fetch a small result."""
        return [tuple(row) for row in self._spark.sql(query).collect()]

    def shared(self, queries: Queries, blocks: Sequence[str]) -> Shared:
        """Fetch the cells that CEAF has to look at, if they are not too many."""
        frame = self._spark.sql(queries.shared())
        count = frame.count()
        if count > _MOST_CELLS:
            raise OptionError(
                f"CEAF has to look at {count} pairs of clusters, more than fit into "
                f"the driver ({_MOST_CELLS}): leave it out with --no-ceaf "
                "(ceaf=False in Python)"
            )
        *names, n, a, b, a_common, b_common = _columns(frame)
        key, response = (Labelled.of(column) for column in names[-2:])
        place = {block: i for i, block in enumerate(blocks)}
        block = (
            [place[str(each)] for each in names[0]] if queries.grouped else [0] * len(n)
        )
        at = np.array(block, dtype=np.int64)
        return Shared.of(
            (
                at,
                at * len(key.labels) + key.codes,
                at * len(response.labels) + response.codes,
                *(
                    np.array(column, dtype=np.int64)
                    for column in (n, a, b, a_common, b_common)
                ),
            )
        )

    def _name(self, name: str, frame: Any) -> None:  # noqa: ANN401 - a DataFrame
        frame.createOrReplaceTempView(name)
        self._views.add(name)

    def _values(self, table: Columns) -> Any:  # noqa: ANN401
        """Send Python's values to Spark, as text."""
        columns = [
            [text_of(each) for each in table.values[name]] for name in table.names
        ]
        schema = ", ".join(f"`{name}` string" for name in table.names)
        return self._spark.createDataFrame(list(zip(*columns, strict=True)), schema)

    def _files(self, given: Files, reading: Reading) -> Any:  # noqa: ANN401
        reader, paths = self._spark.read, list(given.paths)
        if given.format == "parquet":
            return reader.parquet(*paths)
        if given.format == "json":
            return reader.json(paths, primitivesAsString=True)
        if given.format not in {"csv", "tsv"}:
            raise OptionError(
                f"Spark reads CSV, TSV, Parquet and JSON lines: {given.source}"
            )
        lines = reader.text(paths).head(1)
        if not lines:
            raise FormatError("there is no row in this file", source=given.source)
        delimiter, names, has_header = reading.text_columns(lines[0][0], given.format)
        frame = reader.csv(
            paths, sep=delimiter, header=has_header, escape='"', mode="FAILFAST"
        )
        return frame.toDF(*names)


def _columns(frame: Any) -> list[list[Any]]:  # noqa: ANN401
    """Fetch a result in columns: through Arrow where Spark can."""
    if hasattr(frame, "toArrow"):
        return [column.to_pylist() for column in frame.toArrow().columns]
    rows = frame.collect()
    return [list(column) for column in zip(*rows, strict=True)] or [[]] * len(
        frame.columns
    )

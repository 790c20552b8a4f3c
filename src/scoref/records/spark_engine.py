"""The engine Spark: the same queries on a cluster; only small results are fetched.

Spark does not keep the order of rows. If a mention has two rows, the first one is
therefore the row with the smaller cluster, compared as text.
"""

from __future__ import annotations

import os
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

import numpy as np

from scoref.errors import FormatError, OptionError
from scoref.records.columns import CodedColumn, EngineColumn, text_of
from scoref.records.file_types import Files, extra
from scoref.records.scratch import Scratch
from scoref.records.sources import Columns, Frame
from scoref.records.text_files import Header, check_text, header_of, is_plain, read_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.records.columns import Kind
    from scoref.records.queries import Queries
    from scoref.records.request import CountRequest, TableReading
    from scoref.records.sources import TableInput


_MOST_CELLS = 50_000_000

_PARTITIONS, _USUAL, _FEW = "spark.sql.shuffle.partitions", "200", "2"

_FEW_BYTES, _FEW_ROWS = 1 << 24, 1 << 20

_KINDS: dict[str, Kind] = {
    "tinyint": "integer",
    "smallint": "integer",
    "int": "integer",
    "bigint": "integer",
    "string": "text",
    "float": "real",
    "double": "real",
}


def _is_small(given: TableInput) -> bool:
    if isinstance(given, Files):
        size = sum(stamp.size for stamp in given.stamps)
        return not given.is_remote and size <= _FEW_BYTES
    return len(given) <= _FEW_ROWS


class SparkSession:
    """The session of the given DataFrames, or the one that is running."""

    quote = "`"
    number = "monotonically_increasing_id()"
    place: str | None = None

    def __init__(self, request: CountRequest, tables: Sequence[TableInput]) -> None:
        sql = extra("pyspark.sql")
        self._request, self._tables = request, tables
        self._scratch: Scratch | None = None
        frames = [each.table for each in tables if isinstance(each, Frame)]
        of_frames = [
            frame.sparkSession for frame in frames if hasattr(frame, "sparkSession")
        ]
        self._spark: Any = (
            of_frames[0] if of_frames else sql.SparkSession.builder.getOrCreate()
        )
        self._partitions = self._fit()
        self.prefix = f"scoref_{uuid4().hex}_"
        self._views: set[str] = set()
        self._kept: list[Any] = []

    def _fit(self) -> str | None:
        """Cut small tables into few partitions; give the number that there was.

        Spark's own number is 200, and each of them takes its time even if it is empty.
        """
        conf = self._spark.conf
        if not all(map(_is_small, self._tables)) or conf.get(_PARTITIONS) != _USUAL:
            return None
        conf.set(_PARTITIONS, _FEW)
        return _USUAL

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._scratch is not None:
            self._scratch.close()
        if self._partitions is not None:
            self._spark.conf.set(_PARTITIONS, self._partitions)
        for name in self._views:
            self._spark.catalog.dropTempView(name)
        for frame in self._kept:
            frame.unpersist()
        files = [each.source for each in self._tables if isinstance(each, Files)]
        if files and isinstance(error, _errors()):
            check_text(self._tables, self._request)
            problem = str(error).strip().partition("\n")[0]
            raise FormatError(
                f"Spark cannot read this: {problem}", source=", ".join(files)
            ) from error

    def load(
        self, given: TableInput, name: str, reading: TableReading
    ) -> list[EngineColumn]:
        """Make a table known by name, and tell its columns."""
        if isinstance(given, Files):
            frame = self._files(given, reading, name)
        elif isinstance(given, Frame) and given.library == "spark":
            frame = given.table
        else:
            frame = self._values(given.take(reading.needed(given.names)))
        needed = set(reading.needed(frame.columns))
        self._name(name, frame)
        return [
            EngineColumn(column, _KINDS.get(kind, "other"))
            for column, kind in frame.dtypes
            if column in needed
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

    def arrays(self, query: str) -> list[NDArray[np.generic]]:
        """Fetch columns of numbers, none of which is missing."""
        return [np.array(column) for column in _columns(self._spark.sql(query))]

    def entangled(self, queries: Queries, blocks: Sequence[str]) -> list[Ints]:
        """Fetch the cells that CEAF has to look at, if they are not too many."""
        frame = self._spark.sql(queries.entangled())
        count = frame.count()
        if count > _MOST_CELLS:
            raise OptionError(
                f"CEAF has to look at {count} pairs of clusters, more than fit into "
                f"the driver ({_MOST_CELLS}): leave it out with --no-ceaf "
                "(ceaf=False in Python)"
            )
        *names, n, a, b, a_common, b_common = _columns(frame)
        key, response = (CodedColumn.of(column) for column in names[-2:])
        place = {block: i for i, block in enumerate(blocks)}
        block = (
            [place[str(each)] for each in names[0]] if queries.grouped else [0] * len(n)
        )
        at = np.array(block, dtype=np.int64)
        return [
            at,
            at * len(key.labels) + key.codes,
            at * len(response.labels) + response.codes,
            *(
                np.array(column, dtype=np.int64)
                for column in (n, a, b, a_common, b_common)
            ),
        ]

    def _name(self, name: str, frame: Any) -> None:  # noqa: ANN401 - a DataFrame
        frame.createOrReplaceTempView(name)
        self._views.add(name)

    def _values(self, table: Columns) -> Any:  # noqa: ANN401
        """Send Python's values to Spark, as text."""
        columns = [
            [text_of(each) for each in table.values[name]] for name in table.names
        ]
        schema = ", ".join(f"c{number} string" for number in range(len(columns)))
        rows = list(zip(*columns, strict=True))
        return self._spark.createDataFrame(rows, schema).toDF(*table.names)

    def _files(self, given: Files, reading: TableReading, name: str) -> Any:  # noqa: ANN401
        if given.format == "parquet":
            return self._spark.read.parquet(*self._paths(given, name))
        if given.format not in {"csv", "tsv", "json"}:
            raise OptionError(
                f"Spark reads CSV, TSV, Parquet and JSON lines: {given.source}"
            )
        if given.format == "json" and given.is_remote:
            return self._spark.read.json(list(given.paths), primitivesAsString=True)
        if given.format != "json" and (given.is_remote or is_plain(given)):
            return self._text(given, reading, name)
        return self._values(read_text(given, reading))

    def _text(self, given: Files, reading: TableReading, name: str) -> Any:  # noqa: ANN401
        """Let Spark read what it reads as everybody does."""
        paths = self._paths(given, name)
        if given.is_remote:
            header = self._remote_header(given, reading)
        else:
            header = header_of(given, reading)
        places = range(len(header.names))
        # With pruning, rows that have too few fields are not seen.
        frame = self._spark.read.option("columnPruning", "false").csv(
            paths,
            schema=", ".join(f"c{place} string" for place in places),
            sep=header.delimiter,
            header=header.is_there,
            escape='"',
            mode="FAILFAST",
        )
        names = reading.needed(header.names)
        chosen = [f"c{header.names.index(each)}" for each in names]
        return frame.select(*chosen).toDF(*names)

    def _remote_header(self, given: Files, reading: TableReading) -> Header:
        lines = self._spark.read.text(list(given.paths)).head(1)
        if not lines:
            raise FormatError("there is no row in this file", source=given.source)
        return Header(*reading.text_columns(lines[0][0], given.format))

    def _paths(self, given: Files, name: str) -> list[str]:
        """List files by names that Spark takes for neither patterns nor hidden."""
        if given.is_remote or all(map(_is_harmless, given.paths)):
            return list(given.paths)
        self._scratch = self._scratch or Scratch()
        return self._scratch.links(name, given.paths)


def _is_harmless(path: str) -> bool:
    return re.fullmatch(r"[\w./=-]+", path, re.ASCII) is not None and (
        os.path.basename(path)[0] not in "_."
    )


def _errors() -> tuple[type[Exception], ...]:
    """List what Spark raises."""
    return (
        extra("pyspark.errors").PySparkException,
        import_module("py4j.protocol").Py4JError,
    )


def _columns(frame: Any) -> list[list[Any]]:  # noqa: ANN401
    """Fetch a result in columns: through Arrow where Spark can."""
    if hasattr(frame, "toArrow"):
        return [column.to_pylist() for column in frame.toArrow().columns]
    rows = frame.collect()
    return [list(column) for column in zip(*rows, strict=True)] or [[]] * len(
        frame.columns
    )

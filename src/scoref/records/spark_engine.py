"""The engine Spark: the same queries on a cluster; only small results are fetched.

Spark does not keep the order of rows. If a mention has two rows, the first one is
therefore the row with the smaller cluster, compared as text.
"""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

import numpy as np

from scoref.errors import FormatError, OptionError
from scoref.records.file_types import Files, import_extra
from scoref.records.ids import CodedColumn, EngineColumn, text_of
from scoref.records.scratch import Scratch
from scoref.records.sources import Columns, Frame
from scoref.records.text_files import Header, check_text, header_of, is_plain, read_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.records.ids import Kind
    from scoref.records.queries import Queries
    from scoref.records.request import CountRequest, TableReading
    from scoref.records.sources import TableInput


_PARTITIONS, _DEFAULT = "spark.sql.shuffle.partitions", "200"

_ROWS_OF_PARTITION = 500_000

_BYTES_OF_ROW = 10  # of a file with two columns, roughly

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


def start_session(spark: Any) -> Any:
    """Return the running session, or start one; only terminals show its progress."""
    if running := spark.getActiveSession():
        return running
    shows_progress = sys.stderr is not None and sys.stderr.isatty()
    progress = str(shows_progress).lower()
    return spark.builder.config("spark.ui.showConsoleProgress", progress).getOrCreate()


def rows_of_files(files: Files) -> int:
    """Return roughly how many rows local files have, by their size."""
    return sum(stamp.size for stamp in files.stamps) // _BYTES_OF_ROW


def partitions_for(rows: int, cores: int) -> int:
    """Return the number of partitions: one for each core, more for many rows.

    >>> partitions_for(1_000, cores=4), partitions_for(30_000_000, cores=4)
    (4, 60)
    """
    return max(cores, -(-rows // _ROWS_OF_PARTITION))


class SparkSession:
    """The session of the given DataFrames, or the one that is running."""

    quote = "`"
    number = "monotonically_increasing_id()"
    place: str | None = None

    def __init__(self, request: CountRequest, tables: Sequence[TableInput]) -> None:
        sql = import_extra("pyspark.sql")
        self._request, self._tables = request, tables
        self._scratch: Scratch | None = None
        frames = [table.table for table in tables if isinstance(table, Frame)]
        of_frames = [
            frame.sparkSession for frame in frames if hasattr(frame, "sparkSession")
        ]
        self._spark: Any = (
            of_frames[0] if of_frames else start_session(sql.SparkSession)
        )
        self._has_own_partitions = self._choose_partitions()
        self.prefix = f"scoref_{uuid4().hex}_"
        self._views: set[str] = set()
        self._kept: list[Any] = []

    def _choose_partitions(self) -> bool:
        """Choose the number of partitions, unless the user did; tell whether it was.

        Spark's default is 200, and each of them takes time even if it is empty. The
        number of rows of a DataFrame or of a remote file is not known.
        """
        conf, rows = self._spark.conf, 0
        known = getattr(conf, "getAll", None)  # since Spark 4, what was set
        was_set = (
            conf.get(_PARTITIONS) != _DEFAULT if known is None else _PARTITIONS in known
        )
        for table in self._tables:
            if isinstance(table, Files):
                rows += rows_of_files(table)
                was_set |= table.is_remote
            else:
                rows += len(table)
        if was_set or rows >= sys.maxsize:
            return False
        cores = int(self._spark.sparkContext.defaultParallelism)
        conf.set(_PARTITIONS, str(partitions_for(rows, cores)))
        return True

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
        if self._has_own_partitions:
            self._spark.conf.unset(_PARTITIONS)
        for name in self._views:
            self._spark.catalog.dropTempView(name)
        for frame in self._kept:
            frame.unpersist()
        files = [table.source for table in self._tables if isinstance(table, Files)]
        if not files or error is None:
            return
        spark_errors = (
            import_extra("pyspark.errors").PySparkException,
            import_module("py4j.protocol").Py4JError,
        )
        if isinstance(error, spark_errors):
            check_text(self._tables, self._request)
            problem = str(error).strip().partition("\n")[0]
            raise FormatError(
                f"Spark cannot read this: {problem}", source=", ".join(files)
            ) from error

    def load(
        self, table: TableInput, name: str, reading: TableReading
    ) -> list[EngineColumn]:
        """Give a table a name, and return its columns."""
        if isinstance(table, Files):
            frame = self._read_files(table, reading, name)
        elif isinstance(table, Frame) and table.library == "spark":
            frame = table.table
        else:
            frame = self._send(table.take(reading.needed_names(table.names)))
        needed = set(reading.needed_names(frame.columns))
        self._create_view(name, frame)
        return [
            EngineColumn(column, _KINDS.get(kind, "other"))
            for column, kind in frame.dtypes
            if column in needed
        ]

    def view(self, name: str, query: str) -> None:
        """Give a query a name."""
        self._create_view(name, self._spark.sql(query))

    def keep(self, name: str, query: str) -> None:
        """Keep the result of a query under a name."""
        frame = self._spark.sql(query).cache()
        self._kept.append(frame)
        self._create_view(name, frame)

    def keep_parts(self, queries: Queries, rows: int) -> None:  # noqa: ARG002 - Spark spills
        """Join the sides."""
        sides = f"{self.prefix}key_side", f"{self.prefix}response_side"
        self.keep(f"{self.prefix}parts", queries.parts_of_sides(*sides))

    def count_distinct(
        self,
        source: str,
        most: int,  # noqa: ARG002 - Spark spills
    ) -> int | None:
        """Count rows if all mentions differ; None if not."""
        by = "block, mention" if self._request.is_grouped else "mention"
        ((rows, mentions),) = self.rows(
            "SELECT coalesce(sum(times), 0), count(*) FROM "
            f"(SELECT count(*) AS times FROM {source} GROUP BY {by}) AS mentions"
        )
        return int(str(rows)) if rows == mentions else None

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Fetch a small result."""
        return [tuple(row) for row in self._spark.sql(query).collect()]

    def arrays(self, query: str) -> list[NDArray[np.generic]]:
        """Fetch columns of values, none of which is missing."""
        return [np.array(column) for column in _columns(self._spark.sql(query))]

    def entangled(
        self, queries: Queries, blocks: Sequence[str], count: int
    ) -> list[Ints]:
        """Fetch the cells that CEAF needs, unless there are too many."""
        if count > _MOST_CELLS:
            raise OptionError(
                f"CEAF needs {count:,} pairs of clusters, but the Spark driver "
                f"can hold {_MOST_CELLS:,}. Leave CEAF out with --no-ceaf "
                "(ceaf=False in Python)"
            )
        frame = self._spark.sql(queries.entangled())
        *names, n, a, b, a_common, b_common = _columns(frame)
        key, response = (CodedColumn.of(column) for column in names[-2:])
        place = {name: i for i, name in enumerate(blocks)}
        places = (
            [place[str(name)] for name in names[0]]
            if queries.is_grouped
            else [0] * len(n)
        )
        block = np.array(places, dtype=np.int64)
        return [
            block,
            block * len(key.labels) + key.codes,
            block * len(response.labels) + response.codes,
            *(
                np.array(column, dtype=np.int64)
                for column in (n, a, b, a_common, b_common)
            ),
        ]

    def _create_view(self, name: str, frame: Any) -> None:
        frame.createOrReplaceTempView(name)
        self._views.add(name)

    def _send(self, table: Columns) -> Any:
        """Send Python values to Spark, as text."""
        columns = [
            [text_of(value) for value in table.values[name]] for name in table.names
        ]
        schema = ", ".join(f"c{number} string" for number in range(len(columns)))
        rows = list(zip(*columns, strict=True))
        return self._spark.createDataFrame(rows, schema).toDF(*table.names)

    def _read_files(self, files: Files, reading: TableReading, name: str) -> Any:
        if files.format == "parquet":
            return self._spark.read.parquet(*self._paths(files, name))
        if files.format not in {"csv", "tsv", "json"}:
            raise OptionError(
                f"Spark cannot read {files.source}. It reads CSV, TSV, Parquet "
                "and JSON lines"
            )
        if files.format == "json" and files.is_remote:
            return self._spark.read.json(list(files.paths), primitivesAsString=True)
        if files.format == "json":
            return self._send(read_text(files, reading))
        return self._read_text(files, reading, name)

    def _read_text(self, files: Files, reading: TableReading, name: str) -> Any:
        """Let Spark read plain files; others are read here."""
        paths = self._paths(files, name)
        if files.is_remote:
            lines = self._spark.read.text(list(files.paths)).head(1)
            if not lines:
                raise FormatError("this file has no rows", source=files.source)
            header = Header(*reading.text_columns(lines[0][0], files.format))
        else:
            header = header_of(files, reading)
            if not is_plain(files, header.delimiter):
                return self._send(read_text(files, reading))
        # With column pruning, rows with too few fields go unnoticed.
        frame = self._spark.read.option("columnPruning", "false").csv(
            paths,
            schema=", ".join(f"c{place} string" for place in range(len(header.names))),
            sep=header.delimiter,
            header=header.has_names,
            escape='"',
            mode="FAILFAST",
        )
        names = reading.needed_names(header.names)
        chosen = [f"c{header.names.index(column)}" for column in names]
        return frame.select(*chosen).toDF(*names)

    def _paths(self, files: Files, name: str) -> list[str]:
        """List files by names that Spark reads neither as patterns nor as hidden."""
        if files.is_remote or all(map(_is_harmless, files.paths)):
            return list(files.paths)
        self._scratch = self._scratch or Scratch()
        return self._scratch.links(name, files.paths)


def _is_harmless(path: str) -> bool:
    return re.fullmatch(r"[\w./=-]+", path, re.ASCII) is not None and (
        os.path.basename(path)[0] not in "_."
    )


def _columns(frame: Any) -> list[list[Any]]:
    """Fetch a result in columns, through Arrow if Spark can."""
    if hasattr(frame, "toArrow"):
        return [column.to_pylist() for column in frame.toArrow().columns]
    rows = frame.collect()
    return [list(column) for column in zip(*rows, strict=True)] or [[]] * len(
        frame.columns
    )

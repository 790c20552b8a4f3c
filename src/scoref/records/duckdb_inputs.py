"""How DuckDB reads each kind of table: files, frames and Python values."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from scoref.errors import FormatError, OptionError
from scoref.records.columns import EngineColumn, text_of
from scoref.records.file_types import check_arrow, extra
from scoref.records.sources import Columns, Frame
from scoref.records.text_files import Header, header_of, is_plain, needed_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from scoref.records.columns import Kind, Values
    from scoref.records.file_types import Files
    from scoref.records.request import TableReading
    from scoref.records.scratch import Scratch
    from scoref.records.sources import TableInput


class DuckDBRelation(Protocol):
    """What is used of DuckDB's relation."""

    def fetch_arrow_reader(self, batch_size: int) -> Iterator[Any]:
        """Fetch Arrow's record batches, one after the other."""


class Connection(Protocol):
    """What is used of DuckDB's connection."""

    def execute(self, query: str, parameters: object = None) -> Connection:
        """Run a query."""

    def sql(self, query: str) -> DuckDBRelation:
        """Name a result that is not fetched yet."""

    def fetchall(self) -> list[tuple[object, ...]]:
        """Fetch all rows."""

    def fetchnumpy(self) -> dict[str, NDArray[np.int64]]:
        """Fetch columns."""

    def register(self, name: str, table: object) -> object:
        """Make a table of another library known."""

    def unregister(self, name: str) -> object:
        """Forget it."""

    def interrupt(self) -> None:
        """End the query that is running."""

    def close(self) -> None:
        """Let go."""


_INTEGERS = re.compile(r"U?(TINY|SMALL|BIG)?INT(EGER)?")

_CHUNK = 100_000


def load(
    connection: Connection,
    given: TableInput,
    name: str,
    reading: TableReading,
    scratch: Scratch,
) -> list[EngineColumn]:
    """Make a table known by name, and tell its columns."""
    reader = _Reader(connection, name, reading, scratch)
    if isinstance(given, Columns):
        reader.columns(given)
    elif isinstance(given, Frame):
        reader.frame(given)
    else:
        with _readable(given.source):
            reader.files(given)
    with _readable(given.source):
        described = connection.execute(f"DESCRIBE {name}").fetchall()
    return [EngineColumn(str(row[0]), _kind(str(row[1]))) for row in described]


def _kind(sql_type: str) -> Kind:
    if _INTEGERS.fullmatch(sql_type):
        return "integer"
    known: dict[str, Kind] = {
        "VARCHAR": "text",
        "DOUBLE": "real",
        "FLOAT": "real",
        "JSON": "json",
    }
    return known.get(sql_type, "other")


class _Reader:
    """One table on its way into DuckDB."""

    def __init__(
        self, connection: Connection, name: str, reading: TableReading, scratch: Scratch
    ) -> None:
        self._connection, self._name, self._reading = connection, name, reading
        self._scratch = scratch

    def columns(self, given: Columns) -> None:
        """Read Python's own values."""
        arrow = extra("pyarrow")
        taken = given.take(self._reading.needed(given.names))
        columns = {name: _arrow(values) for name, values in taken.values.items()}
        self._connection.register(self._name, arrow.table(columns))

    def frame(self, given: Frame) -> None:
        """Read a table of another library, as it is in memory."""
        if given.library == "spark":
            raise OptionError("a Spark DataFrame is counted by Spark: --engine spark")
        names = self._reading.needed(given.names)
        if given.library == "duckdb":
            table = self._relation(given.table)
        elif given.library == "pandas":
            table = _of_pandas(given.table, names)
        elif given.library == "polars":
            table = _Stream(given.table.select(names))
        else:
            table = _of_arrow(given.table)
        self._connection.register(self._name, table)

    def files(self, given: Files) -> None:
        """Read files."""
        readers: dict[str, Callable[[Files], None]] = {
            "csv": self._text,
            "tsv": self._text,
            "parquet": self._parquet,
            "arrow": self._arrow,
            "json": self._json,
            "sqlite": self._sqlite,
            "duckdb": self._duckdb,
        }
        readers[given.format](given)

    def _view(self, query: str) -> None:
        self._connection.execute(f"CREATE TEMP VIEW {self._name} AS {query}")

    def _text(self, given: Files) -> None:
        """Let DuckDB read what it reads as everybody does; else read it here."""
        if given.is_remote:
            header = self._remote_header(given)
        elif is_plain(given):
            header = header_of(given, self._reading)
        else:
            self._rows(given)
            return
        types = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(header.names)))
        chosen = ", ".join(
            f"c{header.names.index(name)} AS {_identifier(name)}"
            for name in self._reading.needed(header.names)
        )
        self._view(
            f"SELECT {chosen} FROM read_csv({self._list(given)}, "
            f"auto_detect = false, hive_partitioning = false, "
            f"header = {header.is_there}, delim = {literal(header.delimiter)}, "
            f"quote = '\"', escape = '\"', columns = {{{types}}})"
        )

    def _remote_header(self, given: Files) -> Header:
        rows = self._connection.execute(
            f"SELECT line FROM read_csv({self._list(given)}, auto_detect = false, "
            "header = false, delim = '\1', quote = '', escape = '', "
            "columns = {'line': 'VARCHAR'}) WHERE trim(line) <> '' LIMIT 1"
        ).fetchall()
        if not rows or rows[0][0] is None:
            raise FormatError("there is no row in this file", source=given.source)
        return Header(*self._reading.text_columns(str(rows[0][0]), given.format))

    def _rows(self, given: Files) -> None:
        rows = needed_rows(given, self._reading)
        self._insert([str(name) for name in next(rows)], rows)

    def _list(self, given: Files) -> str:
        """List files by names that DuckDB does not take for patterns."""
        paths = list(given.paths)
        if not given.is_remote:
            paths = self._scratch.links(self._name, given.paths)
        return f"[{', '.join(map(literal, paths))}]"

    def _parquet(self, given: Files) -> None:
        chosen = "*"
        if not given.is_remote:  # DuckDB would rename the second of two columns
            schema = extra("pyarrow.parquet").read_schema(given.paths[0])
            chosen = _chosen(self._reading.needed(schema.names))
        self._view(
            f"SELECT {chosen} FROM "
            f"read_parquet({self._list(given)}, hive_partitioning = false)"
        )

    def _json(self, given: Files) -> None:
        if given.is_remote:
            self._view(f"SELECT * FROM read_json({self._list(given)})")
        else:
            self._rows(given)

    def _arrow(self, given: Files) -> None:
        self._reading.needed(check_arrow(given.paths))
        dataset = extra("pyarrow.dataset")
        table = dataset.dataset(list(given.paths), format="ipc")
        self._connection.register(self._name, table)

    def _relation(self, relation: Any) -> object:  # noqa: ANN401
        """Fetch what is needed: a relation belongs to another connection."""
        names = self._reading.needed(relation.columns)
        return relation.project(_chosen(names)).to_arrow_table()

    def _duckdb(self, given: Files) -> None:
        (path,) = given.paths
        alias = self._attached(str(Path(path).resolve()))
        found = self._connection.execute(
            "SELECT table_schema, table_name FROM information_schema.tables "
            "WHERE table_catalog = ? ORDER BY ALL",
            [alias],
        ).fetchall()
        schemas = {str(name): str(schema) for schema, name in found}
        table = self._reading.table_of(list(schemas), given.source)
        place = f"{alias}.{_identifier(schemas[table])}.{_identifier(table)}"
        self._view(f"SELECT * FROM {place}")

    def _attached(self, path: str) -> str:
        """Attach a database, which can be done only once."""
        found = self._connection.execute(
            "SELECT database_name FROM duckdb_databases() WHERE path = ?", [path]
        ).fetchall()
        if found:
            return str(found[0][0])
        alias = f"{self._name}_file"
        self._connection.execute(f"ATTACH {literal(path)} AS {alias} (READ_ONLY)")
        return alias

    def _sqlite(self, given: Files) -> None:
        (path,) = given.paths
        uri = f"{Path(path).resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as database:
            found = database.execute(
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
                "AND name NOT LIKE 'sqlite_%' ORDER BY name"
            ).fetchall()
            table = self._reading.table_of([name for (name,) in found], given.source)
            place = _identifier(table)
            cursor = database.execute(f"SELECT * FROM {place} LIMIT 0")
            names = self._reading.needed([each[0] for each in cursor.description])
            self._insert(
                names,
                database.execute(f"SELECT {_chosen(names)} FROM {place}"),
            )

    def _insert(self, names: Sequence[str], every: Iterable[Sequence[object]]) -> None:
        """Copy rows, some at a time, as text."""
        arrow = extra("pyarrow")
        columns = ", ".join(f"{_identifier(name)} VARCHAR" for name in names)
        self._connection.execute(f"CREATE TEMP TABLE {self._name} ({columns})")
        rows_left = iter(every)
        while rows := list(islice(rows_left, _CHUNK)):
            texts = [
                [text_of(value) for value in column]
                for column in zip(*rows, strict=True)
            ]
            chunk = arrow.table([arrow.array(c, arrow.string()) for c in texts], names)
            self._connection.register("chunk", chunk)
            self._connection.execute(f"INSERT INTO {self._name} FROM chunk")


class _Stream:
    """A frame that gives its data to Arrow, again and again, without PyArrow."""

    def __init__(self, frame: Any) -> None:  # noqa: ANN401
        self._frame = frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._frame.__arrow_c_stream__(requested_schema)


def _of_pandas(frame: Any, names: Sequence[str]) -> object:  # noqa: ANN401
    """Give columns names that are text, and write what has several types as text."""
    named = frame.rename(columns=str)[list(names)]
    mixed = [name for name in named.columns if named[name].dtype == object]
    return named.assign(
        **{name: [text_of(value) for value in named[name]] for name in mixed}
    )


def _of_arrow(table: object) -> object:
    """Read what can be read only once."""
    arrow = extra("pyarrow")
    if type(table).__name__ in {"Table", "FileSystemDataset", "InMemoryDataset"}:
        return table
    return arrow.RecordBatchReader.from_stream(table).read_all()


def _arrow(values: Values) -> object:
    """Make a column of Python's values: numbers as they are, else text."""
    arrow = extra("pyarrow")
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        return arrow.array(values)
    return arrow.array([text_of(value) for value in values], arrow.string())


@contextmanager
def _readable(source: str) -> Iterator[None]:
    """Say which file cannot be read, and where."""
    try:
        yield
    except extra("duckdb").Error as error:
        raise unreadable(error, source) from error
    except (OSError, sqlite3.Error, extra("pyarrow").ArrowException) as error:
        raise FormatError(f"cannot be read: {error}", source=source) from error


def unreadable(error: Exception, source: str) -> FormatError:
    """Make DuckDB's message one of ours."""
    text = str(error)
    file = re.search(r"file = (.+)", text)
    source = file[1].strip() if file else source
    line = re.search(r"Line: (\d+)\nOriginal Line: (.*)\n(.*)", text)
    if isinstance(error, extra("duckdb").PermissionException):
        return FormatError(
            "this database reads another file, which is not allowed",
            source=source,
            hint="a view may use the tables of its own database only",
        )
    if line is None:
        problem = re.sub(r'.*Failed to read file ".*?": ', "cannot be read: ", text)
        return FormatError(problem.partition("\n")[0], source=source)
    fields = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    problem = f"expected {fields[1]} fields, found {fields[2]}" if fields else line[3]
    return FormatError(problem, source=source, line=int(line[1]), text=line[2])


def literal(value: str) -> str:
    """Write a text in SQL."""
    return "'" + value.replace("'", "''") + "'"


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _chosen(names: Sequence[str]) -> str:
    return ", ".join(map(_identifier, names))

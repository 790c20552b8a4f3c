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
from scoref.records.file_types import Files, check_arrow, import_extra
from scoref.records.ids import EngineColumn, text_of
from scoref.records.request import bytes_of
from scoref.records.sources import Columns, Frame
from scoref.records.text_files import (
    Header,
    header_of,
    is_plain,
    needed_rows,
    text_size,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from scoref.records.ids import Kind
    from scoref.records.request import TableReading
    from scoref.records.scratch import Scratch
    from scoref.records.sources import TableInput


class DuckDBRelation(Protocol):
    """The part of DuckDB's relation that is used."""

    def fetch_arrow_reader(self, batch_size: int) -> Iterator[Any]:
        """Fetch record batches of Arrow, one after the other."""


class Connection(Protocol):
    """The part of DuckDB's connection that is used."""

    def execute(self, query: str, parameters: object = None) -> Connection:
        """Run a query."""

    def sql(self, query: str) -> DuckDBRelation:
        """Name a result that is not fetched yet."""

    def fetchall(self) -> list[tuple[object, ...]]:
        """Fetch all rows."""

    def fetchnumpy(self) -> dict[str, NDArray[np.int64]]:
        """Fetch columns."""

    def register(self, name: str, table: object) -> object:
        """Give a table of another library a name."""

    def unregister(self, name: str) -> object:
        """Forget it."""

    def interrupt(self) -> None:
        """End the query that is running."""

    def close(self) -> None:
        """Close the connection."""


def load(
    connection: Connection,
    table: TableInput,
    name: str,
    reading: TableReading,
    scratch: Scratch,
) -> list[EngineColumn]:
    """Give a table a name in DuckDB, and return its columns."""
    reader = _Reader(connection, name, reading, scratch)
    if isinstance(table, Columns):
        reader.read_columns(table)
    elif isinstance(table, Frame):
        reader.read_frame(table)
    else:
        with _name_file_in_errors(table.source):
            reader.read_files(table)
    with _name_file_in_errors(table.source):
        described = connection.execute(f"DESCRIBE {name}").fetchall()
    if reader.parses_text and _has_room(connection, table):
        # Several queries need the rows, and text is slow to parse.
        connection.execute(f"CREATE TEMP TABLE {name}_stored AS FROM {name}")
        connection.execute(f"CREATE OR REPLACE TEMP VIEW {name} AS FROM {name}_stored")
    return [EngineColumn(str(row[0]), _kind(str(row[1]))) for row in described]


_STORED_RATIO = 3  # by which short ids in memory are larger than in a file


def _has_room(connection: Connection, files: TableInput) -> bool:
    """Return whether the rows of text files take a quarter of the memory at most."""
    query = "SELECT current_setting('memory_limit')"
    ((limit,),) = connection.execute(query).fetchall()
    room = bytes_of(str(limit)) / 4
    return isinstance(files, Files) and text_size(files) * _STORED_RATIO <= room


def _kind(sql_type: str) -> Kind:
    if re.fullmatch(r"U?(TINY|SMALL|BIG)?INT(EGER)?", sql_type):
        return "integer"
    known: dict[str, Kind] = {
        "VARCHAR": "text",
        "DOUBLE": "real",
        "FLOAT": "real",
        "JSON": "json",
    }
    return known.get(sql_type, "other")


_CHUNK = 100_000  # rows that are inserted at once


class _Reader:
    """Reads one table into DuckDB."""

    def __init__(
        self, connection: Connection, name: str, reading: TableReading, scratch: Scratch
    ) -> None:
        self._connection, self._name, self._reading = connection, name, reading
        self._scratch = scratch
        self.parses_text = False  # whenever a query needs rows

    def read_columns(self, table: Columns) -> None:
        """Read Python values: numbers as they are, others as text."""
        arrow = import_extra("pyarrow")
        taken = table.take(self._reading.needed_names(table.names))
        columns = {
            name: arrow.array(values)
            if isinstance(values, np.ndarray) and values.dtype.kind in "iuf"
            else arrow.array([text_of(value) for value in values], arrow.string())
            for name, values in taken.values.items()
        }
        self._connection.register(self._name, arrow.table(columns))

    def read_frame(self, frame: Frame) -> None:
        """Read a table of another library, as it is in memory."""
        table = frame.table
        if frame.library == "spark":
            raise OptionError(
                "only Spark can read a Spark DataFrame. Use --engine spark"
            )
        names = self._reading.needed_names(frame.names)
        if frame.library == "duckdb":  # a relation belongs to another connection
            table = table.project(_identifiers(names)).to_arrow_table()
        elif frame.library == "pandas":
            table = table.rename(columns=str)[list(names)]
            mixed = [name for name in table.columns if table[name].dtype == object]
            texts = {name: [text_of(value) for value in table[name]] for name in mixed}
            table = table.assign(**texts)
        elif frame.library == "polars":
            table = _Stream(table.select(names))
        elif type(table).__name__ not in _ARROW_TABLES:  # it can be read only once
            reader = import_extra("pyarrow").RecordBatchReader
            table = reader.from_stream(table).read_all()
        self._connection.register(self._name, table)

    def read_files(self, files: Files) -> None:
        """Read files by their format."""
        readers: dict[str, Callable[[Files], None]] = {
            "csv": self._read_text,
            "tsv": self._read_text,
            "parquet": self._read_parquet,
            "arrow": self._read_arrow,
            "json": self._read_json,
            "sqlite": self._read_sqlite,
            "duckdb": self._read_duckdb,
        }
        readers[files.format](files)

    def _read_text(self, files: Files) -> None:
        """Let DuckDB read plain files; others are read here and inserted."""
        if files.is_remote:
            header = self._remote_header(files)
        else:
            header = header_of(files, self._reading)
            if not is_plain(files, header.delimiter):
                self._insert_rows(files)
                return
            self.parses_text = True
        types = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(header.names)))
        chosen = ", ".join(
            f"c{header.names.index(name)} AS {_identifier(name)}"
            for name in self._reading.needed_names(header.names)
        )
        self._create_view(
            f"SELECT {chosen} FROM read_csv({self._path_list(files)}, "
            f"auto_detect = false, hive_partitioning = false, "
            f"header = {header.has_names}, delim = {literal(header.delimiter)}, "
            f"quote = '\"', escape = '\"', columns = {{{types}}})"
        )

    def _remote_header(self, files: Files) -> Header:
        rows = self._connection.execute(
            f"SELECT line FROM read_csv({self._path_list(files)}, auto_detect = false, "
            "header = false, delim = '\1', quote = '', escape = '', "
            "columns = {'line': 'VARCHAR'}) WHERE trim(line) <> '' LIMIT 1"
        ).fetchall()
        if not rows:
            raise FormatError("this file has no rows", source=files.source)
        return Header(*self._reading.text_columns(str(rows[0][0]), files.format))

    def _read_parquet(self, files: Files) -> None:
        chosen, paths = "*", self._path_list(files)
        if not files.is_remote:  # DuckDB would rename the second of two equal names
            chosen = _identifiers(self._reading.needed_names(self._field_names(paths)))
        self._create_view(
            f"SELECT {chosen} FROM read_parquet({paths}, hive_partitioning = false)"
        )

    def _field_names(self, paths: str) -> list[str]:
        """Return the columns of the first Parquet file as they are written there."""
        _, *fields = self._connection.execute(
            "SELECT name, coalesce(num_children, 0) "
            f"FROM parquet_schema(list_slice({paths}, 1, 1))"
        ).fetchall()
        names, inside = [], 0  # fields inside a field follow it
        for name, children in fields:
            if not inside:
                names.append(str(name))
            inside += int(str(children)) - bool(inside)
        return names

    def _read_json(self, files: Files) -> None:
        if files.is_remote:
            self._create_view(f"SELECT * FROM read_json({self._path_list(files)})")
        else:
            self._insert_rows(files)

    def _read_arrow(self, files: Files) -> None:
        self._reading.needed_names(check_arrow(files.paths))
        dataset = import_extra("pyarrow.dataset")
        table = dataset.dataset(list(files.paths), format="ipc")
        self._connection.register(self._name, table)

    def _read_duckdb(self, files: Files) -> None:
        (path,) = files.paths
        alias = self._attach(str(Path(path).resolve()))
        tables = self._connection.execute(
            "SELECT table_schema, table_name FROM information_schema.tables "
            "WHERE table_catalog = ? ORDER BY ALL",
            [alias],
        ).fetchall()
        schemas = {str(name): str(schema) for schema, name in tables}
        table = self._reading.table_of(list(schemas), files.source)
        place = f"{alias}.{_identifier(schemas[table])}.{_identifier(table)}"
        self._create_view(f"SELECT * FROM {place}")

    def _attach(self, path: str) -> str:
        """Attach a database, unless it is attached already, and return its alias."""
        attached = self._connection.execute(
            "SELECT database_name FROM duckdb_databases() WHERE path = ?", [path]
        ).fetchall()
        if attached:
            return str(attached[0][0])
        alias = f"{self._name}_file"
        self._connection.execute(f"ATTACH {literal(path)} AS {alias} (READ_ONLY)")
        return alias

    def _read_sqlite(self, files: Files) -> None:
        (path,) = files.paths
        uri = f"{Path(path).resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as database:
            tables = database.execute(
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
                "AND name NOT LIKE 'sqlite_%' ORDER BY name"
            ).fetchall()
            table = self._reading.table_of([name for (name,) in tables], files.source)
            place = _identifier(table)
            cursor = database.execute(f"SELECT * FROM {place} LIMIT 0")
            columns = [column[0] for column in cursor.description]
            names = self._reading.needed_names(columns)
            query = f"SELECT {_identifiers(names)} FROM {place}"
            self._insert(names, database.execute(query))

    def _create_view(self, query: str) -> None:
        self._connection.execute(f"CREATE TEMP VIEW {self._name} AS {query}")

    def _path_list(self, files: Files) -> str:
        """List files by names that DuckDB does not read as patterns."""
        paths = list(files.paths)
        if not files.is_remote:
            paths = self._scratch.links(self._name, files.paths)
        return f"[{', '.join(map(literal, paths))}]"

    def _insert_rows(self, files: Files) -> None:
        """Read text files here, and insert their rows."""
        rows = needed_rows(files, self._reading)
        self._insert([str(name) for name in next(rows)], rows)

    def _insert(
        self, names: Sequence[str], all_rows: Iterable[Sequence[object]]
    ) -> None:
        """Insert rows as text, many at a time."""
        arrow = import_extra("pyarrow")
        columns = ", ".join(f"{_identifier(name)} VARCHAR" for name in names)
        self._connection.execute(f"CREATE TEMP TABLE {self._name} ({columns})")
        rows_left = iter(all_rows)
        while rows := list(islice(rows_left, _CHUNK)):
            texts = [
                [text_of(value) for value in column]
                for column in zip(*rows, strict=True)
            ]
            chunk = arrow.table([arrow.array(c, arrow.string()) for c in texts], names)
            self._connection.register("chunk", chunk)
            self._connection.execute(f"INSERT INTO {self._name} FROM chunk")


_ARROW_TABLES = {"Table", "FileSystemDataset", "InMemoryDataset"}


class _Stream:
    """A frame whose data Arrow can read several times, without PyArrow."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._frame.__arrow_c_stream__(requested_schema)


@contextmanager
def _name_file_in_errors(source: str) -> Iterator[None]:
    """Turn errors of DuckDB, SQLite and Arrow into errors that name the file."""
    try:
        yield
    except import_extra("duckdb").Error as error:
        raise reading_error(error, source) from error
    except (OSError, sqlite3.Error, import_extra("pyarrow").ArrowException) as error:
        raise FormatError(f"cannot be read: {error}", source=source) from error


def reading_error(error: Exception, source: str) -> FormatError:
    """Turn an error of DuckDB into one with file, line and text where it has them."""
    text = str(error)
    file = re.search(r"file = (.+)", text)
    source = file[1].strip() if file else source
    line = re.search(r"Line: (\d+)\nOriginal Line: (.*)\n(.*)", text)
    if isinstance(error, import_extra("duckdb").PermissionException):
        return FormatError(
            "a view in this database reads another file, which is not allowed",
            source=source,
            hint="A view may only use tables of its own database.",
        )
    if line is None:
        problem = re.sub(r'.*Failed to read file ".*?": ', "cannot be read: ", text)
        return FormatError(problem.partition("\n")[0], source=source)
    fields = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    problem = f"expected {fields[1]} fields, found {fields[2]}" if fields else line[3]
    return FormatError(problem, source=source, line=int(line[1]), text=line[2])


def literal(value: str) -> str:
    """Quote a text for SQL."""
    return "'" + value.replace("'", "''") + "'"


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _identifiers(names: Sequence[str]) -> str:
    return ", ".join(map(_identifier, names))

"""The engine DuckDB: tables of any size on one machine, within a memory limit.

A side that does not fit into memory is cut into pieces on disk. The hash of a mention
decides its piece, so equal mentions of both sides are in pieces of the same number, and
sides can be joined and checked for duplicates piece by piece. The number of pieces is
a power of two. Sides of unequal size can therefore be joined in as many passes as
either has pieces, or in fewer. The hash is the last column and stays in the file.
"""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack
from errno import EDQUOT, EFBIG, ENOSPC
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from scoref.errors import FormatError, OptionError
from scoref.model.arrays import starts
from scoref.records.duckdb_inputs import literal, load, reading_error
from scoref.records.file_types import Files, import_extra
from scoref.records.request import bytes_of
from scoref.records.scratch import Scratch
from scoref.records.text_files import check_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.records.duckdb_inputs import Connection
    from scoref.records.ids import EngineColumn
    from scoref.records.queries import Queries
    from scoref.records.request import CountRequest, TableReading
    from scoref.records.sources import TableInput

    Hashes = NDArray[np.uint64]


_SIDES = ("key_side", "response_side")

_RESERVE = 0.25  # the share of the memory that is used outside of DuckDB, for hashes

_PASSES = (1, 2, 4, 8, 16, 32, 64, 128)

_BYTES_OF_A_ROW = 64

_CHUNK = 1_000_000

_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")
_MOST_BITS = 1_000_000_000  # of a bit string in DuckDB

_COLUMNS = ("block", "g", "p", "n", "a", "b", "a_common", "b_common")


class DuckSession:
    """A connection of its own, to a database in memory that may spill to disk."""

    quote = '"'
    prefix = ""
    number = "row_number() OVER () - 1"
    place: str | None = "row_number() OVER ()"

    def __init__(self, request: CountRequest, tables: Sequence[TableInput]) -> None:
        self._duckdb = import_extra("duckdb")
        self._block = "block, " if request.is_grouped else ""
        self._request, self._tables = request, tables
        files = [table for table in tables if isinstance(table, Files)]
        allowed = [path for table in files for path in _allowed_paths(table)]
        self._scratch = Scratch()
        self._pieces: dict[str, SidePieces] = {}
        self.connection: Connection = self._duckdb.connect()
        try:
            self._configure(request)
            if not any(table.is_remote for table in files):
                # Nothing else may be read: a database may have views of other files.
                paths = ", ".join(map(literal, allowed))
                scratch = literal(str(self._scratch.path))
                self._set("python_enable_replacements", "false")
                self._set("allowed_paths", f"[{paths}]")
                self._set("allowed_directories", f"[{scratch}]")
                self._set("enable_external_access", "false")
        except BaseException:
            self._close()
            raise

    def _configure(self, request: CountRequest) -> None:
        self._set("enable_progress_bar", "false")  # `request` has its own progress
        self._set("temp_directory", literal(str(self._scratch.path)))
        if request.memory is not None:
            share = bytes_of(request.memory) * (1 - _RESERVE)
            self._set("memory_limit", literal(f"{int(share / 1e6)}MB"))
        if request.duplicates == "error":
            self._set("preserve_insertion_order", "false")

    def _set(self, option: str, value: str) -> None:
        """Set an option to an SQL value."""
        self.connection.execute(f"SET {option} = {value}")

    def _close(self) -> None:
        self.connection.close()
        self._scratch.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()
        if isinstance(error, RuntimeError) and "interrupted" in str(error).lower():
            raise KeyboardInterrupt from error
        if isinstance(error, self._duckdb.OutOfMemoryException):
            problem = str(error).partition("\n")[0]
            raise OptionError(
                f"more memory is needed, such as --memory 4GB: {problem}"
            ) from error
        if isinstance(error, self._duckdb.Error):
            check_text(self._tables, self._request)
            sources = ", ".join(table.source for table in self._tables)
            source = self._scratch.original_of(str(error)) or sources
            raise reading_error(error, source) from error

    def load(
        self, table: TableInput, name: str, reading: TableReading
    ) -> list[EngineColumn]:
        """Give a table a name, and return its columns."""
        return load(self.connection, table, name, reading, self._scratch)

    def view(self, name: str, query: str) -> None:
        """Give a query a name."""
        self._forget(name)
        self.connection.execute(f"CREATE OR REPLACE TEMP VIEW {name} AS {query}")

    def keep(self, name: str, query: str) -> None:
        """Keep the result of a query under a name."""
        self.connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}")

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Fetch a small result."""
        return self.connection.execute(query).fetchall()

    def arrays(self, query: str) -> list[NDArray[np.generic]]:
        """Fetch columns of values, none of which is missing."""
        columns = self.connection.execute(query).fetchnumpy()
        return [np.asarray(column) for column in columns.values()]

    def entangled(
        self,
        queries: Queries,
        blocks: Sequence[str],
        count: int,  # noqa: ARG002 - the memory limit holds
    ) -> list[Ints]:
        """Fetch the cells that CEAF needs, as numbers."""
        self.keep("entangled", queries.entangled())
        cells = self.connection.execute(queries.ranked("entangled")).fetchnumpy()
        columns = [np.asarray(cells[name], dtype=np.int64) for name in _COLUMNS]
        if self._block:
            names = self.rows("SELECT DISTINCT block FROM entangled ORDER BY block")
            place = {block: i for i, block in enumerate(blocks)}
            of_rank = np.array([place[str(name)] for (name,) in names], dtype=np.int64)
            columns[0] = of_rank[columns[0]]
        return columns

    def count_distinct(self, source: str, most: int) -> int | None:
        """Count rows if all mentions differ, without grouping them; None if unsure.

        Integers in a narrow range get a bit each. The hashes of other mentions are
        sorted, in pieces on disk if there are too many.
        """
        room = self._limit() * _RESERVE / (1 - _RESERVE)
        numbers = None if self._block else self._mention_range(source, room)
        if numbers is not None:
            return self._count_distinct_numbers(source, numbers)
        passes = self._passes(most)
        if passes > 1:
            return self._cut(source, passes).count_distinct()
        hashes = np.empty(most, dtype=np.uint64)  # filled without a second copy
        count = 0
        for column in self._column(f"SELECT {self._hash(source)} FROM {source}"):
            hashes[count : count + len(column)] = column
            count += len(column)
        return count if all_differ(hashes[:count]) else None

    def _mention_range(self, source: str, room: float) -> range | None:
        """Return the range of mentions, if they are integers and it is not too wide."""
        if self._type_of_mentions(source) not in _INTEGERS:
            return None
        query = f"SELECT min(mention), max(mention) FROM {source}"
        (limits,) = self.rows(query)
        if None in limits:
            return range(0)
        low, high = (int(str(limit)) for limit in limits)
        ((threads,),) = self.rows("SELECT current_setting('threads')")
        most = min(_MOST_BITS, room * 8 / int(str(threads)))
        return range(low, high + 1) if high - low < most else None

    def _count_distinct_numbers(self, source: str, numbers: range) -> int | None:
        if not numbers:
            return 0
        bits = f"bitstring_agg(mention, {numbers[0]}, {numbers[-1]})"
        query = f"SELECT count(*), bit_count({bits}) FROM {source}"
        ((count, distinct),) = self.rows(query)
        return int(str(count)) if count == distinct else None

    def _hash(self, source: str) -> str:
        """Write the hash of a mention, equal for equal mentions of both sides."""
        # The hash of a negative number depends on the width of its column.
        mention = "mention"
        if self._type_of_mentions(source) != "VARCHAR":
            mention = "CAST(mention AS HUGEINT)"
        return f"hash({self._block}{mention})"

    def _type_of_mentions(self, source: str) -> str:
        ((_, kind, *_),) = self.rows(f"DESCRIBE SELECT mention FROM {source}")
        return str(kind)

    def _column(self, query: str) -> Iterator[NDArray[np.generic]]:
        """Fetch a column of numbers, batch by batch."""
        for batch in self._batches(self._reader(query)):
            # Not `to_numpy`, which loads pandas if that is installed.
            yield np.from_dlpack(batch.column(0))

    def _reader(self, query: str) -> Any:
        import_extra("pyarrow")
        result = self.connection.sql(query)
        # In DuckDB 1 the method has another name.
        fetch = getattr(result, "to_arrow_reader", None) or result.fetch_arrow_reader
        return fetch(_CHUNK)

    def _batches(self, reader: Iterator[Any]) -> Iterator[Any]:
        """Fetch Arrow's batches; errors of DuckDB, which Arrow wraps, are restored."""
        try:
            yield from reader
        except (OSError, import_extra("pyarrow").ArrowException) as error:
            is_memory = "Out of Memory" in str(error)
            kind = "OutOfMemoryException" if is_memory else "Error"
            raise getattr(self._duckdb, kind)(str(error)) from error

    def keep_parts(self, queries: Queries, rows: int) -> None:
        """Join the sides, in more passes if they do not fit into memory."""
        for passes in _PASSES[_PASSES.index(self._passes(rows)) :]:
            try:
                self._join(queries, passes)
            except self._duckdb.OutOfMemoryException:
                if passes == _PASSES[-1]:
                    raise
            else:
                return

    def _join(self, queries: Queries, passes: int) -> None:
        if passes == 1:
            self.keep("parts", queries.parts_of_sides(*_SIDES))
            return
        cut = {f"{side}_piece": self._cut(side, passes) for side in _SIDES}
        query = queries.parts_of_sides(*cut)
        for number in range(passes):
            for name, pieces in cut.items():
                self.connection.register(name, pieces.table(number, passes))
            if number == 0:
                self.keep("parts", query)
            else:
                self.connection.execute(f"INSERT INTO parts {query}")
        for name, side in zip(cut, _SIDES, strict=True):
            self.connection.unregister(name)
            self._forget(side)

    def _cut(self, source: str, least: int) -> SidePieces:
        """Write a table to disk in pieces; only a side needs more than the hashes."""
        known = self._pieces.get(source)
        if known is not None and known.count >= least:
            return known
        columns = f"{self._block}mention, cluster, " if source in _SIDES else ""
        query = f"SELECT {columns}{self._hash(source)} FROM {source}"
        self._forget(source)
        reader = self._reader(query)
        pieces = SidePieces(
            self._scratch.folder(source), reader.schema, self._batches(reader), least
        )
        self._pieces[source] = pieces
        return pieces

    def _forget(self, source: str) -> None:
        """Remove the pieces of a table from the disk."""
        if source in self._pieces:
            self._pieces.pop(source).remove()

    def _passes(self, rows: int) -> int:
        """Return in how many passes so many rows are joined."""
        room = self._limit() / 2
        fitting = (n for n in _PASSES if rows / n * _BYTES_OF_A_ROW <= room)
        return next(fitting, _PASSES[-1])

    def _limit(self) -> float:
        """Return the number of bytes that DuckDB may use."""
        ((limit,),) = self.rows("SELECT current_setting('memory_limit')")
        return bytes_of(str(limit))


def _allowed_paths(files: Files) -> Iterator[str]:
    """Yield the paths that must be opened to read files."""
    if files.is_remote:
        return
    for path in map(os.path.realpath, files.paths):
        try:
            path.encode()
        except UnicodeEncodeError as error:
            raise FormatError(
                "DuckDB cannot read a file whose name is not UTF-8",
                source=files.source,
                hint="Rename the file.",
            ) from error
        yield path
        if files.format == "duckdb":
            yield f"{path}.wal"


class SidePieces:
    """The pieces of one side, as Arrow files."""

    def __init__(
        self, folder: Path, schema: object, batches: Iterable[Any], count: int
    ) -> None:
        self.count = count
        self._folder = folder
        try:
            self._write(schema, batches)
        except OSError as error:
            advice = "give more memory with --memory"
            if error.errno in {ENOSPC, EDQUOT, EFBIG}:  # the disk is full
                advice = f"Set TMPDIR to a folder with more space, or {advice}."
            raise OptionError(
                "the data does not fit into memory and cannot be written to "
                f"{folder.parent}: {error.strerror or error}. "
                f"{advice[0].upper() + advice[1:]}"
            ) from error

    def count_distinct(self) -> int | None:
        """Count rows if all hashes differ; None if not."""
        count = 0
        for number in range(self.count):
            column = self.table(number, self.count).column(-1)
            chunks = [np.from_dlpack(chunk) for chunk in column.chunks]
            hashes = np.concatenate([np.empty(0, dtype=np.uint64), *chunks])
            if not all_differ(hashes):
                return None
            count += len(hashes)
        return count

    def table(self, number: int, passes: int) -> Any:
        """Return the pieces of a pass as one table, mapped from disk."""
        arrow, ipc = import_extra("pyarrow"), import_extra("pyarrow.ipc")
        maps = [
            arrow.memory_map(str(self._piece(piece)))
            for piece in range(number, self.count, passes)
        ]
        return arrow.concat_tables([ipc.open_file(file).read_all() for file in maps])

    def remove(self) -> None:
        """Remove the files."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _write(self, schema: object, batches: Iterable[Any]) -> None:
        ipc = import_extra("pyarrow.ipc")
        with ExitStack() as files:
            writers = [
                files.enter_context(ipc.new_file(str(self._piece(n)), schema))
                for n in range(self.count)
            ]
            for batch in batches:
                pieces = _cut_batch(batch, self.count)
                for writer, piece in zip(writers, pieces, strict=True):
                    writer.write_batch(piece)

    def _piece(self, number: int) -> Path:
        return self._folder / f"{number}.arrow"


def _cut_batch(batch: Any, count: int) -> Iterable[Any]:
    """Sort rows by the piece that their hash decides, and slice them."""
    hashes = np.asarray(np.from_dlpack(batch.column(-1)), dtype=np.uint64)
    piece = (hashes % np.uint64(count)).astype(np.uint8)
    order = np.argsort(piece, kind="stable")
    sorted_rows = batch.take(import_extra("pyarrow").array(order))
    sizes = np.bincount(piece, minlength=count)
    return map(sorted_rows.slice, starts(sizes).tolist(), sizes.tolist())


def all_differ(hashes: Hashes) -> bool:
    """Sort hashes in place, and return whether no two are equal."""
    hashes.sort()
    return not (hashes[1:] == hashes[:-1]).any()

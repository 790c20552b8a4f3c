"""Text files with tables, CSV, TSV and JSON lines, read the same way for every engine.

Engines read CSV differently: they disagree about empty lines, the end of a record and
quotation marks. So this module has the only reader, with one dialect: UTF-8; lines that
end in a line feed, a return, or both; fields in quotation marks as in RFC 4180; empty
lines are skipped. An engine reads a file itself only if the file is plain, which means
that it has nothing that engines read differently.

A file of JSON lines has an object for each row. Numbers keep all their digits, so ids
above 64 bits stay distinct.
"""

from __future__ import annotations

import csv
import json
import os
import re
import zlib
from contextlib import contextmanager, suppress
from importlib import import_module
from io import BufferedReader, TextIOWrapper
from itertools import chain
from typing import IO, TYPE_CHECKING, NamedTuple, NoReturn

import numpy as np

from scoref.errors import FormatError, OptionError
from scoref.records.file_types import Files, import_extra
from scoref.records.request import delimiter_of
from scoref.records.sources import Columns, readings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.records.request import CountRequest, TableReading
    from scoref.records.sources import Frame, TableInput

    Record = dict[str, object]


_PACKED = {".gz": "gzip", ".xz": "lzma", ".bz2": "bz2"}

_SMALL = 8_000_000  # bytes

_PACKED_RATIO = 8  # by which compressed files are usually smaller


def is_text(files: Files) -> bool:
    """Return whether files can be read here."""
    is_known = files.compression in {"", *_PACKED}
    return files.format in {"csv", "tsv", "json"} and not files.is_remote and is_known


def is_small(files: Files) -> bool:
    """Return whether files can be read here in less time than an engine needs."""
    if not is_text(files):
        return False
    return text_size(files) <= _SMALL


def text_size(files: Files) -> int:
    """Return the number of bytes of files, roughly if they are compressed."""
    size = sum(os.path.getsize(path) for path in files.paths)
    return size * (_PACKED_RATIO if files.compression else 1)


def load_into_memory(
    tables: Sequence[TableInput], request: CountRequest
) -> list[Columns | Frame]:
    """Read text files; other tables are in memory already."""
    return [
        read_in_memory(table, reading)
        for table, reading in zip(tables, readings(tables, request), strict=True)
    ]


def read_in_memory(table: TableInput, reading: TableReading) -> Columns | Frame:
    """Read a text file; any other table is in memory already."""
    if not isinstance(table, Files):
        return table
    if is_text(table):
        return read_text(table, reading)
    raise OptionError(
        f"NumPy only counts text files, and {table.source} is not one. "
        "Use --engine duckdb or spark"
    )


def read_text(files: Files, reading: TableReading) -> Columns:
    """Read the columns that are needed from files that are one table."""
    rows = needed_rows(files, reading)
    names = next(rows)
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    values = dict(zip(map(str, names), map(list, columns), strict=True))
    return Columns(files.source, values, is_named=True)


def needed_rows(files: Files, reading: TableReading) -> Iterator[Sequence[object]]:
    """Yield the names of the columns that are needed, then their values in each row."""
    if files.format == "json":
        yield from _json_rows(files, reading)
        return
    rows = text_rows(files, reading)
    columns = [str(name) for name in next(rows)]
    names = reading.needed_names(columns)
    yield names
    places = [columns.index(name) for name in names]
    for row in rows:
        yield [row[place] for place in places]


def text_rows(files: Files, reading: TableReading) -> Iterator[list[str]]:
    """Yield the names of the columns, then the rows of all parts."""
    names: list[str] | None = None
    for path in files.paths:
        with _open_text(path, files.compression) as file:
            part = _Part(path, file, reading, files.format)
            header = part.header()
            if header is None:
                continue
            if names is None:
                yield header.names
            _check_same(header.names, names or header.names, path, files)
            names = header.names
            yield from part.rows()
    if names is None:
        raise FormatError("this file has no rows", source=files.source)


def located_rows(
    files: Files, reading: TableReading
) -> Iterator[tuple[str, int, dict[str, str]]]:
    """Yield each row by its columns, with its file and the line where it ends."""
    for path in files.paths:
        with _open_text(path, files.compression) as file:
            part = _Part(path, file, reading, files.format)
            header = part.header()
            names = header.names if header else []
            for row in part.rows():
                yield path, part.line, dict(zip(names, row, strict=True))


def check_text(tables: Sequence[TableInput], request: CountRequest) -> None:
    """Read files again after an engine failed, to raise an error with file and line."""
    for table, reading in zip(tables, readings(tables, request), strict=True):
        if isinstance(table, Files) and is_text(table) and table.format != "json":
            for _ in text_rows(table, reading):
                pass


class Header(NamedTuple):
    """Delimiter and columns of a file; ``has_names`` if its first row names them."""

    delimiter: str
    names: list[str]
    has_names: bool


def header_of(files: Files, reading: TableReading) -> Header:
    """Read the header, which must be the same in all parts."""
    first: Header | None = None
    for path in files.paths:
        with _open_text(path, files.compression) as file:
            header = _Part(path, file, reading, files.format).header()
        if header is not None:
            first = first or header
            _check_same(header.names, first.names, path, files)
    if first is None:
        raise FormatError("this file has no rows", source=files.source)
    return first


def _check_same(
    names: Sequence[str], first: Sequence[str], path: str, files: Files
) -> None:
    """Refuse a part whose columns differ from those of the first part."""
    if list(names) != list(first):
        raise FormatError(
            f"the columns of this part are {', '.join(names)}",
            source=path,
            hint=f"The columns of {files.paths[0]} are {', '.join(first)}.",
        )


_LONGEST_HEADER = 1000  # letters of a line that may have names


def shared_first_line(key: Files, response: Files) -> str | None:
    """Return the first line of two files if both have it, with words and no digit."""
    lines = set()
    for files in (key, response):
        if not is_text(files) or files.format == "json":
            return None
        with (
            suppress(FormatError),
            _open_text(files.paths[0], files.compression) as file,
        ):
            lines.add(file.readline(_LONGEST_HEADER).strip())
    line = lines.pop() if len(lines) == 1 else ""
    is_words = re.search(r"[^\W\d_]", line) and not re.search(r'[\d"]', line)
    return line if is_words else None


_ANNOTATED = ("#begin document", "# newdoc", "# global.")
"""Beginnings of CoNLL-2012, CorefUD and Universal Anaphora files."""


class _Part:
    """One file: its header, then its rows; ``line`` is the line that was read last."""

    def __init__(
        self, path: str, file: IO[str], reading: TableReading, form: str
    ) -> None:
        self._path, self._reading, self._form = path, reading, form
        self._file = file
        self._records: Iterator[list[str]] = iter(())
        self._width = 0
        self.line, self._text = 0, ""

    def header(self) -> Header | None:
        """Read the first record; None if there is none."""
        lines = self._lines()
        first = next((line for line in lines if line.strip()), None)
        if first is None:
            return None
        if first.startswith(_ANNOTATED):
            raise self._error(
                "this is an annotated text, not a table",
                hint="Use `scoref KEY RESPONSE` to score coreference.",
            )
        record = [first]
        is_open = first.count('"') % 2
        # While a quotation mark is open, the record continues on the next line.
        while is_open and (line := next(lines, None)) is not None:
            is_open = (is_open + line.count('"')) % 2
            record.append(line)
        delimiter = delimiter_of("".join(record), self._form)
        reader = csv.reader(chain(record, lines), delimiter=delimiter, strict=True)
        self._records = self._read_records(reader)
        row = next(self._records)
        names, has_names = self._reading.header_of(row)
        if not has_names:
            self._records = chain([row], self._records)
        self._width = len(names)
        return Header(delimiter, names, has_names)

    def rows(self) -> Iterator[list[str]]:
        """Yield the rows, all of the same length; empty lines are skipped."""
        for row in self._records:
            if len(row) == self._width:
                yield row
            elif row and (len(row) > 1 or row[0].strip()):
                raise self._error(f"expected {self._width} fields, found {len(row)}")

    def _lines(self) -> Iterator[str]:
        for line in self._file:
            self._text = line
            self.line += 1
            yield line

    def _read_records(self, reader: Iterator[list[str]]) -> Iterator[list[str]]:
        try:
            yield from reader
        except csv.Error as error:
            problem = f"a quotation mark is in the wrong place: {error}"
            if "limit" in str(error):
                problem = f"a field has more than {csv.field_size_limit():,} characters"
            raise self._error(problem) from error

    def _error(self, problem: str, hint: str = "") -> FormatError:
        text = self._text.rstrip("\r\n")
        return FormatError(
            problem, source=self._path, line=self.line, text=text, hint=hint
        )


_CHUNK = 2**15  # bytes: larger arrays get new memory each time

_LONGEST_LINE = 100_000  # bytes; Python's reader takes fields of 131,072 letters

_BLANK = ord(" ")  # control characters are below it

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def is_plain(files: Files, delimiter: str) -> bool:
    """Return whether files have nothing that engines read differently.

    Whole fields on one line may be in quotation marks.
    """
    # Engines recognise compression by the file's name alone.
    return all(
        path.lower().endswith(files.compression)
        and _is_plain_file(path, files.compression, delimiter.encode())
        for path in files.paths
    )


def _is_plain_file(path: str, compression: str, delimiter: bytes) -> bool:
    endings: set[bool] = set()
    with _open_bytes(path, compression) as file:
        if file.read(len(_BYTE_ORDER_MARK)) == _BYTE_ORDER_MARK:
            return False
    with _open_bytes(path, compression) as file:
        while chunk := file.read(_CHUNK):
            chunk += file.readline(_LONGEST_LINE)
            if not chunk.endswith(b"\n"):
                if file.read(1):
                    return False
                chunk += b"\r\n" if True in endings or b"\r\n" in chunk else b"\n"
            endings.add(b"\r" in chunk)
            if len(endings) > 1 or not _is_plain_chunk(chunk, delimiter):
                return False
    return True


def _is_plain_chunk(chunk: bytes, delimiter: bytes) -> bool:
    """Check whole lines: their ends, first characters, lengths and quotation marks."""
    if b"\0" in chunk:
        return False
    try:
        if not chunk.isascii():
            chunk.decode()
    except UnicodeDecodeError:
        return False
    returns = chunk.count(b"\r")
    if returns and not returns == chunk.count(b"\r\n") == chunk.count(b"\n"):
        return False
    letters = np.frombuffer(chunk, dtype=np.uint8)
    ends = np.flatnonzero(letters == ord("\n"))
    starts = np.append(0, ends[:-1] + 1)
    is_blank = letters[starts] <= _BLANK
    if is_blank.any() or int((ends - starts).max()) >= _LONGEST_LINE:
        return False
    return b'"' not in chunk or _has_quoted_fields(letters, ends, delimiter)


def _has_quoted_fields(
    letters: NDArray[np.uint8], ends: Ints, delimiter: bytes
) -> bool:
    """Return whether quotation marks are around whole fields, and doubled in these."""
    is_mark = letters == ord('"')
    # Whether a field is open after each character.
    is_open = np.bitwise_xor.accumulate(is_mark.view(np.uint8)).view(np.bool_)
    if is_open[ends].any():
        return False  # a field goes on in the next line
    opening, closing = is_mark & is_open, is_mark & ~is_open
    is_border = (letters == ord(delimiter)) | (letters == ord("\n"))
    may_precede, may_follow = is_border | closing, is_border | opening
    may_follow |= letters == ord("\r")
    is_wrong = opening[1:] > may_precede[:-1]
    is_wrong |= closing[:-1] > may_follow[1:]
    return not is_wrong.any()


@contextmanager
def _open_text(path: str, compression: str) -> Iterator[IO[str]]:
    with (
        _open_bytes(path, compression) as binary,
        TextIOWrapper(binary, "utf-8-sig", newline="") as file,
    ):
        yield file


@contextmanager
def _open_bytes(path: str, compression: str) -> Iterator[IO[bytes]]:
    """Open a file, decompressed; an error names the file that cannot be read."""
    module = import_module(_PACKED[compression]) if compression in _PACKED else None
    damaged = getattr(module, "LZMAError", zlib.error)
    try:
        if compression == ".zst":
            stream = import_extra("pyarrow").CompressedInputStream(path, "zstd")
            file: IO[bytes] = BufferedReader(stream)
        else:
            file = module.open(path, "rb") if module else open(path, "rb")  # noqa: SIM115
        with file:
            yield file
    except UnicodeDecodeError as error:
        raise FormatError(
            "this is not UTF-8",
            source=path,
            hint="Convert it with iconv: iconv -f ENCODING -t UTF-8.",
        ) from error
    except (EOFError, OSError, damaged) as error:
        raise FormatError(f"cannot be read: {error}", source=path) from error


def _json_rows(files: Files, reading: TableReading) -> Iterator[Sequence[object]]:
    """Yield the names of the columns that are needed, then their values in each row.

    A value that is a list or an object becomes its JSON text.
    """
    columns = dict.fromkeys(name for record in _json_records(files) for name in record)
    if not columns:
        raise FormatError("this file has no rows", source=files.source)
    names = reading.needed_names(list(columns))
    yield names
    for record in _json_records(files):
        yield [
            json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            if isinstance(value, dict | list)
            else value
            for value in map(record.get, names)
        ]


def _json_records(files: Files) -> Iterator[Record]:
    """Read an object from each line, or one list of objects from a file."""
    for path in files.paths:
        with _open_text(path, files.compression) as file:
            for number, line in enumerate(file, 1):
                if line.isspace():
                    continue
                if number == 1 and line.lstrip().startswith("["):
                    values = _decode(line + file.read(), path, None)
                    for value in values if isinstance(values, list) else [values]:
                        yield _record(value, path, None)
                    break
                yield _record(_decode(line, path, number), path, number)


def _decode(text: str, path: str, line: int | None) -> object:
    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is not a number in JSON")

    def to_record(pairs: list[tuple[str, object]]) -> Record:
        record = dict(pairs)
        if len(record) < len(pairs):
            raise ValueError("an object has the same name twice")
        return record

    try:
        return json.loads(text, object_pairs_hook=to_record, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        problem = f"this is not JSON: {error}"
        shown = text.strip() if line else ""
        raise FormatError(problem, source=path, line=line, text=shown) from error


def _record(value: object, path: str, line: int | None) -> Record:
    if not isinstance(value, dict):
        raise FormatError(
            f"expected an object, found {type(value).__name__}", source=path, line=line
        )
    return value

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
from io import BufferedReader, TextIOWrapper
from itertools import chain
from typing import IO, TYPE_CHECKING, NamedTuple, NoReturn

import numpy as np

from scoref.errors import FormatError, OptionError
from scoref.records.file_types import Files
from scoref.records.request import delimiter_of
from scoref.records.sources import Columns, readings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from scoref.records.request import CountRequest, TableReading
    from scoref.records.sources import Frame, TableInput

    Opened = Callable[[str, str], AbstractContextManager[IO[str]]]


_SMALL = 8_000_000  # bytes

_PACKED = {".gz": "gzip", ".xz": "lzma", ".bz2": "bz2"}

_LONGEST_HEADER = 1000  # letters of a line that may have names

_LONGEST_LINE = 100_000  # bytes; Python's reader takes fields of 131,072 letters

_RATIO = 8  # by which packed files are smaller, as a rule

_CHUNK = 2**24

_BLANK = ord(" ")  # and whatever control character is below it

_MARK = b"\xef\xbb\xbf"


class Header(NamedTuple):
    """What the first record of a file tells."""

    delimiter: str
    names: list[str]
    is_there: bool


def is_text(files: Files) -> bool:
    """Tell whether files can be read here."""
    is_known = files.compression in {"", *_PACKED}
    return files.format in {"csv", "tsv", "json"} and not files.is_remote and is_known


def is_small(files: Files) -> bool:
    """Tell whether files can be read here in less time than an engine needs."""
    if not is_text(files):
        return False
    size = sum(os.path.getsize(path) for path in files.paths)
    return size * (_RATIO if files.compression else 1) <= _SMALL


def shared_first_line(key: Files, response: Files) -> str | None:
    """Give the first line that two files share, if it has words and no number."""
    lines = set()
    for files in (key, response):
        if not is_text(files) or files.format == "json":
            return None
        with suppress(FormatError), _opened(files.paths[0], files.compression) as file:
            lines.add(file.readline(_LONGEST_HEADER).strip())
    line = lines.pop() if len(lines) == 1 else ""
    is_words = re.search(r"[^\W\d_]", line) and not re.search(r'[\d"]', line)
    return line if is_words else None


def read_text(files: Files, reading: TableReading) -> Columns:
    """Read what is needed of files that are one table."""
    rows = needed_rows(files, reading)
    names = next(rows)
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    values = dict(zip(map(str, names), map(list, columns), strict=True))
    return Columns(files.source, values, is_named=True)


def needed_rows(files: Files, reading: TableReading) -> Iterator[Sequence[object]]:
    """Give the names of the columns that are needed, then these of every row."""
    rows: Iterator[Sequence[object]]
    if files.format == "json":
        yield from json_rows(files, reading, _opened)
        return
    rows = text_rows(files, reading)
    every = [str(name) for name in next(rows)]
    names = reading.needed(every)
    yield names
    places = [every.index(name) for name in names]
    for row in rows:
        yield [row[place] for place in places]


def text_rows(files: Files, reading: TableReading) -> Iterator[list[str]]:
    """Give the names of the columns, then the rows of all parts."""
    names: list[str] | None = None
    for path in files.paths:
        with _opened(path, files.compression) as file:
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
        raise FormatError("there is no row in this file", source=files.source)


def located_rows(
    files: Files, reading: TableReading
) -> Iterator[tuple[str, int, dict[str, str]]]:
    """Give the rows of all parts by their columns, and where each ends."""
    for path in files.paths:
        with _opened(path, files.compression) as file:
            part = _Part(path, file, reading, files.format)
            header = part.header()
            names = header.names if header else []
            for row in part.rows():
                yield path, part.line, dict(zip(names, row, strict=True))


def header_of(files: Files, reading: TableReading) -> Header:
    """Give what the first records tell, which must be the same in all parts."""
    found: Header | None = None
    for path in files.paths:
        with _opened(path, files.compression) as file:
            header = _Part(path, file, reading, files.format).header()
        if header is not None:
            found = found or header
            _check_same(header.names, found.names, path, files)
    if found is None:
        raise FormatError("there is no row in this file", source=files.source)
    return found


def is_plain(files: Files) -> bool:
    """Tell whether there is nothing in a file that engines read differently."""
    # Engines see by the name alone that a file is packed.
    return all(
        path.lower().endswith(files.compression) and _is_plain(path, files.compression)
        for path in files.paths
    )


def check_text(tables: Sequence[TableInput], request: CountRequest) -> None:
    """Read files again, to say where it is that an engine gave up."""
    for table, reading in zip(tables, readings(tables, request), strict=True):
        if isinstance(table, Files) and is_text(table) and table.format != "json":
            for _ in text_rows(table, reading):
                pass


def load_into_memory(
    tables: Sequence[TableInput], request: CountRequest
) -> list[Columns | Frame]:
    """Read files of text."""
    found: list[Columns | Frame] = []
    for table, reading in zip(tables, readings(tables, request), strict=True):
        if not isinstance(table, Files):
            found.append(table)
        elif is_text(table):
            found.append(read_text(table, reading))
        else:
            raise OptionError(
                f"NumPy counts files of text only, and {table.source} is none: take "
                "--engine duckdb or spark"
            )
    return found


def _check_same(
    names: Sequence[str], first: Sequence[str], path: str, files: Files
) -> None:
    if list(names) != list(first):
        raise FormatError(
            f"the columns of this part are {', '.join(names)}",
            source=path,
            hint=f"those of {files.paths[0]} are {', '.join(first)}",
        )


class _Lines:
    """The lines of a file, and where in it we are."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self.number = 0
        self.text = ""

    def __iter__(self) -> Iterator[str]:
        for line in self._file:
            self.text = line
            self.number += 1
            yield line


class _Part:
    """One file: what its first record tells, and its rows."""

    def __init__(
        self, path: str, file: IO[str], reading: TableReading, form: str
    ) -> None:
        self._path, self._reading, self._form = path, reading, form
        self._at = _Lines(file)
        self._records: Iterator[list[str]] = iter(())
        self._width = 0

    def header(self) -> Header | None:
        """Read the first record; None if there is none."""
        lines = iter(self._at)
        first = next((line for line in lines if line.strip()), None)
        if first is None:
            return None
        record = [first, *_rest_of_record(first, lines)]
        delimiter = delimiter_of("".join(record), self._form)
        reader = csv.reader(chain(record, lines), delimiter=delimiter, strict=True)
        self._records = self._checked(reader)
        row = next(self._records)
        names, is_there = self._reading.header_of(row)
        if not is_there:
            self._records = chain([row], self._records)
        self._width = len(names)
        return Header(delimiter, names, is_there)

    @property
    def line(self) -> int:
        """The number of the line that was read last."""
        return self._at.number

    def rows(self) -> Iterator[list[str]]:
        """Give the rows, all of the same length; empty lines are none."""
        for row in self._records:
            if len(row) == self._width:
                yield row
            elif row and (len(row) > 1 or row[0].strip()):
                raise self._error(f"expected {self._width} fields, found {len(row)}")

    def _checked(self, reader: Iterator[list[str]]) -> Iterator[list[str]]:
        try:
            yield from reader
        except csv.Error as error:
            problem = f"a quotation mark is out of place: {error}"
            if "limit" in str(error):
                problem = f"a field is longer than {csv.field_size_limit():,} letters"
            raise self._error(problem) from error

    def _error(self, problem: str) -> FormatError:
        text = self._at.text.rstrip("\r\n")
        return FormatError(problem, source=self._path, line=self._at.number, text=text)


def _rest_of_record(first: str, lines: Iterator[str]) -> Iterator[str]:
    """Read on while a quotation mark is open: a field may have line breaks."""
    is_open = first.count('"') % 2
    while is_open and (line := next(lines, None)) is not None:
        is_open = (is_open + line.count('"')) % 2
        yield line


def _is_plain(path: str, compression: str) -> bool:
    endings: set[bool] = set()
    with _opened_bytes(path, compression) as file:
        if file.read(len(_MARK)) == _MARK:
            return False
    with _opened_bytes(path, compression) as file:
        while chunk := file.read(_CHUNK):
            chunk += file.readline(_LONGEST_LINE)
            if not chunk.endswith(b"\n"):
                if file.read(1):
                    return False
                chunk += b"\r\n" if True in endings or b"\r\n" in chunk else b"\n"
            endings.add(b"\r" in chunk)
            if len(endings) > 1 or not _is_plain_chunk(chunk):
                return False
    return True


def _is_plain_chunk(chunk: bytes) -> bool:
    """Look at whole lines: what ends them, what begins them, how long they are."""
    if b'"' in chunk or b"\0" in chunk or not _is_utf8(chunk):
        return False
    returns = chunk.count(b"\r")
    if returns and not returns == chunk.count(b"\r\n") == chunk.count(b"\n"):
        return False
    letters = np.frombuffer(chunk, dtype=np.uint8)
    ends = np.flatnonzero(letters == ord("\n"))
    starts = np.append(0, ends[:-1] + 1)
    is_blank = letters[starts] <= _BLANK
    return not is_blank.any() and int((ends - starts).max()) < _LONGEST_LINE


def _is_utf8(chunk: bytes) -> bool:
    try:
        return chunk.isascii() or bool(chunk.decode())
    except UnicodeDecodeError:
        return False


@contextmanager
def _opened(path: str, compression: str) -> Iterator[IO[str]]:
    with (
        _opened_bytes(path, compression) as binary,
        TextIOWrapper(binary, "utf-8-sig", newline="") as file,
    ):
        yield file


@contextmanager
def _opened_bytes(path: str, compression: str) -> Iterator[IO[bytes]]:
    """Open a file, unpacked, and say which one it is that cannot be read."""
    from importlib import import_module  # packed files are rare

    module = import_module(_PACKED[compression]) if compression in _PACKED else None
    damaged = getattr(module, "LZMAError", zlib.error)
    try:
        if compression == ".zst":
            file = _unpacked_zst(path)
        else:
            file = module.open(path, "rb") if module else open(path, "rb")  # noqa: SIM115
        with file:
            yield file
    except UnicodeDecodeError as error:
        raise FormatError("this is not UTF-8", source=path) from error
    except (EOFError, OSError, damaged) as error:
        raise FormatError(f"cannot be read: {error}", source=path) from error


def _unpacked_zst(path: str) -> IO[bytes]:
    from scoref.records.file_types import extra

    return BufferedReader(extra("pyarrow").CompressedInputStream(path, "zstd"))


Record = dict[str, object]


def json_rows(
    files: Files, reading: TableReading, opened: Opened
) -> Iterator[Sequence[object]]:
    """Give the names of the columns that are needed, then these of every row."""
    every = dict.fromkeys(name for record in _records(files, opened) for name in record)
    if not every:
        raise FormatError("there is no row in this file", source=files.source)
    names = reading.needed(list(every))
    yield names
    for record in _records(files, opened):
        yield [_id(record.get(name)) for name in names]


def _records(files: Files, opened: Opened) -> Iterator[Record]:
    for path in files.paths:
        with opened(path, files.compression) as file:
            yield from _of_file(file, path)


def _of_file(file: IO[str], path: str) -> Iterator[Record]:
    """Read an object of each line, or one list of them."""
    for number, line in enumerate(file, 1):
        if line.isspace():
            continue
        if number == 1 and line.lstrip().startswith("["):
            listed = _decoded(line + file.read(), path, None)
            yield from (_record(each, path, None) for each in _listed(listed))
            return
        yield _record(_decoded(line, path, number), path, number)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _decoded(text: str, path: str, line: int | None) -> object:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        problem = f"this is no JSON: {error}"
        shown = text.strip() if line else ""
        raise FormatError(problem, source=path, line=line, text=shown) from error


def _record(value: object, path: str, line: int | None) -> Record:
    if not isinstance(value, dict):
        raise FormatError(
            f"expected an object, found {type(value).__name__}", source=path, line=line
        )
    return value


def _once(pairs: list[tuple[str, object]]) -> Record:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return record


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _id(value: object) -> object:
    """Write what is no single value as JSON."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value

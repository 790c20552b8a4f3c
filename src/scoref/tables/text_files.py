"""Small files of text, read into memory: an engine takes longer to start."""

from __future__ import annotations

import csv
import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from scoref.errors import FormatError, OptionError
from scoref.tables.asking import Reading
from scoref.tables.files import Files
from scoref.tables.sources import Columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from scoref.tables.asking import Ask
    from scoref.tables.sources import Frame, Given

_SMALL = 8_000_000  # bytes
_PACKED = {".gz": "gzip", ".xz": "lzma", ".bz2": "bz2"}
_LONGEST = 1000  # letters of a line that may have names
_RATIO = 8  # by which packed files are smaller, as a rule


def is_text(files: Files) -> bool:
    """Tell whether files can be read here."""
    is_local = not any("://" in path for path in files.paths)
    is_known = files.compression in {"", *_PACKED}
    return files.format in {"csv", "tsv"} and is_local and is_known


def is_small(files: Files) -> bool:
    """Tell whether files can be read here in less time than an engine needs."""
    if not is_text(files):
        return False
    size = sum(os.path.getsize(path) for path in files.paths)  # noqa: PTH202
    return size * (_RATIO if files.compression else 1) <= _SMALL


def same_words(key: Files, response: Files) -> str | None:
    """Give the first line that two files share, if it has words and no number."""
    lines = set()
    for files in (key, response):
        if not is_text(files):
            return None
        with (
            suppress(UnicodeDecodeError, EOFError, OSError),
            _opened(files.paths[0], files.compression) as file,
        ):
            lines.add(file.readline(_LONGEST).strip())
    line = lines.pop() if len(lines) == 1 else ""
    return line if re.search(r"[^\W\d_]", line) and not re.search(r"\d", line) else None


def read_text(files: Files, reading: Reading) -> Columns:
    """Read files that are one table; the first one's first line tells its columns."""
    names: list[str] = []
    rows: list[list[str]] = []
    for path in files.paths:
        with _opened(path, files.compression) as file:
            try:
                found = _Text(path, file, reading, files.format)
                rows += found.rows()
            except (UnicodeDecodeError, EOFError, OSError) as error:
                problem = f"cannot be read: {error}"
                if isinstance(error, UnicodeDecodeError):
                    problem = "this is not UTF-8"
                raise FormatError(problem, source=path) from error
        names = names or found.names
    if not names:
        raise FormatError("there is no row in this file", source=files.source)
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    values = dict(zip(names, map(list, columns), strict=True))
    return Columns(files.source, values, is_named=True)


def in_memory(tables: Sequence[Given], ask: Ask) -> list[Columns | Frame]:
    """Read files of text."""
    sides = (
        [ask.wanted]
        if len(tables) == 1
        else [ask.wanted.of_side(role) for role in ("key", "response")]
    )
    found: list[Columns | Frame] = []
    for table, wanted in zip(tables, sides, strict=True):
        if not isinstance(table, Files):
            found.append(table)
        elif is_text(table):
            found.append(read_text(table, Reading(wanted, list, ask.header)))
        else:
            raise OptionError(
                f"NumPy counts files of text only, and {table.source} is none: take "
                "--engine duckdb or spark"
            )
    return found


class _Text:
    """One file: its columns by name, and its rows."""

    def __init__(self, path: str, file: TextIO, reading: Reading, form: str) -> None:
        self._path, self._file = path, file
        self._reading, self._form = reading, form
        self.names: list[str] = []

    def rows(self) -> Iterator[list[str]]:
        """Give the rows, all of the same length."""
        lines = list(self._file)
        blank = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
        if blank == len(lines):
            return
        told = self._reading.text_columns(lines[blank].rstrip("\r\n"), self._form)
        delimiter, self.names, has_header = told
        reader = csv.reader(lines[blank:], delimiter=delimiter, strict=True)
        wanted = len(self.names)
        try:
            for number, row in enumerate(reader):
                if not row or (has_header and number == 0):
                    continue
                if len(row) != wanted:
                    problem = f"expected {wanted} fields, found {len(row)}"
                    raise self._error(problem, lines, blank + reader.line_num)
                yield row
        except csv.Error as error:
            problem = f"a quotation mark is out of place: {error}"
            raise self._error(problem, lines, blank + reader.line_num) from error

    def _error(self, problem: str, lines: list[str], line: int) -> FormatError:
        text = lines[line - 1].rstrip("\r\n")
        return FormatError(problem, source=self._path, line=line, text=text)


def _opened(path: str, compression: str) -> TextIO:
    if not compression:
        return open(path, encoding="utf-8-sig", newline="")  # noqa: PTH123
    from importlib import import_module  # noqa: PLC0415 - packed files are rare

    module = import_module(_PACKED[compression])
    packed: TextIO = module.open(path, "rt", encoding="utf-8-sig", newline="")
    return packed

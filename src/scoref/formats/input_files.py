"""Functions that read files or standard input, unpack them and split them into lines.

Files may be compressed, which is detected from their first bytes and not from their
names; `archives` unpacks them. Files and archives that are too large are refused.
"""

from __future__ import annotations

import errno
import functools
import os
import re
import stat
import sys
from contextlib import contextmanager
from os import PathLike
from typing import TYPE_CHECKING

from scoref.classes import dataclass
from scoref.errors import (
    FormatError,
    OptionError,
    TooLargeError,
    UnreadableFileError,
)
from scoref.lazy import np
from scoref.rules import UNREADABLE_FILE
from scoref.writing import keep_from_writing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from scoref.model import Ints


STANDARD_INPUT = "-"


class MemoryFile(PathLike[str]):
    """The content of a file that is in memory, with a name for messages.

    It can be given wherever a path can.
    """

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data

    def __fspath__(self) -> str:
        return self.name

    __str__ = __fspath__


def name_of(path: str | PathLike[str]) -> str:
    """Return the name of a file for messages."""
    return "<stdin>" if str(path) == STANDARD_INPUT else str(path)


def refuse_second_reading(paths: Iterable[object]) -> None:
    """Refuse standard input if it is given twice, because it would then be empty."""
    if [str(path) for path in paths].count(STANDARD_INPUT) > 1:
        raise OptionError("standard input (-) can be read only once")


def read_lines(path: str | PathLike[str]) -> bytes:
    """Read a file as `read_bytes` does, with LF instead of lines that end in CR."""
    return with_line_feeds(read_bytes(path))


def read_bytes(path: str | PathLike[str]) -> bytes:
    """Read and unpack a file, which may be in a zip: ``x.zip/a.conll``."""
    if isinstance(path, MemoryFile):
        return _unpack(path.data, path.name)
    try:
        if str(path) == STANDARD_INPUT:
            packed = _read_standard_input()
        else:
            # Not with pathlib, which takes 5 ms to load.
            with open(path, "rb") as file:
                keep_from_writing(file.fileno(), name_of(path))
                packed = file.read()
    except (OSError, ValueError) as error:
        from scoref.formats.archives import read_in_zip  # rare

        data = None if str(path) == STANDARD_INPUT else read_in_zip(os.fspath(path))
        if data is not None:
            return data
        hint = "Check the path and its permissions."
        if isinstance(error, IsADirectoryError):
            hint = (
                "Give a file, or a folder with one file for each document. Folders of "
                "datasets are scored with `scoref KEYS RESPONSES`."
            )
        elif "," in str(path) and any(map(os.path.exists, str(path).split(","))):
            hint = (
                "Several runs of a system cannot be given here. Give one of these "
                "files."
            )
        raise UnreadableFileError.of(error, name_of(path), hint) from error
    return _unpack(packed, name_of(path))


def is_zip(path: str | PathLike[str]) -> bool:
    """Check whether a path is a regular file that is named like a zip and is one.

    Other files are not opened, because most commands read each file only once.
    """
    if not os.fspath(path).lower().endswith(".zip"):
        return False
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return False  # reading a pipe would consume it
        with open(path, "rb") as file:
            return file.read(4) in {b"PK\3\4", b"PK\5\6"}
    except (OSError, ValueError):
        return False


def _read_standard_input() -> bytes:
    if sys.stdin is None:  # closed, as by `<&-`
        raise OSError(errno.EBADF, "standard input is closed")
    return sys.stdin.buffer.read()


def _unpack(data: bytes, source: str) -> bytes:
    if not data.startswith(_PACKED):
        return data
    from scoref.formats.archives import unpack  # rare, and slow to load

    return unpack(data, source)


_PACKED = (
    b"\x1f\x8b",
    b"\xfd7zXZ\x00",
    b"BZh",
    b"\x28\xb5\x2f\xfd",
    b"PK\3\4",
    b"PK\5\6",
)
"""The first bytes of gzip, xz, bzip2, Zstandard and zip."""


@contextmanager
def explain_memory_errors(data: bytes, source: str) -> Iterator[None]:
    """Turn the errors of a file that is too large into messages that name it."""
    try:
        yield
    except TooLargeError as error:
        raise FormatError(
            str(error),
            source=source,
            hint="check whether a bracket is closed too late: mentions have few words",
        ) from error
    except MemoryError as error:
        raise FormatError(
            f"there is not enough memory to read its {len(data):,} bytes",
            source=source,
            hint="split the documents into several files",
        ) from error


def with_line_feeds(data: bytes) -> bytes:
    r"""Replace CR by LF if most lines of a file end in CR alone; offsets stay the same.

    In JSON every CR outside of CR LF is replaced, because it can only be a line end.

    >>> with_line_feeds(b"a\r\rb\r"), with_line_feeds(b"a\r\nb\rc\r\n")
    (b'a\n\nb\n', b'a\r\nb\rc\r\n')
    """
    if b"\r" not in data or data.count(b"\r") == data.count(b"\r\n"):
        return data
    is_json = without_bom(data[:1024]).lstrip()[:1] in {b"{", b"["}
    alone = len(re.findall(rb"\r(?!\r*\n)", data))
    if is_json or alone > data.rstrip().count(b"\n"):
        return re.sub(rb"\r(?!\n)", b"\n", data)
    return data


def return_in_line(data: bytes) -> int | None:
    r"""Return the place of the first CR with text after it in the same line, or None.

    >>> return_in_line(b"a\r\r\nb\rc\n"), return_in_line(b"a\r\n")
    (5, None)
    """
    if b"\r" not in data or data.count(b"\r") == data.count(b"\r\n"):
        return None
    place = re.search(rb"\r(?=[^\r\n])", data)
    return None if place is None else place.start()


def without_bom(data: bytes) -> bytes:
    """Remove the byte order mark that some editors put before UTF-8."""
    return data.removeprefix(b"\xef\xbb\xbf")


def decode_text(data: bytes, source: str) -> str:
    """Decode the bytes of a file, which must be UTF-8."""
    try:
        return without_bom(data).decode()
    except UnicodeDecodeError as error:
        raise FormatError(
            "this is not UTF-8",
            rule=UNREADABLE_FILE,
            source=source,
            line=error.object.count(b"\n", 0, error.start) + 1,
            hint="Convert it with iconv: iconv -f ENCODING -t UTF-8.",
        ) from error


def numbered_lines(data: bytes, source: str) -> list[tuple[int, str]]:
    """Return the lines of a text that are not blank, with their numbers."""
    lines = enumerate(decode_text(data, source).split("\n"), start=1)
    return [(number, line.rstrip("\r")) for number, line in lines if line.strip()]


_MOST_DIGITS = 15  # of an offset


def is_number(cell: str) -> bool:
    """Check whether a cell is an offset: nothing but digits, and not too many."""
    return len(cell) <= _MOST_DIGITS and cell.isascii() and cell.isdigit()


def shown(line: bytes) -> str:
    """Decode a line for a message; it may hold any bytes."""
    return line.decode("utf-8", "replace").rstrip("\r\n")


NEWLINE, RETURN, TAB, BLANK = b"\n\r\t "

PACKED = 8
"""The number of bytes in an integer."""


@functools.cache
def _space_table() -> NDArray[np.bool_]:
    return np.isin(np.arange(256), list(b" \t\r\n\v\f"))


def is_space(bytes_: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Mark the bytes that are white space."""
    return _space_table()[bytes_]


def is_one_of(bytes_: NDArray[np.uint8], chosen: bytes) -> NDArray[np.bool_]:
    """Mark the bytes that are one of a few; `np.isin` takes ten times as long.

    >>> is_one_of(np.frombuffer(b"a-b_", np.uint8), b"-_").tolist()
    [False, True, False, True]
    """
    marked: NDArray[np.bool_] = np.logical_or.reduce([bytes_ == one for one in chosen])
    return marked


@dataclass(frozen=True)
class Lines:
    """Where each line of a text starts and ends, without its line break."""

    data: bytes
    bytes_: NDArray[np.uint8]
    start: Ints
    end: Ints

    @classmethod
    def of(cls, data: bytes) -> Lines:
        """Find the line breaks, LF or CR LF."""
        if data and not data.endswith(b"\n"):
            data += b"\n"
        bytes_ = np.frombuffer(data, dtype=np.uint8)
        return cls.ending(data, bytes_, np.flatnonzero(bytes_ == NEWLINE))

    @classmethod
    def ending(cls, data: bytes, bytes_: NDArray[np.uint8], end: Ints) -> Lines:
        """Make lines of a text whose line breaks are known."""
        start = np.zeros_like(end)
        start[1:] = end[:-1] + 1
        has_return = (end > start) & (bytes_[end - 1] == RETURN)
        return cls(data, bytes_, start, end - has_return)

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, index: int) -> bytes:
        return self.data[self.start[index] : self.end[index]]

    def is_blank(self) -> NDArray[np.bool_]:
        """Mark the lines that are empty or white space."""
        blank: NDArray[np.bool_] = self.start == self.end
        padded = np.flatnonzero(is_space(self.first_byte()) & ~blank)
        padded = padded[is_space(self.bytes_[self.end[padded] - 1])]
        for index in padded.tolist():
            blank[index] = self[index].isspace()
        return blank

    def first_byte(self) -> NDArray[np.uint8]:
        """Return the first byte of each line; a line break if the line is empty."""
        return self.bytes_[self.start]

    def last_byte(self, back: int = 1) -> NDArray[np.uint8]:
        """Return the last byte of each line, or the one ``back`` before its end."""
        place = self.end - back
        return np.where(place >= self.start, self.bytes_[place], np.uint8(NEWLINE))

    def packed(self, start: Ints, end: Ints) -> NDArray[np.uint64]:
        """Return the first eight bytes of texts as integers; the first one is lowest.

        Each eight bytes of the file, wherever they start, are read as one integer.
        """
        data = self.data.ljust(PACKED)
        integers = np.ndarray(len(data) - PACKED + 1, "<u8", data, strides=(1,))
        place = np.minimum(start, len(integers) - 1)
        before = 8 * (start - place).astype(np.uint64)
        after = 8 * (PACKED - np.minimum(end - start, PACKED)).astype(np.uint64)
        packed: NDArray[np.uint64] = integers[place] >> before << after >> after
        return packed

    def count(self, byte: int) -> Ints:
        """Count a byte in each line."""
        places = np.flatnonzero(self.bytes_ == byte)
        # The byte is not a line break, so all places are inside lines.
        return np.diff(np.searchsorted(places, self.start), append=len(places))

"""Functions that read files or standard input, unpack them and split them into lines.

Files may be plain or compressed with gzip or xz, which is detected from their first
bytes and not from their names. Files and archives that are too large are refused.
"""

from __future__ import annotations

import errno
import functools
import io
import re
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoref.errors import FormatError, OptionError, TooLargeError
from scoref.lazy import np
from scoref.rules import UNREADABLE_FILE
from scoref.writing import keep_from_writing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from io import BufferedIOBase
    from os import PathLike

    from numpy.typing import NDArray

    from scoref.model import Ints


STANDARD_INPUT = "-"

NEWLINE, RETURN, TAB, BLANK = b"\n\r\t "

_DIGITS = 15  # of any offset

_BOM = b"\xef\xbb\xbf"

_BEGINNING = 1 << 10


@functools.cache
def _spaces() -> NDArray[np.bool_]:
    return np.isin(np.arange(256), list(b" \t\r\n\v\f"))


def is_space(bytes_: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Tell which bytes are white space."""
    return _spaces()[bytes_]


def name_of(path: str | PathLike[str]) -> str:
    """Call a file what the user called it."""
    return "<stdin>" if str(path) == STANDARD_INPUT else str(path)


def refuse_second_reading(paths: Iterable[object]) -> None:
    """Refuse standard input that would have to be read twice: then it is empty."""
    if [str(path) for path in paths].count(STANDARD_INPUT) > 1:
        raise OptionError("standard input can be read once only")


def read_lines(path: str | PathLike[str]) -> bytes:
    """Read a file as `read_bytes` does; lines that end in CR alone end in LF."""
    return with_line_feeds(read_bytes(path))


def read_bytes(path: str | PathLike[str]) -> bytes:
    """Read a file whole and unpack it."""
    try:
        if str(path) == STANDARD_INPUT:
            packed = _standard_input()
        else:
            # Not by pathlib, which takes 5 ms to load.
            with open(path, "rb") as file:
                keep_from_writing(file.fileno(), name_of(path))
                packed = file.read()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        hint = "check the path and its permissions"
        if isinstance(error, IsADirectoryError):
            hint = (
                "expected a file, or a folder with a document a file: .ann and .txt, "
            )
            hint += ".entities, .tsv of WebAnno, .xml of ECB+; folders of datasets are "
            hint += "for `scoref KEYS RESPONSES`"
        raise FormatError(
            f"cannot be read: {why.lower()}", source=name_of(path), hint=hint
        ) from error
    return _unpacked(packed, name_of(path))


def _standard_input() -> bytes:
    if sys.stdin is None:  # closed, as by `<&-`
        raise OSError(errno.EBADF, "standard input is closed")
    return sys.stdin.buffer.read()


def with_line_feeds(data: bytes) -> bytes:
    r"""Replace CR by LF if most lines of a file end in CR alone; offsets stay the same.

    In JSON every CR outside of CR LF is replaced, because it can only be a line end.

    >>> with_line_feeds(b"a\r\rb\r"), with_line_feeds(b"a\r\nb\rc\r\n")
    (b'a\n\nb\n', b'a\r\nb\rc\r\n')
    """
    if b"\r" not in data or data.count(b"\r") == data.count(b"\r\n"):
        return data
    is_json = without_bom(data[:_BEGINNING]).lstrip()[:1] in {b"{", b"["}
    alone = len(re.findall(rb"\r(?!\r*\n)", data))
    if is_json or alone > data.rstrip().count(b"\n"):
        return re.sub(rb"\r(?!\n)", b"\n", data)
    return data


def return_in_line(data: bytes) -> int | None:
    r"""Find the first CR that has text of the same line after it.

    >>> return_in_line(b"a\r\r\nb\rc\n"), return_in_line(b"a\r\n")
    (5, None)
    """
    if b"\r" not in data or data.count(b"\r") == data.count(b"\r\n"):
        return None
    found = re.search(rb"\r(?=[^\r\n])", data)
    return None if found is None else found.start()


def without_bom(data: bytes) -> bytes:
    """Drop the mark that some editors put before UTF-8."""
    return data.removeprefix(_BOM)


def decoded(data: bytes, source: str) -> str:
    """Make a text of the bytes of a file, which must be UTF-8."""
    try:
        return without_bom(data).decode()
    except UnicodeDecodeError as error:
        raise FormatError(
            "this is not UTF-8",
            rule=UNREADABLE_FILE,
            source=source,
            line=error.object.count(b"\n", 0, error.start) + 1,
            hint="iconv -t UTF-8 makes UTF-8 of it",
        ) from error


def numbered_lines(data: bytes, source: str) -> list[tuple[int, str]]:
    """List the lines of a text that are not blank, with their numbers."""
    lines = enumerate(decoded(data, source).split("\n"), start=1)
    return [(number, line.rstrip("\r")) for number, line in lines if line.strip()]


def is_number(cell: str) -> bool:
    """Tell digits that are an offset from anything else."""
    return len(cell) <= _DIGITS and cell.isascii() and cell.isdigit()


def shown(line: bytes) -> str:
    """Turn a line into text for a message, whatever bytes it holds."""
    return line.decode("utf-8", "replace").rstrip("\r\n")


def _unpacked(data: bytes, source: str) -> bytes:
    try:
        archive = _archive(data)
        return data if archive is None else unpacked(archive, len(data), source)
    except FormatError:
        raise
    except MemoryError as error:
        raise FormatError(
            f"there is not enough memory to unpack its {len(data):,} bytes",
            source=source,
            hint="read documents in several files, one after another",
        ) from error
    except Exception as error:
        raise FormatError(
            f"cannot be unpacked: {str(error).lower()}",
            source=source,
            hint="the archive is cut off or damaged",
        ) from error


def _archive(data: bytes) -> io.BufferedIOBase | None:
    """Open what is packed; None if it is not."""
    # The modules are loaded only for packed files: they cost 10 ms.
    if data.startswith(b"\x1f\x8b"):
        import gzip

        return gzip.GzipFile(fileobj=io.BytesIO(data))
    if data.startswith(b"\xfd7zXZ\x00"):
        import lzma

        return lzma.LZMAFile(io.BytesIO(data))
    return None


@dataclass(frozen=True, slots=True)
class Lines:
    """Where each line of a text starts and ends, without its line break."""

    data: bytes
    bytes_: NDArray[np.uint8]
    start: Ints
    end: Ints

    @classmethod
    def of(cls, data: bytes) -> Lines:
        """Find the line breaks, LF or CRLF, in one pass."""
        if data and not data.endswith(b"\n"):
            data += b"\n"
        bytes_ = np.frombuffer(data, dtype=np.uint8)
        return cls.ending(data, bytes_, np.flatnonzero(bytes_ == NEWLINE))

    @classmethod
    def ending(cls, data: bytes, bytes_: NDArray[np.uint8], end: Ints) -> Lines:
        """Make lines of a text whose line breaks were found."""
        start = np.zeros_like(end)
        start[1:] = end[:-1] + 1
        has_return = (end > start) & (bytes_[end - 1] == RETURN)
        return cls(data, bytes_, start, end - has_return)

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, index: int) -> bytes:
        return self.data[self.start[index] : self.end[index]]

    def is_blank(self) -> NDArray[np.bool_]:
        """Mark the lines that hold nothing but white space."""
        blank: NDArray[np.bool_] = self.start == self.end
        padded = is_space(self.first_byte()) & is_space(self.last_byte()) & ~blank
        for index in np.flatnonzero(padded).tolist():
            blank[index] = self[index].isspace()
        return blank

    def first_byte(self) -> NDArray[np.uint8]:
        """Give each line's first byte; a line break where there is none."""
        return self.bytes_[self.start]

    def last_byte(self, back: int = 1) -> NDArray[np.uint8]:
        """Give each line's last byte, or the one ``back`` from its end."""
        place = self.end - back
        return np.where(place >= self.start, self.bytes_[place], np.uint8(NEWLINE))

    def find(self, word: bytes, last: Ints) -> Ints:
        """Find every place of a word, given those of its last character."""
        place = last - (len(word) - 1)
        place = place[place >= 0]
        for offset in reversed(range(len(word) - 1)):
            place = place[self.bytes_[place + offset] == word[offset]]
        return place

    def count(self, byte: int) -> Ints:
        """Count a byte in each line."""
        places = np.flatnonzero(self.bytes_ == byte)
        return np.searchsorted(places, self.end) - np.searchsorted(places, self.start)


_MOST_BYTES, _TIMES = 1 << 30, 200
"""Archives may unpack to so many bytes in any case, and to so many times their size."""

_PIECE = 1 << 22


@contextmanager
def refusing_size(data: bytes, source: str) -> Iterator[None]:
    """Say which file was too large, and what of it."""
    try:
        yield
    except TooLargeError as error:
        raise FormatError(
            str(error),
            source=source,
            hint="a mention has a few words: is there a bracket that closes too late?",
        ) from error
    except MemoryError as error:
        raise FormatError(
            f"there is not enough memory to read its {len(data):,} bytes",
            source=source,
            hint="read documents in several files, one after another",
        ) from error


def unpacked(archive: BufferedIOBase, size: int, source: str) -> bytes:
    """Unpack an archive of so many bytes, unless it is made to fill the memory."""
    pieces, length = [], 0
    most = max(_MOST_BYTES, _TIMES * size)
    while piece := archive.read(_PIECE):
        pieces.append(piece)
        length += len(piece)
        if length > most:
            raise FormatError(
                f"its {size:,} bytes unpack to more than {most:,}",
                source=source,
                hint="unpack it yourself if you trust it, and give what comes out",
            )
    return b"".join(pieces)

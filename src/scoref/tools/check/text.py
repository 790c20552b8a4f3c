"""Rules about bytes and lines, whatever they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.formats import COREFUD, JSON_LINES
from scoref.formats._text import BLANK, TAB, with_line_feeds
from scoref.rules import (
    BLANK_LINES,
    BYTE_ORDER_MARK,
    CR_LINE_ENDS,
    NOT_UTF8,
    TRAILING_BLANKS,
    WINDOWS_LINE_ENDS,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scoref.formats._text import Lines
    from scoref.model import Ints
    from scoref.tools.check.problems import FileListing, Problem

BOM = b"\xef\xbb\xbf"
_HASH = ord("#")


def check_text(
    data: bytes, listing: FileListing, format_name: str
) -> Iterator[Problem]:
    """Find what some scorers stumble over before they read a word."""
    yield from _byte_order_mark(data, listing)
    yield from _cr_line_ends(data, listing)
    data = with_line_feeds(data)
    yield from _line_ends(data, listing)
    yield from _not_utf8(data, listing)
    if format_name != JSON_LINES:
        yield from _trailing_blanks(listing)
    if format_name == COREFUD:
        yield from _blank_lines(data, listing)


def _byte_order_mark(data: bytes, listing: FileListing) -> Iterator[Problem]:
    if data.startswith(BOM):
        yield listing.problem(
            BYTE_ORDER_MARK,
            "there is a byte order mark before the first character",
            1,
            hint="leave it out: the reference scorer does not see the first document",
            can_fix=True,
        )


def _cr_line_ends(data: bytes, listing: FileListing) -> Iterator[Problem]:
    count = data.count(b"\r") - with_line_feeds(data).count(b"\r")
    if count:
        yield listing.problem(
            CR_LINE_ENDS,
            f"{_lines(count)} in CR",
            1,
            hint="end lines in LF: other scorers take the file for a single line",
            can_fix=True,
        )


def _line_ends(data: bytes, listing: FileListing) -> Iterator[Problem]:
    count = data.count(b"\r\n")
    if count:
        line = data.count(b"\n", 0, data.index(b"\r\n")) + 1
        yield listing.problem(
            WINDOWS_LINE_ENDS,
            f"{_lines(count)} in CR LF",
            line,
            hint="end lines in LF: other scorers take the CR for a part of a cell",
            can_fix=True,
        )


def ending_in_blanks(lines: Lines) -> Ints:
    """List the lines, from 0, that end in blanks.

    Tabs at the end of a row are columns that are empty; those of a comment are nothing.
    """
    last = lines.last_byte()
    ends_so: NDArray[np.bool_] = last == BLANK
    ends_so |= (last == TAB) & (lines.first_byte() == _HASH)
    ends_so |= lines.is_blank() & (lines.end > lines.start)
    return np.flatnonzero(ends_so)


def without_blanks(line: bytes) -> bytes:
    """Drop the blanks at the end of a line."""
    is_row = bool(line.strip()) and line[:1] != b"#"
    return line.rstrip(b" " if is_row else None)


def _trailing_blanks(listing: FileListing) -> Iterator[Problem]:
    rows = ending_in_blanks(listing.lines)
    if len(rows):
        line = int(rows[0]) + 1
        text = listing.text(line)
        kept = without_blanks(listing.lines[line - 1]).decode("utf-8", "replace")
        yield listing.problem(
            TRAILING_BLANKS,
            f"{_lines(len(rows))} in blanks",
            line,
            (len(kept), len(text)),
            hint="drop them: other scorers take them for a part of a cell or name",
            can_fix=True,
        )


def _not_utf8(data: bytes, listing: FileListing) -> Iterator[Problem]:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line, column = _place(data, error.start)
        yield listing.problem(
            NOT_UTF8,
            f"the byte 0x{data[error.start]:02x} is no text in UTF-8",
            line,
            (column, column + 1),
            hint="iconv -f LATIN1 -t UTF-8 makes UTF-8 of Latin-1",
        )


def _blank_lines(data: bytes, listing: FileListing) -> Iterator[Problem]:
    if data.lstrip(BOM)[:1] in {b"\n", b"\r"}:
        message = "the file starts with a blank line"
        hint = "drop it: the CorefUD scorer stops at such a file"
        yield listing.problem(BLANK_LINES, message, 1, hint=hint, can_fix=True)
    if not data.replace(b"\r", b"").endswith(b"\n\n"):
        message = "there is no blank line behind the last sentence"
        hint = "add one: the CorefUD scorer stops at such a file"
        last = len(listing.lines) or None
        yield listing.problem(BLANK_LINES, message, last, hint=hint, can_fix=True)


def _lines(count: int) -> str:
    return "1 line ends" if count == 1 else f"{count} lines end"


def _place(data: bytes, at: int) -> tuple[int, int]:
    """Find the line of a byte, and how many characters stand before it."""
    start = data.rfind(b"\n", 0, at) + 1
    before = data[start:at].removeprefix(BOM)
    return data.count(b"\n", 0, at) + 1, len(before.decode("utf-8", "replace"))

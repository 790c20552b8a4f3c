"""Rules about documents, and about the bytes and lines of a file.

The rules on documents check where each one starts and ends, its headers, and whether it
has words and mentions. The rules on bytes and lines check the encoding, line ends and
blanks, whatever the content.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from scoref.formats.catalogue import CONLL_2012, COREFUD, JSON_LINES, UNIVERSAL_ANAPHORA
from scoref.formats.conll2012 import classify_lines
from scoref.formats.input_files import BLANK, TAB, with_line_feeds
from scoref.rules import (
    BLANK_LINES,
    BYTE_ORDER_MARK,
    CR_LINE_ENDS,
    DIFFERENT_HEADERS,
    DOCUMENT_WITHOUT_MENTIONS,
    EMPTY_DOCUMENT,
    MISSING_BEGIN,
    MISSING_END,
    MISSING_NEWDOC,
    NO_MENTIONS,
    NOT_UTF8,
    TOKENS_DISAGREE,
    TRAILING_BLANKS,
    WINDOWS_LINE_ENDS,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scoref.formats.input_files import Lines
    from scoref.model import Ints
    from scoref.tools.check.checked_corpus import View
    from scoref.tools.check.problems import FileListing, Problem


_GLOBAL = b"# global.Entity"

_HEADER = re.compile(rb"# global\.Entity[^\S\n]*=[^\S\n]*(\S+)")


def unended(lines: Lines) -> list[tuple[int, int]]:
    """List documents of CoNLL-2012 without an end: the lines before and behind them.

    Lines are counted from 0.
    """
    _, begins, ends = classify_lines(lines)
    bounds = sorted({*begins, *ends, len(lines)})
    following = dict(pairwise(bounds))
    return [(at, following[at]) for at in begins if following[at] not in ends]


def marked(view: View) -> Iterator[Problem]:
    """Find documents that do not start or end as they should."""
    corpus, listing = view.corpus, view.listing
    if view.format == CONLL_2012:
        yield from _unended(listing)
    is_named = any(name.name for name in corpus.documents)
    if view.format == CONLL_2012 and not is_named and not _begins(listing):
        yield listing.problem(
            MISSING_BEGIN,
            "no line '#begin document' says where a document starts",
            int(corpus.document_line[0]),
            hint="start with '#begin document (name); part 000': otherwise the "
            "reference scorer sees nothing",
        )
    if view.format in {COREFUD, UNIVERSAL_ANAPHORA} and not corpus.documents[0].name:
        yield listing.problem(
            MISSING_NEWDOC,
            "these words stand before the first '# newdoc'",
            int(corpus.document_line[0]),
            hint="start with '# newdoc id = ...': otherwise the official scorer stops, "
            "or sees nothing",
        )


def _begins(listing: FileListing) -> bool:
    return bool(classify_lines(listing.lines)[1])


def _unended(listing: FileListing) -> Iterator[Problem]:
    for begin, _ in unended(listing.lines):
        yield listing.problem(
            MISSING_END,
            "this document has no line '#end document'",
            begin + 1,
            hint="add one: the reference scorer reads on through the next document",
            can_fix=True,
        )


def headed(view: View) -> Iterator[Problem]:
    """Find headers that contradict each other."""
    places = starting_so(view.data, _GLOBAL) if view.format == COREFUD else ()
    found = filter(None, (_HEADER.match(view.data, at) for at in places))
    first = next(found, None)
    for header in found:
        line = view.line_at(header.start())
        if first and header[1] != first[1] and line <= len(view.listing.lines):
            yield view.listing.problem(
                DIFFERENT_HEADERS,
                "this header is not the first one's",
                line,
                hint="make them equal: the last of a file is taken for all of it",
            )
            return


def filled(view: View) -> Iterator[Problem]:
    """Find documents without words or mentions."""
    corpus, listing = view.corpus, view.listing
    if corpus.document_tokens is not None:
        for row in np.flatnonzero(corpus.document_tokens == 0).tolist():
            yield listing.problem(
                EMPTY_DOCUMENT,
                f"document '{corpus.documents[row].name}' has no words",
                _line(corpus.document_line, row),
                hint="was the file cut off?",
            )
    for row in view.disagreeing.tolist():
        yield listing.problem(
            TOKENS_DISAGREE,
            f"document '{corpus.documents[row].name}' has two texts of different "
            "length: 'tokens' and 'sentences'",
            _line(corpus.document_line, row),
            hint="leave one of them out",
        )


def mentioned(view: View) -> Iterator[Problem]:
    """Find files without any mention, or count the documents without one."""
    corpus, listing = view.corpus, view.listing
    if view.way.layer != "identity" or not view.is_whole:
        return
    if not len(corpus.mention_entity):
        yield listing.problem(
            NO_MENTIONS,
            f"there is no mention in {view.what}, read as {view.format}",
            hint="is it the right file, and the right --format?",
        )
        return
    count = np.bincount(view.document, minlength=len(corpus.documents))
    is_empty = count == 0
    if corpus.document_tokens is not None:
        is_empty &= corpus.document_tokens > 0
    without = np.flatnonzero(is_empty)
    if len(without):
        have = "has" if len(without) == 1 else "have"
        yield listing.problem(
            DOCUMENT_WITHOUT_MENTIONS,
            f"{len(without)} of {len(count)} documents {have} no mention, first here",
            _line(corpus.document_line, int(without[0])),
        )


def _line(lines: Ints, row: int) -> int | None:
    return int(lines[row]) or None


_NEWDOC = re.compile(rb"# newdoc(?:[^\S\n]+id\s*=[^\n]*)?[^\S\n]*(?=\n|$)")

_WORD = re.compile(rb"^[^\S\n]*[^#\s]|^[^\S\n]+#", re.MULTILINE)


def starting_so(data: bytes, beginning: bytes) -> Iterator[int]:
    r"""Find the lines that start so, much faster than by a regular expression.

    >>> list(starting_so(b"# a\n# b\n", b"# b"))
    [4]
    """
    at = data.find(beginning)
    while at >= 0:
        if at == 0 or data[at - 1 : at] == b"\n":
            yield at
        at = data.find(beginning, at + 1)


def without_words(data: bytes) -> list[int]:
    r"""List the lines, from 0, of `# newdoc` with nothing but comments behind it.

    >>> without_words(b"# newdoc id = a\n# newdoc id = b\n1\tAda\n# newdoc")
    [0, 3]
    """
    found = (_NEWDOC.match(data, at) for at in starting_so(data, b"# newdoc"))
    starts = [newdoc.span() for newdoc in found if newdoc]
    behind = (len(data), len(data))
    return [
        data.count(b"\n", 0, start)
        for (start, at), (end, _) in pairwise([*starts, behind])
        if not _WORD.search(data, at, end)
    ]


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

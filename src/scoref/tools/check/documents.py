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

    from scoref.formats.input_files import Lines
    from scoref.model.arrays import Ints, Mask
    from scoref.tools.check.checked_corpus import View
    from scoref.tools.check.problems import FileListing, Problem


def check_marks(view: View) -> Iterator[Problem]:
    """Find documents without a line that marks their start or end."""
    corpus, listing = view.corpus, view.listing
    if view.format == CONLL_2012:
        for begin, _ in unended_documents(listing.lines):
            yield listing.problem(
                MISSING_END,
                "this document has no '#end document' line",
                begin + 1,
                hint="Add one. Without it, the reference scorer continues into the "
                "next document.",
                can_fix=True,
            )
        is_named = any(name.name for name in corpus.documents)
        if not is_named and not classify_lines(listing.lines)[1]:
            yield listing.problem(
                MISSING_BEGIN,
                "there is no '#begin document' line",
                int(corpus.document_line[0]),
                hint="Start with '#begin document (name); part 000'. Otherwise the "
                "reference scorer finds no document.",
            )
    if view.format in {COREFUD, UNIVERSAL_ANAPHORA} and not corpus.documents[0].name:
        yield listing.problem(
            MISSING_NEWDOC,
            "these words come before the first '# newdoc' line",
            int(corpus.document_line[0]),
            hint="Start with '# newdoc id = ...'. Otherwise the official scorer "
            "stops or finds nothing.",
        )


def unended_documents(lines: Lines) -> list[tuple[int, int]]:
    """List CoNLL-2012 documents without an end: first line, and line after the last.

    Lines are counted from 0.
    """
    _, begins, ends = classify_lines(lines)
    bounds = sorted({*begins, *ends, len(lines)})
    following = dict(pairwise(bounds))
    return [(at, following[at]) for at in begins if following[at] not in ends]


_HEADER = re.compile(rb"# global\.Entity[^\S\n]*=[^\S\n]*(\S+)")


def check_headers(view: View) -> Iterator[Problem]:
    """Find CorefUD headers that contradict each other."""
    if view.format != COREFUD:
        return
    places = lines_starting_with(b"# global.Entity", view.data)
    headers = filter(None, (_HEADER.match(view.data, at) for at in places))
    first = next(headers, None)
    for header in headers:
        line = view.line_at(header.start())
        if first and header[1] != first[1] and line <= len(view.listing.lines):
            yield view.listing.problem(
                DIFFERENT_HEADERS,
                "this header differs from the first header",
                line,
                hint="Make them equal. The last header is used for the whole file.",
            )
            return


def check_words(view: View) -> Iterator[Problem]:
    """Find documents without words, or with two texts of different length."""
    corpus, listing = view.corpus, view.listing
    if corpus.document_tokens is not None:
        for row in np.flatnonzero(corpus.document_tokens == 0).tolist():
            yield listing.problem(
                EMPTY_DOCUMENT,
                f"document '{corpus.documents[row].name}' has no words",
                _line_of_document(view, row),
                hint="Check whether the file was cut off.",
            )
    for row in view.contradictory_documents.tolist():
        yield listing.problem(
            TOKENS_DISAGREE,
            f"document '{corpus.documents[row].name}' has two texts of different "
            "length: 'tokens' and 'sentences'",
            _line_of_document(view, row),
            hint="Leave one of them out.",
        )


def check_mentions(view: View) -> Iterator[Problem]:
    """Find files without a mention, and count documents without one."""
    corpus, listing = view.corpus, view.listing
    if view.way.layer != "identity" or not view.is_whole:
        return
    if not len(corpus.mention_entity):
        yield listing.problem(
            NO_MENTIONS,
            f"there are no mentions in {view.what}, which was read as {view.format}",
            hint="Check that this is the right file and the right --format.",
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
            f"{len(without):,} of {len(count):,} documents {have} no "
            "mentions; this is the first",
            _line_of_document(view, int(without[0])),
        )


def _line_of_document(view: View, document: int) -> int | None:
    return int(view.corpus.document_line[document]) or None


_NEWDOC = re.compile(rb"# newdoc(?:[^\S\n]+id\s*=[^\n]*)?[^\S\n]*(?=\n|$)")

_WORD = re.compile(rb"^[^\S\n]*[^#\s]|^[^\S\n]+#", re.MULTILINE)


def empty_documents(data: bytes) -> list[int]:
    r"""List the lines, from 0, of each `# newdoc` that only comments follow.

    >>> empty_documents(b"# newdoc id = a\n# newdoc id = b\n1\tAda\n# newdoc")
    [0, 3]
    """
    places = lines_starting_with(b"# newdoc", data)
    newdocs = filter(None, (_NEWDOC.match(data, at) for at in places))
    end_of_file = len(data), len(data)
    spans = [*(newdoc.span() for newdoc in newdocs), end_of_file]
    return [
        data.count(b"\n", 0, start)
        for (start, end), (next_start, _) in pairwise(spans)
        if not _WORD.search(data, end, next_start)
    ]


def lines_starting_with(beginning: bytes, data: bytes) -> Iterator[int]:
    r"""Find where lines with this beginning start.

    This is much faster than a regular expression.

    >>> list(lines_starting_with(b"# b", b"# a\n# b\n"))
    [4]
    """
    at = data.find(beginning)
    while at >= 0:
        if at == 0 or data[at - 1 : at] == b"\n":
            yield at
        at = data.find(beginning, at + 1)


BOM = b"\xef\xbb\xbf"
"""The byte order mark."""


def check_text(
    data: bytes, listing: FileListing, format_name: str
) -> Iterator[Problem]:
    """Find bytes and lines that another scorer rejects or reads differently."""
    if data.startswith(BOM):
        yield listing.problem(
            BYTE_ORDER_MARK,
            "there is a byte order mark before the first character",
            1,
            hint="Remove it. With it, the reference scorer skips the first document.",
            can_fix=True,
        )
    yield from _check_line_ends(data, listing)
    data = with_line_feeds(data)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        start = data.rfind(b"\n", 0, error.start) + 1
        before = data[start : error.start].removeprefix(BOM)
        column = len(before.decode("utf-8", "replace"))
        yield listing.problem(
            NOT_UTF8,
            f"the byte 0x{data[error.start]:02x} is not valid UTF-8",
            data.count(b"\n", 0, error.start) + 1,
            (column, column + 1),
            hint="If the file is Latin-1, convert it: iconv -f LATIN1 -t UTF-8.",
        )
    if format_name != JSON_LINES:
        yield from _check_trailing_blanks(listing)
    if format_name == COREFUD:
        yield from _check_blank_lines(data, listing)


def _check_line_ends(data: bytes, listing: FileListing) -> Iterator[Problem]:
    """Find lines that end in CR or in CR LF."""
    with_feeds = with_line_feeds(data)
    if count := data.count(b"\r") - with_feeds.count(b"\r"):
        yield listing.problem(
            CR_LINE_ENDS,
            f"{_lines_end(count)} with CR",
            1,
            hint="End lines with LF. Other scorers read the file as a single line.",
            can_fix=True,
        )
    if count := with_feeds.count(b"\r\n"):
        line = with_feeds.count(b"\n", 0, with_feeds.index(b"\r\n")) + 1
        yield listing.problem(
            WINDOWS_LINE_ENDS,
            f"{_lines_end(count)} with CR LF",
            line,
            hint="End lines with LF. Other scorers read the CR as part of a cell.",
            can_fix=True,
        )


def _check_trailing_blanks(listing: FileListing) -> Iterator[Problem]:
    """Find the first line that ends in blanks."""
    rows = lines_ending_in_blanks(listing.lines)
    if len(rows):
        line = int(rows[0]) + 1
        kept = strip_blanks(listing.lines[line - 1]).decode("utf-8", "replace")
        yield listing.problem(
            TRAILING_BLANKS,
            f"{_lines_end(len(rows))} with white space",
            line,
            (len(kept), len(listing.text(line))),
            hint="Remove it. Other scorers read it as part of a cell or name.",
            can_fix=True,
        )


def _lines_end(count: int) -> str:
    return "1 line ends" if count == 1 else f"{count} lines end"


def lines_ending_in_blanks(lines: Lines) -> Ints:
    """List the lines, from 0, that end in blanks.

    Tabs count only at the end of comments: at the end of a row they are empty columns.
    """
    last = lines.last_byte()
    is_blank: Mask = last == BLANK
    is_blank |= (last == TAB) & (lines.first_byte() == ord("#"))
    is_blank |= lines.is_blank() & (lines.end > lines.start)
    return np.flatnonzero(is_blank)


def strip_blanks(line: bytes) -> bytes:
    """Drop the blanks at the end of a line."""
    is_row = bool(line.strip()) and line[:1] != b"#"
    return line.rstrip(b" " if is_row else None)


def _check_blank_lines(data: bytes, listing: FileListing) -> Iterator[Problem]:
    """Find a blank line at the start, and none at the end."""
    if data.lstrip(BOM)[:1] in {b"\n", b"\r"}:
        message = "the file starts with a blank line"
        hint = "Remove it. The CorefUD scorer stops at such a file."
        yield listing.problem(BLANK_LINES, message, 1, hint=hint, can_fix=True)
    if not data.replace(b"\r", b"").endswith(b"\n\n"):
        message = "there is no blank line after the last sentence"
        hint = "Add one. The CorefUD scorer stops at such a file."
        last = len(listing.lines) or None
        yield listing.problem(BLANK_LINES, message, last, hint=hint, can_fix=True)

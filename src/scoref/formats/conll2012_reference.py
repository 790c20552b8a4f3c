"""Reader of CoNLL-2012 that follows the Perl reference scorer v8.01 byte for byte.

The scorer reads files as follows, in some cases surprisingly:

- A document starts at a line ``#begin document NAME``, where NAME is the whole rest of
  the line. It ends at the next line that contains ``#end document`` anywhere, or at the
  end of the file, and may therefore include other documents. The begin line itself does
  not end a document, whatever its name contains.
- Every line that is not blank is a token, including comments and begin lines.
- Only tabs separate columns, and empty columns at the end do not count. A line without
  a tab is one column. The CR of a CRLF stays in the last column; after a tab, it is
  that column and hides the brackets before it.
- Labels are digits. Anything in a cell that is not a bracket around digits is ignored,
  so ``(a)`` means nothing and ``(e1)`` closes a mention of 1.
- If several documents have the same name, the last one counts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError
from scoref.formats.brackets import (
    BracketCell,
    BracketRows,
    BracketStack,
    bracket_columns,
)
from scoref.formats.builder import CorpusBuilder
from scoref.formats.catalogue import CONLL_2012
from scoref.formats.conll2012 import document_name
from scoref.formats.input_files import RETURN, TAB, Lines, is_one_of, shown
from scoref.formats.word_column import WordColumn
from scoref.model import DocumentName
from scoref.rules import UNCLOSED_BRACKET, UNOPENED_BRACKET

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints
    from scoref.rules import Rule

    Mask = NDArray[np.bool_]


_DISCARDED = re.compile(rb"\((\d+\+\d)\)")


class _Span(NamedTuple):
    """A document: its name, its begin line, and the range of its lines."""

    name: str
    begin: int
    first: int
    last: int
    has_end: bool


class _TokenRows(NamedTuple):
    """The lines of all tokens, and the first and the end of each document's."""

    row: Ints
    bounds: list[tuple[int, int]]


def read(data: bytes, *, source: str, only: str | None = None) -> Corpus:
    """Read all documents, or the first one with the name ``only``."""
    lines = Lines.of(data)
    spans = _find_documents(lines, only)
    places, tokens = _bracket_rows(lines, spans)
    builder = CorpusBuilder(source, CONLL_2012)
    for span, (first, last) in zip(spans, tokens.bounds, strict=True):
        name = DocumentName(span.name, document_name(span.name).aliases)
        builder.add_document(name, line=span.begin + 1, tokens=last - first)
    words = WordColumn.of(lines, tokens.row)
    builder.document_checksum = words.checksums(tokens.bounds)
    columns = bracket_columns(places, digits_only=True)
    if columns is not None:
        return columns.build(builder)
    for document, span in enumerate(spans):
        here = slice(*np.searchsorted(places.document, (document, document + 1)))
        stack = BracketStack(builder, document)
        try:
            _read_rows(lines, places.row[here], places.token[here], stack, source)
            unclosed = stack.open_brackets()
            # The scorer drops open mentions of a document without an end line.
            if unclosed and span.has_end:
                (_, line), label = unclosed[0]
                problem = f"entity {shown(label)} is opened here but never closed"
                raise _refusal(UNCLOSED_BRACKET, problem, lines, line - 1, source)
        except FormatError as fault:
            builder.faults[document] = fault
    return builder.build()


def discarded_labels(data: bytes, *, only: str | None = None) -> dict[str, list[str]]:
    r"""Return the "double antecedents" of each document, which the scorer discards.

    >>> discarded_labels(b"#begin document a\n(1+2)|(3)\n")
    {'a': ['(1+2)']}
    """
    if not _DISCARDED.search(data):
        return {}
    lines = Lines.of(data)
    spans = _find_documents(lines, only)
    places, _ = _bracket_rows(lines, spans)
    discarded: dict[str, list[str]] = {span.name: [] for span in spans}
    for row, document in zip(
        places.row.tolist(), places.document.tolist(), strict=True
    ):
        labels, _ = _take(_DISCARDED, _cell(lines[row]))
        discarded[spans[document].name] += [f"({shown(label)})" for label in labels]
    return discarded


_BEGIN = re.compile(rb"#\s*begin document (.*)")
_END = re.compile(rb"#[^\S\n]*+end document")


def _find_documents(lines: Lines, only: str | None) -> list[_Span]:
    """Find the last document of each name, or the first one with the name ``only``."""
    places = [match.start() for match in _END.finditer(lines.data)]
    ends = np.searchsorted(lines.start, places, side="right") - 1
    documents: dict[str, _Span] = {}
    for index in np.flatnonzero(lines.first_byte() == ord("#")).tolist():
        begin = _BEGIN.match(lines[index])
        if not begin:
            continue
        # With surrogates, different names that are not UTF-8 stay different.
        name = begin[1].decode("utf-8", "surrogateescape")
        after = np.searchsorted(ends, index, side="right")
        end = int(ends[after]) if after < len(ends) else None
        last = len(lines) if end is None else end
        span = _Span(name, index, index + 1, last, has_end=end is not None)
        if name == only:
            return [span]
        documents.pop(name, None)
        documents[name] = span
    return list(documents.values()) if only is None else []


_NONE_MARKS = b"-_*"


def _bracket_rows(lines: Lines, spans: list[_Span]) -> tuple[BracketRows, _TokenRows]:
    """Find the rows of each document that may hold brackets, and all its tokens."""
    is_token = ~lines.is_blank()
    tokens_before = np.concatenate(([0], np.cumsum(is_token)))
    end = _content_end(lines)
    last_byte = lines.bytes_[end - 1]
    is_empty: Mask = last_byte == TAB
    is_alone: Mask = lines.bytes_[np.maximum(end - 2, 0)] == TAB
    has_no_mention = is_empty | (is_one_of(last_byte, _NONE_MARKS) & is_alone)
    candidates = np.flatnonzero(is_token & ~has_no_mention)
    rows = [
        candidates[slice(*np.searchsorted(candidates, (span.first, span.last)))]
        for span in spans
    ]
    first = tokens_before[[span.first for span in spans]]
    last = tokens_before[[span.last for span in spans]]
    document = np.repeat(np.arange(len(spans)), [len(inside) for inside in rows])
    row = np.concatenate([candidates[:0], *rows])
    token = tokens_before[row] - first[document]
    bounds = list(zip(first.tolist(), last.tolist(), strict=True))
    return (
        BracketRows(lines, row, end[row], token, document),
        _TokenRows(np.flatnonzero(is_token), bounds),
    )


def _content_end(lines: Lines) -> Ints:
    """Return the end of each line without its last tabs: empty columns do not count.

    Tabs before a CR stay, because the CR is the last column (CorScorer.pm:256).
    """
    end = lines.end.copy()
    has_return = lines.bytes_[end] == RETURN
    moving = np.flatnonzero((end > lines.start) & ~has_return)
    while len(moving):
        moving = moving[lines.bytes_[end[moving] - 1] == TAB]
        end[moving] -= 1
        moving = moving[end[moving] > lines.start[moving]]
    return end


def _read_rows(
    lines: Lines, rows: Ints, tokens: Ints, stack: BracketStack, source: str
) -> None:
    """Read the brackets of a document row by row."""
    for row, token in zip(rows.tolist(), tokens.tolist(), strict=True):
        text = _cell(lines[row])
        if text == b"_" or (b"(" not in text and b")" not in text):
            continue
        for label in stack.take(_parse_cell(text), token, row + 1):
            problem = f"entity {shown(label)} is closed here but was never opened"
            raise _refusal(UNOPENED_BRACKET, problem, lines, row, source)


def _refusal(
    rule: Rule, problem: str, lines: Lines, row: int, source: str
) -> FormatError:
    return FormatError(
        problem,
        rule=rule,
        source=source,
        line=row + 1,
        text=shown(lines[row]),
        hint="The reference scorer rejects such a document. 'scoref KEY RESPONSE' may "
        "read it, with --lenient if necessary.",
    )


def _cell(line: bytes) -> bytes:
    return line.rstrip(b"\t").rpartition(b"\t")[2]


_SINGLE = re.compile(rb"\((\d+)\)")
_OPENING = re.compile(rb"\((\d+)")
_CLOSING = re.compile(rb"(\d+)\)")


def _parse_cell(text: bytes) -> BracketCell:
    """Remove brackets from a cell in four passes; each pass joins the text around them.

    >>> _parse_cell(b"(1(2)3)").single
    (b'2', b'13')
    """
    _, text = _take(_DISCARDED, text)
    single, text = _take(_SINGLE, text)
    # Removing an opening bracket cannot create another one.
    opening, text = tuple(_OPENING.findall(text)), _OPENING.sub(b"", text)
    return BracketCell(single, opening, tuple(_CLOSING.findall(text)))


def _take(pattern: re.Pattern[bytes], text: bytes) -> tuple[tuple[bytes, ...], bytes]:
    """Remove the leftmost match as long as there is one; return labels and rest.

    The text around a match is joined and may match again. Such a match starts at the
    last opening bracket, but not before a closing bracket that stays.
    """
    labels, kept, stop = [], bytearray(), 0
    *parts, last = text.split(b")")
    for part in parts:
        kept += part
        start = max(stop, kept.rfind(b"(", stop))
        if match := pattern.fullmatch(bytes(kept[start:]) + b")"):
            labels.append(match[1])
            del kept[start:]
        else:
            kept += b")"
            stop = len(kept)
    return tuple(labels), bytes(kept) + last

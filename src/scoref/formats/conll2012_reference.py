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
from scoref.formats.input_files import RETURN, TAB, Lines, shown
from scoref.model import DocumentName
from scoref.rules import UNCLOSED_BRACKET, UNOPENED_BRACKET

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints
    from scoref.rules import Rule


_BEGIN = re.compile(rb"#\s*begin document (.*)")
_END = re.compile(rb"#[^\S\n]*+end document")
_DISCARDED = re.compile(rb"\((\d+\+\d)\)")
_SINGLE = re.compile(rb"\((\d+)\)")
_OPENING = re.compile(rb"\((\d+)")
_CLOSING = re.compile(rb"(\d+)\)")
_NONE_MARKS = list(b"-_*")


class _Span(NamedTuple):
    """One document: its name, its begin line and the lines after it."""

    name: str
    begin: int
    first: int
    last: int
    has_end: bool


def read(data: bytes, *, source: str, only: str | None = None) -> Corpus:
    """Read all documents, or the first one called ``only``."""
    lines = Lines.of(data)
    spans = _spans(lines, only)
    places, tokens = _places(lines, spans)
    builder = CorpusBuilder(source, CONLL_2012)
    for span, length in zip(spans, tokens, strict=True):
        name = DocumentName(span.name, document_name(span.name).aliases)
        builder.add_document(name, line=span.begin + 1, tokens=length)
    columns = bracket_columns(places, digits_only=True)
    if columns is not None:
        return columns.build(builder)
    for document, span in enumerate(spans):
        here = slice(*np.searchsorted(places.document, (document, document + 1)))
        stack = BracketStack(builder, document)
        try:
            _read_rows(lines, places.row[here], places.token[here], stack, source)
            if span.has_end:
                _check_closed(lines, stack, source)
        except FormatError as fault:
            builder.faults[document] = fault
    return builder.build()


def discarded_labels(data: bytes, *, only: str | None = None) -> dict[str, list[str]]:
    r"""List, by document, the "double antecedents" that its cells lose.

    >>> discarded_labels(b"#begin document a\n(1+2)|(3)\n")
    {'a': ['(1+2)']}
    """
    if not _DISCARDED.search(data):
        return {}
    lines = Lines.of(data)
    spans = _spans(lines, only)
    places, _ = _places(lines, spans)
    found: dict[str, list[str]] = {span.name: [] for span in spans}
    for row, document in zip(
        places.row.tolist(), places.document.tolist(), strict=True
    ):
        labels, _ = _take(_DISCARDED, _cell(lines[row]))
        found[spans[document].name] += [f"({shown(label)})" for label in labels]
    return found


def _spans(lines: Lines, only: str | None) -> list[_Span]:
    """Find the documents: the last one of each name, or the first of one."""
    places = [match.start() for match in _END.finditer(lines.data)]
    ends = np.searchsorted(lines.start, places, side="right") - 1
    found: dict[str, _Span] = {}
    for index in np.flatnonzero(lines.first_byte() == ord("#")).tolist():
        begin = _BEGIN.match(lines[index])
        if not begin:
            continue
        # Surrogates keep names that are not UTF-8 apart.
        name = begin[1].decode("utf-8", "surrogateescape")
        after = np.searchsorted(ends, index, side="right")
        end = int(ends[after]) if after < len(ends) else None
        last = len(lines) if end is None else end
        span = _Span(name, index, index + 1, last, has_end=end is not None)
        if name == only:
            return [span]
        found.pop(name, None)
        found[name] = span
    return list(found.values()) if only is None else []


def _places(lines: Lines, spans: list[_Span]) -> tuple[BracketRows, list[int]]:
    """Find each document's rows that may hold brackets, and count its tokens."""
    is_token = ~lines.is_blank()
    tokens_before = np.concatenate(([0], np.cumsum(is_token)))
    end = _content_end(lines)
    candidates = np.flatnonzero(is_token & _may_hold_brackets(lines, end))
    rows = [
        candidates[slice(*np.searchsorted(candidates, (span.first, span.last)))]
        for span in spans
    ]
    first = tokens_before[[span.first for span in spans]]
    last = tokens_before[[span.last for span in spans]]
    document = np.repeat(np.arange(len(spans)), [len(inside) for inside in rows])
    row = np.concatenate([candidates[:0], *rows])
    token = tokens_before[row] - first[document]
    return BracketRows(lines, row, end[row], token, document), (last - first).tolist()


def _content_end(lines: Lines) -> Ints:
    """Give each line's end without the tabs there: empty columns do not count.

    Tabs before a return stay: it is the last column, as CorScorer.pm:256 splits.
    """
    end = lines.end.copy()
    has_return = lines.bytes_[end] == RETURN
    moving = np.flatnonzero((end > lines.start) & ~has_return)
    while len(moving):
        moving = moving[lines.bytes_[end[moving] - 1] == TAB]
        end[moving] -= 1
        moving = moving[end[moving] > lines.start[moving]]
    return end


def _may_hold_brackets(lines: Lines, end: Ints) -> NDArray[np.bool_]:
    """Leave out the rows whose last column is empty or one of the single marks."""
    last = lines.bytes_[end - 1]
    is_alone: NDArray[np.bool_] = lines.bytes_[np.maximum(end - 2, 0)] == TAB
    is_empty: NDArray[np.bool_] = last == TAB
    return ~(is_empty | (np.isin(last, _NONE_MARKS) & is_alone))


def _read_rows(
    lines: Lines, rows: Ints, tokens: Ints, stack: BracketStack, source: str
) -> None:
    for row, token in zip(rows.tolist(), tokens.tolist(), strict=True):
        text = _cell(lines[row])
        if text == b"_" or (b"(" not in text and b")" not in text):
            continue
        for label in stack.take(_parse(text), token, row + 1):
            problem = f"entity {shown(label)} is closed here but was never opened"
            raise _refusal(UNOPENED_BRACKET, problem, lines, row, source)


def _check_closed(lines: Lines, stack: BracketStack, source: str) -> None:
    # At the end of the file nobody looks: such mentions are dropped.
    for (_, line), label in stack.open_brackets():
        problem = f"entity {shown(label)} is opened here but never closed"
        raise _refusal(UNCLOSED_BRACKET, problem, lines, line - 1, source)


def _refusal(
    rule: Rule, problem: str, lines: Lines, row: int, source: str
) -> FormatError:
    return FormatError(
        problem,
        rule=rule,
        source=source,
        line=row + 1,
        text=shown(lines[row]),
        hint="the reference scorer refuses such a document; 'scoref KEY RESPONSE' "
        "reads it in its own way, with --lenient if need be",
    )


def _cell(line: bytes) -> bytes:
    return line.rstrip(b"\t").rpartition(b"\t")[2]


def _parse(text: bytes) -> BracketCell:
    """Take brackets out of a cell in four passes; what they leave closes up.

    >>> _parse(b"(1(2)3)").single
    (b'2', b'13')
    """
    _, text = _take(_DISCARDED, text)
    single, text = _take(_SINGLE, text)
    # What these leave cannot become another one of them.
    opening, text = tuple(_OPENING.findall(text)), _OPENING.sub(b"", text)
    return BracketCell(single, opening, tuple(_CLOSING.findall(text)))


def _take(pattern: re.Pattern[bytes], text: bytes) -> tuple[tuple[bytes, ...], bytes]:
    """Remove the leftmost brackets as long as there are any; return what was caught.

    What stands around them closes up and may be brackets again, which then reach back
    to the last that opens, but not beyond a closing one that stays.
    """
    labels, kept, stop = [], bytearray(), 0
    *parts, last = text.split(b")")
    for part in parts:
        kept += part
        start = max(stop, kept.rfind(b"(", stop))
        if found := pattern.fullmatch(bytes(kept[start:]) + b")"):
            labels.append(found[1])
            del kept[start:]
        else:
            kept += b")"
            stop = len(kept)
    return tuple(labels), bytes(kept) + last

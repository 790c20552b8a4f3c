"""CoNLL-2012 as the Perl reference scorer v8.01 reads it, byte for byte.

What that means, and where it surprises:

- A document starts at a line ``#begin document NAME``, where NAME is the whole
  rest of the line, and runs to the next line that holds ``#end document``
  anywhere, or to the end of the file: through other documents, if need be.
- Every line that is not blank is a token: comments and begin lines, too.
- Columns are separated by tabs alone, and empty ones at the end do not count.
  A line without a tab is one column.
- Labels are digits. Anything in a cell that is no bracket around digits is
  ignored, so that ``(a)`` says nothing and ``(e1)`` closes a mention of 1.
- If a name comes twice, the last document of that name counts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError
from scoref.formats._brackets import BracketStack, Cell
from scoref.formats._text import TAB, Lines, shown
from scoref.model import CorpusBuilder, DocumentName

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints

NAME = "conll-2012"

_BEGIN = re.compile(rb"#\s*begin document (.*)")
_END = re.compile(rb"#[^\S\n]*end document")
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
    is_token = ~lines.is_blank()
    tokens_before = np.concatenate(([0], np.cumsum(is_token)))
    rows = np.flatnonzero(is_token & _may_hold_brackets(lines))
    builder = CorpusBuilder(source, NAME)
    for span in _spans(lines, only):
        before, after = tokens_before[span.first], tokens_before[span.last]
        document = builder.add_document(
            DocumentName.plain(span.name),
            line=span.begin + 1,
            tokens=int(after - before),
        )
        inside = rows[slice(*np.searchsorted(rows, (span.first, span.last)))]
        stack = BracketStack(builder, document)
        try:
            _read_rows(lines, inside, tokens_before[inside] - before, stack, source)
            if span.has_end:
                _check_closed(lines, stack, source)
        except FormatError as fault:
            builder.faults[document] = fault
    return builder.build()


def discarded(data: bytes, *, only: str | None = None) -> dict[str, list[str]]:
    r"""List, by document, the "double antecedents" that its cells lose.

    >>> discarded(b"#begin document a\n(1+2)|(3)\n")
    {'a': ['(1+2)']}
    """
    if not _DISCARDED.search(data):
        return {}
    lines = Lines.of(data)
    return {
        span.name: [
            f"({shown(label)})"
            for row in range(span.first, span.last)
            for label in _take(_DISCARDED, _cell(lines[row]))[0]
        ]
        for span in _spans(lines, only)
    }


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
        end = next(iter(ends[np.searchsorted(ends, index) :].tolist()), None)
        last = len(lines) if end is None else end
        span = _Span(name, index, index + 1, last, has_end=end is not None)
        if name == only:
            return [span]
        found.pop(name, None)
        found[name] = span
    return list(found.values()) if only is None else []


def _may_hold_brackets(lines: Lines) -> NDArray[np.bool_]:
    alone: NDArray[np.bool_] = lines.last_byte(2) == TAB
    return ~(np.isin(lines.last_byte(), _NONE_MARKS) & alone)


def _read_rows(
    lines: Lines, rows: Ints, tokens: Ints, stack: BracketStack, source: str
) -> None:
    for row, token in zip(rows.tolist(), tokens.tolist(), strict=True):
        text = _cell(lines[row])
        if text == b"_" or (b"(" not in text and b")" not in text):
            continue
        for label in stack.take(_parse(text), token, row + 1):
            problem = f"entity {shown(label)} is closed here but was never opened"
            raise _refusal(problem, lines, row, source)


def _check_closed(lines: Lines, stack: BracketStack, source: str) -> None:
    # At the end of the file nobody looks: such mentions are dropped.
    for (_, line), label in stack.unclosed():
        problem = f"entity {shown(label)} is opened here but never closed"
        raise _refusal(problem, lines, line - 1, source)


def _refusal(problem: str, lines: Lines, row: int, source: str) -> FormatError:
    return FormatError(
        problem,
        source=source,
        line=row + 1,
        text=shown(lines[row]),
        hint="the reference scorer refuses such a document; to score it all the "
        "same, leave out --scheme conll-2012 and add --lenient",
    )


def _cell(line: bytes) -> bytes:
    return line.rstrip(b"\t").rpartition(b"\t")[2]


def _parse(text: bytes) -> Cell:
    """Take brackets out of a cell in four passes; what they leave closes up.

    >>> _parse(b"(1(2)3)").single
    (b'2', b'13')
    """
    _, text = _take(_DISCARDED, text)
    single, text = _take(_SINGLE, text)
    opening, text = _take(_OPENING, text)
    closing, _ = _take(_CLOSING, text)
    return Cell(single, opening, closing)


def _take(pattern: re.Pattern[bytes], text: bytes) -> tuple[tuple[bytes, ...], bytes]:
    """Remove the leftmost match as long as there is one; return what was caught."""
    labels = []
    while found := pattern.search(text):
        labels.append(found[1])
        text = text[: found.start()] + text[found.end() :]
    return tuple(labels), text

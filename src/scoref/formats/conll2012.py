"""The strict and lenient reader of CoNLL-2012.

    #begin document (bc/cctv/00/cctv_0000); part 000
    bc/cctv/00/cctv_0000   0   0   Vandenberg  NNP   (8|(0)
    bc/cctv/00/cctv_0000   0   1   and         CC    -
    bc/cctv/00/cctv_0000   0   2   Rayburn     NNP   (23)|8)
    #end document

Each row is a token, and its last column holds the brackets of the mentions that start
or end there. There may be any number of columns, separated by tabs or by blanks.
A label is any text without brackets and bars. An empty column, ``-``, ``_`` and ``*``
mean that no mention starts or ends.

Some faults that the reference scorer accepts silently are errors here. The module
`conll2012_reference` reads files as the reference scorer does.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import Blamed, FormatError
from scoref.formats.brackets import (
    BracketCell,
    BracketRows,
    BracketStack,
    bracket_columns,
)
from scoref.formats.builder import CorpusBuilder, Faults
from scoref.formats.catalogue import CONLL_2012
from scoref.formats.input_files import BLANK, TAB, Lines, shown, without_bom
from scoref.model import DocumentName
from scoref.rules import (
    NO_DOCUMENT,
    REPEATED_DOCUMENT,
    ROW_OUTSIDE_DOCUMENT,
    UNCLOSED_BRACKET,
    UNOPENED_BRACKET,
    UNREADABLE_CELL,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Corpus
    from scoref.rules import Rule

    Mask = NDArray[np.bool_]


_BEGIN = re.compile(rb"#\s*begin document\b\s*(.*)")
_END = re.compile(rb"#\s*end document\b")
_NAME_AND_PART = re.compile(r"\((?P<name>.*)\)\s*;?\s*(?:part\s+0*(?P<part>\d+))?")
_NONE = frozenset((b"", b"-", b"_", b"*"))
_SHOWN = 30
_LABEL = re.compile(r"[^()|]+")
_NONE_MARKS = list(b"-_*")
_BRACKET = re.compile(rb"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)")
# Nothing is given back: a cell can be read in one way only, and trying others takes
# exponential time.
_CELL = re.compile(rb"(?:\|*+(?:\([^()|]++\)?+|[^()|]++\)))++\|*+")


class _Span(NamedTuple):
    """One document: its name, its begin line and the rows after it."""

    name: DocumentName
    begin: int
    first: int
    last: int


def read(data: bytes, *, source: str, lenient: bool = False) -> Corpus:
    """Read a whole file; with ``lenient``, pass over what cannot be read."""
    faults = _ConllFaults(source, lenient=lenient)
    lines = Lines.of(without_bom(data))
    is_token, begins, ends = classify_lines(lines)
    faults.is_marked = bool(begins)
    spans = _spans(lines, is_token, begins, ends)
    spans = faults.check_documents(lines, is_token, spans)
    is_token &= _inside(spans, len(lines))
    tokens_before = np.concatenate(([0], np.cumsum(is_token)))
    builder = CorpusBuilder(source, CONLL_2012)
    for span in spans:
        tokens = tokens_before[span.last] - tokens_before[span.first]
        builder.add_document(span.name, line=span.begin + 1, tokens=int(tokens))
    rows = np.flatnonzero(is_token & _may_hold_brackets(lines, is_token))
    first = np.array([span.first for span in spans])
    document = np.searchsorted(first, rows, side="right") - 1
    token = tokens_before[rows] - tokens_before[first[document]]
    places = BracketRows(lines, rows, lines.end[rows], token, document)
    columns = bracket_columns(places)
    if columns is None:
        _read_one_by_one(places, builder, faults)
        return builder.build(faults.notes())
    return columns.build(builder, faults.notes())


def document_name(text: str) -> DocumentName:
    """Understand what stands behind `#begin document`.

    >>> document_name("(bc/cctv); part 000").aliases
    ('bc/cctv_0', 'bc/cctv')
    >>> document_name("GUM_news_iodine").aliases
    ('GUM_news_iodine',)
    """
    text = text.strip()
    found = _NAME_AND_PART.fullmatch(text)
    if found is None:
        return DocumentName.plain(text)
    name, part = found["name"], found["part"]
    if part is None:
        return DocumentName(text, (name,))
    # The neural systems' JSON lines call part 3 of x "x_3".
    numbered = f"{name}_{part}"
    return DocumentName(text, (numbered, name) if part == "0" else (numbered,))


def classify_lines(lines: Lines) -> tuple[Mask, dict[int, DocumentName], set[int]]:
    """Tell tokens, begin lines and end lines; the rest are comments and blanks."""
    is_token = ~lines.is_blank()
    hashes = np.flatnonzero(lines.first_byte() == ord("#"))
    is_token[hashes] = False
    begins: dict[int, DocumentName] = {}
    ends: set[int] = set()
    for index in hashes.tolist():
        line = lines[index]
        if found := _BEGIN.match(line):
            begins[index] = document_name(shown(found[1]))
        elif _END.match(line):
            ends.add(index)
    known = ends | begins.keys()
    comments = [index for index in hashes.tolist() if index not in known]
    _restore_number_signs(lines, is_token, comments)
    return is_token, begins, ends


def _restore_number_signs(lines: Lines, is_token: Mask, comments: list[int]) -> None:
    """Tell the word '#', in a file that starts with words, from a comment."""
    if not comments or not is_token.any():
        return
    tabs = lines[int(np.argmax(is_token))].count(b"\t")
    for index in comments:
        line = lines[index]
        if tabs and line.count(b"\t") == tabs:
            is_token[index] = _parse(_last_column(line)).is_clean


def _spans(
    lines: Lines, is_token: Mask, begins: dict[int, DocumentName], ends: set[int]
) -> list[_Span]:
    """Cut the file into documents: each ends at its end line or the next begin."""
    if not begins and not ends and is_token.any():
        return [_Span(DocumentName.plain(""), 0, 0, len(lines))]
    bounds = sorted({*begins, *ends, len(lines)})
    following = dict(pairwise(bounds))
    return [_Span(name, at, at + 1, following[at]) for at, name in begins.items()]


def _inside(spans: list[_Span], length: int) -> Mask:
    """Mark the lines that belong to some document."""
    inside = np.zeros(length, dtype=np.bool_)
    for span in spans:
        inside[span.first : span.last] = True
    return inside


def _may_hold_brackets(lines: Lines, is_token: Mask) -> Mask:
    """Leave out the rows whose last column says at a glance: no mention."""
    last, before = lines.last_byte(), lines.last_byte(2)
    alone: Mask = np.isin(before, (TAB, BLANK)) | (lines.end - lines.start == 1)
    says_none = np.isin(last, _NONE_MARKS)
    ends_in_tab = is_token & (last == TAB)
    return ~((says_none & alone) | _empty_column(lines, is_token, ends_in_tab))


def _empty_column(lines: Lines, is_token: Mask, ends_in_tab: Mask) -> Mask:
    """Mark rows that end in a tab because their last column is empty.

    LitBank leaves the column empty; other files have a tab too many. A row that
    does not end in a tab shows how many columns there are.
    """
    if not ends_in_tab.any():
        return ends_in_tab
    tabs = lines.count(TAB)
    others = np.flatnonzero(is_token & ~ends_in_tab & (tabs > 0))
    if len(others):
        no_more_than_usual: Mask = tabs <= tabs[others[0]]
        return ends_in_tab & no_more_than_usual
    rows = (lines[index] for index in np.flatnonzero(ends_in_tab).tolist())
    if all(_parse(_last_column(row)).is_clean for row in rows):
        return np.zeros_like(ends_in_tab)
    return ends_in_tab


def _read_one_by_one(
    places: BracketRows, builder: CorpusBuilder, faults: _ConllFaults
) -> None:
    """Open and close mentions row by row, and report what is wrong."""
    lines, rows, _, token, document = places
    bounds = np.searchsorted(document, range(len(builder.documents) + 1))
    for number, (first, last) in enumerate(pairwise(bounds.tolist())):
        stack = BracketStack(builder, number)
        here = slice(first, last)
        for row, at in zip(rows[here].tolist(), token[here].tolist(), strict=True):
            text = _last_column(lines[row])
            cell = _parse(text)
            if not cell.is_clean:
                faults.cell(lines, row, text)
                continue
            for label in stack.take(cell, at, row + 1):
                faults.unopened(lines, row, label)
        for (_, line), label in stack.open_brackets():
            faults.unclosed(lines, line - 1, label)


def _last_column(line: bytes) -> bytes:
    line = line.rstrip()
    tab = line.rfind(b"\t")
    if tab >= 0:
        return line[tab + 1 :].lstrip()
    return line.rsplit(None, 1)[-1] if line else line


def _parse(text: bytes) -> BracketCell:
    """Read the brackets of a cell; of one that is not clean, none.

    >>> _parse(b"(person-6(2)|7)")[:3]
    ((b'2',), (b'person-6',), (b'7',))
    """
    if text in _NONE:
        return BracketCell()
    if not _CELL.fullmatch(text):
        return BracketCell(is_clean=False)
    brackets = _BRACKET.findall(text)
    single, opening, closing = (
        tuple(found[kind] for found in brackets if found[kind]) for kind in range(3)
    )
    return BracketCell(single, opening, closing)


class _ConllFaults(Faults):
    """What can be wrong with CoNLL-2012, in words."""

    def __init__(self, source: str, *, lenient: bool) -> None:
        super().__init__(source, lenient=lenient)
        self.is_marked = True  # by lines '#begin document'
        self._row, self._text = -1, ""
        self._places: dict[str, tuple[int, int]] = {}

    def check_documents(
        self, lines: Lines, is_token: Mask, spans: list[_Span]
    ) -> list[_Span]:
        """Refuse a file without documents, rows outside them, and namesakes."""
        if not spans:
            raise FormatError(
                "there is no document in this file",
                rule=NO_DOCUMENT,
                source=self.source,
                hint="expected '#begin document (name); part 000' and a row a token",
            )
        outside = is_token & ~_inside(spans, len(lines))
        for row in np.flatnonzero(outside).tolist():
            self.report(
                "rows-outside-documents",
                FormatError(
                    "this row stands outside any document",
                    rule=ROW_OUTSIDE_DOCUMENT,
                    source=self.source,
                    line=row + 1,
                    text=shown(lines[row]),
                    hint="expected a line '#begin document ...' above it",
                ),
            )
        return self._without_namesakes(lines, spans)

    def _without_namesakes(self, lines: Lines, spans: list[_Span]) -> list[_Span]:
        first: dict[str, _Span] = {}
        for span in spans:
            earlier = first.setdefault(span.name.aliases[0], span)
            if earlier is not span:
                self.report(
                    "repeated-documents",
                    FormatError(
                        f"document '{span.name.name}' comes a second time "
                        f"(first in line {earlier.begin + 1})",
                        rule=REPEATED_DOCUMENT,
                        source=self.source,
                        line=span.begin + 1,
                        text=shown(lines[span.begin]),
                        blamed=Blamed("document", span.name.name),
                        hint="give every document of a file a name of its own",
                    ),
                )
        return list(first.values())

    def cell(self, lines: Lines, row: int, text: bytes) -> None:
        """Report a last column that is neither brackets nor one of the blanks."""
        hint = "the last column holds '-' or brackets such as '(3', '3)' or '(3)|4)'"
        if not self.is_marked:
            hint = "there is no line '#begin document' either: is this CoNLL-2012?"
        if b"Entity=" in lines[row]:
            hint = "this looks like CorefUD: CoNLL-U with Entity= in its last column"
        if lines[row][:1] in b"[{":
            hint = "if this is JSON, write one object a line: JSON lines"
        problem = f"'{_brief(text)}' is no coreference annotation"
        self._bracket(UNREADABLE_CELL, problem, lines, row, text, hint)

    def unopened(self, lines: Lines, row: int, label: bytes) -> None:
        """Report an end without a beginning."""
        name = _brief(label)
        problem = f"entity {name} is closed here but was never opened"
        hint = f"expected an earlier token with '({name}'"
        self._bracket(UNOPENED_BRACKET, problem, lines, row, label + b")", hint)

    def unclosed(self, lines: Lines, row: int, label: bytes) -> None:
        """Report a beginning without an end."""
        name = _brief(label)
        problem = f"entity {name} is opened here but never closed in this document"
        hint = f"expected a later token with '{name})'"
        self._bracket(UNCLOSED_BRACKET, problem, lines, row, b"(" + label, hint)

    def _bracket(
        self, rule: Rule, problem: str, lines: Lines, row: int, text: bytes, hint: str
    ) -> None:
        # A row may have thousands of faults: it is looked through once.
        if self._row != row:
            self._row, self._text = row, shown(lines[row])
            self._places = _places(self._text, shown(_last_column(lines[row])))
        error = FormatError(
            problem,
            rule=rule,
            source=self.source,
            line=row + 1,
            text=self._text,
            span=self._places.get(shown(text)),
            hint=hint,
        )
        self.report(f"{rule.name}s", error)


def _brief(text: bytes) -> str:
    """Show the beginning of a label or a cell."""
    found = shown(text[: 4 * _SHOWN + 4])
    return found if len(found) <= _SHOWN else found[:_SHOWN] + "…"


def _places(line: str, column: str) -> dict[str, tuple[int, int]]:
    """Find the last place of each bracket of a line, and of the whole column."""
    first = line.rfind(column)
    found = {column: (first, first + len(column))}
    for label in _LABEL.finditer(line, first, first + len(column)):
        start, end = label.span()
        if line[start - 1] == "(":
            found[f"({label[0]}"] = start - 1, end
        if line[end : end + 1] == ")":
            found[f"{label[0]})"] = start, end + 1
    return found

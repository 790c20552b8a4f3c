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

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.errors import Blamed, FormatError
from scoref.formats.brackets import (
    BracketCell,
    BracketRows,
    BracketStack,
    bracket_columns,
)
from scoref.formats.builder import CorpusBuilder, Faults
from scoref.formats.catalogue import CONLL_2012
from scoref.formats.detection import is_records
from scoref.formats.input_files import TAB, Lines, is_one_of, shown, without_bom
from scoref.formats.word_column import WordColumn
from scoref.lazy import pattern
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


_UNMARKED = (
    "The file has no '#begin document' line either. Is it CoNLL-2012? See `scoref "
    "formats`, or use `scoref llm` for answers of language models."
)

_RECORDS = (
    "This looks like a table. Use `scoref table` to score clusterings of records, or "
    "`scoref curve` to score pairs with probabilities."
)

_SAMPLE = 1 << 16


class _Span(NamedTuple):
    """A document: its name, its begin line, and the range of its lines."""

    name: DocumentName
    begin: int
    first: int
    last: int


def read(data: bytes, *, source: str, lenient: bool = False) -> Corpus:
    """Read a whole file; with ``lenient``, skip what cannot be read."""
    faults = _ConllFaults(source, lenient=lenient)
    lines = Lines.of(without_bom(data))
    is_token, begins, ends = classify_lines(lines)
    faults.is_marked = bool(begins)
    if not begins and not ends and is_token.any():
        spans = [_Span(DocumentName.plain(""), 0, 0, len(lines))]
    else:
        # A document ends at its end line or at the next begin line.
        following = dict(pairwise(sorted({*begins, *ends, len(lines)})))
        spans = [_Span(name, at, at + 1, following[at]) for at, name in begins.items()]
    spans = faults.check_documents(lines, is_token, spans)
    is_token &= _inside(spans, len(lines))
    tokens_before = np.concatenate(([0], np.cumsum(is_token)))
    builder = CorpusBuilder(source, CONLL_2012)
    for span in spans:
        tokens = tokens_before[span.last] - tokens_before[span.first]
        builder.add_document(span.name, line=span.begin + 1, tokens=int(tokens))
    words = WordColumn.of(lines, np.flatnonzero(is_token))
    builder.document_checksum = words.checksums(
        (tokens_before[span.first], tokens_before[span.last]) for span in spans
    )
    rows = np.flatnonzero(is_token & ~_has_no_mention(lines, is_token, words.tabs))
    first = np.array([span.first for span in spans])
    document = np.searchsorted(first, rows, side="right") - 1
    token = tokens_before[rows] - tokens_before[first[document]]
    places = BracketRows(lines, rows, lines.end[rows], token, document)
    columns = bracket_columns(places)
    if columns is None:
        _read_row_by_row(places, builder, faults)
        return builder.build(faults.notes())
    return columns.build(builder, faults.notes())


_NAME_AND_PART = pattern(r"\((?P<name>.*)\)\s*;?\s*(?:part\s+0*(?P<part>\d+))?")


def document_name(text: str) -> DocumentName:
    """Parse the text after `#begin document`.

    >>> document_name("(bc/cctv); part 000").aliases
    ('bc/cctv_0', 'bc/cctv')
    >>> document_name("GUM_news_iodine").aliases
    ('GUM_news_iodine',)
    """
    text = text.strip()
    match = _NAME_AND_PART.fullmatch(text)
    if match is None:
        return DocumentName.plain(text)
    name, part = match["name"], match["part"]
    if part is None:
        return DocumentName(text, (name,))
    # The neural systems' JSON lines call part 3 of x "x_3".
    numbered = f"{name}_{part}"
    return DocumentName(text, (numbered, name) if part == "0" else (numbered,))


_BEGIN = pattern(rb"#\s*begin document\b\s*(.*)")
_END = pattern(rb"#\s*end document\b")


def classify_lines(lines: Lines) -> tuple[Mask, dict[int, DocumentName], set[int]]:
    """Find the tokens, begin lines and end lines; the rest is comments and blanks.

    A line that starts with '#' is a comment, or a token whose first column is the word
    '#'. It is a token if it has as many tabs as the first token and ends in brackets.
    """
    is_token = ~lines.is_blank()
    hashes = np.flatnonzero(lines.first_byte() == ord("#"))
    is_token[hashes] = False
    begins: dict[int, DocumentName] = {}
    ends: set[int] = set()
    others: list[int] = []
    for index in hashes.tolist():
        line = lines[index]
        if match := _BEGIN.match(line):
            begins[index] = document_name(shown(match[1]))
        elif _END.match(line):
            ends.add(index)
        else:
            others.append(index)
    if others and is_token.any():
        tabs = lines[int(np.argmax(is_token))].count(b"\t")
        for index in others:
            if tabs and lines[index].count(b"\t") == tabs:
                is_token[index] = _parse(_last_column(lines[index])).is_clean
    return is_token, begins, ends


def _inside(spans: list[_Span], length: int) -> Mask:
    """Mark the lines that belong to a document."""
    inside = np.zeros(length, dtype=np.bool_)
    for span in spans:
        inside[span.first : span.last] = True
    return inside


_NONE = frozenset((b"", b"-", b"_", b"*"))
_NONE_MARKS = b"-_*"


def _has_no_mention(
    lines: Lines, is_token: Mask, token_tabs: NDArray[np.int32]
) -> Mask:
    """Mark the rows whose last column is empty or one of the marks for no mention.

    LitBank leaves the column empty, so that rows end in a tab. Other files have a tab
    too many. A row that does not end in a tab shows how many columns there are.
    """
    last, before = lines.last_byte(), lines.last_byte(2)
    is_alone: Mask = is_one_of(before, b"\t ") | (lines.end - lines.start == 1)
    has_none: Mask = is_one_of(last, _NONE_MARKS) & is_alone
    ends_in_tab = is_token & (last == TAB)
    if not ends_in_tab.any():
        return has_none
    tabs = np.zeros(len(lines), dtype=np.int32)
    tabs[is_token] = token_tabs
    others = np.flatnonzero(is_token & ~ends_in_tab & (tabs > 0))
    if len(others):
        has_none |= ends_in_tab & (tabs <= tabs[others[0]])
        return has_none
    rows = (lines[index] for index in np.flatnonzero(ends_in_tab).tolist())
    if not all(_parse(_last_column(row)).is_clean for row in rows):
        has_none |= ends_in_tab
    return has_none


def _read_row_by_row(
    places: BracketRows, builder: CorpusBuilder, faults: _ConllFaults
) -> None:
    """Read the brackets row by row, and report faults."""
    lines, rows, _, token, document = places
    bounds = np.searchsorted(document, range(len(builder.documents) + 1))
    for number, (first, last) in enumerate(pairwise(bounds.tolist())):
        stack = BracketStack(builder, number)
        here = slice(first, last)
        for row, at in zip(rows[here].tolist(), token[here].tolist(), strict=True):
            text = _last_column(lines[row])
            cell = _parse(text)
            if not cell.is_clean:
                faults.report_cell(lines, row, text)
                continue
            for label in stack.take(cell, at, row + 1):
                faults.report_unopened(lines, row, label)
        for (_, line), label in stack.open_brackets():
            faults.report_unclosed(lines, line - 1, label)


def _last_column(line: bytes) -> bytes:
    line = line.rstrip()
    tab = line.rfind(b"\t")
    if tab >= 0:
        return line[tab + 1 :].lstrip()
    return line.rsplit(None, 1)[-1] if line else line


_BRACKET = pattern(rb"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)")
# Possessive quantifiers: there is only one way to read a cell, and backtracking would
# take exponential time.
_CELL = pattern(rb"(?:\|*+(?:\([^()|]++\)?+|[^()|]++\)))++\|*+")


def _parse(text: bytes) -> BracketCell:
    """Read the brackets of a cell; a cell that is not clean has none.

    >>> _parse(b"(person-6(2)|7)")[:3]
    ((b'2',), (b'person-6',), (b'7',))
    """
    if text in _NONE:
        return BracketCell()
    if not _CELL.fullmatch(text):
        return BracketCell(is_clean=False)
    brackets = _BRACKET.findall(text)
    single, opening, closing = (
        tuple(labels[kind] for labels in brackets if labels[kind]) for kind in range(3)
    )
    return BracketCell(single, opening, closing)


class _ConllFaults(Faults):
    """The faults of a CoNLL-2012 file, with their messages."""

    def __init__(self, source: str, *, lenient: bool) -> None:
        super().__init__(source, lenient=lenient)
        self.is_marked = True  # by lines '#begin document'
        self._row, self._text = -1, ""
        self._places: dict[str, tuple[int, int]] = {}

    def check_documents(
        self, lines: Lines, is_token: Mask, spans: list[_Span]
    ) -> list[_Span]:
        """Return the documents; report rows outside them, and names that repeat."""
        if not spans:
            raise FormatError(
                "this file has no document",
                rule=NO_DOCUMENT,
                source=self.source,
                hint="Expected '#begin document (name); part 000' and one row per "
                "token.",
            )
        outside = is_token & ~_inside(spans, len(lines))
        for row in np.flatnonzero(outside).tolist():
            self.report(
                "rows-outside-documents",
                FormatError(
                    "this row is outside any document",
                    rule=ROW_OUTSIDE_DOCUMENT,
                    source=self.source,
                    line=row + 1,
                    text=shown(lines[row]),
                    hint="Expected a line '#begin document ...' above it.",
                ),
            )
        first: dict[str, _Span] = {}
        for span in spans:
            earlier = first.setdefault(span.name.aliases[0], span)
            if earlier is not span:
                self.report(
                    "repeated-documents",
                    FormatError(
                        f"document '{span.name.name}' appears twice (first: line "
                        f"{earlier.begin + 1})",
                        rule=REPEATED_DOCUMENT,
                        source=self.source,
                        line=span.begin + 1,
                        text=shown(lines[span.begin]),
                        blamed=Blamed("document", span.name.name),
                        hint="Give each document of a file its own name.",
                    ),
                )
        return list(first.values())

    def report_cell(self, lines: Lines, row: int, text: bytes) -> None:
        """Report a last column that is neither brackets nor a mark for no mention."""
        hint = "The last column must be '-' or brackets such as '(3', '3)' or '(3)|4)'."
        if not self.is_marked:
            hint = _RECORDS if is_records(lines.data[:_SAMPLE]) else _UNMARKED
        if b"Entity=" in lines[row]:
            hint = "This looks like CorefUD: CoNLL-U with Entity= in its last column."
        if lines[row][:1] in b"[{":
            hint = "This looks like JSON. Omit --format (format in Python)."
        problem = f"'{_brief(text)}' is not a coreference annotation"
        self._report_bracket(UNREADABLE_CELL, problem, lines, row, text, hint)

    def report_unopened(self, lines: Lines, row: int, label: bytes) -> None:
        """Report a closing bracket without an opening one."""
        name = _brief(label)
        problem = f"entity {name} is closed here but was never opened"
        hint = f"Expected '({name}' on an earlier token."
        text = label + b")"
        self._report_bracket(UNOPENED_BRACKET, problem, lines, row, text, hint)

    def report_unclosed(self, lines: Lines, row: int, label: bytes) -> None:
        """Report an opening bracket without a closing one."""
        name = _brief(label)
        problem = f"entity {name} is opened here but never closed in this document"
        hint = f"Expected '{name})' on a later token."
        text = b"(" + label
        self._report_bracket(UNCLOSED_BRACKET, problem, lines, row, text, hint)

    def _report_bracket(
        self, rule: Rule, problem: str, lines: Lines, row: int, text: bytes, hint: str
    ) -> None:
        # A row may have thousands of faults, so its brackets are searched for once.
        if self._row != row:
            self._row, self._text = row, shown(lines[row])
            column = shown(_last_column(lines[row]))
            self._places = _bracket_places(self._text, column)
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


_SHOWN = 30


def _brief(text: bytes) -> str:
    """Shorten a label or a cell for a message."""
    beginning = shown(text[: 4 * _SHOWN + 4])
    return beginning if len(beginning) <= _SHOWN else beginning[:_SHOWN] + "…"


_LABEL = pattern(r"[^()|]+")


def _bracket_places(line: str, column: str) -> dict[str, tuple[int, int]]:
    """Return the last place of each bracket in a line, and of the whole column."""
    first = line.rfind(column)
    places = {column: (first, first + len(column))}
    for label in _LABEL.finditer(line, first, first + len(column)):
        start, end = label.span()
        if line[start - 1] == "(":
            places[f"({label[0]}"] = start - 1, end
        if line[end : end + 1] == ")":
            places[f"{label[0]})"] = start, end + 1
    return places

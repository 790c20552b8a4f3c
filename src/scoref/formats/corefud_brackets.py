"""The brackets of a CorefUD file in columns, found block by block.

Labels are numbered through the file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import Blamed, FormatError
from scoref.formats import conllu
from scoref.formats.brackets import CLOSING, BracketCells, cut_labels, number_labels
from scoref.formats.corefud_mentions import Brackets
from scoref.formats.input_files import shown
from scoref.model import Note, Relation
from scoref.rules import (
    BAD_HEADER,
    MISSING_COLUMNS,
    MISSING_HEADER,
    NAMELESS_BRACKET,
    UNREADABLE_CELL,
    UNREADABLE_HEAD,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.formats.builder import Faults
    from scoref.formats.input_files import Lines
    from scoref.model import Ints
    from scoref.rules import Rule


_ENTITY = b"Entity="

_GLOBAL = b"# global.Entity"

_HEADER = re.compile(_GLOBAL + rb"[^\S\n]*=[^\S\n]*(\S+)")

_RELATIONS = {b"Bridge=": "Bridge", b"SplitAnte=": "SplitAnte", b"Split=": "SplitAnte"}

_VALUE = re.compile(rb"(?:\([^()]+\)?|[^()]+\))+")

_DASH, _BAR, _EQUALS = b"-|="

_LAST_LETTERS = {name[-2] for name in (_ENTITY, *_RELATIONS)}

_FAR = np.iinfo(np.int64).max


class EntityHeader(NamedTuple):
    """Which field of an opening bracket is the entity's id, and which the head.

    Ids in a field GRP are those of a document, ids in a field eid those of the file.
    """

    entity: int
    head: int | None
    is_local: bool = False
    type: int | None = None

    @classmethod
    def of(cls, text: str) -> EntityHeader | None:
        """Understand what stands behind `# global.Entity =`."""
        fields = text.split("-")
        found = [name for name in ("eid", "GRP") if name in fields]
        if not found:
            return None
        head = fields.index("head") if "head" in fields else None
        kinds = [fields.index(name) for name in ("etype", "entity") if name in fields]
        kind = kinds[0] if kinds else None
        return cls(fields.index(found[0]), head, found[0] == "GRP", kind)


class _Marks(NamedTuple):
    """Where the characters are that attributes are made of."""

    equals: Ints  # only where one of the names may end: features have many more
    bars: Ints

    @classmethod
    def of(cls, lines: Lines) -> _Marks:
        ends = np.zeros(len(lines.bytes_) - 1, dtype=np.bool_)
        for letter in _LAST_LETTERS:
            ends |= lines.bytes_[:-1] == letter
        ends &= lines.bytes_[1:] == _EQUALS
        equals = np.flatnonzero(ends) + 1
        bars = np.flatnonzero(lines.bytes_ == _BAR)
        return cls(equals, np.append(bars, len(lines.data)))


class BracketReader:
    """Finds the brackets of one file, block by block."""

    opening, closing = "({}", "{})"

    def __init__(self, source: str, faults: Faults, *, with_types: bool) -> None:
        self._source = source
        self._faults = faults
        self._with_types = with_types
        self.labels: dict[bytes, int] = {}
        self.types: dict[bytes, int] = {b"": 0}
        self.relations: list[Relation] = []
        self.notes: list[Note] = []

    def read_block(
        self, block: conllu.Block, header: EntityHeader, first_node: int
    ) -> Brackets:
        """Find what a block says of entities, and keep what it says of relations."""
        marks = _Marks.of(block.lines)
        self.relations += _relations(block, marks)
        return self._brackets(block, self._values(block, marks), header, first_node)

    def header(self, data: bytes) -> EntityHeader:
        """Find the header; the last one of a file is taken for all of it."""
        found = entity_headers(data)
        if not found:
            first = re.search(rb"[\t|]Entity=[^|\t\r\n]", data)
            if first is None:
                return EntityHeader(0, None)
            line = data.count(b"\n", 0, first.start()) + 1
            raise self.error(
                MISSING_HEADER,
                "there are entities but no header",
                line,
                "expected a line '# global.Entity = eid-etype-head-other' before them",
            )
        text, at = found[-1]
        different = len({header for header, _ in found})
        if different > 1:
            message = f"{different} different headers; '{text}', the last, counts"
            self.notes.append(Note("headers", different, message))
        header = EntityHeader.of(text)
        if header is None:
            line = data.count(b"\n", 0, at) + 1
            hint = "expected a field 'eid' or 'GRP' in it"
            problem = f"the header '{text}' names no entity id"
            blamed = Blamed("text", text)
            raise self.error(BAD_HEADER, problem, line, hint, blamed=blamed)
        return header

    def _brackets(
        self,
        block: conllu.Block,
        values: tuple[Ints, Ints, Ints],
        header: EntityHeader,
        first_node: int,
    ) -> Brackets:
        """Find the brackets of a block, and number what they are about."""
        lines = block.lines
        word, start, end = values
        cells = BracketCells.of(lines, start, end)
        labels = cut_labels(cells)
        if labels is None:
            fine = self._readable(block, word, start, end)
            word, cells = word[fine], BracketCells.of(lines, start[fine], end[fine])
            labels = cut_labels(cells)
        assert labels is not None
        dash = cells.find(_DASH)
        node = word[labels.cell]
        text_end = labels.start + labels.length
        is_closing = labels.kind == CLOSING
        first, last = _field(dash, labels.start, text_end, header.entity)
        first = np.where(is_closing, labels.start, first)
        last = np.where(is_closing, text_end, last)
        self._refuse_nameless(block, node, last - first)
        head = np.full(len(node), -1, dtype=np.int64)
        if header.head is not None:
            at, to = _field(dash, labels.start, text_end, header.head)
            at = np.where(is_closing, to, at)
            head = self._heads(block, node, at, to)
        return Brackets(
            kind=labels.kind,
            node=node + first_node,
            label=_known(lines, first, last, self.labels),
            head=head,
            type=self._types(lines, labels.start, text_end, header, dash),
        )

    def _types(
        self, lines: Lines, start: Ints, end: Ints, header: EntityHeader, dash: Ints
    ) -> Ints:
        """Read entity types, if they are wanted; a closing bracket has none."""
        if not self._with_types or header.type is None:
            return np.zeros(len(start), dtype=np.int64)
        return _known(lines, *_field(dash, start, end, header.type), self.types)

    def _values(self, block: conllu.Block, marks: _Marks) -> tuple[Ints, Ints, Ints]:
        """Find what stands behind Entity= in the last column of a word."""
        start, end, row = _attributes(block, _ENTITY, marks)
        if not len(block.row):
            return row[:0], start[:0], end[:0]
        of_row = np.full(len(block.lines), -1, dtype=np.int64)
        of_row[block.row] = np.arange(len(block.row))
        word = of_row[row]
        misc, misc_end = block.column(np.maximum(word, 0), conllu.MISC)
        is_word = word >= 0
        lost = np.flatnonzero(is_word & (misc == block.lines.end[row]))
        if len(lost):
            raise self._at_word(
                MISSING_COLUMNS,
                block,
                int(word[lost[0]]),
                "this line has an entity, but fewer than ten columns",
                "CoNLL-U has ten columns between tabs, and Entity= is in the last",
            )
        # Of two in one line the later counts, as in the official scorer.
        inside = is_word & (start >= misc) & (start <= misc_end)
        word, start, end = word[inside], start[inside], end[inside]
        is_last = np.append(np.diff(word) != 0, True)[: len(word)]
        kept = is_last & (start < end)
        return word[kept], start[kept], end[kept]

    def _readable(
        self, block: conllu.Block, word: Ints, start: Ints, end: Ints
    ) -> NDArray[np.bool_]:
        """Tell the values that are brackets from those that are not."""
        fine = np.ones(len(word), dtype=np.bool_)
        for index, (a, b) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
            value = block.lines.data[a:b]
            if not _VALUE.fullmatch(value):
                fine[index] = False
                error = self._at_word(
                    UNREADABLE_CELL,
                    block,
                    int(word[index]),
                    f"'{shown(value)}' is not made of brackets",
                    "expected brackets such as '(e3-person-1-)', '(e3-person-1-' or "
                    "'e3)'",
                    value,
                )
                self._faults.report("unreadable-entities", error)
        return fine

    def _refuse_nameless(self, block: conllu.Block, node: Ints, length: Ints) -> None:
        nameless = np.flatnonzero(length <= 0)
        if len(nameless):
            raise self._at_word(
                NAMELESS_BRACKET,
                block,
                int(node[nameless[0]]),
                "this bracket names no entity",
                "its fields stand in the order of the header '# global.Entity'",
            )

    def _heads(self, block: conllu.Block, node: Ints, at: Ints, to: Ints) -> Ints:
        """Read the numbers of heads; an empty field says nothing."""
        value, end = conllu.digits(block.lines, at)
        wrong = np.flatnonzero((at < to) & (end < to))
        if len(wrong):
            found = block.lines.data[at[wrong[0]] : to[wrong[0]]]
            raise self._at_word(
                UNREADABLE_HEAD,
                block,
                int(node[wrong[0]]),
                f"'{shown(found)}' is no number of a head",
                "the head is the number of a word of the mention, counted from 1",
                found,
            )
        return np.where(at < to, value, -1)

    def _at_word(
        self,
        rule: Rule,
        block: conllu.Block,
        word: int,
        problem: str,
        hint: str,
        blamed: bytes = b"",
    ) -> FormatError:
        row = int(block.row[word])
        text = shown(block.lines[row])
        at = text.rfind(shown(blamed)) if blamed else -1
        span = (at, at + len(shown(blamed))) if at >= 0 else None
        line = block.first_line + row + 1
        return self.error(rule, problem, line, hint, text=text, span=span)

    def error(
        self,
        rule: Rule,
        problem: str,
        line: int | None,
        hint: str,
        *,
        text: str = "",
        span: tuple[int, int] | None = None,
        blamed: Blamed | None = None,
    ) -> FormatError:
        """Make an error that knows its place."""
        return FormatError(
            problem,
            rule=rule,
            source=self._source,
            line=line,
            text=text,
            span=span,
            blamed=blamed,
            hint=hint,
        )


def _known(lines: Lines, first: Ints, last: Ints, known: dict[bytes, int]) -> Ints:
    """Give pieces of text the numbers that they have in a file."""
    number, example = number_labels(lines, first, last - first)
    numbers = [
        known.setdefault(lines.data[a:b], len(known))
        for a, b in zip(first[example].tolist(), last[example].tolist(), strict=True)
    ]
    return np.array(numbers, dtype=np.int64)[number]


def _field(dash: Ints, start: Ints, end: Ints, number: int) -> tuple[Ints, Ints]:
    """Find the n-th field of brackets: empty, and at their end, if there is none."""
    dash = np.append(dash, [_FAR] * (number + 1))
    first_dash = np.searchsorted(dash, start)
    at = start if number == 0 else dash[first_dash + number - 1] + 1
    to = np.minimum(dash[first_dash + number], end)
    return np.where((at > end) | (at < 0), end, at), to


def _attributes(
    block: conllu.Block, name: bytes, marks: _Marks
) -> tuple[Ints, Ints, Ints]:
    """Find the values of an attribute, where they end, and their lines."""
    lines = block.lines
    at = lines.find(name, marks.equals)
    if not len(at):
        return at, at, at
    at = at[np.isin(lines.bytes_[at - 1], list(b"\t|"))]
    row = np.searchsorted(lines.start, at, side="right") - 1
    start, end = at + len(name), lines.end[row]
    for stops in (marks.bars, block.tabs):
        end = np.minimum(end, stops[np.searchsorted(stops, start)])
    return start, end, row


def _relations(block: conllu.Block, marks: _Marks) -> list[Relation]:
    """Find bridges and split antecedents."""
    return [
        Relation(kind, block.first_line + row + 1, shown(block.lines.data[start:end]))
        for name, kind in _RELATIONS.items()
        for start, end, row in zip(
            *(column.tolist() for column in _attributes(block, name, marks)),
            strict=True,
        )
    ]


def entity_headers(data: bytes) -> list[tuple[str, int]]:
    """Find every header and its place."""
    found, at = [], data.find(_GLOBAL)
    while at >= 0:
        header = _HEADER.match(data, at)
        if header and (at == 0 or data[at - 1 : at] == b"\n"):
            found.append((shown(header[1]), at))
        at = data.find(_GLOBAL, at + 1)
    return found

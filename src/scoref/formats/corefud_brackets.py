"""The brackets of a CorefUD file in columns, found block by block.

`BracketReader` finds the values of ``Entity=``, cuts them into brackets and reads the
fields of each: entity id, head, and type on request. Entity ids and types become
integers that are the same in all blocks of a file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.errors import Blamed, FormatError
from scoref.formats import conllu
from scoref.formats.brackets import CLOSING, copy_cells, cut_labels, number_labels
from scoref.formats.corefud_mentions import Brackets
from scoref.formats.input_files import NEWLINE, is_one_of, shown
from scoref.lazy import pattern
from scoref.model import Note, Relation
from scoref.model.arrays import is_new
from scoref.notes import WARNING
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


_GLOBAL = b"# global.Entity"

_HEADER = pattern(_GLOBAL + rb"[^\S\n]*=[^\S\n]*(\S+)")


def entity_headers(data: bytes) -> list[tuple[str, int]]:
    """Return the value and the place of each header `# global.Entity =`."""
    headers, at = [], data.find(_GLOBAL)
    while at >= 0:
        header = _HEADER.match(data, at)
        if header and (at == 0 or data[at - 1 : at] == b"\n"):
            headers.append((shown(header[1]), at))
        at = data.find(_GLOBAL, at + 1)
    return headers


class EntityHeader(NamedTuple):
    """The numbers of the fields of an opening bracket that are read.

    Ids in a field GRP are valid within a document, ids in a field eid in the file.
    """

    entity: int
    head: int | None
    is_local: bool = False
    type: int | None = None

    @classmethod
    def of(cls, text: str) -> EntityHeader | None:
        """Parse the value of `# global.Entity =`; None if it has no entity id."""
        fields = text.split("-")
        ids = [name for name in ("eid", "GRP") if name in fields]
        if not ids:
            return None
        head = fields.index("head") if "head" in fields else None
        types = [fields.index(name) for name in ("etype", "entity") if name in fields]
        first_type = types[0] if types else None
        return cls(fields.index(ids[0]), head, ids[0] == "GRP", first_type)


_ENTITY = b"Entity="

_RELATIONS = {b"Bridge=": "Bridge", b"SplitAnte=": "SplitAnte", b"Split=": "SplitAnte"}

_DASH = ord("-")


_INITIALS = bytes({name[0] for name in (_ENTITY, *_RELATIONS)})


class _Attributes(NamedTuple):
    """The attributes of a block that may be wanted, because of their first letters."""

    lines: Lines
    start: Ints
    end: Ints
    letter: NDArray[np.uint8]

    @classmethod
    def of(cls, block: conllu.Block) -> _Attributes:
        """Look at the first letters of all attributes of a block."""
        lines, separator = block.lines, block.separators
        letter = lines.bytes_.take(separator[:-1] + 1)
        found = np.flatnonzero(is_one_of(letter, _INITIALS))
        return cls(lines, separator[found] + 1, separator[found + 1], letter[found])

    def find(self, name: bytes) -> tuple[Ints, Ints, Ints]:
        """Return start, end and row of each value of an attribute."""
        lines = self.lines
        found = np.flatnonzero(self.letter == name[0])
        # Few other attributes have a '=' at the place of the last byte.
        for offset in reversed(range(1, len(name))):
            byte = lines.bytes_.take(self.start[found] + offset, mode="clip")
            found = found[byte == name[offset]]
        found = found[lines.bytes_[self.start[found] - 1] != NEWLINE]
        start = self.start[found] + len(name)
        row = np.searchsorted(lines.start, start, side="right") - 1
        return start, np.minimum(self.end[found], lines.end[row]), row


_VALUE = pattern(rb"(?:\([^()]+\)?|[^()]+\))+")


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
        """Return the brackets of a block, and keep its relations."""
        attributes = _Attributes.of(block)
        for name, kind in _RELATIONS.items():
            columns = (column.tolist() for column in attributes.find(name))
            for start, end, row in zip(*columns, strict=True):
                value = shown(block.lines.data[start:end])
                self.relations.append(Relation(kind, block.first_line + row + 1, value))
        values = self._values(block, *attributes.find(_ENTITY))
        return self._brackets(block, values, header, first_node)

    def header(self, data: bytes) -> EntityHeader:
        """Return the header; the last one of a file counts for all of it."""
        headers = entity_headers(data)
        if not headers:
            first = re.search(rb"[\t|]Entity=[^|\t\r\n]", data)
            if first is None:
                return EntityHeader(0, None)
            line = data.count(b"\n", 0, first.start()) + 1
            raise self.error(
                MISSING_HEADER,
                "this file has entities but no '# global.Entity' line",
                line,
                "Add a line such as '# global.Entity = eid-etype-head-other' before "
                "them.",
            )
        text, at = headers[-1]
        different = len({header for header, _ in headers})
        if different > 1:
            message = (
                f"{WARNING}{self._source} has {different} different '# global.Entity' "
                f"lines. The last one, '{text}', was used for the whole file."
            )
            self.notes.append(Note("headers", different, message))
        header = EntityHeader.of(text)
        if header is None:
            line = data.count(b"\n", 0, at) + 1
            hint = "Expected a field 'eid' or 'GRP' in it."
            problem = f"the header '{text}' has no field for the entity id"
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
        """Cut the values of a block into brackets, and read their fields."""
        word, start, end = values
        cells = copy_cells(block.lines, start, end)
        labels = cut_labels(cells)
        if labels is None:
            kept = self._are_readable(block, word, start, end)
            word, cells = word[kept], copy_cells(block.lines, start[kept], end[kept])
            labels = cut_labels(cells)
        assert labels is not None
        dash = np.flatnonzero(cells.bytes_ == _DASH)
        node = word[labels.cell]
        text_end = labels.start + labels.length
        is_closing = labels.kind == CLOSING
        first, last = _field(dash, labels.start, text_end, header.entity)
        first = np.where(is_closing, labels.start, first)
        last = np.where(is_closing, text_end, last)
        nameless = np.flatnonzero(last <= first)
        if len(nameless):
            raise self._error_at_word(
                NAMELESS_BRACKET,
                block,
                int(node[nameless[0]]),
                "this bracket has no entity id",
                "Its fields must be in the order of the line '# global.Entity'.",
            )
        head = np.full(len(node), -1, dtype=np.int64)
        if header.head is not None:
            at, to = _field(dash, labels.start, text_end, header.head)
            at = np.where(is_closing, to, at)
            head = self._heads(block, node, cells, at, to)
        kind = np.zeros(len(node), dtype=np.int64)
        if self._with_types and header.type is not None:
            at, to = _field(dash, labels.start, text_end, header.type)
            kind = _number_texts(cells, at, to, self.types)
        return Brackets(
            kind=labels.kind,
            node=node + first_node,
            label=_number_texts(cells, first, last, self.labels),
            head=head,
            type=kind,
        )

    def _values(
        self, block: conllu.Block, start: Ints, end: Ints, row: Ints
    ) -> tuple[Ints, Ints, Ints]:
        """Select the values of Entity= in the last column: node, start and end."""
        if not len(block.row):
            return row[:0], start[:0], end[:0]
        of_row = np.full(len(block.lines), -1, dtype=np.int64)
        of_row[block.row] = np.arange(len(block.row))
        word = of_row[row]
        misc, misc_end = block.column(np.maximum(word, 0), conllu.MISC)
        is_word = word >= 0
        lost = np.flatnonzero(is_word & (misc == block.lines.end[row]))
        if len(lost):
            raise self._error_at_word(
                MISSING_COLUMNS,
                block,
                int(word[lost[0]]),
                "this line has an entity but fewer than ten columns",
                "CoNLL-U has ten columns separated by tabs. Entity= is in the last "
                "one.",
            )
        # If a line has two, the later one counts, as in the official scorer.
        inside = is_word & (start >= misc) & (start <= misc_end)
        word, start, end = word[inside], start[inside], end[inside]
        is_last = is_new(word[::-1])[::-1]
        kept = is_last & (start < end)
        return word[kept], start[kept], end[kept]

    def _are_readable(
        self, block: conllu.Block, word: Ints, start: Ints, end: Ints
    ) -> NDArray[np.bool_]:
        """Mark the values that consist of brackets, and report the others."""
        is_readable = np.ones(len(word), dtype=np.bool_)
        for index, (a, b) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
            value = block.lines.data[a:b]
            if not _VALUE.fullmatch(value):
                is_readable[index] = False
                error = self._error_at_word(
                    UNREADABLE_CELL,
                    block,
                    int(word[index]),
                    f"'{shown(value)}' does not consist of brackets",
                    "Expected brackets such as '(e3-person-1-)', '(e3-person-1-' or "
                    "'e3)'.",
                    value,
                )
                self._faults.report("unreadable-entities", error)
        return is_readable

    def _heads(
        self, block: conllu.Block, node: Ints, cells: Lines, at: Ints, to: Ints
    ) -> Ints:
        """Read the numbers of heads; -1 for an empty field."""
        value, end = conllu.digits(cells, at)
        wrong = np.flatnonzero((at < to) & (end < to))
        if len(wrong):
            text = cells.data[at[wrong[0]] : to[wrong[0]]]
            raise self._error_at_word(
                UNREADABLE_HEAD,
                block,
                int(node[wrong[0]]),
                f"'{shown(text)}' is not the number of a head",
                "The head is the number of a word in the mention, counted from 1.",
                text,
            )
        return np.where(at < to, value, -1)

    def _error_at_word(
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
        """Return an error about this file."""
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


def _number_texts(
    lines: Lines, first: Ints, last: Ints, known: dict[bytes, int]
) -> Ints:
    """Return the numbers that texts have in a file; new ones are added to ``known``."""
    number, example = number_labels(lines, first, last - first)
    numbers = [
        known.setdefault(lines.data[a:b], len(known))
        for a, b in zip(first[example].tolist(), last[example].tolist(), strict=True)
    ]
    return np.array(numbers, dtype=np.int64)[number]


_FAR = np.iinfo(np.int64).max


def _field(dash: Ints, start: Ints, end: Ints, number: int) -> tuple[Ints, Ints]:
    """Return start and end of a field of brackets; an empty one if it is missing."""
    dash = np.append(dash, [_FAR] * (number + 1))
    first_dash = np.searchsorted(dash, start)
    at = start if number == 0 else dash[first_dash + number - 1] + 1
    to = np.minimum(dash[first_dash + number], end)
    return np.where((at > end) | (at < 0), end, at), to

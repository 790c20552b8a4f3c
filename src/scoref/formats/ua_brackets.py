"""The markables of Universal Anaphora, and the class that reads their brackets.

    (EntityID=e1|MarkableID=m1|Min=2      opens markable m1 of entity e1
    (EntityID=e1|MarkableID=m2)           is a markable of one word
    )                                     closes the markable that was opened last
    m1)                                   closes m1

`Walk` reads the brackets of a document one by one. A markable that is opened again has
another part there: it has the words of all parts, the minimum of the first part, and
the entity of the last. `Markables` holds all markables in columns and sorts them by
document and entity.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import Blamed, FormatError
from scoref.formats.ua_text import column
from scoref.model import EMPTY, SENTENCE_BITS, WORD_BITS, WordSets, list_words
from scoref.model.arrays import bounds, inverse, is_new, ranges
from scoref.rules import (
    BROKEN_ZERO,
    MINIMUM_OUT_OF_RANGE,
    NAMELESS_BRACKET,
    UNCLOSED_BRACKET,
    UNOPENED_BRACKET,
    UNREADABLE_CELL,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.formats.builder import Faults
    from scoref.model import Ints
    from scoref.rules import Rule

    Mask = NDArray[np.bool_]


_STEP = 1 << WORD_BITS
"""The difference between the codes of two consecutive words."""


class Element(NamedTuple):
    """ElementOf: the label of the plural entity that a markable's entity belongs to."""

    markable: int
    plural: str
    line: int


class Markables(NamedTuple):
    """Markables of whole documents, in the order of their first brackets.

    ``label`` is a row of ``labels``, in which each entity of each document has a row.
    Each part of a markable goes from ``first`` to ``last``. Parts are in order and
    share no word.
    """

    document: Ints
    label: Ints
    labels: list[str]
    name: list[str]
    is_referring: Mask
    minimum: Ints  # its first word, 0 if there is none
    minimum_end: Ints
    cell: Ints  # of the first bracket
    line: Ints  # of the last bracket
    part: Ints  # the markable of each part
    first: Ints
    last: Ints
    elements: list[Element]

    @classmethod
    def of(cls, markables: list[Markable]) -> Markables:
        """Put markables into columns."""
        document = column(markable.code for markable in markables) >> SENTENCE_BITS
        labels: dict[tuple[int, str], int] = {}
        label = column(
            labels.setdefault((number, markable.entity), len(labels))
            for number, markable in zip(document.tolist(), markables, strict=True)
        )
        parts = [
            (row, *part)
            for row, markable in enumerate(markables)
            for part in markable.parts
        ]
        part, first, last = np.array(parts, dtype=np.int64).reshape(-1, 3).T
        return cls(
            document=document,
            label=label,
            labels=[text for _, text in labels],
            name=[markable.name for markable in markables],
            is_referring=np.array([one.is_referring for one in markables], bool),
            minimum=column(markable.minimum for markable in markables),
            minimum_end=column(markable.minimum_end for markable in markables),
            cell=column(markable.cell for markable in markables),
            line=column(markable.last_line for markable in markables),
            part=part,
            first=first,
            last=last,
            elements=[
                Element(row, *element)
                for row, markable in enumerate(markables)
                for element in markable.elements
            ],
        )

    def join(self, other: Markables) -> Markables:
        """Add the markables of other documents."""
        shift = len(self.name)
        if not shift or not other.name:
            return self if shift else other
        other = other._replace(
            label=other.label + len(self.labels),
            part=other.part + shift,
            elements=[
                element._replace(markable=element.markable + shift)
                for element in other.elements
            ],
        )
        return Markables(
            document=np.concatenate((self.document, other.document)),
            label=np.concatenate((self.label, other.label)),
            labels=self.labels + other.labels,
            name=self.name + other.name,
            is_referring=np.concatenate((self.is_referring, other.is_referring)),
            minimum=np.concatenate((self.minimum, other.minimum)),
            minimum_end=np.concatenate((self.minimum_end, other.minimum_end)),
            cell=np.concatenate((self.cell, other.cell)),
            line=np.concatenate((self.line, other.line)),
            part=np.concatenate((self.part, other.part)),
            first=np.concatenate((self.first, other.first)),
            last=np.concatenate((self.last, other.last)),
            elements=self.elements + other.elements,
        )

    def sort(self) -> tuple[Markables, Ints]:
        """Sort by document and entity; return also the new place of each markable.

        Labels are then in the order of the first markables that have them.
        """
        count = len(self.label)
        first = np.empty(len(self.labels), dtype=np.int64)
        first[self.label[::-1]] = np.arange(count)[::-1]
        label_order = np.lexsort((first, self.document[first]))
        entity = inverse(label_order)[self.label]
        order = np.argsort(entity, kind="stable")
        place = inverse(order)
        part = place[self.part]
        has_gaps = len(part) > count
        part_order = np.argsort(part, kind="stable") if has_gaps else order
        elements: list[Element] = []
        if self.elements:
            # By document; the elements of a document keep their order.
            document, places = self.document.tolist(), place.tolist()
            elements = [
                Element(places[row], plural, line)
                for row, plural, line in sorted(
                    self.elements, key=lambda element: document[element.markable]
                )
            ]
        markables = Markables(
            document=self.document[order],
            label=entity[order],
            labels=[self.labels[row] for row in label_order.tolist()],
            name=list(map(self.name.__getitem__, order.tolist())),
            is_referring=self.is_referring[order],
            minimum=self.minimum[order],
            minimum_end=self.minimum_end[order],
            cell=self.cell[order],
            line=self.line[order],
            part=part[part_order],
            first=self.first[part_order],
            last=self.last[part_order],
            elements=elements,
        )
        return markables, place

    def plurals(self) -> tuple[list[tuple[int, int]], list[int]]:
        """Return pairs of a plural and its element, and lines with unknown plurals.

        Markables must be sorted.
        """
        if not self.elements:
            return [], []
        document, entity = self.document.tolist(), self.label.tolist()
        first = np.flatnonzero(is_new(self.label)).tolist()
        known = {
            (document[row], label): number
            for number, (row, label) in enumerate(zip(first, self.labels, strict=True))
        }
        pairs: dict[tuple[int, int], None] = {}
        unknown = []
        for row, label, line in self.elements:
            plural = known.get((document[row], label))
            if plural is None:
                unknown.append(line)
            else:
                pairs[plural, entity[row]] = None
        return list(pairs), unknown

    def words(self) -> WordSets:
        """Return the words of each markable, in order and without repetition."""
        length = (self.last - self.first) // _STEP + 1
        parts = np.bincount(self.part, minlength=len(self.name))
        start = bounds(length)[bounds(parts)]
        return WordSets(start, list_words(self.first, length, _STEP))

    def minimums(self) -> WordSets:
        """Return the words of each minimum."""
        first, last = self.minimum, self.minimum_end - (self.minimum == 0)
        length = last - first + 1
        document = np.repeat(self.document, length)
        number = ranges(first, length)
        return WordSets(
            bounds(length),
            document << np.int64(SENTENCE_BITS) | number << np.int64(WORD_BITS),
        )


@dataclass(slots=True)
class Markable:
    """A markable that is being read, and the place of its first bracket.

    There are many of them. Numbers and texts cost the garbage collector nothing, while
    pairs would. Most markables have one part; ``others`` has the further parts.
    """

    name: str
    entity: str
    is_referring: bool
    minimum: int  # its first word, 0 if there is none
    minimum_end: int
    line: int
    code: int
    cell: int
    first: int = 0
    last: int = 0
    last_line: int = 0
    others: list[tuple[int, int]] | None = None
    elements: tuple[tuple[str, int], ...] = ()
    is_broken: bool = False

    @property
    def parts(self) -> list[tuple[int, int]]:
        """Return the first and last word of each part; merge parts that overlap."""
        if self.others is None:
            return [(self.first, self.last)]
        merged: list[tuple[int, int]] = []
        for first, last in sorted([(self.first, self.last), *self.others]):
            if merged and first <= merged[-1][1]:
                merged[-1] = merged[-1][0], max(last, merged[-1][1])
            else:
                merged.append((first, last))
        return merged

    def add_part(self, first: int, last: int, line: int) -> None:
        """Add a part; ``line`` is the line of its closing bracket."""
        if not self.last_line:
            self.first, self.last = first, last
        elif self.others is None:
            self.others = [(first, last)]
        else:
            self.others.append((first, last))
        self.last_line = line


class _Opening(NamedTuple):
    """The fields of an opening bracket; ``plurals`` are the values of ElementOf."""

    entity: str
    name: str
    minimum: str | None
    plurals: tuple[str, ...] = ()

    @classmethod
    def of(cls, body: str) -> _Opening:
        fields = fields_of(body)
        return cls(
            entity=fields.get("EntityID", ""),
            name=fields.get("MarkableID", ""),
            minimum=fields.get("Min"),
            plurals=tuple(fields[key] for key in fields if is_element_key(key)),
        )


_PSEUDO = "-Pseudo"


def bare_label(text: str) -> tuple[str, bool]:
    """Remove the mark of entities that do not refer; say whether there was none.

    >>> bare_label("e1-Pseudo"), bare_label("e1")
    (('e1', False), ('e1', True))
    """
    label = text.removesuffix(_PSEUDO)
    return label, label == text


def fields_of(body: str) -> dict[str, str]:
    """Return the keys and values of a bracket.

    >>> fields_of("EntityID=e1|MarkableID=m1")
    {'EntityID': 'e1', 'MarkableID': 'm1'}
    """
    parts = [item.partition("=") for item in body.split("|")]
    return {key: value for key, _, value in parts}


@lru_cache
def is_element_key(key: str) -> bool:
    """Recognise ElementOf, which is Element-of in the format's description."""
    return key.lower().replace("-", "").replace("_", "") == "elementof"


Place = tuple[str, int, int, int]
"""A cell: its text, its line, the code of its word, and its number."""

_Open = tuple[Markable, int, int, str]
"""A markable with the code, the line and the cell of its opening bracket."""

_TOKEN = re.compile(r"(\(?)([^()]*)(\)?)")

_RANGE = r"([0-9]{1,9})(?:,([0-9]{1,9}))?"

_PLAIN = re.compile(
    rf"\(EntityID=([^|()\s]+)\|MarkableID=([^|()\s]+)(?:\|Min={_RANGE})?(\)?)"
)

_MINIMUM = re.compile(_RANGE)

_NONE, _WRONG = (0, 0), (0, -1)
"""The minimum of a markable without Min, and of one whose Min is wrong."""

_ZERO_HINT = "A zero must be its own markable: '(EntityID=e1|MarkableID=m1)'."

_CELL_HINT = (
    "Expected '(EntityID=e1|MarkableID=m1', the same followed by ')', ')' or 'm1)'."
)

_KINDS = {
    BROKEN_ZERO: "zeros",
    MINIMUM_OUT_OF_RANGE: "minimums",
    NAMELESS_BRACKET: "nameless-markables",
    UNCLOSED_BRACKET: "unclosed-markables",
    UNOPENED_BRACKET: "unopened-markables",
    UNREADABLE_CELL: "unreadable-cells",
}
"""The kind of note for each rule."""


class Walk:
    """Reads the brackets of one document, cell by cell."""

    def __init__(self, source: str, faults: Faults, words: int) -> None:
        self._source = source
        self._faults = faults
        self._words = words
        self._open: dict[int, _Open] = {}  # by number, in the order of their brackets
        self._numbers: list[int] = []  # of these, and of some that were closed since
        self._numbers_of: dict[str, list[int]] = {}
        self._opened = 0
        self._markables: dict[str, Markable] = {}
        self.changes: list[int] = []  # lines where a part changes the entity

    def take(self, text: str, line: int, code: int, cell: int) -> None:
        """Read one cell."""
        if text == ")" and self._open and not code & EMPTY:
            self._close("", (text, line, code, cell))
        elif not self._take_plain(text, line, code, cell):
            self._take_tokens((text, line, code, cell))

    def _take_plain(self, text: str, line: int, code: int, cell: int) -> bool:
        """Read a cell that only opens one new markable, as most cells do.

        `_take_tokens` would read it in the same way, but more slowly.
        """
        plain = _PLAIN.fullmatch(text)
        if plain is None:
            return False
        entity, name, start, end, closing = plain.groups()
        is_unusual = entity.endswith(_PSEUDO) or (code & EMPTY and not closing)
        first = int(start) if start else 0
        last = int(end) if end else first
        is_unusual |= start is not None and not 1 <= first <= last <= self._words
        if is_unusual or name in self._markables:
            return False
        markable = Markable(
            name=name,
            entity=entity,
            is_referring=True,
            minimum=first,
            minimum_end=last,
            line=line,
            code=code,
            cell=cell,
        )
        self._markables[name] = markable
        if closing:
            markable.first = markable.last = code
            markable.last_line = line
        else:
            self._leave_open((markable, code, line, text))
        return True

    def _leave_open(self, opened: _Open) -> None:
        self._opened += 1
        self._open[self._opened] = opened
        self._numbers.append(self._opened)
        self._numbers_of.setdefault(opened[0].name, []).append(self._opened)

    def _take_tokens(self, place: Place) -> None:
        """Read a cell bracket by bracket."""
        text = place[0].strip()
        if text in {"", "_"}:
            return
        if len(text.split()) > 1:
            self._refuse_text(text, place)
            return
        for opening, body, closing in _TOKEN.findall(text):
            if opening:
                is_whole = closing != ""
                self._open_markable(_Opening.of(body), place, is_whole=is_whole)
            elif closing:
                self._close(body, place)
            elif body:
                self._refuse_text(body, place)

    def finish(self) -> list[Markable]:
        """Return the markables in the order of their first brackets."""
        for markable, code, line, text in self._open.values():
            self._leave_out(
                markable,
                UNCLOSED_BRACKET,
                f"markable {markable.name} is opened here but never closed in this "
                "document",
                (text, line, code, markable.cell),
                f"Expected ')' or '{markable.name})' on a later word.",
            )
        return [one for one in self._markables.values() if not one.is_broken]

    def _open_markable(
        self, opening: _Opening, place: Place, *, is_whole: bool
    ) -> None:
        markable = self._markable(opening, place)
        text, line, code, _ = place
        if is_whole:
            markable.add_part(code, code, line)
            return
        self._leave_open((markable, code, line, text))
        if code & EMPTY:
            self._leave_out(
                markable,
                BROKEN_ZERO,
                f"markable {markable.name} continues after a zero",
                place,
                _ZERO_HINT,
            )

    def _markable(self, opening: _Opening, place: Place) -> Markable:
        """Return the markable that an opening bracket starts or continues."""
        name = opening.name
        entity, is_referring = bare_label(opening.entity)
        if not name or not entity:
            return self._nameless(name, "EntityID" if name else "MarkableID", place)
        markable = self._markables.get(name)
        if markable is None:
            minimum = self._minimum(opening.minimum, place)
            markable = Markable(name, entity, is_referring, *minimum, *place[1:])
            markable.is_broken = minimum == _WRONG
            self._markables[name] = markable
        else:
            self._check_part(markable, entity, place)
            markable.entity, markable.is_referring = entity, is_referring
        for text in opening.plurals:
            labels = (bare_label(label)[0] for label in text.split(","))
            elements = tuple((label, place[1]) for label in labels if label)
            markable.elements = (*markable.elements, *elements)
        return markable

    def _check_part(self, markable: Markable, entity: str, place: Place) -> None:
        """Report a zero among several parts, and note a change of the entity."""
        _, line, code, _ = place
        if (code | markable.code) & EMPTY:
            self._leave_out(
                markable,
                BROKEN_ZERO,
                f"markable {markable.name} has several parts, and one is a zero (first "
                f"part: line {markable.line})",
                place,
                "A zero must be its own markable, with its own MarkableID.",
            )
        if markable.entity != entity:
            self.changes.append(line)

    def _nameless(self, name: str, lacking: str, place: Place) -> Markable:
        """Report a markable without a name, and return one that will be left out.

        Its closing bracket then has a partner.
        """
        _, line, code, cell = place
        markable = Markable(
            name=name,
            entity="",
            is_referring=True,
            minimum=0,
            minimum_end=0,
            line=line,
            code=code,
            cell=cell,
            is_broken=True,
        )
        problem = f"this markable has no {lacking}"
        hint = "An opening bracket needs both: '(EntityID=e1|MarkableID=m1'."
        self._refuse(NAMELESS_BRACKET, problem, place, hint)
        return markable

    def _minimum(self, text: str | None, place: Place) -> tuple[int, int]:
        """Read Min; report it if it is wrong."""
        if text is None:
            return _NONE
        match = _MINIMUM.fullmatch(text)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else _WRONG
        if 1 <= first <= last <= self._words:
            return first, last
        problem = f"Min={text} is outside this document, which has {self._words} words"
        hint = (
            "Min is one number or two, as in Min=3,5. Words are counted from 1 through "
            "the document, without zeros."
        )
        blamed = Blamed("text", f"Min={text}")
        self._refuse(MINIMUM_OUT_OF_RANGE, problem, place, hint, blamed)
        return _WRONG

    def _close(self, name: str, place: Place) -> None:
        _, line, code, _ = place
        if code & EMPTY:
            problem = "a markable is closed on a zero"
            self._refuse(BROKEN_ZERO, problem, place, _ZERO_HINT)
            return
        last_name = name
        if not name:
            # The markable that was opened last, of those that are open.
            numbers = self._numbers
            while numbers and numbers[-1] not in self._open:
                numbers.pop()
            last_name = self._open[numbers[-1]][0].name if numbers else ""
        if same := self._numbers_of.get(last_name):
            markable, opened, _, _ = self._open.pop(same.pop())
            markable.add_part(opened, code, line)
            return
        problem = f"markable {name} is closed here but is not open"
        hint = f"Expected '(EntityID=…|MarkableID={name}' on an earlier word."
        if not name:
            problem = "a markable is closed here but none is open"
            hint = "Expected '(EntityID=…|MarkableID=…' on an earlier word."
        self._refuse(UNOPENED_BRACKET, problem, place, hint, Blamed("closing", name))

    def _refuse_text(self, text: str, place: Place) -> None:
        problem = f"'{text}' does not consist of brackets"
        self._refuse(UNREADABLE_CELL, problem, place, _CELL_HINT, Blamed("text", text))

    def _leave_out(
        self, markable: Markable, rule: Rule, problem: str, place: Place, hint: str
    ) -> None:
        """Report a fault, and leave the markable out."""
        markable.is_broken = True
        self._refuse(rule, problem, place, hint, Blamed("markable", markable.name))

    def _refuse(
        self,
        rule: Rule,
        problem: str,
        place: Place,
        hint: str,
        blamed: Blamed | None = None,
    ) -> None:
        """Report a fault."""
        text, line, *_ = place
        error = FormatError(
            problem,
            rule=rule,
            source=self._source,
            line=line,
            text=text,
            blamed=blamed,
            hint=hint,
        )
        self._faults.report(_KINDS[rule], error)

"""The brackets of a document of Universal Anaphora, walked through one by one.

    (EntityID=e1|MarkableID=m1|Min=2      opens markable m1 of entity e1
    (EntityID=e1|MarkableID=m2)           is a markable of one word
    )                                     closes what was opened last
    m1)                                   closes m1

A markable that is opened again has another part there: its words are those of all
parts, its minimum is what the first one says, and its entity what the last one says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import Blamed, FormatError
from scoref.model import EMPTY
from scoref.rules import (
    BROKEN_ZERO,
    MINIMUM_OUT_OF_RANGE,
    NAMELESS_BRACKET,
    UNCLOSED_BRACKET,
    UNOPENED_BRACKET,
    UNREADABLE_CELL,
)

if TYPE_CHECKING:
    from scoref.formats._faults import Faults
    from scoref.rules import Rule

_TOKEN = re.compile(r"(\(?)([^()]*)(\)?)")
_RANGE = r"([0-9]{1,9})(?:,([0-9]{1,9}))?"
_PLAIN = re.compile(
    rf"\(EntityID=([^|()\s]+)\|MarkableID=([^|()\s]+)(?:\|Min={_RANGE})?(\)?)"
)
_MINIMUM = re.compile(_RANGE)
_NONE, _WRONG = (0, 0), (0, -1)
_PSEUDO = "-Pseudo"
_ZERO_HINT = "a zero is a markable of its own: '(EntityID=e1|MarkableID=m1)'"
_CELL_HINT = (
    "expected '(EntityID=e1|MarkableID=m1', the same with ')' behind it, ')' or 'm1)'"
)


_KINDS = {
    BROKEN_ZERO: "zeros",
    MINIMUM_OUT_OF_RANGE: "minimums",
    NAMELESS_BRACKET: "nameless-markables",
    UNCLOSED_BRACKET: "unclosed-markables",
    UNOPENED_BRACKET: "unopened-markables",
    UNREADABLE_CELL: "unreadable-cells",
}
"""What notes call the rules that were broken."""

Place = tuple[str, int, int, int]
"""A cell: what it says, its line, the code of its word, and its number."""


@dataclass(slots=True)
class Markable:
    """What is known of a markable, and where it is first opened.

    There are many of them: numbers and texts cost the garbage collector nothing, pairs
    of them would. Most have one part only, and ``others`` holds further ones.
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
        """List the first and the last word of each part, no word twice."""
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
        """Add words; ``line`` is that of the bracket that ends them."""
        if not self.last_line:
            self.first, self.last = first, last
        elif self.others is None:
            self.others = [(first, last)]
        else:
            self.others.append((first, last))
        self.last_line = line


class _Opening(NamedTuple):
    """What an opening bracket says; ``plurals`` are values of ElementOf."""

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
            plurals=tuple(fields[key] for key in fields if says_element(key)),
        )


def bare_label(text: str) -> tuple[str, bool]:
    """Split off what marks an entity that does not refer.

    >>> bare_label("e1-Pseudo"), bare_label("e1")
    (('e1', False), ('e1', True))
    """
    label = text.removesuffix(_PSEUDO)
    return label, label == text


def fields_of(body: str) -> dict[str, str]:
    """Read keys and values.

    >>> fields_of("EntityID=e1|MarkableID=m1")
    {'EntityID': 'e1', 'MarkableID': 'm1'}
    """
    parts = [item.partition("=") for item in body.split("|")]
    return {key: value for key, _, value in parts}


@lru_cache
def says_element(key: str) -> bool:
    """Recognise ElementOf, which is Element-of in the format's description."""
    return key.lower().replace("-", "").replace("_", "") == "elementof"


_Open = tuple[Markable, int, int, str]
"""A markable with the code, the line and the cell of its opening bracket."""


class Walk:
    """One document's brackets: its markables, and those that are still open."""

    def __init__(self, source: str, faults: Faults, words: int) -> None:
        self._source = source
        self._faults = faults
        self._words = words
        self._open: dict[int, _Open] = {}  # by number, in the order of their brackets
        self._numbers: list[int] = []  # of these; those that were closed go later
        self._numbers_of: dict[str, list[int]] = {}
        self._opened = 0
        self._markables: dict[str, Markable] = {}
        self.moved: list[int] = []  # lines where a markable changes its entity

    def take(self, text: str, line: int, code: int, cell: int) -> None:
        """Go through one cell."""
        if text == ")" and self._open and not code & EMPTY:
            self._close("", (text, line, code, cell))
        elif not self._take_plain(text, line, code, cell):
            self._take_tokens((text, line, code, cell))

    def _take_plain(self, text: str, line: int, code: int, cell: int) -> bool:
        """Take the one new markable that most cells open, if there is nothing else.

        What this takes, `_take_tokens` would take in the same way, but not as fast.
        """
        plain = _PLAIN.fullmatch(text)
        if plain is None:
            return False
        entity, name, start, end, closing = plain.groups()
        is_strange = entity.endswith(_PSEUDO) or (code & EMPTY and not closing)
        first = int(start) if start else 0
        last = int(end) if end else first
        is_strange |= start is not None and not 1 <= first <= last <= self._words
        if is_strange or name in self._markables:
            return False
        markable = Markable(name, entity, True, first, last, line, code, cell)  # noqa: FBT003
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
        """Give the markables in the order of their first brackets."""
        for markable, code, line, text in self._open.values():
            self._leave_out(
                markable,
                UNCLOSED_BRACKET,
                f"markable {markable.name} is opened here but never closed in this "
                "document",
                (text, line, code, markable.cell),
                f"expected a later word with ')' or '{markable.name})'",
            )
        return [found for found in self._markables.values() if not found.is_broken]

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
                f"markable {markable.name} goes on behind a zero",
                place,
                _ZERO_HINT,
            )

    def _markable(self, opening: _Opening, place: Place) -> Markable:
        """Find what an opening bracket is about: a new markable or a part of one."""
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
            self._go_on(markable, entity, place)
            markable.entity, markable.is_referring = entity, is_referring
        for text in opening.plurals:
            labels = (bare_label(label)[0] for label in text.split(","))
            found = tuple((label, place[1]) for label in labels if label)
            markable.elements = (*markable.elements, *found)
        return markable

    def _go_on(self, markable: Markable, entity: str, place: Place) -> None:
        _, line, code, _ = place
        if (code | markable.code) & EMPTY:
            self._leave_out(
                markable,
                BROKEN_ZERO,
                f"markable {markable.name} has a zero among several parts, the first "
                f"in line {markable.line}",
                place,
                "a zero is a markable of its own, with a MarkableID of its own",
            )
        if markable.entity != entity:
            self.moved.append(line)

    def _nameless(self, name: str, lacking: str, place: Place) -> Markable:
        """Make a markable that nobody will see, so that its end finds a beginning."""
        markable = Markable(name, "", True, 0, 0, *place[1:])  # noqa: FBT003
        markable.is_broken = True
        problem = f"this markable has no {lacking}"
        hint = "an opening bracket has both: '(EntityID=e1|MarkableID=m1'"
        self._refuse(NAMELESS_BRACKET, problem, place, hint)
        return markable

    def _minimum(self, text: str | None, place: Place) -> tuple[int, int]:
        """Read Min."""
        if text is None:
            return _NONE
        found = _MINIMUM.fullmatch(text)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else _WRONG
        if 1 <= first <= last <= self._words:
            return first, last
        problem = f"Min={text} is no word of this document, which has {self._words}"
        hint = "Min is one number or two, as in Min=3,5; words count from 1 through "
        hint += "the document, without zeros"
        blamed = Blamed("text", f"Min={text}")
        self._refuse(MINIMUM_OUT_OF_RANGE, problem, place, hint, blamed)
        return _WRONG

    def _close(self, name: str, place: Place) -> None:
        _, line, code, _ = place
        if code & EMPTY:
            problem = "a markable is closed on a zero"
            self._refuse(BROKEN_ZERO, problem, place, _ZERO_HINT)
            return
        same = self._numbers_of.get(name or self._last_name())
        if not same:
            self._refuse_closing(name, place)
            return
        markable, opened, _, _ = self._open.pop(same.pop())
        markable.add_part(opened, code, line)

    def _last_name(self) -> str:
        """Name what was opened last, of all that is open."""
        numbers = self._numbers
        while numbers and numbers[-1] not in self._open:
            numbers.pop()
        return self._open[numbers[-1]][0].name if numbers else ""

    def _refuse_closing(self, name: str, place: Place) -> None:
        problem = f"markable {name} is closed here but is not open"
        hint = f"expected an earlier word with '(EntityID=…|MarkableID={name}'"
        if not name:
            problem = "a markable is closed here but none is open"
            hint = "expected an earlier word with '(EntityID=…|MarkableID=…'"
        self._refuse(UNOPENED_BRACKET, problem, place, hint, Blamed("closing", name))

    def _refuse_text(self, text: str, place: Place) -> None:
        problem = f"'{text}' is not made of brackets"
        self._refuse(UNREADABLE_CELL, problem, place, _CELL_HINT, Blamed("text", text))

    def _leave_out(
        self, markable: Markable, rule: Rule, problem: str, place: Place, hint: str
    ) -> None:
        """Raise an error, or leave the markable out and note it."""
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
        """Raise an error, or note it."""
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
        self._faults.found(_KINDS[rule], error)

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
from typing import TYPE_CHECKING, Literal, NamedTuple

from scoref.errors import FormatError
from scoref.model import EMPTY

if TYPE_CHECKING:
    from scoref.formats._faults import Faults

_TOKEN = re.compile(r"(\(?)([^()]*)(\)?)")
_PLAIN = re.compile(
    r"\(EntityID=([^|()\s]+)\|MarkableID=([^|()\s]+)(?:\|Min=([0-9,]+))?(\)?)"
)
_MINIMUM = re.compile(r"([0-9]{1,9})(?:,([0-9]{1,9}))?")
_PSEUDO = "-Pseudo"
_ZERO_HINT = "a zero is a markable of its own: '(EntityID=e1|MarkableID=m1)'"
_CELL_HINT = (
    "expected '(EntityID=e1|MarkableID=m1', the same with ')' behind it, ')' or 'm1)'"
)


Place = tuple[str, int, int, int]
"""A cell: what it says, its line, the code of its word, and its number."""


@dataclass(slots=True)
class Markable:
    """What is known of a markable; ``place`` is where it is first opened."""

    name: str
    entity: str
    is_referring: bool
    minimum: tuple[int, int] | None
    place: Place
    parts: tuple[tuple[int, int], ...] = ()
    elements: tuple[tuple[str, int], ...] = ()
    last_line: int = 0
    is_broken: bool = False

    @property
    def code(self) -> int:
        """Give its first word."""
        return self.place[2]

    def add_part(self, first: int, last: int, line: int) -> None:
        """Add words; ``line`` is that of the bracket that ends them."""
        self.parts = (*self.parts, (first, last))
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
            plurals=tuple(fields[key] for key in fields if _says_element(key)),
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
def _says_element(key: str) -> bool:
    """Recognise ElementOf, which is Element-of in the format's description."""
    return key.lower().replace("-", "").replace("_", "") == "elementof"


class Walk:
    """One document's brackets: its markables, and those that are still open."""

    def __init__(self, source: str, faults: Faults, words: int) -> None:
        self._source = source
        self._faults = faults
        self._words = words
        self._open: list[tuple[Markable, Place]] = []
        self._markables: dict[str, Markable] = {}
        self.moved: list[int] = []  # lines where a markable changes its entity

    def take(self, place: Place) -> None:
        """Go through one cell."""
        text, _, code, _ = place
        if text == ")" and not code & EMPTY:
            self._close("", place)
        elif plain := _PLAIN.fullmatch(text):
            entity, name, minimum, closing = plain.groups()
            self._open_markable(
                _Opening(entity, name, minimum), place, is_whole=closing != ""
            )
        else:
            self._take_tokens(place)

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
        for markable, place in self._open:
            self._refuse(
                markable,
                "unclosed-markables",
                f"markable {markable.name} is opened here but never closed in this "
                "document",
                place,
                f"expected a later word with ')' or '{markable.name})'",
            )
        return [found for found in self._markables.values() if not found.is_broken]

    def _open_markable(
        self, opening: _Opening, place: Place, *, is_whole: bool
    ) -> None:
        markable = self._markable(opening, place)
        _, line, code, _ = place
        if is_whole:
            markable.add_part(code, code, line)
            return
        self._open.append((markable, place))
        if code & EMPTY:
            self._refuse(
                markable,
                "zeros",
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
            markable = Markable(name, entity, is_referring, minimum or None, place)
            markable.is_broken = minimum is False
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
            self._refuse(
                markable,
                "zeros",
                f"markable {markable.name} has a zero among several parts, the first "
                f"in line {markable.place[1]}",
                place,
                "a zero is a markable of its own, with a MarkableID of its own",
            )
        if markable.entity != entity:
            self.moved.append(line)

    def _nameless(self, name: str, lacking: str, place: Place) -> Markable:
        """Make a markable that nobody will see, so that its end finds a beginning."""
        markable = Markable(name, "", is_referring=True, minimum=None, place=place)
        self._refuse(
            markable,
            "nameless-markables",
            f"this markable has no {lacking}",
            place,
            "an opening bracket has both: '(EntityID=e1|MarkableID=m1'",
        )
        return markable

    def _minimum(
        self, text: str | None, place: Place
    ) -> tuple[int, int] | Literal[False] | None:
        """Read Min; False if it is wrong."""
        if text is None:
            return None
        found = _MINIMUM.fullmatch(text)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if 1 <= first <= last <= self._words:
            return first, last
        problem = f"Min={text} is no word of this document, which has {self._words}"
        hint = "Min is one number or two, as in Min=3,5; words count from 1 through "
        error = self._error(problem, place, hint + "the document, without zeros")
        self._faults.found("minimums", error)
        return False

    def _close(self, name: str, place: Place) -> None:
        _, line, code, _ = place
        if code & EMPTY:
            problem = "a markable is closed on a zero"
            self._refuse(None, "zeros", problem, place, _ZERO_HINT)
            return
        at = len(self._open) - 1
        while name and at >= 0 and self._open[at][0].name != name:
            at -= 1
        if at < 0:
            self._refuse_closing(name, place)
            return
        markable, opened = self._open.pop(at)
        markable.add_part(opened[2], code, line)

    def _refuse_closing(self, name: str, place: Place) -> None:
        problem = f"markable {name} is closed here but is not open"
        hint = f"expected an earlier word with '(EntityID=…|MarkableID={name}'"
        if not name:
            problem = "a markable is closed here but none is open"
            hint = "expected an earlier word with '(EntityID=…|MarkableID=…'"
        self._refuse(None, "unopened-markables", problem, place, hint)

    def _refuse_text(self, text: str, place: Place) -> None:
        problem = f"'{text}' is not made of brackets"
        self._refuse(None, "unreadable-cells", problem, place, _CELL_HINT)

    def _refuse(
        self,
        markable: Markable | None,
        kind: str,
        problem: str,
        place: Place,
        hint: str,
    ) -> None:
        """Raise an error, or leave the markable out and note it."""
        if markable is not None:
            markable.is_broken = True
        self._faults.found(kind, self._error(problem, place, hint))

    def _error(self, problem: str, place: Place, hint: str) -> FormatError:
        text, line, *_ = place
        return FormatError(
            problem, source=self._source, line=line, text=text, hint=hint
        )

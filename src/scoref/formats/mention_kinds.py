"""Kinds of mentions that are Python values: numbers, texts, tuples of some of these.

If key and response have other kinds of mentions, such as 1 and "1", no mention matches.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Number
from typing import TYPE_CHECKING

from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import shortened

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable


@dataclass(slots=True)
class MentionKinds:
    """The kinds of mentions of both sides, as long as no mention is on both."""

    has_common: bool = False
    key: dict[Hashable, str] = field(default_factory=dict)  # with an example of each
    response: dict[Hashable, str] = field(default_factory=dict)

    def add(self, key: Iterable[Hashable], response: Iterable[Hashable]) -> None:
        """Add the mentions of a document in which none is on both sides."""
        for known, mentions in ((self.key, key), (self.response, response)):
            for mention in mentions:
                kind, text = kind_of(mention), shortened(repr(mention))
                known[kind] = min(known.get(kind, text), text)

    def extend(self, other: MentionKinds) -> None:
        """Add the kinds of other documents."""
        self.has_common |= other.has_common
        self.key |= other.key
        self.response |= other.response

    def notes(self) -> tuple[Note, ...]:
        """Warn if no mention can be equal to one of the other side."""
        is_possible = self.has_common or not self.key or not self.response
        if is_possible or self.key.keys() & self.response.keys():
            return ()
        ours, theirs = min(self.key.values()), min(self.response.values())
        message = (
            f"{WARNING}No mention of the response can be equal to one of the key, so "
            f"the scores of entities are 0. Mentions of the key are like {ours}, and "
            f"those of the response like {theirs}."
        )
        return (Note("other-kinds-of-mentions", 1, message),)


def kind_of(mention: object) -> Hashable:
    """Return the same value for mentions that may be equal.

    >>> kind_of(1) == kind_of(2.0), kind_of(1) == kind_of("1")
    (True, False)
    >>> kind_of((0, 1)) == kind_of((7, 9)), kind_of((0, 1)) == kind_of((0, 1, "x"))
    (True, False)
    """
    if isinstance(mention, tuple):
        return tuple(map(kind_of, mention))
    for kind in (Number, str, bytes, frozenset):
        if isinstance(mention, kind):
            return kind.__name__
    return "other"

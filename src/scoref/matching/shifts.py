"""Offsets that look as if they were counted in another way.

Ends may be exclusive, as in Python's slices, or tokens counted from 1. Then hardly
any mention of the response is one of the key's, and most would be if their offsets
were moved by one.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.matching.exact import match_exact

if TYPE_CHECKING:
    from scoref.matching.documents import Documents
    from scoref.model import Corpus

_QUESTIONS = {
    (0, -1): "with 1 less at the end {} of them would be: are ends exclusive {here}?",
    (0, 1): "with 1 more at the end {} of them would be: are ends exclusive {there}?",
    (-1, -1): "with 1 less {} of them would be: are tokens counted from 1 {here}?",
    (1, 1): "with 1 more {} of them would be: are tokens counted from 1 {there}?",
}
_FEW, _MANY = 4, 3  # less than a fourth, more than a third
WITHOUT_OFFSETS = frozenset(("entities", "scorch", "maven-ere"))
"""Where mentions are numbers without an order; elsewhere they are offsets."""


class Shift(NamedTuple):
    """How offsets of the response would have to be moved, and how many match then."""

    start: int
    end: int
    common: int

    def question(self, *, here: str, there: str) -> str:
        """Ask what may be the cause, in the response (``here``) or in the key."""
        text = _QUESTIONS[self.start, self.end]
        return text.format(self.common, here=here, there=there)


def find_shift(
    key: Corpus, response: Corpus, documents: Documents, common: int = 0
) -> Shift | None:
    """Find a shift by which many mentions match, where only ``common`` do without."""
    found = [
        Shift(start, end, _common(key, response, documents, start, end))
        for start, end in _QUESTIONS
    ]
    best = max(found, key=lambda shift: shift.common)
    is_many = _MANY * best.common > len(response.mention_entity)
    return best if is_many and best.common > _FEW * common else None


def is_suspect(common: int, key: Corpus, response: Corpus) -> bool:
    """Tell whether so few mentions match that it is worth a look at the offsets."""
    fewer = min(len(key.mention_entity), len(response.mention_entity))
    return _FEW * common < fewer


def _common(
    key: Corpus, response: Corpus, documents: Documents, start: int, end: int
) -> int:
    moved = dataclasses.replace(
        response,
        mention_start=response.mention_start + start,
        mention_end=response.mention_end + end,
    )
    is_span = (moved.mention_start >= 0) & (moved.mention_start <= moved.mention_end)
    matched = match_exact(key, moved, documents)
    is_found = np.isin(matched.response.mention, matched.key.mention)
    return int((is_found & is_span[matched.response.row]).sum())

"""Anaphors one by one: was it found, and linked to the right entity?

An anaphor is a mention of some class, zeros for instance, that is not the first of
its entity. For each of the key's:

    FN   it has no counterpart, or one that is the first of its entity
    WL   its counterpart's entity has none of the earlier mentions of its own
    TP   otherwise

and each anaphor of the response that is no anaphor's counterpart is an FP.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scoref.contingency.aligned import Targets
    from scoref.matching.words import MatchedWords, WordSide
    from scoref.model import Ints
    from scoref.scheme import Alignment

TP, FP, FN, WL = range(4)


def count_anaphors(matched: MatchedWords, lead: Targets, alignment: Alignment) -> Ints:
    """Count TP, FP, FN and WL of zeros by document.

    The official scorer takes a mention at the same place for the counterpart, if
    there is one, and looks at its alignment only then.
    """
    counts = np.zeros((len(matched.documents), 4), dtype=np.int64)
    if not (matched.key.is_zero.any() or matched.response.is_zero.any()):
        return counts
    response = _Response.of(matched.response, lead.key, alignment)
    is_anaphor = _of_class(matched.key)
    document = matched.key.side.entity_document.tolist()
    for entity, mentions in enumerate(_entities(matched.key)):
        seen: set[int] = set()
        for place, mention in enumerate(mentions):
            other = response.counterpart(mention)
            if place and mention in is_anaphor:
                counts[document[entity], response.verdict(other, seen)] += 1
            if other is not None:
                seen.add(response.owner[other])
    document = matched.response.side.entity_document.tolist()
    for entity in response.owners_of_false_anaphors(_of_class(matched.response)):
        counts[document[entity], FP] += 1
    return counts


@dataclass(frozen=True, slots=True)
class _Response:
    """Where the response has its mentions, and which were asked for."""

    owner: dict[int, int]
    first: set[int]
    target: list[int]
    prefers_place: bool
    covered: set[int]

    @classmethod
    def of(cls, side: WordSide, target: Ints, alignment: Alignment) -> _Response:
        entities = _entities(side)
        owner = {
            mention: entity
            for entity, mentions in enumerate(entities)
            for mention in mentions
        }
        first = {mentions[0] for mentions in entities}
        return cls(owner, first, target.tolist(), alignment == "official", set())

    def counterpart(self, mention: int) -> int | None:
        if self.prefers_place and mention in self.owner:
            return mention
        found = self.target[mention]
        return found if found in self.owner else None

    def verdict(self, other: int | None, seen: set[int]) -> int:
        if other is None:
            return FN
        self.covered.add(other)
        if other in self.first:
            return FN
        return TP if self.owner[other] in seen else WL

    def owners_of_false_anaphors(self, anaphors: set[int]) -> list[int]:
        return [self.owner[each] for each in anaphors - self.first - self.covered]


def _of_class(side: WordSide) -> set[int]:
    return set(side.number[side.is_zero].tolist())


def _entities(side: WordSide) -> list[list[int]]:
    """List the mentions of each entity, in the order of the text."""
    place = np.empty(len(side.number), dtype=np.int64)
    place[side.order] = np.arange(len(side.number))
    listed = side.side
    rank = place[np.searchsorted(side.number, listed.mention)]
    order = np.lexsort((rank, listed.entity))
    bounds = np.cumsum(listed.size)[:-1]
    return [part.tolist() for part in np.split(listed.mention[order], bounds)]

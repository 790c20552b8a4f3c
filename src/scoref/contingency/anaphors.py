"""Anaphors one by one: was it found, and linked to the right entity?

An anaphor is a mention of some class, zeros for instance, that is not the first of
its entity. For each of the key's:

    FN   it has no counterpart, or one that is the first of its entity
    WL   its counterpart's entity has none of the earlier mentions of its own
    TP   otherwise

and each anaphor of the response that is no anaphor's counterpart is an FP.

Classes: ``zeros``, whose heads are empty nodes; ``pronouns``, whose heads are PRON
and no empty nodes; ``upos:NOUN`` or ``upos:NOUN,PROPN``, by the head's part of
speech; ``distance:0``, ``distance:1-3`` or ``distance:4-``, by how many sentences
lie between the anaphor and the mention of its entity before it; ``all``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from scoref.model import packed_text

if TYPE_CHECKING:
    from scoref.contingency.aligned import Targets
    from scoref.matching.words import MatchedWords, WordSide
    from scoref.model import Ints
    from scoref.scheme import Alignment

TP, FP, FN, WL = range(4)


def count_anaphors(
    matched: MatchedWords, lead: Targets, alignment: Alignment, anaphors: str
) -> Ints:
    """Count TP, FP, FN and WL of a class of anaphors by document.

    The official scorer takes a mention at the same place for the counterpart, if
    there is one, and looks at its alignment only then.
    """
    counts = np.zeros((len(matched.documents), 4), dtype=np.int64)
    is_anaphor = of_class(matched.key, anaphors)
    is_response_anaphor = of_class(matched.response, anaphors)
    if not (is_anaphor or is_response_anaphor):
        return counts
    response = _Response.of(matched.response, lead.key, alignment)
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
    for entity in response.owners_of_false_anaphors(is_response_anaphor):
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


def of_class(side: WordSide, anaphors: str) -> set[int]:
    """Choose the mentions of a class, by number."""
    kind, _, value = anaphors.partition(":")
    if kind == "distance":
        return _at_distance(side, value)
    if kind == "upos":
        wanted = [packed_text(name) for name in value.split(",")]
        chosen = np.isin(side.upos, np.array(wanted, dtype=np.uint64))
    elif kind == "pronouns":
        chosen = (side.upos == packed_text("PRON")) & ~side.is_zero
    elif kind == "zeros":
        chosen = side.is_zero
    else:
        chosen = np.ones(len(side.number), dtype=np.bool_)
    return set(side.number[chosen].tolist())


def _at_distance(side: WordSide, value: str) -> set[int]:
    least, dash, most = value.partition("-")
    longest = (int(most) if most else math.inf) if dash else int(least)
    sentence = dict(zip(side.number.tolist(), (side.head >> 32).tolist(), strict=True))
    return {
        mention
        for mentions in _entities(side)
        for before, mention in pairwise(mentions)
        if int(least) <= sentence[mention] - sentence[before] <= longest
    }


def _entities(side: WordSide) -> list[list[int]]:
    """List the mentions of each entity, in the order of the text."""
    place = np.empty(len(side.number), dtype=np.int64)
    place[side.order] = np.arange(len(side.number))
    listed = side.side
    rank = place[np.searchsorted(side.number, listed.mention)]
    order = np.lexsort((rank, listed.entity))
    bounds = np.cumsum(listed.size)[:-1]
    return [part.tolist() for part in np.split(listed.mention[order], bounds)]

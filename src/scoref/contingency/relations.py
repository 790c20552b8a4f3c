"""Counts for anaphors, non-referring mentions and bridging.

An anaphor is a mention of some class, for instance a zero, that is not the first of its
entity. Each anaphor of the key is one of these:

    FN   it has no counterpart, or one that is the first of its entity
    WL   its counterpart's entity has none of the earlier mentions of its own
    TP   otherwise

Each anaphor of the response that is not the counterpart of an anaphor is an FP, in each
entity that lists it.

Classes: ``zeros``, whose heads are empty nodes; ``pronouns``, whose heads are PRON and
not empty nodes; ``upos:NOUN`` or ``upos:NOUN,PROPN``, by the head's part of speech;
``distance:0``, ``distance:1-3`` or ``distance:4-``, by the number of sentences between
the anaphor and the previous mention of its entity; ``all``.

An anaphor may have different distances on the two sides and still be found. Therefore
all anaphors are compared first, and the distance only sorts the outcomes: TP, FN and WL
by the key's distance, and FP by the response's. Distances add up to ``all``.

Non-referring mentions and bridging are compared by exact words, whatever the match. A
bridging pair is right if its anaphor is right and its antecedent is the key's, or at
least a mention of the same key entity.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.model import SENTENCE_BITS, packed_text
from scoref.model.arrays import is_new

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching.word_rules import Targets
    from scoref.matching.words import WordMatches, WordSide
    from scoref.model import Ints
    from scoref.scheme import Alignment

    Mask = NDArray[np.bool_]


TP, FP, FN, WL = range(4)


def count_anaphors(
    words: WordMatches,
    documents: int,
    lead: Targets,
    alignment: Alignment,
    anaphors: str,
) -> Ints:
    """Count TP, FP, FN and WL of a class of anaphors by document.

    For the official scorer, the counterpart is the mention at the same place, if there
    is one, and otherwise the aligned mention.
    """
    counts = np.zeros((documents, 4), dtype=np.int64)
    chosen = [of_class(side, anaphors) for side in (words.key, words.response)]
    if not any(marks.any() for marks in chosen):
        return counts
    key = _Entities.of(words.key, chosen[0])
    response = _Entities.of(words.response, chosen[1])
    counterparts = _Counterparts.of(response, lead.key, alignment)
    asks_for_all = anaphors.startswith("distance:")
    for document, mentions in zip(key.document, key.mentions, strict=True):
        seen: set[int] = set()
        for place, (mention, is_of_class) in enumerate(mentions):
            other = counterparts.of_mention(mention)
            if place and (is_of_class or asks_for_all):
                counts[document, counterparts.outcome(other, seen)] += is_of_class
            if other is not None:
                seen.add(counterparts.owner[other])
    known = counterparts.first | counterparts.covered
    for document, mentions in zip(response.document, response.mentions, strict=True):
        for mention, is_of_class in mentions:
            counts[document, FP] += is_of_class and mention not in known
    return counts


class _Entities(NamedTuple):
    """The entities of one side, each with its mentions in the order of the text.

    The class belongs to the listing, because two entities may give the same words
    different heads.
    """

    document: list[int]
    mentions: list[list[tuple[int, bool]]]

    @classmethod
    def of(cls, side: WordSide, chosen: NDArray[np.bool_]) -> _Entities:
        listed, order = side.side, _in_order(side)
        entities: list[list[tuple[int, bool]]] = [[] for _ in listed.entity_document]
        for entity, *mention in zip(
            listed.entity[order].tolist(),
            listed.mention[order].tolist(),
            chosen[order].tolist(),
            strict=True,
        ):
            entities[entity].append((mention[0], mention[1]))
        return cls(listed.entity_document.tolist(), entities)


class _Counterparts(NamedTuple):
    """The entities of the response's mentions, and the counterparts of the key's.

    ``covered`` collects the mentions that are the counterpart of an anaphor.
    """

    owner: dict[int, int]
    first: set[int]
    target: list[int]
    prefers_place: bool
    covered: set[int]

    @classmethod
    def of(
        cls, response: _Entities, target: Ints, alignment: Alignment
    ) -> _Counterparts:
        owner = {
            mention: entity
            for entity, mentions in enumerate(response.mentions)
            for mention, _ in mentions
        }
        first = {mentions[0][0] for mentions in response.mentions if mentions}
        return cls(owner, first, target.tolist(), alignment == "official", set())

    def of_mention(self, mention: int) -> int | None:
        if self.prefers_place and mention in self.owner:
            return mention
        other = self.target[mention]
        return other if other in self.owner else None

    def outcome(self, other: int | None, seen: set[int]) -> int:
        if other is None:
            return FN
        self.covered.add(other)
        if other in self.first:
            return FN
        return TP if self.owner[other] in seen else WL


def _in_order(side: WordSide) -> Ints:
    """Sort listings by entity, and then by the official order of mentions."""
    words = side.listed_words
    first, last = words.value[words.start[:-1]], words.value[words.start[1:] - 1]
    return np.lexsort((words.length, last, first, side.side.entity))


def of_class(side: WordSide, anaphors: str) -> NDArray[np.bool_]:
    """Mark the listings of a class."""
    kind, _, value = anaphors.partition(":")
    if kind == "distance":
        return _at_distance(side, value)
    if kind == "upos":
        wanted = [packed_text(name) for name in value.split(",")]
        return np.isin(side.listed_upos, np.array(wanted, dtype=np.uint64))
    if kind == "pronouns":
        is_pronoun: NDArray[np.bool_] = side.listed_upos == packed_text("PRON")
        return is_pronoun & ~side.listed_is_zero
    if kind == "zeros":
        return side.listed_is_zero
    return np.ones(len(side.side.mention), dtype=np.bool_)


def _at_distance(side: WordSide, value: str) -> NDArray[np.bool_]:
    order = _in_order(side)
    least, dash, most = value.partition("-")
    longest = (int(most) if most else math.inf) if dash else int(least)
    sentence = side.listed_head[order] >> SENTENCE_BITS
    entity = side.side.entity[order]
    distance = np.diff(sentence, prepend=0)
    chosen = np.zeros(len(order), dtype=np.bool_)
    is_in_range = (distance >= int(least)) & (distance <= longest)
    chosen[order] = ~is_new(entity) & is_in_range
    return chosen


def count_non_referring(words: WordMatches, documents: int) -> Ints:
    """Count TP, FN and FP by document."""
    mention, document = _non_referring(words.key)
    other_mention, other_document = _non_referring(words.response)
    is_found = np.isin(mention, other_mention)
    is_false = ~np.isin(other_mention, mention)
    return _count_by_document(
        documents, document[is_found], document[~is_found], other_document[is_false]
    )


def _non_referring(side: WordSide) -> tuple[Ints, Ints]:
    """Return the first mention of each non-referring entity, and its document."""
    anaphora, entity = side.corpus.anaphora, side.corpus.mention_entity
    if anaphora is None:
        return entity[:0], entity[:0]
    first = np.flatnonzero(is_new(entity))
    first = first[~anaphora.is_referring[entity[first]]]
    document = side.corpus.entity_document[entity[first]]
    is_scored = document >= 0
    return side.corpus_number[first[is_scored]], document[is_scored]


class _Bridges(NamedTuple):
    """Anaphors of one side, each with its antecedent, sorted by anaphor."""

    anaphor: Ints
    antecedent: Ints
    document: Ints

    @classmethod
    def of(cls, side: WordSide) -> _Bridges:
        anaphora, nothing = side.corpus.anaphora, np.empty(0, dtype=np.int64)
        if anaphora is None:
            return cls(nothing, nothing, nothing)
        document = side.corpus.entity_document[
            side.corpus.mention_entity[anaphora.anaphor]
        ]
        rows = np.flatnonzero(document >= 0)[::-1]
        # If an anaphor has several antecedents, the last one counts.
        anaphor, last = np.unique(
            side.corpus_number[anaphora.anaphor[rows]], return_index=True
        )
        rows = rows[last]
        antecedent = side.corpus_number[anaphora.antecedent[rows]]
        return cls(anaphor, antecedent, document[rows])


def count_bridging(words: WordMatches, documents: int, owner: Ints) -> Ints:
    """Count TP, FN and FP by document: of anaphors, mentions and entities.

    ``owner`` is the key entity of each mention, -1 for none.
    """
    key, response = _Bridges.of(words.key), _Bridges.of(words.response)
    _, ours, theirs = np.intersect1d(
        key.anaphor, response.anaphor, assume_unique=True, return_indices=True
    )
    one, other = key.antecedent[ours], response.antecedent[theirs]
    same = one == other
    of_entity = (owner[one] == owner[other]) & (owner[one] >= 0)
    counts = []
    for is_right in (np.ones_like(same), same, same | of_entity):
        right = key.document[ours[is_right]]
        missed = np.delete(key.document, ours[is_right])
        false = np.delete(response.document, theirs[is_right])
        counts.append(_count_by_document(documents, right, missed, false))
    return np.hstack(counts)


def _count_by_document(documents: int, *columns: Ints) -> Ints:
    return np.column_stack([np.bincount(rows, minlength=documents) for rows in columns])

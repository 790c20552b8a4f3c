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
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.model import SENTENCE_BITS, packed_text

if TYPE_CHECKING:
    from collections.abc import Iterator

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

    The official scorer takes a mention at the same place for the counterpart, if
    there is one, and looks at its alignment only then.
    """
    counts = np.zeros((documents, 4), dtype=np.int64)
    chosen = [of_class(side, anaphors) for side in (words.key, words.response)]
    if not any(marks.any() for marks in chosen):
        return counts
    key = _Entities.of(words.key, chosen[0])
    response = _Entities.of(words.response, chosen[1])
    ways = _Counterparts.of(response, lead.key, alignment)
    asks_for_all = anaphors.startswith("distance:")
    for document, mentions in zip(key.document, key.mentions, strict=True):
        seen: set[int] = set()
        for place, (mention, is_of_class) in enumerate(mentions):
            other = ways.counterpart(mention)
            if place and (is_of_class or asks_for_all):
                counts[document, ways.verdict(other, seen)] += is_of_class
            if other is not None:
                seen.add(ways.owner[other])
    for document in ways.documents_of_false(response):
        counts[document, FP] += 1
    return counts


class _Entities(NamedTuple):
    """The entities of one side, each with its mentions in the order of the text.

    Whether a mention is of the class is a matter of its listing: two entities may give
    the same words different heads.
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
    """Where the response has a mention, and which were asked for."""

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

    def documents_of_false(self, response: _Entities) -> Iterator[int]:
        """Give the document of each listing that is false."""
        known = self.first | self.covered
        for document, mentions in zip(
            response.document, response.mentions, strict=True
        ):
            for mention, is_of_class in mentions:
                if is_of_class and mention not in known:
                    yield document


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
    is_same = np.diff(entity, prepend=-1) == 0
    chosen[order] = is_same & (distance >= int(least)) & (distance <= longest)
    return chosen


def count_non_referring(words: WordMatches, documents: int) -> Ints:
    """Count TP, FN and FP by document."""
    key, response = _non_referring(words.key), _non_referring(words.response)
    found = np.isin(key.mention, response.mention)
    false = ~np.isin(response.mention, key.mention)
    return _by_document(
        documents, key.document[found], key.document[~found], response.document[false]
    )


class _Items(NamedTuple):
    mention: Ints
    document: Ints


def _non_referring(side: WordSide) -> _Items:
    """List the first mention of each entity that does not refer."""
    anaphora, entity = side.corpus.anaphora, side.corpus.mention_entity
    if anaphora is None:
        return _Items(entity[:0], entity[:0])
    first = np.flatnonzero(np.diff(entity, prepend=-1))
    first = first[~anaphora.is_referring[entity[first]]]
    document = side.corpus.entity_document[entity[first]]
    is_scored = document >= 0
    return _Items(side.corpus_number[first[is_scored]], document[is_scored])


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
        # Of several antecedents the last counts.
        anaphor, last = np.unique(
            side.corpus_number[anaphora.anaphor[rows]], return_index=True
        )
        rows = rows[last]
        antecedent = side.corpus_number[anaphora.antecedent[rows]]
        return cls(anaphor, antecedent, document[rows])


def count_bridging(words: WordMatches, documents: int, owner: Ints) -> Ints:
    """Count TP, FN and FP by document: of anaphors, mentions and entities.

    ``owner`` says which key entity a mention belongs to, -1 for none.
    """
    key, response = _Bridges.of(words.key), _Bridges.of(words.response)
    _, ours, theirs = np.intersect1d(
        key.anaphor, response.anaphor, assume_unique=True, return_indices=True
    )
    one, other = key.antecedent[ours], response.antecedent[theirs]
    same = one == other
    of_entity = (owner[one] == owner[other]) & (owner[one] >= 0)
    return np.hstack(
        [
            _verdicts(documents, key, response, ours[right], theirs[right])
            for right in (np.ones_like(same), same, same | of_entity)
        ]
    )


def _verdicts(
    documents: int, key: _Bridges, response: _Bridges, ours: Ints, theirs: Ints
) -> Ints:
    missed = np.delete(key.document, ours)
    false = np.delete(response.document, theirs)
    return _by_document(documents, key.document[ours], missed, false)


def _by_document(count: int, *verdicts: Ints) -> Ints:
    return np.column_stack([np.bincount(rows, minlength=count) for rows in verdicts])

"""Mentions that are sets of words, as the spans that other formats have.

Other formats have no empty nodes, so a mention of nothing else is left out. A mention
with gaps keeps its pieces if both formats can hold them. Otherwise it is reduced to the
piece with the head or, if no head is known, to the longest piece, which is also what
`scoref convert` writes.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.model import Note, Tokens, WordSets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints

    Mask = NDArray[np.bool_]


class WordRuns(NamedTuple):
    """Runs of neighbouring words: whose they are, their first and their last word."""

    mention: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(cls, sets: WordSets) -> WordRuns:
        """Cut the words of mentions at gaps."""
        mention = np.repeat(np.arange(len(sets.start) - 1), np.diff(sets.start))
        word = sets.member
        is_start = np.diff(mention, prepend=-1) != 0
        is_start |= np.diff(word, prepend=-1) != 1
        is_end = np.append(is_start[1:], True)[: len(word)]
        return cls(mention[is_start], word[is_start], word[is_end])

    def chosen(self, head: Ints) -> WordRuns:
        """Keep a piece of each mention: that of its head, or the longest."""
        place = head[self.mention]
        has_head = (self.first <= place) & (place <= self.last)
        length = self.last - self.first
        order = np.lexsort((self.first, -length, ~has_head, self.mention))
        is_best = np.diff(self.mention[order], prepend=-1) != 0
        return WordRuns(*(column[order][is_best] for column in self))


def as_spans(corpus: Corpus, *, with_gaps: bool = False) -> Corpus:
    """Make spans of sets of words, and note what is lost.

    ``with_gaps`` keeps the pieces of discontinuous mentions.
    """
    if corpus.words is None:
        return corpus
    corpus = corpus.with_tokens()
    tokens = corpus.tokens
    assert tokens is not None  # noqa: S101 - sets of words have words
    is_overt = ~tokens.is_empty
    place = np.where(is_overt, np.cumsum(is_overt) - 1, -1)
    overt = tokens.keep(is_overt)._replace(code=None)
    sets = _overt_words(tokens.of_mentions(corpus), place)
    is_filled = np.diff(sets.start) > 0
    is_referring = _are_referring(corpus)
    kept = np.flatnonzero(is_filled & is_referring)
    origin = overt.first[corpus.mention_document[kept]]
    notes = _notes(corpus, ~is_filled, is_filled & ~is_referring)
    found = dataclasses.replace(
        corpus,
        document_tokens=np.diff(overt.first),
        words=None,
        anaphora=None,
        tokens=overt,
        notes=(*corpus.notes, *notes),
    )
    found = found.keep_mentions(is_filled & is_referring)
    sets = sets.take(kept)
    sets = sets._replace(member=sets.member - np.repeat(origin, np.diff(sets.start)))
    found = dataclasses.replace(
        found,
        mention_start=sets.member[sets.start[:-1]],
        mention_end=sets.member[sets.start[1:] - 1],
        pieces=sets,
    )
    if with_gaps and len(found.rows_with_gaps):
        return found
    return _reduced(found, _heads(corpus, tokens, place)[kept] - origin)


def without_gaps(corpus: Corpus) -> Corpus:
    """Reduce mentions with gaps to their longest piece."""
    if corpus.pieces is None:
        return corpus
    nowhere = np.full(len(corpus.mention_entity), -1, dtype=np.int64)
    return _reduced(corpus, nowhere)


def _reduced(corpus: Corpus, head: Ints) -> Corpus:
    """Leave one piece of each mention: that of its head, or the longest."""
    assert corpus.pieces is not None  # noqa: S101 - asked before
    count = len(corpus.rows_with_gaps)
    _, start, end = WordRuns.of(corpus.pieces).chosen(head)
    notes = corpus.notes
    if count:
        has = "mention has a gap" if count == 1 else "mentions have gaps"
        message = (
            f"{corpus.source}: {count} {has}, and the other side's format cannot hold "
            "gaps. The piece with the head was scored, or the longest piece"
        )
        notes = (*notes, Note("gaps", count, message))
    return dataclasses.replace(
        corpus, mention_start=start, mention_end=end, pieces=None, notes=notes
    )


def _overt_words(sets: WordSets, place: Ints) -> WordSets:
    """Sort the words of mentions by place, and leave out empty nodes."""
    owner = np.repeat(np.arange(len(sets.start) - 1), np.diff(sets.start))
    both = np.unique(np.stack((owner, place[sets.member])), axis=1)
    mention, word = both[:, both[1] >= 0]
    start = np.searchsorted(mention, np.arange(len(sets.start)))
    return WordSets(start, word)


def _heads(corpus: Corpus, tokens: Tokens, place: Ints) -> Ints:
    """Find the heads of mentions among words; -1: it is not known, or is not a word."""
    assert corpus.words is not None  # noqa: S101 - asked before
    if corpus.words.by_document:  # Universal Anaphora has none
        return np.full(len(corpus.mention_entity), -1, dtype=np.int64)
    return place[tokens.rows(corpus.words.head)]


def _are_referring(corpus: Corpus) -> Mask:
    """Mark mentions of entities: Universal Anaphora has others."""
    if corpus.anaphora is None:
        return np.ones(len(corpus.mention_entity), dtype=np.bool_)
    return corpus.anaphora.is_referring[corpus.mention_entity]


def _notes(corpus: Corpus, is_zero: Mask, is_other: Mask) -> Iterator[Note]:
    count = len(corpus.mention_entity)
    message = f"{corpus.source}: sets of words are compared as spans, without heads"
    yield Note("sets-as-spans", count, message)
    reasons = {
        "zeros": (is_zero, "mentions that are nothing but empty nodes, and left out"),
        "non-referring": (is_other, "mentions that refer to nothing, and are left out"),
    }
    for kind, (mask, message) in reasons.items():
        if count := int(mask.sum()):
            yield Note(f"{kind}-as-spans", count, f"{corpus.source}: {count} {message}")

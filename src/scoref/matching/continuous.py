"""Mentions that are sets of words, as the spans that other formats have.

Empty nodes have no characters, and other formats have none of them: a mention that is
nothing else is left out. A mention with a gap becomes its piece with the head, or the
longest, as `scoref convert` writes it.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.model import Note, Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints

    Mask = NDArray[np.bool_]


class _Pieces(NamedTuple):
    """Runs of neighbouring words: whose they are, their first and their last word."""

    mention: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(cls, mention: Ints, word: Ints) -> _Pieces:
        """Cut the words of mentions, which are sorted by mention, at gaps."""
        is_start = np.diff(mention, prepend=-1) != 0
        is_start |= np.diff(word, prepend=-1) != 1
        is_end = np.append(is_start[1:], True)[: len(word)]
        return cls(mention[is_start], word[is_start], word[is_end])

    def chosen(self, head: Ints) -> _Pieces:
        """Keep a piece of each mention: that of its head, or the longest."""
        place = head[self.mention]
        has_head = (self.first <= place) & (place <= self.last)
        length = self.last - self.first
        order = np.lexsort((self.first, -length, ~has_head, self.mention))
        is_best = np.diff(self.mention[order], prepend=-1) != 0
        return _Pieces(*(column[order][is_best] for column in self))


def as_spans(corpus: Corpus) -> Corpus:
    """Make spans of sets of words; what cannot be one is told in notes."""
    if corpus.words is None:
        return corpus
    corpus = corpus.with_tokens()
    tokens = corpus.tokens
    assert tokens is not None  # noqa: S101 - sets of words have words
    is_overt = ~tokens.is_empty
    place = np.where(is_overt, np.cumsum(is_overt) - 1, -1)
    overt = tokens.keep(is_overt)._replace(code=None)
    members = tokens.of_mentions(corpus)
    mention = np.repeat(np.arange(len(members.start) - 1), np.diff(members.start))
    both = np.unique(np.stack((mention, place[members.member])), axis=1)
    pieces = _Pieces.of(*both[:, both[1] >= 0])
    chosen = pieces.chosen(_heads(corpus, tokens, place))
    kept = np.zeros(len(corpus.mention_entity), dtype=np.bool_)
    kept[chosen.mention] = True
    start, end = np.zeros((2, len(kept)), dtype=np.int64)
    origin = overt.first[corpus.mention_document]
    start[chosen.mention], end[chosen.mention] = chosen.first, chosen.last
    is_referring = _are_referring(corpus)
    gaps = len(pieces.mention) - len(chosen.mention)
    notes = _notes(corpus, int((~kept).sum()), gaps, int((kept & ~is_referring).sum()))
    found = dataclasses.replace(
        corpus,
        document_tokens=np.diff(overt.first),
        mention_start=start - origin,
        mention_end=end - origin,
        words=None,
        anaphora=None,
        tokens=overt,
        notes=(*corpus.notes, *notes),
    )
    return found.keep_mentions(kept & is_referring)


def _heads(corpus: Corpus, tokens: Tokens, place: Ints) -> Ints:
    """Find the heads of mentions among words; -1: it is none."""
    assert corpus.words is not None  # noqa: S101 - asked before
    return place[tokens.rows(corpus.words.head)]


def _are_referring(corpus: Corpus) -> Mask:
    """Mark mentions of entities: Universal Anaphora has others."""
    if corpus.anaphora is None:
        return np.ones(len(corpus.mention_entity), dtype=np.bool_)
    return corpus.anaphora.is_referring[corpus.mention_entity]


def _notes(corpus: Corpus, zeros: int, gaps: int, others: int) -> Iterator[Note]:
    count = len(corpus.mention_entity)
    message = f"{corpus.source}: sets of words are compared as spans, without heads"
    yield Note("sets-as-spans", count, message)
    told = {
        "zeros": (zeros, "mentions that are nothing but empty nodes, and left out"),
        "gaps": (gaps, "gaps in mentions, of which the piece with the head is scored"),
        "non-referring": (others, "mentions that refer to nothing, and are left out"),
    }
    for kind, (count, message) in told.items():
        if count:
            yield Note(f"{kind}-as-spans", count, f"{corpus.source}: {count} {message}")

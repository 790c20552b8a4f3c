"""Conversion of mentions that are sets of words to spans, and selection of documents.

`as_spans` converts a CorefUD or Universal Anaphora corpus for comparison with other
formats. These have no empty nodes, so a mention that consists of empty nodes only is
left out. A mention with gaps keeps its pieces if both formats can hold them. Otherwise
it is reduced to the piece with the head or, if no head is known, to the longest piece;
`scoref convert` writes the same piece.

`of_documents` returns a CorefUD corpus with some of its documents, in any order. It
serves annotators who did not see the same documents: only those that both have can be
compared word by word.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.matching.ragged import Ragged
from scoref.model import SENTENCE_BITS, Note, Sentences, WordSets
from scoref.model.arrays import is_new, ranges, runs, starts
from scoref.notes import WARNING
from scoref.printable import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints, Words

    Mask = NDArray[np.bool_]


class WordRuns(NamedTuple):
    """Runs of neighbouring words: the mention, the first and the last word of each."""

    mention: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(cls, sets: WordSets) -> WordRuns:
        """Cut the words of mentions at gaps."""
        mention = np.repeat(np.arange(len(sets.start) - 1), np.diff(sets.start))
        word = sets.member
        first, length = runs(word - np.arange(len(word)), mention)
        return cls(mention[first], word[first], word[first + length - 1])

    def choose(self, head: Ints) -> WordRuns:
        """Keep one piece of each mention: the piece with its head, or the longest."""
        place = head[self.mention]
        has_head = (self.first <= place) & (place <= self.last)
        length = self.last - self.first
        order = np.lexsort((self.first, -length, ~has_head, self.mention))
        is_best = is_new(self.mention[order])
        return WordRuns(*(column[order][is_best] for column in self))


def as_spans(corpus: Corpus, *, with_gaps: bool = False) -> Corpus:
    """Convert sets of words to spans, and note what is lost.

    ``with_gaps`` keeps the pieces of discontinuous mentions.
    """
    words = corpus.words
    if words is None:
        return corpus
    corpus = corpus.with_tokens()
    tokens = corpus.tokens
    assert tokens is not None
    is_overt = ~tokens.is_empty
    place = np.where(is_overt, np.cumsum(is_overt) - 1, -1)
    overt = tokens.keep(is_overt)._replace(code=None)
    sets = _overt_words(tokens.of_mentions(corpus), place)
    is_filled = np.diff(sets.start) > 0
    is_referring = np.ones(len(corpus.mention_entity), dtype=np.bool_)
    if corpus.anaphora is not None:
        is_referring = corpus.anaphora.is_referring[corpus.mention_entity]
    kept = np.flatnonzero(is_filled & is_referring)
    origin = overt.first[corpus.mention_document[kept]]
    notes = _notes(corpus, ~is_filled, is_filled & ~is_referring)
    spans = dataclasses.replace(
        corpus,
        document_tokens=np.diff(overt.first),
        words=None,
        anaphora=None,
        tokens=overt,
        notes=(*corpus.notes, *notes),
    )
    spans = spans.keep_mentions(is_filled & is_referring)
    sets = sets.take(kept)
    sets = sets._replace(member=sets.member - np.repeat(origin, np.diff(sets.start)))
    spans = dataclasses.replace(
        spans,
        mention_start=sets.member[sets.start[:-1]],
        mention_end=sets.member[sets.start[1:] - 1],
        pieces=sets,
    )
    if with_gaps and len(spans.rows_with_gaps):
        return spans
    head = np.full(len(corpus.mention_entity), -1, dtype=np.int64)
    if not words.by_document:  # Universal Anaphora has no heads
        head = place[tokens.rows(words.head)]
    return _keep_one_piece(spans, head[kept] - origin)


def without_gaps(corpus: Corpus) -> Corpus:
    """Reduce mentions with gaps to their longest piece."""
    if corpus.pieces is None:
        return corpus
    nowhere = np.full(len(corpus.mention_entity), -1, dtype=np.int64)
    return _keep_one_piece(corpus, nowhere)


def _keep_one_piece(corpus: Corpus, head: Ints) -> Corpus:
    """Reduce each mention to the piece with its head, or to the longest piece."""
    assert corpus.pieces is not None
    count = len(corpus.rows_with_gaps)
    _, start, end = WordRuns.of(corpus.pieces).choose(head)
    notes = corpus.notes
    if count:
        have = counted(count, "mention has a gap", "mentions have gaps")
        message = (
            f"{WARNING}{corpus.source}: {have}, which the other side's format cannot "
            "represent. Only the piece with the head, or the longest piece, was scored."
        )
        notes = (*notes, Note("gaps", count, message))
    return dataclasses.replace(
        corpus, mention_start=start, mention_end=end, pieces=None, notes=notes
    )


def _overt_words(sets: WordSets, place: Ints) -> WordSets:
    """Return the words of mentions sorted by place, without empty nodes."""
    owner = np.repeat(np.arange(len(sets.start) - 1), np.diff(sets.start))
    both = np.unique(np.stack((owner, place[sets.member])), axis=1)
    mention, word = both[:, both[1] >= 0]
    start = np.searchsorted(mention, np.arange(len(sets.start)))
    return WordSets(start, word)


def _notes(corpus: Corpus, is_zero: Mask, is_other: Mask) -> Iterator[Note]:
    count = len(corpus.mention_entity)
    message = f"Mentions of {corpus.source} were compared as spans, without heads."
    yield Note("sets-as-spans", count, message)
    reasons = {
        "zeros": (is_zero, "contain only empty nodes"),
        "non-referring": (is_other, "are non-referring"),
    }
    for kind, (mask, reason) in reasons.items():
        if count := int(mask.sum()):
            mentions = counted(count, "mention was", "mentions were")
            message = f"{WARNING}{corpus.source}: {mentions} left out, because spans "
            message += f"cannot represent mentions that {reason}."
            yield Note(f"{kind}-as-spans", count, message)


def of_documents(corpus: Corpus, documents: Ints) -> tuple[Corpus, Ints]:
    """Keep some documents, and return the mentions of the corpus that are left.

    The result has no plurals and no tokens.
    """
    if np.array_equal(documents, np.arange(len(corpus.documents))):
        return corpus, np.arange(len(corpus.mention_entity))
    words = corpus.words
    assert words is not None
    place = _places(documents, len(corpus.documents))
    entities = _in_order(place[corpus.entity_document])
    entity = _places(entities, len(corpus.entity_document))
    rows = _in_order(entity[corpus.mention_entity])
    part = dataclasses.replace(
        corpus,
        documents=tuple(corpus.documents[row] for row in documents.tolist()),
        document_tokens=None
        if corpus.document_tokens is None
        else corpus.document_tokens[documents],
        document_line=corpus.document_line[documents],
        entity_document=place[corpus.entity_document[entities]],
        entity_label=tuple(corpus.entity_label[row] for row in entities.tolist()),
        entity_type=corpus.entity_type
        and tuple(corpus.entity_type[row] for row in entities.tolist()),
        mention_entity=entity[corpus.mention_entity[rows]],
        mention_start=corpus.mention_start[rows],
        mention_end=corpus.mention_end[rows],
        mention_line=corpus.mention_line[rows],
        mention_order=None,
        document_genre=corpus.document_genre
        and tuple(corpus.document_genre[row] for row in documents.tolist()),
        words=_words_of(words, rows, place),
        anaphora=None,
        faults={
            int(place[row]): error
            for row, error in corpus.faults.items()
            if place[row] >= 0
        },
        tokens=None,
    )
    return part, rows


def _places(chosen: Ints, count: int) -> Ints:
    place = np.full(count, -1, dtype=np.int64)
    place[chosen] = np.arange(len(chosen))
    return place


def _in_order(place: Ints) -> Ints:
    """Return the rows that have a place, sorted by place."""
    order = np.argsort(place, kind="stable")
    return order[place[order] >= 0]


def _words_of(words: Words, rows: Ints, document: Ints) -> Words:
    """Keep the sentences of some documents, and the words of their mentions."""
    kept = _in_order(document[words.sentences.document])
    number = _places(kept, len(words.sentences.document))

    def move(code: Ints) -> Ints:
        shift = number[code >> SENTENCE_BITS] - (code >> SENTENCE_BITS)
        new_code: Ints = code + (shift << np.int64(SENTENCE_BITS))
        return new_code

    members = Ragged(words.start, words.member).take(rows)
    head, is_zero = words.head[rows], words.is_zero[rows]
    zeros = zip(head[is_zero].tolist(), move(head[is_zero]).tolist(), strict=True)
    known = words.dependencies
    return words._replace(
        sentences=_sentences_of(words.sentences, kept, document),
        start=members.start,
        member=move(members.value),
        head=move(head),
        is_zero=is_zero,
        head_upos=words.head_upos[rows],
        dependencies={new: known[old] for old, new in zeros if old in known},
        relations=(),
        minimum=None,
        tree_head=None if words.tree_head is None else move(words.tree_head[rows]),
        tree_upos=None if words.tree_upos is None else words.tree_upos[rows],
    )


def _sentences_of(sentences: Sentences, kept: Ints, document: Ints) -> Sentences:
    count = sentences.word_count
    words = ranges(starts(count)[kept], count[kept])
    return Sentences(
        document=document[sentences.document[kept]],
        is_start=sentences.is_start[kept],
        line=sentences.line[kept],
        identifier=sentences.identifier.take(kept),
        word_count=count[kept],
        word=sentences.word.take(words),
        word_line=sentences.word_line[words]
        if len(sentences.word_line)
        else sentences.word_line,
    )

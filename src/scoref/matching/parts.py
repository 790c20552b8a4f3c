"""A CorefUD corpus with some of its documents only, in any order.

Two files can be compared word by word if they are the same text. Of annotators who did
not see the same documents, those that both have are.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from scoref.matching.ragged import Ragged
from scoref.model import SENTENCE_BITS, Sentences

if TYPE_CHECKING:
    from scoref.model import Corpus, Ints, Words


def of_documents(corpus: Corpus, documents: Ints) -> tuple[Corpus, Ints]:
    """Keep some documents, and say which mentions of the corpus are left.

    Plurals are left aside, and so is the text for people.
    """
    if np.array_equal(documents, np.arange(len(corpus.documents))):
        return corpus, np.arange(len(corpus.mention_entity))
    words = corpus.words
    assert words is not None  # noqa: S101 - the format has words
    place = _places(documents, len(corpus.documents))
    entities = _in_order(place[corpus.entity_document])
    entity = _places(entities, len(corpus.entity_document))
    rows = _in_order(entity[corpus.mention_entity])
    found = dataclasses.replace(
        corpus,
        documents=tuple(corpus.documents[each] for each in documents.tolist()),
        document_tokens=None
        if corpus.document_tokens is None
        else corpus.document_tokens[documents],
        document_line=corpus.document_line[documents],
        entity_document=place[corpus.entity_document[entities]],
        entity_label=tuple(corpus.entity_label[each] for each in entities.tolist()),
        entity_type=corpus.entity_type
        and tuple(corpus.entity_type[each] for each in entities.tolist()),
        mention_entity=entity[corpus.mention_entity[rows]],
        mention_start=corpus.mention_start[rows],
        mention_end=corpus.mention_end[rows],
        mention_line=corpus.mention_line[rows],
        mention_order=None,
        document_genre=corpus.document_genre
        and tuple(corpus.document_genre[each] for each in documents.tolist()),
        words=_words_of(words, rows, place),
        anaphora=None,
        faults={
            int(place[row]): error
            for row, error in corpus.faults.items()
            if place[row] >= 0
        },
        tokens=None,
    )
    return found, rows


def _places(chosen: Ints, count: int) -> Ints:
    place = np.full(count, -1, dtype=np.int64)
    place[chosen] = np.arange(len(chosen))
    return place


def _in_order(place: Ints) -> Ints:
    """List what has a place, by its place."""
    order = np.argsort(place, kind="stable")
    return order[place[order] >= 0]


def _words_of(words: Words, rows: Ints, document: Ints) -> Words:
    """Keep the sentences of some documents, and the words of their mentions."""
    kept = _in_order(document[words.sentences.document])
    number = _places(kept, len(words.sentences.document))

    def moved(code: Ints) -> Ints:
        shift = number[code >> SENTENCE_BITS] - (code >> SENTENCE_BITS)
        found: Ints = code + (shift << np.int64(SENTENCE_BITS))
        return found

    taken = Ragged(words.start, words.member).take(rows)
    head, is_zero = words.head[rows], words.is_zero[rows]
    zeros = zip(head[is_zero].tolist(), moved(head[is_zero]).tolist(), strict=True)
    known = words.dependencies
    return words._replace(
        sentences=_sentences(words.sentences, kept, document),
        start=taken.start,
        member=moved(taken.value),
        head=moved(head),
        is_zero=is_zero,
        head_upos=words.head_upos[rows],
        dependencies={new: known[old] for old, new in zeros if old in known},
        relations=(),
        minimum=None,
        tree_head=None if words.tree_head is None else moved(words.tree_head[rows]),
        tree_upos=None if words.tree_upos is None else words.tree_upos[rows],
    )


def _sentences(sentences: Sentences, kept: Ints, document: Ints) -> Sentences:
    end = np.cumsum(sentences.word_count)
    bounds = np.concatenate(([0], end))
    words = Ragged(bounds, np.arange(bounds[-1])).take(kept).value
    return Sentences(
        document=document[sentences.document[kept]],
        is_start=sentences.is_start[kept],
        line=sentences.line[kept],
        identifier=sentences.identifier.take(kept),
        word_count=sentences.word_count[kept],
        word=sentences.word.take(words),
        word_line=sentences.word_line[words]
        if len(sentences.word_line)
        else sentences.word_line,
    )

"""Two corpora whose words are counted by document, brought into one numbering.

Documents are paired by name, in whatever order they come, and their words must be
the same. After this, a word of one side is the same integer on the other.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from scoref.matching.documents import pair_documents, scored_documents
from scoref.matching.same_words import refuse_other_words
from scoref.model import SENTENCE_BITS, DocumentName, WordSets

if TYPE_CHECKING:
    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints, Note, Tokens
    from scoref.scheme import Scheme

_PLACE = (1 << SENTENCE_BITS) - 1


def pair_texts(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Corpus, Corpus, tuple[Note, ...]]:
    """Pair documents, see that they are the same text, and number them alike."""
    documents = pair_documents(key, response, scheme)
    if scheme.reading == "strict":
        _check_words(key, response, documents)
    names = tuple(map(DocumentName.plain, documents.names))
    return (
        _renumbered(key, scored_documents(key, documents.key), names),
        _renumbered(response, scored_documents(response, documents.response), names),
        documents.notes,
    )


def _check_words(key: Corpus, response: Corpus, documents: Documents) -> None:
    both = np.flatnonzero((documents.key >= 0) & (documents.response >= 0))
    refuse_other_words(
        _words_of(key, documents.key[both]),
        _words_of(response, documents.response[both]),
        sources=(key.source, response.source),
        hint="documents must have the same words; only zeros may differ",
    )


def _words_of(corpus: Corpus, documents: Ints) -> Tokens:
    assert corpus.words is not None  # noqa: S101 - the format has words
    text = corpus.words.sentences.tokens(len(corpus.documents))
    return text.of_documents(documents)


def _renumbered(
    corpus: Corpus, scored: Ints, documents: tuple[DocumentName, ...]
) -> Corpus:
    """Give documents the numbers that they are scored by; -1 if they are not."""
    if np.array_equal(scored, np.arange(len(documents))):
        return corpus
    words = corpus.words
    assert words is not None  # noqa: S101

    def moved(code: Ints) -> Ints:
        document = scored[code >> SENTENCE_BITS]
        place: Ints = code & _PLACE
        moved_place: Ints = place | (document << np.int64(SENTENCE_BITS))
        return moved_place

    minimum = words.minimum
    if minimum is not None:
        minimum = WordSets(minimum.start, moved(minimum.member))
    return dataclasses.replace(
        corpus,
        documents=documents,
        entity_document=scored[corpus.entity_document],
        words=words._replace(
            member=moved(words.member),
            head=moved(words.head),
            minimum=minimum,
            tree_head=None if words.tree_head is None else moved(words.tree_head),
        ),
    )

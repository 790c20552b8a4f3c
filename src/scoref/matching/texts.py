"""Two corpora whose words are counted by document, brought into one numbering.

Documents are paired by name, in whatever order they come, and their words must be
the same. After this, a word of one side is the same integer on the other.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from scoref.matching.documents import (
    OTHER_NAMES,
    differ,
    other_names,
    pair_documents,
    scored_documents,
)
from scoref.matching.same_words import refuse_other_words
from scoref.model import SENTENCE_BITS, DocumentName, WordSets

if TYPE_CHECKING:
    from scoref.model import Corpus, Ints, Note, Tokens
    from scoref.scheme import Scheme

_PLACE = (1 << SENTENCE_BITS) - 1


def pair_texts(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Corpus, Corpus, tuple[Note, ...]]:
    """Pair documents, see that they are the same text, and number them alike."""
    documents = pair_documents(key, response, scheme)
    both = np.flatnonzero((documents.key >= 0) & (documents.response >= 0))
    if scheme.reading != "strict":  # only names that differ give reason to look
        others = other_names(key, response, documents.response[: len(key.documents)])
        both = both[np.isin(documents.key[both], others)]
    _check_words(key, response, documents.key[both], documents.response[both])
    notes = tuple(note for note in documents.notes if note.kind != OTHER_NAMES)
    names = tuple(map(DocumentName.plain, documents.names))
    return (
        _renumbered(key, scored_documents(key, documents.key), names),
        _renumbered(response, scored_documents(response, documents.response), names),
        notes,
    )


def _check_words(key: Corpus, response: Corpus, ours: Ints, theirs: Ints) -> None:
    """Refuse documents that have other words, and name those whose names differ."""
    if not len(ours):
        return
    words = _words_of(key, ours), _words_of(response, theirs)
    at = words[0].first_difference(words[1])
    if at < 0:
        return
    hint = "documents must have the same words; only zeros may differ"
    place = int(np.searchsorted(words[0].first, at, side="right")) - 1
    place = min(place, len(ours) - 1)
    names = key.documents[ours[place]], response.documents[theirs[place]]
    if differ(*names):
        hint = (
            f"document '{names[1].name}' was paired with '{names[0].name}'. "
            "--document-names FILE says which is which"
        )
    refuse_other_words(*words, sources=(key.source, response.source), hint=hint)


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

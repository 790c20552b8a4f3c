"""Two corpora whose words are counted by document, brought into one numbering.

Documents are paired by name, in whatever order they come, and their words must be
the same. After this, a word of one side is the same integer on the other.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import AlignmentError
from scoref.matching.documents import pair_documents, scored_documents
from scoref.model import SENTENCE_BITS, DocumentName, WordSets

if TYPE_CHECKING:
    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints, Note, Sentences
    from scoref.scheme import Scheme

_PLACE = (1 << SENTENCE_BITS) - 1


def pair_texts(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Corpus, Corpus, tuple[Note, ...]]:
    """Pair documents, see that they are the same text, and number them alike."""
    documents = pair_documents(key, response, scheme)
    _check_words(key, response, documents, is_strict=scheme.reading == "strict")
    names = tuple(map(DocumentName.plain, documents.names))
    return (
        _renumbered(key, scored_documents(key, documents.key), names),
        _renumbered(response, scored_documents(response, documents.response), names),
        documents.notes,
    )


def _check_words(
    key: Corpus, response: Corpus, documents: Documents, *, is_strict: bool
) -> None:
    both = np.flatnonzero((documents.key >= 0) & (documents.response >= 0))
    ours = _words_of(_sentences(key), documents.key[both])
    theirs = _words_of(_sentences(response), documents.response[both])
    if len(ours) != len(theirs):
        return  # only a lenient reading comes so far, and documents have said so
    forms = _sentences(key).word.take(ours), _sentences(response).word.take(theirs)
    place = forms[0].first_difference(forms[1])
    if is_strict and place >= 0:
        _refuse(key, response, int(ours[place]), int(theirs[place]))


def _refuse(key: Corpus, response: Corpus, ours: int, theirs: int) -> None:
    sides = _sentences(key), _sentences(response)
    words = [side.word.text(at) for side, at in zip(sides, (ours, theirs), strict=True)]
    line = int(sides[1].word_line[theirs])
    raise AlignmentError(
        f"this word is '{words[1]}', but '{words[0]}' in "
        f"{key.source}:{sides[0].word_line[ours]}",
        source=response.source,
        line=line,
        hint="documents must have the same words; only zeros may differ",
    )


def _sentences(corpus: Corpus) -> Sentences:
    assert corpus.words is not None  # noqa: S101 - the format has words
    return corpus.words.sentences


def _words_of(sentences: Sentences, documents: Ints) -> Ints:
    """List the words of some documents, one document after the other."""
    of_word = np.repeat(sentences.document, sentences.word_count)
    place = np.full(int(of_word.max(initial=-1)) + 1, -1, dtype=np.int64)
    place[documents[documents < len(place)]] = np.flatnonzero(documents < len(place))
    turn = place[of_word]
    order = np.argsort(turn, kind="stable")
    return order[turn[order] >= 0]


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
        moved_place: Ints = place | (document << SENTENCE_BITS)
        return moved_place

    minimum = words.minimum
    if minimum is not None:
        minimum = WordSets(minimum.start, moved(minimum.member))
    return dataclasses.replace(
        corpus,
        documents=documents,
        entity_document=scored[corpus.entity_document],
        words=words._replace(
            member=moved(words.member), head=moved(words.head), minimum=minimum
        ),
    )

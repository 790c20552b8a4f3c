"""Where mentions begin: at which word of which document, on both sides alike.

Words are counted from 0. A zero stands where the word before it does, or, in front of
all words, where the first one does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import OptionError
from scoref.matching.documents import pair_documents, scored_documents
from scoref.matching.mentions import same_text
from scoref.model import SENTENCE_BITS, WORD_BITS

if TYPE_CHECKING:
    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints, Note, Words
    from scoref.scheme import Scheme

_PLACE = (1 << SENTENCE_BITS) - 1
_WITHOUT_PLACES = "entities"


class WindowSide(NamedTuple):
    """One side: the scored document of each mention (-1: none), and its first word."""

    corpus: Corpus
    document: Ints
    place: Ints


class PlacedSides(NamedTuple):
    """Both sides with their documents in one numbering."""

    names: tuple[str, ...]
    length: Ints  # of each document, in words; -1 where nobody says
    key_row: Ints  # of each document in the key that was read; -1: not there
    sides: tuple[WindowSide, WindowSide]
    notes: tuple[Note, ...] = ()


def text_of(key: Corpus, response: Corpus, scheme: Scheme) -> PlacedSides:
    """Pair documents, and find the place of each mention."""
    _refuse(key, response, scheme)
    if key.words is not None and not key.words.by_document:
        key, response, _ = same_text(key, response, scheme)
        return _by_sentence(key, response)
    documents = pair_documents(key, response, scheme)
    length = _lengths(key, response, documents)
    if key.words is None:
        sides = _span(key, documents.key), _span(response, documents.response)
    else:
        key, response, _ = same_text(key, response, scheme)
        sides = _by_document(key), _by_document(response)
    return PlacedSides(documents.names, length, documents.key, sides, documents.notes)


def words_of(corpus: Corpus) -> Words:
    """Give the words of a corpus that has them."""
    assert corpus.words is not None  # noqa: S101 - asked before
    return corpus.words


def _refuse(key: Corpus, response: Corpus, scheme: Scheme) -> None:
    if _WITHOUT_PLACES in {key.format, response.format}:
        raise OptionError("windows need files: entities in Python have no places")
    anaphora = [side.anaphora for side in (key, response) if side.anaphora is not None]
    has_plurals = any(len(each.plural) for each in anaphora)
    if has_plurals and scheme.split_antecedents == "keep":
        raise OptionError(
            "plurals tie entities of several windows together: leave them out "
            "(split_antecedents=drop, --split-antecedents drop)"
        )


def _lengths(key: Corpus, response: Corpus, documents: Documents) -> Ints:
    """Count tokens by the key; by the response where the key does not say."""
    length = np.full(len(documents.names), -1, dtype=np.int64)
    for corpus, rows in ((response, documents.response), (key, documents.key)):
        if corpus.document_tokens is not None:
            there = np.flatnonzero(rows >= 0)
            length[there] = corpus.document_tokens[rows[there]]
    return length


def _span(corpus: Corpus, rows: Ints) -> WindowSide:
    scored = scored_documents(corpus, rows)
    return WindowSide(corpus, scored[corpus.mention_document], corpus.mention_start)


def _by_document(corpus: Corpus) -> WindowSide:
    """Read the place from the number of the first word, which counts from 1."""
    words = words_of(corpus)
    number = (words.member[words.start[:-1]] & _PLACE) >> WORD_BITS
    return WindowSide(corpus, corpus.mention_document, np.maximum(number - 1, 0))


def _by_sentence(key: Corpus, response: Corpus) -> PlacedSides:
    sentences = words_of(key).sentences
    count, document = sentences.word_count, sentences.document
    length = np.bincount(document, count, len(key.documents)).astype(np.int64)
    # A document may go on after another one.
    order = np.argsort(document, kind="stable")
    before = np.empty_like(count)
    before[order] = np.cumsum(count[order]) - count[order]
    before -= (np.cumsum(length) - length)[document]

    def side(corpus: Corpus) -> WindowSide:
        words = words_of(corpus)
        first = words.member[words.start[:-1]]
        sentence, number = first >> SENTENCE_BITS, (first & _PLACE) >> WORD_BITS
        inside = np.maximum(np.minimum(number, count[sentence]) - 1, 0)
        return WindowSide(corpus, corpus.mention_document, before[sentence] + inside)

    names = tuple(document.name for document in key.documents)
    return PlacedSides(
        names, length, np.arange(len(names)), (side(key), side(response))
    )

"""Errors by class: of their mentions, entities, distances and documents.

An error about several mentions has the class of the first one: there the link was made
that should not have been, or missed. The key's mention decides; the response's where
the key has none. A distance is that of a link: back to the mention before in the
entity, on the side that has too much of it (the response, where entities are conflated,
links wrong and mentions extra), otherwise in the key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.listings import Listings
from scoref.errors import OptionError, unknown
from scoref.model import SENTENCE_BITS
from scoref.scoring.slices import classes_of, in_order
from scoref.tools.errors.kinds import BY, KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints, WordSets
    from scoref.tools.errors.findings import AnalysedSide, Analysis, Errors

_OF_SLICES = {"mention-class": "mention-type"}
_DISTANCES = ("0", "1", "2", "3-5", "6-")
FIRST = "first"
DISTANCES = (*_DISTANCES, FIRST)
_OF_RESPONSE = [place for place, kind in enumerate(KINDS) if kind.is_extra]


class Classes(NamedTuple):
    """Names of classes, and which one each error is of."""

    names: tuple[str, ...]
    of_error: Ints

    def counts(self, errors: Errors) -> Ints:
        """Count errors: a row for each class, a column for each kind."""
        return errors.counts(self.of_error, len(self.names))


def classify(analysis: Analysis, by: str) -> Classes:
    """Sort the errors of a response into classes."""
    if by not in BY:
        raise unknown("class of errors", by, BY)
    if by == "type":
        return Classes(("all",), np.zeros(len(analysis.errors.kind), dtype=np.int64))
    if by == "document":
        return Classes(analysis.documents, analysis.errors.document)
    if by == "distance":
        return _by_distance(analysis)
    kind = _OF_SLICES.get(by, by)
    sides = zip(analysis.corpora, (analysis.key, analysis.response), strict=True)
    labels = [_labels(kind, corpus, side) for corpus, side in sides]
    names = tuple(in_order({*labels[0], *labels[1]}, kind))
    number = {name: place for place, name in enumerate(names)}
    codes = [np.array([number[each] for each in side], np.int64) for side in labels]
    is_key = np.diff(analysis.errors.key_mentions.start) > 0
    return Classes(names, _of_first(analysis, codes, is_key))


def _labels(kind: str, corpus: Corpus, side: AnalysedSide) -> list[str]:
    nothing = np.zeros(0, dtype=np.int64)
    nobody = np.zeros(0, dtype=np.bool_)
    listings = Listings(
        corpus, side.row, side.entity, side.document, nothing, nobody, nobody
    )
    return classes_of(kind, listings, np.bincount(side.entity))


def mention_classes(corpus: Corpus, side: AnalysedSide) -> list[str] | None:
    """Name the class of each mention; None where the format has no parts of speech."""
    if not has_classes(corpus):
        return None
    return _labels(_OF_SLICES["mention-class"], corpus, side)


def has_classes(corpus: Corpus) -> bool:
    """Tell whether the format has parts of speech."""
    return corpus.words is not None and not corpus.words.by_document


def _of_first(analysis: Analysis, codes: list[Ints], is_key: NDArray[np.bool_]) -> Ints:
    """Give each error the code of its first mention, in the key or in the response."""
    errors = analysis.errors
    sets = errors.key_mentions, errors.response_mentions
    ours, theirs = (_firsts(each, code) for each, code in zip(sets, codes, strict=True))
    return np.where(is_key, ours, theirs)


def _firsts(mentions: WordSets, code: Ints) -> Ints:
    """Give each row what its first mention has; empty rows get anything."""
    first = np.append(mentions.member, -1)[mentions.start[:-1]]
    found: Ints = np.append(code, 0)[first]
    return found


def _by_distance(analysis: Analysis) -> Classes:
    distance = distances_of(analysis)
    place = np.searchsorted([1, 2, 3, 6], distance, side="right")
    return Classes(DISTANCES, np.where(distance < 0, len(_DISTANCES), place))


def distances_of(analysis: Analysis) -> Ints:
    """Count the sentences that each link goes back; -1 if the mention is the first."""
    sides = zip(analysis.corpora, (analysis.key, analysis.response), strict=True)
    codes = [_sentences_back(corpus, side) for corpus, side in sides]
    is_key = ~np.isin(analysis.errors.kind, _OF_RESPONSE)
    return _of_first(analysis, codes, is_key)


def _sentences_back(corpus: Corpus, side: AnalysedSide) -> Ints:
    """Count the sentences back to the mention before in the entity; -1: none."""
    sentence = sentences_of(corpus, side.row)
    order = np.lexsort((np.arange(len(sentence)), side.entity))
    is_first = np.diff(side.entity[order], prepend=-1) != 0
    distance = np.maximum(np.diff(sentence[order], prepend=0), 0)
    found = np.empty_like(distance)
    found[order] = np.where(is_first, -1, distance)
    return found


def sentences_of(corpus: Corpus, rows: Ints) -> Ints:
    """Give the sentence of each mention's first word, numbered through the corpus."""
    if corpus.tokens is not None:
        sets = corpus.tokens.of_mentions(corpus)
        return corpus.tokens.sentence[sets.member[sets.start[rows]]]
    if not has_sentences(corpus):
        raise OptionError(
            f"{corpus.source} does not say where sentences begin, so there is no "
            "distance"
        )
    assert corpus.words is not None  # noqa: S101 - it has sentences
    found: Ints = corpus.words.member[corpus.words.start[rows]] >> SENTENCE_BITS
    return found


def has_sentences(corpus: Corpus) -> bool:
    """Tell whether it is known in which sentence a mention is."""
    if corpus.tokens is not None:
        return True
    return corpus.words is not None and not corpus.words.by_document

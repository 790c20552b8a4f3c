"""Data types for texts with several annotators, and the pairing of their documents.

Each pair of annotators is scored like a key and a response, and the matches show which
mentions are the same. A *unit* is a mention that at least one annotator marked.
`shared_documents` finds which documents of the annotators are the same.
"""

from __future__ import annotations

import dataclasses
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError
from scoref.matching.documents import partners
from scoref.matching.same_text import refuse_other_words
from scoref.scoring.format_defaults import ComparableSides, on_one_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints, Note
    from scoref.scheme import Scheme
    from scoref.scoring.results import Result

    Mask = NDArray[np.bool_]
    Pairs = Mapping[tuple[int, int], Result]


class AnnotatorMarks(NamedTuple):
    """A row for each mention of each annotator, sorted by annotator and unit.

    ``entity`` is a number that no other annotator's entity has. ``row`` is the
    mention's row in ``corpora[corpus]``.
    """

    unit: Ints
    annotator: Ints
    entity: Ints
    corpus: Ints
    row: Ints

    def where(self, kept: Mask | Ints) -> AnnotatorMarks:
        """Keep some of them."""
        return AnnotatorMarks(*(column[kept] for column in self))

    def of(self, annotator: int) -> AnnotatorMarks:
        """Keep those of an annotator."""
        start, end = np.searchsorted(self.annotator, (annotator, annotator + 1))
        return AnnotatorMarks(*(column[start:end] for column in self))


class Annotated(NamedTuple):
    """Documents that several people annotated.

    ``has`` says who has which document: a row for each document, a column for each
    annotator. ``results`` are the scores of two annotators, by their numbers, over the
    documents that both have. ``slices`` are those of classes of mentions, if wanted.
    ``called`` has mentions that are values in Python, by document and number.
    """

    names: tuple[str, ...]
    documents: tuple[str, ...]
    has: Mask
    unit_document: Ints
    marks: AnnotatorMarks
    corpora: tuple[Corpus, ...]
    results: Pairs
    notes: tuple[Note, ...] = ()
    called: Mapping[str, Sequence[object]] = MappingProxyType({})
    slices: Mapping[tuple[int, int], Mapping[str, Result]] = MappingProxyType({})

    def without_last(self) -> Annotated:
        """Leave out the last annotator, and mentions that only they marked."""
        people = len(self.names) - 1
        marks = self.marks.where(self.marks.annotator < people)
        kept = np.zeros(len(self.unit_document), dtype=np.bool_)
        kept[marks.unit] = True
        number = np.cumsum(kept) - 1
        return self._replace(
            names=self.names[:-1],
            has=self.has[:, :-1],
            unit_document=self.unit_document[kept],
            marks=marks._replace(unit=number[marks.unit]),
            results={
                pair: each for pair, each in self.results.items() if people not in pair
            },
        )


class AnnotatedDocuments(NamedTuple):
    """The documents of all corpora, and the number of each document of each corpus."""

    names: tuple[str, ...]
    numbers: tuple[Ints, ...]

    @property
    def has(self) -> NDArray[np.bool_]:
        """Mark who has which: a row for each document, a column for each corpus."""
        has = np.zeros((len(self.names), len(self.numbers)), dtype=np.bool_)
        for column, number in enumerate(self.numbers):
            has[number, column] = True
        return has


def shared_documents(corpora: Sequence[Corpus], scheme: Scheme) -> AnnotatedDocuments:
    """Pair the documents of all corpora as those of a key and a response are paired.

    Raises:
        AlignmentError: documents of the same name are different texts.
    """
    names: list[str] = []
    numbers: list[Ints] = []
    for place, corpus in enumerate(corpora):
        number = np.full(len(corpus.documents), -1, dtype=np.int64)
        for other in range(place):
            if (number >= 0).all():
                break
            _take_numbers(corpora[other], numbers[other], corpus, number, scheme)
        new = np.flatnonzero(number < 0)
        number[new] = len(names) + np.arange(len(new))
        names += [corpus.documents[row].name for row in new.tolist()]
        numbers.append(number)
    return AnnotatedDocuments(tuple(names), tuple(numbers))


def _take_numbers(
    other: Corpus, known: Ints, corpus: Corpus, number: Ints, scheme: Scheme
) -> None:
    """Give documents the numbers that they have in another corpus."""
    sides = in_one_text(other, corpus, scheme)
    partner = partners(sides.key, sides.response, scheme)
    both = np.flatnonzero(partner >= 0)
    rows = both, partner[both]
    new = (number[rows[1]] < 0) & ~np.isin(known[rows[0]], number)
    number[rows[1][new]] = known[rows[0][new]]
    is_compared = sides.scheme.words is not None or other.format != corpus.format
    if scheme.reading != "strict" or corpus.words is not None or is_compared:
        return
    if other.tokens is not None and corpus.tokens is not None:
        refuse_other_words(
            other.tokens.of_documents(rows[0][new]),
            corpus.tokens.of_documents(rows[1][new]),
            sources=(other.source, corpus.source),
            hint="documents of the same name must have the same words",
        )


def in_one_text(key: Corpus, response: Corpus, scheme: Scheme) -> ComparableSides:
    """Count mentions of two annotators in the same words; none gets lost."""
    # A lenient reading would drop mentions if one text is a part of the other.
    strict = dataclasses.replace(scheme, reading="strict")
    sides = on_one_text(
        key, response, strict if scheme.reading == "lenient" else scheme
    )
    for before, after in ((key, sides.key), (response, sides.response)):
        if len(before.mention_entity) != len(after.mention_entity):
            raise AlignmentError(
                "mentions of this file have no characters that the other one has",
                source=before.source,
                hint=f"{key.source} and {response.source} must be the same text",
            )
    scheme = dataclasses.replace(
        scheme, words=sides.scheme.words, borders=sides.scheme.borders
    )
    return ComparableSides(sides.key, sides.response, scheme)

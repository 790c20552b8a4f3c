"""Several people annotated the same texts: who marked which mention, and how.

Each two of them are scored as a key and a response are, and what was matched on the way
says which mentions are the same: a *unit* is a mention that anybody marked.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints, Note
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

    ``has`` tells who has seen which document: a row for each, a column for each of
    them. ``results`` are ordinary scores of two annotators, by their numbers, over the
    documents that both have, and ``slices`` those of classes of mentions, if wanted.
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
        """Leave the last annotator out, and what nobody else marked."""
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

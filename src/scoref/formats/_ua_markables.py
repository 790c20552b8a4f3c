"""Markables in columns, however they were found: put into entities, and in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.formats._ua_text import column
from scoref.model import SENTENCE_BITS, WORD_BITS, WordSets, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.formats._ua_brackets import Markable
    from scoref.model import Ints

    Mask = NDArray[np.bool_]

_STEP = 1 << WORD_BITS


class Element(NamedTuple):
    """What a markable says of its entity: which other one it is an element of."""

    markable: int
    plural: str
    line: int


class Markables(NamedTuple):
    """Markables of whole documents, and there in the order of their first brackets.

    ``label`` is a row of ``labels``, where each entity of each document has its own.
    The parts of a markable are ``first`` to ``last``, in order, and share no word.
    """

    document: Ints
    label: Ints
    labels: list[str]
    name: list[str]
    is_referring: Mask
    minimum: Ints  # its first word, 0 if there is none
    minimum_end: Ints
    cell: Ints  # of the first bracket
    line: Ints  # of the last one
    part: Ints  # the markable of each part
    first: Ints
    last: Ints
    elements: list[Element]

    @classmethod
    def of(cls, found: list[Markable]) -> Markables:
        """Put markables that were found one by one into columns."""
        document = column(markable.code for markable in found) >> SENTENCE_BITS
        labels: dict[tuple[int, str], int] = {}
        label = column(
            labels.setdefault((of, markable.entity), len(labels))
            for of, markable in zip(document.tolist(), found, strict=True)
        )
        parts = [
            (row, *part)
            for row, markable in enumerate(found)
            for part in markable.parts
        ]
        part, first, last = np.array(parts, dtype=np.int64).reshape(-1, 3).T
        return cls(
            document=document,
            label=label,
            labels=[text for _, text in labels],
            name=[markable.name for markable in found],
            is_referring=np.array([markable.is_referring for markable in found], bool),
            minimum=column(markable.minimum for markable in found),
            minimum_end=column(markable.minimum_end for markable in found),
            cell=column(markable.cell for markable in found),
            line=column(markable.last_line for markable in found),
            part=part,
            first=first,
            last=last,
            elements=[
                Element(row, *element)
                for row, markable in enumerate(found)
                for element in markable.elements
            ],
        )

    def joined(self, other: Markables) -> Markables:
        """Add the markables of other documents."""
        shift = len(self.name)
        if not shift or not other.name:
            return self if shift else other
        other = other._replace(
            label=other.label + len(self.labels),
            part=other.part + shift,
            elements=[
                element._replace(markable=element.markable + shift)
                for element in other.elements
            ],
        )
        return Markables(
            document=np.concatenate((self.document, other.document)),
            label=np.concatenate((self.label, other.label)),
            labels=self.labels + other.labels,
            name=self.name + other.name,
            is_referring=np.concatenate((self.is_referring, other.is_referring)),
            minimum=np.concatenate((self.minimum, other.minimum)),
            minimum_end=np.concatenate((self.minimum_end, other.minimum_end)),
            cell=np.concatenate((self.cell, other.cell)),
            line=np.concatenate((self.line, other.line)),
            part=np.concatenate((self.part, other.part)),
            first=np.concatenate((self.first, other.first)),
            last=np.concatenate((self.last, other.last)),
            elements=self.elements + other.elements,
        )

    def in_order(self) -> tuple[Markables, Ints]:
        """Sort by document and entity, and say where each markable has gone to.

        Labels, too, are then in the order of the first markables that have them.
        """
        count = len(self.label)
        first = np.empty(len(self.labels), dtype=np.int64)
        first[self.label[::-1]] = np.arange(count)[::-1]
        by_sight = np.lexsort((first, self.document[first]))
        entity = _places(by_sight)[self.label]
        order = np.argsort(entity, kind="stable")
        place = _places(order)
        part = place[self.part]
        has_gaps = len(part) > count
        turn = np.argsort(part, kind="stable") if has_gaps else order
        found = Markables(
            document=self.document[order],
            label=entity[order],
            labels=[self.labels[row] for row in by_sight.tolist()],
            name=list(map(self.name.__getitem__, order.tolist())),
            is_referring=self.is_referring[order],
            minimum=self.minimum[order],
            minimum_end=self.minimum_end[order],
            cell=self.cell[order],
            line=self.line[order],
            part=part[turn],
            first=self.first[turn],
            last=self.last[turn],
            elements=self._moved(place),
        )
        return found, place

    def _moved(self, place: Ints) -> list[Element]:
        """Sort elements by document; inside one they stay as they are."""
        if not self.elements:
            return []
        document, places = self.document.tolist(), place.tolist()
        by_document = sorted(self.elements, key=lambda each: document[each.markable])
        return [Element(places[row], plural, line) for row, plural, line in by_document]

    def plurals(self) -> tuple[list[tuple[int, int]], list[int]]:
        """List pairs of a plural and its element, and lines that name no entity.

        Markables must be in order.
        """
        if not self.elements:
            return [], []
        document, entity = self.document.tolist(), self.label.tolist()
        first = np.flatnonzero(np.diff(self.label, prepend=-1)).tolist()
        known = {
            (document[row], label): number
            for number, (row, label) in enumerate(zip(first, self.labels, strict=True))
        }
        pairs: dict[tuple[int, int], None] = {}
        unknown = []
        for row, label, line in self.elements:
            plural = known.get((document[row], label))
            if plural is None:
                unknown.append(line)
            else:
                pairs[plural, entity[row]] = None
        return list(pairs), unknown

    def words(self) -> WordSets:
        """List the words of each markable, in order and none twice."""
        length = (self.last - self.first) // _STEP + 1
        ends = np.concatenate(([0], np.cumsum(length)))
        parts = np.bincount(self.part, minlength=len(self.name))
        start = ends[np.concatenate(([0], np.cumsum(parts)))]
        return WordSets(start, listed(self.first, length, _STEP))

    def minimums(self) -> WordSets:
        """List the words of each minimum."""
        first, last = self.minimum, self.minimum_end - (self.minimum == 0)
        length = last - first + 1
        end = np.cumsum(length)
        number = np.arange(length.sum()) + np.repeat(first - end + length, length)
        document = np.repeat(self.document, length)
        return WordSets(
            np.concatenate(([0], end)),
            document << np.int64(SENTENCE_BITS) | number << np.int64(WORD_BITS),
        )


def _places(order: Ints) -> Ints:
    """Say where each row of an order stands in it."""
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place

"""The value that an annotator gives to a mention: the set that he put it with.

Sets have numbers, sizes, and one annotator each. An annotator who has a document and
lacks a mention of it says, as ``missing`` has it, that it stands alone (``singleton``),
nothing about it (``omit``), or that it is none (``nothing``): the empty set, which has
the number -1 whoever says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.matching.ragged import Ragged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.scoring.annotators import Annotated
    from scoref.tools.agree.options import Missing

    Floats = NDArray[np.float64]

EMPTY = -1


class UnitValues(NamedTuple):
    """Values of units that have two at least, sorted by annotator and unit."""

    unit: Ints
    annotator: Ints
    put_with: Ints  # the number of the set
    size: Floats  # of each set
    times: Floats  # how often each set is a value
    per_unit: Ints  # how many values each unit has
    unit_document: Ints

    def of(self, annotator: int) -> tuple[Ints, Ints]:
        """Give an annotator's units, and the sets that they are put with."""
        start, end = np.searchsorted(self.annotator, (annotator, annotator + 1))
        return self.unit[start:end], self.put_with[start:end]

    @property
    def document(self) -> Ints:
        """Give the document of each value."""
        return self.unit_document[self.unit]


def values_of(annotated: Annotated, missing: Missing) -> UnitValues:
    """Give every annotator's value of every mention."""
    marks = annotated.marks
    sets = int(marks.entity.max(initial=-1)) + 1
    size = np.bincount(marks.entity, minlength=sets)
    unit, who, value = marks.unit, marks.annotator, marks.entity
    if missing != "omit":
        more, others = _lacked(annotated)
        new = np.full(len(more), EMPTY, dtype=np.int64)
        if missing == "singleton":
            new = sets + np.arange(len(more))
            size = np.concatenate((size, np.ones(len(more), dtype=np.int64)))
        unit = np.concatenate((unit, more))
        who = np.concatenate((who, others))
        value = np.concatenate((value, new))
    count = np.bincount(unit, minlength=len(annotated.unit_document))
    kept = np.flatnonzero(count[unit] > 1)
    kept = kept[np.lexsort((unit[kept], who[kept]))]
    times = np.bincount(value[kept] + 1, minlength=len(size) + 1)[1:]
    return UnitValues(
        unit[kept],
        who[kept],
        value[kept],
        size.astype(np.float64),
        times.astype(np.float64),
        np.where(count > 1, count, 0),
        annotated.unit_document,
    )


def _lacked(annotated: Annotated) -> tuple[Ints, Ints]:
    """List the mentions that annotators do not have, though they have the document."""
    people = len(annotated.names)
    document, who = np.nonzero(annotated.has)
    length = np.bincount(document, minlength=len(annotated.documents))
    readers = Ragged(np.concatenate(([0], np.cumsum(length))), who)
    each = readers.take(annotated.unit_document)
    code = each.owner() * people + each.value
    marked = annotated.marks.unit * people + annotated.marks.annotator
    lacked = np.setdiff1d(code, marked, assume_unique=True)
    return lacked // people, lacked % people

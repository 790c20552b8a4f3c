"""Krippendorff's α of sets: agreement beyond that expected by chance.

The value that an annotator gives to a mention is the set of mentions in its entity. If
an annotator has a document but lacks one of its mentions, ``missing`` decides the
value: a set of its own (``singleton``), no value (``omit``), or the empty set
(``nothing``), which has the number -1 for every annotator.

For a unit with m ≥ 2 values, n values in all:

    D_o = 1/n · Σ_units 1/(m − 1) · Σ_{i ≠ j} δ(vᵢ, vⱼ)
    D_e = 1/(n(n − 1)) · Σ_{i ≠ j} δ(vᵢ, vⱼ)          over all values
    α   = 1 − D_o / D_e;   1 if D_e = 0

Both sums are split into a row for each pair of annotators in each document, so that
documents and annotators can be left out or counted twice. Each annotator also has a row
for pairs of their own values, which contributes only to D_e. Sets that share no mention
have distance 1 and are never compared.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.matching.ragged import Ragged
from scoref.metrics.base import ratio
from scoref.model.arrays import bounds
from scoref.tools.agree.options import DISTANCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.scoring.annotators import Annotated
    from scoref.tools.agree.options import Average, Missing

    Floats = NDArray[np.float64]


EMPTY = -1
"""The number of the empty set."""


class UnitValues(NamedTuple):
    """Values of units (mentions) with at least two, sorted by annotator and unit."""

    unit: Ints
    annotator: Ints
    number: Ints  # of the set
    size: Floats  # of each set
    times: Floats  # how often each set is a value
    per_unit: Ints  # how many values each unit has
    unit_document: Ints

    def of(self, annotator: int) -> tuple[Ints, Ints]:
        """Return an annotator's units, and the numbers of their sets."""
        start, end = np.searchsorted(self.annotator, (annotator, annotator + 1))
        return self.unit[start:end], self.number[start:end]


def values_of(annotated: Annotated, missing: Missing) -> UnitValues:
    """Return every annotator's value of every mention."""
    marks = annotated.marks
    sets = int(marks.entity.max(initial=-1)) + 1
    size = np.bincount(marks.entity, minlength=sets)
    unit, who, value = marks.unit, marks.annotator, marks.entity
    if missing != "omit":
        lacking, others = _lacking_mentions(annotated)
        new = np.full(len(lacking), EMPTY, dtype=np.int64)
        if missing == "singleton":
            new = sets + np.arange(len(lacking))
            size = np.concatenate((size, np.ones(len(lacking), dtype=np.int64)))
        unit = np.concatenate((unit, lacking))
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


def _lacking_mentions(annotated: Annotated) -> tuple[Ints, Ints]:
    """List the mentions that annotators do not have, though they have the document."""
    people = len(annotated.names)
    document, who = np.nonzero(annotated.has)
    length = np.bincount(document, minlength=len(annotated.documents))
    readers = Ragged(bounds(length), who).take(annotated.unit_document)
    expected = readers.owner() * people + readers.value
    marked = annotated.marks.unit * people + annotated.marks.annotator
    lacking = np.setdiff1d(expected, marked, assume_unique=True)
    return lacking // people, lacking % people


class Sums(NamedTuple):
    """What pairs of annotators, or documents, add to α; distances are the last axis.

    ``values`` adds up to n, ``apart`` to n·D_o; ``couples`` counts pairs of values, and
    ``alike`` is the sum of their similarities. ``empty`` counts empty sets, the only
    values that two documents can have in common.
    """

    values: Floats
    apart: Floats
    couples: Floats
    alike: Floats
    empty: Floats

    @property
    def chance(self) -> Floats:
        """Return D_e of each document; 0 where nothing can be compared."""
        couples = self.couples[..., None]
        return ratio(couples - self.alike, couples)

    @property
    def alpha(self) -> Floats:
        """Return α of each document; NaN where it has none."""
        return _alpha(self.apart, self.values[..., None] * self.chance, self.values)


class PairRows(NamedTuple):
    """What each two annotators add in each document, and each with themselves."""

    document: Ints
    first: Ints
    second: Ints
    sums: Sums

    def take(self, rows: Ints | slice) -> PairRows:
        """Return some rows, in this order."""
        sums = Sums(*(column[rows] for column in self.sums))
        return PairRows(self.document[rows], self.first[rows], self.second[rows], sums)

    def times(self, weights: Floats) -> Floats:
        """Return how often rows count, given how often annotators do."""
        other = np.where(self.first == self.second, 1, weights[..., self.second])
        times: Floats = weights[..., self.first] * other
        return times


class UnitCounts(NamedTuple):
    """All rows, and what each unit adds to n·D_o and to n."""

    rows: PairRows
    unit_apart: Floats
    unit_values: Floats


def count_units(
    values: UnitValues,
    pairs: Iterable[tuple[int, int]],
    distances: Sequence[str],
    documents: int,
) -> UnitCounts:
    """Count what each annotator and each pair of annotators add to α."""
    unit_apart = np.zeros((len(values.per_unit), len(distances)))
    people = range(int(values.annotator.max(initial=-1)) + 1)
    parts = [_rows_of_one(values, who, len(distances), documents) for who in people]
    parts += [_rows_of_two(values, pair, distances, unit_apart) for pair in pairs]
    sums = Sums(*map(np.concatenate, zip(*(part.sums for part in parts), strict=True)))
    keys = zip(*(part[:3] for part in parts), strict=True)
    document, first, second = map(np.concatenate, keys)
    rows = PairRows(document, first, second, sums)
    return UnitCounts(rows, unit_apart, values.per_unit.astype(np.float64))


def _rows_of_one(
    values: UnitValues, who: int, distances: int, documents: int
) -> PairRows:
    """Count an annotator's own pairs of values: the same set, or nothing in common."""
    unit, sets = values.of(who)
    total, empty = _count_values(values, who, np.arange(documents))
    here = np.flatnonzero(total)
    distinct, first = np.unique(sets[sets != EMPTY], return_index=True)
    document = values.unit_document[unit[sets != EMPTY][first]]
    same: Floats = empty**2 - total
    same += np.bincount(document, values.times[distinct] ** 2, documents)
    numbers = np.full(len(here), who, dtype=np.int64)
    sums = Sums(
        values=np.zeros(len(here)),
        apart=np.zeros((len(here), distances)),
        couples=(total * (total - 1))[here],
        alike=np.repeat(same[here][:, None], distances, axis=1),
        empty=empty[here],
    )
    return PairRows(here, numbers, numbers, sums)


def _rows_of_two(
    values: UnitValues,
    pair: tuple[int, int],
    distances: Sequence[str],
    unit_apart: Floats,
) -> PairRows:
    """Count pairs of values of two annotators, and add them to their units."""
    (ours, our_sets), (theirs, their_sets) = map(values.of, pair)
    here: Ints | slice
    there: Ints | slice
    if np.array_equal(ours, theirs):  # usually both have the same documents
        unit, here, there = ours, slice(None), slice(None)
    else:
        unit, here, there = np.intersect1d(
            ours, theirs, assume_unique=True, return_indices=True
        )
    # Both have values in a document, but not always of the same mentions.
    of_unit = values.unit_document
    document = np.intersect1d(of_unit[ours], of_unit[theirs])
    place, width = np.searchsorted(document, of_unit[unit]), len(document)
    cells = _Cells.of(our_sets[here], their_sets[there], values, distances)
    weight = 2 / (values.per_unit[unit] - 1)
    apart = weight[:, None] * (1 - cells.of_units())
    unit_apart[unit] += apart
    one, other = (_count_values(values, who, document) for who in pair)
    alike = 2 * _add_up(cells.alike(values), place[cells.unit], width)
    alike += (2 * one.empty * other.empty)[:, None]
    sums = Sums(
        values=_add_up(weight, place, width),
        apart=_add_up(apart, place, width),
        couples=2 * one.total * other.total,
        alike=alike,
        empty=np.zeros(width),
    )
    first, second = (np.full(width, who, dtype=np.int64) for who in pair)
    return PairRows(document, first, second, sums)


class _Cells(NamedTuple):
    """Pairs of sets that share mentions: how alike they are, and in which units.

    ``of_unit`` is the pair of each unit. It is -1 if one annotator says that the unit
    is not a mention, and -2 if both do.
    """

    one: Ints
    other: Ints
    similar: Floats  # by pair and distance
    unit: Ints  # the place of a unit that both have
    of_unit: Ints

    @classmethod
    def of(
        cls, one: Ints, other: Ints, values: UnitValues, distances: Sequence[str]
    ) -> _Cells:
        there = np.flatnonzero((one != EMPTY) & (other != EMPTY))
        width = np.int64(len(values.size))
        code, first, number, shared = np.unique(
            one[there] * width + other[there],
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        of_unit = np.where(one == other, -2, -1)
        of_unit[there] = number
        sets = code // width, code % width
        sizes = values.size[sets[0]], values.size[sets[1]]
        counts = shared.astype(np.float64)
        similar = [DISTANCES[name].similarity(counts, *sizes) for name in distances]
        return cls(*sets, np.column_stack(similar), there[first], of_unit)

    def of_units(self) -> Floats:
        """Return how alike the two values of each unit are."""
        ends = np.repeat([[1.0], [0.0]], self.similar.shape[1], axis=1)
        return np.concatenate((self.similar, ends))[self.of_unit]

    def alike(self, values: UnitValues) -> Floats:
        """Return the similarity of each pair of sets, times their pairs of values."""
        times = values.times[self.one] * values.times[self.other]
        return self.similar * times[:, None]


class _ValueCounts(NamedTuple):
    """How many values an annotator has in documents, and how many are empty."""

    total: Floats
    empty: Floats


def _count_values(values: UnitValues, who: int, documents: Ints) -> _ValueCounts:
    unit, sets = values.of(who)
    place = np.searchsorted(documents, values.unit_document[unit])
    inside = np.append(documents, -1)[place] == values.unit_document[unit]
    place, is_empty = place[inside], sets[inside] == EMPTY
    width = np.int64(len(documents))
    return _ValueCounts(
        np.bincount(place, minlength=width).astype(np.float64),
        np.bincount(place[is_empty], minlength=width).astype(np.float64),
    )


def _add_up(column: Floats, place: Ints, width: int) -> Floats:
    """Add up rows by their places."""
    if column.ndim == 1:
        return np.bincount(place, column, width).astype(np.float64)
    return np.column_stack([_add_up(part, place, width) for part in column.T])


def sums_of(rows: PairRows, documents: int, weights: Floats | None = None) -> Sums:
    """Add up rows by document, with annotators as often as ``weights`` say.

    Weights may be many draws, a row for each. An annotator who counts twice is never
    compared with themselves.
    """
    if weights is not None and weights.ndim > 1:
        return _sums_of_draws(rows, documents, weights)
    times = np.ones(len(rows.document)) if weights is None else rows.times(weights)
    return Sums(
        *(
            _add_up((column.T * times).T, rows.document, documents)
            for column in rows.sums
        )
    )


def _sums_of_draws(rows: PairRows, documents: int, weights: Floats) -> Sums:
    """Add up rows by draw and document, one document after the other."""
    rows = rows.take(np.argsort(rows.document, kind="stable"))
    edges = np.searchsorted(rows.document, np.arange(documents + 1)).tolist()
    shape = len(weights), documents
    totals = Sums(*(np.zeros((*shape, *column.shape[1:])) for column in rows.sums))
    for document, (start, end) in enumerate(pairwise(edges)):
        here = rows.take(slice(start, end))
        times = here.times(weights)
        for total, column in zip(totals, here.sums, strict=True):
            total[:, document] = times @ column
    return totals


class AlphaSums(NamedTuple):
    """A matrix with a row for each document; α is a function of sums of rows."""

    average: Average
    matrix: Floats
    distances: int

    @classmethod
    def of(cls, sums: Sums, average: Average) -> AlphaSums:
        """Return the columns that an average adds up."""
        n = sums.values[..., None]
        if average == "within":
            columns = [n, sums.apart, n * sums.chance]
        elif average == "macro":
            is_there = (n > 0).astype(np.float64)
            columns = [is_there, np.where(n > 0, sums.alpha, 0)]
        else:
            empty = sums.empty[..., None]
            columns = [n, sums.apart, n**2 - sums.couples[..., None]]
            columns += [sums.alike, empty, empty**2]
        return cls(average, np.concatenate(columns, axis=-1), sums.apart.shape[-1])

    def alpha(self, total: Floats) -> Floats:
        """Return α of any sums of rows, by distance."""
        observed, expected, n = self.parts(total)
        if self.average == "macro":
            return observed
        return _alpha(observed, expected, n)

    def parts(self, total: Floats) -> tuple[Floats, Floats, Floats]:
        """Return n·D_o, n·D_e and n of sums of rows; for ``macro``, α comes first."""
        n, apart = total[..., 0], total[..., 1 : self.distances + 1]
        if self.average == "macro":
            return ratio(apart, n[..., None], np.nan), apart, n
        rest = total[..., self.distances + 1 :]
        if self.average == "within":
            return apart, rest, n
        # Pairs within documents were counted. All pairs of values from two documents
        # are added, of which only empty sets are alike.
        couples = n**2 - rest[..., 0]
        alike = rest[..., 1 : self.distances + 1]
        empty, squares = rest[..., -2], rest[..., -1]
        alike = alike + (empty**2 - squares)[..., None]
        expected = ratio(
            n[..., None] * (couples[..., None] - alike), couples[..., None]
        )
        return apart, expected, n


def _alpha(observed: Floats, expected: Floats, n: Floats) -> Floats:
    alpha = 1 - ratio(observed, expected)
    alpha[np.abs(expected) <= 0] = 1.0
    return np.where((n > 0)[..., None], alpha, np.nan)

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
from scoref.tools.agree.options import DISTANCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.scoring.annotators import Annotated
    from scoref.tools.agree.options import Average, Missing

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


class Sums(NamedTuple):
    """What pairs of annotators, or documents, add to α; distances are the last axis.

    ``values`` adds up to n, ``apart`` to n·D_o; ``couples`` counts pairs of values, and
    ``alike`` adds up how alike these are. ``empty`` is how often somebody says that a
    mention is none: two documents have nothing in common but that.
    """

    values: Floats
    apart: Floats
    couples: Floats
    alike: Floats
    empty: Floats

    @property
    def chance(self) -> Floats:
        """Give D_e of each document; 0 where nothing can be compared."""
        couples = self.couples[..., None]
        return ratio(couples - self.alike, couples)

    @property
    def alpha(self) -> Floats:
        """Give α of each document; not a number where it has none."""
        return _alpha(self.apart, self.values[..., None] * self.chance, self.values)


class PairRows(NamedTuple):
    """What each two annotators add in each document, and each one with himself."""

    document: Ints
    first: Ints
    second: Ints
    sums: Sums

    def where(self, chosen: Ints | slice) -> PairRows:
        """Keep some rows, in a new order."""
        sums = Sums(*(column[chosen] for column in self.sums))
        place = self.document[chosen], self.first[chosen], self.second[chosen]
        return PairRows(*place, sums)

    def times(self, weights: Floats) -> Floats:
        """Say how often rows count, given how often annotators do."""
        other = np.where(self.first == self.second, 1, weights[..., self.second])
        times: Floats = weights[..., self.first] * other
        return times


class UnitCounts(NamedTuple):
    """All rows, and what each unit adds to n·D_o and to n."""

    rows: PairRows
    unit_apart: Floats
    unit_values: Floats


def count(
    values: UnitValues,
    pairs: Iterable[tuple[int, int]],
    distances: Sequence[str],
    documents: int,
) -> UnitCounts:
    """Count what each two annotators add."""
    unit_apart = np.zeros((len(values.per_unit), len(distances)))
    people = range(int(values.annotator.max(initial=-1)) + 1)
    parts = [_alone(values, who, len(distances), documents) for who in people]
    parts += [_together(values, pair, distances, unit_apart) for pair in pairs]
    sums = Sums(*map(np.concatenate, zip(*(each.sums for each in parts), strict=True)))
    places = zip(*(each[:3] for each in parts), strict=True)
    document, first, second = map(np.concatenate, places)
    rows = PairRows(document, first, second, sums)
    return UnitCounts(rows, unit_apart, values.per_unit.astype(np.float64))


def _together(
    values: UnitValues,
    pair: tuple[int, int],
    distances: Sequence[str],
    unit_apart: Floats,
) -> PairRows:
    (ours, our_sets), (theirs, their_sets) = map(values.of, pair)
    unit, here, there = _common(ours, theirs)
    of_unit = values.unit_document
    # Both have values in a document, whether or not of the same mentions.
    document = np.intersect1d(of_unit[ours], of_unit[theirs])
    place, width = np.searchsorted(document, of_unit[unit]), len(document)
    cells = _Cells.of(our_sets[here], their_sets[there], values, distances)
    weight = 2 / (values.per_unit[unit] - 1)
    apart = weight[:, None] * (1 - cells.of_units())
    unit_apart[unit] += apart
    one, other = (_own(values, who, document) for who in pair)
    alike = 2 * _added(cells.alike(values), place[cells.unit], width)
    alike += (2 * one.empty * other.empty)[:, None]
    sums = Sums(
        _added(weight, place, width),
        _added(apart, place, width),
        2 * one.values * other.values,
        alike,
        np.zeros(width),
    )
    first, second = (np.full(width, who, dtype=np.int64) for who in pair)
    return PairRows(document, first, second, sums)


def _common(ours: Ints, theirs: Ints) -> tuple[Ints, Ints, Ints]:
    """Find the units that two have values of, and where these stand."""
    if np.array_equal(ours, theirs):  # mostly both have the same documents
        every = np.arange(len(ours))
        return ours, every, every
    found: tuple[Ints, Ints, Ints] = np.intersect1d(
        ours, theirs, assume_unique=True, return_indices=True
    )
    return found


class _Cells(NamedTuple):
    """Pairs of sets that share mentions: how alike they are, and where they meet.

    ``of_unit`` says which pair each unit is in; -1 and -2 are for units of which one
    annotator, or both, say that they are no mentions.
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
        """Say how alike the two values of each unit are."""
        ends = np.repeat([[1.0], [0.0]], self.similar.shape[1], axis=1)
        return np.concatenate((self.similar, ends))[self.of_unit]

    def alike(self, values: UnitValues) -> Floats:
        """Add up how alike all pairs of values are that are these pairs of sets."""
        times = values.times[self.one] * values.times[self.other]
        return self.similar * times[:, None]


class _Own(NamedTuple):
    """How many values an annotator gives in documents, and how many are empty."""

    values: Floats
    empty: Floats


def _own(values: UnitValues, who: int, documents: Ints) -> _Own:
    unit, sets = values.of(who)
    place = np.searchsorted(documents, values.unit_document[unit])
    inside = np.append(documents, -1)[place] == values.unit_document[unit]
    place, is_empty = place[inside], sets[inside] == EMPTY
    width = np.int64(len(documents))
    return _Own(
        np.bincount(place, minlength=width).astype(np.float64),
        np.bincount(place[is_empty], minlength=width).astype(np.float64),
    )


def _alone(values: UnitValues, who: int, distances: int, documents: int) -> PairRows:
    """Count an annotator's own pairs of values: the same set, or nothing in common."""
    unit, sets = values.of(who)
    own = _own(values, who, np.arange(documents))
    here = np.flatnonzero(own.values)
    distinct, first = np.unique(sets[sets != EMPTY], return_index=True)
    document = values.unit_document[unit[sets != EMPTY][first]]
    same: Floats = own.empty**2 - own.values
    same += np.bincount(document, values.times[distinct] ** 2, documents)
    numbers = np.full(len(here), who, dtype=np.int64)
    sums = Sums(
        np.zeros(len(here)),
        np.zeros((len(here), distances)),
        (own.values * (own.values - 1))[here],
        np.repeat(same[here][:, None], distances, axis=1),
        own.empty[here],
    )
    return PairRows(here, numbers, numbers, sums)


def _added(column: Floats, place: Ints, width: int) -> Floats:
    """Add up rows by their places."""
    if column.ndim == 1:
        return np.bincount(place, column, width).astype(np.float64)
    return np.column_stack([_added(each, place, width) for each in column.T])


def sums_of(rows: PairRows, documents: int, weights: Floats | None = None) -> Sums:
    """Add up rows by document, with annotators as often as ``weights`` say.

    Weights may be many draws, a row for each. An annotator who counts twice is never
    compared with himself.
    """
    if weights is not None and weights.ndim > 1:
        return _drawn_sums(rows, documents, weights)
    times = np.ones(len(rows.document)) if weights is None else rows.times(weights)
    return Sums(
        *(
            _added((column.T * times).T, rows.document, documents)
            for column in rows.sums
        )
    )


def _drawn_sums(rows: PairRows, documents: int, weights: Floats) -> Sums:
    rows = rows.where(np.argsort(rows.document, kind="stable"))
    bounds = np.searchsorted(rows.document, np.arange(documents + 1)).tolist()
    shape = len(weights), documents
    found = Sums(*(np.zeros((*shape, *column.shape[1:])) for column in rows.sums))
    for document, (start, end) in enumerate(pairwise(bounds)):
        here = rows.where(slice(start, end))
        times = here.times(weights)
        for sums, column in zip(found, here.sums, strict=True):
            sums[:, document] = times @ column
    return found


class AlphaSums(NamedTuple):
    """A row for each document, such that α is a function of sums of rows."""

    average: Average
    matrix: Floats
    distances: int

    @classmethod
    def of(cls, sums: Sums, average: Average) -> AlphaSums:
        """Put side by side what an average adds up."""
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
        """Give α of any sums of rows, by distance."""
        observed, expected, n = self.parts(total)
        if self.average == "macro":
            return observed
        return _alpha(observed, expected, n)

    def parts(self, total: Floats) -> tuple[Floats, Floats, Floats]:
        """Give n·D_o and n·D_e of sums of rows, and n; of ``macro``, α itself."""
        n, apart = total[..., 0], total[..., 1 : self.distances + 1]
        if self.average == "macro":
            return ratio(apart, n[..., None], np.nan), apart, n
        rest = total[..., self.distances + 1 :]
        if self.average == "within":
            return apart, rest, n
        # Of all pairs of values, those of one document, or of two: n² less squares,
        # which are n for the values themselves.
        couples = n**2 - rest[..., 0]
        alike = rest[..., 1 : self.distances + 1]
        empty, squares = rest[..., -2], rest[..., -1]
        alike = alike + (empty**2 - squares)[..., None]
        expected = ratio(
            n[..., None] * (couples[..., None] - alike), couples[..., None]
        )
        return apart, expected, n


def _alpha(observed: Floats, expected: Floats, n: Floats) -> Floats:
    found = 1 - ratio(observed, expected)
    found[np.abs(expected) <= 0] = 1.0
    return np.where((n > 0)[..., None], found, np.nan)

"""The counts of every metric at all thresholds at once, as running sums.

A pair within a component changes nothing, so a maximum spanning forest is enough: it
has fewer pairs than there are records. Borůvka's algorithm (1926) finds it in a few
rounds over all pairs: every component takes its best pair, and joined components become
one. Pairs with equal scores are taken in the order in which they are sorted. A
union-find over the forest then puts records in a row where every component at every
threshold is an interval: when two components are merged, one is put after the other.

Let two components of u and u′ records of the universe be merged. They share some key
clusters of n records, of which they have m and m′. The members of a key cluster are in
the same row as all records. Two neighbours are brought together by one merge: the last
one that removes a border between them. So m and m′ are found by looking up places.

    true pairs +Σ m m′       pairs +u u′       cells −1 for each key cluster shared
    Σ m²/n  +2 Σ m m′/n      Σ (Σ m²)/u: two terms out, one in

For each metric, a function returns a row of counts for each point, equal to those of
the metric's `count` for the table at that point; the metric's own `score` is applied to
them. `ThresholdClusters` returns the clusters at one threshold, for other metrics.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency import pairs
from scoref.model.arrays import numbered, starts
from scoref.records.api import is_aligned, metrics_for, score_counts
from scoref.records.estimate.estimators import ClusterCells
from scoref.records.numpy_engine import CodedClusters, tabulate
from scoref.scheme import Scheme

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.scheme import Universe
    from scoref.scoring.results import Result

    Bools = NDArray[np.bool_]


class Merges(NamedTuple):
    """Components that become one, in the falling order of scores.

    The first component is the interval of places from ``start`` to ``middle``, and the
    second goes from there to ``end``. ``place`` has the place of each record.
    """

    place: Ints
    start: Ints
    middle: Ints
    end: Ints
    score: Floats

    @property
    def borders(self) -> Ints:
        """The merge that removes the border before each place, or their number."""
        merge = np.full(len(self.place), len(self.score), dtype=np.int64)
        merge[self.middle] = np.arange(len(self.score))
        return merge


def merge_records(left: Ints, right: Ints, score: Floats, records: int) -> Merges:
    """Merge records by pairs that are sorted by falling score."""
    chosen = spanning_forest(left, right, records)
    kept, absorbed, size_before, size = _unite(left[chosen], right[chosen], records)
    place = _lay_out(kept, absorbed, size_before, size)
    middle = place[absorbed]
    return Merges(
        place, middle - size_before, middle, middle + size[absorbed], score[chosen]
    )


def spanning_forest(left: Ints, right: Ints, records: int) -> Ints:
    """Return the rows of the pairs that join what earlier pairs have not joined."""
    pair = np.flatnonzero(left != right)
    a, b = left[pair], right[pair]
    chosen = []
    while len(pair):
        best = _first_pair(a, b, records)
        joined = np.flatnonzero(best < len(pair))
        chosen.append(pair[np.unique(best[joined])])
        component = _hook(best, joined, a, b, records)
        a, b = component[a], component[b]
        between = np.flatnonzero(a != b)
        pair, a, b = pair[between], a[between], b[between]
    return np.sort(np.concatenate(chosen)) if chosen else np.empty(0, dtype=np.int64)


def _first_pair(a: Ints, b: Ints, records: int) -> Ints:
    """Return each component's first pair; the number of pairs if it has none."""
    falling = np.arange(len(a))[::-1]
    best = np.full(records, len(a), dtype=np.int64)
    best[a[::-1]] = falling  # of several, the one that is written last remains
    of_b = np.full(records, len(a), dtype=np.int64)
    of_b[b[::-1]] = falling
    return np.minimum(best, of_b)


def _hook(best: Ints, joined: Ints, a: Ints, b: Ints, records: int) -> Ints:
    """Return the component that each component becomes a part of."""
    parent = np.arange(records)
    pair = best[joined]
    other = a[pair] + b[pair] - joined
    is_first = (best[other] == pair) & (joined < other)  # of two that chose each other
    parent[joined] = np.where(is_first, joined, other)
    while True:
        further = parent[parent]
        if np.array_equal(further, parent):
            return parent
        parent = further


def _unite(left: Ints, right: Ints, records: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Unite components by size.

    Returns, for each pair, the component that was kept, the one that was absorbed, and
    the size of the kept one before; and the final size of each record's component.
    """
    parent, size = list(range(records)), [1] * records
    kept, absorbed, size_before = [], [], []
    for one, other in zip(left.tolist(), right.tolist(), strict=True):
        a, b = one, other
        while parent[a] != a:
            parent[a] = a = parent[parent[a]]
        while parent[b] != b:
            parent[b] = b = parent[parent[b]]
        if size[a] < size[b]:
            a, b = b, a
        parent[b] = a
        kept.append(a)
        absorbed.append(b)
        size_before.append(size[a])
        size[a] += size[b]
    arrays = (np.array(c, dtype=np.int64) for c in (kept, absorbed, size_before, size))
    return tuple(arrays)  # type: ignore[return-value]


def _lay_out(kept: Ints, absorbed: Ints, size_before: Ints, size: Ints) -> Ints:
    """Place records in a row: an absorbed component follows the one that was kept."""
    is_root = np.ones(len(size), dtype=np.bool_)
    is_root[absorbed] = False
    roots = np.flatnonzero(is_root)
    start = np.zeros(len(size), dtype=np.int64)
    start[roots] = starts(size[roots])
    place = start.tolist()
    falling = (column[::-1].tolist() for column in (kept, absorbed, size_before))
    for a, b, before in zip(*falling, strict=True):
        place[b] = place[a] + before
    return np.array(place, dtype=np.int64)


class _Components(NamedTuple):
    """Components before or after a merge, a row for each merge.

    Args:
        size: their records of the universe.
        labelled: those of them that the key has.
        squares: Σ m² over key clusters.
        shares: Σ m²/n.
    """

    size: Floats
    labelled: Floats
    squares: Floats
    shares: Floats

    @property
    def is_exact(self) -> Bools:
        """Whether a component is a whole key cluster, and nothing else."""
        # All records are of one key cluster, and u²/n is u only if n is u.
        is_pure = self.squares == np.square(self.size)
        return np.asarray((self.size > 0) & is_pure & (self.shares > self.size - 0.25))


class Growth:
    """Running sums over merges, at the points that are wanted.

    An event is a key cluster whose members are brought together by a merge: ``one`` and
    ``other`` are its members in the two components, ``event_size`` is its size.

    Args:
        merges: in the falling order of scores.
        cluster: each record's key cluster, -1 for none.
        is_scored: whether a record is in the universe.
        points: the number of merges that were made at each point, rising, from 0.
    """

    def __init__(
        self, merges: Merges, cluster: Ints, is_scored: Bools, points: Ints
    ) -> None:
        self._merges, self._points = merges, points
        self._key = np.empty(len(cluster), dtype=np.int64)  # by place, as all here
        self._key[merges.place] = cluster
        self._is_scored = np.empty(len(cluster), dtype=np.bool_)
        self._is_scored[merges.place] = is_scored
        self.key_size = np.bincount(cluster[cluster >= 0])
        self._find_events()

    def _find_events(self) -> None:
        """Find the merges at which members of a key cluster come together."""
        places = np.flatnonzero(self._key >= 0)
        order = np.argsort(self._key[places], kind="stable")
        place = places[order]
        cluster = self._key[place]
        width = np.int64(len(self._key) + 1)
        rank = cluster * width + place
        first = np.flatnonzero(cluster[1:] == cluster[:-1])
        merge = _last_borders(self._merges.borders, place[first] + 1, place[first + 1])
        met = np.flatnonzero(merge < len(self._merges.score))
        self._event, first = merge[met], first[met]
        base = cluster[first] * width
        low = np.searchsorted(rank, base + self._merges.start[self._event])
        high = np.searchsorted(rank, base + self._merges.end[self._event])
        self.event_size = self.key_size[cluster[first]].astype(np.float64)
        self.one, self.other = first + 1 - low, high - first - 1

    def running_sum(self, first: float, change: Floats) -> Floats:
        """Return the sum of the changes by all merges so far, at every point."""
        sums = np.concatenate(([first], change))
        np.cumsum(sums, out=sums)
        return sums[self._points]

    @cached_property
    def records(self) -> int:
        """How many records the universe has."""
        return int(self._is_scored.sum())

    @cached_property
    def labelled(self) -> int:
        """How many of them the key has."""
        return int(self.key_size.sum())

    def by_merge(self, value: Floats | Ints) -> Floats:
        """Add up the values of events, for each merge."""
        count = len(self._merges.score)
        return np.bincount(self._event, value, count).astype(np.float64)

    @cached_property
    def products(self) -> Floats:
        """Σ m m′ of each merge."""
        return self.by_merge(self.one * self.other)

    @cached_property
    def shared_products(self) -> Floats:
        """Σ m m′/n of each merge."""
        return self.by_merge(self.one * self.other / self.event_size)

    @cached_property
    def parts(self) -> tuple[_Components, _Components, _Components]:
        """Both components of each merge, and the component that they become."""
        start, middle, end = self._merges[1:4]
        edges = (start, middle), (middle, end), (start, end)
        one, other, both = (self._components(low, high) for low, high in edges)
        return one, other, both

    def _components(self, low: Ints, high: Ints) -> _Components:
        """Sum over intervals of places: records, and merges within."""
        is_labelled = self._key >= 0
        return _Components(
            _between(self._is_scored, low, high),
            _between(is_labelled, low, high),
            _between(is_labelled, low, high)
            + 2 * self._within(self.products, low, high),
            _between(self._key_shares, low, high)
            + 2 * self._within(self.shared_products, low, high),
        )

    @property
    def _key_shares(self) -> Floats:
        """1/n for each labelled record by its place, 0 for others."""
        return np.where(self._key >= 0, 1 / self.key_size[self._key], 0.0)

    def _within(self, value: Floats, low: Ints, high: Ints) -> Floats:
        """Sum over the merges that removed borders within intervals."""
        by_place = np.zeros(len(self._key))
        by_place[self._merges.middle] = value
        return _between(by_place, low + 1, high)

    def over_size(self, value: str) -> Floats:
        """Return Σ value/u over all components, at every point."""
        first = np.where(self._key >= 0, 1.0, 0.0)
        if value == "shares":
            first = self._key_shares
        change = self.change(
            [
                np.divide(
                    getattr(part, value),
                    part.size,
                    out=np.zeros(len(part.size)),
                    where=part.size > 0,
                )
                for part in self.parts
            ]
        )
        return self.running_sum(float(first.sum()), change)

    def change(self, value: list[Floats]) -> Floats:
        """Return the change by each merge: one component is added, two are removed."""
        one, other, both = value
        return both - one - other

    @property
    def single_clusters(self) -> float:
        """How many records of the universe are key clusters of one record."""
        is_single = (self._key >= 0) & (self.key_size[self._key] == 1)
        return float((is_single & self._is_scored).sum())


def _between(value: Floats | Ints | Bools, low: Ints, high: Ints) -> Floats:
    """Sum over intervals, as differences of the sums up to each place."""
    sums: Floats = np.concatenate(([0.0], np.cumsum(value, dtype=np.float64)))
    return np.asarray(sums[high] - sums[np.minimum(low, high)])


def _last_borders(border: Ints, low: Ints, high: Ints) -> Ints:
    """Find the largest border from each low place to a high one, both included.

    Maxima over windows of 1, 2, 4, … places are computed one after the other. Each
    result is the maximum of the two longest windows that fit.
    """
    largest = np.empty(len(low), dtype=np.int64)
    level = np.frexp((high - low + 1).astype(np.float64))[1] - 1
    order = np.argsort(level, kind="stable")
    last = np.searchsorted(level[order], np.arange(level.max(initial=0) + 1), "right")
    windows, done = border, 0
    for power, until in enumerate(last.tolist()):
        rows = order[done:until]
        second = windows[high[rows] - (1 << power) + 1]
        largest[rows] = np.maximum(windows[low[rows]], second)
        windows = np.maximum(windows[: -(1 << power)], windows[1 << power :])
        done = until
    return largest


def _columns(points: int, *columns: Floats | float) -> Floats:
    """Stack columns; a number is repeated in every row."""
    return np.column_stack([np.broadcast_to(column, points) for column in columns])


def _true_pairs(growth: Growth) -> Floats:
    return growth.running_sum(0.0, growth.products)


def _pairwise(growth: Growth) -> Floats:
    one, other, _ = growth.parts
    right = _true_pairs(growth)
    predicted = growth.running_sum(0.0, one.size * other.size)
    key = float(pairs(growth.key_size).sum())
    return _columns(len(right), right, key, right, predicted)


def _membership(growth: Growth) -> Floats:
    one, other, _ = growth.parts
    right = growth.running_sum(growth.labelled, 2 * growth.products)
    predicted = growth.running_sum(growth.records, 2 * one.size * other.size)
    key = float(np.square(growth.key_size, dtype=np.int64).sum())
    return _columns(len(right), right, key, right, predicted)


def _b_cubed(growth: Growth) -> Floats:
    recall = growth.running_sum(float(len(growth.key_size)), 2 * growth.shared_products)
    precision = growth.over_size("squares")
    sizes = float(growth.labelled), float(growth.records)
    return _columns(len(recall), recall, sizes[0], precision, sizes[1])


def _b_cubed_by_entity(growth: Growth) -> Floats:
    product = growth.one * growth.other / np.square(growth.event_size)
    first = float((1 / growth.key_size).sum())
    recall = growth.running_sum(first, 2 * growth.by_merge(product))
    key = float(len(growth.key_size))
    precision = growth.over_size("shares")
    return _columns(len(recall), recall, key, precision, key)


def count_clusters(growth: Growth) -> Floats:
    """Count the components that have a record of the universe, at every point."""
    one, other, _ = growth.parts
    is_less = (one.size > 0) & (other.size > 0)
    return growth.running_sum(float(growth.records), -is_less.astype(np.float64))


def _exact_clusters(growth: Growth) -> Floats:
    change = growth.change([part.is_exact.astype(np.float64) for part in growth.parts])
    exact = growth.running_sum(growth.single_clusters, change)
    key = float(len(growth.key_size))
    return _columns(len(exact), exact, key, exact, count_clusters(growth))


def _muc(growth: Growth) -> Floats:
    kept = growth.running_sum(0.0, growth.by_merge(np.ones(len(growth.one))))
    key = float(growth.labelled - len(growth.key_size))
    response = growth.records - count_clusters(growth)
    return _columns(len(kept), kept, key, kept, response)


def _lea(growth: Growth) -> Floats:
    """Count links of each entity by its size; a singleton has one, to itself."""
    singletons = [
        (part.is_exact & (part.size == 1)).astype(np.float64) for part in growth.parts
    ]
    alone = growth.running_sum(growth.single_clusters, growth.change(singletons))
    links = growth.one * growth.other / (growth.event_size - 1)
    recall = alone + growth.running_sum(0.0, 2 * growth.by_merge(links))
    resolved = [
        np.divide(
            part.squares - part.labelled,
            part.size - 1,
            out=np.zeros(len(part.size)),
            where=part.size > 1,
        )
        for part in growth.parts
    ]
    precision = alone + growth.running_sum(0.0, growth.change(resolved))
    sizes = float(growth.labelled), float(growth.records)
    return _columns(len(recall), recall, sizes[0], precision, sizes[1])


def _rand(growth: Growth) -> Floats:
    one, other, _ = growth.parts
    both = _true_pairs(growth)
    key = float(pairs(growth.key_size).sum())
    response = growth.running_sum(0.0, one.labelled * other.labelled)
    return _columns(len(both), both, key, response, float(growth.labelled))


def _entropies(growth: Growth) -> Floats:
    """Count Σ n log(b/n) and similar sums, as sums of x log x."""
    cells = growth.by_merge(
        _log(growth.one + growth.other) - _log(growth.one) - _log(growth.other)
    )
    of_cells = growth.running_sum(0.0, cells)
    change = growth.change([_log(part.labelled) for part in growth.parts])
    response = growth.running_sum(0.0, change)
    key, total = float(_log(growth.key_size).sum()), float(growth.labelled)
    whole = float(_log(np.array([total]))[0])
    zero = np.zeros(1)
    return _columns(
        len(of_cells),
        np.maximum(response - of_cells, zero),
        np.maximum(key - of_cells, zero),
        whole - key,
        np.maximum(whole - response, zero),
        whole,
        total,
    )


def _log(value: Floats | Ints) -> Floats:
    number = value.astype(np.float64)
    return np.asarray(number * np.log(np.maximum(number, 1)))


def _cells(growth: Growth) -> Floats:
    one, other, _ = growth.parts
    cells = growth.running_sum(
        float(growth.labelled), -growth.by_merge(np.ones(len(growth.one)))
    )
    is_less = (one.labelled > 0) & (other.labelled > 0)
    response = growth.running_sum(float(growth.labelled), -is_less.astype(np.float64))
    return _columns(len(cells), cells, float(len(growth.key_size)), response)


COUNTS: dict[str, Callable[[Growth], Floats]] = {
    "pairwise": _pairwise,
    "pairwise-membership": _membership,
    "muc": _muc,
    "bcub": _b_cubed,
    "bcub-entity": _b_cubed_by_entity,
    "lea": _lea,
    "cluster": _exact_clusters,
    "rand": _rand,
    "ari": _rand,
    "fowlkes-mallows": _rand,
    "homogeneity": _entropies,
    "completeness": _entropies,
    "v-measure": _entropies,
    "vi": _entropies,
    "talburt-wang": _cells,
    "gmd": _cells,
}
"""Metrics that have running sums; all others need an alignment, or the cells."""


class ThresholdClusters(NamedTuple):
    """The clusters at any point of a curve.

    Args:
        merges: in the falling order of scores.
        cluster: each record's key cluster, -1 for none.
        is_scored: whether a record is in the universe.
        made: how many merges were made at each point.
        universe: its name.
        sources: those of key and pairs.
    """

    merges: Merges
    cluster: Ints
    is_scored: Bools
    made: Ints
    universe: Universe
    sources: tuple[str, str]

    def components(self, point: int) -> Ints:
        """Number the component of each record; -1 outside of the universe."""
        is_border = self.merges.borders >= self.made[point]
        component = (np.cumsum(is_border) - 1)[self.merges.place]
        codes = np.full(len(component), -1, dtype=np.int64)
        codes[self.is_scored] = numbered(component[self.is_scored])[0]
        return codes

    def result(self, point: int, metrics: str | Iterable[str] | None = None) -> Result:
        """Score a point as a table is scored."""
        response = self.components(point)
        names = metrics_for(metrics)
        clusters = CodedClusters(
            self.cluster,
            response,
            np.zeros(self.cluster.max(initial=-1) + 1, dtype=np.int64),
            np.zeros(response.max(initial=-1) + 1, dtype=np.int64),
        )
        table = tabulate(clusters, 1, is_aligned=any(map(is_aligned, names)))
        scheme = Scheme(universe=self.universe, duplicates="error", undefined="zero")
        return score_counts(table, [""], scheme, names, self.sources)

    def cells(self, point: int) -> ClusterCells | None:
        """Count what each key cluster shares with components.

        None if records are scored that the key lacks.
        """
        if (self.is_scored & (self.cluster < 0)).any():
            return None
        response = self.components(point)
        kept = self.cluster >= 0
        width = np.int64(int(response.max(initial=-1)) + 1)
        code, shared = np.unique(
            self.cluster[kept] * width + response[kept], return_counts=True
        )
        sizes = np.bincount(response[self.is_scored])
        key = np.bincount(self.cluster[kept])
        return ClusterCells(key, code // width, shared, sizes[code % width])

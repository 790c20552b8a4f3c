"""All thresholds at once: a forest of pairs, and the order in which it grows together.

Pairs within a component change nothing, so that a maximum spanning forest is enough:
at most one pair less than there are records. Borůvka (1926) finds it in a few rounds,
each over all pairs at once: every component takes its best pair, and those that are
joined become one. A pair's place in the falling order of scores decides between equals.

A union-find over the forest then lays records out in a row, so that every component at
every threshold is an interval of it: when two are merged, one goes behind the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from scoref.metrics.base import Floats
    from scoref.model import Ints


class Merges(NamedTuple):
    """Components that become one, in the falling order of scores.

    The first is the interval of places from ``start`` to ``middle``, and the second
    goes from there to ``end``. ``place`` is that of each record.
    """

    place: Ints
    start: Ints
    middle: Ints
    end: Ints
    score: Floats

    @property
    def borders(self) -> Ints:
        """Which merge takes away the border before each place; none: their number."""
        found = np.full(len(self.place), len(self.score), dtype=np.int64)
        found[self.middle] = np.arange(len(self.score))
        return found


def merges(left: Ints, right: Ints, score: Floats, records: int) -> Merges:
    """Merge records by pairs that are sorted by falling score."""
    chosen = spanning_forest(left, right, records)
    kept, absorbed, size_before, size = _united(left[chosen], right[chosen], records)
    place = _placed(kept, absorbed, size_before, size)
    middle = place[absorbed]
    return Merges(
        place, middle - size_before, middle, middle + size[absorbed], score[chosen]
    )


def spanning_forest(left: Ints, right: Ints, records: int) -> Ints:
    """Choose the pairs that join what earlier ones have not, by their places."""
    pair = np.flatnonzero(left != right)
    a, b = left[pair], right[pair]
    chosen = []
    while len(pair):
        best = _first_pair(a, b, records)
        joined = np.flatnonzero(best < len(pair))
        chosen.append(pair[np.unique(best[joined])])
        component = _hooked(best, joined, a, b, records)
        a, b = component[a], component[b]
        between = np.flatnonzero(a != b)
        pair, a, b = pair[between], a[between], b[between]
    return np.sort(np.concatenate(chosen)) if chosen else np.empty(0, dtype=np.int64)


def _first_pair(a: Ints, b: Ints, records: int) -> Ints:
    """Give each component its first pair; the number of pairs where it has none."""
    falling = np.arange(len(a))[::-1]
    best = np.full(records, len(a), dtype=np.int64)
    best[a[::-1]] = falling  # of several, the last that is written stays
    of_b = np.full(records, len(a), dtype=np.int64)
    of_b[b[::-1]] = falling
    return np.minimum(best, of_b)


def _hooked(best: Ints, joined: Ints, a: Ints, b: Ints, records: int) -> Ints:
    """Give each component the name of the one that it becomes a part of."""
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


def _united(left: Ints, right: Ints, records: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Unite by size; tell which component was kept, which was absorbed, how large."""
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
    arrays = (np.array(each, dtype=np.int64) for each in (kept, absorbed, size_before))
    return *arrays, np.array(size, dtype=np.int64)  # type: ignore[return-value]


def _placed(kept: Ints, absorbed: Ints, size_before: Ints, size: Ints) -> Ints:
    """Lay records out: what was absorbed stands behind what its component had."""
    is_root = np.ones(len(size), dtype=np.bool_)
    is_root[absorbed] = False
    roots = np.flatnonzero(is_root)
    start = np.zeros(len(size), dtype=np.int64)
    start[roots] = np.cumsum(size[roots]) - size[roots]
    place = start.tolist()
    falling = (each[::-1].tolist() for each in (kept, absorbed, size_before))
    for a, b, before in zip(*falling, strict=True):
        place[b] = place[a] + before
    return np.array(place, dtype=np.int64)

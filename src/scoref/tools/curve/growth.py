"""What each merge changes, so that every sum at every threshold is a running sum.

Let two components of u and u′ records of the universe become one. They share some key
clusters, of n records, of which they have m and m′. Members of a key cluster stand in
the same row as all records (`forest`), so that between each two neighbours there is one
merge that brings them together, the last to take away a border between them. How many
members each side of it has, is then a matter of looking up places.

    true pairs +Σ m m′       pairs +u u′       cells −1 for each key cluster shared
    Σ m²/n  +2 Σ m m′/n      Σ (Σ m²)/u: two terms out, one in
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.tools.curve.forest import Merges

    Bools = NDArray[np.bool_]


class _Blocks(NamedTuple):
    """Components as they are before or behind a merge, a row for each merge.

    Args:
        size: their records of the universe.
        labelled: those that the key has.
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

    Args:
        merges: in the falling order of scores.
        cluster: each record's key cluster, -1 for none.
        is_there: whether a record is in the universe.
        points: the number of merges that were made at each point, rising, from 0.
    """

    def __init__(
        self, merges: Merges, cluster: Ints, is_there: Bools, points: Ints
    ) -> None:
        self._merges, self._points = merges, points
        self._key = np.empty(len(cluster), dtype=np.int64)  # by place, as all here
        self._key[merges.place] = cluster
        self._is_there = np.empty(len(cluster), dtype=np.bool_)
        self._is_there[merges.place] = is_there
        self.key_size = np.bincount(cluster[cluster >= 0])
        self._met()

    def running(self, first: float, change: Floats) -> Floats:
        """Add up what merges change, at every point."""
        sums = np.concatenate(([first], change))
        np.cumsum(sums, out=sums)
        return sums[self._points]

    @cached_property
    def records(self) -> int:
        """How many records the universe has."""
        return int(self._is_there.sum())

    @cached_property
    def labelled(self) -> int:
        """How many of them the key has."""
        return int(self.key_size.sum())

    def _met(self) -> None:
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

    def by_merge(self, value: Floats | Ints) -> Floats:
        """Add up what events have, for each merge."""
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
    def parts(self) -> tuple[_Blocks, _Blocks, _Blocks]:
        """Both components of each merge, and what they become."""
        start, middle, end = self._merges[1:4]
        edges = (start, middle), (middle, end), (start, end)
        one, other, both = (self._blocks(low, high) for low, high in edges)
        return one, other, both

    def _blocks(self, low: Ints, high: Ints) -> _Blocks:
        """Sum over intervals of places: records, and merges within."""
        is_labelled = self._key >= 0
        share = np.where(is_labelled, 1 / self.key_size[self._key], 0.0)
        return _Blocks(
            _between(self._is_there, low, high),
            _between(is_labelled, low, high),
            _between(is_labelled, low, high)
            + 2 * self._within(self.products, low, high),
            _between(share, low, high)
            + 2 * self._within(self.shared_products, low, high),
        )

    def _within(self, value: Floats, low: Ints, high: Ints) -> Floats:
        """Sum over the merges that took away borders inside of intervals."""
        by_place = np.zeros(len(self._key))
        by_place[self._merges.middle] = value
        return _between(by_place, low + 1, high)

    def over_size(self, value: str) -> Floats:
        """Give Σ value/u over all components, at every point."""
        first = np.where(self._key >= 0, 1.0, 0.0)
        if value == "shares":
            first = np.where(self._key >= 0, 1 / self.key_size[self._key], 0.0)
        one, other, both = (
            _divided(getattr(each, value), each.size) for each in self.parts
        )
        return self.running(float(first.sum()), both - one - other)

    def change(self, value: list[Floats]) -> Floats:
        """Put one in, and take two out."""
        one, other, both = value
        return both - one - other

    def singletons(self, wanted: Bools) -> float:
        """Count records of the universe of some kind."""
        return float((wanted & self._is_there).sum())

    @cached_property
    def is_single(self) -> Bools:
        """Whether a record is a key cluster of its own, by its place."""
        return np.asarray((self._key >= 0) & (self.key_size[self._key] == 1))


def _between(value: Floats | Ints | Bools, low: Ints, high: Ints) -> Floats:
    """Sum over intervals, by way of the sums up to each place."""
    sums = np.concatenate(([0.0], np.cumsum(value, dtype=np.float64)))
    found: Floats = sums[high] - sums[np.minimum(low, high)]
    return found


def _divided(value: Floats, size: Floats) -> Floats:
    return np.divide(value, size, out=np.zeros(len(value)), where=size > 0)


def _last_borders(border: Ints, low: Ints, high: Ints) -> Ints:
    """Find the largest border from each low place to a high one, both included.

    Maxima over windows of 1, 2, 4, … places are made one after the other, and each
    asks two of the longest that fit.
    """
    found = np.empty(len(low), dtype=np.int64)
    level = np.frexp((high - low + 1).astype(np.float64))[1] - 1
    order = np.argsort(level, kind="stable")
    last = np.searchsorted(level[order], np.arange(level.max(initial=0) + 1), "right")
    windows, done = border, 0
    for power, until in enumerate(last.tolist()):
        asked = order[done:until]
        behind = windows[high[asked] - (1 << power) + 1]
        found[asked] = np.maximum(windows[low[asked]], behind)
        windows = np.maximum(windows[: -(1 << power)], windows[1 << power :])
        done = until
    return found

"""How many spans of its group contain each span.

A span is contained in those that begin no later and end no earlier, and are not equal
to it. Sorted by their beginnings, longer ones first, these are spans before it with an
end that is not before its own: inversions, which are counted as a merge sort counts
them, all merges of one width at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scoref.model import Ints


def count_containers(group: Ints, start: Ints, end: Ints) -> Ints:
    """Count, for each span, the greater spans of its group that it lies in.

    >>> zero = np.zeros(3, dtype=np.int64)
    >>> count_containers(zero, np.array([0, 1, 1]), np.array([9, 4, 2])).tolist()
    [0, 1, 2]
    """
    # Ranks are as good as places, and small.
    places, rank = np.unique(np.concatenate((start, end)), return_inverse=True)
    start, end = np.split(rank + np.tile(group, 2) * np.int64(len(places)), 2)
    order = np.lexsort((-end, start))
    start, end = start[order], end[order]
    first = np.flatnonzero(np.diff(start, prepend=-1) | np.diff(end, prepend=-1))
    times = np.diff(np.append(first, len(order)))
    found = np.empty_like(group)
    found[order] = np.repeat(_count_greater(start[first], end[first], times), times)
    return found


def _count_greater(start: Ints, end: Ints, times: Ints) -> Ints:
    """Count the containers of sorted spans, which stand so many times."""
    overlaps = np.maximum.accumulate(end)[:-1] >= start[1:]
    is_close = np.zeros(len(start), dtype=np.bool_)
    is_close[1:] |= overlaps
    is_close[:-1] |= overlaps
    found = np.zeros_like(start)
    found[is_close] = _count_before(end[is_close], times[is_close])
    return found


def _count_before(value: Ints, times: Ints) -> Ints:
    """Count, for each value, those before it that are not less."""
    found = np.zeros_like(value)
    place = np.argsort(-value, kind="stable")
    width = 1 << len(value).bit_length()
    while width > 1:
        # Inside a block: from the greatest value to the least, then by place.
        place = place[np.argsort(place // width, kind="stable")]
        is_left = place % width < width // 2
        left = np.where(is_left, times[place], 0)
        before = np.cumsum(left)
        first = np.flatnonzero(np.diff(place // width, prepend=-1))
        size = np.diff(np.append(first, len(place)))
        before -= np.repeat((before - left)[first], size)
        found[place[~is_left]] += before[~is_left]
        width //= 2
    return found

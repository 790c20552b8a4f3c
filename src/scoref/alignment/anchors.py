"""Places where two texts can safely be laid on each other.

An anchor is a sequence of pieces that occurs once in each text. Of all anchors, the
most that keep their order are taken: those of a longest increasing sequence.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Ints

_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


def anchors(mine: Ints, theirs: Ints, length: int) -> tuple[Ints, Ints]:
    """Find where anchors of a length start, in order on both sides.

    >>> one, other = np.array([1, 2, 3, 1, 2]), np.array([0, 2, 3, 1, 9])
    >>> [places.tolist() for places in anchors(one, other, 2)]
    [[1, 2], [1, 2]]
    """
    if min(len(mine), len(theirs)) < length:
        return mine[:0], theirs[:0]
    code, ours = _once(sequences(mine, length))
    other_code, others = _once(sequences(theirs, length))
    _, one, other = np.intersect1d(
        code, other_code, assume_unique=True, return_indices=True
    )
    ours, others = ours[one], others[other]
    order = np.argsort(ours)
    ours, others = ours[order], others[order]
    # Equal codes are equal sequences, but for chance: the first piece must be equal.
    kept = mine[ours] == theirs[others]
    ours, others = ours[kept], others[kept]
    rising = _rising(others)
    return ours[rising], others[rising]


def sequences(side: Ints, length: int) -> NDArray[np.uint64]:
    """Give each sequence of so many pieces a number."""
    count = len(side) - length + 1
    code = np.zeros(count, dtype=np.uint64)
    for place in range(length):
        code += side[place : place + count].astype(np.uint64) + np.uint64(1)
        code = (code ^ (code >> _SHIFT)) * _ODD
    return code


def _once(code: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], Ints]:
    """Keep the numbers that occur once, and where."""
    found, first, count = np.unique(code, return_index=True, return_counts=True)
    return found[count == 1], first[count == 1]


def _rising(values: Ints) -> Ints:
    """Choose a longest part of a sequence that rises."""
    if len(values) < 2 or (np.diff(values) > 0).all():  # noqa: PLR2004 - one rises
        return np.arange(len(values))
    ends: list[int] = []
    rows: list[int] = []
    before = np.full(len(values), -1, dtype=np.int64)
    for row, value in enumerate(values.tolist()):
        place = bisect_left(ends, value)
        ends[place : place + 1] = [value]
        rows[place : place + 1] = [row]
        if place:
            before[row] = rows[place - 1]
    chosen = [rows[-1]]
    while before[chosen[-1]] >= 0:
        chosen.append(int(before[chosen[-1]]))
    return np.array(chosen[::-1], dtype=np.int64)

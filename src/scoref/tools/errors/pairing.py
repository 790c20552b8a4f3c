"""Pairs that are taken in their order, as long as both ends are free."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scoref.model import Ints

_AT_ONCE = 1 << 12
"""Of so many pairs, those whose ends are taken already are left out at once."""


def one_to_one(ours: Ints, theirs: Ints) -> Ints:
    """Say which pairs are taken.

    >>> one_to_one(np.array([0, 0, 1]), np.array([5, 6, 5])).tolist()
    [0]
    >>> one_to_one(np.array([0, 0, 1]), np.array([5, 6, 6])).tolist()
    [0, 2]
    """
    is_taken = [
        np.zeros(int(end.max(initial=-1)) + 1, np.bool_) for end in (ours, theirs)
    ]
    chosen: list[int] = []
    for start in range(0, len(ours), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        is_free = ~is_taken[0][ours[some]] & ~is_taken[1][theirs[some]]
        for place in (start + np.flatnonzero(is_free)).tolist():
            one, other = ours[place], theirs[place]
            if not is_taken[0][one] and not is_taken[1][other]:
                is_taken[0][one] = is_taken[1][other] = True
                chosen.append(place)
    return np.array(chosen, dtype=np.int64)

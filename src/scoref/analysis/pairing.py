"""Pairs that are taken in their order, as long as both ends are free."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scoref.model import Ints


def one_to_one(ours: Ints, theirs: Ints) -> Ints:
    """Say which pairs are taken.

    >>> one_to_one(np.array([0, 0, 1]), np.array([5, 6, 5])).tolist()
    [0]
    >>> one_to_one(np.array([0, 0, 1]), np.array([5, 6, 6])).tolist()
    [0, 2]
    """
    taken: tuple[set[int], set[int]] = set(), set()
    chosen = []
    pairs = zip(ours.tolist(), theirs.tolist(), strict=True)
    for place, (one, other) in enumerate(pairs):
        if one not in taken[0] and other not in taken[1]:
            taken[0].add(one)
            taken[1].add(other)
            chosen.append(place)
    return np.array(chosen, dtype=np.int64)

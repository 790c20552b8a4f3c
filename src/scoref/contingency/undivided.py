"""Entities that lie in one cell with all of their mentions.

Most entities do. What they are worth is seen from the cell, without a look at others:
its n is their size, and no other cell is theirs. So engines group the cells of divided
entities only, and the kinds of the others come from the kinds of cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from scoref.contingency import FATES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.contingency.histogram import Kinds
    from scoref.model import Ints

    Numbers = TypeVar("Numbers", Ints, NDArray[np.float64])

_UNCHANGED, _MERGED = map(FATES.index, ("unchanged", "merged"))


def with_undivided(kinds: Kinds) -> Kinds:
    """Add undivided entities to kinds of which only divided ones were counted."""
    document, n, a, b, _, _, times = kinds.cells.T
    index = n / (a + b - n)
    fate = np.where(n == b, _UNCHANGED, _MERGED)

    def added(rows: Numbers, value: Numbers, size: Ints) -> Numbers:
        here = np.flatnonzero(n == size)
        more = np.column_stack((document[here], value[here], times[here]))
        return _merged(np.vstack((rows, more.astype(rows.dtype))))

    return kinds._replace(
        key_nearest=added(kinds.key_nearest, index, a),
        response_nearest=added(kinds.response_nearest, index, b),
        key_largest=added(kinds.key_largest, n, a),
        response_largest=added(kinds.response_largest, n, b),
        fates=added(kinds.fates, fate, a),
    )


def _merged(rows: Numbers) -> Numbers:
    """Make one row of those that have document and value in common."""
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    is_new = np.ones(len(rows), dtype=np.bool_)
    is_new[1:] = (rows[1:, :2] != rows[:-1, :2]).any(axis=1)
    first = np.flatnonzero(is_new)
    if not len(first):
        return rows
    times = np.add.reduceat(rows[:, 2], first)
    return np.column_stack((rows[first, :2], times))

"""Every figure as a sum over true clusters, so that a sample of them can estimate it.

Let c be a true cluster of n records which shares m records with a predicted cluster of
u; sums go over its cells (m, u). Over all c they add up to numerators and denominators:

                 recall                     precision
    pairwise     Σ m(m−1)/2 / n(n−1)/2      the same / Σ m(u−1)/2
    bcub         Σ m²/n     / n             Σ m²/u   / n
    bcub-entity  Σ m²/n²    / 1             Σ m²/un  / 1
    cluster      [c is predicted] / 1       the same / Σ m/u
    muc          n − cells  / n − 1         the same / n − Σ m/u

A predicted cluster's part is handed out to its records: Σ m/u over all c is the number
of predicted clusters. No numerator is above its denominator, so no estimate is above 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency import pairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.metrics.base import Floats
    from scoref.model import Ints


class ClusterCells(NamedTuple):
    """Labelled clusters by their sizes, and what they share with predicted ones."""

    size: Ints
    cell: Ints
    shared: Ints
    predicted_size: Ints

    def by_cluster(self, values: Floats | Ints) -> Floats:
        """Add up what cells have."""
        return np.bincount(self.cell, values, len(self.size)).astype(np.float64)


def _pairwise(cells: ClusterCells) -> Floats:
    found = cells.by_cluster(pairs(cells.shared))
    predicted = cells.by_cluster(cells.shared * (cells.predicted_size - 1) / 2)
    return np.column_stack((found, pairs(cells.size), found, predicted))


def _b_cubed(cells: ClusterCells) -> Floats:
    square = np.square(cells.shared, dtype=np.int64)
    return np.column_stack(
        (
            cells.by_cluster(square) / cells.size,
            cells.size,
            cells.by_cluster(square / cells.predicted_size),
            cells.size,
        )
    )


def _b_cubed_by_entity(cells: ClusterCells) -> Floats:
    return _b_cubed(cells) / cells.size[:, None]


def _cluster(cells: ClusterCells) -> Floats:
    size = cells.size[cells.cell]
    is_equal = (cells.shared == size) & (cells.predicted_size == size)
    found = cells.by_cluster(is_equal)
    return np.column_stack((found, np.ones(len(found)), found, _clusters(cells)))


def _muc(cells: ClusterCells) -> Floats:
    size = cells.size.astype(np.float64)
    kept = size - cells.by_cluster(np.ones(len(cells.cell)))
    return np.column_stack((kept, size - 1, kept, size - _clusters(cells)))


def _clusters(cells: ClusterCells) -> Floats:
    """Hand out predicted clusters to their records."""
    return cells.by_cluster(cells.shared / cells.predicted_size)


TERMS: dict[str, Callable[[ClusterCells], Floats]] = {
    "pairwise": _pairwise,
    "bcub": _b_cubed,
    "bcub-entity": _b_cubed_by_entity,
    "cluster": _cluster,
    "muc": _muc,
}
"""What each metric adds up: a row for each cluster, the columns of `RATIO_COLUMNS`."""

"""The terms of every figure for each true cluster, and the estimates of er-evaluation.

Let c be a true cluster of n records which shares m records with a predicted cluster of
u records; sums are over its cells (m, u). Over all c, these terms add up to numerators
and denominators:

                 recall                     precision
    pairwise     Σ m(m−1)/2 / n(n−1)/2      the same / Σ m(u−1)/2
    bcub         Σ m²/n     / n             Σ m²/u   / n
    bcub-entity  Σ m²/n²    / 1             Σ m²/un  / 1
    cluster      [c is predicted] / 1       the same / Σ m/u
    muc          n − cells  / n − 1         the same / n − Σ m/u

The share of a predicted cluster is divided among its records: Σ m/u over all c is the
number of predicted clusters. No numerator is above its denominator, so no estimate is
above 1.

er-evaluation differs, and its figures are reproduced with their flaws. It adds Tin's
(1965) correction of bias, whose error is often larger than the bias. Its cluster
precision divides an estimated number of correct clusters by the known number of
predicted ones, so it can be above 1. With A = wa, B = wb and k clusters:

    R · (1 + mean(B/B̄ · (A/Ā − B/B̄)) / (k − 1))
    error: R · √(Σ(B/B̄)² + Σ(A/Ā)² − 2 Σ AB/(ĀB̄)) / √(k (k − 1))
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency import pairs
from scoref.metrics.base import Score
from scoref.records.estimate.estimators import MetricEstimate
from scoref.statistics.additive import FIGURES

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.metrics.base import Floats
    from scoref.model import Ints


KNOWN = ("pairwise", "bcub-entity", "cluster")
"""What it has estimators of."""


class Population(NamedTuple):
    """What is known of the whole prediction."""

    records: int
    clusters: int


def estimate_like_er_evaluation(
    name: str, cells: ClusterCells, weights: Floats, whole: Population
) -> MetricEstimate:
    """Estimate a metric as er-evaluation does; it has no intervals."""
    a, b, a_precise, b_precise = (TERMS[name](cells) * weights[:, None]).T
    ratios = [(a, b), (a_precise, b_precise), (a, (b + b_precise) / 2)]
    if name == "cluster":
        size = cells.size * weights
        mean = whole.records / whole.clusters
        ratios[1:] = [(mean * a, size), (2 * mean * a, mean * b + size)]
    found = [_ratio(*each) for each in ratios]
    if name == "bcub-entity":
        recall, precision = found[0][0], found[1][0]
        f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0
        found[2] = float(f1), None
    values, errors = zip(*found, strict=True)
    nothing = dict.fromkeys(FIGURES)
    return MetricEstimate(
        Score(*values), dict(zip(FIGURES, errors, strict=True)), nothing, nothing
    )


def _ratio(numerator: Floats, denominator: Floats) -> tuple[float, float | None]:
    """Estimate a ratio, and its error; None where rounding leaves nothing."""
    count = len(numerator)
    if not numerator.any() or not denominator.any():
        return 0.0, None
    a, b = numerator / numerator.mean(), denominator / denominator.mean()
    raw = float(numerator.sum() / denominator.sum())
    if count == 1:
        return raw, None
    ratio = raw * float(1 + (b * (a - b)).mean() / (count - 1))
    square = float(np.square(b).sum() + np.square(a).sum() - 2 * (a * b).sum())
    scale = raw / sqrt(count * (count - 1))
    return ratio, scale * sqrt(square) if square >= 0 else None


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

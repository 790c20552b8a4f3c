"""The estimates of the package er-evaluation, reproduced with their flaws.

er-evaluation adds Tin's (1965) correction of bias, whose error is often larger than the
bias. Its cluster precision divides an estimated number of correct clusters by the known
number of predicted ones, so it can be above 1. With A = wa, B = wb and k clusters:

    R · (1 + mean(B/B̄ · (A/Ā − B/B̄)) / (k − 1))
    error: R · √(Σ(B/B̄)² + Σ(A/Ā)² − 2 Σ AB/(ĀB̄)) / √(k (k − 1))
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.metrics.base import Score
from scoref.records.estimate.estimators import TERMS, MetricEstimate
from scoref.statistics.additive import FIGURES

if TYPE_CHECKING:
    from scoref.metrics.base import Floats
    from scoref.records.estimate.estimators import ClusterCells


ER_EVALUATION_METRICS = ("pairwise", "bcub-entity", "cluster")
"""The metrics that er-evaluation estimates."""


class Population(NamedTuple):
    """The size of the whole prediction."""

    records: int
    clusters: int


def estimate_like_er_evaluation(
    name: str, cells: ClusterCells, weights: Floats, whole: Population
) -> MetricEstimate:
    """Estimate a metric as er-evaluation does, which has no intervals."""
    a, b, a_precise, b_precise = (TERMS[name](cells) * weights[:, None]).T
    ratios = [(a, b), (a_precise, b_precise), (a, (b + b_precise) / 2)]
    if name == "cluster":
        size = cells.size * weights
        mean = whole.records / whole.clusters
        ratios[1:] = [(mean * a, size), (2 * mean * a, mean * b + size)]
    figures = [_ratio(numerator, denominator) for numerator, denominator in ratios]
    if name == "bcub-entity":
        recall, precision = figures[0][0], figures[1][0]
        f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0
        figures[2] = float(f1), None
    values, errors = zip(*figures, strict=True)
    nothing = dict.fromkeys(FIGURES)
    return MetricEstimate(
        Score(*values), dict(zip(FIGURES, errors, strict=True)), nothing, nothing
    )


def _ratio(numerator: Floats, denominator: Floats) -> tuple[float, float | None]:
    """Estimate a ratio and its error; None if rounding makes its square negative."""
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

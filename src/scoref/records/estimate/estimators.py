"""Estimates as ratios of weighted sums, with their errors, intervals and sample sizes.

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

The weight of a labelled cluster is one over its chance of being drawn. Standard errors
are those of the jackknife over draws (Tukey, 1958). With k draws, θ₍ᵢ₎ the figure
without draw i, and θ̄ the mean of these over draws:

    error² = (k − 1)/k · Σ (θ₍ᵢ₎ − θ̄)²

Draws from several strata vary within each stratum, and the sum is over strata. The
jackknife needs no formula for the figure, so it works for ratios as well as for F₁.

Intervals are those of Korn and Graubard (1998): Clopper and Pearson's exact interval of
a proportion, at the number of independent yes-or-no draws that would have the same
error. With α = 1 − level, k draws, z and t the quantiles at 1 − α/2 of the normal
distribution and of Student's with k − 1 degrees of freedom:

    n* = R(1 − R)/error² · (z/t)², at least 1; k if the error is 0, or R is 0 or 1
    low = B⁻¹(α/2; R n*, n* − R n* + 1)     high = B⁻¹(1 − α/2; R n* + 1, n* − R n*)

So an interval never leaves [0, 1], and if everything was right it is the exact bound.

`plan_draws` computes how many clusters to label for a narrow enough interval. Errors
shrink with the square root of the number of draws. So a first sample predicts the error
of a larger one of the same kind, as far as the first sample covers what varies.
"""

from __future__ import annotations

from functools import cache
from math import isfinite, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency import pairs
from scoref.errors import FormatError, OptionError
from scoref.metrics import METRICS
from scoref.metrics.base import FIGURES, Metric, Score
from scoref.records.ids import text_of
from scoref.statistics.bootstrap import Interval, limit_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.records.estimate.estimate import Estimate

    ByCluster = Mapping[str, float] | Mapping[int, float]
    Numbers = str | ByCluster


class ClusterCells(NamedTuple):
    """Labelled clusters by their sizes, and the cells that they have with predictions.

    ``cell`` has the labelled cluster of each cell, ``shared`` the records that it
    shares with a predicted cluster, and ``predicted_size`` the size of that.
    """

    size: Ints
    cell: Ints
    shared: Ints
    predicted_size: Ints

    def by_cluster(self, values: Floats | Ints) -> Floats:
        """Add up the values of cells, for each labelled cluster."""
        return np.bincount(self.cell, values, len(self.size)).astype(np.float64)

    @property
    def predicted_clusters(self) -> Floats:
        """The number of predicted clusters, divided among their records."""
        return self.by_cluster(self.shared / self.predicted_size)


def _pairwise(cells: ClusterCells) -> Floats:
    right = cells.by_cluster(pairs(cells.shared))
    predicted = cells.by_cluster(cells.shared * (cells.predicted_size - 1) / 2)
    return np.column_stack((right, pairs(cells.size), right, predicted))


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
    exact = cells.by_cluster(is_equal)
    return np.column_stack(
        (exact, np.ones(len(exact)), exact, cells.predicted_clusters)
    )


def _muc(cells: ClusterCells) -> Floats:
    size = cells.size.astype(np.float64)
    kept = size - cells.by_cluster(np.ones(len(cells.cell)))
    return np.column_stack((kept, size - 1, kept, size - cells.predicted_clusters))


TERMS: dict[str, Callable[[ClusterCells], Floats]] = {
    "pairwise": _pairwise,
    "bcub": _b_cubed,
    "bcub-entity": _b_cubed_by_entity,
    "cluster": _cluster,
    "muc": _muc,
}
"""The terms of each metric: a row for each cluster, the columns of `RATIO_COLUMNS`."""


class Draws(NamedTuple):
    """The terms and weights of drawn units, and how often each unit was drawn.

    ``stratum`` has the number of each unit's stratum, if there are several.
    """

    terms: Floats
    weights: Floats
    times: Ints
    stratum: Ints | None = None

    @property
    def weighted_terms(self) -> Floats:
        """The terms that one draw of each unit adds to the sums."""
        return self.terms * self.weights[:, None]

    @property
    def sums(self) -> Floats:
        """The sums over all draws."""
        return np.asarray(self.times @ self.weighted_terms)

    def without(self) -> Floats:
        """Return the sums without one draw of each unit.

        The weights of other draws in its stratum are raised in its place.
        """
        removed = self.weighted_terms
        if self.stratum is not None:
            draws = np.bincount(self.stratum, self.times)
            in_stratum = np.zeros((len(draws), self.terms.shape[1]))
            np.add.at(
                in_stratum, self.stratum, self.times[:, None] * self.weighted_terms
            )
            count = draws[self.stratum, None]
            mean = in_stratum[self.stratum] / count
            removed = (self.weighted_terms - mean) * count / np.maximum(count - 1, 1)
        return np.maximum(self.sums - removed, 0)  # below 0 by rounding only


class MetricEstimate(NamedTuple):
    """The figures of one metric; ``effective`` is Kish's number of clusters."""

    score: Score
    errors: Mapping[str, float | None]
    intervals: Mapping[str, Interval | None]
    effective: Mapping[str, float | None]


def estimate_metric(name: str, draws: Draws, level: float | None) -> MetricEstimate:
    """Estimate a metric; without a level it gets neither errors nor intervals."""
    metric = METRICS[name]
    assert isinstance(metric, Metric)
    figures = metric.score(draws.sums, np.nan)  # NaN for 0/0
    errors: dict[str, float | None] = dict.fromkeys(FIGURES)
    intervals: dict[str, Interval | None] = dict.fromkeys(FIGURES)
    count = int(draws.times.sum())
    if level and count > 1 and not np.isnan(figures).all():
        without = metric.score(draws.without(), np.nan)
        for place, figure in enumerate(FIGURES):
            values, value = without[:, place], float(figures[place])
            if not np.isnan([*values, value]).any():
                error = jackknife(values, draws.times, draws.stratum)
                errors[figure] = error
                intervals[figure] = korn_graubard(min(value, 1.0), error, count, level)
    score = metric.score_of(draws.sums)
    assert isinstance(score, Score)  # metrics of one value cannot be estimated
    return MetricEstimate(score, errors, intervals, _effective_clusters(draws))


def _effective_clusters(draws: Draws) -> dict[str, float | None]:
    """Count the clusters of equal weight that would say as much (Kish, 1965)."""
    denominators = draws.weighted_terms[:, [1, 3]]
    columns = np.column_stack((denominators, denominators.sum(axis=1)))
    squares = draws.times @ np.square(columns)
    sums = np.square(draws.times @ columns)
    return {
        figure: float(sums[place] / squares[place]) if squares[place] else None
        for place, figure in enumerate(FIGURES)
    }


_ROUNDING = 1e-9  # smaller errors are of figures that do not vary


def jackknife(without: Floats, times: Ints, stratum: Ints | None = None) -> float:
    """Compute the standard error of a figure.

    Args:
        without: the figure without one draw of each unit.
        times: how often each unit was drawn.
        stratum: the number of each unit's stratum; None if all are in one.

    >>> round(jackknife(np.array([1.0, 2.0, 3.0]), np.array([1, 1, 1])), 6)
    1.154701
    """
    place = np.zeros(len(without), dtype=np.int64) if stratum is None else stratum
    draws = np.bincount(place, times).astype(np.float64)
    mean = np.bincount(place, times * without) / np.maximum(draws, 1)
    squares = np.bincount(place, times * np.square(without - mean[place]))
    error = sqrt(float((squares * (draws - 1) / np.maximum(draws, 1)).sum()))
    return error if error >= _ROUNDING else 0.0


_LARGE = 10_000


def korn_graubard(figure: float, error: float, draws: int, level: float) -> Interval:
    """Compute the interval of a figure between 0 and 1 that has a standard error.

    >>> low, high = korn_graubard(0.4, 1 / 6, 3, 95)
    >>> f"{low:.4f} {high:.4f}"
    '0.0026 0.9808'
    """
    from scipy.special import betaincinv  # slow to load

    tail = (1 - level / 100) / 2
    count = float(draws)  # of independent yes-or-no draws with such an error
    if error and 0 < figure < 1:
        independent = figure * (1 - figure) / error**2 * _shrinkage(draws - 1, level)
        count = max(1.0, independent)
    yes, no = figure * count, count - figure * count
    low = 0.0 if figure <= 0 else float(betaincinv(yes, no + 1, tail))
    high = 1.0 if figure >= 1 else float(betaincinv(yes + 1, no, 1 - tail))
    return Interval(low, high)


@cache
def _shrinkage(freedom: int, level: float) -> float:
    """Return (z/t)²: an error that is itself estimated says less."""
    from scipy.special import stdtrit  # loaded by the caller

    upper = (1 + level / 100) / 2
    # `limit_of` takes time in proportion to the degrees of freedom.
    is_large = freedom > _LARGE
    limit = stdtrit(freedom, upper) if is_large else limit_of(level / 100, freedom)
    return float(NormalDist().inv_cdf(upper) / limit) ** 2


UNIFORM, BY_SIZE = DESIGNS = ("uniform", "cluster-size")
"""Designs whose weights are known.

In the first, clusters were drawn, each with the same chance. In the second, records
were drawn, and the whole cluster of each: large clusters were likelier.
"""


def column_of(numbers: Numbers | None) -> str | None:
    """Return the column of the sample that has the numbers, if one does."""
    is_column = isinstance(numbers, str) and numbers not in DESIGNS
    return str(numbers) if is_column else None


class ClusterNumbers:
    """Reads a number for each cluster from a column or a mapping.

    Args:
        what: the name of the number.
        source: where it is read from.
        clusters: the names of the clusters, or of the pairs.
        unit: "cluster" or "pair".
    """

    def __init__(
        self, what: str, source: str, clusters: Sequence[str], unit: str = "cluster"
    ) -> None:
        self._what, self._source, self._clusters = what, source, clusters
        self._unit = unit

    def from_column(self, values: Sequence[set[str | None]]) -> Floats:
        """Read a column, which must be constant within each cluster."""
        numbers = []
        for name, texts in zip(self._clusters, values, strict=True):
            different = {self._number(name, text) for text in texts}
            if len(different) > 1:
                two = " and ".join(f"{number:g}" for number in sorted(different)[:2])
                raise self._error(name, f"differs between its records: {two}")
            numbers.append(different.pop())
        return np.array(numbers, dtype=np.float64)

    def from_mapping(self, numbers: ByCluster) -> Floats:
        """Look clusters up by their names."""
        by_name = {text_of(name): value for name, value in numbers.items()}
        values = [self._number(name, by_name.get(name)) for name in self._clusters]
        return np.array(values, dtype=np.float64)

    def check_weights(self, weights: Floats) -> Floats:
        """Return the weights, or refuse one that is not above 0."""
        for name, weight in zip(self._clusters, weights.tolist(), strict=True):
            if not isfinite(weight) or weight <= 0:
                raise self._error(name, f"is {weight:g}, but must be a number above 0")
        return weights

    def check_times(self, times: Floats) -> Ints:
        """Return the numbers of draws, or refuse one that is not a whole number."""
        for name, count in zip(self._clusters, times.tolist(), strict=True):
            if not isfinite(count) or count < 1 or count != int(count):
                raise self._error(
                    name, f"is {count:g}, but must be a whole number of 1 or more"
                )
        return times.astype(np.int64)

    def _number(self, name: str, value: object) -> float:
        if value is None:
            raise self._error(name, "is missing")
        try:
            return float(str(value))
        except ValueError:
            raise self._error(name, f"is '{value}', which is not a number") from None

    def _error(self, name: str, problem: str) -> FormatError:
        return FormatError(
            f"the {self._what} of {self._unit} '{name}' {problem}",
            source=self._source,
            hint=f"A weight is 1 divided by the chance that the {self._unit} was "
            "drawn, up to a common factor."
            if self._what == "weight"
            else "Times are how often each cluster was drawn.",
        )


_MOST_DRAWS = 10**9


def plan_draws(estimate: Estimate, width: float) -> dict[str, dict[str, int | None]]:
    """Return the number of draws for each figure; None if it has no error."""
    if not 0 < width < 1:
        raise OptionError("the width of an interval must be between 0 and 100 points")
    return {
        metric: {
            figure: _draws(estimate, metric, figure, width)
            for figure in estimate.errors[metric]
        }
        for metric in estimate.metrics
    }


def _draws(estimate: Estimate, metric: str, figure: str, width: float) -> int | None:
    """Find the smallest number of draws whose interval is narrow enough."""
    value = getattr(estimate.scores[metric], figure)
    error = estimate.errors[metric][figure]
    if error is None or value is None:
        return None

    def is_enough(draws: int) -> bool:
        smaller = error * (estimate.draws / draws) ** 0.5
        low, high = korn_graubard(value, smaller, draws, estimate.level)
        return high - low <= width

    low, high = 2, 2
    while not is_enough(high):
        low, high = high, 2 * high
        if high > _MOST_DRAWS:
            return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle + 1, high)
    return high

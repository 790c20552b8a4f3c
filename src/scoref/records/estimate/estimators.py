"""Estimates as ratios of weighted sums, with their errors, intervals and sample sizes.

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

    n* = R(1 − R)/error² · (z/t)², at least 1; k if there is no error, or R is 0 or 1
    low = B⁻¹(α/2; R n*, n* − R n* + 1)     high = B⁻¹(1 − α/2; R n* + 1, n* − R n*)

So an interval never leaves [0, 1], and if everything was right it is the exact bound.

`planned` computes how many clusters to label until an interval is narrow enough. Errors
shrink with the square root of the number of draws. So a first sample predicts the error
of a larger one of the same kind, as far as the first sample covers what varies.

`sampled` counts what labelled clusters share with a prediction, with any engine.
"""

from __future__ import annotations

from functools import cache
from math import isfinite, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError, OptionError
from scoref.metrics import METRICS
from scoref.metrics.base import Metric, Score
from scoref.records import numpy_engine
from scoref.records.columns import text_of
from scoref.records.counting import sample
from scoref.records.engines import NUMPY, check_engine, engine_for, open_session
from scoref.records.sources import check_unchanged, recognise
from scoref.records.text_files import load_into_memory
from scoref.statistics.additive import FIGURES
from scoref.statistics.bootstrap import Interval, limit_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.records.counting import SampleCounts
    from scoref.records.estimate.estimate import Estimate
    from scoref.records.request import CountRequest

    ByCluster = Mapping[str, float] | Mapping[int, float]
    Numbers = str | ByCluster


class Draws(NamedTuple):
    """Terms of what was drawn, with their weights, and how often each was.

    ``stratum`` numbers the strata that draws were made from, if there are several.
    """

    terms: Floats
    weights: Floats
    times: Ints
    stratum: Ints | None = None

    @property
    def weighted(self) -> Floats:
        """What one draw of each adds to the sums."""
        return self.terms * self.weights[:, None]

    @property
    def sums(self) -> Floats:
        """All of them."""
        return np.asarray(self.times @ self.weighted)

    def without(self) -> Floats:
        """Give the sums without one draw of each."""
        left = self.sums - self._scaled()
        return np.maximum(left, 0)  # below 0 by rounding only

    def _scaled(self) -> Floats:
        """Take a draw away; others of its stratum then stand for it."""
        if self.stratum is None:
            return self.weighted
        draws = np.bincount(self.stratum, self.times)
        in_stratum = np.zeros((len(draws), self.terms.shape[1]))
        np.add.at(in_stratum, self.stratum, self.times[:, None] * self.weighted)
        count = draws[self.stratum, None]
        mean = in_stratum[self.stratum] / count
        return (self.weighted - mean) * count / np.maximum(count - 1, 1)


class MetricEstimate(NamedTuple):
    """The figures of one metric."""

    score: Score
    errors: Mapping[str, float | None]
    intervals: Mapping[str, Interval | None]
    effective: Mapping[str, float | None]


def estimate_metric(name: str, drawn: Draws, level: float | None) -> MetricEstimate:
    """Estimate a metric; without a level there is nothing to say about chance."""
    figures = _figures(name, drawn.sums)
    errors = _errors(name, drawn, figures) if level else dict.fromkeys(FIGURES)
    draws = int(drawn.times.sum())
    intervals: dict[str, Interval | None] = {}
    for figure, value in zip(FIGURES, figures.tolist(), strict=True):
        error = errors[figure]
        intervals[figure] = (
            None
            if error is None or level is None
            else korn_graubard(min(value, 1.0), error, draws, level)
        )
    return MetricEstimate(
        _metric(name).score_of(drawn.sums), errors, intervals, _effective(drawn)
    )


def _metric(name: str) -> Metric:
    metric = METRICS[name]
    assert isinstance(metric, Metric)
    return metric


def _figures(name: str, sums: Floats) -> Floats:
    """Score sums; what is 0/0 is not a number."""
    return _metric(name).score(sums, np.nan)


def _errors(name: str, drawn: Draws, figures: Floats) -> dict[str, float | None]:
    without = _figures(name, drawn.without())
    is_known = int(drawn.times.sum()) > 1 and not np.isnan(figures).all()
    return {
        figure: jackknife(without[:, place], drawn.times, drawn.stratum)
        if is_known and not np.isnan([*without[:, place], figures[place]]).any()
        else None
        for place, figure in enumerate(FIGURES)
    }


def _effective(drawn: Draws) -> dict[str, float | None]:
    """Count the clusters of equal weight that would say as much (Kish, 1965)."""
    denominators = drawn.weighted[:, [1, 3]]
    columns = np.column_stack((denominators, denominators.sum(axis=1)))
    squares = drawn.times @ np.square(columns)
    sums = np.square(drawn.times @ columns)
    return {
        figure: float(sums[place] / squares[place]) if squares[place] else None
        for place, figure in enumerate(FIGURES)
    }


_NOTHING = 1e-9  # what rounding leaves of figures that do not vary


def jackknife(without: Floats, times: Ints, stratum: Ints | None = None) -> float:
    """Compute the standard error of a figure.

    Args:
        without: the figure without one draw of each unit.
        times: how often each unit was drawn.
        stratum: the number of each unit's stratum; none: all are in one.

    >>> round(jackknife(np.array([1.0, 2.0, 3.0]), np.array([1, 1, 1])), 6)
    1.154701
    """
    place = np.zeros(len(without), dtype=np.int64) if stratum is None else stratum
    draws = np.bincount(place, times).astype(np.float64)
    mean = np.bincount(place, times * without) / np.maximum(draws, 1)
    squares = np.bincount(place, times * np.square(without - mean[place]))
    error = sqrt(float((squares * (draws - 1) / np.maximum(draws, 1)).sum()))
    return error if error >= _NOTHING else 0.0


_LARGE = 10_000


def korn_graubard(figure: float, error: float, draws: int, level: float) -> Interval:
    """Compute the interval of a figure between 0 and 1 that has a standard error.

    >>> low, high = korn_graubard(0.4, 1 / 6, 3, 95)
    >>> f"{low:.4f} {high:.4f}"
    '0.0026 0.9808'
    """
    from scipy.special import betaincinv  # slow to load

    tail = (1 - level / 100) / 2
    count = _independent(figure, error, draws, level)
    yes, no = figure * count, count - figure * count
    low = 0.0 if figure <= 0 else float(betaincinv(yes, no + 1, tail))
    high = 1.0 if figure >= 1 else float(betaincinv(yes + 1, no, 1 - tail))
    return Interval(low, high)


def _independent(figure: float, error: float, draws: int, level: float) -> float:
    """Count the yes-or-no draws that would have such an error."""
    if not error or not 0 < figure < 1:
        return float(draws)
    count = figure * (1 - figure) / error**2 * _shrinkage(draws - 1, level)
    return max(1.0, count)


@cache
def _shrinkage(freedom: int, level: float) -> float:
    """Give (z/t)²: an error that is itself estimated says less."""
    from scipy.special import stdtrit  # loaded by the caller

    upper = (1 + level / 100) / 2
    # Our own sums take time in proportion to the degrees of freedom.
    is_large = freedom > _LARGE
    limit = stdtrit(freedom, upper) if is_large else limit_of(level / 100, freedom)
    return float(NormalDist().inv_cdf(upper) / limit) ** 2


UNIFORM, BY_SIZE = DESIGNS = ("uniform", "cluster-size")
"""Designs whose weights are known: each cluster equally likely; each record, with its
whole cluster, so that a cluster is drawn in proportion to its size."""


def column_of(numbers: Numbers | None) -> str | None:
    """Tell which column of the sample has them, if one does."""
    is_column = isinstance(numbers, str) and numbers not in DESIGNS
    return str(numbers) if is_column else None


class ClusterNumbers:
    """Numbers that a column or a mapping has for each cluster."""

    def __init__(
        self, what: str, source: str, clusters: Sequence[str], of: str = "cluster"
    ) -> None:
        self._what, self._source, self._clusters = what, source, clusters
        self._of = of

    def of_column(self, beside: Sequence[set[str | None]]) -> Floats:
        """Read a column, which must be constant within each cluster."""
        found = []
        for name, values in zip(self._clusters, beside, strict=True):
            numbers = {self._number(name, value) for value in values}
            if len(numbers) > 1:
                listed = " and ".join(f"{each:g}" for each in sorted(numbers)[:2])
                raise self._refused(name, f"differs within it: {listed}")
            found.append(numbers.pop())
        return np.array(found, dtype=np.float64)

    def of_mapping(self, numbers: ByCluster) -> Floats:
        """Look clusters up by their names."""
        by_name = {text_of(name): value for name, value in numbers.items()}
        found = [self._number(name, by_name.get(name)) for name in self._clusters]
        return np.array(found, dtype=np.float64)

    def checked_weights(self, weights: Floats) -> Floats:
        """Refuse a weight that no chance can give."""
        for name, weight in zip(self._clusters, weights.tolist(), strict=True):
            if not isfinite(weight) or weight <= 0:
                raise self._refused(name, f"is {weight:g}, not a number above 0")
        return weights

    def checked_times(self, times: Floats) -> Ints:
        """Refuse what nothing can be drawn as often as."""
        for name, count in zip(self._clusters, times.tolist(), strict=True):
            if not isfinite(count) or count < 1 or count != int(count):
                raise self._refused(name, f"is {count:g}, not a whole number from 1 on")
        return times.astype(np.int64)

    def _number(self, name: str, value: object) -> float:
        if value is None:
            raise self._refused(name, "is missing")
        try:
            return float(str(value))
        except ValueError:
            raise self._refused(name, f"is '{value}', which is no number") from None

    def _refused(self, name: str, problem: str) -> FormatError:
        return FormatError(
            f"the {self._what} of {self._of} '{name}' {problem}",
            source=self._source,
            hint=f"weights are one over the chance that a {self._of} had to be drawn, "
            "up to a factor"
            if self._what == "weight"
            else "times say how often a cluster was drawn",
        )


_MOST = 10**9


def plan_draws(estimate: Estimate, width: float) -> dict[str, dict[str, int | None]]:
    """Give the number of draws for each figure; None where no error is known."""
    if not 0 < width < 1:
        raise OptionError("the width of an interval is between 0 and 100 points")
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
        if high > _MOST:
            return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle + 1, high)
    return high


def count_sample(
    labelled: object,
    predicted: object,
    request: CountRequest,
    *,
    engine: str | None = None,
    with_total: bool = False,
) -> SampleCounts:
    """Count what labelled clusters share with predicted ones.

    Args:
        labelled: a table, as `scoref.score_table` takes it.
        predicted: another.
        request: how they are read.
        engine: what counts; otherwise what fits the tables.
        with_total: whether all predicted clusters are to be counted.
    """
    check_engine(engine)
    tables = [
        recognise(labelled, "sample", remote=request.remote),
        recognise(predicted, "prediction", remote=request.remote),
    ]
    chosen = engine or engine_for(tables, request)
    with check_unchanged(tables):
        if chosen == NUMPY:
            return numpy_engine.sample(load_into_memory(tables, request), request)
        with open_session(chosen, request, tables) as session:
            return sample(session, tables, request, with_total=with_total)

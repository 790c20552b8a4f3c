"""Estimates as ratios of weighted sums, with errors by the jackknife over draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.metrics import METRICS
from scoref.metrics.base import Metric, Score
from scoref.statistics.additive import FIGURES
from scoref.statistics.jackknife import jackknife
from scoref.statistics.proportions import korn_graubard

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.statistics.cuts import Interval


class Drawn(NamedTuple):
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


class Estimated(NamedTuple):
    """The figures of one metric."""

    score: Score
    errors: Mapping[str, float | None]
    intervals: Mapping[str, Interval | None]
    effective: Mapping[str, float | None]


def estimated(name: str, drawn: Drawn, level: float | None) -> Estimated:
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
    return Estimated(
        _metric(name).score_of(drawn.sums), errors, intervals, _effective(drawn)
    )


def _metric(name: str) -> Metric:
    metric = METRICS[name]
    assert isinstance(metric, Metric)  # noqa: S101 - no mean has terms
    return metric


def _figures(name: str, sums: Floats) -> Floats:
    """Score sums; what is 0/0 is not a number."""
    return _metric(name).score(sums, np.nan)


def _errors(name: str, drawn: Drawn, figures: Floats) -> dict[str, float | None]:
    without = _figures(name, drawn.without())
    is_known = int(drawn.times.sum()) > 1 and not np.isnan(figures).all()
    return {
        figure: jackknife(without[:, place], drawn.times, drawn.stratum)
        if is_known and not np.isnan([*without[:, place], figures[place]]).any()
        else None
        for place, figure in enumerate(FIGURES)
    }


def _effective(drawn: Drawn) -> dict[str, float | None]:
    """Count the clusters of equal weight that would say as much (Kish, 1965)."""
    denominators = drawn.weighted[:, [1, 3]]
    columns = np.column_stack((denominators, denominators.sum(axis=1)))
    squares = drawn.times @ np.square(columns)
    sums = np.square(drawn.times @ columns)
    return {
        figure: float(sums[place] / squares[place]) if squares[place] else None
        for place, figure in enumerate(FIGURES)
    }

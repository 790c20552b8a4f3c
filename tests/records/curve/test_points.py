"""Points of a curve, and the candidates of blocking."""

from __future__ import annotations

import math

import pytest

import scoref

KEY = {1: "a", 2: "a", 3: "a", 4: "b", 5: "b"}
PAIRS = [(1, 2, 0.9), (4, 5, 0.8), (3, 4, 0.8), (2, 3, 0.6), (1, 3, 0.5)]


def test_any_threshold_has_the_point_that_is_not_below_it() -> None:
    actual = scoref.curve(KEY, PAIRS)
    for threshold, point in (
        (math.inf, math.inf),
        (1.0, math.inf),
        (0.9, 0.9),
        (0.85, 0.9),
        (0.8, 0.8),
        (0.61, 0.8),
        (0.55, 0.6),
        (0.1, 0.5),
        (-math.inf, 0.5),
    ):
        assert actual.at(threshold).threshold == point
    with pytest.raises(scoref.OptionError, match="number"):
        actual.at(math.nan)


def test_points_are_a_sequence() -> None:
    points = scoref.curve(KEY, PAIRS).points
    thresholds = [math.inf, 0.9, 0.8, 0.6, 0.5]
    assert len(points) == 5
    assert [point.threshold for point in points] == thresholds
    assert [point.threshold for point in points[1::2]] == [0.9, 0.6]
    assert points[-1] == points[4]
    with pytest.raises(IndexError):
        points[5]


def test_pair_completeness_does_not_depend_on_the_metrics() -> None:
    key = {1: "a", 2: "a", 3: "a", 4: "b", 5: "b"}
    pairs = [(1, 2, 0.9), (2, 1, 0.5), (4, 3, 0.8), (5, 5, 1.0)]
    result = scoref.curve(key, pairs, metrics="bcub")
    assert result.candidates == (2, 10, 1, 4)
    assert result.candidates.pair_completeness == 0.25
    assert result.candidates.reduction_ratio == 0.8
    none = scoref.curve({1: "a", 2: "b"}, [(1, 2, 0.5)]).candidates
    assert math.isnan(none.pair_completeness)

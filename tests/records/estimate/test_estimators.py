"""Intervals of estimated proportions, and errors by the jackknife."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from scoref.records.estimate.estimators import jackknife, korn_graubard


@pytest.mark.parametrize(("right", "draws"), [(0, 20), (3, 20), (17, 20), (20, 20)])
def test_of_simple_draws_it_is_clopper_and_pearson_s_interval(
    right: int, draws: int
) -> None:
    """At draws that are as many as independent ones, for Student's t is near normal."""
    share = right / draws
    error = (share * (1 - share) / draws) ** 0.5
    many = 10**6  # so that Student's t is the normal distribution
    low, high = korn_graubard(share, error, many if error else draws, 95)
    exact = stats.binomtest(right, draws).proportion_ci(0.95, "exact")
    assert (low, high) == pytest.approx((exact.low, exact.high), abs=1e-5)


def test_it_is_wider_at_a_higher_level_and_with_fewer_draws() -> None:
    ninety = korn_graubard(0.8, 0.05, 40, 90)
    usual = korn_graubard(0.8, 0.05, 40, 95)
    few = korn_graubard(0.8, 0.05, 4, 95)
    assert few.low < usual.low < ninety.low < 0.8 < ninety.high < usual.high < few.high


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    values = np.array([1.0, 4.0, 4.0, 7.0, 9.0])
    without = (values.sum() - values) / 4
    expected = values.std(ddof=1) / np.sqrt(5)
    assert jackknife(without, np.ones(5, dtype=np.int64)) == pytest.approx(expected)


def test_units_that_were_drawn_twice_count_twice() -> None:
    listed = np.array([0.1, 0.1, 0.4, 0.5])
    once = jackknife(listed, np.ones(4, dtype=np.int64))
    twice = jackknife(np.array([0.1, 0.4, 0.5]), np.array([2, 1, 1]))
    assert twice == pytest.approx(once)


def test_what_rounding_leaves_is_no_error() -> None:
    nearly = np.array([0.5, 0.5 + 1e-12, 0.5])
    assert jackknife(nearly, np.ones(3, dtype=np.int64)) == 0

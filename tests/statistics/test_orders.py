"""Orders of systems, and Kendall's τ, against SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import kendalltau, rankdata

from scoref.statistics.orders import is_alone_ahead, kendall, orders, ranks


@pytest.mark.parametrize("systems", [2, 3, 5, 8])
def test_tau_is_that_of_scipy(systems: int) -> None:
    scores = np.random.default_rng(systems).integers(0, 4, (12, systems)) / 4
    found = kendall(orders(scores))
    for one in range(12):
        for other in range(12):
            expected = float(kendalltau(scores[one], scores[other]).statistic)
            assert found[one, other] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_where_all_are_tied_there_is_no_tau() -> None:
    found = kendall(orders(np.array([[0.5, 0.5, 0.5], [0.1, 0.2, 0.3]])))
    assert math.isnan(found[0, 1])
    assert found[1, 1] == pytest.approx(1)


def test_what_differs_by_rounding_is_a_tie() -> None:
    scores = np.array([[0.1 + 0.2, 0.3]])
    assert orders(scores).tolist() == [[0.0]]
    assert is_alone_ahead(scores).tolist() == [[False, False]]


def test_ranks_are_those_of_scipy() -> None:
    scores = np.random.default_rng(3).integers(0, 4, (20, 5)) / 4
    expected = rankdata(-scores, method="min", axis=1)
    assert ranks(scores).tolist() == expected.tolist()


def test_one_is_ahead_of_all_or_nobody_is() -> None:
    scores = np.array([[0.3, 0.2, 0.1], [0.3, 0.3, 0.1], [0.1, 0.2, 0.3]])
    assert is_alone_ahead(scores).tolist() == [
        [True, False, False],
        [False, False, False],
        [False, False, True],
    ]

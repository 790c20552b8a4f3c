"""Orders of systems, and Kendall's τ, against SciPy.

How many documents it takes: the formula by hand, and whether its promise holds.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import kendalltau, rankdata

from scoref.tools.compare.multiverse_results import (
    Plan,
    is_alone_ahead,
    kendall,
    orders,
    ranks,
    standard_error,
)


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


@pytest.mark.parametrize(
    ("plan", "difference", "error", "documents", "expected"),
    [
        # ((1.959964 + 0.841621) · 0.01 / 0.01)² · 100 = 784.9
        (Plan(), 0.01, 0.01, 100, 785),
        (Plan(), -0.01, 0.01, 100, 785),
        # ((2.575829 + 1.281552) / 2)² · 50 = 185.99
        (Plan(99, 90), 0.02, 0.01, 50, 186),
        (Plan(), 0.5, 0.0001, 30, 2),
    ],
)
def test_the_formula_by_hand(
    plan: Plan, difference: float, error: float, documents: int, expected: int
) -> None:
    assert plan.documents(difference, error, documents) == expected


def test_equal_systems_are_never_told_apart() -> None:
    assert math.isinf(Plan().documents(0.0, 0.01, 100))


def test_so_many_documents_show_the_difference_as_often_as_promised() -> None:
    rng = np.random.default_rng(1)
    difference, spread, documents = 0.02, 0.1, 60
    needed = int(Plan().documents(difference, spread / math.sqrt(documents), documents))
    assert needed == 197
    samples = rng.normal(difference, spread, (4000, needed))
    z = samples.mean(axis=1) / (samples.std(axis=1, ddof=1) / math.sqrt(needed))
    assert (np.abs(z) > 1.959964).mean() == pytest.approx(0.8, abs=0.03)


def test_the_error_is_that_of_a_mean() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(0, 1, 40)
    drawn = values[rng.integers(0, 40, (20_000, 40))].mean(axis=1)
    expected = values.std(ddof=1) / math.sqrt(40)
    assert standard_error(drawn, 40) == pytest.approx(expected, rel=0.02)

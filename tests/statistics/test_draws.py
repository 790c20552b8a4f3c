"""Chance that can be repeated: pinned digits, fair draws, every way once."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.stats import chisquare

from scoref.statistics import draws
from scoref.statistics.draws import is_exact, resampled, swapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def together(portions: Iterator[Floats]) -> list[list[float]]:
    rows: list[list[float]] = np.concatenate(list(portions)).tolist()
    return rows


def test_the_bits_behind_a_seed_are_those_of_pcg64() -> None:
    raw = np.random.PCG64(2014).random_raw(3)
    assert raw.tolist() == [
        16944884476828436405,
        13175600378882218665,
        4898949110525804642,
    ]


def test_the_first_samples_of_a_seed_are_the_same_everywhere() -> None:
    # 0.92, 0.71 and 0.27 of five documents: the fifth, the fourth, the second.
    assert together(resampled(5, 4, 2014)) == [
        [0, 1, 1, 2, 1],
        [0, 0, 0, 3, 2],
        [4, 0, 0, 0, 1],
        [0, 2, 1, 2, 0],
    ]
    assert together(resampled(7, 2, 1)) == [
        [0, 1, 2, 1, 0, 1, 2],
        [1, 0, 2, 2, 0, 2, 0],
    ]


def test_the_first_swaps_of_a_seed_are_the_same_everywhere() -> None:
    # Each row has words of its own; bytes from the lowest, bits from the highest.
    assert together(swapped(9, 4, 2014)) == [
        [1, 0, 1, 1, 0, 1, 0, 1, 1],
        [1, 0, 1, 0, 1, 0, 0, 1, 1],
        [0, 1, 1, 0, 0, 0, 1, 0, 0],
        [1, 0, 0, 0, 1, 1, 0, 1, 0],
    ]


def test_another_seed_draws_other_samples_and_other_swaps() -> None:
    assert together(resampled(9, 50, 1)) != together(resampled(9, 50, 2))
    assert together(swapped(9, 50, 1)) != together(swapped(9, 50, 2))


@pytest.mark.parametrize(("documents", "times"), [(1, 3), (2, 1), (13, 40), (350, 7)])
def test_a_sample_has_as_many_documents_as_the_corpus(
    documents: int, times: int
) -> None:
    rows = together(resampled(documents, times, 0))
    assert [sum(row) for row in rows] == [documents] * times
    assert {len(row) for row in rows} == {documents}


@pytest.mark.parametrize("at_once", [1, 10, 64, 1000])
@pytest.mark.parametrize("documents", [3, 17, 70])
def test_portions_do_not_change_the_samples(
    at_once: int, documents: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = together(resampled(documents, 50, 2014))
    monkeypatch.setattr(draws, "_AT_ONCE", at_once)
    assert together(resampled(documents, 50, 2014)) == expected


@pytest.mark.parametrize("at_once", [10, 64, 1000])
@pytest.mark.parametrize("documents", [17, 70])
def test_portions_do_not_change_the_swaps(
    at_once: int, documents: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = together(swapped(documents, 50, 2014))
    monkeypatch.setattr(draws, "_AT_ONCE", at_once)
    assert together(swapped(documents, 50, 2014)) == expected


def test_portions_are_no_larger_than_they_may_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(draws, "_AT_ONCE", 100)
    assert [len(portion) for portion in resampled(30, 7, 0)] == [3, 3, 1]
    assert [len(portion) for portion in swapped(30, 7, 0)] == [3, 3, 1]
    assert [len(portion) for portion in resampled(200, 2, 0)] == [1, 1]


@pytest.mark.parametrize("documents", range(7))
def test_where_every_way_to_swap_is_tried_each_comes_once(documents: int) -> None:
    ways = together(swapped(documents, 1 << documents, 2014))
    expected = [list(way) for way in product((0.0, 1.0), repeat=documents)]
    assert sorted(ways) == expected


def test_trying_every_way_knows_no_seed() -> None:
    assert together(swapped(5, 100, 1)) == together(swapped(5, 100, 2))


@pytest.mark.parametrize(
    ("documents", "times", "exact"),
    [
        (0, 1, True),
        (1, 1, False),
        (1, 2, True),
        (13, 8191, False),
        (13, 8192, True),
        (13, 10_000, True),
        (14, 10_000, False),
        (100_000, 10_000, False),
    ],
)
def test_every_way_is_tried_where_there_are_no_more_than_times(
    documents: int, times: int, exact: bool
) -> None:
    assert is_exact(documents, times) is exact


def test_every_document_is_as_likely_to_be_drawn() -> None:
    totals = np.sum(together(resampled(13, 10_000, 2014)), axis=0)
    assert chisquare(totals).pvalue > 0.001


def test_every_document_is_swapped_half_of_the_time() -> None:
    coins = np.array(together(swapped(40, 10_000, 2014)))
    assert {*np.unique(coins).tolist()} == {0.0, 1.0}
    # Each column is binomial with a standard deviation of 50.
    assert np.abs(coins.sum(axis=0) - 5000).max() < 200


def test_documents_are_swapped_without_regard_to_each_other() -> None:
    coins = np.array(together(swapped(40, 10_000, 2014)))
    correlation = np.corrcoef(coins, rowvar=False) - np.eye(40)
    assert np.abs(correlation).max() < 0.05

"""What intervals and p-values promise, on corpora whose truth is known."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import stats

from scoref.statistics.bootstrap import METHODS
from scoref.statistics.compare import compare
from scoref.statistics.confidence import confidence
from support.results_from_counts import counted, interval_of, score_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.statistics.bootstrap import Method
    from scoref.statistics.compare import Difference
    from support.results_from_counts import Floats

    Ints = NDArray[np.int64]

TIMES = 500
DOCUMENTS = 60
F1 = 2


def population(random: np.random.Generator) -> Floats:
    """Make up documents that differ in length, and in how hard they are."""
    return response_to(1 + random.negative_binomial(2, 0.2, 3000), random)


def response_to(links: Ints, random: np.random.Generator) -> Floats:
    """Make up what a system finds of documents with so many links."""
    hits = random.binomial(links, random.beta(6, 3, len(links)))
    wrong = random.poisson(0.3 * links)
    columns = (hits, links, hits, hits + wrong)
    return np.stack(columns, axis=-1).astype(np.float64)


@pytest.mark.parametrize("method", METHODS)
def test_intervals_hold_the_truth_about_as_often_as_they_say(method: Method) -> None:
    random = np.random.default_rng(2014)
    documents = population(random)
    truth = score_of(documents)[F1]
    held = 0
    for seed in range(TIMES):
        corpus = documents[random.integers(0, len(documents), DOCUMENTS)]
        found = confidence(
            counted(muc=corpus), method=method, resamples=1000, seed=seed
        )
        low, high = found.intervals["muc"]["f1"]
        held += low <= truth <= high
    assert 0.91 <= held / TIMES <= 0.975


def test_a_lower_level_holds_the_truth_less_often() -> None:
    random = np.random.default_rng(7)
    documents = population(random)
    truth = score_of(documents)[F1]
    held = 0
    for seed in range(TIMES):
        corpus = documents[random.integers(0, len(documents), DOCUMENTS)]
        found = confidence(counted(muc=corpus), level=60, resamples=500, seed=seed)
        low, high = found.intervals["muc"]["f1"]
        held += low <= truth <= high
    # Three standard deviations of a binomial on either side.
    assert 0.54 <= held / TIMES <= 0.66


@cache
def under_the_null() -> list[Difference]:
    """Compare systems that differ by the flip of a coin for each document."""
    random = np.random.default_rng(2014)
    found: list[Difference] = []
    for seed in range(TIMES):
        links = 1 + random.negative_binomial(2, 0.2, DOCUMENTS)
        first, second = response_to(links, random), response_to(links, random)
        flips = random.integers(0, 2, (DOCUMENTS, 1)).astype(np.bool_)
        one, two = np.where(flips, first, second), np.where(flips, second, first)
        systems = {"one": counted(muc=one), "two": counted(muc=two)}
        found += compare(systems, resamples=999, seed=seed).differences
    return found


def test_randomisation_is_uniform_where_there_is_no_difference() -> None:
    values = [row.randomisation for row in under_the_null()]
    assert stats.kstest(values, "uniform").pvalue > 0.001
    rejected = sum(value <= 0.05 for value in values)
    least, most = stats.binom.ppf([0.001, 0.999], TIMES, 0.05)
    assert least <= rejected <= most


def test_the_paired_bootstrap_is_nearly_uniform_where_there_is_no_difference() -> None:
    values = [row.bootstrap or 0.0 for row in under_the_null()]
    assert stats.kstest(values, "uniform").pvalue > 0.0001
    assert 0.01 <= sum(value <= 0.05 for value in values) / TIMES <= 0.10


def test_intervals_of_differences_hold_zero_where_there_is_no_difference() -> None:
    intervals = map(interval_of, under_the_null())
    held = sum(interval.low <= 0 <= interval.high for interval in intervals)
    assert 0.91 <= held / TIMES <= 0.975


def test_a_difference_is_found_where_there_is_one() -> None:
    random = np.random.default_rng(1)
    corpus = population(random)[:DOCUMENTS]
    worse = corpus.copy()
    worse[:, [0, 2]] -= random.binomial(corpus[:, 0].astype(np.int64), 0.2)[:, None]
    systems = {"one": counted(muc=corpus), "two": counted(muc=worse)}
    (found,) = compare(systems, resamples=999).differences
    assert found.randomisation == found.bootstrap == 0.001
    assert interval_of(found).low > 0


def runs_of(
    documents: int, number: int, random: np.random.Generator
) -> tuple[list[Floats], list[Floats]]:
    """Make up runs of two equally good systems; some runs are better than others."""
    links = 1 + random.negative_binomial(2, 0.2, documents)
    systems = []
    for _ in range(2):
        ease = random.beta(6, 3, documents)
        runs = []
        for _ in range(number):
            shifted = 1 / (1 + (1 / ease - 1) * np.exp(0.3 * random.standard_normal()))
            hits = random.binomial(links, shifted)
            wrong = random.poisson(0.3 * links)
            columns = (hits, links, hits, hits + wrong)
            runs.append(np.stack(columns, axis=-1).astype(np.float64))
        systems.append(runs)
    return systems[0], systems[1]


def test_comparisons_of_runs_find_no_difference_where_there_is_none() -> None:
    random = np.random.default_rng(3)
    alarms, held, times = 0, 0, 200
    for seed in range(times):
        ours, theirs = runs_of(30, 3, random)
        systems = {
            "ours": [counted(muc=rows) for rows in ours],
            "theirs": [counted(muc=rows) for rows in theirs],
        }
        (row,) = compare(systems, resamples=400, seed=seed).differences
        alarms += row.randomisation <= 0.05
        held += interval_of(row).low <= 0 <= interval_of(row).high
    assert alarms / times <= 0.08
    assert held / times >= 0.92


def test_one_run_each_finds_differences_where_there_are_none() -> None:
    """The reason for several runs: one run each is about outputs, not systems."""
    random = np.random.default_rng(3)
    alarms, times = 0, 200
    for seed in range(times):
        (ours,), (theirs,) = runs_of(30, 1, random)
        systems = {"ours": counted(muc=ours), "theirs": counted(muc=theirs)}
        (row,) = compare(systems, resamples=400, seed=seed).differences
        alarms += row.randomisation <= 0.05
    assert alarms / times > 0.1

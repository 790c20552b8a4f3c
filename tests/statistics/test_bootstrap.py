"""Levels are percentages, or fractions up to 1.

Student's t against SciPy's, and the cuts that follow from it.

Chance that can be repeated: pinned digits, fair draws, every way once.
"""

from __future__ import annotations

import json
from itertools import product
from math import isnan
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import chisquare

import scoref
from scoref.errors import OptionError
from scoref.statistics import bootstrap
from scoref.statistics.additive import Additive
from scoref.statistics.bootstrap import (
    draw_swaps,
    expanded_cuts,
    inside,
    is_exact,
    limit_of,
    percent_of,
    quantiles,
    resample,
)
from scoref.statistics.confidence import confidence, resampled_scores
from scoref.tools.bias.gap import score_gap
from scoref.tools.compare.multiverse_results import Plan
from support.commands import run
from support.paths import EXAMPLES
from support.results_from_counts import counted, made_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


KEY = {"a": [[1, 2, 3], [4, 5]], "b": [[1, 2], [3, 4]], "c": [[1, 2, 3]]}

RESPONSE = {"a": [[1, 2], [3, 4, 5]], "b": [[1, 2]], "c": [[1, 2, 3]]}

OTHER = {"a": [[1, 2]], "b": [[1, 2], [3, 4]], "c": [[1, 2]]}


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30),
    st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_quantiles_have_the_digits_of_numpy(
    values: list[float], shares: tuple[float, float]
) -> None:
    drawn = np.array(values)
    assert quantiles(drawn, shares) == np.quantile(drawn, shares).tolist()


def test_quantiles_of_undefined_scores_are_undefined() -> None:
    drawn = np.array([0.5, np.nan, 0.25])
    assert all(map(isnan, quantiles(drawn, (0.1, 0.9))))


@pytest.mark.parametrize(
    ("level", "percent"),
    [(95, 95), (0.95, 95), (0.57, 57), (0.29, 29), (1.5, 1.5), (0.005, 0.5)],
)
def test_values_up_to_1_are_fractions(level: float, percent: float) -> None:
    assert percent_of(level) == percent


@pytest.mark.parametrize("level", [0, 1, 1.0, 100, -0.5, 101, float("nan")])
def test_a_level_is_more_than_0_and_less_than_100_percent(level: float) -> None:
    with pytest.raises(OptionError, match="is not between 0 and 100 percent"):
        percent_of(level)


def test_every_function_takes_fractions() -> None:
    systems = {name: scoref.score(KEY, each) for name, each in _systems().items()}
    for level in (0.9, 0.005):
        percent = percent_of(level)
        both = [confidence(systems["a"], level=each) for each in (level, 90)]
        assert both[0].level == percent
        assert (both[0].intervals == both[1].intervals) == (percent == 90)
        assert scoref.compare(systems, level=level).level == percent
        agreed = scoref.agree({"a": KEY, "b": RESPONSE}, level=level, resamples=10)
        assert agreed.confidence
        assert agreed.confidence.level == percent
        assert Plan.of(level, 0.8) == Plan(percent, 80)
        assert scoref.multiverse(KEY, _systems(), level=level)._plan.level == percent
    predicted = {1: "p", 2: "p", 3: "q", 4: "q", 5: "r", 6: "r"}
    sample = {1: "a", 2: "a", 3: "a", 5: "b", 6: "b"}
    assert scoref.estimate(sample, predicted, level=0.9).level == 90
    gap = score_gap(EXAMPLES / "gap-key.tsv", EXAMPLES / "gap-response.tsv")
    assert gap.interval(level=0.9) == gap.interval(level=90)


def _systems() -> dict[str, dict[str, list[list[int]]]]:
    return {"a": RESPONSE, "b": OTHER}


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        ("key.conll response.conll", "--confidence"),
        ("compare many-key.conll many-a.conll many-b.conll", "--confidence"),
        ("agree agree-ada.conll agree-ben.conll", "--confidence"),
        (
            "estimate estimate-sample.csv estimate-predicted.csv",
            "--weights=uniform --confidence",
        ),
        ("gap gap-key.tsv gap-response.tsv", "--confidence"),
        ("multiverse many-key.conll many-a.conll many-b.conll", "--confidence"),
        ("multiverse many-key.conll many-a.conll many-b.conll", "--power"),
    ],
)
def test_every_command_takes_fractions(arguments: str, option: str) -> None:
    name, *files = arguments.split()
    paths = [str(EXAMPLES / file) for file in files]
    first = name if not name.endswith("conll") else str(EXAMPLES / name)
    words = [first, *paths, *option.split()]
    fraction, percent = (
        run(*words, level, "--output", "json", code=0).stdout for level in ("0.9", "90")
    )
    assert json.loads(fraction) == json.loads(percent)
    refusal = run(*words, "1", "--output", "json", code=2)
    assert refusal.stdout == ""
    assert "1 is not between 0 and 100 percent. Write 95 or 0.95." in refusal.stderr


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 19, 50, 349, 10_000])
@pytest.mark.parametrize("chance", [0.01, 0.5, 0.95, 0.9999])
def test_limits_are_scipys(chance: float, freedom: int) -> None:
    expected = float(stats.t.ppf((1 + chance) / 2, freedom))
    assert limit_of(chance, freedom) == pytest.approx(expected, rel=1e-8)
    assert inside(expected, freedom) == pytest.approx(chance, rel=1e-8)


def test_the_cuts_of_five_documents() -> None:
    # Hesterberg (2015): Φ(−√(n / (n − 1)) t), with 2.776 for five documents.
    tail = float(stats.norm.cdf(-np.sqrt(5 / 4) * 2.7764451051977987))
    assert expanded_cuts(95, 5, 4) == pytest.approx((tail, 1 - tail), rel=1e-9)


def test_many_documents_are_cut_as_by_percentile() -> None:
    assert expanded_cuts(95, 10**6, 10**6 - 1) == pytest.approx(
        (0.025, 0.975), abs=2e-5
    )


def test_intervals_are_cut_there() -> None:
    rows = made_up(12, seed=3)
    drawn = resampled_scores(Additive.of(counted(muc=rows)), 400, 2014)[:, 0, 2]
    expected = np.quantile(drawn, expanded_cuts(90, 12, 11)).tolist()
    found = confidence(counted(muc=rows), level=90, resamples=400)
    assert [*found.intervals["muc"]["f1"]] == pytest.approx(expected, abs=1e-12)
    assert found.method == "expanded"


def test_one_document_has_no_interval() -> None:
    assert confidence(counted(muc=made_up(1, seed=3)), resamples=10).intervals == {}


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
    assert together(resample(5, 4, 2014)) == [
        [0, 1, 1, 2, 1],
        [0, 0, 0, 3, 2],
        [4, 0, 0, 0, 1],
        [0, 2, 1, 2, 0],
    ]
    assert together(resample(7, 2, 1)) == [
        [0, 1, 2, 1, 0, 1, 2],
        [1, 0, 2, 2, 0, 2, 0],
    ]


def test_the_first_swaps_of_a_seed_are_the_same_everywhere() -> None:
    # Each row has words of its own; bytes from the lowest, bits from the highest.
    assert together(draw_swaps(9, 4, 2014)) == [
        [1, 0, 1, 1, 0, 1, 0, 1, 1],
        [1, 0, 1, 0, 1, 0, 0, 1, 1],
        [0, 1, 1, 0, 0, 0, 1, 0, 0],
        [1, 0, 0, 0, 1, 1, 0, 1, 0],
    ]


def test_another_seed_draws_other_samples_and_other_swaps() -> None:
    assert together(resample(9, 50, 1)) != together(resample(9, 50, 2))
    assert together(draw_swaps(9, 50, 1)) != together(draw_swaps(9, 50, 2))


@pytest.mark.parametrize(("documents", "times"), [(1, 3), (2, 1), (13, 40), (350, 7)])
def test_a_sample_has_as_many_documents_as_the_corpus(
    documents: int, times: int
) -> None:
    rows = together(resample(documents, times, 0))
    assert [sum(row) for row in rows] == [documents] * times
    assert {len(row) for row in rows} == {documents}


@pytest.mark.parametrize("at_once", [1, 10, 64, 1000])
@pytest.mark.parametrize("documents", [3, 17, 70])
def test_portions_do_not_change_the_samples(
    at_once: int, documents: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = together(resample(documents, 50, 2014))
    monkeypatch.setattr(bootstrap, "_AT_ONCE", at_once)
    assert together(resample(documents, 50, 2014)) == expected


@pytest.mark.parametrize("at_once", [10, 64, 1000])
@pytest.mark.parametrize("documents", [17, 70])
def test_portions_do_not_change_the_swaps(
    at_once: int, documents: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = together(draw_swaps(documents, 50, 2014))
    monkeypatch.setattr(bootstrap, "_AT_ONCE", at_once)
    assert together(draw_swaps(documents, 50, 2014)) == expected


def test_portions_are_no_larger_than_they_may_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bootstrap, "_AT_ONCE", 100)
    assert [len(portion) for portion in resample(30, 7, 0)] == [3, 3, 1]
    assert [len(portion) for portion in draw_swaps(30, 7, 0)] == [3, 3, 1]
    assert [len(portion) for portion in resample(200, 2, 0)] == [1, 1]


@pytest.mark.parametrize("documents", range(7))
def test_where_every_way_to_swap_is_tried_each_comes_once(documents: int) -> None:
    ways = together(draw_swaps(documents, 1 << documents, 2014))
    expected = [list(way) for way in product((0.0, 1.0), repeat=documents)]
    assert sorted(ways) == expected


def test_trying_every_way_knows_no_seed() -> None:
    assert together(draw_swaps(5, 100, 1)) == together(draw_swaps(5, 100, 2))


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
    totals = np.sum(together(resample(13, 10_000, 2014)), axis=0)
    assert chisquare(totals).pvalue > 0.001


def test_every_document_is_swapped_half_of_the_time() -> None:
    coins = np.array(together(draw_swaps(40, 10_000, 2014)))
    assert {*np.unique(coins).tolist()} == {0.0, 1.0}
    # Each column is binomial with a standard deviation of 50.
    assert np.abs(coins.sum(axis=0) - 5000).max() < 200


def test_documents_are_swapped_without_regard_to_each_other() -> None:
    coins = np.array(together(draw_swaps(40, 10_000, 2014)))
    correlation = np.corrcoef(coins, rowvar=False) - np.eye(40)
    assert np.abs(correlation).max() < 0.05


@pytest.mark.parametrize("level", ["0.95", None, True])
def test_a_level_that_is_not_a_number_is_refused(level: object) -> None:
    with pytest.raises(scoref.OptionError, match="must be a number such as 95"):
        percent_of(level)  # type: ignore[arg-type]


def test_runs_are_stretched_by_students_t() -> None:
    for runs in (2, 3, 5, 10):
        limit = stats.t.ppf(0.975, runs - 1) / stats.norm.ppf(0.975)
        expected = np.sqrt(runs / (runs - 1)) * limit
        assert bootstrap.run_stretch(95, "expanded", runs) == pytest.approx(expected)
        assert bootstrap.run_stretch(95, "bca", runs) == 1
    assert bootstrap.run_stretch(95, "expanded", 1) == 1


@pytest.mark.parametrize("freedom", [1, 2, 9])
def test_noise_of_runs_has_students_distribution(freedom: int) -> None:
    normal = bootstrap.draw_normal(5000, 10, (2014, 1))
    assert stats.kstest(normal.ravel(), stats.norm.cdf).pvalue > 0.001
    drawn = bootstrap.students_t(normal, freedom)
    assert stats.kstest(drawn, stats.t(freedom).cdf).pvalue > 0.001


def test_draws_of_runs_are_not_those_of_documents() -> None:
    (documents,) = resample(3, 100, 2014)
    (runs,) = resample(3, 100, (2014, 1))
    (others,) = resample(3, 100, (2014, 2))
    assert not np.array_equal(documents, runs)
    assert not np.array_equal(runs, others)

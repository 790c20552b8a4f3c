"""Intervals: against slow arithmetic, against SciPy, and at their edges."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import stats

import scoref
from scoref import OptionError
from scoref.metrics.base import FIGURES
from scoref.statistics.additive import Additive
from scoref.statistics.bootstrap import METHOD, Interval, corrected_cuts, resample
from scoref.statistics.confidence import COVERED, confidence, resampled_scores
from support.paths import ROOT
from support.results_from_counts import (
    counted,
    made_up,
    mean_score_of,
    repeated,
    score_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scoref.scheme import Average
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Method
    from scoref.statistics.confidence import Confidence
    from support.results_from_counts import Floats, Triple

ROWS = made_up(30, seed=1)
KEY = [["a", "b", "c"], ["d", "e"], ["f", "g"]]
RESPONSE = [["a", "b"], ["c", "d", "e"], ["g"]]


def bounds(found: Confidence, metric: str = "muc") -> list[float]:
    intervals = found.intervals[metric].values()
    return [bound for interval in intervals for bound in interval]


def quantile(values: Sequence[float], at: float) -> float:
    """Walk to a place between two of the sorted values."""
    ordered = sorted(values)
    place = at * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def bca_cut(
    cut: float, drawn: Sequence[float], total: float, left: list[float]
) -> float:
    """Move a cut as Efron (1987) does, (2.3) and (6.6) there."""
    ties = sum(abs(each - total) <= 1e-12 for each in drawn)
    below = sum(each < total - 1e-12 for each in drawn)
    bias = stats.norm.ppf((below + ties / 2) / len(drawn))
    mean = sum(left) / len(left)
    cubes = sum((mean - each) ** 3 for each in left)
    squares = sum((mean - each) ** 2 for each in left)
    skew = cubes / (6 * squares**1.5)
    shifted = bias + stats.norm.ppf(cut)
    return float(stats.norm.cdf(bias + shifted / (1 - skew * shifted)))


def slow_interval(
    rows: Floats,
    figure: int,
    level: float,
    method: Method,
    score: Callable[..., Triple],
) -> list[float]:
    """Score every sample by itself; 400 samples of seed 7."""
    weights = np.concatenate(list(resample(len(rows), 400, 7)))
    drawn = [score(repeated(rows, each))[figure] for each in weights.tolist()]
    total = score(rows)[figure]
    left = [score(np.delete(rows, row, axis=0))[figure] for row in range(len(rows))]
    cuts = (1 - level / 100) / 2, 1 - (1 - level / 100) / 2
    if method == "bca":
        cuts = (
            bca_cut(cuts[0], drawn, total, left),
            bca_cut(cuts[1], drawn, total, left),
        )
    return [quantile(drawn, cut) for cut in cuts]


@pytest.mark.parametrize("level", [95, 80.5])
@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize(
    ("average", "score"), [("micro", score_of), ("macro", mean_score_of)]
)
def test_intervals_are_those_of_samples_scored_one_by_one(
    average: Average, score: Callable[..., Triple], method: Method, level: float
) -> None:
    result = counted(muc=ROWS, average=average)
    found = confidence(result, level=level, method=method, resamples=400, seed=7)
    slow = [slow_interval(ROWS, figure, level, method, score) for figure in range(3)]
    assert list(found.intervals["muc"]) == list(FIGURES)
    assert bounds(found) == pytest.approx([*slow[0], *slow[1], *slow[2]], abs=1e-12)


def scipys_interval(rows: Floats, method: str) -> list[float]:
    def f1(drawn: Floats, axis: int) -> Floats:
        sums = rows[drawn.astype(np.int64)].sum(axis=axis - 1 if axis < 0 else axis)
        recall, precision = sums[..., 0] / sums[..., 1], sums[..., 2] / sums[..., 3]
        harmonic: Floats = 2 * recall * precision / (recall + precision)
        return harmonic

    found = stats.bootstrap(
        (np.arange(len(rows)),),
        f1,
        n_resamples=20_000,
        method=method,
        random_state=np.random.default_rng(1),  # SciPy 1.11 has no rng
    )
    return [*found.confidence_interval]


@pytest.mark.parametrize(
    ("method", "scipys"), [("percentile", "percentile"), ("bca", "BCa")]
)
def test_intervals_agree_with_scipys(method: Method, scipys: str) -> None:
    rows = made_up(40, seed=5)
    rows[:3] = [[1, 30, 1, 40], [1, 25, 1, 2], [2, 30, 2, 3]]  # a long tail
    found = confidence(counted(muc=rows), method=method, resamples=20_000)
    # Two such bounds differ by 0.001, and the two methods by 0.008.
    assert [*found.intervals["muc"]["f1"]] == pytest.approx(
        scipys_interval(rows, scipys), abs=0.004
    )


def test_the_two_methods_differ_where_scores_are_skewed() -> None:
    rows = made_up(40, seed=5)
    rows[:3] = [[1, 30, 1, 40], [1, 25, 1, 2], [2, 30, 2, 3]]
    bca, percentile = (
        confidence(counted(muc=rows), method=method, resamples=20_000)
        for method in ("bca", "percentile")
    )
    assert (
        bca.intervals["muc"]["f1"].low < percentile.intervals["muc"]["f1"].low - 0.005
    )


def test_the_acceleration_of_three_documents_by_hand() -> None:
    # Recall is 3/4, 1/4 and 2/2 in the three; without each in turn 3/6, 5/6 and 4/8.
    left = [Fraction(3, 6), Fraction(5, 6), Fraction(4, 8)]
    mean = Fraction(11, 18)
    away = [mean - each for each in left]
    assert away == [Fraction(1, 9), Fraction(-2, 9), Fraction(1, 9)]
    skew = float(Fraction(-6, 729)) / (6 * float(Fraction(6, 81)) ** 1.5)
    assert skew == pytest.approx(-1 / (6 * math.sqrt(6)), rel=1e-12)
    # Half of what was drawn lies below the total: there is no bias.
    found = corrected_cuts(
        (0.025, 0.975), np.array([0.5, 0.7]), 0.6, np.array([float(x) for x in left])
    )
    high = 1.959963984540054
    expected = [z / (1 - skew * z) for z in (-high, high)]
    assert found == pytest.approx(tuple(stats.norm.cdf(expected)), rel=1e-12)


def test_documents_are_left_out_for_the_acceleration() -> None:
    rows = [[3, 4, 0, 0], [1, 4, 0, 0], [2, 2, 0, 0]]
    result = counted(muc=rows)
    drawn = resampled_scores(Additive.of(result), 1000, 2014)[:, 0, 0]
    left = np.array([3 / 6, 5 / 6, 4 / 8])
    cuts = corrected_cuts((0.025, 0.975), drawn, 0.6, left)
    found = confidence(result, resamples=1000, method="bca").intervals["muc"]["recall"]
    assert [*found] == pytest.approx(np.quantile(drawn, cuts).tolist(), abs=1e-12)


def test_scores_on_one_side_of_the_total_leave_the_cuts_where_they_are() -> None:
    drawn = np.array([0.7, 0.8, 0.9])
    for total in (0.5, 1.0):
        assert corrected_cuts((0.1, 0.9), drawn, total, drawn) == (0.1, 0.9)


def test_rounding_of_the_last_digit_does_not_move_the_cuts() -> None:
    left = np.array([0.1, 0.2, 0.4])
    exact = corrected_cuts((0.025, 0.975), np.array([0.2, 0.3, 0.4]), 0.3, left)
    rounded = corrected_cuts((0.025, 0.975), np.array([0.2, 0.1 + 0.2, 0.4]), 0.3, left)
    assert rounded == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_documents_that_are_all_alike_have_intervals_without_width(
    method: Method,
) -> None:
    found = confidence(counted(muc=[[2, 3, 2, 7]] * 25), method=method)
    scores = 2 / 3, 2 / 7, 0.4
    assert bounds(found) == pytest.approx(
        [bound for score in scores for bound in (score, score)], abs=1e-12
    )


def test_a_perfect_response_has_intervals_without_width() -> None:
    documents = dict.fromkeys(map(str, range(25)), KEY)
    found = confidence(scoref.score(documents, documents), resamples=100)
    assert {*bounds(found, "conll"), *bounds(found, "bcub")} == {1.0}


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_the_order_of_documents_moves_no_digit(
    average: Average, method: Method
) -> None:
    names = [f"document {row}" for row in range(len(ROWS))]
    order = np.random.default_rng(3).permutation(len(ROWS)).tolist()
    one = counted(muc=ROWS, documents=names, average=average)
    other = counted(
        muc=ROWS[order], documents=[names[row] for row in order], average=average
    )
    found = [confidence(each, method=method, resamples=500) for each in (one, other)]
    assert found[0] == found[1]


def test_the_names_of_documents_move_bounds_by_chance_only() -> None:
    shuffled = ROWS[np.random.default_rng(3).permutation(len(ROWS))]
    one, other = (
        confidence(counted(muc=rows), resamples=50_000) for rows in (ROWS, shuffled)
    )
    assert bounds(one) == pytest.approx(bounds(other), abs=0.003)
    assert bounds(one) != bounds(other)
    width = one.intervals["muc"]["f1"].high - one.intervals["muc"]["f1"].low
    assert width > 0.05


@pytest.mark.parametrize(
    ("method", "figure", "expected"),
    [
        ("percentile", "recall", (0.3288590604026846, 0.4928596579476861)),
        ("percentile", "f1", (0.36428571428571427, 0.5298507462686566)),
        ("bca", "recall", (0.32666666666666666, 0.4897959183673469)),
        ("bca", "precision", (0.40305819199299253, 0.5897435897435898)),
    ],
)
def test_the_digits_of_a_seed_are_the_same_everywhere(
    method: Method, figure: str, expected: tuple[float, float]
) -> None:
    rows = [[n % 4 + 1, n % 5 + 4, n % 4 + 1, n % 3 + 4] for n in range(25)]
    found = confidence(counted(muc=rows), method=method, seed=2014)
    assert found.intervals["muc"][figure] == pytest.approx(expected, abs=1e-12)


def test_a_seed_repeats_its_digits_and_another_has_others() -> None:
    result = counted(muc=ROWS)
    first, again, other = (
        confidence(result, resamples=200, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first.intervals != other.intervals


def test_a_higher_level_makes_wider_intervals() -> None:
    result = counted(muc=ROWS)
    found = [confidence(result, level=level) for level in (50, 80, 95, 99.9)]
    lows = [each.intervals["muc"]["f1"].low for each in found]
    highs = [each.intervals["muc"]["f1"].high for each in found]
    assert lows == sorted(lows, reverse=True)
    assert highs == sorted(highs)
    assert len({*lows}) == len({*highs}) == 4


def test_the_conll_score_has_an_interval_of_f1_only() -> None:
    rows = ROWS, made_up(30, 2), made_up(30, 3)
    result = counted(muc=rows[0], bcub=rows[1], ceafe=rows[2])
    found = confidence(result, method="percentile", resamples=300, seed=7)
    drawn = []
    for weights in np.concatenate(list(resample(30, 300, 7))).tolist():
        parts = [score_of(repeated(each, weights))[2] for each in rows]
        drawn.append(sum(parts) / 3)
    expected = [quantile(drawn, cut) for cut in (0.025, 0.975)]
    assert list(found.intervals["conll"]) == ["f1"]
    assert [*found.intervals["conll"]["f1"]] == pytest.approx(expected, abs=1e-12)


def test_every_metric_has_intervals_that_hold_its_score() -> None:
    sides = [
        {str(row): side[row % 3 :] for row in range(24)} for side in (KEY, RESPONSE)
    ]
    result = scoref.score(sides[0], sides[1])
    found = confidence(result, resamples=500)
    assert tuple(found.intervals) == result.metrics
    for name, score in result.scores.items():
        for figure, interval in found.intervals[name].items():
            assert interval.low <= getattr(score, figure) <= interval.high


def test_a_metric_that_is_undefined_has_an_interval_of_nothing() -> None:
    singletons = {str(row): [["a"], ["b"]] for row in range(25)}
    found = confidence(scoref.score(singletons, singletons), resamples=50)
    assert found.intervals["muc"] == dict.fromkeys(FIGURES, Interval(0.0, 0.0))


def test_a_corpus_without_documents_has_nothing_to_draw() -> None:
    with pytest.raises(OptionError, match="there are no documents to resample"):
        confidence(scoref.score({}, {}))


def test_few_documents_are_noted() -> None:
    (note,) = confidence(counted(muc=ROWS[:19]), resamples=10).notes
    assert (note.kind, note.count) == ("few-documents", 19)
    assert note.message.startswith("19 documents are too few for reliable intervals")
    assert (
        "95 % intervals contained the true score in about 93 % of cases" in note.message
    )
    assert "--unit entities" in note.message
    (note,) = confidence(counted(muc=ROWS[:1]), resamples=10).notes
    assert note.message.startswith("1 document is too few")
    assert confidence(counted(muc=ROWS[:20]), resamples=10).notes == ()


@pytest.mark.parametrize("level", [0, 100, -1, 101, math.nan, math.inf])
def test_a_level_is_between_0_and_100(level: float) -> None:
    with pytest.raises(OptionError, match="between 0 and 100"):
        confidence(counted(muc=ROWS), level=level)


def test_a_level_may_come_close_to_100() -> None:
    result = counted(muc=ROWS)
    found = confidence(result, level=99.99999999999999, resamples=50)
    drawn = resampled_scores(Additive.of(result), 50, 2014)[:, 0, 2]
    assert [*found.intervals["muc"]["f1"]] == pytest.approx([drawn.min(), drawn.max()])


def test_unknown_choices_are_refused() -> None:
    result = counted(muc=ROWS)
    with pytest.raises(OptionError, match="unknown bootstrap 'bac'"):
        confidence(result, method="bac")  # type: ignore[arg-type] # a typo
    with pytest.raises(OptionError, match="unknown unit 'entity'"):
        confidence(result, unit="entity")  # type: ignore[arg-type] # a typo
    with pytest.raises(OptionError, match="resamples must be between 1 and"):
        confidence(result, resamples=0)
    assert confidence(result, resamples=1).resamples == 1


@pytest.mark.parametrize("number", [1.5, float("inf"), float("nan"), "10", None, True])
@pytest.mark.parametrize("name", ["resamples", "seed"])
def test_numbers_that_are_not_whole_are_refused(name: str, number: object) -> None:
    with pytest.raises(OptionError, match=f"{name} must be a whole number"):
        confidence(counted(muc=ROWS), **{name: number})  # type: ignore[arg-type]


def in_blocks(average: Average = "micro") -> Result:
    return scoref.score(KEY, RESPONSE, with_blocks=True, average=average)


def test_blocks_of_entities_are_drawn_like_documents() -> None:
    result = in_blocks()
    assert result._blocks is not None
    found = confidence(result, unit="entities", resamples=500, method="percentile")
    as_documents = counted(muc=result._blocks["muc"])
    expected = confidence(as_documents, resamples=500, method="percentile")
    assert found.intervals["muc"] == expected.intervals["muc"]
    assert (found.unit, found.count) == ("entities", 2)


def test_intervals_over_blocks_say_so_and_have_the_metrics_that_add_up() -> None:
    found = confidence(in_blocks(), unit="entities", resamples=50)
    (note,) = found.notes
    assert (note.kind, note.count) == ("entity-blocks", 2)
    assert note.message.startswith("Intervals are over 2 blocks of entities, not over")
    expected = ["mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "conll"]
    assert list(found.intervals) == expected


def test_blocks_must_have_been_counted() -> None:
    with pytest.raises(OptionError, match="with_blocks=True"):
        confidence(scoref.score(KEY, RESPONSE), unit="entities")


def test_a_macro_average_is_not_over_entities() -> None:
    with pytest.raises(OptionError, match="cannot be combined with --average macro"):
        confidence(in_blocks(average="macro"), unit="entities")


def test_a_metric_that_has_no_blocks_is_refused_alone() -> None:
    result = scoref.score(KEY, RESPONSE, metrics="blanc", with_blocks=True)
    with pytest.raises(OptionError, match=r"(?i)blanc"):
        confidence(result, unit="entities")


def test_what_intervals_are_said_to_cover_is_what_the_page_shows() -> None:
    page = ROOT / "docs" / "confidence.md"
    rows = re.findall(
        r"^\| (\d+) \| `(\w+)` \| (.*) \|$", page.read_text("utf-8"), re.MULTILINE
    )
    shown: dict[tuple[str, int], list[float]] = {}
    for documents, method, figures in rows:
        cells = map(float, figures.split(" | "))
        shown.setdefault((method, int(documents)), []).extend(cells)
    assert len(rows) == 2 * 3 * 8
    for method, covered in COVERED.items():
        for documents, percent in covered.items():
            assert percent == math.floor(min(shown[method, documents]))


def test_the_default_covers_better_than_the_others_in_the_page() -> None:
    page = ROOT / "docs" / "confidence.md"
    rows = re.findall(
        r"^\| (\d+) \| `(\w+)` \| (.*) \|$", page.read_text("utf-8"), re.MULTILINE
    )
    lowest = [(method, min(map(float, row.split(" | ")))) for _, method, row in rows]
    for at in range(0, len(lowest), 3):
        best, *others = lowest[at : at + 3]
        assert best[0] == METHOD
        assert all(best[1] >= other[1] for other in others)


RUNS = [counted(muc=made_up(30, seed=seed)) for seed in (1, 2, 3)]


def slow_two_level(runs: list[Floats], resamples: int, seed: int) -> list[float]:
    """Score the mean of drawn runs on drawn documents, one sample at a time."""
    ordered = sorted(runs, key=lambda rows: score_of(rows)[2])
    documents = np.concatenate([*resample(len(runs[0]), resamples, seed)])
    drawn_runs = np.concatenate([*resample(len(runs), resamples, (seed, 1))])
    return [
        sum(
            times * score_of(repeated(rows, weights))[2]
            for rows, times in zip(ordered, chosen.tolist(), strict=True)
        )
        / len(runs)
        for weights, chosen in zip(documents, drawn_runs, strict=True)
    ]


def test_runs_are_drawn_as_well_as_documents() -> None:
    found = confidence(RUNS, method="percentile", resamples=200, seed=5)
    drawn = slow_two_level([run.counts["muc"] for run in RUNS], 200, 5)
    assert found.intervals["muc"]["f1"] == pytest.approx(
        (quantile(drawn, 0.025), quantile(drawn, 0.975))
    )
    assert found.unit == "documents+runs"
    assert found.signature.endswith("|unit:documents+runs")
    assert found.count == 30


def test_the_order_of_runs_does_not_matter() -> None:
    found = [confidence(runs, resamples=200) for runs in (RUNS, RUNS[::-1])]
    assert bounds(found[0]) == bounds(found[1])


def test_equal_runs_have_the_interval_of_one() -> None:
    for method in ("expanded", "percentile", "bca"):
        one = confidence(RUNS[0], method=method, resamples=300)
        three = confidence([RUNS[0]] * 3, method=method, resamples=300)
        assert bounds(three) == pytest.approx(bounds(one), abs=1e-3)


def test_a_list_of_one_run_is_that_run() -> None:
    assert confidence([RUNS[0]], resamples=50) == confidence(RUNS[0], resamples=50)


def test_stretched_intervals_are_wider_and_stay_percentages() -> None:
    widths = {}
    for method in ("expanded", "percentile", "bca"):
        low, high = confidence(RUNS, method=method, resamples=500).intervals["muc"][
            "f1"
        ]
        widths[method] = high - low
    assert widths["expanded"] > 1.2 * max(widths["percentile"], widths["bca"])
    far = [counted(muc=[[value, 10, value, 10]] * 30) for value in (1, 5, 9)]
    assert confidence(far, resamples=200).intervals["muc"]["f1"] == (0.0, 1.0)


def test_few_runs_are_noted() -> None:
    found = confidence(RUNS, resamples=50)
    assert [note.kind for note in found.notes] == ["few-runs"]
    many = [counted(muc=made_up(30, seed=seed)) for seed in range(5)]
    assert confidence(many, resamples=50).notes == ()


def test_runs_have_no_intervals_over_entities() -> None:
    runs = [scoref.score(KEY, RESPONSE, with_blocks=True)] * 2
    with pytest.raises(OptionError, match="cannot be used with several runs"):
        confidence(runs, unit="entities")


def test_one_document_has_no_interval_over_runs() -> None:
    found = confidence([scoref.score(KEY, KEY), scoref.score(KEY, RESPONSE)])
    assert found.intervals == {}

"""Comparisons: every way to swap, against SciPy, and by slow arithmetic.

Where nothing can be significant it is said, and swaps become as many as it takes.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import scoref
from scoref import OptionError
from scoref.scheme import CONVENTIONS, Scheme, choices
from scoref.schemes import resolve
from scoref.statistics import bootstrap
from scoref.statistics.additive import Strata
from scoref.statistics.bootstrap import (
    Interval,
    corrected_cuts,
    draw_swaps,
    resample,
)
from scoref.statistics.compare import (
    MOST_SWAPS,
    Comparison,
    Design,
    Difference,
    compare,
    f1_intervals,
    holm,
    lone_documents,
)
from support.results_from_counts import (
    counted,
    interval_of,
    made_up,
    mean_score_of,
    repeated,
    score_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scoref.scheme import Average
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Method
    from support.results_from_counts import Floats, Rows, Triple


GOOD, FAIR = made_up(9, seed=1, quality=0.9), made_up(9, seed=2, quality=0.6)

MANY = made_up(40, seed=3, quality=0.75), made_up(40, seed=4, quality=0.7)

F1 = 2


def only(comparison: Comparison) -> Difference:
    (found,) = comparison.differences
    return found


def muc(*rows: Rows | Floats, average: Average = "micro") -> dict[str, Result]:
    """Name systems by letters."""
    named = zip("abcd", rows, strict=False)
    return {name: counted(muc=each, average=average) for name, each in named}


def swapped_f1s(one: Floats, other: Floats, coins: Sequence[float]) -> list[float]:
    flips = np.array(coins, dtype=np.bool_)[:, None]
    first, second = np.where(flips, other, one), np.where(flips, one, other)
    return [score_of(rows)[F1] for rows in (first, second)]


def share_as_large(chance: Sequence[float], found: float) -> float:
    return sum(abs(each) >= abs(found) - 1e-12 for each in chance) / len(chance)


def test_few_documents_are_swapped_in_every_way() -> None:
    found = compare(muc(GOOD, FAIR), resamples=512)
    chance = []
    for coins in product((0, 1), repeat=9):
        first, second = swapped_f1s(GOOD, FAIR, coins)
        chance.append(first - second)
    difference = score_of(GOOD)[F1] - score_of(FAIR)[F1]
    assert len(chance) == 512
    assert only(found).difference == pytest.approx(difference, abs=1e-12)
    assert only(found).randomisation == share_as_large(chance, difference)
    assert found.is_exact
    assert "|swaps:all|" in found.signature


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("documents", [2, 5, 8])
def test_randomisation_agrees_with_scipys_permutation_test(
    documents: int, seed: int
) -> None:
    one, other = made_up(documents, seed), made_up(documents, seed + 9)
    both = np.concatenate((one, other))

    def statistic(first: Floats, second: Floats) -> float:
        f1s = [score_of(both[rows.astype(np.int64)])[F1] for rows in (first, second)]
        return abs(f1s[0] - f1s[1])

    expected = stats.permutation_test(
        (np.arange(documents), np.arange(documents) + documents),
        statistic,
        permutation_type="samples",
        vectorized=False,
        n_resamples=np.inf,
        alternative="greater",
    )
    found = only(compare(muc(one, other), resamples=256))
    assert found.randomisation == pytest.approx(expected.pvalue, abs=1e-12)


def test_many_documents_are_swapped_at_random() -> None:
    found = compare(muc(*MANY), resamples=300, seed=7)
    chance = []
    for coins in np.concatenate(list(draw_swaps(40, 300, 7))).tolist():
        first, second = swapped_f1s(*MANY, coins)
        chance.append(first - second)
    times = 300 * share_as_large(chance, only(found).difference)
    assert only(found).randomisation == pytest.approx((1 + times) / 301, abs=1e-12)
    assert not found.is_exact
    assert "|swaps:300|" in found.signature


def test_trying_at_random_comes_near_to_trying_every_way() -> None:
    exact = only(compare(muc(GOOD, FAIR), resamples=512)).randomisation
    near = only(compare(muc(GOOD, FAIR), resamples=511)).randomisation
    assert exact == pytest.approx(near, abs=0.05)
    assert exact != near


@pytest.mark.parametrize(
    ("average", "score"), [("micro", score_of), ("macro", mean_score_of)]
)
def test_the_paired_bootstrap_draws_the_same_documents_for_both(
    average: Average, score: Callable[..., Triple]
) -> None:
    found = only(compare(muc(*MANY, average=average), resamples=300, seed=7))
    difference = score(MANY[0])[F1] - score(MANY[1])[F1]
    drawn = []
    for weights in np.concatenate(list(resample(40, 300, 7))).tolist():
        f1s = [score(repeated(rows, weights))[F1] for rows in MANY]
        drawn.append(f1s[0] - f1s[1])
    times = sum(abs(each - difference) >= abs(difference) - 1e-12 for each in drawn)
    assert found.difference == pytest.approx(difference, abs=1e-12)
    assert found.bootstrap == pytest.approx((1 + times) / 301, abs=1e-12)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_differences_have_intervals_like_scores(method: Method) -> None:
    found = only(compare(muc(*MANY), resamples=300, seed=7, method=method, level=90))
    weights = np.concatenate(list(resample(40, 300, 7)))
    drawn = _differences(weights @ MANY[0], weights @ MANY[1])
    without = _differences(*(rows.sum(axis=0) - rows for rows in MANY))
    cuts = (0.05, 0.95)
    if method == "bca":
        cuts = corrected_cuts(cuts, drawn, found.difference, without)
    expected = np.quantile(drawn, cuts).tolist()
    assert [*interval_of(found)] == pytest.approx(expected, abs=1e-12)


def _differences(one: Floats, other: Floats) -> Floats:
    f1s = [[score_of([row])[F1] for row in rows.tolist()] for rows in (one, other)]
    away: Floats = np.array(f1s[0]) - np.array(f1s[1])
    return away


def test_holms_correction_by_hand() -> None:
    # Sorted: 0.001 × 5, 0.01 × 4, 0.02 × 3, 0.03 × 2, 0.5 × 1, and none is lower
    # than the one before it.
    found = holm([0.02, 0.5, 0.001, 0.03, 0.01])
    assert found == pytest.approx([0.06, 0.5, 0.005, 0.06, 0.04], abs=1e-15)
    assert holm([0.4, 0.6]) == [0.8, 0.8]
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@given(values=st.lists(st.floats(0, 1), max_size=8))
def test_holm_is_the_largest_of_the_corrected_values_up_to_each_rank(
    values: list[float],
) -> None:
    ordered, count = sorted(values), len(values)
    for value, found in zip(values, holm(values), strict=True):
        ranks = range(count - sum(value < each for each in values))
        expected = max(min(1.0, ordered[rank] * (count - rank)) for rank in ranks)
        assert found == expected


def test_the_correction_is_over_pairs_and_metrics() -> None:
    systems = {
        name: counted(muc=made_up(25, seed), bcub=made_up(25, seed + 1, 0.4 + seed / 9))
        for seed, name in enumerate("abc")
    }
    rows = compare(systems, resamples=500).differences
    assert [(row.first + row.second, row.metric) for row in rows] == [
        *(("ab", "muc"), ("ab", "bcub"), ("ac", "muc")),
        *(("ac", "bcub"), ("bc", "muc"), ("bc", "bcub")),
    ]
    assert [row.adjusted for row in rows] == holm([row.randomisation for row in rows])


@pytest.mark.parametrize("rows", [MANY, (GOOD, FAIR)])
def test_the_other_way_round_differences_change_their_sign_and_nothing_else(
    rows: tuple[Floats, Floats],
) -> None:
    forth = only(compare(muc(*rows), resamples=999, method="percentile"))
    back = only(compare(muc(*reversed(rows)), resamples=999, method="percentile"))
    assert forth.difference == -back.difference
    expected = [-bound for bound in reversed(interval_of(back))]
    assert [*interval_of(forth)] == pytest.approx(expected, abs=1e-12)
    assert (forth.randomisation, forth.bootstrap) == (
        back.randomisation,
        back.bootstrap,
    )
    assert (forth.wins, forth.ties, forth.losses) == (back.losses, back.ties, back.wins)


@pytest.mark.parametrize("documents", [3, 40])
def test_a_system_is_no_better_than_itself(documents: int) -> None:
    rows = made_up(documents, 1)
    found = only(compare(muc(rows, rows), resamples=100))
    assert found == Difference(
        *("a", "b", "muc", 0.0, Interval(0.0, 0.0), 1.0, 1.0, 1.0),
        *(0, documents, 0),
    )


def test_fractions_that_add_up_in_another_order_are_still_ties() -> None:
    thirds = [[1 / 3, 1, 1 / 3, 1], [0.1, 1, 0.1, 1], [0.2, 1, 0.2, 1]]
    found = only(compare(muc(thirds, thirds[::-1]), resamples=8))
    assert found.randomisation == 1.0


def test_documents_are_won_tied_and_lost() -> None:
    one = [[2, 2, 2, 2], [1, 2, 1, 2], [1, 3, 1, 1], [0, 0, 0, 0], [0, 5, 0, 5]]
    other = [[1, 2, 1, 2], [2, 4, 2, 4], [1, 1, 1, 3], [0, 3, 0, 0], [1, 5, 1, 5]]
    found = only(compare(muc(one, other), resamples=32))
    assert (found.wins, found.ties, found.losses) == (1, 3, 1)


def test_the_order_of_documents_moves_no_digit() -> None:
    names, order = [*"ABCDEFGHI"], [4, 1, 8, 0, 3, 7, 2, 6, 5]
    straight = {
        name: counted(muc=rows, documents=names)
        for name, rows in (("a", GOOD), ("b", FAIR))
    }
    shuffled = {
        name: counted(muc=rows[order], documents=[names[row] for row in order])
        for name, rows in (("a", GOOD), ("b", FAIR))
    }
    found = [compare(each, resamples=300) for each in (straight, shuffled)]
    assert found[0].differences == found[1].differences


def test_the_names_of_documents_do_not_matter_to_exact_tests() -> None:
    order = [4, 1, 8, 0, 3, 7, 2, 6, 5]
    straight = only(compare(muc(GOOD, FAIR), resamples=512))
    renamed = only(compare(muc(GOOD[order], FAIR[order]), resamples=512))
    assert straight.randomisation == renamed.randomisation
    assert straight.difference == renamed.difference
    assert straight[-3:] == renamed[-3:]


def test_f1_is_given_for_every_system_and_metric() -> None:
    sides = {"a": GOOD, "b": FAIR}
    found = compare(muc(*sides.values()), resamples=512)
    assert found.metrics == ("muc",)
    assert found.documents == 9
    for name, rows in sides.items():
        assert found.f1[name]["muc"] == pytest.approx(score_of(rows)[F1], abs=1e-12)


def test_a_comparison_is_found_by_its_names() -> None:
    found = compare(muc(GOOD, FAIR), resamples=10)
    assert found.between("a", "b", "muc") is found.differences[0]
    with pytest.raises(OptionError, match="'b' and 'a' were not compared by 'muc'"):
        found.between("b", "a", "muc")


def test_the_conll_score_is_compared_like_any_other() -> None:
    systems = {
        name: counted(muc=rows, bcub=rows[::-1].copy(), ceafe=made_up(9, 8))
        for name, rows in (("a", GOOD), ("b", FAIR))
    }
    found = compare(systems, resamples=512).between("a", "b", "conll")
    away = score_of(GOOD)[F1] - score_of(FAIR)[F1]
    assert found.difference == pytest.approx(2 * away / 3, abs=1e-12)


def test_few_documents_are_noted() -> None:
    (note,) = compare(muc(GOOD, FAIR), resamples=20).notes
    assert (note.kind, note.count) == ("few-documents", 9)
    assert compare(muc(*MANY), resamples=20).notes == ()


def refused(systems: Mapping[str, Result | Mapping[str, Result]], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        compare(systems, resamples=10)


def test_one_system_has_nothing_to_be_compared_with() -> None:
    message = r"compare\(\) needs the results of two systems or more, not "
    refused(muc(GOOD), f"{message}1")
    refused({}, f"{message}0")


def test_other_documents_are_refused() -> None:
    fewer = {"a": counted(muc=GOOD), "b": counted(muc=FAIR[:8])}
    refused(fewer, "b and a do not have the same documents")
    renamed = counted(muc=FAIR, documents=[*"ABCDEFGHI"])
    refused({"a": counted(muc=GOOD), "b": renamed}, "do not have the same documents")


def test_another_scheme_is_refused() -> None:
    macro = counted(muc=FAIR, average="macro")
    refused(
        {"a": counted(muc=GOOD), "b": macro},
        "b and a were not scored in the same way: average is macro for b, micro for a",
    )


def test_documents_are_matched_by_name() -> None:
    names = [*"ABCDEFGHI"]
    one = counted(muc=GOOD, documents=names)
    backwards = counted(muc=GOOD[::-1], documents=names[::-1])
    found = only(compare({"a": one, "b": backwards}, resamples=10))
    assert (found.ties, found.randomisation, found.bootstrap) == (9, 1.0, 1.0)


def test_other_metrics_are_refused() -> None:
    refused(
        {"a": counted(muc=GOOD), "b": counted(bcub=FAIR)},
        "were not scored in the same way",
    )


def test_unknown_choices_are_refused() -> None:
    with pytest.raises(OptionError, match="between 0 and 100"):
        compare(muc(GOOD, FAIR), level=100)
    with pytest.raises(OptionError, match="resamples must be between 1 and"):
        compare(muc(GOOD, FAIR), resamples=0)
    with pytest.raises(OptionError, match="Did you mean percentile"):
        compare(muc(GOOD, FAIR), method="percentil")  # type: ignore[arg-type] # a typo


def test_results_of_real_documents_are_compared() -> None:
    key = {"x": [["a", "b", "c"]], "y": [["d", "e"]]}
    good, poor = scoref.score(key, key), scoref.score(key, {"x": [], "y": []})
    found = compare({"good": good, "poor": poor}).between("good", "poor", "conll")
    assert (found.difference, found.randomisation) == (1.0, 0.5)
    assert (found.wins, found.ties, found.losses) == (2, 0, 0)


def test_another_format_moves_no_figure() -> None:
    systems = muc(GOOD, FAIR)
    other = replace(systems["b"], format="conll-2012+json-lines")
    found = compare({**systems, "b": other}, resamples=20)
    assert found.differences == compare(systems, resamples=20).differences
    assert "|format:conll-2012+json-lines|" in found.scored


def test_a_choice_of_a_metric_that_is_not_there_moves_no_figure() -> None:
    systems = muc(GOOD, FAIR)
    scheme = replace(systems["b"].scheme, lea="no-singletons", blanc="corefud")
    compare({**systems, "b": replace(systems["b"], scheme=scheme)}, resamples=20)
    lea = {name: counted(lea=rows) for name, rows in (("a", GOOD), ("b", FAIR))}
    refused(
        {**lea, "b": replace(lea["b"], scheme=scheme)},
        "lea is no-singletons for b, self-links for a",
    )


def test_the_reference_reading_of_no_conll_2012_is_the_strict_one() -> None:
    strict, reference = Scheme(), Scheme(reading="reference")
    a, b = muc(GOOD, FAIR).values()
    lines = replace(a, format="json-lines", scheme=strict)
    mixed = replace(b, format="json-lines+conll-2012", scheme=reference)
    compare({"a": lines, "b": mixed}, resamples=20)
    refused({"a": a, "b": mixed}, "reading is reference for b, strict for a")


def test_the_rule_for_other_tokens_matters_if_both_have_other_tokens() -> None:
    alike, (one, other) = Scheme(), muc(GOOD, FAIR).values()
    strict = replace(alike, words="characters", borders="strict")
    expand = replace(alike, words="characters", borders="expand")
    compare({"a": one, "b": replace(other, scheme=strict)}, resamples=20)
    refused(
        {"a": replace(one, scheme=strict), "b": replace(other, scheme=expand)},
        "borders is expand for b, strict for a",
    )


def test_documents_may_be_files_of_a_folder_but_datasets_are_something_else() -> None:
    whole, (one, other) = Scheme(), muc(GOOD, FAIR).values()
    documents = replace(other, scheme=replace(whole, folder="documents"))
    compare({"a": one, "b": documents}, resamples=20)
    refused(
        {"a": one, "b": replace(other, scheme=replace(whole, folder="datasets"))},
        "folder is datasets for b",
    )


@pytest.mark.parametrize(
    "field",
    [
        name
        for name, each in CONVENTIONS.items()
        if not each.within and name not in ("words", "borders")  # the response's own
    ],
)
def test_a_refusal_names_the_field(field: str) -> None:
    names = ("muc", "lea", "blanc", "zero")
    result = replace(counted(muc=GOOD), metrics=names)
    value = choices(field)[-1] if choices(field) else "zeros"
    if value == getattr(Scheme(), field):
        value = choices(field)[0]
    scheme = replace(Scheme(), **{field: value})  # type: ignore[arg-type]
    message = re.escape(f"{field.replace('_', '-')} is {value} for b, ")
    refused({"a": result, "b": replace(result, scheme=scheme)}, message)


def test_topics_must_be_the_same() -> None:
    result = counted(muc=GOOD)
    schemes = [resolve(None, scope="topic", topics=each) for each in ("ecb+", "(x)")]
    a, b = (replace(result, scheme=scheme) for scheme in schemes)
    refused({"a": a, "b": b}, r"topics is pattern for b, ecb\+ for a")


def test_documents_that_one_system_lacks_are_named() -> None:
    fewer = {"a": counted(muc=GOOD), "b": counted(muc=FAIR[:8])}
    refused(fewer, "do not have the same documents: only a has 'd008'")


METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea")


def rows(documents: int, hits: int) -> Floats:
    """Make documents in which so many of ten are right."""
    return np.tile([hits, 10, hits, 10], (documents, 1)).astype(np.float64)


def systems(count: int, documents: int) -> dict[str, Result]:
    """Make systems each of which is better than the one before, in every document."""
    return {
        f"s{number}": counted(
            **{metric: rows(documents, number % 10 + 1) for metric in METRICS}  # type: ignore[arg-type]
        )
        for number in range(count)
    }


def kinds(comparison: Comparison) -> list[str]:
    return [note.kind for note in comparison.notes]


def test_swaps_become_more_where_no_difference_could_be_significant() -> None:
    # 7 metrics with CoNLL, 45 pairs: 315 tests, and 1000 swaps have p ≥ 0.315.
    found = compare(systems(10, 40), resamples=1000)
    (note,) = found.notes
    assert (found.resamples, found.swaps) == (1000, 7000)
    assert "|resamples:1000|swaps:7000|" in found.signature
    assert (note.kind, note.count) == ("more-swaps", 7000)
    assert "7,000 swaps were tried instead of 1,000. With fewer" in note.message
    assert all(row.adjusted <= found.allowed for row in found.differences)


def test_swaps_stay_as_they_are_where_they_are_enough() -> None:
    found = compare(systems(2, 40), resamples=140)
    assert (found.swaps, found.notes) == (140, ())
    assert compare(systems(2, 40), resamples=139).swaps == 278


def test_intervals_do_not_move_with_the_number_of_swaps() -> None:
    many = {name: counted(muc=made_up(40, seed)) for seed, name in enumerate("abc")}
    few = {name: many[name] for name in "ab"}
    raised, plain = compare(many, resamples=50), compare(few, resamples=50)
    assert (raised.swaps, plain.swaps) == (100, 50)
    assert raised.differences[0].interval == plain.differences[0].interval
    assert raised.differences[0].bootstrap == plain.differences[0].bootstrap


def test_too_few_documents_for_any_number_of_swaps_are_told() -> None:
    found = compare(systems(3, 8), resamples=1000)  # 21 tests, p ≥ 2/256
    note = found.notes[0]
    assert kinds(found) == ["no-significance", "few-documents"]
    assert "8 documents are too few for 21 tests" in note.message
    assert "The smallest possible p after Holm's correction is 0.16" in note.message
    assert min(row.adjusted for row in found.differences) > found.allowed


def test_too_many_tests_are_told_with_what_they_need() -> None:
    found = compare(systems(2, 60), resamples=100, level=99.999)
    (note,) = found.notes
    assert found.swaps == 100
    assert note.kind == "no-significance"
    assert "7 tests at p ≤ 1e-05 need 700,000 swaps." in note.message


@pytest.mark.parametrize("tests", [1, 8, 24, 528, 6240])
@pytest.mark.parametrize("level", [50, 80, 90, 95, 99, 99.9])
def test_the_smallest_p_is_significant_with_the_swaps_that_are_tried(
    tests: int, level: float
) -> None:
    asked = Design(tests, level, documents=100)
    swaps = asked.swaps(10_000)
    is_enough = tests / (swaps + 1) <= asked.allowed
    assert is_enough or asked.needed > MOST_SWAPS
    assert is_enough == (not any(n.kind == "no-significance" for n in asked.notes(10)))


def test_one_document_has_no_interval_and_no_bootstrap() -> None:
    found = compare({"a": counted(muc=rows(1, 9)), "b": counted(muc=rows(1, 3))})
    (row,) = found.differences
    assert row.difference == pytest.approx(0.6)
    assert (row.interval, row.bootstrap, row.randomisation) == (None, None, 1.0)
    assert kinds(found) == ["no-significance", "few-documents"]


def test_datasets_of_one_document_each_do_not_vary_either() -> None:
    found = compare(
        {
            name: {each: counted(muc=rows(1, hits)) for each in "xyz"}
            for name, hits in (("a", 9), ("b", 3))
        }
    )
    (row,) = found.differences
    assert (row.interval, row.bootstrap, row.randomisation) == (None, None, 0.25)


def test_datasets_of_one_document_are_told_among_others() -> None:
    found = compare(
        {
            name: {
                "x": counted(muc=made_up(30, seed)),
                "y": counted(muc=rows(1, 3 + seed)),
            }
            for seed, name in enumerate("ab")
        },
        resamples=100,
    )
    (note,) = found.notes
    assert (note.kind, note.count) == ("lone-documents", 1)
    assert note.message.startswith("1 of 2 datasets has only one document")


def test_systems_compared_together_have_the_figures_of_each_pair_alone() -> None:
    found = {
        name: counted(muc=made_up(40, seed), lea=made_up(40, seed + 9))
        for seed, name in enumerate("abcd")
    }
    together = compare(found, resamples=500)
    for pair in combinations(found, 2):
        alone = compare({name: found[name] for name in pair}, resamples=500)
        for row in alone.differences:
            same = together.between(*pair, row.metric)
            assert same._replace(adjusted=row.adjusted) == row


OTHER_RUNS = [counted(muc=made_up(40, seed=seed, quality=0.7)) for seed in (5, 6, 7)]


def test_equal_runs_are_compared_like_one() -> None:
    one, other = (counted(muc=rows) for rows in MANY)
    single = compare({"a": one, "b": other}, resamples=500)
    several = compare({"a": [one] * 3, "b": [other] * 2}, resamples=500)
    (mine,), (theirs,) = single.differences, several.differences
    assert mine.difference == pytest.approx(theirs.difference)
    assert mine.randomisation == pytest.approx(theirs.randomisation)
    assert mine.bootstrap == theirs.bootstrap
    assert interval_of(mine) == pytest.approx(interval_of(theirs), abs=1e-3)
    assert (mine.wins, mine.ties, mine.losses) == (
        theirs.wins,
        theirs.ties,
        theirs.losses,
    )


def test_means_over_runs_are_compared() -> None:
    one = counted(muc=MANY[0])
    found = compare({"ours": OTHER_RUNS, "theirs": one}, resamples=200)
    scores = [run.scores["muc"].f1 for run in OTHER_RUNS]
    assert found.f1["ours"]["muc"] == pytest.approx(np.mean(scores))
    assert found.sd == {"ours": {"muc": pytest.approx(np.std(scores, ddof=1))}}
    assert found.runs == {"ours": 3, "theirs": 1}
    (row,) = found.differences
    assert row.difference == pytest.approx(np.mean(scores) - one.scores["muc"].f1)
    assert kinds(found) == ["few-runs", "one-run"]
    assert found.signature.endswith("|unit:documents+runs")


def test_runs_that_vary_make_p_larger() -> None:
    counts = np.array([[7, 10, 7, 10]] * 40, dtype=np.float64)
    better = [counts + shift * np.array([1, 0, 1, 0]) for shift in (-2, 1, 2.5)]
    mean = np.mean(better, axis=0)
    by_mean = compare({"a": counted(muc=mean), "b": counted(muc=counts)}, resamples=500)
    by_runs = compare(
        {"a": [counted(muc=rows) for rows in better], "b": counted(muc=counts)},
        resamples=500,
    )
    p = [found.differences[0].randomisation for found in (by_mean, by_runs)]
    assert p[0] < 0.01
    # Only runs vary: a test of one sample by Student's t.
    scores = [score_of(rows)[F1] for rows in better]
    expected = stats.ttest_1samp(scores, score_of(counts)[F1]).pvalue
    assert p[1] == pytest.approx(expected, abs=0.06)


def test_two_systems_whose_runs_vary_are_tested_as_by_welch() -> None:
    counts = np.array([[7, 10, 7, 10]] * 40, dtype=np.float64)
    shifts = (-1, 0.5, 1.5), (-2, -1.5, -1, 0, 0.2)
    runs = [
        [counts + shift * np.array([1, 0, 1, 0]) for shift in own] for own in shifts
    ]
    found = compare(
        {
            name: [counted(muc=rows) for rows in own]
            for name, own in zip("ab", runs, strict=True)
        },
        resamples=4000,
    )
    scores = [[score_of(rows)[F1] for rows in own] for own in runs]
    expected = stats.ttest_ind(*scores, equal_var=False).pvalue
    assert found.differences[0].randomisation == pytest.approx(expected, abs=0.05)


def test_runs_are_never_swapped_in_every_way() -> None:
    good, fair = counted(muc=GOOD), counted(muc=FAIR)
    found = compare({"a": [good, fair], "b": fair}, resamples=1000)
    assert not found.is_exact
    assert "|swaps:1000|" in found.signature


def test_results_of_folds_are_compared_as_one() -> None:
    names = [f"d{row:03}" for row in range(40)]
    whole = counted(muc=MANY[0])
    folds = [
        counted(muc=MANY[0][start::2], documents=names[start::2]) for start in (0, 1)
    ]
    other = counted(muc=MANY[1])
    pooled = compare({"a": folds, "b": other}, resamples=100)
    assert (
        pooled.differences
        == compare({"a": whole, "b": other}, resamples=100).differences
    )
    assert pooled.runs == {}
    assert pooled.scored.endswith("|folds:2+1")


def test_equal_runs_of_two_systems_are_noted() -> None:
    found = compare({"a": OTHER_RUNS, "b": OTHER_RUNS}, resamples=100)
    assert "equal-systems" in kinds(found)


def test_lists_of_other_things_are_refused() -> None:
    with pytest.raises(OptionError, match=r"compare\(\) takes a result, not the text"):
        compare({"a": ["x.conll"], "b": OTHER_RUNS})  # type: ignore[list-item]
    with pytest.raises(OptionError, match="there are no runs"):
        compare({"a": [], "b": OTHER_RUNS})


def test_datasets_need_the_same_number_of_runs() -> None:
    runs = scoref.join_runs(OTHER_RUNS)
    one = OTHER_RUNS[0]
    with pytest.raises(OptionError, match="a does not have the same number of runs"):
        compare({"a": {"x": runs, "y": one}, "b": {"x": one, "y": one}})


def test_runs_of_datasets_are_compared_by_their_means() -> None:
    runs = scoref.join_runs(OTHER_RUNS)
    one = counted(muc=MANY[0])
    found = compare(
        {"a": {"x": runs, "y": runs}, "b": {"x": one, "y": one}}, resamples=100
    )
    assert found.f1["a"]["muc"] == pytest.approx(runs.scores["muc"].f1)
    assert found.runs == {"a": 3, "b": 1}


@pytest.mark.parametrize("at_once", [1, 7, 16])
def test_portions_of_swaps_do_not_change_p_values(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    systems = muc(GOOD, FAIR)
    whole = compare(systems, resamples=50).differences
    monkeypatch.setattr(bootstrap, "_SAMPLES_AT_ONCE", at_once)
    assert compare(systems, resamples=50).differences == whole


def test_datasets_of_one_document_are_noted_if_others_have_more() -> None:
    def note_on(*counts: int) -> list[str]:
        side = [["a", "b"]]
        results = [
            scoref.score(*[{str(row): side for row in range(count)}] * 2)
            for count in counts
        ]
        return [note.message for note in lone_documents(Strata.of(results))]

    assert note_on(1) == note_on(2) == note_on(2, 3) == []
    assert note_on(1, 2)[0].startswith("1 of 2 datasets has only one document.")
    assert note_on(1, 2, 1)[0].startswith("2 of 3 datasets have only one document.")


def test_systems_of_one_name_are_numbered() -> None:
    found = compare([counted(muc=rows(9, 9)), counted(muc=rows(9, 3))])
    row = only(found)
    assert (row.first, row.second) == ("system 1", "system 2")


def test_a_single_test_is_named_in_the_singular() -> None:
    good, fair = counted(muc=rows(3, 9)), counted(muc=rows(3, 3))
    note = compare({"a": good, "b": fair}, metrics="muc").notes[0]
    assert note.kind == "no-significance"
    assert "3 documents are too few for 1 test" in note.message
    assert "1 tests" not in note.message


def test_equal_runs_have_the_interval_of_one() -> None:
    one = counted(muc=MANY[0])
    intervals = [
        f1_intervals({"a": system}, ["muc"], resamples=200)["a"]["muc"]
        for system in (one, scoref.join_runs([one] * 3))
    ]
    assert intervals[0] == pytest.approx(intervals[1])
    assert intervals[0].low < one.scores["muc"].f1 < intervals[0].high

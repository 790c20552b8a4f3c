"""Where mentions repeat, the counts are those of the reference scorer's rules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import scoref
from support.oracle_reference import REFERENCE_ORACLES, identified
from support.strategies import Entities, repeating_entities


@settings(max_examples=4 * settings().max_examples)
@given(key=repeating_entities(), response=repeating_entities())
def test_counts_follow_the_reference_rules(key: Entities, response: Entities) -> None:
    counts = scoref.score(key, response, metrics=list(REFERENCE_ORACLES)).counts
    for name, oracle in REFERENCE_ORACLES.items():
        expected = [float(count) for count in oracle(identified(key, response))]
        assert counts[name][0].tolist() == pytest.approx(expected, rel=1e-12), name


@given(key=repeating_entities(), response=repeating_entities())
def test_repeats_in_two_documents_are_counted_apart(
    key: Entities, response: Entities
) -> None:
    both = scoref.score({"a": key, "b": response}, {"a": response, "b": key})
    one, other = scoref.score(key, response), scoref.score(response, key)
    for name, counts in both.counts.items():
        expected = [one.counts[name][0].tolist(), other.counts[name][0].tolist()]
        assert counts.tolist() == expected


# Copies of a mention: cells "(0)|(0)", "(0)" against "(0)", "(0)".
TWICE_IN_ONE_ENTITY = ([["a", "a", "b"]], [["a", "b"]])
# Key and response "(0)|(1)", "(0)", "(1)".
IN_TWO_ENTITIES = ([["a", "b"], ["a", "c"]], [["a", "b"], ["a", "c"]])
# Response "(0)|(1)", "(0)", "(1)", "(1)", and the same with "(1)|(0)".
FIRST_IN_THE_RIGHT_ENTITY = (
    [["a", "b"], ["c", "d"]],
    [["a", "b"], ["a", "c", "d"]],
)
FIRST_IN_THE_WRONG_ENTITY = (
    [["a", "b"], ["c", "d"]],
    [["a", "c", "d"], ["a", "b"]],
)
TWINLESS_TWICE_IN_ONE = ([["a", "b"]], [["a", "b", "x", "x"]])
TWINLESS_IN_TWO = ([["a", "b"], ["c", "d"]], [["a", "b", "x"], ["x", "c", "d"]])
TWINLESS_OFTEN = ([["a", "b"]], [["a", "b", *["x"] * 21]])

Case = tuple[list[list[str]], list[list[str]]]


@pytest.mark.parametrize(
    ("case", "name", "counts"),
    [
        (TWICE_IN_ONE_ENTITY, "muc", [1, 2, 1, 1]),
        (TWICE_IN_ONE_ENTITY, "bcub", [4 / 3, 3, 2, 2]),
        (TWICE_IN_ONE_ENTITY, "ceafm", [3, 3, 3, 2]),
        (TWICE_IN_ONE_ENTITY, "ceafe", [6 / 5, 1, 6 / 5, 1]),
        (TWICE_IN_ONE_ENTITY, "blanc", [1, 2, 1, 0, 0, 0]),
        (IN_TWO_ENTITIES, "mentions", [3, 3, 3, 3]),
        (IN_TWO_ENTITIES, "muc", [0, 2, 0, 1]),
        (IN_TWO_ENTITIES, "bcub", [2, 4, 5 / 2, 3]),
        (IN_TWO_ENTITIES, "ceafm", [3, 4, 3, 3]),
        (IN_TWO_ENTITIES, "ceafe", [5 / 3, 2, 5 / 3, 2]),
        (FIRST_IN_THE_RIGHT_ENTITY, "mentions", [4, 4, 4, 4]),
        (FIRST_IN_THE_RIGHT_ENTITY, "muc", [2, 2, 2, 2]),
        (FIRST_IN_THE_RIGHT_ENTITY, "bcub", [4, 4, 4, 4]),
        (FIRST_IN_THE_RIGHT_ENTITY, "ceafm", [4, 4, 4, 4]),
        (FIRST_IN_THE_RIGHT_ENTITY, "ceafe", [2, 2, 2, 2]),
        (FIRST_IN_THE_RIGHT_ENTITY, "blanc", [2, 2, 2, 4, 4, 4]),
        (FIRST_IN_THE_WRONG_ENTITY, "muc", [1, 2, 1, 2]),
        (FIRST_IN_THE_WRONG_ENTITY, "bcub", [3, 4, 8 / 3, 4]),
        (FIRST_IN_THE_WRONG_ENTITY, "ceafm", [3, 4, 3, 4]),
        (FIRST_IN_THE_WRONG_ENTITY, "ceafe", [22 / 15, 2, 22 / 15, 2]),
        (FIRST_IN_THE_WRONG_ENTITY, "blanc", [1, 2, 3, 2, 4, 3]),
        (TWINLESS_TWICE_IN_ONE, "mentions", [2, 2, 2, 3]),
        (TWINLESS_TWICE_IN_ONE, "muc", [1, 1, 1, 3]),
        (TWINLESS_TWICE_IN_ONE, "bcub", [2, 2, 1, 4]),
        (TWINLESS_TWICE_IN_ONE, "ceafm", [2, 2, 2, 4]),
        (TWINLESS_TWICE_IN_ONE, "ceafe", [2 / 3, 1, 2 / 3, 1]),
        (TWINLESS_TWICE_IN_ONE, "blanc", [1, 1, 4, 0, 0, 0]),
        (TWINLESS_IN_TWO, "bcub", [4, 4, 8 / 3, 6]),
        (TWINLESS_IN_TWO, "ceafm", [4, 4, 4, 6]),
        (TWINLESS_IN_TWO, "ceafe", [8 / 5, 2, 8 / 5, 2]),
        (TWINLESS_IN_TWO, "blanc", [2, 2, 6, 4, 4, 9]),
        (TWINLESS_OFTEN, "muc", [1, 1, 1, 22]),
        (TWINLESS_OFTEN, "bcub", [2, 2, 4 / 23, 23]),
    ],
)
def test_cases_that_the_reference_scorer_was_run_on(
    case: Case, name: str, counts: list[float]
) -> None:
    result = scoref.score(*case, metrics=name)
    assert result.counts[name][0].tolist() == pytest.approx(counts, rel=1e-12)


@pytest.mark.parametrize(
    ("case", "recall", "precision", "f1"),
    [
        (IN_TWO_ENTITIES, 1 / 2, 1, 2 / 3),
        (FIRST_IN_THE_RIGHT_ENTITY, 1, 1, 1),
        (FIRST_IN_THE_WRONG_ENTITY, 1 / 2, 1 / 2, 17 / 35),
    ],
)
def test_blanc_scores_that_the_reference_scorer_was_seen_to_give(
    case: Case, recall: float, precision: float, f1: float
) -> None:
    found = scoref.score(*case, metrics="blanc").scores["blanc"]
    assert found[:3] == pytest.approx((recall, precision, f1), rel=1e-12)


def test_a_mention_twice_in_the_key_can_lift_a_score_above_one() -> None:
    ceafm = scoref.score(*TWICE_IN_ONE_ENTITY, metrics="ceafm").scores["ceafm"]
    assert ceafm[:3] == pytest.approx((1, 3 / 2, 6 / 5), rel=1e-12)

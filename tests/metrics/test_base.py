"""Ratios, F₁ and means: the arithmetic that metrics share."""

from __future__ import annotations

import numpy as np

from scoref.metrics.base import (
    Score,
    Value,
    f_one,
    one_number,
    ratio,
    ratio_score,
    score_sums,
)
from scoref.metrics.conll import CONLL
from scoref.metrics.muc import MUC


def test_zero_by_zero_is_zero_unless_another_value_is_wanted() -> None:
    numerator, denominator = np.array([0.0, 1.0]), np.array([0.0, 2.0])
    assert ratio(numerator, denominator).tolist() == [0, 0.5]
    assert ratio(numerator, denominator, 1.0).tolist() == [1, 0.5]


def test_f1_is_the_harmonic_mean_and_zero_if_both_are() -> None:
    assert f_one(np.array([1.0, 0.0]), np.array([0.5, 0.0])).tolist() == [2 / 3, 0]


def test_sums_are_scored_at_once() -> None:
    sums = np.array([[1.0, 2.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0]])
    assert ratio_score(sums).tolist() == [[0.5, 1, 2 / 3], [0, 0, 0]]
    assert MUC.is_defined(sums).tolist() == [True, False]


def test_an_index_has_no_recall_and_no_precision() -> None:
    figures = one_number(np.array(0.25))
    assert np.isnan(figures).tolist() == [True, True, False]
    assert figures[2] == 0.25


def test_a_mean_is_defined_if_all_its_parts_are() -> None:
    figures = zip(CONLL.of, (1, 0.5, 0), strict=True)
    scores = {name: Score(1.0, 1.0, f1) for name, f1 in figures}
    assert CONLL.score_of(scores) == Value(0.5)
    scores["muc"] = Score(0.0, 0.0, 0.0, is_defined=False)
    assert not CONLL.score_of(scores).is_defined


def test_ratios_may_have_further_columns() -> None:
    sums = {"muc": np.array([1.0, 2, 1, 1]), "more": np.array([1.0, 2, 1, 1, 9])}
    scores = score_sums({"muc": MUC, "more": MUC}, sums)
    assert scores["muc"] == scores["more"] == Score(0.5, 1, 2 / 3)

"""Means: the CoNLL score of three metrics, and that of four."""

from __future__ import annotations

import pytest

import scoref

# Events with types: a mention is its place and its type. EvmEval 1.8 prints 50 for MUC,
# B³ and CEAFe, 37.5 for BLANC, and their mean as "CoNLL".
KEY = [["1 attack", "2 attack"], ["3 die", "4 die"], ["5 move"]]
RESPONSE = [["1 attack", "2 attack"], ["3 injure", "4 die"], ["6 meet"]]


def test_the_mean_of_four_is_not_the_conll_score() -> None:
    scores = scoref.score(KEY, RESPONSE, metrics="all").scores
    parts = [scores[name].f1 for name in ("muc", "bcub", "ceafe", "blanc")]
    assert parts == pytest.approx([0.5, 0.5, 0.5, 0.375])
    assert isinstance(scores["conll-blanc"], scoref.Value)
    assert scores["conll-blanc"].f1 == pytest.approx(0.46875)
    assert scores["conll"].f1 == pytest.approx(0.5)


def test_it_is_given_if_it_is_asked_for() -> None:
    assert "conll-blanc" not in scoref.score(KEY, RESPONSE).scores
    assert [*scoref.score(KEY, RESPONSE, metrics="conll-blanc").scores] == [
        "conll-blanc"
    ]


def test_it_has_intervals() -> None:
    key = {f"d{n}": [["a", "b", "c"], ["d"]] for n in range(6)}
    response = {**key, "d1": [["a", "b"], ["c", "d"]], "d4": [["a"], ["b", "c", "d"]]}
    result = scoref.score(key, response, metrics="conll-blanc")
    interval = scoref.confidence(result).intervals["conll-blanc"]["f1"]
    assert interval.low < result.scores["conll-blanc"].f1 < interval.high

"""Repairs lead from the score of a response to that of the key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from scoref.metrics import conll
from support.error_analyses import analysis_of, counts, example, spans
from support.strategies import corpora, repeating_entities

if TYPE_CHECKING:
    from scoref.tools.errors.findings import Analysis
    from support.strategies import Documents, Entities


def ceiling(analysis: Analysis) -> float:
    """Return the highest score: 1, unless there is no link, or nothing at all."""
    sizes = [
        analysis.key.entity.tolist().count(entity)
        for entity in set(analysis.key.entity)
    ]
    return 0.0 if not sizes else 1.0 if max(sizes) > 1 else 2 / 3


@given(key=repeating_entities(), response=repeating_entities())
def test_repeated_mentions_are_counted_once(key: Entities, response: Entities) -> None:
    sides = [
        [[(token, token + 1) for token in entity] for entity in side]
        for side in (key, response)
    ]
    analysis = spans(sides[0], sides[1])
    for side in (analysis.key, analysis.response):
        assert len(set(side.row.tolist())) == len(side.row)
    assert analysis.gains.cumulative[-1] == pytest.approx(ceiling(analysis))


@given(pair=corpora())
def test_steps_lead_from_the_score_to_the_key(
    pair: tuple[Documents, Documents],
) -> None:
    analysis = analysis_of(*pair)
    gains = analysis.gains
    assert gains.before == pytest.approx(analysis.result.conll)
    assert gains.before + gains.step.sum() == pytest.approx(ceiling(analysis))
    for kind, count in enumerate(gains.count.tolist()):
        if not count:
            assert gains.gain[kind] == 0
            assert gains.step[kind] == 0


@pytest.mark.parametrize("name", ["", "corefud-", "ua-"])
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_repairs_of_the_examples_make_the_key(name: str, average: str) -> None:
    analysis = example(name, average=average)
    assert analysis.gains.cumulative[-1] == pytest.approx(1)
    assert analysis.gains.count.sum() == len(analysis.errors.kind) > 0


def test_gains_are_differences_of_real_scores() -> None:
    analysis = example("")
    assert analysis.gains.before == analysis.result.scores[conll.NAME].f1
    assert counts(analysis) == {
        "span": 1,
        "conflated-entity": 1,
        "missing-mention": 1,
        "missing-entity": 1,
    }

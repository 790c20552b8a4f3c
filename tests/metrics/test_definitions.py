"""The fast counts equal those that the definitions give, mention by mention."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given

import scoref
from scoref.metrics import needed_metrics, usual
from support.oracle_metrics import ORACLES, lea_no_singletons, sets_of
from support.strategies import Entities, entities

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction


def _floats(counts: Sequence[Fraction]) -> list[float]:
    return [float(count) for count in counts]


@given(key=entities(), response=entities())
def test_counts_follow_from_the_definition(key: Entities, response: Entities) -> None:
    counts = scoref.score(key, response, metrics=usual("texts")).counts
    for name in ORACLES.keys() & {*needed_metrics(usual("texts"))}:
        expected = _floats(ORACLES[name](sets_of(key), sets_of(response)))
        assert counts[name][0].tolist() == pytest.approx(expected, rel=1e-12), name


@given(key=entities(), response=entities())
def test_lea_without_singletons_follows_from_its_definition(
    key: Entities, response: Entities
) -> None:
    result = scoref.score(key, response, metrics="lea", lea="no-singletons")
    expected = lea_no_singletons(sets_of(key), sets_of(response))
    counts = result.counts["lea"][0].tolist()
    assert counts == pytest.approx(_floats(expected), rel=1e-12)


@given(key=entities(), response=entities())
def test_the_conll_score_is_the_mean_of_three_f1(
    key: Entities, response: Entities
) -> None:
    result = scoref.score(key, response)
    parts = [result.scores[name].f1 for name in ("muc", "bcub", "ceafe")]
    assert result.conll == pytest.approx(sum(parts) / 3, rel=1e-12)

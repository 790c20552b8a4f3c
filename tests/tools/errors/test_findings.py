"""The results of an analysis: gains, costs and counts."""

from __future__ import annotations

import numpy as np
import pytest

from scoref.tools.errors.findings import Cost, Gains
from scoref.tools.errors.kinds import KINDS
from support.error_analyses import analysis_of_clusters, single, spans


def gains(official: float | None = None) -> Gains:
    alone, cumulative = np.array([0.6, 0.7]), np.array([0.6, 0.9])
    return Gains(np.array([1, 2]), 0.5, alone, cumulative, official)


def test_gains_are_differences_from_the_score_before() -> None:
    assert gains().gain.tolist() == pytest.approx([0.1, 0.2])
    assert gains().step.tolist() == pytest.approx([0.1, 0.3])


def test_the_score_is_the_official_one_if_there_is_one() -> None:
    assert gains().score == 0.5
    assert gains(0.45).score == 0.45


def test_every_kind_has_a_cost() -> None:
    analysis = spans(single("ab", "c"), single("ab"))
    costs = analysis.costs
    assert list(costs) == [kind.name for kind in KINDS]
    assert costs["missing-entity"].errors == 1
    assert costs["missing-entity"].gain > 0
    assert costs["span"] == Cost(0, 0.0)


def test_errors_are_counted_by_document_and_kind() -> None:
    key = {"a": single("ab", "c"), "b": single("ab")}
    analysis = analysis_of_clusters(key, {"a": single("ab"), "b": single("ab")})
    counts = analysis.count_by_document()
    assert counts.shape == (2, len(KINDS))
    assert counts.sum(axis=1).tolist() == [1, 0]


def test_without_other_annotators_there_are_no_supported_errors() -> None:
    analysis = spans(single("ab"), single("a"))
    assert analysis._supporters is None
    assert analysis.supported.tolist() == []

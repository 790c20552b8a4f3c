"""Gains of entities are those of repairing all their errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from scoref.tools.errors import entity_gains as module
from scoref.tools.errors.entity_gains import entity_gains
from support.error_analyses import analysis_of, example, spans

if TYPE_CHECKING:
    from scoref.tools.errors.findings import Analysis


@pytest.mark.parametrize("name", ["", "many-", "corefud-", "ua-"])
def test_a_gain_is_that_of_a_response_with_all_errors_of_the_entity_repaired(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_REPAIRED", 1000)
    analysis = example(name) if name != "many-" else many()
    errors, gains = analysis.errors, entity_gains(analysis)
    assert len(gains) == len(analysis._home)
    for entity, gain in enumerate(gains.tolist()):
        repaired = analysis._repairs.conll(errors.key_entity == entity)
        assert gain == pytest.approx(repaired - analysis.gains.before, abs=1e-12)


def many() -> Analysis:
    """Divide and miss entities of different sizes in two documents."""
    key = {"a": [[0, 1, 2, 3], [4, 5, 6], [7, 8]], "b": [[0, 1, 2], [3, 4], [5, 6, 7]]}
    response = {"a": [[0, 1], [2, 4, 5, 6], [7]], "b": [[0, 3], [5], [6]]}
    return analysis_of(key, response)


def test_only_the_costliest_entities_of_a_document_are_repaired(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    analysis = many()
    every = entity_gains(analysis)
    monkeypatch.setattr(module, "_MOST_REPAIRED", 1)
    some = entity_gains(analysis)
    counts = np.bincount(analysis.errors.key_entity, minlength=len(every))
    assert (counts > 1).sum() > 2
    known = ~np.isnan(some)
    assert known.sum() == 2 + (counts <= 1).sum(), "one of each document"
    assert some[known].tolist() == every[known].tolist()
    for document in ([0, 1, 2], [3, 4, 5]):
        assert np.nanargmax(every[document]) == np.nanargmax(some[document])


def test_entities_without_errors_gain_nothing() -> None:
    clusters = [[(0, 0), (1, 1)], [(2, 2), (3, 3)]]
    assert entity_gains(spans(clusters, clusters)).tolist() == [0, 0]
    one = spans(clusters, [clusters[0]])
    gains = entity_gains(one).tolist()
    assert gains == [0, pytest.approx(1 - one.gains.before)]


def test_without_the_conll_score_gains_are_unknown() -> None:
    analysis = example("", metrics="lea")
    assert np.isnan(entity_gains(analysis)).all()


def test_the_costliest_entities_come_first() -> None:
    analysis = many()
    entities, gains = analysis.entities, entity_gains(analysis)
    assert [entity.gain for entity in entities] == sorted(gains[gains > 0])[::-1]
    counts = np.bincount(analysis.errors.key_entity).tolist()
    assert {(each.document, each.entity, each.errors) for each in entities} == {
        ("ab"[number > 2], label, counts[number])
        for number, label in enumerate(analysis._corpora[0].entity_label)
        if counts[number]
    }

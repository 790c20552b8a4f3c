"""Counts of small documents that are computed when they are read."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.scoring import deferred, pipeline

if TYPE_CHECKING:
    from scoref.metrics.base import Floats

KEY, RESPONSE = [["a", "b", "c"], ["e"]], [["a", "b"], ["c", "d"]]
SINGLETON = [["a"]]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which the name of each metric is added when it is counted."""
    names: list[str] = []
    original = deferred.CountsOnDemand.__getitem__

    def count(counts: deferred.CountsOnDemand, name: str) -> Floats:
        names.append(name)
        return original(counts, name)

    monkeypatch.setattr(deferred.CountsOnDemand, "__getitem__", count)
    return names


def test_nothing_is_counted_before_a_figure_is_read(counted: list[str]) -> None:
    scoref.score(KEY, RESPONSE)
    assert counted == []


def test_the_conll_score_needs_three_metrics(counted: list[str]) -> None:
    assert scoref.score(KEY, RESPONSE).conll > 0
    assert counted == ["muc", "bcub", "ceafe"]


def test_one_figure_is_the_same_as_among_all() -> None:
    first, second = scoref.score(KEY, RESPONSE), scoref.score(KEY, RESPONSE)
    for metric in first.metrics:
        assert second.score_by(metric) == first.scores[metric]


def test_the_evaluator_counts_on_demand(counted: list[str]) -> None:
    evaluator = scoref.Evaluator()
    evaluator.update(key=KEY, response=RESPONSE)
    result = evaluator.compute()
    assert counted == []
    assert result.is_defined("muc")
    assert counted == ["muc"]


def test_a_large_table_is_counted_at_once(
    counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = scoref.score(KEY, RESPONSE)
    monkeypatch.setattr(pipeline, "_SMALL", 0)
    large = scoref.score(KEY, RESPONSE)
    assert not callable(vars(large)["_counts"])
    assert counted == []
    assert large == small


def test_notes_about_counts_keep_their_place() -> None:
    result = scoref.score(SINGLETON, [["b"]], metrics="muc,ari")
    kinds = [note.kind for note in result.notes]
    assert kinds == ["no-common-mentions", "undefined"]
    assert type(result.notes) is tuple


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_a_result_that_nobody_has_read_can_be_copied(duplicate: object) -> None:
    assert callable(duplicate)
    result = scoref.score(KEY, RESPONSE)
    assert duplicate(result) == result == scoref.score(KEY, RESPONSE)


def test_a_result_that_nobody_has_read_can_be_pickled() -> None:
    result = scoref.score(SINGLETON, SINGLETON)
    again = pickle.loads(pickle.dumps(result))  # noqa: S301 - our own
    assert again == result
    assert [note.kind for note in again.notes] == ["undefined"]


def test_counts_are_required() -> None:
    with pytest.raises(TypeError, match="counts"):
        scoref.Result("k", "r", "entities", None, (), ())  # type: ignore[arg-type]


def test_counts_cannot_be_set() -> None:
    result = scoref.score(KEY, RESPONSE)
    with pytest.raises(AttributeError):
        result.notes = ()  # type: ignore[misc]

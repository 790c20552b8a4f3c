"""Metrics of plugins: which records are accepted, and how they are called."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import scoref
from scoref.catalogues import PluginError
from scoref.errors import ScorefError
from scoref.metrics import METRICS
from scoref.metrics._plugins import PUBLIC, adopt
from scoref.metrics.base import Mean, Metric

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats

KEY = {"d": [["a", "b", "c", "d"], ["e", "f"], ["x", "y", "z"]], "e": [["q", "r"]]}
RESPONSE = {"d": [["a", "b"], ["c", "e", "g"], ["f", "d"]], "e": [["q"], ["r"]]}
COPIED = [
    name
    for name, metric in METRICS.items()
    if isinstance(metric, Metric)
    and metric.needs == "mentions"
    and metric.under is None
    and name != "bcub-extended"  # which needs mentions
]


def count(table: Contingency) -> Floats:
    return np.ones((table.document_count, 4))


def plugin(**fields: Any) -> Metric:
    given = {"name": "mine", "label": "Mine", "asks": "what?", "count": count}
    return Metric(**{**given, **fields})


def copy_of(name: str) -> Metric:
    """Return a metric of scoref as a plugin would write it."""
    metric = METRICS[name]
    assert isinstance(metric, Metric)
    own = {
        field.name: getattr(metric, field.name)
        for field in dataclasses.fields(metric)
        if field.name in PUBLIC
    }
    return Metric(**{**own, "name": f"{name}-copy", "aliases": ()})


@pytest.fixture
def copies(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    records = [adopt(copy_of(name), "copies-1.0", METRICS) for name in COPIED]
    monkeypatch.setattr(METRICS, "has_plugins", True)
    for record in records:
        monkeypatch.setitem(METRICS, record.name, record)
    return [record.name for record in records]


def test_copies_of_all_metrics_score_texts_and_tables_alike(copies: list[str]) -> None:
    functions: list[Any] = [scoref.score, scoref.score_table]
    records = {f"r{n}": f"k{n // 3}" for n in range(30)} | {"s1": "s", "s2": "t"}
    predicted = {f"r{n}": f"p{n // 2 if n < 9 else n // 3}" for n in range(30)}
    cases: list[tuple[Any, Any]] = [(KEY, RESPONSE), (records, predicted)]
    for function, (key, response) in zip(functions, cases, strict=True):
        ours = function(key, response, metrics=COPIED).scores
        theirs = function(key, response, metrics=copies).scores
        for name in COPIED:
            assert ours[name].f1 == pytest.approx(theirs[f"{name}-copy"].f1), name


@pytest.mark.usefixtures("copies")
def test_copies_have_the_same_gains_slices_and_blocks() -> None:
    names = ["muc", "muc-copy", "ceafe", "ceafe-copy", "cluster", "cluster-copy"]
    gains = scoref.find_errors(KEY, RESPONSE, metrics=names).error_gains
    for name in ("muc", "ceafe", "cluster"):
        np.testing.assert_allclose(gains[name], gains[f"{name}-copy"])
    slices = scoref.score_slices(
        KEY, RESPONSE, "entity-size", metrics="muc,lea,muc-copy"
    )
    for result in slices.values():
        assert result.scores["muc-copy"] == result.scores["muc"]
    blocks = scoref.score(
        KEY, RESPONSE, metrics="muc,muc-copy", with_blocks=True
    )._blocks
    assert blocks is not None
    np.testing.assert_array_equal(blocks["muc"], blocks["muc-copy"])


def test_a_metric_that_is_not_scored_is_not_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> Any:
        raise AssertionError

    record = adopt(plugin(count=fail, shares=fail), "mine-1.0", METRICS)
    monkeypatch.setitem(METRICS, "mine", record)
    assert scoref.score_slices(KEY, RESPONSE, "entity-size")
    assert "mine" not in scoref.score(KEY, RESPONSE, metrics="all").metrics


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (count, "expected a Metric or a Mean of scoref.plugins, not function"),
        (plugin(name="My metric"), "'My metric' cannot be a name"),
        (plugin(aliases=("a|b",)), "cannot be a name"),
        (plugin(usual="always"), "the field 'usual' is not available to plugins"),
        (plugin(place=1), "the field 'place' is not available"),
        (plugin(needs="words"), "the field 'needs' is not available"),
        (plugin(package="scoref"), "the field 'package' is not available"),
        (plugin(count=None), "'count', 'score' and 'shares' must be functions"),
        (plugin(shares=3), "must be functions"),
        (plugin(scale="points"), "'scale' must be one of percent, number, count"),
        (plugin(is_distance=True), "a distance needs the scale"),
        (plugin(columns=("a",)), "'denominators' must be places in 'columns'"),
        (
            Mean(name="m", label="M", asks="?", of=("nothing",)),
            "'nothing' is not a met",
        ),
        (Mean(name="m", label="M", asks="?", of=("conll",)), "'conll' is not a metric"),
        (Mean(name="m", label="M", asks="?", of=()), "a mean needs"),
    ],
)
def test_a_record_that_cannot_be_used_is_refused(record: object, problem: str) -> None:
    with pytest.raises(ScorefError, match=problem):
        adopt(record, "mine-1.0", METRICS)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"count": lambda _: 1 // 0}, "ZeroDivisionError: integer division"),
        (
            {"count": lambda _: np.zeros(4)},
            r"its counts have the shape \(4,\) instead of \(2, 4\) \(documents, col",
        ),
        (
            {"count": lambda _: np.full((2, 4), np.nan)},
            "some of its counts are not fin",
        ),
        ({"score": lambda counts, _: counts}, r"its scores have the shape"),
        ({"score": lambda counts: counts}, "TypeError"),
    ],
)
def test_a_metric_that_fails_names_its_package(
    fields: dict[str, Any], problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = adopt(plugin(**fields), "mine-1.0", METRICS)
    monkeypatch.setitem(METRICS, "mine", record)
    expected = f"metric 'mine' of plugin mine-1.0 failed: {problem}"
    with pytest.raises(PluginError, match=expected):
        _ = scoref.score(KEY, RESPONSE, metrics="mine").scores


def test_a_mean_of_a_plugin_is_in_the_signature(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mean = Mean(name="links", label="Links", asks="?", of=("muc", "lea"))
    monkeypatch.setitem(METRICS, "links", adopt(mean, "means-1.0", METRICS))
    monkeypatch.setattr(METRICS, "has_plugins", True)
    result = scoref.score(KEY, RESPONSE, metrics="muc,lea,links")
    parts = result.scores["muc"].f1, result.scores["lea"].f1
    assert result.scores["links"].f1 == pytest.approx(sum(parts) / 2)
    assert "|plugins:means-1.0|" in result.signature
    assert "plugins" not in scoref.score(KEY, RESPONSE).signature

"""Aliases of metrics, such as ``b3`` for ``bcub``, work wherever names do."""

from __future__ import annotations

import pickle

import pytest

import scoref
from scoref.metrics import METRICS, ByMetric, metric_name
from support.commands import run
from support.paths import EXAMPLES

KEY, *RESPONSES = (str(EXAMPLES / f"many-{name}.conll") for name in ("key", "a", "b"))


def test_an_alias_is_a_key_of_every_dict_by_metric() -> None:
    one, other = (scoref.score(KEY, path, metrics="b3,muc") for path in RESPONSES)
    document = one.per_document[one.documents[0]]
    both = scoref.compare([one, other], metrics="b3", resamples=20)
    dicts = [
        one.scores,
        one.counts,
        document,
        scoref.confidence(one, resamples=20).intervals,
        both.f1[RESPONSES[0]],
        scoref.agree([KEY, *RESPONSES]).mean,
        scoref.explain(KEY, RESPONSES[0]).reference.scores,
    ]
    for by_metric in dicts:
        for alias in ("b3", "B3", "B³", "BCUB"):
            assert by_metric[alias] is by_metric["bcub"]
            assert alias in by_metric
    assert both.metrics == ("bcub",)
    first, second = RESPONSES
    assert both.between(first, second, "b3") == both.between(first, second, "bcub")
    assert one.score_by("b3") == one.scores["bcub"]
    assert one.of_metrics("b3").metrics == ("bcub",)
    assert one.is_defined("b3")
    with pytest.raises(scoref.OptionError, match="unknown metric 'b33'"):
        one.of_metrics(["b33"])


def test_a_dict_by_metric_is_a_dict() -> None:
    scores = scoref.score(KEY, RESPONSES[0], metrics="b3,muc").scores
    assert isinstance(scores, dict)
    assert scores == dict(scores)
    assert list(scores) == ["muc", "bcub"]
    assert repr(scores) == repr(dict(scores))
    assert pickle.loads(pickle.dumps(scores)) == scores  # noqa: S301
    assert scores.get("b3") == scores["bcub"]
    assert scores.get("lea") is None
    assert scores.get("lea", 0) == 0
    assert "lea" not in scores
    for missing in ("lea", "b33", "bridging"):
        with pytest.raises(KeyError, match=missing):
            scores[missing]


@pytest.mark.parametrize("name", METRICS)
def test_every_alias_of_one_metric_finds_it(name: str) -> None:
    for alias in METRICS[name].aliases:
        owners = [other for other in METRICS if alias in METRICS[other].aliases]
        if len(owners) == 1:
            assert metric_name(alias) == metric_name(alias.upper()) == name
            assert ByMetric({name: 1})[alias] == 1


def test_commands_and_functions_take_aliases() -> None:
    assert run("metrics", "b3").stdout == run("metrics", "bcub").stdout
    shown = [
        run("metrics", name, "--output", "json", code=0).stdout
        for name in ("b3", "bcub")
    ]
    assert shown[0] == shown[1]
    for metrics in ("b3", "B³", ["b3"], ("bcub",)):
        assert scoref.score(KEY, RESPONSES[0], metrics=metrics).metrics == ("bcub",)
    assert scoref.assert_score(KEY, RESPONSES[0], b3=0.5).scores["b3"].f1 > 0.5
    table = scoref.score_table({1: "a", 2: "a"}, {1: "a", 2: "a"}, metrics="b3")
    assert table.scores["b3"].f1 == 1


def test_results_of_a_list_are_called_by_their_responses() -> None:
    results = [scoref.score(KEY, path, metrics="muc") for path in RESPONSES]
    comparison = scoref.compare(results, resamples=20)
    assert list(comparison.results) == RESPONSES
    named = dict(zip(RESPONSES, results, strict=True))
    assert comparison.differences == scoref.compare(named, resamples=20).differences
    key = {"a": [[1, 2]], "b": [[1, 2]]}
    same_name = [scoref.score(key, key), scoref.score(key, {"a": [[1]], "b": []})]
    numbered = scoref.compare(same_name, resamples=20)
    assert list(numbered.results) == ["system 1", "system 2"]

from __future__ import annotations

import pickle
from typing import get_args, get_type_hints

import pytest

import scoref
from scoref import Score, Value
from scoref.metrics import METRICS
from scoref.metrics.base import Metric
from scoref.scoring.scores import ScoreName, ValueName, named_figures

KEY = [["a", "b", "c"], ["d", "e"]]
RESPONSE = [["a", "b"], ["c", "d", "e"]]


def test_recall_is_a_number_and_metrics_without_it_have_another_type() -> None:
    assert get_type_hints(Score)["recall"] is float
    for result in (
        scoref.score(KEY, RESPONSE, metrics="all"),
        scoref.score(KEY, RESPONSE, metrics="all", average="macro"),
        scoref.score_table({1: 1, 2: 1}, {1: 1, 2: 2}, metrics="all"),
    ):
        for scores in (result.scores, *result.per_document.values()):
            for name, score in scores.items():
                if isinstance(score, Score):
                    assert all(isinstance(figure, float) for figure in score[:3]), name
                    assert score.value == score.f1
                else:
                    assert isinstance(score, Value)
                    assert not hasattr(score, "recall")
                    assert isinstance(score.value, float)
                    assert score.f1 == score.value


def test_type_checkers_know_every_metric() -> None:
    with_recall: set[str] = {"links"}
    with_value: set[str] = set()
    for name, metric in METRICS.items():
        aliases = {alias for alias in metric.aliases if alias != "bridging"}
        is_score = isinstance(metric, Metric) and metric.scale == "percent"
        (with_recall if is_score else with_value).update({name, *aliases})
    assert {*get_args(ScoreName)} == with_recall
    assert {*get_args(ValueName)} == with_value


def test_scores_can_be_asked_for_by_an_alias() -> None:
    result = scoref.score(KEY, RESPONSE)
    for scores in (result.scores, result.per_document[result.documents[0]]):
        assert scores["b3"] == scores["B³"] == scores["bcub"]
        assert scores.get("b3") == scores["bcub"]
        assert "b3" in scores
        assert "v" not in scores
        assert scores.get("v") is None
        assert list(scores) == list(result.metrics)
    assert pickle.loads(pickle.dumps(result.scores))["b3"] == result.scores["bcub"]  # noqa: S301
    with pytest.raises(KeyError, match=r"no figure for 'cefe'\. There are: mentions"):
        result.scores["cefe"]
    with pytest.raises(KeyError, match="no figure for 3"):
        result.scores[3]  # type: ignore[call-overload]


def test_an_alias_of_several_metrics_is_refused() -> None:
    scores = scoref.Scores(
        {name: Value(0.0) for name in ("bridging-anaphors", "bridging-entities")}
    )
    assert "bridging" not in scores
    with pytest.raises(KeyError, match="several metrics: bridging-anaphors, bridging"):
        scores["bridging"]


def test_figures_have_names_for_loggers() -> None:
    scores: dict[str, Score | Value]
    scores = {"muc": Score(0.5, 1.0, 0.75), "conll": Value(0.75)}
    assert named_figures(scores, pattern="{}_{}", parts=("r", "p", "f")) == {
        "muc_r": 0.5,
        "muc_p": 1.0,
        "muc_f": 0.75,
        "conll": 0.75,
    }

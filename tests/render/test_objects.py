"""Results and scores as JSON objects."""

from __future__ import annotations

import math

from scoref.metrics.base import FIGURES, Value
from scoref.render.objects import result_object, score_object, scores_object
from support.results_from_counts import counted

ROWS = [[1, 2, 1, 1]]
RESULT = counted(muc=ROWS, bcub=ROWS, ceafe=ROWS)


def test_a_score_has_the_fields_of_its_metric() -> None:
    assert score_object(Value(0.5), None) == {"f1": 0.5}
    scores = scores_object(RESULT)
    assert scores["conll"] == {"f1": RESULT.scores["conll"].f1}
    assert [*scores["muc"]] == [*FIGURES, "defined"]


def test_nothing_over_nothing_is_null_if_asked_for() -> None:
    empty = counted(muc=[[0, 0, 0, 0]])
    scores: dict[str, dict[str, float]] = result_object(empty, with_null=True)["scores"]  # type: ignore[assignment]
    assert math.isnan(scores["muc"]["f1"])
    scores = result_object(empty)["scores"]  # type: ignore[assignment]
    assert scores["muc"]["f1"] == 0

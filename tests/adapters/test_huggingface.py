"""A metric of `evaluate` scores documents as `scoref.score` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.adapters.huggingface import CoreferenceMetric

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip(
    "evaluate", reason="evaluate is not tested: pip install '.[evaluate]'"
)

KEY = [[[(0, 1), (5, 5), (9, 9)], [(3, 3), (7, 8)]], [[(0, 1), (5, 5)]], []]
RESPONSE = [[[(0, 1), (5, 5)], [(9, 9), (3, 3)]], [[(0, 1), (5, 5)]], []]


@pytest.fixture
def metric(tmp_path: Path) -> Any:
    return CoreferenceMetric(cache_dir=str(tmp_path))


def scored(**options: Any) -> scoref.Result:
    return scoref.score(
        {str(row): entities for row, entities in enumerate(KEY)},
        {str(row): entities for row, entities in enumerate(RESPONSE)},
        **options,
    )


def test_scores_are_plain_floats_by_name_beside_the_signature(metric: Any) -> None:
    expected = scored(metrics="muc,conll")
    muc = expected.scores["muc"]
    found = metric.compute(predictions=RESPONSE, references=KEY, metrics="muc,conll")
    assert found == {
        "muc/recall": muc.recall,
        "muc/precision": muc.precision,
        "muc/f1": muc.f1,
        "conll": expected.conll,
        "signature": expected.signature,
        "notes": [],
    }
    assert all(type(found[name]) is float for name in found if "/" in name)


def test_all_metrics_are_computed_if_none_is_named(metric: Any) -> None:
    found = metric.compute(predictions=RESPONSE, references=KEY)
    for name, score in scored().scores.items():
        assert found[name if name == "conll" else f"{name}/f1"] == score.f1


def test_equal_offsets_in_two_documents_are_two_mentions(metric: Any) -> None:
    found = metric.compute(predictions=[[[(0, 0)]], []], references=[[], [[(0, 0)]]])
    assert found["mentions/f1"] == 0


def test_documents_may_be_added_one_by_one_or_in_batches(metric: Any) -> None:
    metric.add(prediction=RESPONSE[0], reference=KEY[0])
    metric.add_batch(predictions=RESPONSE[1:], references=KEY[1:])
    assert metric.compute()["conll"] == scored().conll
    metric.add(prediction=KEY[1], reference=KEY[1])
    assert metric.compute()["conll"] == 1


def test_conventions_are_those_of_score(metric: Any) -> None:
    options = {"scheme": "conll-2012", "singletons": "drop", "average": "macro"}
    found = metric.compute(predictions=RESPONSE, references=KEY, **options)
    expected = scored(**options)
    assert found["signature"] == expected.signature
    assert found["conll"] == expected.conll


def test_notes_say_what_was_decided(metric: Any) -> None:
    found = metric.compute(predictions=[[[(0, 0)], [(0, 0)]]], references=[[[(0, 0)]]])
    (duplicates, *_) = found["notes"]
    assert duplicates.startswith("warning: 1 response mention is listed more than once")


@pytest.mark.parametrize(
    ("predictions", "references", "problem"),
    [
        (RESPONSE[0], KEY[0], "don't match the expected format"),
        (RESPONSE, KEY[:2], "Mismatch in the number"),
        ([None], [[]], "don't match the expected format|expected a list, found None"),
        ([[[None]]], [[]], "don't match the expected format|None is not a mention"),
        ([], [], "nothing to score"),
    ],
)
def test_what_are_no_documents_is_refused(
    metric: Any,
    predictions: object,
    references: object,
    problem: str,
) -> None:
    with pytest.raises((ValueError, scoref.ScorefError), match=problem):
        metric.compute(predictions=predictions, references=references)


def test_a_metric_nobody_knows_is_refused(metric: Any) -> None:
    with pytest.raises(scoref.OptionError, match="Did you mean muc"):
        metric.compute(predictions=RESPONSE, references=KEY, metrics="mucc")


def test_evaluate_combines_it_with_others(metric: Any) -> None:
    evaluate = pytest.importorskip("evaluate")
    both = evaluate.combine([metric])
    assert both.compute(predictions=RESPONSE, references=KEY)["conll"] == scored().conll

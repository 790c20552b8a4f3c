"""A metric of torchmetrics adds up documents, batches and processes."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

import scoref
from scoref.adapters.torchmetrics import CoreferenceMetric
from support.strategies import corpora

if TYPE_CHECKING:
    from pathlib import Path

    from support.strategies import Documents

torchmetrics = pytest.importorskip(
    "torchmetrics",
    reason="torchmetrics is not tested: pip install '.[torchmetrics]'",
)
torch = pytest.importorskip("torch")

KEY = [[[(0, 1), (5, 5), (9, 9)], [(3, 3), (7, 8)]], [[(0, 1), (5, 5)]], []]
RESPONSE = [[[(0, 1), (5, 5)], [(9, 9), (3, 3)]], [[(0, 1), (5, 5)]], []]


def scored(**options: Any) -> scoref.Result:
    return scoref.score(
        {str(row): entities for row, entities in enumerate(KEY)},
        {str(row): entities for row, entities in enumerate(RESPONSE)},
        **options,
    )


def figures(result: scoref.Result) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, score in result.scores.items():
        if isinstance(score, scoref.Value):
            found[name] = score.f1
        else:
            found[f"{name}/recall"] = score.recall
            found[f"{name}/precision"] = score.precision
            found[f"{name}/f1"] = score.f1
    return found


def floats(computed: dict[str, Any]) -> dict[str, float]:
    return {name: float(value) for name, value in computed.items()}


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_batches_are_scored_together_as_if_given_at_once(average: Any) -> None:
    metric = CoreferenceMetric(average=average)
    metric.update(RESPONSE[:1], KEY[:1])
    metric.update(RESPONSE[1:], KEY[1:])
    expected = scored(average=average)
    assert floats(metric.compute()) == pytest.approx(figures(expected))
    assert metric.signature == expected.signature


@given(corpora())
def test_any_documents_one_by_one_give_the_scores_of_all(
    both: tuple[Documents, Documents],
) -> None:
    metric = CoreferenceMetric()
    key, response = both
    for name in key:
        preds, target = (_spans(side[name]) for side in (response, key))
        metric.update([preds], [target])
    assert floats(metric.compute()) == pytest.approx(figures(scoref.score(*both)))


def _spans(entities: list[list[int]]) -> list[list[tuple[int, int]]]:
    return [[(number, number) for number in entity] for entity in entities]


def test_forward_scores_the_batch_and_keeps_the_sum() -> None:
    metric = CoreferenceMetric(metrics="muc")
    assert float(metric(RESPONSE[1:], KEY[1:])["muc/f1"]) == 1
    assert float(metric(RESPONSE[:1], KEY[:1])["muc/recall"]) == 1 / 3
    assert float(metric.compute()["muc/recall"]) == 2 / 4


def test_reset_forgets_everything() -> None:
    metric = CoreferenceMetric()
    metric.update(RESPONSE, KEY)
    metric.reset()
    metric.update(KEY, KEY)
    assert float(metric.compute()["conll"]) == 1


def test_tensors_are_the_numbers_that_they_hold() -> None:
    entities = [[torch.tensor(entity) for entity in document] for document in KEY]
    parts = [
        [[tuple(map(torch.tensor, mention)) for mention in entity] for entity in doc]
        for doc in KEY
    ]
    for preds in (entities, parts):
        metric = CoreferenceMetric()
        metric.update(preds, KEY)
        assert float(metric.compute()["conll"]) == 1


def test_a_metric_survives_pickling_cloning_and_merging() -> None:
    metric = CoreferenceMetric(metrics="muc")
    metric.update(RESPONSE[:1], KEY[:1])
    other = pickle.loads(pickle.dumps(metric.clone()))  # noqa: S301 - our own
    other.reset()
    other.update(RESPONSE[1:], KEY[1:])
    metric.merge_state(other)
    assert floats(metric.compute()) == figures(scored(metrics="muc"))


def test_a_collection_keeps_conventions_apart() -> None:
    # A collection takes metrics with equal states after the first batch for one.
    conventions: dict[str, Any] = {"keep": None, "drop": "drop"}
    collection = torchmetrics.MetricCollection(
        {
            name: CoreferenceMetric(metrics="bcub", singletons=value)
            for name, value in conventions.items()
        }
    )
    collection.update(KEY[1:2], KEY[1:2])
    collection.update([[[(0, 0)]]], [[[(4, 4)]]])
    found = floats(collection.compute())
    assert found["keep_bcub/f1"] == pytest.approx(2 / 3)
    assert found["drop_bcub/f1"] == 1


def test_scores_have_the_precision_of_the_state() -> None:
    metric = CoreferenceMetric(metrics="muc")
    metric.update(RESPONSE, KEY)
    assert metric.compute()["muc/f1"].dtype == torch.float64
    metric.set_dtype(torch.float32)
    metric.update(RESPONSE, KEY)
    assert metric.compute()["muc/f1"].dtype == torch.float32


def test_duplicates_are_told_in_a_warning() -> None:
    metric = CoreferenceMetric()
    with pytest.warns(UserWarning, match="1 response mention is listed more than once"):
        metric.update([[[(0, 0)], [(0, 0)]]], [[[(0, 0)]]])


@pytest.mark.parametrize(
    ("preds", "target", "problem"),
    [
        (RESPONSE[0], KEY[0], "0 is not a mention"),
        (RESPONSE, KEY[:2], "3 documents here, but 2 in the key"),
        (RESPONSE[:1], KEY[:2], "1 document here, but 2 in the key"),
        ([None], [[]], "expected a list, found None"),
        ([["ab"]], [[]], "expected a list, found 'ab'"),
        ([[[{}]]], [[]], "{} is not a mention"),
        ({"d": KEY[0]}, {"d": KEY[0]}, "expected a list, found 'd'"),
    ],
)
def test_what_is_no_batch_is_refused_and_leaves_no_trace(
    preds: object, target: object, problem: str
) -> None:
    metric = CoreferenceMetric()
    with pytest.raises(scoref.ScorefError, match=problem):
        metric.update(preds, target)
    assert int(metric.documents) == 0


def test_an_empty_batch_adds_nothing() -> None:
    metric = CoreferenceMetric()
    metric.update([], [])
    with pytest.raises(scoref.ScorefError, match="nothing to score"):
        metric.compute()


def test_options_nobody_knows_are_refused() -> None:
    with pytest.raises(scoref.OptionError, match="Did you mean muc"):
        CoreferenceMetric(metrics="mucc")
    with pytest.raises(ValueError, match="nonsense"):
        CoreferenceMetric(nonsense=1)  # type: ignore[call-arg]


PROCESS = """
import json, sys
import torch.distributed as distributed
from scoref.adapters.torchmetrics import CoreferenceMetric

rank, meeting, shares = int(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
distributed.init_process_group("gloo", f"file://{meeting}", rank=rank, world_size=2)
metric = CoreferenceMetric()
preds, target = shares[rank]
metric.update(preds, target)
print(json.dumps({name: float(value) for name, value in metric.compute().items()}))
print(int(metric.documents))
distributed.destroy_process_group()
"""


@pytest.mark.skipif(
    not torch.distributed.is_available(), reason="this PyTorch is not distributed"
)
@pytest.mark.parametrize("cut", [1, 3], ids=["shared", "all with the first"])
def test_two_processes_have_the_scores_of_all_documents(
    cut: int, tmp_path: Path
) -> None:
    shares = [[RESPONSE[:cut], KEY[:cut]], [RESPONSE[cut:], KEY[cut:]]]
    sent = str(tmp_path / "meeting"), json.dumps(shares)
    environment = {**os.environ, "GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1"}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, str(rank), *sent],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for rank in range(2)
    ]
    outputs = [process.communicate(timeout=120)[0].splitlines() for process in running]
    assert [json.loads(output[0]) for output in outputs] == [
        pytest.approx(figures(scored()))
    ] * 2
    # The states are each process's own again.
    assert [int(output[1]) for output in outputs] == [cut, 3 - cut]


def test_scopes_go_beyond_batches() -> None:
    with pytest.raises(
        scoref.OptionError,
        match=r"Use scoref\.Evaluator",
    ):
        CoreferenceMetric(scope="corpus")

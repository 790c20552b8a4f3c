"""Tasks of lm-evaluation-harness have the figures of all documents together."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref import OptionError
from scoref.adapters import lm_eval
from support.harness import ANSWERS, KEY, answers, documents, run_harness

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import json, sys
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

answers = [json.loads(line)["output"] for line in open(sys.argv[1], encoding="utf-8")]
prompts = []


class Canned(LM):
    def generate_until(self, requests, disable_tqdm=False):
        prompts.extend(request.args[0] for request in requests)
        return answers[: len(requests)]

    def loglikelihood(self, requests, disable_tqdm=False):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


figures = {}
for name, model in (("canned", Canned()), ("dummy", "dummy")):
    done = simple_evaluate(
        model=model, tasks=["coref"], task_manager=TaskManager(include_path=".")
    )
    figures[name] = done["results"]["coref"]
print(json.dumps({"figures": figures, "prompt": prompts[0]}, default=str))
"""


def test_lm_evaluation_harness_gives_the_figures_of_scoref_llm(tmp_path: Path) -> None:
    if find_spec("lm_eval") is None:
        pytest.skip("lm-eval is not there: pip install '.[lm-eval]'")
    written = run_harness(PROGRAM, tmp_path)
    expected = scoref.score_output(KEY, ANSWERS).result
    found = written["figures"]["canned"]
    assert isinstance(found, dict)
    for name in ("conll", "muc", "bcub", "ceafe", "lea"):
        assert found[f"{name},none"] == expected.scores[name].f1
    assert found["conll_low,none"] <= found["conll,none"] <= found["conll_high,none"]
    dummy = written["figures"]["dummy"]
    assert isinstance(dummy, dict)
    assert dummy["conll,none"] == 0.0
    assert "Ada" in str(written["prompt"])


def test_a_task_has_the_figures_of_all_documents() -> None:
    process_results = lm_eval.coreference()
    kept = [
        process_results(document, [answer])
        for document, answer in zip(documents(), answers(), strict=True)
    ]
    expected = scoref.score_output(KEY, ANSWERS).result
    for name in ("conll", "muc", "bcub", "ceafe", "lea"):
        found = getattr(lm_eval, name)([each[name] for each in kept])
        assert found == expected.scores[name].f1
    interval = scoref.confidence(expected).intervals["conll"]["f1"]
    assert lm_eval.conll_low([each["conll_low"] for each in kept]) == interval.low
    assert lm_eval.conll_high([each["conll_high"] for each in kept]) == interval.high


def test_one_document_has_no_interval() -> None:
    found = lm_eval.coreference()(documents()[0], [answers()[0]])
    assert str(lm_eval.conll_low([found["conll_low"]])) == "nan"


def test_the_key_may_be_a_field_and_names_may_be_missing() -> None:
    process_results = lm_eval.coreference(key="gold", notation="markdown")
    kept = [
        process_results({"gold": json.dumps(document)}, [answer])["conll"]
        for document, answer in zip(documents(), answers(), strict=True)
    ]
    expected = scoref.score_output(KEY, ANSWERS, notation="markdown").result
    assert lm_eval.conll(kept) == expected.conll


def test_wrong_options_are_refused_before_anything_is_scored() -> None:
    with pytest.raises(OptionError, match="unknown scheme 'conll-2013'"):
        lm_eval.coreference(scheme="conll-2013")

"""The tasks of examples/harness, run by their harnesses with mock models."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

import scoref
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = EXAMPLES / "harness"
KEY, ANSWERS = FOLDER / "key.jsonl", EXAMPLES / "llm-answers.jsonl"
OF_LM_EVAL = """
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
OF_INSPECT = """
import json, sys
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
sys.path.insert(0, ".")
from coref_inspect import coref

answers = [json.loads(line)["output"] for line in open(sys.argv[1], encoding="utf-8")]
epochs = int(sys.argv[3])


def output(text):
    found = ModelOutput.from_content("mockllm/model", text)
    found.usage = ModelUsage()  # or tokens are counted by what has to be downloaded
    return found


def answer(messages, tools, tool_choice, config):
    return output(answers[0 if "Ada" in messages[-1].text else 1])


def nothing(messages, tools, tool_choice, config):
    return output("I cannot help with that.")


figures = {}
for name, outputs in (("canned", answer), ("nothing", nothing)):
    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    (log,) = eval(
        coref(), model=model, epochs=epochs, log_dir=sys.argv[2], display="none"
    )
    assert log.status == "success", log.error
    (scores,) = log.results.scores
    figures[name] = {each: value.value for each, value in scores.metrics.items()}
    score = log.samples[0].scores["coreference"]
print(json.dumps({"figures": figures, "explanation": score.explanation}))
"""


def run(program: str, tmp_path: Path, *more: object) -> dict[str, dict[str, object]]:
    quiet = {"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program, str(ANSWERS), str(tmp_path), *map(str, more)],
        capture_output=True,
        check=False,
        encoding="utf-8",
        cwd=FOLDER,
        env={**os.environ, **quiet, "PYTHONIOENCODING": "utf-8"},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, dict[str, object]] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_lm_evaluation_harness_gives_the_figures_of_scoref_llm(tmp_path: Path) -> None:
    if find_spec("lm_eval") is None:
        pytest.skip("lm-eval is not there: pip install 'scoref[lm-eval]'")
    written = run(OF_LM_EVAL, tmp_path)
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


@pytest.mark.parametrize("epochs", [1, 2])
def test_inspect_gives_the_figures_of_scoref_llm(epochs: int, tmp_path: Path) -> None:
    if find_spec("inspect_ai") is None:
        pytest.skip("inspect-ai is not there: pip install 'scoref[inspect]'")
    written = run(OF_INSPECT, tmp_path, epochs)
    expected = scoref.score_output(KEY, ANSWERS).result.flat()
    assert written["figures"]["canned"] == pytest.approx(expected)
    nothing = written["figures"]["nothing"]
    assert isinstance(nothing, dict)
    assert nothing["conll/f1"] == 0.0
    assert "mentions" in str(written["explanation"])

"""The scorer for Inspect has the figures of all samples together."""

from __future__ import annotations

from importlib.util import find_spec
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.adapters._answers import AnswerScorer, corpus_result, document_counts
from scoref.adapters.inspect_ai import corpus_figures
from support.harness import ANSWERS, KEY, counts, documents, run_harness

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
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


@pytest.mark.parametrize("epochs", [1, 2])
def test_inspect_gives_the_figures_of_scoref_llm(epochs: int, tmp_path: Path) -> None:
    if find_spec("inspect_ai") is None:
        pytest.skip("inspect-ai is not there: pip install '.[inspect]'")
    written = run_harness(PROGRAM, tmp_path, epochs)
    expected = scoref.score_output(KEY, ANSWERS).result.flat()
    assert written["figures"]["canned"] == pytest.approx(expected)
    nothing = written["figures"]["nothing"]
    assert isinstance(nothing, dict)
    assert nothing["conll"] == 0.0
    assert "mentions" in str(written["explanation"])


def sample_score(name: str, kept: dict[str, Any]) -> SimpleNamespace:
    score = SimpleNamespace(metadata={"scoref": kept})
    return SimpleNamespace(sample_id=name, score=score)


def test_each_epoch_is_a_corpus() -> None:
    one, two = counts()
    other = document_counts(AnswerScorer.of(None).score(documents()[1], "nothing", "b"))
    scores = [
        sample_score("a", one),
        sample_score("a", one),
        sample_score("b", two),
        sample_score("b", other),
    ]
    found = corpus_figures(scores)
    both = [corpus_result([one, two]).conll, corpus_result([one, other]).conll]
    assert found["conll"] == pytest.approx(sum(both) / 2)
    assert {"muc/recall", "muc/f1", "lea/precision"} <= found.keys()

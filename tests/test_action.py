"""The action for workflows: its steps, run as a runner runs them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

yaml = pytest.importorskip("yaml")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
BIN = Path(sys.executable).parent
KEY, RESPONSE = "examples/key.conll", "examples/response.conll"
EXPRESSION = re.compile(r"\$\{\{ (.+?) \}\}")

pytestmark = pytest.mark.skipif(
    shutil.which("bash") is None or not (BIN / "scoref").exists(),
    reason="the steps are bash, and call an installed scoref",
)


class Ran(NamedTuple):
    """What a run left behind."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str


def run(folder: Path, **inputs: str) -> Ran:
    """Play the runner, on a machine where scoref is installed."""
    known = {name: each.get("default", "") for name, each in ACTION["inputs"].items()}
    known |= {name.replace("_", "-"): text for name, text in inputs.items()}
    context = {f"inputs.{name}": text for name, text in known.items()}
    context["steps.install.outputs.bin"] = str(BIN)
    (folder / "summary").touch()
    code, log = 0, ""
    for step in ACTION["runs"]["steps"][2:]:
        if code == 0:
            done, outputs = _step(step, context, folder)
            code, log = done.returncode, log + done.stdout + done.stderr
            name = step.get("id")
            context |= {f"steps.{name}.outputs.{key}": outputs[key] for key in outputs}
    given = {
        name: EXPRESSION.sub(lambda found: context.get(found[1], ""), each["value"])
        for name, each in ACTION["outputs"].items()
    }
    return Ran(code, log, given, (folder / "summary").read_text(encoding="utf-8"))


def _step(
    step: dict[str, Any], context: Mapping[str, str], folder: Path
) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    """Run one step: its script, its variables, and files for what it says."""
    script, said = folder / "script.sh", folder / "output"
    script.write_text(step["run"], encoding="utf-8")
    said.write_text("", encoding="utf-8")
    given = {
        name: EXPRESSION.sub(lambda found: context[found[1]], value)
        for name, value in step["env"].items()
    }
    of_runner = {
        "GITHUB_OUTPUT": str(said),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        "RUNNER_TEMP": str(folder),
    }
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],  # noqa: S607
        capture_output=True,
        check=False,
        cwd=ROOT,
        encoding="utf-8",
        env=os.environ | given | of_runner,
    )
    lines = said.read_text(encoding="utf-8").splitlines()
    return done, dict(line.split("=", 1) for line in lines)


def test_scores_go_to_outputs_and_to_the_summary(tmp_path: Path) -> None:
    ran = run(tmp_path, key=KEY, response=RESPONSE)
    assert (ran.code, ran.outputs["conll"]) == (0, "0.8170634920634919")
    assert ran.outputs["signature"].startswith("scoref:1.0.0|format:conll-2012|")
    assert '"schema": "scoref/score/' in Path(ran.outputs["result"]).read_text("utf-8")
    assert "| CoNLL |  |  | 81.71 |\n" in ran.summary
    assert "::notice file=examples/response.conll,title=singletons" in ran.log


def test_options_are_passed_on(tmp_path: Path) -> None:
    ran = run(
        tmp_path, key=KEY, response=RESPONSE, args="--singletons drop --metrics muc"
    )
    assert (ran.code, ran.outputs["conll"]) == (0, "")
    assert "|singletons:drop|" in ran.outputs["signature"]


@pytest.mark.parametrize(("threshold", "code"), [("81", 0), ("82", 3)])
def test_a_threshold_is_kept_or_not(tmp_path: Path, threshold: str, code: int) -> None:
    ran = run(tmp_path, key=KEY, response=RESPONSE, fail_under=threshold)
    assert ran.code == code
    assert "81.71" in ran.summary
    assert ("below 82.00" in ran.log) == (code == 3)


@pytest.mark.parametrize(("response", "code"), [("a", 0), ("b", 3)])
def test_a_baseline_is_reached_or_not(tmp_path: Path, response: str, code: int) -> None:
    key, systems = "examples/many-key.conll", "examples/many-{}.conll"
    kept = tmp_path / "baseline.json"
    command = [str(BIN / "scoref"), key, systems.format("a"), "--save", str(kept)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    ran = run(tmp_path, key=key, response=systems.format(response), baseline=str(kept))
    assert ran.code == code
    assert "| Difference | Metric |" in ran.summary


def test_a_file_that_cannot_be_scored_fails_with_an_annotation(tmp_path: Path) -> None:
    broken = tmp_path / "broken file.conll"
    text = (ROOT / RESPONSE).read_text(encoding="utf-8")
    broken.write_text(text.replace("(1", "(1|(7", 1), encoding="utf-8")
    ran = run(tmp_path, key=KEY, response=str(broken))
    assert ran.code == 1
    assert "::error file=" in ran.log
    assert ran.outputs == {"conll": "", "signature": "", "result": ""}


def test_inputs_are_words_and_never_commands(tmp_path: Path) -> None:
    hostile = f"$(touch {tmp_path}/made); touch {tmp_path}/made"
    ran = run(tmp_path, key=KEY, response=hostile, args=f"--lenient ; {hostile}")
    assert ran.code != 0
    assert not (tmp_path / "made").exists()

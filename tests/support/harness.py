"""Documents and answers of examples/harness, and a process that runs a harness."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from scoref.adapters._answers import AnswerScorer, document_counts
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = EXAMPLES / "harness"
KEY, ANSWERS = FOLDER / "key.jsonl", EXAMPLES / "llm-answers.jsonl"


def documents() -> list[dict[str, Any]]:
    return [json.loads(line) for line in KEY.read_text("utf-8").splitlines()]


def answers() -> list[str]:
    text = ANSWERS.read_text("utf-8").splitlines()
    return [json.loads(line)["output"] for line in text]


def counts(**options: str) -> list[dict[str, Any]]:
    """Score all answers, and return what a log keeps of each."""
    scorer = AnswerScorer.of(None, **options)  # type: ignore[arg-type]
    return [
        document_counts(scorer.score(document, answer, document["doc_key"]))
        for document, answer in zip(documents(), answers(), strict=True)
    ]


def run_harness(
    program: str, folder: Path, *more: object
) -> dict[str, dict[str, object]]:
    """Run a program of a harness without a network, and return the JSON it prints."""
    quiet = {"HF_HOME": str(folder), "HF_HUB_OFFLINE": "1", "HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", program, str(ANSWERS), str(folder), *map(str, more)],
        capture_output=True,
        check=False,
        encoding="utf-8",
        cwd=FOLDER,
        env={**os.environ, **quiet, "PYTHONIOENCODING": "utf-8"},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    output: dict[str, dict[str, object]] = json.loads(done.stdout.splitlines()[-1])
    return output

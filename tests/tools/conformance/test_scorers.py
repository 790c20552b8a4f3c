"""Scorers as processes: right, wrong, silent, chatty and slow ones."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scoref.errors import ScorefError
from scoref.tools.conformance.scorers import run_suite
from scoref.tools.conformance.suite import load_questions

if TYPE_CHECKING:
    from scoref.tools.conformance.scorers import Outcome

NAMES = ("vilain-1", "vilain-2")
START = """
import json, sys, time
ONES = {"recall": 1, "precision": 1, "f1": 1}
def say(answer):
    print(json.dumps(answer), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    case = request["case"]
    if case == "vilain-2":
        right = {"recall": 1, "precision": "3/4", "f1": 6 / 7}
        say({"case": case, "scores": {"muc": right}})
        continue
"""


def outcomes(folder: Path, body: str, timeout: float = 20.0) -> list[Outcome]:
    script = folder / "scorer.py"
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    script.write_text(START + lines, encoding="utf-8")
    questions = load_questions(cases=NAMES)
    return run_suite([sys.executable, str(script)], questions, timeout)


@pytest.mark.parametrize(
    ("body", "status", "detail"),
    [
        ("say({'case': case, 'refused': 'too hard'})", "refused", "too hard"),
        ("say({'case': case, 'scores': {}})", "refused", "none of the metrics"),
        ("say({'case': 'x', 'scores': {}})", "crashed", "not an answer to this case"),
        ("say({'case': case})", "crashed", "neither scores nor refused"),
        ("print('hello', flush=True)", "crashed", "'hello', which is not JSON"),
        ("sys.exit(7)", "crashed", "code 7"),
        ("raise OSError('no disk')", "crashed", "no disk"),
        (
            "say({'case': case, 'scores': {'muc': {'recall': 1}}})",
            "crashed",
            "'muc' without recall and precision and f1",
        ),
        (
            "say({'case': case, 'scores': {'muc': {**ONES, 'f1': float('nan')}}})",
            "crashed",
            "nan is not a finite number",
        ),
        (
            "say({'case': case, 'scores': {'muc': {**ONES, 'recall': '1/0'}}})",
            "crashed",
            "divides by zero",
        ),
    ],
)
def test_a_bad_answer_concerns_one_case_only(
    tmp_path: Path, body: str, status: str, detail: str
) -> None:
    first, second = outcomes(tmp_path, body)
    assert (first.status, second.status) == (status, "equal")
    assert detail in first.detail
    assert "bcub" in second.omitted


def test_a_scorer_that_hangs_is_restarted(tmp_path: Path) -> None:
    first, second = outcomes(tmp_path, "time.sleep(600)", timeout=2.0)
    assert (first.status, second.status) == ("timed out", "equal")


def test_what_a_scorer_has_started_ends_with_it(tmp_path: Path) -> None:
    """A command is often a shell that starts the scorer."""
    number = tmp_path / "number"
    child = f"{sys.executable} -c 'import time; time.sleep(600)' & echo $! >{number}"
    questions = load_questions(cases=["vilain-1"])
    run_suite(["sh", "-c", f"{child}; cat"], questions, 5.0)
    status = Path("/proc", number.read_text().strip(), "status")
    for _ in range(100):  # the system needs a moment
        if not status.exists() or "zombie" in status.read_text():
            return
        time.sleep(0.1)
    pytest.fail("it is still running")


def test_a_wrong_figure_is_reported_with_its_size(tmp_path: Path) -> None:
    scores = {"muc": {"recall": 0.75, "precision": 1, "f1": "6/7"}}
    first, _ = outcomes(tmp_path, f"say({{'case': case, 'scores': {scores}}})")
    assert first.status == "equal"
    scores["muc"]["recall"] = 0.5
    first, _ = outcomes(tmp_path, f"say({{'case': case, 'scores': {scores}}})")
    assert first.status == "different"
    assert first.largest == pytest.approx(0.25)
    assert [difference[:2] for difference in first.differences] == [("muc", "recall")]


def test_a_command_that_cannot_be_started_is_an_error() -> None:
    with pytest.raises(ScorefError, match="'no-such-scorer' cannot be started"):
        run_suite(["no-such-scorer"], load_questions(cases=NAMES), 1.0)

"""`scoref conformance`: exit codes, output and badge."""

from __future__ import annotations

import json
import sys

import pytest

from support.commands import run
from support.paths import ROOT

SCOREF = [sys.executable, str(ROOT / "examples" / "conformance" / "scoref_scorer.py")]
REFUSES = [
    *(sys.executable, "-uc"),
    """
import json, sys
for line in sys.stdin:
    print(json.dumps({'case': json.loads(line)['case'], 'refused': 'no'}))
""",
]


def test_scoref_passes_all_cases() -> None:
    result = run("conformance", *SCOREF, "--output", "json", code=0)
    report = json.loads(result.stdout)
    counts = report["counts"]
    assert counts.pop("equal") == len(report["results"]) > 150
    assert not any(counts.values())


@pytest.mark.parametrize(("level", "code"), [("must", 3), ("quirks", 0)])
def test_the_exit_code_depends_on_what_every_scorer_must(level: str, code: int) -> None:
    result = run("conformance", "--level", level, *REFUSES, code=code)
    assert "refused" in result.stdout
    assert ("that every scorer must get right" in result.stderr) == (code == 3)


def test_a_case_is_shown_without_a_scorer() -> None:
    shown = json.loads(run("conformance", "--case", "vilain-1", code=0).stdout)
    assert (shown["case"], shown["level"]) == ("vilain-1", "must")


def test_options_may_follow_the_command() -> None:
    case = ("--case", "vilain-1", "--output", "json")
    before = run("conformance", *case, *SCOREF, code=0).stdout
    assert before == run("conformance", *SCOREF, *case, code=0).stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["no-such-scorer"], 1, "cannot be started"),
        (["--case", "x", *SCOREF], 2, "unknown case 'x'"),
        (["--timeout", "0", *SCOREF], 2, "--timeout"),
        (["--level", "x", *SCOREF], 2, "--level"),
        (["--no-such-option", *SCOREF], 2, "there is no option --no-such-option"),
        ([], 2, "COMMAND"),
        (["--case", "vilain"], 2, "Did you mean vilain-1"),
    ],
)
def test_wrong_calls(arguments: list[str], code: int, message: str) -> None:
    assert message in run("conformance", *arguments, code=code).stderr

"""Natural but wrong ways to call `scoref gap`: each gets an error or a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scoref.tools.bias.command import gap_command

if TYPE_CHECKING:
    from pathlib import Path

ERRORS = {
    "no answers": ("key.tsv", 2, "Missing argument 'SYSTEM'"),
    "the wrong order": ("answers.tsv key.tsv", 1, "there is no column 'ID'"),
    "the key twice": ("key.tsv key.tsv", 1, "there is no example 'ID' in the key"),
    "the answers twice": ("answers.tsv answers.tsv", 1, "there is no column 'ID'"),
    "a header": ("key.tsv header.tsv", 1, "header.tsv:1: there is no example 'ID'"),
    "missing rows": ("key.tsv missing.tsv", 1, "example 'e10' (and 9 more) has no"),
    "an id twice": ("key.tsv twice.tsv", 1, "example 'e0' has a second answer"),
    "yes and no": ("key.tsv yes.tsv", 1, "is neither TRUE nor FALSE"),
    "0 and 1": ("key.tsv digits.tsv", 1, "is neither TRUE nor FALSE"),
    "commas": ("key.tsv answers.csv", 1, "expected 3 columns, found 1"),
    "an empty file": ("key.tsv empty.tsv", 1, "has no answer here"),
    "an empty key": ("empty.tsv answers.tsv", 1, "there is no column 'ID'"),
    "another split": (
        "half.tsv answers.tsv",
        1,
        "there is no example 'e10' in the key",
    ),
    "no such file": ("key.tsv nowhere.tsv", 1, "nowhere.tsv: cannot be read"),
    "an unknown scheme": ("key.tsv answers.tsv --scheme gap", 2, "is not 'gap-2018'"),
    "an interval of nothing": ("key.tsv false.tsv --confidence", 2, "there is no bias"),
    "a level": ("key.tsv answers.tsv --confidence 150", 2, "is not between 0 and 100"),
}
WARNINGS = {
    "officially missing": (
        "key.tsv missing.tsv --scheme gap-2018",
        "examples without an answer: 10. Each counts as two false negatives",
    ),
    "officially odd": (
        "key.tsv yes.tsv --scheme gap-2018",
        "answers that are neither TRUE nor FALSE: 20. They count as false negatives",
    ),
    "officially the key": (
        "key.tsv key.tsv --scheme gap-2018",
        "answers that are neither TRUE nor FALSE: 20.",
    ),
    "officially nothing": (
        "key.tsv empty.tsv --scheme gap-2018",
        "examples without an answer: 20.",
    ),
    "the key's own answers": ("key.tsv right.tsv", "all answers are those of the key"),
    "one gender": ("men.tsv answers.tsv", "the key has no feminine pronoun"),
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    right = [f"e{row}\tTRUE\tFALSE" for row in range(20)]
    key = [
        f"e{row}\tText\t{'she' if row % 2 else 'he'}\tTRUE\tFALSE" for row in range(20)
    ]
    header = "ID\tText\tPronoun\tA-coref\tB-coref"
    answers = ["e0\tFALSE\tTRUE", *right[1:]]
    files = {
        "key.tsv": [header, *key],
        "men.tsv": [header, *(row.replace("\tshe\t", "\the\t") for row in key)],
        "half.tsv": [header, *key[:10]],
        "answers.tsv": answers,
        "right.tsv": right,
        "header.tsv": ["ID\tA-coref\tB-coref", *answers],
        "missing.tsv": answers[:10],
        "twice.tsv": [*answers, answers[0]],
        "yes.tsv": [row.replace("TRUE", "yes").replace("FALSE", "no") for row in right],
        "digits.tsv": [row.replace("TRUE", "1").replace("FALSE", "0") for row in right],
        "false.tsv": [row.replace("TRUE", "FALSE") for row in right],
        "answers.csv": [row.replace("\t", ",") for row in answers],
        "empty.tsv": [],
    }
    for name, rows in files.items():
        (tmp_path / name).write_text("".join(f"{row}\n" for row in rows))
    return tmp_path


@pytest.mark.parametrize("case", ERRORS)
@pytest.mark.usefixtures("place")
def test_a_wrong_call_is_an_error(case: str) -> None:
    call, code, message = ERRORS[case]
    done = CliRunner().invoke(gap_command, call.split())
    assert done.exit_code == code
    assert not done.stdout
    assert message in " ".join(done.stderr.split())


@pytest.mark.parametrize("case", WARNINGS)
@pytest.mark.usefixtures("place")
def test_a_doubtful_call_gets_a_warning(case: str) -> None:
    call, message = WARNINGS[case]
    done = CliRunner().invoke(gap_command, call.split())
    assert done.exit_code == 0, done.output
    assert "warning: " in done.stderr
    assert message in " ".join(done.stderr.split())

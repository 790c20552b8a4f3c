"""Natural but wrong ways to call `scoref data`: each gets an error or a warning."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scoref.tools.data import command
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

ERRORS = {
    "the name of a key": ("litbank", "cannot be read"),
    "no such file": ("nowhere.conll", "cannot be read"),
    "an empty file": ("empty.conll", "there is no document"),
    "an empty folder": ("folder", "there is no file"),
    "a table of records": ("table.tsv", "001"),
    "a response without a key": ("response.jsonl", "has no 'clusters'"),
    "answers of a model": ("answers.jsonl", "has no 'clusters'"),
    "another format": ("key.conll --format corefud", "key.conll:2"),
    "an unknown format": ("key.conll --format conll", "conll"),
    "the same file twice": ("key.conll key.conll", "two files are called"),
    "the same name twice": ("a=key.conll a=many.conll", "two files are called 'a'"),
    "standard input twice": ("- -", "standard input can be read once only"),
    "an option of another command": ("--key key.conll", "--key"),
}
WARNINGS = {
    "a key without mentions": (
        "nothing.conll",
        "has no mention, so it is hardly a key",
    ),
    "a file with a response only": ("empty.jsonl", "has no mention"),
    "a folder with a pipe": ("pipes", "p.conll was skipped"),
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copy(EXAMPLES / "key.conll", tmp_path)
    shutil.copy(EXAMPLES / "many-key.conll", tmp_path / "many.conll")
    shutil.copy(EXAMPLES / "table-key.tsv", tmp_path / "table.tsv")
    shutil.copy(EXAMPLES / "llm-answers.jsonl", tmp_path / "answers.jsonl")
    (tmp_path / "empty.conll").touch()
    (tmp_path / "folder").mkdir()
    record = {"doc_key": "a", "sentences": [["x", "y"]]}
    predicted = record | {"predicted_clusters": [[[0, 0], [1, 1]]]}
    (tmp_path / "response.jsonl").write_text(json.dumps(predicted) + "\n")
    (tmp_path / "empty.jsonl").write_text(json.dumps(predicted | {"clusters": []}))
    rows = "#begin document (a); part 000\na\t0\t0\tx\t-\n\n#end document\n"
    (tmp_path / "nothing.conll").write_text(rows)
    (tmp_path / "pipes").mkdir()
    shutil.copy(EXAMPLES / "key.conll", tmp_path / "pipes")
    os.mkfifo(tmp_path / "pipes" / "p.conll")
    return tmp_path


@pytest.mark.parametrize("case", ERRORS)
@pytest.mark.usefixtures("place")
def test_a_wrong_call_is_an_error(case: str) -> None:
    call, message = ERRORS[case]
    done = CliRunner().invoke(command, call.split())
    assert done.exit_code in {1, 2}
    assert message in " ".join(done.stderr.split())


@pytest.mark.parametrize("case", WARNINGS)
@pytest.mark.usefixtures("place")
def test_a_doubtful_call_gets_a_remark(case: str) -> None:
    call, message = WARNINGS[case]
    done = CliRunner().invoke(command, call.split())
    assert done.exit_code == 0, done.output
    assert message in " ".join(done.stderr.split())

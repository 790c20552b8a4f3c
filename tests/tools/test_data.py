"""`scoref data`: the known keys, and which of them a file is."""

from __future__ import annotations

import json
import os
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from scoref.fingerprint import Recognised, known_key
from scoref.tools import data
from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path


KEY = str(EXAMPLES / "key.conll")


def test_known_keys_are_listed() -> None:
    result = run("data", code=0)
    assert "litbank-fold-0-test" in result.stdout
    assert "3338d1b5b0" in result.stdout
    assert not re.search("[0-9a-f]{11}", result.stdout)


def test_an_unknown_key_has_a_fingerprint() -> None:
    result = run("data", KEY, code=0)
    assert "unknown key: 2 documents, 15 mentions" in result.stdout
    assert "key 8d4bec4b13" in result.stdout


def test_a_key_that_is_nearly_known_is_described(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    litbank = known_key("litbank")
    match = Recognised(litbank, ("a", "b"), ("c",), ("d", "e", "f", "g"))
    monkeypatch.setattr(data, "recognise", lambda _: [match])
    assert (
        "2 documents of 100; same text but other "
        "entities: 'c'; not in this key: 'd', 'e', 'f' and 1 more"
    ) in " ".join(run("data", KEY, code=0).stdout.split())


def test_programs_get_all_digits() -> None:
    (file,) = json.loads(run("data", KEY, "--output", "json").stdout)["results"]
    assert len(file["key"]) == len(file["text"]) == len(file["annotation"]) == 64
    assert file["known"] == []


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.conll"
    path.write_text("nothing of the kind\n")
    result = run("data", path, code=1)
    assert "error:" in result.stderr


def test_the_signature_names_the_key() -> None:
    files = KEY, EXAMPLES / "response.conll"
    assert "key:8d4bec4b13" in run(*files, "--fingerprint").stdout
    assert "key:" not in run(*files).stdout


ERRORS = {
    "the name of a key": ("litbank", "cannot be read"),
    "no such file": ("nowhere.conll", "cannot be read"),
    "an empty file": ("empty.conll", "this file has no document"),
    "an empty folder": ("folder", "there is no file"),
    "a table of records": ("table.tsv", "001"),
    "a response without a key": ("response.jsonl", "has no 'clusters'"),
    "answers of a model": ("answers.jsonl", "answers of a language model"),
    "another format": ("key.conll --format corefud", "key.conll:2"),
    "an unknown format": ("key.conll --format conll", "conll"),
    "the same file twice": ("key.conll key.conll", "two files have the same name"),
    "the same name twice": (
        "a=key.conll a=many.conll",
        "two files have the same name, 'a'",
    ),
    "standard input twice": ("- -", "standard input (-) can be read only once"),
    "an option of another command": ("--key key.conll", "--key"),
}
WARNINGS = {
    "a key without mentions": (
        "nothing.conll",
        "has no mentions, so it is probably not a key",
    ),
    "a file with a response only": ("empty.jsonl", "has no mention"),
    "a folder with a pipe": ("pipes", "p.conll was skipped"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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
@pytest.mark.usefixtures("folder")
def test_a_wrong_call_is_an_error(case: str) -> None:
    call, message = ERRORS[case]
    result = run("data", *call.split())
    assert result.exit_code in {1, 2}
    assert message in " ".join(result.stderr.split())


@pytest.mark.parametrize("case", WARNINGS)
@pytest.mark.usefixtures("folder")
def test_a_doubtful_call_gets_a_remark(case: str) -> None:
    call, message = WARNINGS[case]
    result = run("data", *call.split(), code=0)
    assert message in " ".join(result.stderr.split())

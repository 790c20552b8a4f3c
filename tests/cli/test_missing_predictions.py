"""A document without predictions never has its key scored as its response."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import scoref
from scoref.cli import command

WORDS = ["Ada", "saw", "her", "and", "Bob", "left"]
KEY = [[[0, 0], [2, 2]], [[4, 4], [5, 5]]]


def written(name: str, records: list[dict[str, Any]]) -> str:
    Path(name).write_text("".join(json.dumps(record) + "\n" for record in records))
    return name


def task(number: int, **more: object) -> dict[str, Any]:
    region = {"id": "a", "type": "labels", "value": {"start": 0, "end": 3}}
    data = {"text": "Mia slept", "doc_key": str(number)}
    return {"data": data, "annotations": [{"result": [region]}], **more}


@pytest.fixture(params=["null", "missing", "label-studio"])
def files(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    """Write a key, and a response whose second document has no predictions."""
    monkeypatch.chdir(tmp_path)
    if request.param == "label-studio":
        key = [task(number) for number in range(3)]
        predictions = [{"result": [], "model_version": "m"}]
        rows = [{**each, "predictions": predictions} for each in key]
        rows[1]["predictions"] = []
    else:
        names = [f"d{number}" for number in range(3)]
        key = [{"doc_key": n, "sentences": [WORDS], "clusters": KEY} for n in names]
        rows = [{**each, "predicted_clusters": []} for each in key]
        rows[1]["predicted_clusters"] = None
        if request.param == "missing":
            del rows[1]["predicted_clusters"]
    return written("key.jsonl", key), written("half.jsonl", rows)


CALLS = [
    "half.jsonl",
    "key.jsonl half.jsonl",
    "key.jsonl half.jsonl --output json",
    "compare key.jsonl key.jsonl half.jsonl",
    "convert half.jsonl out.conll --side response",
    "stats --side response half.jsonl",
    "errors half.jsonl",
    "errors key.jsonl half.jsonl",
    "report key.jsonl half.jsonl -o out.html",
    "explain key.jsonl half.jsonl",
    "agree A=key.jsonl B=key.jsonl --response half.jsonl",
    "multiverse key.jsonl key.jsonl half.jsonl",
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.usefixtures("files")
def test_every_command_names_the_line_and_the_field(call: str) -> None:
    result = CliRunner().invoke(command, call.split())
    assert result.exit_code == 1, result.output
    assert "half.jsonl:2: " in result.stderr
    assert "'predict" in result.stderr
    assert not Path("out.conll").exists()
    assert not Path("out.html").exists()


@pytest.mark.parametrize(
    "call", ["check half.jsonl", "check --key key.jsonl half.jsonl"]
)
@pytest.mark.usefixtures("files")
def test_check_reports_it_as_missing_clusters(call: str) -> None:
    result = CliRunner().invoke(command, call.split())
    assert result.exit_code == 1
    assert "half.jsonl:2:" in result.stdout
    assert "error[missing-clusters]" in result.stdout


def test_functions_refuse_it(files: tuple[str, str]) -> None:
    for given in (files, files[1:]):
        with pytest.raises(scoref.FormatError, match=r"half\.jsonl:2: "):
            scoref.score(*given)


@pytest.mark.usefixtures("files")
def test_as_a_key_the_file_is_read() -> None:
    result = CliRunner().invoke(command, ["half.jsonl", "key.jsonl", "--score-only"])
    assert result.exit_code == 0, result.output
    assert 0 <= float(result.stdout) <= 100

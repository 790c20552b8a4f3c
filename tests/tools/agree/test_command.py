"""`scoref agree`: natural but wrong calls, and files that lack a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

FILES = [f"{who}={EXAMPLES}/agree-{who}.conll" for who in ("ada", "ben", "eva")]
TWO = "agree-ada.conll agree-ben.conll"


@pytest.mark.parametrize(
    ("call", "code", "message"),
    [
        ("", 2, "agree needs the files of two or more annotators: scoref agree"),
        (
            f"{TWO} --table table.csv",
            2,
            "agree needs either the files of annotators or --records FILE, not both",
        ),
        ("agree-ada.conll", 1, "at least two annotators"),
        ("agree-ada.conll agree-ada.conll", 2, "two annotators have the same name"),
        ("a=agree-ada.conll b=agree-ada.conll", 0, "warning: 'a' and 'b' are the same"),
        (
            f"{TWO} --response agree-ada.conll",
            0,
            "warning: 'agree-ada.conll' and 'response' are the same file",
        ),
        (f"{TWO} --response key.conll", 1, "no document in"),
        (f"{TWO} --response nowhere.conll", 1, "nowhere.conll"),
        ("key.conll many-a.conll", 1, "no two annotators have a document in common"),
        ("agree-ada.conll corefud-key.conllu", 1, "no two annotators"),
        ("table-key.tsv table-response.tsv", 1, "table-key.tsv:1:"),
        ("agree-ada.conll none=nowhere.conll", 1, "none=nowhere.conll"),
        ("agree-ada.conll {folder}/plain.txt", 1, "plain.txt:1:"),
        ("agree-ada.conll {folder}/empty", 1, "there is no file to score in this"),
        (f"{TWO} --metrics nosuch", 2, "nosuch"),
        (f"{TWO} --distances mazi", 2, "Did you mean masi"),
        (f"{TWO} --missing drop", 2, "singleton"),
        (f"{TWO} --average micro", 2, "within"),
        (f"{TWO} --by size", 2, "unknown class 'size'"),
        ("--table {folder}/table.csv", 1, "table.csv:1: expected at least 3 columns"),
    ],
)
def test_a_wrong_call_is_not_silent(
    call: str, code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain.txt").write_text("just a text\nwithout annotation\n")
    (tmp_path / "table.csv").write_text("record,ada\n1,x\n")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(EXAMPLES)
    result = run("agree", *call.format(folder=tmp_path).split(), code=code)
    assert message in " ".join(result.stderr.split())
    assert bool(result.stdout) == (code == 0)


def test_one_annotator_may_lack_a_document(tmp_path: Path) -> None:
    text = (EXAMPLES / "agree-eva.conll").read_text()
    part = text[text.index("#begin document (story/2)") :]
    (tmp_path / "eva.conll").write_text(part)
    files = [*FILES[:2], f"eva={tmp_path}/eva.conll"]
    result = run("agree", *files, "--per-document", code=0)
    assert "eva          1       4" in result.stdout


def test_an_annotator_without_common_documents_is_named() -> None:
    result = run("agree", *FILES[:2], f"eva={EXAMPLES}/key.conll", code=0)
    assert result.stdout.splitlines()[1].startswith("2 annotators  0.507")
    assert "marked mentions only" not in result.stdout
    notes = " ".join(result.stderr.split())
    assert notes.startswith(
        "warning: No figure includes 'eva', because no other annotator has the same "
        "documents."
    )
    assert "note: eva: 2 of " in notes

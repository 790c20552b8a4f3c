"""Folders of documents are checked file by file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner

from scoref.tools.check.command import command
from support.span_lists import written

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

ANN = "T1\tMention 0 3\tMia\nT2\tMention 10 13\tshe\n*\tCoreference T1 T2\n"
TEXT = "Mia knows she sleeps\n"


def test_every_file_of_a_folder_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # lines are as long as paths
    written(tmp_path, a__ann=ANN, a__txt=TEXT, b__ann=ANN + "T3\tx\n", b__txt=TEXT)
    result = CliRunner().invoke(command, ["."])
    assert result.exit_code == 1
    assert "./b.ann:4:1: error[unreadable-line]" in result.stdout
    assert "this is no text-bound annotation" in result.stdout
    assert "1 error in 2 files" in result.stdout


def test_documents_of_two_folders_are_paired_by_their_names(tmp_path: Path) -> None:
    key = written(tmp_path / "key", a__ann=ANN, a__txt=TEXT, b__ann=ANN, b__txt=TEXT)
    response = written(tmp_path / "response", a__ann=ANN, a__txt="Bea knows she left\n")
    result = CliRunner().invoke(command, ["--key", str(key), str(response)])
    assert result.exit_code == 1
    said = " ".join(result.stderr.split())
    assert f"{key}: document 'b' is not in {response}" in said


def test_a_folder_beside_a_file_is_checked_alone(tmp_path: Path) -> None:
    folder = written(tmp_path / "folder", a__ann=ANN, a__txt=TEXT)
    file = tmp_path / "key.conll"
    file.write_text("#begin document (a);\na 0 0 Mia (0)\n#end document\n")
    result = CliRunner().invoke(command, [str(file), str(folder)])
    assert "in 2 files" in result.stdout

"""Pipes and sockets in folders: every command skips them and names them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

SKIPPED = "was skipped because it is not a regular file"
DATASETS = {
    "score": "keys sub",
    "check": "check sub",
    "check with a key": "check --key keys sub",
    "stats": "stats sub",
    "compare": "compare keys sub other",
    "agree": "agree keys sub",
    "errors": "errors keys sub",
    "explain": "explain keys sub",
    "report": "report keys sub -o page.html",
    "data": "data sub",
}
CORPORA = {
    "score": "brat brat",
    "check": "check brat",
    "stats": "stats brat",
    "errors": "errors brat brat",
    "convert": "convert brat out.conllu",
    "data": "data brat",
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in ("keys", "sub", "other", "brat"):
        (tmp_path / name).mkdir()
    for name, example in (("keys", "many-key"), ("sub", "many-a"), ("other", "many-b")):
        for dataset in ("x", "y"):
            file = tmp_path / name / f"{dataset}.conll"
            shutil.copy(EXAMPLES / f"{example}.conll", file)
    os.mkfifo(tmp_path / "sub" / "z.conll")
    os.mkfifo(tmp_path / "sub" / "z.ann")
    (tmp_path / "brat" / "a.txt").write_text("Ada slept. She dreamt.")
    annotations = "T1\tM 0 3\tAda\nT2\tM 11 14\tShe\nR1\tCoref Arg1:T2 Arg2:T1\n"
    (tmp_path / "brat" / "a.ann").write_text(annotations)
    (tmp_path / "brat" / "deep").mkdir()
    os.mkfifo(tmp_path / "brat" / "deep" / "z.ann")
    return tmp_path


def run(call: str, place: Path) -> subprocess.CompletedProcess[str]:
    """Run a command, which must not wait for a writer of the pipe."""
    return subprocess.run(
        [sys.executable, "-m", "scoref", *call.split()],
        cwd=place,
        env=os.environ | {"COLUMNS": "1000"},
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("case", DATASETS)
def test_pipes_among_datasets_are_skipped_and_named(place: Path, case: str) -> None:
    done = run(DATASETS[case], place)
    assert done.returncode in {0, 1}, done.stderr
    assert "Traceback" not in done.stderr
    assert f"sub/z.conll {SKIPPED}" in done.stderr
    assert f"sub/z.ann {SKIPPED}" in done.stderr


@pytest.mark.parametrize("case", CORPORA)
def test_pipes_among_documents_are_skipped_and_named(place: Path, case: str) -> None:
    done = run(CORPORA[case], place)
    assert done.returncode in {0, 1}, done.stderr
    assert "Traceback" not in done.stderr
    assert f"brat/deep/z.ann {SKIPPED}" in done.stderr


@pytest.mark.parametrize("case", CORPORA)
def test_pipes_among_one_document_files_are_skipped_and_named(
    place: Path, case: str
) -> None:
    (place / "files" / "deep").mkdir(parents=True)
    shutil.copy(EXAMPLES / "key.conll", place / "files" / "a.conll")
    os.mkfifo(place / "files" / "deep" / "z.conll")
    call = f"{CORPORA[case]} --folder documents".replace("brat", "files")
    done = run(call, place)
    assert done.returncode in {0, 1}, done.stderr
    assert "Traceback" not in done.stderr
    assert f"files/deep/z.conll {SKIPPED}" in done.stderr


def test_a_link_to_a_regular_file_is_read(place: Path) -> None:
    (place / "keys" / "z.conll").symlink_to(EXAMPLES / "key.conll")
    (place / "other" / "z.conll").symlink_to(EXAMPLES / "response.conll")
    done = run("keys other", place)
    assert done.returncode == 0, done.stderr
    assert "81.71" in done.stdout

"""Reports on hidden test sets: figures, and nothing of the texts."""

from __future__ import annotations

import json
import re
from itertools import product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import scoref
from scoref.tools.report.command import command

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

NAMES = ("hiddenname-one", "hiddenname-two")


def secret(number: int) -> str:
    """Make a word that stands nowhere else."""
    letters = [*product(ascii_lowercase, repeat=2)][number]
    return f"xq{''.join(letters)}zv"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Two documents of secret words, with errors of several kinds."""
    key, response = [], []
    for number, name in enumerate(NAMES):
        words = [secret(20 * number + place) for place in range(20)]
        ours = [[[0, 1], [4, 4], [8, 9]], [[2, 2], [6, 6]], [[12, 12], [14, 14]]]
        theirs = [[[0, 0], [4, 4], [6, 6]], [[8, 9], [2, 2]], [[17, 17], [18, 18]]]
        document = {"doc_key": name, "sentences": [words[:10], words[10:]]}
        key.append(json.dumps({**document, "clusters": ours}))
        response.append(json.dumps({**document, "clusters": theirs}))
    paths = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    for path, lines in zip(paths, (key, response), strict=True):
        path.write_text("\n".join(lines), encoding="utf-8")
    return paths


def written(files: tuple[Path, Path], *options: str) -> str:
    path = files[0].parent / "page.html"
    words = [*map(str, files), "-o", str(path), "--resamples", "20", *options]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0, done.output
    return path.read_text(encoding="utf-8")


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="report">(.*?)</', page)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_no_word_of_a_text_is_told(files: tuple[Path, Path]) -> None:
    page = written(files, "--no-text")
    assert not re.search(r"xq[a-z]{2}zv", page)
    assert 'id="text-' not in page
    data = data_of(page)
    assert not data["errors"]
    assert data["clusters"] is None
    assert "texts are left out" in str(data["left_out"])


def test_figures_and_counts_are_those_of_the_whole_report(
    files: tuple[Path, Path],
) -> None:
    whole, discreet = data_of(written(files)), data_of(written(files, "--no-text"))
    for field in ("metric", "choices", "sizes", "kinds", "comparison"):
        assert discreet[field] == whole[field]
    (ours,), (theirs,) = discreet["systems"], whole["systems"]
    for field in ("scores", "errors", "signature"):  # counts by kind
        assert ours[field] == theirs[field]


def test_names_of_documents_stay_or_go(files: tuple[Path, Path]) -> None:
    assert all(name in written(files, "--no-text") for name in NAMES)
    page = written(files, "--no-text", "--no-names")
    assert "hiddenname" not in page
    assert "document 2" in page


def test_notes_stay_with_the_organisers(files: tuple[Path, Path]) -> None:
    key, response = files
    lines = [json.loads(line) for line in response.read_text().splitlines()]
    lines[0]["clusters"][0].append([2, 2])  # listed twice, which is noted
    response.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    notes = scoref.score(key, response).notes
    assert notes
    assert not any(note.message in written(files, "--no-text") for note in notes)


def test_python_writes_the_same(files: tuple[Path, Path]) -> None:
    key, response = files
    place = key.parent / "other.html"
    scoref.report(key, response, place, with_text=False, with_names=False)
    assert not re.search(r"xq[a-z]{2}zv|hiddenname", place.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--no-names"], "add --no-text"),
        (["--no-text", "--documents", "*"], "--documents chooses texts"),
    ],
)
def test_what_makes_no_sense_is_refused(
    files: tuple[Path, Path], options: list[str], message: str
) -> None:
    done = CliRunner().invoke(command, [*map(str, files), *options])
    assert done.exit_code == 2
    assert message in done.output


def test_such_a_page_opens(
    files: tuple[Path, Path], opened: Callable[..., Page]
) -> None:
    page = opened(written(files, "--no-text"))
    page.wait_for_selector("table.documents")
    assert page.locator(".opens-document").count() == 0
    assert "exts are left out" in page.locator("#overview").inner_text()

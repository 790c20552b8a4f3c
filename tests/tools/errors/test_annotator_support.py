"""Errors that some other annotator would have made."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from support.commands import run

if TYPE_CHECKING:
    from pathlib import Path


Entities = list[list[int]]

KEY: Entities = [[0, 1, 2], [3, 4], [5, 6]]

FILES = ("key.jsonl", "response.jsonl")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, name: str, entities: Entities, document: str = "d") -> None:
    clusters = [[[place, place] for place in entity] for entity in entities]
    words = [f"{document[0]}{number}" for number in range(9)]
    line = {"doc_key": document, "sentences": [words], "clusters": clusters}
    (folder / f"{name}.jsonl").write_text(json.dumps(line) + "\n")


def agreeing(folder: Path, response: Entities, other: Entities) -> dict[str, list[str]]:
    """Return the kinds of errors, and whether the other annotator agrees."""
    write(folder, "key", KEY)
    write(folder, "response", response)
    write(folder, "other", other)
    result = run("errors", *FILES, "--other-key=ben=other.jsonl", "--output=csv")
    kinds: dict[str, list[str]] = {}
    for row in csv.DictReader(io.StringIO(result.stdout)):
        kinds.setdefault(row["kind"], []).append(row["agreeing"])
    return kinds


@pytest.mark.parametrize(
    ("response", "other", "expected"),
    [
        # The part that is left apart: who keeps it apart, too?
        (
            [[0, 1], [2], [3, 4], [5, 6]],
            [[0, 1], [2, 3, 4]],
            {"divided-entity": ["ben"]},
        ),
        ([[0, 1], [2], [3, 4], [5, 6]], [[0, 2], [3, 4]], {"divided-entity": [""]}),
        # Two entities in one: who puts any of both together?
        ([[0, 1, 2, 3, 4], [5, 6]], [[1, 4]], {"conflated-entity": ["ben"]}),
        ([[0, 1, 2, 3, 4], [5, 6]], KEY, {"conflated-entity": [""]}),
        # Mentions that the key lacks, or has alone.
        ([[0, 1, 2, 8], [3, 4], [5, 6]], [[8, 3]], {"extra-mention": ["ben"]}),
        ([[0, 1, 2, 8], [3, 4], [5, 6]], KEY, {"extra-mention": [""]}),
        ([[0, 1], [3, 4], [5, 6]], [[0, 1]], {"missing-mention": ["ben"]}),
        ([[0, 1], [3, 4], [5, 6]], KEY, {"missing-mention": [""]}),
        ([[0, 1, 2], [3, 4]], [[0, 1], [5]], {"missing-entity": ["ben"]}),
        ([*KEY, [7, 8]], [[7, 0]], {"extra-entity": ["ben"]}),
        ([*KEY, [7, 8]], KEY, {"extra-entity": [""]}),
    ],
)
def test_annotators_agree_with_the_response(
    folder: Path, response: Entities, other: Entities, expected: dict[str, list[str]]
) -> None:
    assert agreeing(folder, response, other) == expected


def test_the_table_counts_them_and_a_note_has_the_share(folder: Path) -> None:
    write(folder, "key", KEY)
    write(folder, "response", [[0, 1], [2], [3, 4]])
    write(folder, "ada", KEY)
    write(folder, "ben", [[0, 1], [2]])
    others = ("--other-key=ada=ada.jsonl", "--other-key=ben=ben.jsonl")
    result = run("errors", *FILES, *others)
    assert "Some agree" in result.stdout
    assert "2 (100 %)" in result.stdout
    assert "In 2 of 2 errors (100.0 %), at least one other annotator" in result.stderr
    lines = run("errors", *FILES, *others, "--list").stdout
    assert "rest of the entity; ben agrees" in lines


def test_an_annotator_without_the_document_never_agrees(folder: Path) -> None:
    write(folder, "key", KEY)
    write(folder, "response", [[0, 1], [3, 4], [5, 6]])
    write(folder, "other", [[0, 1]], document="x")
    options = ("--other-key=ben=other.jsonl", "--output=json")
    result = run("errors", *FILES, *options, code=0)
    (error,) = json.loads(result.stdout)["results"][0]["errors"]
    assert error["agreeing"] == []


def test_the_report_says_who_agrees(folder: Path) -> None:
    write(folder, "key", KEY)
    write(folder, "response", [[0, 1], [2], [3, 4], [5, 6]])
    write(folder, "other", [[0, 1], [2]])
    run("report", *FILES, "--other-key=ben=other.jsonl", "-o", "page.html", code=0)
    page = (folder / "page.html").read_text()
    assert "In 1 of 1 error (100.0 %), at least one other annotator" in page


def test_folders_of_datasets_have_no_other_annotators(folder: Path) -> None:
    for side in ("gold", "system"):
        (folder / side).mkdir()
        write(folder / side, "d", KEY)
    options = ("--folder=datasets", "--other-key=x.jsonl")
    result = run("errors", "gold", "system", *options, code=2)
    assert "cannot be used with folders" in result.output

"""Errors that some other annotator would have made."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scoref.tools.errors.command import command
from scoref.tools.report.command import command as report

if TYPE_CHECKING:
    from pathlib import Path


Entities = list[list[int]]

KEY: Entities = [[0, 1, 2], [3, 4], [5, 6]]

APART: Entities = [[0, 1], [2], [3, 4], [5, 6]]


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, name: str, entities: Entities, document: str = "d") -> None:
    clusters = [[[place, place] for place in entity] for entity in entities]
    words = [f"{document[0]}{number}" for number in range(9)]
    line = {"doc_key": document, "sentences": [words], "clusters": clusters}
    (folder / f"{name}.jsonl").write_text(json.dumps(line) + "\n")


def agreeing(folder: Path, response: Entities, other: Entities) -> dict[str, list[str]]:
    """Give the kinds of errors, and whether the other annotator sides with them."""
    write(folder, "key", KEY)
    write(folder, "response", response)
    write(folder, "other", other)
    given = ["key.jsonl", "response.jsonl", "--other-key", "ben=other.jsonl"]
    done = CliRunner().invoke(command, [*given, "--output", "csv"])
    assert done.exit_code == 0, done.output
    found: dict[str, list[str]] = {}
    for row in csv.DictReader(io.StringIO(done.stdout)):
        found.setdefault(row["kind"], []).append(row["agreeing"])
    return found


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
def test_who_sides_with_the_response(
    asked: Path, response: Entities, other: Entities, expected: dict[str, list[str]]
) -> None:
    assert agreeing(asked, response, other) == expected


def test_the_table_counts_them_and_a_note_has_the_share(asked: Path) -> None:
    write(asked, "key", KEY)
    write(asked, "response", [[0, 1], [2], [3, 4]])
    write(asked, "ada", KEY)
    write(asked, "ben", [[0, 1], [2]])
    given = ["key.jsonl", "response.jsonl", "--other-key", "ada=ada.jsonl"]
    done = CliRunner().invoke(command, [*given, "--other-key", "ben=ben.jsonl"])
    assert "Some agree" in done.stdout
    assert "2 (100 %)" in done.stdout
    assert "of 2 errors, 2 (100.0 %) would have been made" in done.stderr
    listed = CliRunner().invoke(
        command, [*given, "--other-key", "ben=ben.jsonl", "--list"]
    )
    assert "rest of it; ben agrees" in listed.stdout


def test_who_has_not_seen_a_document_has_no_say(asked: Path) -> None:
    write(asked, "key", KEY)
    write(asked, "response", [[0, 1], [3, 4], [5, 6]])
    write(asked, "other", [[0, 1]], document="x")
    given = ["key.jsonl", "response.jsonl", "--other-key", "ben=other.jsonl"]
    done = CliRunner().invoke(command, [*given, "--output", "json"])
    assert done.exit_code == 0, done.output
    (error,) = json.loads(done.stdout)["results"][0]["errors"]
    assert error["agreeing"] == []


def test_the_report_says_who_agrees(asked: Path) -> None:
    write(asked, "key", KEY)
    write(asked, "response", [[0, 1], [2], [3, 4], [5, 6]])
    write(asked, "other", [[0, 1], [2]])
    given = ["key.jsonl", "response.jsonl", "--other-key", "ben=other.jsonl"]
    done = CliRunner().invoke(report, [*given, "-o", "page.html"])
    assert done.exit_code == 0, done.output
    page = (asked / "page.html").read_text()
    assert "of 1 errors, 1 (100.0 %) would have been made by some other" in page


def test_folders_of_datasets_have_no_other_annotators(asked: Path) -> None:
    for side in ("gold", "system"):
        (asked / side).mkdir()
        write(asked / side, "d", KEY)
    done = CliRunner().invoke(
        command, ["gold", "system", "--folder=datasets", "--other-key", "x.jsonl"]
    )
    assert (done.exit_code, "not for folders" in done.output) == (2, True)

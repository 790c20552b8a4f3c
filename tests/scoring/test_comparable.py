"""Systems and datasets that were not scored alike: every table warns, once."""

from __future__ import annotations

import dataclasses
import shutil
from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.scoring.comparable import unlike
from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

KEY, RESPONSE = EXAMPLES / "corefud-key.conllu", EXAMPLES / "corefud-response.conllu"
SPANS = EXAMPLES / "key.conll", EXAMPLES / "response.conll"
WARNING = "was not scored like a: match is exact, not head. Their figures cannot be"


@pytest.fixture
def spans(tmp_path: Path) -> Path:
    """Write a response in a format that has no heads."""
    path = tmp_path / "response.conll"
    run("convert", RESPONSE, path, "--lossy", "-q", code=0)
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--per-entity",),
        ("--by", "entity-size"),
        ("--by", "genre"),
        ("--by", "document"),
        ("--window", "10"),
        ("errors",),
        ("errors", "--list"),
    ],
)
def test_tables_of_systems_that_were_not_scored_alike_warn(
    arguments: tuple[str, ...], spans: Path
) -> None:
    done = run(*arguments, KEY, f"a={RESPONSE}", f"b={spans}", code=0)
    text = " ".join(done.output.split())
    assert text.count(f"warning: b {WARNING}") == 1
    assert "|format:corefud+conll-2012|" in text


@pytest.mark.parametrize(
    ("one", "other", "form", "differing"),
    [
        ({"folder": "documents"}, {"folder": None}, "conll-2012", []),
        ({"folder": "datasets"}, {"folder": None}, "conll-2012", ["folder"]),
        ({"words": "characters"}, {"words": None}, "conll-2012", []),
        ({"borders": "strict"}, {"borders": "expand"}, "json-lines", ["borders"]),
        ({"reading": "strict"}, {"reading": "reference"}, "json-lines", []),
        ({"reading": "strict"}, {"reading": "reference"}, "conll-2012", ["reading"]),
        ({"reading": "strict"}, {"reading": "lenient"}, "json-lines", ["reading"]),
        ({"blanc": "reference"}, {"blanc": "corefud"}, "json-lines", ["blanc"]),
        ({"match": "exact"}, {"match": None}, "conll-2012", ["match"]),
    ],
)
def test_conventions_differ_if_they_can_change_figures(
    one: dict[str, Any], other: dict[str, Any], form: str, differing: list[str]
) -> None:
    result = scoref.score(*SPANS)
    changed = [
        dataclasses.replace(
            result, format=form, scheme=dataclasses.replace(result.scheme, **values)
        )
        for values in (one, other)
    ]
    for sides in (changed, changed[::-1]):
        assert [what for what, _, _ in unlike(*sides)] == differing


@pytest.mark.parametrize("what", ["window", "slice"])
def test_results_on_parts_of_the_text_differ_from_those_on_all(what: str) -> None:
    result = scoref.score(*SPANS)
    part = dataclasses.replace(result, **{what: "5"})  # type: ignore[arg-type]
    assert [name for name, _, _ in unlike(part, result)] == [what]
    assert [*unlike(part, part)] == []


def test_a_folder_of_datasets_with_different_conventions_warns(tmp_path: Path) -> None:
    for folder, files in (("gold", (KEY, SPANS[0])), ("a", (RESPONSE, SPANS[1]))):
        (tmp_path / folder).mkdir()
        for file in files:
            copy = tmp_path / folder / f"{file.suffix.removeprefix('.')}{file.suffix}"
            shutil.copy(file, copy)
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    gold, a, b = (str(tmp_path / name) for name in ("gold", "a", "b"))
    results = scoref.score_folders(gold, {"a": a, "b": b})
    warning = (
        "warning: conllu (a) was not scored like conll (a): match is head, not "
        "exact. Their figures cannot be compared, and the signature is that of conll "
        "(a)."
    )
    assert [note for note in results.notes if "scored like" in note] == [warning]
    assert "|format:conll-2012+corefud|" in results.signature("default")
    alone = scoref.score_folders(gold, {"a": a}, format="conll-2012")
    assert not any("scored like" in note for note in alone.notes)
    done = run("compare", gold, a, b, "--resamples", "99", code=0)
    text = " ".join(done.output.split())
    assert "warning: conllu was not scored like conll: match is head, not" in text


def test_the_formats_of_all_systems_are_in_the_signature(tmp_path: Path) -> None:
    lines = tmp_path / "response.jsonl"
    run("convert", SPANS[1], lines, "-q", code=0)
    for arguments in ((), ("--by", "entity-size"), ("--window", "5"), ("errors",)):
        done = run(*arguments, SPANS[0], f"a={SPANS[1]}", f"b={lines}", code=0)
        assert "|format:conll-2012+json-lines|" in "".join(done.output.split())
        assert "was not scored like" not in done.output


def test_entities_are_shown_with_the_notes_on_their_files(tmp_path: Path) -> None:
    moved = tmp_path / "moved.jsonl"
    moved.write_text(
        '{"doc_key": "d", "sentences": [["a","b","c","d","e","f","g","h"]], '
        '"clusters": [[[1,1],[3,4]], [[5,5],[6,7]]]}\n'
    )
    key = tmp_path / "gold.jsonl"
    key.write_text(
        '{"doc_key": "d", "sentences": [["a","b","c","d","e","f","g","h"]], '
        '"clusters": [[[0,0],[2,3]], [[4,4],[5,6]]]}\n'
    )
    done = run(key, moved, "--per-entity", code=0)
    assert "warning: None of the 4 response mentions match the key" in done.output
    done = run(*SPANS, "--per-entity", code=0)
    assert "warning" not in done.output

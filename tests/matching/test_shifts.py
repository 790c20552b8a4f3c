"""Offsets that are counted in two ways, and mentions that have nothing in common."""

import json
from pathlib import Path

import pytest

import scoref

SPANS = [[[0, 1], [3, 3]], [[5, 5], [7, 9], [12, 12]], [[14, 14], [20, 22], [30, 30]]]


def moved(start: int, end: int) -> list[list[list[int]]]:
    return [[[a + start, b + end] for a, b in entity] for entity in SPANS]


def notes(folder: Path, key: object, response: object) -> dict[str, str]:
    paths = folder / "key.jsonl", folder / "response.jsonl"
    for path, clusters in zip(paths, (key, response), strict=True):
        path.write_text(json.dumps({"doc_key": "d", "clusters": clusters}))
    return {note.kind: note.message for note in scoref.score(*paths).notes}


@pytest.mark.parametrize(
    ("key", "response", "question"),
    [
        (moved(0, 0), moved(0, 1), "are ends exclusive in the response?"),
        (moved(0, 1), moved(0, 0), "are ends exclusive in the key?"),
        (moved(0, 0), moved(1, 1), "are tokens counted from 1 in the response?"),
        (moved(1, 1), moved(0, 0), "are tokens counted from 1 in the key?"),
    ],
)
def test_scoring_asks_how_offsets_are_counted(
    key: object, response: object, question: str, tmp_path: Path
) -> None:
    assert notes(tmp_path, key, response)["shifted-offsets"].endswith(question)


def test_some_mentions_may_match_all_the_same(tmp_path: Path) -> None:
    # [3, 3] is [3, 4] in the response, which the key has, too.
    key = [*SPANS, [[3, 4], [40, 41]]]
    response = [[[a, b + 1] for a, b in entity] for entity in key]
    assert notes(tmp_path, key, response)["shifted-offsets"] == (
        "1 of 10 mentions of the response are the key's; with 1 less at the end 10 of "
        "them would be: are ends exclusive in the response?"
    )


@pytest.mark.parametrize("response", [SPANS, SPANS[:1], moved(100, 103)])
def test_nothing_is_asked_where_no_shift_helps(
    response: object, tmp_path: Path
) -> None:
    assert "shifted-offsets" not in notes(tmp_path, SPANS, response)


def test_numbers_that_are_no_offsets_are_not_moved() -> None:
    result = scoref.score([["a", "c", "e"]], [["b", "d", "f"]])
    assert [note.kind for note in result.notes] == ["no-common-mentions"]


def test_no_mention_in_common_is_noted(tmp_path: Path) -> None:
    found = notes(tmp_path, SPANS, moved(100, 103))
    assert found["no-common-mentions"] == (
        "none of 8 mentions of the response is one of the key's 8: is it the response "
        "to this key?"
    )
    assert "no-common-mentions" not in notes(tmp_path, SPANS, SPANS[:1])
    assert "no-common-mentions" not in notes(tmp_path, SPANS, [])

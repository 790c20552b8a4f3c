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
        (
            *(moved(0, 0), moved(1, 2)),
            "are tokens counted from 1, and ends exclusive, in the response?",
        ),
        (
            *(moved(1, 2), moved(0, 0)),
            "are tokens counted from 1, and ends exclusive, in the key?",
        ),
        (
            *(moved(0, 1), moved(1, 1)),
            "are tokens counted from 1 in the response, and ends exclusive in the key?",
        ),
        (
            *(moved(1, 1), moved(0, 1)),
            "are tokens counted from 1 in the key, and ends exclusive in the response?",
        ),
    ],
)
def test_scoring_asks_how_offsets_are_counted(
    key: object, response: object, question: str, tmp_path: Path
) -> None:
    found = notes(tmp_path, key, response)
    assert found["shifted-offsets"].endswith(question)
    assert [kind for kind in found if found[kind].startswith("warning")] == [
        "shifted-offsets"
    ]


def test_some_mentions_may_match_all_the_same(tmp_path: Path) -> None:
    # [3, 3] is [3, 4] in the response, which the key has, too.
    key = [*SPANS, [[3, 4], [40, 41]]]
    response = [[[a, b + 1] for a, b in entity] for entity in key]
    assert notes(tmp_path, key, response)["shifted-offsets"] == (
        "warning: 1 of 10 mentions of the response are the key's, so the figures are "
        "too low; with 1 less at the end 10 of them would be: are ends exclusive in "
        "the response?"
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
        "warning: none of 8 mentions of the response is one of the key's 8, so every "
        "figure is 0: is it the response to this key?"
    )
    assert "no-common-mentions" not in notes(tmp_path, SPANS, SPANS[:1])
    assert "no-common-mentions" not in notes(tmp_path, SPANS, [])


def of_documents(folder: Path, *responses: object) -> dict[str, str]:
    """Give the notes on as many documents, all of which have the same key."""
    paths = folder / "key.jsonl", folder / "response.jsonl"
    sides: tuple[list[object], ...] = ([SPANS] * len(responses), list(responses))
    for path, documents in zip(paths, sides, strict=True):
        lines = [
            json.dumps({"doc_key": f"d{number}", "clusters": clusters})
            for number, clusters in enumerate(documents)
        ]
        path.write_text("\n".join(lines))
    return {note.kind: note.message for note in scoref.score(*paths).notes}


def test_some_documents_may_be_shifted(tmp_path: Path) -> None:
    found = of_documents(tmp_path, SPANS, moved(1, 1), SPANS, moved(1, 1), SPANS)
    assert found["shifted-offsets"] == (
        "warning: in 2 of 5 documents (first: 'd1'), 0 of 16 mentions of the response "
        "are the key's, so the figures are too low; with 1 less 16 of them would be: "
        "are tokens counted from 1 in the response?"
    )
    found = of_documents(tmp_path, SPANS, SPANS, moved(1, 2))
    assert found["shifted-offsets"].startswith("warning: in 1 of 3 documents")
    assert "ends exclusive, in the response?" in found["shifted-offsets"]


def test_documents_of_few_mentions_may_be_shifted_by_chance(tmp_path: Path) -> None:
    wrong = [[[0, 2], [3, 4]]]
    assert "shifted-offsets" not in of_documents(tmp_path, SPANS, wrong, SPANS)

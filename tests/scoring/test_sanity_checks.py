"""What figures look like if files are not what was meant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.scoring.sanity_checks import look_swapped

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


WORDS = [f"w{row}" for row in range(60)]

CLUSTERS = [[[3 * row, 3 * row], [3 * row + 1, 3 * row + 2]] for row in range(15)]


def lines(path: Path, clusters: list[list[list[int]]], **fields: object) -> Path:
    record = {"doc_key": "d", "sentences": [WORDS], "clusters": clusters} | fields
    path.write_text(json.dumps(record))
    return path


def kinds(key: Path, response: Path) -> dict[str, str]:
    return {note.kind: note.message for note in scoref.score(key, response).notes}


def test_a_response_that_is_the_key(tmp_path: Path) -> None:
    key = lines(tmp_path / "a.jsonl", CLUSTERS)
    found = kinds(key, lines(tmp_path / "b.jsonl", CLUSTERS[::-1]))
    assert "has the same mentions and entities as the key" in found["same-as-key"]
    assert "same-as-key" not in kinds(key, lines(tmp_path / "b.jsonl", CLUSTERS[:-1]))
    assert "same-file" in kinds(key, key)


def test_the_same_file_twice(tmp_path: Path) -> None:
    file = tmp_path / "a.conll"
    file.write_text("#begin document (a); part 000\na\t0\t0\tx\t(1)\n#end document\n")
    message = kinds(file, file)["same-file"]
    assert message.startswith("warning: ")
    assert "was given as the key and as the response" in message


def test_few_mentions_may_be_right_by_chance(tmp_path: Path) -> None:
    key, response = (lines(tmp_path / name, CLUSTERS[:3]) for name in ("a", "b"))
    assert "same-as-key" not in kinds(key, response)


@pytest.mark.parametrize(
    ("key", "response", "is_swapped"),
    [
        ("response.conll", "key.conll", True),
        ("sys/x.conll", "gold/x.conll", True),
        ("key.conll", "response.conll", False),
        ("a.conll", "b.conll", False),
        ("pred_vs_gold.jsonl", "gold.jsonl", False),
        ("monkey.conll", "golden.conll", False),
    ],
)
def test_files_in_the_wrong_order(key: str, response: str, is_swapped: bool) -> None:
    assert look_swapped(key, response) == is_swapped


def test_swapped_files_are_told(tmp_path: Path) -> None:
    key = lines(tmp_path / "response.jsonl", CLUSTERS[:3])
    found = kinds(key, lines(tmp_path / "key.jsonl", CLUSTERS[:2]))
    assert found["swapped-files"].endswith("as the response. Are they swapped?")


@pytest.mark.parametrize(
    ("change", "question"),
    [
        (
            lambda a, b: (a, b - 1),
            "Do mentions of the response include their end offsets?",
        ),
        (lambda a, b: (a + 1, b + 1), "Are characters of the response counted from 1?"),
        (
            lambda a, b: (a + 2, b + 2),
            "Are offsets UTF-16 units, as in Java and JavaScript?",
        ),
    ],
)
def test_characters_that_are_counted_otherwise(
    tmp_path: Path, change: Callable[[int, int], tuple[int, int]], question: str
) -> None:
    words = ["😀😀", *(f"word{row:02}" for row in range(40))]
    key = lines(
        tmp_path / "a.jsonl", [[[row, row] for row in range(1, 40)]], sentences=[words]
    )
    text = " ".join(words)
    mentions = [(text.index(word), text.index(word) + 6) for word in words[1:-1]]
    moved = [[change(*mention) for mention in mentions]]
    response = tmp_path / "b.json"
    response.write_text(json.dumps({"entities": moved, "includes": [[]], "text": text}))
    assert question in kinds(key, response)["borders-in-words-of-key"]


@pytest.mark.parametrize(
    ("shift", "question"),
    [
        ((0, 1), "Are ends exclusive in the response?"),
        ((0, -1), "Are ends exclusive in the key?"),
        ((1, 1), "Are tokens counted from 1 in the response?"),
    ],
)
def test_offsets_by_one_in_a_system_s_own_format(
    tmp_path: Path, shift: tuple[int, int], question: str
) -> None:
    long = [[[4 * row, 4 * row + 1], [4 * row + 2, 4 * row + 3]] for row in range(14)]
    key = lines(tmp_path / "a.jsonl", long)
    moved = [[[a + shift[0], b + shift[1]] for a, b in entity] for entity in long]
    response = tmp_path / "b.jsonl"
    response.write_text(json.dumps({"document": WORDS, "clusters": moved}))
    assert question in kinds(key, response)["shifted-offsets"]


def moved_in_documents(count: int, shift: tuple[int, int]) -> list[list[Any]]:
    """Return four documents of ten mentions; those of the first ones are moved."""
    entities = [[(4 * row, 4 * row), (4 * row + 2, 4 * row + 3)] for row in range(5)]
    moved = [
        [(first + shift[0], last + shift[1]) for first, last in mentions]
        for mentions in entities
    ]
    return [moved] * count + [entities] * (4 - count)


@pytest.mark.parametrize(
    ("shift", "question"),
    [
        ((0, 1), "Are ends exclusive in the response?"),
        ((0, -1), "Are ends exclusive in the key?"),
        ((1, 1), "Are tokens counted from 1 in the response?"),
    ],
)
@pytest.mark.parametrize("count", [1, 4])
def test_offsets_by_one_in_python_values(
    shift: tuple[int, int], question: str, count: int
) -> None:
    key, response = moved_in_documents(0, shift), moved_in_documents(count, shift)
    notes = {note.kind: note.message for note in scoref.score(key, response).notes}
    assert question in notes["shifted-offsets"]
    assert (" in 1 of 4 documents" in notes["shifted-offsets"]) == (count == 1)
    evaluator = scoref.Evaluator(missing="empty")
    evaluator.update(key={"only in the key": key[0]}, response={})
    evaluator.update(key=key[1], response=response[1])
    evaluator.update(key=key[:1] * 2, response=response[:1] * 2)
    notes = {note.kind: note.message for note in evaluator.compute().notes}
    assert question in notes["shifted-offsets"]


def test_few_mentions_in_common_are_a_warning() -> None:
    key = [[(row, row) for row in range(40)]]
    response = [[(row, row) for row in range(37, 77)]]
    (note,) = scoref.score(key, response).notes
    assert note.kind == "few-common-mentions"
    assert note.message.startswith("warning: Only 3 of the 40 response mentions are")
    enough = [[(row, row) for row in range(36, 76)]]
    assert not scoref.score(key, enough).notes
    few_but_right = [[(row, row) for row in range(2)]]
    assert not scoref.score(key, few_but_right).notes


def test_numbers_that_are_far_apart_are_not_shifted() -> None:
    key = [[(row, 1 << 40) for row in range(9)]]
    response = [[(row, (1 << 40) + 1) for row in range(9)]]
    notes = scoref.score(key, response).notes
    assert {note.kind for note in notes} == {"no-common-mentions"}


PAIRS = [[[2 * row, 2 * row], [2 * row + 1, 2 * row + 1]] for row in range(20)]

SINGLETONS = [[[row, row]] for row in range(40, 50)]


def test_singletons_on_one_side_only_are_a_warning(tmp_path: Path) -> None:
    without = lines(tmp_path / "a.jsonl", PAIRS)
    within = lines(tmp_path / "b.jsonl", [*PAIRS[1:], *SINGLETONS])
    assert kinds(without, within)["no-singletons-in-key"] == (
        "warning: the key has no singletons, but the response has 10 (21% of its "
        "mentions). This lowers precision. Use --singletons drop (singletons=drop) to "
        "leave them out."
    )
    assert kinds(lines(tmp_path / "c.jsonl", [*PAIRS, *SINGLETONS]), without)[
        "no-singletons"
    ].startswith("warning: the response has no singletons, but the key has 10")
    dropped = scoref.score(without, within, singletons="drop")
    assert not [note for note in dropped.notes if "singletons" in note.kind]


def test_few_entities_and_few_singletons_are_no_reason(tmp_path: Path) -> None:
    within = lines(tmp_path / "b.jsonl", [*PAIRS[1:], *SINGLETONS])
    few = lines(tmp_path / "a.jsonl", PAIRS[:19])
    assert "no-singletons-in-key" not in kinds(few, within)
    assert "no-singletons" not in kinds(within, within)


def test_nothing_on_the_other_side_is_no_share_of_singletons(tmp_path: Path) -> None:
    key = lines(tmp_path / "a.jsonl", PAIRS)
    empty = lines(tmp_path / "b.jsonl", [])
    assert "no-singletons-in-key" not in kinds(key, empty)

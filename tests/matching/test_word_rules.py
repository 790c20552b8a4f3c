"""Partial match as in the CRAFT shared task: a run inside the key's first run."""

from __future__ import annotations

import numpy as np
import pytest

from scoref.matching.words import match_words
from scoref.schemes import resolve
from support.corefud import percentages
from support.universal_anaphora import (
    Mention,
    documents,
    read,
    scored,
    text_of,
    universal,
)

TEN = "w w w w w w w w w w"

CRAFT = resolve("craft-2019")


def matches(key: str, response: str) -> set[tuple[str, str]]:
    """Match mentions, each an entity of its own, and give them as they were written."""
    texts = key.split(), response.split()
    sides = [documents(TEN, **_entities(names)) for names in texts]
    corpora = [read(text_of(side)) for side in sides]
    matched = match_words(corpora[0], corpora[1], CRAFT).words
    assert matched is not None
    found = []
    for side, rows in (
        (matched.key, matched.pairs.key),
        (matched.response, matched.pairs.response),
    ):
        found.append([_written(side.words.take(np.array([row])).value) for row in rows])
    return set(zip(found[0], found[1], strict=True))


def _entities(mentions: list[str]) -> dict[str, str]:
    return {f"e{row}": mention for row, mention in enumerate(mentions)}


def _written(words: np.ndarray[tuple[int], np.dtype[np.int64]]) -> str:
    """Write words in the compact notation."""
    numbers = [(code >> 12 & 0xFFFFF, code & 0xFFF) for code in words.tolist()]
    runs = Mention(tuple(numbers)).runs
    return ",".join(
        f"{first[0]}-{last[0]}" if first != last else f"{first[0]}"
        for first, last in runs
    )


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        pytest.param("1-3", "1-3", {("1-3", "1-3")}, id="the same words"),
        pytest.param("1-3", "1-2", {("1-3", "1-2")}, id="the first words"),
        pytest.param("1-3", "3", {("1-3", "3")}, id="the last word"),
        pytest.param("1-3", "2-4", set(), id="a word too many behind"),
        pytest.param("2-4", "1-3", set(), id="a word too many before"),
        pytest.param("1", "1-2", set(), id="longer"),
        pytest.param("1-2,5-6", "1", {("1-2,5-6", "1")}, id="in the first run"),
        pytest.param("1-2,5-6", "5", set(), id="in the second run"),
        pytest.param("1-3", "2,9", {("1-3", "2,9")}, id="the first of two runs inside"),
        pytest.param(
            "7-9", "1,8", {("7-9", "1,8")}, id="the second of two runs inside"
        ),
        pytest.param("1-3", "3-4,6", set(), id="neither of two runs inside"),
    ],
)
def test_a_run_of_the_response_lies_inside_the_first_run_of_the_key(
    key: str, response: str, expected: set[tuple[str, str]]
) -> None:
    assert matches(key, response) == expected


def test_equal_mentions_are_matched_before_any_other() -> None:
    # 1 would be the first to choose, but 1-3 has its equal.
    assert matches("1-3", "1 1-3") == {("1-3", "1-3")}


def test_whoever_comes_first_in_the_text_chooses_first() -> None:
    assert matches("1-3", "2 1") == {("1-3", "1")}


def test_a_response_mention_takes_the_first_key_mention_it_matches() -> None:
    # Shorter ones end earlier, and what ends earlier is first.
    assert matches("1-4 1-3", "2") == {("1-3", "2")}


def test_there_is_no_second_choice() -> None:
    # Both choose 1-4; 3 would fit into 2-5 as well.
    assert matches("1-4 2-5", "2 3") == {("1-4", "2")}


def test_what_was_chosen_does_not_depend_on_the_order_of_entities() -> None:
    assert matches("2-5 1-4", "3 2") == matches("1-4 2-5", "2 3")


def test_every_document_is_matched_by_itself() -> None:
    key = universal("@a w w w", "@b w w w", e1="1-2 3 b:1-2 b:3")
    response = universal("@b w w w", "@a w w w", e1="b:2 b:3 a:1 a:3")
    result = scored(key, response, "craft-2019")
    assert percentages(result, "mentions") == {"mentions": (100.0, 100.0, 100.0)}


def test_zeros_match_their_own_place_only() -> None:
    key = universal("w w * w", e1="1-2 2.1")
    same, moved = universal("w w * w", e1="2 2.1"), universal("w * w w", e1="2 1.1")
    figures = {
        name: percentages(scored(key, text, match="craft", zeros="linear"), "mentions")
        for name, text in (("same", same), ("moved", moved))
    }
    assert figures == {
        "same": {"mentions": (100.0, 100.0, 100.0)},
        "moved": {"mentions": (50.0, 50.0, 50.0)},
    }

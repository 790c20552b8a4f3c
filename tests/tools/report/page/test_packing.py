"""Texts are packed as the script expects them (web/tests/text.test.ts)."""

from __future__ import annotations

from typing import Any

import pytest

from scoref.tools.report.page.packing import (
    coded,
    joined,
    mention_steps,
    pack,
    steps,
)

DATA: dict[str, Any] = {
    "words": ["Ada", "saw", "Bob", ".", "She", "waved", "_", "."],
    "sentences": [0, 4],
    "empty": [6],
    "key": {
        "entities": ["a", "b"],
        "mentions": [[0, 0, 0], [0, 4, 4], [0, 6, 6], [1, 2, 2]],
        "classes": ["name", "pronoun", "zero", "name"],
    },
    "systems": [
        {
            "entities": ["x", "y"],
            "mentions": [[0, 4, 4], [0, 0, 0], [1, 6, 6], [1, 1, 2]],
            "classes": ["pronoun", "name", "zero", "verb"],
            "names": [1, 2],
            "partner": [1, 0, 2, -1],
            "why": ["exact", "head", "exact", "exact"],
            "entity_partner": [0, 0],
            "gains": [12, None],
            "errors": [
                {
                    "kind": 1,
                    "key_mentions": [2],
                    "response_mentions": [2],
                    "key_entity": 0,
                    "response_entity": 1,
                },
                {
                    "kind": 0,
                    "key_mentions": [],
                    "response_mentions": [3],
                    "key_entity": -1,
                    "response_entity": 1,
                },
                {
                    "kind": 2,
                    "key_mentions": [3],
                    "response_mentions": [],
                    "key_entity": 1,
                    "response_entity": -1,
                },
            ],
        }
    ],
}
"""The text of web/tests/text.test.ts, which restores what this test expects."""


def test_a_text_is_packed_as_the_script_restores_it() -> None:
    packed: Any = pack(DATA)
    key, (system,) = packed.pop("key"), packed.pop("systems")
    assert packed == {
        "words": "Ada saw Bob . She waved _ .",
        "sentences": [0, 4],
        "empty": [6],
    }
    key.pop("looks")
    system.pop("looks")
    assert key == {
        "entities": ["a", "b"],
        "mentions": [[0, 0, 0], [0, 4, 0], [0, 2, 0], [1, -4, 0]],
        "classes": {"names": ["name", "pronoun", "zero"], "places": "0120"},
        "names": None,
    }
    assert system == {
        "entities": ["x", "y"],
        "mentions": [[0], [0], [1], [1, -5, 1]],
        "classes": {"names": ["pronoun", "name", "zero", "verb"], "places": "0123"},
        "names": [1, 0],
        "partner": [1, -1, 2, -3],
        "why": {"names": ["exact", "head"], "places": "0100"},
        "entity_partner": [0, 0],
        "gains": [12, None],
        "errors": {
            "kind": [1, 0, 2],
            "key_entity": [0, -1, 1],
            "response_entity": [1, 1, -1],
            "key_mentions": {"length": [1, 0, 1], "steps": [2, 1]},
            "response_mentions": {"length": [1, 1, 0], "steps": [2, 1]},
        },
    }


@pytest.mark.parametrize("words", [[], [""], ["New York", "is"], ["a", " "]])
def test_words_that_cannot_be_divided_at_spaces_stay_a_list(words: list[str]) -> None:
    text = joined(words)
    assert text == words or (isinstance(text, str) and text.split(" ") == words)
    assert isinstance(joined(["New York", "is"]), list)


def test_more_names_than_digits_stay_a_list() -> None:
    few = [str(number) for number in range(10)]
    assert coded(few) == {"names": few, "places": "0123456789"}
    assert coded([*few, "x"]) == [*few, "x"]
    assert coded(None) is None


def test_steps_add_up_to_the_numbers() -> None:
    assert steps([3, 5, 4]) == [3, 2, -1]
    assert steps([]) == []


def test_places_of_mentions_are_steps_from_the_mention_before() -> None:
    assert mention_steps([(7, 10, 12), (8, 11, 11, 15, 16)]) == [
        [7, 10, 2],
        [8, 1, 0, 4, 1],
    ]

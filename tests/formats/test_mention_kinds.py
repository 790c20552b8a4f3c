"""A warning if mentions of key and response are of other kinds, such as 1 and "1"."""

from __future__ import annotations

from typing import Any

import pytest

import scoref
from scoref.scoring.evaluator import Evaluator


def warnings_of(key: Any, response: Any) -> list[str]:
    notes = scoref.score(key, response).notes
    return [note.message for note in notes if note.kind != "undefined"]


@pytest.mark.parametrize(
    ("key", "response", "examples"),
    [
        ([[1, 2], [3]], [["1", "2"], ["3"]], "1, and those of the response like '1'"),
        ([["b", "a"]], [[b"b", b"a"]], "'a', and those of the response like b'a'"),
        ([[(3, 4)]], [["3-4"]], "(3, 4), and those of the response like '3-4'"),
        ([[(3, 4)]], [[("3", "4")]], "(3, 4), and those of the response like ('3', '4"),
        (
            [[("d", 3, 4)]],
            [[(3, 4)]],
            "('d', 3, 4), and those of the response like (3, 4)",
        ),
        (
            {"d": [[1]], "e": [[2]]},
            {"d": [["1"]], "e": [["2"]]},
            "1, and those of the response like '1'",
        ),
    ],
)
def test_mentions_that_cannot_be_equal_are_named(
    key: object, response: object, examples: str
) -> None:
    (message,) = warnings_of(key, response)
    assert message.startswith(
        "warning: No mention of the response can be equal to one of the key, so the "
        f"scores of entities are 0. Mentions of the key are like {examples}"
    )


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ([[1, 2]], [[3.0, 4.0]]),
        ([[(0, 1)]], [[(5, 9)]]),
        ([["a"], [1]], [["b"]]),
        ([[frozenset({1})]], [[frozenset({2})]]),
    ],
)
def test_other_mentions_of_the_same_kind_are_not(key: object, response: object) -> None:
    assert "can be equal" not in " ".join(warnings_of(key, response))


def test_one_common_mention_shows_that_kinds_are_meant() -> None:
    key = {"d": [[1]], "e": [["x"]]}
    assert warnings_of(key, {"d": [["1"]], "e": [["x"]]}) == []
    assert warnings_of(dict(reversed(key.items())), {"d": [["1"]], "e": [["x"]]}) == []
    assert warnings_of({"d": [[1]]}, {"d": []}) == [
        "warning: The response has no mentions. Is it the right file?"
    ]


@pytest.mark.parametrize("last", [[["1"]], [[1]]])
def test_an_evaluator_warns_of_all_its_documents(last: list[list[object]]) -> None:
    one, other = Evaluator(), Evaluator()
    one.update(key={"d": [[1]], "e": [[2]]}, response={"d": [["1"]], "e": [["2"]]})
    other.update(key={"f": [[1]]}, response={"f": last})
    one.merge(other)
    kinds = [note.kind for note in one.compute().notes]
    assert ("other-kinds-of-mentions" in kinds) == (last == [["1"]])

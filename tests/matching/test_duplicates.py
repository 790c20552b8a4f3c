"""A mention that is listed twice: who keeps it under each of the four rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref import DuplicateError, Note

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.scheme import Duplicates

Entities = list[list[str]]

AGAIN_IN_KEY: tuple[Entities, Entities] = (
    [["a", "b"], ["a", "c"]],
    [["a", "b"], ["c"]],
)
AGAIN_IN_RESPONSE: tuple[Entities, Entities] = (
    [["a", "b"], ["c", "d"]],
    [["a", "b"], ["a", "c", "d"]],
)
TWINLESS_AGAIN: tuple[Entities, Entities] = ([["a"]], [["a", "x"], ["x", "y"]])


@pytest.mark.parametrize(
    ("sides", "rule", "same_as"),
    [
        (AGAIN_IN_KEY, "first", ([["a", "b"], ["c"]], AGAIN_IN_KEY[1])),
        (AGAIN_IN_KEY, "last", ([["b"], ["a", "c"]], AGAIN_IN_KEY[1])),
        (AGAIN_IN_RESPONSE, "first", (AGAIN_IN_RESPONSE[0], [["a", "b"], ["c", "d"]])),
        (AGAIN_IN_RESPONSE, "last", (AGAIN_IN_RESPONSE[0], [["b"], ["a", "c", "d"]])),
        (
            AGAIN_IN_RESPONSE,
            "reference",
            (AGAIN_IN_RESPONSE[0], [["a", "b"], ["c", "d"]]),
        ),
        (TWINLESS_AGAIN, "first", ([["a"]], [["a", "x"], ["y"]])),
        (TWINLESS_AGAIN, "last", ([["a"]], [["a"], ["x", "y"]])),
    ],
)
def test_a_rule_leaves_each_mention_in_one_entity(
    sides: tuple[Entities, Entities],
    rule: Duplicates,
    same_as: tuple[Entities, Entities],
) -> None:
    found = scoref.score(*sides, duplicates=rule)
    expected = scoref.score(*same_as, duplicates="error")
    counts = {name: matrix.tolist() for name, matrix in found.counts.items()}
    assert counts == {name: matrix.tolist() for name, matrix in expected.counts.items()}


def test_the_reference_rule_takes_nothing_out_of_the_key() -> None:
    result = scoref.score(*AGAIN_IN_KEY, metrics="ceafm", duplicates="reference")
    assert result.counts["ceafm"].tolist() == [[3, 4, 3, 3]]


def test_the_reference_rule_leaves_twinless_mentions_where_they_are() -> None:
    result = scoref.score(*TWINLESS_AGAIN, metrics="muc", duplicates="reference")
    assert result.counts["muc"].tolist() == [[0, 0, 0, 2]]


def test_an_entity_that_loses_all_its_mentions_is_gone() -> None:
    result = scoref.score([["a", "b"]], [["a", "b"], ["a"]], metrics="ceafe")
    assert result.counts["ceafe"].tolist() == [[1, 1, 1, 1]]


@pytest.mark.parametrize("rule", ["first", "last", "reference"])
def test_a_mention_twice_in_one_entity_of_the_response_counts_once(
    rule: Duplicates,
) -> None:
    result = scoref.score(
        [["a", "b"]], [["a", "a", "b"]], metrics="bcub", duplicates=rule
    )
    assert result.counts["bcub"].tolist() == [[2, 2, 2, 2]]


@pytest.mark.parametrize(
    ("sides", "rule", "note"),
    [
        (
            AGAIN_IN_KEY,
            "reference",
            Note(
                "duplicates-in-key",
                1,
                "warning: 1 key mention is listed more than once (first: the key). All "
                "entities keep them, as in the reference scorer.",
            ),
        ),
        (
            AGAIN_IN_RESPONSE,
            "reference",
            Note(
                "duplicates-in-response",
                1,
                "warning: 1 response mention is listed more than once (first: the "
                "response). The first entity keeps those that are in the key, as in "
                "the reference scorer.",
            ),
        ),
        (
            AGAIN_IN_KEY,
            "first",
            Note(
                "duplicates-in-key",
                1,
                "warning: 1 key mention is listed more than once (first: the key). The "
                "first entity keeps them.",
            ),
        ),
        (
            AGAIN_IN_RESPONSE,
            "last",
            Note(
                "duplicates-in-response",
                1,
                "warning: 1 response mention is listed more than once (first: the "
                "response). The last entity keeps them.",
            ),
        ),
    ],
)
def test_a_rule_that_was_needed_is_noted(
    sides: tuple[Entities, Entities], rule: Duplicates, note: Note
) -> None:
    result = scoref.score(*sides, metrics="bcub", duplicates=rule)
    assert result.notes == (note,)


def test_the_rule_error_refuses_the_first_repeated_mention(tmp_path: Path) -> None:
    path = tmp_path / "key.conll"
    rows = "w\t(1)\nw\t(2)|(3\nw\t-\nw\t(1)|3)|(1)\nw\t(2)|(2)\n"
    path.write_text(f"#begin document d\n{rows}#end document\n", encoding="utf-8")
    with pytest.raises(DuplicateError) as caught:
        scoref.score(path, path, duplicates="error")
    assert str(caught.value) == (
        f"{path}:5: this mention is listed twice (2 duplicates on this side)\n"
        "  hint: A mention must be in one entity. Use --duplicates first, last or "
        "reference (duplicates=first in Python) to choose which one."
    )


def test_the_rule_error_lets_a_partition_pass() -> None:
    side = [["a", "b"], ["c"]]
    assert scoref.score(side, side, duplicates="error").scores["bcub"].f1 == 1.0


def test_the_same_span_in_two_documents_is_no_duplicate() -> None:
    side = {"d": [["a", "b"]], "e": [["a", "b"]]}
    assert scoref.score(side, side, duplicates="error").notes == ()

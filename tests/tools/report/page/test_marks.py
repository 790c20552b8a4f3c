"""Mentions in a sentence: nothing is lost, nothing overlaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

import made_up_texts
from scoref.tools.report.page.contract import read_text
from scoref.tools.report.page.marks import Box, Mark, clipped, lanes, marks_of, nested
from scoref.tools.report.page.sentences import Painter, space_between

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PLACES = 12


@st.composite
def mentions(draw: st.DrawFn) -> list[Mark]:
    """Draw mentions of both sides, crossing and with holes as they come."""
    found: list[Mark] = []
    for number in range(draw(st.integers(0, 8))):
        tokens = sorted(draw(st.sets(st.integers(0, PLACES), min_size=1, max_size=4)))
        pieces = [place for token in tokens for place in (token, token)]
        found += marks_of(draw(st.sampled_from((0, 1))), number, pieces)
    return found


def walked(boxes: Iterable[Box], depth: int = 0) -> Iterator[tuple[int, Mark]]:
    for box in boxes:
        yield depth, box.mark
        yield from walked(box.inner, depth + 1)


def tokens_of(marks: Iterable[Mark]) -> list[tuple[int, int, int, bool]]:
    return sorted(
        (mark.side, mark.mention, token, mark.is_gap)
        for mark in marks
        for token in range(mark.start, mark.end + 1)
    )


@given(mentions())
def test_boxes_hold_every_token_of_every_mention_once(marks: list[Mark]) -> None:
    assert tokens_of(mark for _, mark in walked(nested(marks))) == tokens_of(marks)


@given(mentions())
def test_boxes_lie_in_each_other_or_apart(marks: list[Mark]) -> None:
    def check(boxes: list[Box], start: int, end: int) -> None:
        place = start
        for box in boxes:
            assert place <= box.mark.start <= box.mark.end <= end
            check(box.inner, box.mark.start, box.mark.end)
            place = box.mark.end + 1

    check(nested(marks), 0, PLACES)


@given(mentions())
def test_a_mention_begins_and_ends_once(marks: list[Mark]) -> None:
    drawn = [mark for _, mark in walked(nested(marks))]
    assert sum(mark.opens for mark in drawn) == len({mark.mention for mark in marks})
    assert sum(mark.closes for mark in drawn) == len({mark.mention for mark in marks})


@given(mentions(), st.sampled_from((0, 1)))
def test_no_two_mentions_share_a_lane_and_a_place(marks: list[Mark], side: int) -> None:
    found = lanes(marks, side)
    seen = set()
    for mention, lane in found.items():
        places = [
            each
            for mark in marks
            if mark.mention == mention
            for each in (mark.start, mark.end)
        ]
        for token in range(min(places), max(places) + 1):
            assert (lane, token) not in seen
            seen.add((lane, token))


def test_inner_mentions_are_nearer_to_the_words() -> None:
    marks = [
        mark
        for number, pieces in enumerate([(0, 9), (2, 5), (3, 3)])
        for mark in marks_of(0, number, pieces)
    ]
    assert lanes(marks, 0) == {2: 0, 1: 1, 0: 2}


@given(mentions(), st.integers(0, PLACES), st.integers(0, PLACES))
def test_clipping_keeps_what_lies_within(
    marks: list[Mark], start: int, end: int
) -> None:
    kept = [part for mark in marks if (part := clipped(mark, start, end))]
    expected = [each for each in tokens_of(marks) if start <= each[2] <= end]
    assert tokens_of(kept) == expected


def test_a_hole_is_drawn_as_one() -> None:
    painter = Painter(read_text(made_up_texts.story()), 0, {})
    assert (
        '<span class="m k h-one gap" style="--lane: 1;">and later</span>'
        in painter.sentences(3, 4)
    )


def test_blanks_stand_where_people_put_them() -> None:
    assert space_between("old", "clock") == " "
    assert space_between("clock", ".") == ""
    assert space_between("猫", "が") == ""
    assert space_between("Ada", "'sour") == " "

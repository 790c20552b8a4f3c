"""Texts that are nearly the same, laid on each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.alignment.overlay import overlay_part, overlay_whole
from scoref.alignment.pieces import normal_form
from scoref.model import Texts

if TYPE_CHECKING:
    from scoref.alignment.pieces import Characters

LONG = "thequickbrownfoxjumpsoverthelazydogandrunsaway" * 5


def characters(text: str) -> Characters:
    return normal_form(Texts.of([text])).characters


def test_borders_around_a_lost_character_stay_where_they_are() -> None:
    key, response = LONG[:100] + "-" + LONG[100:], LONG
    found = overlay_whole(characters(key), characters(response))
    assert found is not None
    assert found.differing == 1
    borders = np.array([99, 100, 101])
    # What begins behind the sign begins there, and what ends before it ends there.
    assert found.begins(borders).tolist() == [99, 101, 102]
    assert found.ends(borders).tolist() == [99, 100, 102]


def test_a_border_inside_of_a_difference_goes_to_the_nearer_end() -> None:
    key, response = (
        LONG[:100] + "#" + LONG[100:] * 4,
        LONG[:100] + "%%%%" + LONG[100:] * 4,
    )
    found = overlay_whole(characters(key), characters(response))
    assert found is not None
    assert found.begins(np.array([100, 101, 103, 104])).tolist() == [100, 100, 101, 101]
    assert found.ends(np.array([100, 101, 103, 104])).tolist() == [100, 100, 101, 101]


@pytest.mark.parametrize("other", ["", "x" * len(LONG), LONG[::-1], LONG[:200]])
def test_another_text_is_not_laid_on(other: str) -> None:
    assert overlay_whole(characters(LONG), characters(other)) is None


def test_one_in_a_hundred_may_differ_and_no_more() -> None:
    text = "abcdefghij" * 30
    for count, is_laid in ((3, True), (4, False)):
        other = list(text)
        for place in range(count):
            other[40 + 60 * place] = "#"
        found = overlay_whole(characters(text), characters("".join(other)))
        assert (found is not None) == is_laid


@pytest.mark.parametrize("is_key_longer", [True, False])
@pytest.mark.parametrize("title", ["TITLE", ""])
def test_the_beginning_or_the_end_of_a_longer_text(
    title: str, is_key_longer: bool
) -> None:
    longer = title + LONG + ("" if title else "andsoon" * 20)
    sides = (longer, LONG) if is_key_longer else (LONG, longer)
    found = overlay_part(*map(characters, sides))
    assert found is not None
    part = len(title), len(title) + len(LONG)
    parts = (found.key_part, found.response_part)
    assert parts == (
        (part, (0, len(LONG))) if is_key_longer else ((0, len(LONG)), part)
    )


def test_beyond_the_common_part_nothing_has_a_place() -> None:
    found = overlay_part(characters(LONG), characters("TITLE" + LONG))
    assert found is not None
    assert found.begins(np.array([0, 4, 5, 6])).tolist() == [-1, -1, 0, 1]


def test_a_part_may_differ_a_little() -> None:
    opening = LONG[:150].replace("jumps", "jumqs", 1)
    found = overlay_part(characters(LONG), characters(opening))
    assert found is not None
    assert found.key_part == (0, 150)


def test_the_middle_of_a_text_is_no_part() -> None:
    middle = "abcdefgh" + LONG + "hgfedcba"
    assert overlay_part(characters(middle * 3), characters(LONG)) is None


@given(st.integers(0, 199), st.sampled_from(["", "#", "##"]))
def test_borders_keep_their_order(place: int, written: str) -> None:
    response = LONG[:place] + written + LONG[place + 1 :]
    found = overlay_whole(characters(LONG), characters(response))
    assert found is not None
    borders = np.arange(len(response) + 1)
    for placed in (found.begins(borders), found.ends(borders)):
        assert (np.diff(placed) >= 0).all()
        assert 0 <= placed[0] <= 1
        assert len(LONG) - 1 <= placed[-1] <= len(LONG)


def test_one_in_a_hundred_may_differ_in_the_beginning_of_a_text() -> None:
    text = "abcdefghij" * 30
    other = list(text)
    for place in (40, 100, 160):
        other[place] = "#"
    found = overlay_part(characters(text + "andsoon" * 20), characters("".join(other)))
    assert found is not None
    assert found.differing == 3
    other[220] = "#"
    assert (
        overlay_part(characters(text + "andsoon" * 20), characters("".join(other)))
        is None
    )

"""Texts in one spelling: what counts, what does not, and where words are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.alignment.normal_form import folded, normal_form
from scoref.model import Texts


def written(*words: str) -> str:
    form = normal_form(Texts.of(words))
    return form.text(0, len(form.characters))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["``Well,", "''"], ["“", "Well", ",", "”"]),
        (['"'], ["'", "'"]),
        (["«Ja»"], ['"', "Ja", '"']),
        (["do", "n't"], ["don’t"]),
        (["-LRB-", "a", "-rrb-"], ["(a)"]),
        (["-LSB-", "-LCB-", "-RCB-", "-RSB-"], ["[{}]"]),
        (["1\\/2", "\\*"], ["1/2*"]),
        (["well", "--", "no"], ["well—no"]),
        (["..."], ["…"]),
        (["café"], ["cafe", "\u0301"]),
        (["ﬁn"], ["f", "in"]),
        (["a\u00a0b", "c\u200bd", "\ufeffe", "f\u00adg"], ["ab", "cdefg"]),
        (["\n\n", "a", " "], ["a"]),
        (["a\0b"], ["ab"]),
    ],
)
def test_the_same_text_in_two_spellings(one: list[str], other: list[str]) -> None:
    assert written(*one) == written(*other)


@pytest.mark.parametrize(
    ("one", "other"), [("-", "--"), ("a", "A"), ("ss", "ß"), ("a", "b"), (".", "...")]
)
def test_what_is_not_the_same(one: str, other: str) -> None:
    assert written(one) != written(other)


def test_words_are_ranges_and_may_be_empty() -> None:
    form = normal_form(Texts.of(["", "“", "\n", "x y", "…"]))
    assert form.border.tolist() == [0, 0, 2, 2, 4, 7]


def test_no_words_are_no_characters() -> None:
    form = normal_form(Texts.of([]))
    assert (form.border.tolist(), len(form.characters)) == ([0], 0)


def test_capitals_are_taken_for_small_letters_one_for_one() -> None:
    form = normal_form(Texts.of(["ÄßİΣς"]))
    assert len(folded(form.characters)) == len(form.characters)
    same = normal_form(Texts.of(["äßi\u0307σσ"]))
    assert np.array_equal(folded(form.characters), folded(same.characters))


@given(st.lists(st.text(max_size=6), max_size=8), st.data())
def test_it_does_not_matter_where_words_are_cut(
    words: list[str], data: st.DataObject
) -> None:
    text = "".join(words).replace("\\", "").replace("-", "")
    text = "".join(each for each in text if not "\ud800" <= each <= "\udfff")
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=5)))
    borders = [0, *cuts, len(text)]
    cut = [text[a:b] for a, b in pairwise(borders)]
    assert sorted(written(*cut)) == sorted(written(text))

"""Texts are cut alike, whoever has cut them into tokens.

Texts in one spelling: what counts, what does not, and where words are.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.alignment.pieces import (
    compose,
    cut,
    cut_between,
    cut_words,
    fold_case,
    normal_form,
)
from scoref.model import Texts


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("Ada , who left .", "Ada, who left."),
        ("`` Yes , '' she said", "“Yes,” she said"),
        ("-LRB- 1843 -RRB-", "(1843)"),
        ("it 's the U.S. 's", "it's the U.S.'s"),
        ("wait -- now ...", "wait — now…"),
        ("他 去 了 北京 。", "他去了北京。"),
        ("New_York", "New York"),
    ],
)
def test_tokens_and_running_text_have_the_same_pieces(tokens: str, text: str) -> None:
    assert cut_words(tokens.split())[0].text == cut(text).text


def test_every_word_has_a_piece() -> None:
    pieces, owner = cut_words(["", "_", "a-b", " "])
    assert owner.tolist() == [0, 1, 2, 2, 2, 3]
    assert pieces.text[1:5] == ["_", "a", "-", "b"]


def test_letters_and_accents_are_one() -> None:
    assert cut(compose("cafe\u0301")).text == ["caf\u00e9"]


def test_an_empty_node_is_one_piece_if_there_may_be_some() -> None:
    assert cut("que ## ##él a##b", with_zeros=True).text == [
        *("que", "##", "##"),
        *("a", "#", "#", "b"),
    ]
    assert cut("## Answer").text == ["#", "#", "Answer"]


def test_what_is_left_out_parts_words() -> None:
    pieces = cut_between("[his](#2) dog", [(0, 1), (4, 9)])
    assert pieces.text == ["his", "dog"]
    assert pieces.start.tolist() == [1, 10]
    assert pieces.within(1, 4) == (0, 1)
    assert pieces.within(4, 9) == (1, 1)


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
    assert len(fold_case(form.characters)) == len(form.characters)
    same = normal_form(Texts.of(["äßi\u0307σσ"]))
    assert np.array_equal(fold_case(form.characters), fold_case(same.characters))


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

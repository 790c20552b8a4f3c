"""Texts are cut alike, whoever has cut them into tokens."""

from __future__ import annotations

import pytest

from scoref.alignment.pieces import composed, cut, cut_between, cut_words


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
    assert cut(composed("cafe\u0301")).text == ["caf\u00e9"]


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

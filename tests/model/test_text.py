"""A text in columns: which tokens it keeps, and where it is not another one."""

from __future__ import annotations

from itertools import zip_longest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.formats.tokens import token_codes
from scoref.model import Texts, Tokens
from scoref.model.text import EMPTY, LAST_WORD, Sentences, WordSets, place_codes

BYTES = st.lists(st.binary(max_size=3) | st.sampled_from(("é", "東")).map(str.encode))


@given(BYTES)
def test_texts_are_decoded_as_each_would_be(pieces: list[bytes]) -> None:
    data = np.frombuffer(b"".join(pieces), dtype=np.uint8)
    texts = Texts(data, np.array([*map(len, pieces)], dtype=np.int64))
    assert texts.strings() == [piece.decode("utf-8", "replace") for piece in pieces]


WORDS = st.sampled_from(("", "a", "b", "ab", "é", "東"))
DOCUMENTS = st.lists(st.lists(WORDS, max_size=3), max_size=3)


def text(*documents: list[str]) -> Tokens:
    """Make a text; an empty node is a word that starts with a zero."""
    words = [word for document in documents for word in document]
    first = np.cumsum([0, *map(len, documents)])
    is_empty = np.array([word.startswith("0") for word in words], dtype=np.bool_)
    return Tokens(
        first=first,
        sentence=np.arange(len(words)),
        line=np.arange(1, len(words) + 1),
        word=Texts.of(words),
        code=token_codes(first, is_empty),
    )


def places(documents: list[list[str]]) -> list[tuple[int, str]]:
    return [(row, word) for row, words in enumerate(documents) for word in words]


@given(one=DOCUMENTS, other=DOCUMENTS)
def test_the_first_difference_is_that_of_plain_lists(
    one: list[list[str]], other: list[list[str]]
) -> None:
    pairs = enumerate(zip_longest(places(one), places(other)))
    expected = next((row for row, (a, b) in pairs if a != b), -1)
    assert text(*one).first_difference(text(*other)) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([["a", "b"]], [["a", "b"]], -1),
        ([["a", "b"]], [["a", "c"]], 1),
        ([["a", "bc"]], [["ab", "c"]], 0),
        ([["a"], ["b"]], [["a", "b"]], 1),
        ([["a", "b"]], [["a"]], 1),
        ([], [["a"]], 0),
    ],
)
def test_words_documents_and_ends_make_a_difference(
    one: list[list[str]], other: list[list[str]], expected: int
) -> None:
    assert text(*one).first_difference(text(*other)) == expected


def test_overt_words_are_a_text_without_empty_nodes() -> None:
    found = text(["0x", "a"], ["0y"], ["b", "0z"]).overt
    assert found.first.tolist() == [0, 1, 1, 2]
    assert found.word.strings() == ["a", "b"]
    assert found.line.tolist() == [2, 4]


@given(documents=DOCUMENTS, data=st.data())
def test_documents_are_taken_in_any_order(
    documents: list[list[str]], data: st.DataObject
) -> None:
    rows = data.draw(st.permutations(range(len(documents))))
    rows = rows[: data.draw(st.integers(0, len(rows)))]
    found = text(*documents).of_documents(np.array(rows, dtype=np.int64))
    chosen = [documents[row] for row in rows]
    assert found.first_difference(text(*chosen)) == -1
    assert [each.word.strings() for each in found.by_document()] == chosen


def test_a_token_is_found_by_its_code() -> None:
    found = text(["a", "0x", "b"], ["c"])
    assert found.code is not None
    order = np.array([3, 1, 0])
    assert found.rows(found.code[order]).tolist() == order.tolist()


def sentences(*words: list[str]) -> Sentences:
    """Make sentences of one document."""
    lines = np.arange(sum(map(len, words)))
    return Sentences(
        document=np.zeros(len(words), dtype=np.int64),
        is_start=np.arange(len(words)) == 0,
        line=np.arange(len(words)),
        identifier=Texts.of([""] * len(words)),
        word_count=np.array([*map(len, words)]),
        word=Texts.of([word for sentence in words for word in sentence]),
        word_line=lines,
    )


@pytest.mark.parametrize(
    ("changed", "found"), [(None, -1), (0, 0), (1, 0), (2, 2), (3, 2)]
)
def test_the_sentence_of_the_first_word_that_differs_is_found(
    changed: int | None, found: int
) -> None:
    words = ["a", "b", "c", "d"]
    others = ["x" if place == changed else word for place, word in enumerate(words)]
    one, other = (sentences(each[:2], [], each[2:]) for each in (words, others))
    assert one.first_difference(other) == found


def test_sets_of_words_are_appended() -> None:
    one = WordSets(np.array([0, 2, 3]), np.array([5, 6, 7]))
    other = WordSets(np.array([0, 1, 3]), np.array([8, 9, 10]))
    joined = one.joined(other)
    assert joined.start.tolist() == [0, 2, 3, 4, 6]
    assert joined.member.tolist() == [5, 6, 7, 8, 9, 10]


def test_codes_have_the_sentence_the_word_and_the_number_of_an_empty_node() -> None:
    assert (EMPTY, LAST_WORD) == (2**12 - 1, 2**20 - 1)
    places = np.array([0, 5]), np.array([3, LAST_WORD]), np.array([1, EMPTY])
    assert place_codes(*places).tolist() == [3 << 12 | 1, 6 * 2**32 - 1]

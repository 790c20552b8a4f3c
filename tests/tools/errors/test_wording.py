"""Errors in words: what is wrong, with which words, and where."""

from __future__ import annotations

import json

import pytest

from scoref.scoring.evaluate import read_pairs
from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse
from scoref.tools.errors.wording import Wording, amount_of
from support.error_analyses import analysis_of_texts, spans
from support.paths import EXAMPLES

WORDS = "Ada met Charles . | He showed her his engine . | She saw it ."
ADA, CHARLES, HE, HER, HIS, ENGINE, SHE, IT = (
    *((0, 0), (2, 2), (4, 4), (6, 6)),
    *((7, 7), (7, 8), (10, 10), (12, 12)),
)
KEY = [[ADA, HER, SHE], [CHARLES, HE, HIS], [ENGINE, IT]]
Clusters = list[list[tuple[int, int]]]


def details(response: Clusters, key: Clusters = KEY) -> list[str]:
    analysis = spans(key, response, WORDS)
    wording = Wording(analysis)
    return [wording.detail(row) for row in range(len(analysis.errors.kind))]


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (
            [[ADA, HER, SHE], [CHARLES, HE, HIS], [(8, 8), IT]],
            '"engine" instead of "his engine": 1 word too few on the left',
        ),
        (
            [[ADA, HER, SHE], [CHARLES, HE, HIS, ENGINE, IT]],
            (
                '"his engine" and 1 other mention of entity 2 were merged with '
                'entity 1 ("Charles")'
            ),
        ),
        (
            [[ADA, HER], [CHARLES, HE, HIS], [ENGINE, IT, SHE]],
            '"She" of entity 0 ("Ada") was linked to entity 2 ("his engine")',
        ),
        (
            [[ADA, HER, SHE, (1, 1)], [CHARLES, HE, HIS], [ENGINE, IT]],
            '"met", which is not in the key, was linked to entity 0 ("Ada")',
        ),
        (
            [[ADA, HER, SHE], [CHARLES, HE, HIS], [ENGINE, IT], [(1, 1), (11, 11)]],
            (
                '"met" and 1 other mention, which are not in the key, were made into '
                "an entity"
            ),
        ),
        (
            [[ADA, HER], [CHARLES, HE, HIS], [ENGINE, IT]],
            '"She" of entity 0 ("Ada") was not found',
        ),
        (
            [[ADA, HER, SHE], [CHARLES, HE, HIS]],
            '"his engine" and 1 other mention of entity 2 were not found',
        ),
        (
            [[ADA], [HER, SHE], [CHARLES, HE, HIS], [ENGINE, IT]],
            '"Ada" of entity 0 was separated from the rest of the entity',
        ),
    ],
)
def test_each_kind_is_a_sentence(response: Clusters, expected: str) -> None:
    assert details(response) == [expected]


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        ((1, 0, 0), "1 word too many on the left"),
        ((0, -2, 0), "2 words too few on the right"),
        ((-1, 3, 0), "1 word too few on the left, 3 words too many on the right"),
        ((0, 0, 2), "2 words inside differ"),
        ((0, 0, 1), "1 word inside differs"),
        ((0, 0, 0), "the same words, but a different head"),
    ],
)
def test_an_amount_is_in_words(amount: tuple[int, int, int], expected: str) -> None:
    assert amount_of(*amount) == expected


def test_an_error_has_its_place() -> None:
    analysis = spans(KEY, [[ADA, HER], [CHARLES, HE, HIS], [ENGINE, IT, SHE]], WORDS)
    error = Wording(analysis).worded(0)
    assert error.name == "wrong-link"
    assert error._replace(detail="") == (
        *(error.kind, "d", 3, 1, 1, ("She",), ("She",), "0", "2", ""),
    )


def test_lines_and_sentences_are_those_of_the_first_word() -> None:
    paths = EXAMPLES / "key.conll", [EXAMPLES / "response.conll"]
    (pair,) = read_pairs(*paths, Request(with_tokens=True))
    wording = Wording(analyse(*pair))
    worded = [wording.worded(row) for row in range(4)]
    assert [error.sentence for error in worded] == [1, 2, 2, 1]
    assert [error.key_line for error in worded] == [8, 20, 20, 44]
    assert [error.response_line for error in worded] == [None, 20, 20, None]


def test_files_without_words_have_offsets() -> None:
    analysis = spans([[(0, 1), (3, 3)]], [[(0, 1)]])
    error = Wording(analysis).worded(0)
    assert error.key_words == ("[3, 3]",)
    assert error.detail == "[3, 3] of entity 0 ([0, 1]) was not found"
    assert error.sentence is None
    assert error.key_line == 1


def test_a_long_mention_is_cut_in_the_middle() -> None:
    words = " ".join(f"word{number}" for number in range(30))
    analysis = spans([[(0, 29)]], [], words)
    assert Wording(analysis).detail(0) == (
        '"word0 word1 word2 word3 word4 … word26 word27 word28 word29" of entity 0 was '
        "not found"
    )
    assert Wording(analysis).worded(0).key_words == (words,)


def test_a_long_mention_is_cut_between_words() -> None:
    words = "armies larger than those that the other mother countries have raised since"
    last = len(words.split()) - 1
    detail = Wording(spans([[(0, last)]], [], words)).detail(0)
    assert detail == (
        '"armies larger than those that … countries have raised since" of entity 0 '
        "was not found"
    )
    letters = "a" * 40 + "b" * 40
    detail = Wording(spans([[(0, 0)]], [], letters)).detail(0)
    assert detail == f'"{"a" * 30} … {"b" * 27}" of entity 0 was not found'


def test_zeros_are_seen() -> None:
    paths = EXAMPLES / "corefud-key.conllu", [EXAMPLES / "corefud-response.conllu"]
    (pair,) = read_pairs(*paths, Request(with_tokens=True))
    wording = Wording(analyse(*pair))
    assert wording.worded(2).key_words == ("∅",)


def test_an_entity_of_pronouns_is_named_with_a_sentence() -> None:
    key = [[HE, HIS], [HER, SHE], [ADA]]
    assert details([[HE], [HER, SHE], [ADA]], key) == [
        '"his" of entity 0 ("He" in sentence 2) was not found'
    ]
    analysis = spans(key, [[HE, HIS, ADA], [HER, SHE]], WORDS)
    assert Wording(analysis).detail(0) == (
        '"Ada" of entity 2 was merged with entity 0 ("He" in sentence 2)'
    )


def test_a_group_names_entities_of_pronouns_with_a_sentence_and_document() -> None:
    analysis = spans([[HE, HIS], [ADA]], [[ADA]], WORDS)
    assert Wording(analysis).entity_name(0) == '"He" in sentence 2'
    assert Wording(spans([[ADA, HE]], [], WORDS)).entity_name(0) == "Ada"
    sentences = [sentence.split() for sentence in WORDS.split("|")]
    key, response = (
        "\n".join(
            json.dumps({"doc_key": name, "sentences": sentences, "clusters": clusters})
            for name in ("one", "two")
        )
        for clusters in ([[HE, HIS]], [])
    )
    analysis = analysis_of_texts(key, response, "json-lines")
    assert Wording(analysis).entity_name(1) == '"He" in sentence 2 of two'

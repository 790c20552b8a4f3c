"""One numbering of words for a key and a response that are tokenised differently."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.matching.retokenised import CommonNumbering, number_alike
from support.word_corpora import word_corpus

if TYPE_CHECKING:
    from scoref.model import Corpus
    from scoref.scheme import Borders


def number(
    key: Corpus,
    response: Corpus,
    borders: Borders = "strict",
    *,
    lenient: bool = False,
    partner: int = 0,
) -> CommonNumbering:
    return number_alike(
        key,
        response,
        np.array([partner]),
        others=(),
        borders=borders,
        lenient=lenient,
        by_number=False,
        counted=(False, False),
        with_tokens=True,
    )


def spans(corpus: Corpus) -> list[tuple[int, int]]:
    places = corpus.mention_start.tolist(), corpus.mention_end.tolist()
    return list(zip(*places, strict=True))


def test_equal_words_stay_as_they_are() -> None:
    corpus = word_corpus("the dog", (0, 1))
    assert number(corpus, corpus).are_same


def test_mentions_are_counted_in_the_words_of_the_key() -> None:
    both = number(word_corpus("do n't go", (2, 2)), word_corpus("don't go", (1, 1)))
    assert spans(both.key) == spans(both.response) == [(2, 2)]


def test_a_border_inside_a_word_of_the_key_cuts_the_word() -> None:
    both = number(word_corpus("Ada's dog", (1, 1)), word_corpus("Ada 's dog", (0, 0)))
    assert spans(both.key) == [(2, 2)]
    assert spans(both.response) == [(0, 0)]
    assert both.key.tokens is not None
    assert both.key.tokens.word.strings() == ["Ada", "'s", "dog"]


def test_a_mention_inside_a_word_is_expanded_but_not_contracted() -> None:
    key, response = word_corpus("Ada's dog"), word_corpus("Ada 's dog", (0, 0))
    moves: dict[Borders, bool] = {"expand": True, "contract": False}
    for borders, is_moved in moves.items():
        both = number(key, response, borders)
        assert spans(both.response) == [(0, 0)]
        kinds = {note.kind for note in both.response.notes}
        assert ("moved-borders" in kinds) == is_moved


def test_words_of_the_response_have_its_lines() -> None:
    # Line 1 of the response has the first word, and so on.
    for key, response, words, lines in (
        ("Ada 's dog", word_corpus("Ada's dog"), "Ada 's dog", [1, 1, 2]),
        ("Ada's dog", word_corpus("Ada 's dog"), "Ada's dog", [1, 3]),
        ("Ada's dog", word_corpus("Ada 's dog", (0, 0)), "Ada 's dog", [1, 2, 3]),
        ("A da's dog", word_corpus("Ad a's dog", (0, 0)), "A d a's dog", [1, 1, 2, 3]),
    ):
        both = number(word_corpus(key), response)
        assert both.response.tokens is not None
        assert both.response.tokens.word.strings() == words.split()
        assert both.response.tokens.line.tolist() == lines


def test_words_that_the_response_lacks_have_its_nearest_line() -> None:
    text = "it barked at all of the other animals of this large garden"
    key, response = word_corpus(f"the dog {text}"), word_corpus(text)
    both = number(key, response, lenient=True)
    assert both.response.tokens is not None
    assert both.response.tokens.line.tolist() == [1, 1, *range(1, 13)]


def test_pieces_of_a_word_keep_its_characters_unless_their_number_differs() -> None:
    for word, pieces, found in (
        ("Ada’s", "Ada 's", ["Ada", "’s"]),
        ("ﬁsh’s", "fish 's", ["fish", "'s"]),
    ):
        key, response = word_corpus(f"the {word} dog"), f"the {pieces} dog"
        both = number(key, word_corpus(response, (1, 1)))
        assert both.key.tokens is not None
        assert both.key.tokens.word.strings() == ["the", *found, "dog"]


def test_a_document_without_a_partner_keeps_its_number_of_words() -> None:
    key, response = word_corpus("the old dog"), word_corpus("a cat")
    both = number(key, response, partner=-1)
    for corpus, words in ((both.key, 3), (both.response, 2)):
        assert corpus.document_tokens is not None
        assert corpus.document_tokens.tolist() == [words]

"""Documents that are tokenised differently are compared by character."""

from __future__ import annotations

import numpy as np
import pytest

from scoref.errors import AlignmentError
from scoref.matching.cut_texts import CutText, Strictness, pair_by_text, place_words
from support.word_corpora import word_corpus


def texts(key: str, response: str) -> tuple[CutText, CutText]:
    return CutText.of(word_corpus(key)), CutText.of(word_corpus(response))


def test_words_are_found_by_their_characters() -> None:
    places = place_words(*texts("do n't go", "don't go"), [(0, 0)], Strictness())
    assert places.begin.tolist() == [0, 5]
    assert places.end.tolist() == [5, 7]
    assert places.notes == ()


def test_case_may_differ_and_is_noted() -> None:
    places = place_words(*texts("The dog", "the dog"), [(0, 0)], Strictness())
    assert [note.kind for note in places.notes] == ["differing-case"]


def test_another_text_is_refused_unless_words_are_paired_by_number() -> None:
    sides = texts("the dog barked", "a cat slept")
    with pytest.raises(AlignmentError, match="the text of document 'd' differs"):
        place_words(*sides, [(0, 0)], Strictness())
    places = place_words(*sides, [(0, 0)], Strictness(numbers=True))
    assert places.begin.tolist() == [0, 3, 6]


def test_two_lone_documents_are_paired_if_their_texts_agree() -> None:
    key = CutText.of(word_corpus("the dog", name="one"))
    for text, pairs in (("the dog", [(0, 0)]), ("some cat", [])):
        response = CutText.of(word_corpus(text, name="other"))
        found = pair_by_text(key, response, np.array([-1]), lenient=False)
        assert list(found.pairs) == pairs

"""Documents that are tokenised differently are compared by character."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from scoref.errors import AlignmentError
from scoref.matching.cut_texts import CutText, Strictness, pair_by_text, place_words
from scoref.model import DocumentName
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
    with pytest.raises(
        AlignmentError, match="the text of document 'd' differs"
    ) as caught:
        place_words(*sides, [(0, 0)], Strictness())
    assert "…  [the] dog barked …" in str(caught.value)
    assert "…  [a] cat slept …" in str(caught.value)
    longer = texts("the old dog barked", "the old cat slept")
    with pytest.raises(AlignmentError) as caught:
        place_words(*longer, [(0, 0)], Strictness())
    assert "… the old [dog] barked …" in str(caught.value)
    assert "… the old [cat] slept …" in str(caught.value)
    places = place_words(*sides, [(0, 0)], Strictness(numbers=True))
    assert places.begin.tolist() == [0, 3, 6]


def test_two_lone_documents_are_paired_if_their_texts_agree() -> None:
    key = CutText.of(word_corpus("the dog", name="one"))
    for text, pairs in (("the dog", [(0, 0)]), ("some cat", [])):
        response = CutText.of(word_corpus(text, name="other"))
        found = pair_by_text(key, response, np.array([-1]), lenient=False)
        assert list(found.pairs) == pairs


def nameless(*documents: str) -> CutText:
    """Return documents that have numbers for names."""
    corpora = [word_corpus(words) for words in documents]
    corpus = corpora[0]
    numbers = tuple(DocumentName(str(row + 1), ()) for row in range(len(corpora)))
    words = " ".join(documents).split()
    tokens = word_corpus(" ".join(words)).tokens
    assert tokens is not None
    sizes = np.array([len(text.split()) for text in documents])
    first = np.concatenate(([0], np.cumsum(sizes)))
    return CutText.of(
        dataclasses.replace(
            corpus,
            documents=numbers,
            document_tokens=sizes,
            document_line=np.arange(len(corpora)) + 1,
            tokens=tokens._replace(first=first),
        )
    )


def test_documents_without_names_are_paired_by_text_in_any_order() -> None:
    key = nameless("Ada's dog", "some cat", "it slept")
    response = nameless("it slept", "Ada 's dog", "some cat")
    paired = pair_by_text(key, response, np.full(3, -1), lenient=False)
    assert list(paired.pairs) == [(0, 1), (1, 2), (2, 0)]
    assert [(note.kind, note.count) for note in paired.notes] == [("paired-by-text", 3)]


@pytest.mark.parametrize(
    ("ours", "theirs", "problem"),
    [
        (("a dog", "a cat"), ("a cat", "a cat"), "1 of the response has the same text"),
        (("a cat", "a cat"), ("a cat", "a dog"), "1 of the response has the same text"),
        (("a dog", "a cat"), ("a cat", "a cow"), "2 of the response has a text that"),
    ],
)
def test_texts_that_cannot_be_paired_are_refused(
    ours: tuple[str, ...], theirs: tuple[str, ...], problem: str
) -> None:
    with pytest.raises(AlignmentError, match=f"document {problem}") as caught:
        pair_by_text(nameless(*ours), nameless(*theirs), np.full(2, -1), lenient=False)
    assert caught.value.line == int(problem[0])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(("a dog", "a cat"), ("a dog",)), (("a dog",), ("a dog", "a cow"))],
)
def test_a_document_that_one_side_lacks_is_not_paired(
    ours: tuple[str, ...], theirs: tuple[str, ...]
) -> None:
    partner = np.array([0, -1][: len(ours)])
    paired = pair_by_text(nameless(*ours), nameless(*theirs), partner, lenient=False)
    assert (list(paired.pairs), paired.notes) == ([(0, 0)], ())


def test_documents_without_names_are_paired_in_order_if_their_texts_agree() -> None:
    key, response = nameless("The dog", "some cat"), nameless("the dog", "some cat")
    paired = pair_by_text(key, response, np.full(2, -1), lenient=False)
    assert (list(paired.pairs), paired.notes) == ([(0, 0), (1, 1)], ())


def test_documents_that_names_leave_over_are_paired_if_their_texts_agree() -> None:
    key, response = nameless("a dog", "The cat"), nameless("the cat", "a dog")
    paired = pair_by_text(key, response, np.array([1, -1]), lenient=False)
    assert (list(paired.pairs), paired.notes) == ([(0, 1), (1, 0)], ())

"""Documents of Universal Anaphora: paired by name, and word by word the same."""

from __future__ import annotations

import pytest

from corefud import percentages
from scoref import AlignmentError
from universal import scored, universal

METRICS = ("mentions", "muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor")
BEYOND = ("non-referring", "bridging-anaphors", "bridging-entities")
FULL = (100.0, 100.0, 100.0)

A, B, C = "@a Ada saw Bob", "@b it rained * again", "@c no"
ENTITIES = {"e1": "a:1-2*1 a:3 b:1 b:3", "e2": "b:3.1 b:2 c:1"}


@pytest.mark.parametrize(
    "texts", [(A, B, C), (C, B, A), (B, C, A), (C, A, B)], ids=" ".join
)
@pytest.mark.parametrize("match", ["exact", "partial", "craft"])
def test_documents_may_come_in_another_order(
    texts: tuple[str, ...], match: str
) -> None:
    key = universal(A, B, C, bridges="a:3>1-2 b:3>1", **ENTITIES)
    response = universal(*texts, bridges="b:3>1 a:3>1-2", **ENTITIES)
    result = scored(key, response, match=match, zeros="linear")
    names = (*METRICS, *BEYOND[1:])
    assert percentages(result, *names) == dict.fromkeys(names, FULL)
    assert result.documents == ("a", "b", "c")


def test_a_partial_match_finds_its_minimum_in_another_order_of_documents() -> None:
    key = universal(A, B, e1="a:1-2*2 a:3", e2="b:1-3*2-3 b:1")
    response = universal(B, A, e1="a:2 a:3", e2="b:2-3 b:1")
    result = scored(key, response, match="partial")
    assert percentages(result, "mentions", "muc") == {"mentions": FULL, "muc": FULL}


def test_figures_by_document_go_by_the_keys_order() -> None:
    key = universal(A, B, e1="a:1 a:2 b:1 b:2")
    response = universal(B, A, e1="a:1 a:2 b:1 b:3")
    result = scored(key, response)
    recall = {name: each["ceafm"].recall for name, each in result.per_document.items()}
    assert recall == {"a": 1.0, "b": 0.5}


@pytest.mark.parametrize("lacks", ["key", "response"])
def test_a_document_that_one_side_lacks_is_refused(lacks: str) -> None:
    whole, part = universal(A, C, e1="a:1 a:2"), universal(A, e1="a:1 a:2")
    sides = (part, whole) if lacks == "key" else (whole, part)
    has = "response" if lacks == "key" else "key"
    with pytest.raises(AlignmentError) as refused:
        scored(*sides)
    assert str(refused.value) == (
        f"{has}.ua:7: document 'c' is not in {lacks}.ua\n"
        f"  hint: {lacks}.ua has 'a'; missing=empty (--missing empty) scores a missing "
        "document as one without entities"
    )


def test_a_missing_document_may_be_empty() -> None:
    whole = universal(A, B, e1="a:1 a:2 b:1 b:2")
    part = universal(A, e1="a:1 a:2")
    missed = scored(whole, part, missing="empty")
    assert percentages(missed, "bcub") == {"bcub": (50.0, 100.0, 66.67)}
    made_up = scored(part, whole, missing="empty")
    assert percentages(made_up, "bcub") == {"bcub": (100.0, 50.0, 66.67)}
    messages = [result.notes[0].message for result in (missed, made_up)]
    assert messages == [
        "1 document in the key only, empty in the response",
        "1 document in the response only, empty in the key",
    ]


def test_the_key_may_say_which_documents_there_are() -> None:
    whole = universal(A, B, x="a:3 pseudo", e1="b:1 b:2 a:1 a:2", bridges="b:2>1")
    part = universal(A, x="a:3 pseudo", e1="a:1 a:2")
    extra = scored(part, whole, missing="key")
    names = ("bcub", "mor", "non-referring")
    assert percentages(extra, *names) == dict.fromkeys(names, FULL)
    assert extra.counts["bridging-anaphors"].tolist() == [[0, 0, 0]]
    assert [note.kind for note in extra.notes if "documents" in note.kind] == [
        "ignored-documents"
    ]
    missed = scored(whole, part, missing="key")
    assert percentages(missed, "bcub") == {"bcub": (50.0, 100.0, 66.67)}


def test_a_lenient_reading_takes_missing_documents_for_empty() -> None:
    whole, part = universal(A, B, e1="a:1 a:2 b:1 b:2"), universal(A, e1="a:1 a:2")
    result = scored(whole, part, lenient=True)
    assert percentages(result, "bcub") == {"bcub": (50.0, 100.0, 66.67)}


def test_a_word_that_differs_is_shown_with_both_places() -> None:
    key = universal("@a w w", "@b Ada saw | Bob", e1="a:1")
    response = universal("@b Ada saw | Bib", "@a w w", e1="a:1")
    with pytest.raises(AlignmentError) as refused:
        scored(key, response)
    assert str(refused.value) == (
        "response.ua:6: this word is 'Bib', but 'Bob' in key.ua:10\n"
        "  hint: documents must have the same words; only zeros may differ"
    )


@pytest.mark.parametrize("word", ["Ad", "Adam", "ada", "Adá"])
def test_words_that_differ_in_length_or_letter_are_seen(word: str) -> None:
    key = universal("w Ada w", e1="1 3")
    with pytest.raises(AlignmentError, match=f"this word is '{word}', but 'Ada'"):
        scored(key, universal(f"w {word} w", e1="1 3"))


def test_words_are_compared_one_by_one_not_by_their_letters_in_a_row() -> None:
    with pytest.raises(AlignmentError, match=r"is 'ab', but 'a' in key\.ua:3"):
        scored(universal("a bc", e1="1"), universal("ab c", e1="1"))


def test_a_lenient_reading_scores_words_that_differ() -> None:
    key, response = universal("w Ada w", e1="1 3"), universal("w Ida w", e1="1 3")
    result = scored(key, response, lenient=True)
    assert percentages(result, "muc") == {"muc": FULL}


def test_a_document_of_another_length_is_refused() -> None:
    key, response = universal("w w w", e1="1 3"), universal("w w w w", e1="1 3")
    with pytest.raises(AlignmentError) as refused:
        scored(key, response)
    assert str(refused.value) == (
        "response.ua:2: document 'd' has 4 tokens here, but 3 in key.ua:2\n"
        "  hint: key and response must have the same tokens, one a row"
    )


def test_zeros_may_differ_and_are_known_by_their_place() -> None:
    key = universal("w * w * * w", e1="1 1.1", e2="2.1 2.2 3")
    response = universal("w w * w *", e1="1", e2="2.1 3 3.1")
    result = scored(key, response, zeros="linear")
    assert result.counts["mentions"].tolist() == [[3, 5, 3, 4]]


def test_sentences_may_be_cut_at_other_places() -> None:
    key, response = universal("w w | w", e1="1 3"), universal("w | w w", e1="1 3")
    assert percentages(scored(key, response), "muc") == {"muc": FULL}


def test_the_same_entity_name_in_two_documents_is_two_entities() -> None:
    key = universal("@a w w", "@b w w", e1="a:1 a:2 b:1 b:2")
    response = universal("@a w w", "@b w w", e1="a:1 a:2", x="b:1 b:2")
    result = scored(key, response)
    names = ("muc", "bcub", "ceafe", "blanc")
    assert percentages(result, *names) == dict.fromkeys(names, FULL)


@pytest.mark.parametrize("evaluate", ["identity", "split-antecedents"])
def test_plurals_of_documents_that_are_not_scored_do_no_harm(evaluate: str) -> None:
    texts = "@a w w w", "@b w w w"
    part = universal(texts[0], x="a:1", y="a:2", z="a:3 of x y")
    whole = universal(*texts, x="a:1 b:1", y="a:2 b:2", z="a:3 b:3 of x y")
    result = scored(part, whole, missing="key", evaluate=evaluate)
    names = ("muc", "bcub", "ceafe", "ceafm", "lea")
    assert percentages(result, *names) == dict.fromkeys(names, FULL)


@pytest.mark.parametrize("lenient", [False, True])
def test_documents_of_other_names_must_have_the_same_words(*, lenient: bool) -> None:
    key, same = (
        universal("@nw/a Ada she", e1="1 2"),
        universal("@bc/a Ada she", e1="1 2"),
    )
    result = scored(key, same, lenient=lenient)
    assert percentages(result, "muc") == {"muc": FULL}
    assert "other-names" not in {note.kind for note in result.notes}
    other = universal("@bc/a Bob he", e1="1 2")
    with pytest.raises(AlignmentError, match="'bc/a' was paired with 'nw/a'"):
        scored(key, other, lenient=lenient)

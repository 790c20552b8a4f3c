"""Texts that are not the same are refused, with both words and both lines.

Documents of Universal Anaphora: paired by name, and word by word the same.

Key and response that are not the same text: the first difference is shown.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from scoref import AlignmentError
from scoref.formats.tokens import tokens_of
from scoref.matching.same_text import check_sentences, refuse_other_words
from support.corefud import conll, corefud, percentages, read
from support.corefud import scored as scored_sentences
from support.random_corefud import random_pair
from support.universal_anaphora import scored, universal


@pytest.mark.parametrize(
    ("ours", "theirs", "message"),
    [
        ("Ada saw Bob", "Ada saw Bib", "r:3: this word is 'Bib', but 'Bob' in k:3"),
        (
            "Ada saw Bob",
            "Ada saw",
            "r:2: the text ends here, but continues with 'Bob' in k:3",
        ),
        (
            "Ada saw",
            "Ada saw Bob",
            "r:3: the text continues with 'Bob', but ends in k:2",
        ),
        ("", "Ada", "r:1: the text continues with 'Ada', but ends in k"),
    ],
)
def test_the_first_other_word_is_shown(ours: str, theirs: str, message: str) -> None:
    texts = [
        tokens_of(each.split(), [0] * len(each.split())) for each in (ours, theirs)
    ]
    one, other = (
        each._replace(line=np.arange(1, len(each.line) + 1)) for each in texts
    )
    with pytest.raises(AlignmentError) as error:
        refuse_other_words(one, other, sources=("k", "r"), hint="the same text")
    assert str(error.value) == f"{message}\n  hint: the same text"


def test_the_same_words_are_fine_whatever_their_lines_and_sentences() -> None:
    one, other = tokens_of(["a", "b"], [0, 0], line=1), tokens_of(["a", "b"], [0, 1])
    refuse_other_words(one, other, sources=("k", "r"), hint="")


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
        f"  hint: {lacks}.ua has 'a'. Use --missing empty (missing=empty in Python) to "
        "score a missing document as an empty one."
    )


def test_a_missing_document_may_be_empty() -> None:
    whole = universal(A, B, e1="a:1 a:2 b:1 b:2")
    part = universal(A, e1="a:1 a:2")
    missed = scored(whole, part, missing="empty")
    assert percentages(missed, "bcub") == {"bcub": (50.0, 100.0, 66.67)}
    made_up = scored(part, whole, missing="empty")
    assert percentages(made_up, "bcub") == {"bcub": (100.0, 50.0, 66.67)}
    messages = [result.notes[0].message for result in (missed, made_up)]
    assert [message.partition(".ua. ")[2] for message in messages] == [
        "The mentions there count as missing.",
        "The mentions there count as wrong (--missing empty).",
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
        "  hint: Documents must have the same words. Only zeros may differ."
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


@pytest.mark.parametrize(
    ("key", "response", "line"), [("Ada w w", "Ida w w", 3), ("w w Ada", "w w Ida", 5)]
)
def test_a_lenient_reading_reports_the_first_word_that_differs(
    key: str, response: str, line: int
) -> None:
    result = scored(
        universal(key, e1="1 3"), universal(response, e1="1 3"), lenient=True
    )
    (message,) = (note.message for note in result.notes if "words" in note.kind)
    assert message.startswith(
        "warning: 1 of 3 words differ from the key "
        f"(first: 'Ida' (response.ua:{line}), but 'Ada' (key.ua:{line}))."
    )


def test_a_document_of_another_length_is_refused() -> None:
    key, response = universal("w w w", e1="1 3"), universal("w w w w", e1="1 3")
    with pytest.raises(AlignmentError) as refused:
        scored(key, response)
    assert str(refused.value) == (
        "response.ua:2: document 'd' has 4 tokens here, but 3 in key.ua:2\n"
        "  hint: Key and response must have the same tokens, one per row."
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


KEY = corefud("@a Ada wrote", "she slept", "@b Ada ran", e1="1 2:1", e2="3:1")

_FIRST = "1\t{}" + "\t_" * 4 + "\t0\t_\t_\tEntity=(e1-x-1-)\n2\t{}"

_WORDS = "Only empty nodes may differ."

_IDS = "Sentences must have the same ids, in the same order."

_DOCUMENTS = "Documents must start at the same sentences, with the same ids."


class Difference(NamedTuple):
    """What is changed in the response, and what is said about it."""

    old: str
    new: str
    line: int
    message: str
    hint: str


def _told(what: str, key: str, response: str) -> str:
    return (
        f"the {what} from the key\n"
        f"    key       key.conllu:{key}\n"
        f"    response  response.conllu:{response}"
    )


DIFFERENCES = {
    "a word": Difference(
        "slept",
        "slips",
        8,
        _told("words of sentence 2 differ", "8: she slept", "8: she slips"),
        _WORDS,
    ),
    "a longer word": Difference(
        "slept",
        "snoozed",
        8,
        _told("words of sentence 2 differ", "8: she slept", "8: she snoozed"),
        _WORDS,
    ),
    "letters that wander to the next word": Difference(
        _FIRST.format("Ada", "wrote"),
        _FIRST.format("Adaw", "rote"),
        4,
        _told("words of sentence 1 differ", "4: Ada wrote", "4: Adaw rote"),
        _WORDS,
    ),
    "a word less in the middle": Difference(
        "2\tslept" + "\t_" * 4 + "\t0" + "\t_" * 3 + "\n",
        "",
        8,
        _told("words of sentence 2 differ", "8: she slept", "8: she"),
        _WORDS,
    ),
    "a word less at the end": Difference(
        "2\tran" + "\t_" * 4 + "\t0" + "\t_" * 3 + "\n",
        "",
        13,
        _told("words of sentence 3 differ", "13: Ada ran", "13: Ada"),
        _WORDS,
    ),
    "a sentence id": Difference(
        "s2", "s9", 8, _told("id of sentence 2 differs", "8: 's2'", "8: 's9'"), _IDS
    ),
    "no sentence id": Difference(
        "# sent_id = s2\n",
        "",
        7,
        _told("id of sentence 2 differs", "8: 's2'", "7: ''"),
        _IDS,
    ),
    "the name of a document": Difference(
        "id = b",
        "id = c",
        13,
        _told("document of sentence 3 differs", "13: 'b'", "13: 'c'"),
        _DOCUMENTS,
    ),
    "no start of a document": Difference(
        "# newdoc id = b\n",
        "",
        12,
        _told("document of sentence 3 differs", "13: 'b'", "12: 'a'"),
        _DOCUMENTS,
    ),
    "another start of a document": Difference(
        "# sent_id = s2\n",
        "# newdoc id = b\n# sent_id = s2\n",
        9,
        _told("document of sentence 2 differs", "8: 'a'", "9: 'b'"),
        _DOCUMENTS,
    ),
}


@pytest.mark.parametrize("difference", DIFFERENCES.values(), ids=list(DIFFERENCES))
def test_the_first_difference_is_shown_side_by_side(difference: Difference) -> None:
    response = KEY.replace(difference.old, difference.new, 1)
    assert response != KEY
    with pytest.raises(AlignmentError) as caught:
        scored_sentences(KEY, response)
    error = caught.value
    shown = "\n".join([error.problem, *(f"    {line}" for line in error.beside)])
    found = error.source, error.line, shown, error.hint
    expected = difference.message, difference.hint
    assert found == ("response.conllu", difference.line, *expected)


def test_the_earliest_of_several_differences_is_shown() -> None:
    response = KEY.replace("slept", "slips").replace("= s3", "= s4")
    with pytest.raises(AlignmentError, match="the words of sentence 2"):
        scored_sentences(KEY, response)
    response = KEY.replace("ran", "fell").replace("= s1", "= s0")
    with pytest.raises(AlignmentError, match="the id of sentence 1"):
        scored_sentences(KEY, response)


@pytest.mark.parametrize(
    ("sides", "source"), [((KEY, None), "key.conllu"), ((None, KEY), "response.conllu")]
)
def test_a_last_sentence_on_one_side_only_is_told(
    sides: tuple[str | None, str | None], source: str
) -> None:
    shorter = corefud("@a Ada wrote", "she slept", e1="1 2:1")
    other = {"key.conllu": "response.conllu", "response.conllu": "key.conllu"}[source]
    with pytest.raises(AlignmentError) as caught:
        scored_sentences(*(side or shorter for side in sides))
    error = caught.value
    problem = f"sentence 3 of 3 is not in {other}, which has 2"
    hint = "Key and response must have the same sentences."
    shown = "\n".join([error.problem, *(f"    {line}" for line in error.beside)])
    found = error.source, error.line, shown, error.hint
    assert found == (source, 13, problem, hint)


@pytest.mark.parametrize(
    ("old", "new"),
    [("# newdoc id = a\n# sent_id = s2", "# sent_id = s2"), ("id = 1", "")],
    ids=["a start with the id of the document before", "an id that is the number"],
)
def test_starts_of_documents_are_compared_not_only_their_names(
    old: str, new: str
) -> None:
    key = corefud("@a w w", "@a w w", "@1 w", e1="1 2:1")
    key = key if "newdoc" in old else corefud("@1 w w", e1="1 2")
    assert old in key
    with pytest.raises(AlignmentError):
        scored_sentences(key, key.replace(old, new))


def test_a_long_sentence_is_shown_in_part() -> None:
    with pytest.raises(AlignmentError) as caught:
        scored_sentences(corefud("word " * 20), corefud("word " * 19))
    assert f"4: {('word ' * 20)[:60]} …" in str(caught.value)


def test_empty_nodes_may_differ() -> None:
    key = corefud("w w 2.1/1:obj w", e1="1 2.1", e2="2 3")
    response = corefud("0.1/1:obj w 1.1/2:dep 1.2/2:dep w w", e1="1 0.1", e2="2 3")
    assert conll(scored_sentences(key, response)) == 100.00


def test_what_else_a_line_says_may_differ() -> None:
    token = "1-2\tww" + "\t_" * 8 + "\n1\tAda"
    response = (
        KEY.replace("1\tAda", token)
        .replace("2\twrote\t_\t_", "2\twrote\twrite\tVERB")
        .replace("# sent_id = s2", "# text = she slept\n# sent_id = s2")
        .replace("eid-etype-head-other", "eid-etype-head")
    )
    check_sentences(read(KEY), read(response))


def test_random_files_are_the_text_of_their_own_key() -> None:
    for seed in range(30):
        key, response = random_pair(Random(seed))  # noqa: S311 - no secret is made
        check_sentences(read(key.text()), read(response.text()))

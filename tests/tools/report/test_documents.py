"""The documents of a report: which texts are shown, and their mentions."""

from __future__ import annotations

import json
from random import Random

import pytest

from scoref import OptionError
from scoref.tools.report.page import render_page
from support import corefud, random_corefud, random_ua, universal_anaphora
from support.error_analyses import analysis_of_texts, spans
from support.report_data import (
    QUICK,
    assemble,
    example_systems,
    words_of,
)


def test_a_text_has_its_words_sentences_and_mentions() -> None:
    _, texts = assemble(example_systems("key", "response"))
    text = texts[0]
    assert text["words"][:5] == ["Ada", "Lovelace", "met", "Charles", "Babbage"]
    assert text["sentences"] == [0, 8]
    assert text["key"]["entities"] == ["0", "1", "2", "3", "4"]
    key = [words_of(text, mention) for mention in text["key"]["mentions"]]
    assert key[:4] == ["Ada Lovelace", "Charles Babbage", "London", "He"]
    (system,) = text["systems"]
    assert system["entities"] == ["7", "3", "9"]
    assert system["entity_partner"] == [0, 1, 3]
    response = [words_of(text, mention) for mention in system["mentions"]]
    place = response.index("the first program")
    assert key[system["partner"][place]] == "the first program for it"
    assert system["why"][place] == "overlap"
    assert {*system["why"]} == {"exact", "overlap"}
    assert {*text["key"]["classes"]} == {"pronoun", "other"}


def test_exact_matches_need_no_why() -> None:
    _, texts = assemble(example_systems("key", "key"))
    assert all(text["systems"][0]["why"] is None for text in texts)


def test_texts_say_how_mentions_were_matched() -> None:
    _, texts = assemble(example_systems("corefud-key", "corefud-response"))
    reasons = {why for text in texts for why in text["systems"][0]["why"] or []}
    assert "head" in reasons
    assert {*texts[0]["key"]["classes"]} == {"proper", "common", "zero", "pronoun"}


def test_zeros_are_tokens_wherever_they_come_from() -> None:
    words = ["Ada", "came", "and", "left"]
    key = corefud.Annotated([corefud.Sentence(words, newdoc="d")], {})
    response = corefud.Annotated([corefud.Sentence(words, newdoc="d")], {})
    response.sentences[0].zeros[3, 1] = "4:nsubj"
    key.entities["e1"] = [corefud.Mention(((1, 1, 0), (1, 2, 0)), 1)]
    key.entities["e2"] = [corefud.Mention(((1, 3, 0), (1, 4, 0)), 1)]
    response.entities["e1"] = [
        corefud.Mention(((1, 1, 0),), 1),
        corefud.Mention(((1, 3, 1),), 1),
    ]
    analysis = analysis_of_texts(
        key.text(), response.text(), "corefud", singletons="keep"
    )
    _, (text,) = assemble({"r": analysis})
    assert text["words"] == ["Ada", "came", "and", "", "left"]
    assert text["empty"] == [3]
    # The key does not know the zero: it does not tear "and left" apart.
    assert text["key"]["mentions"] == [[0, 0, 1], [1, 2, 4]]
    assert text["systems"][0]["mentions"] == [[0, 0, 0], [0, 3, 3]]


def test_pieces_of_a_mention_are_kept_apart() -> None:
    _, texts = assemble(example_systems("corefud-key", "corefud-response"))
    text = texts[1]
    torn = [mention for mention in text["key"]["mentions"] if len(mention) > 3]
    assert [words_of(text, mention) for mention in torn] == ["Luis y Eva"]


@pytest.mark.parametrize("seed", range(12))
def test_random_corefud_keeps_the_contract(seed: int) -> None:
    pair = random_corefud.random_pair(Random(seed))  # noqa: S311 - no secret is made
    texts = [side.text() for side in pair]
    assemble({"r": analysis_of_texts(texts[0], texts[1], "corefud", singletons="keep")})


@pytest.mark.parametrize("seed", range(12))
def test_random_universal_anaphora_keeps_the_contract(seed: int) -> None:
    pair = random_ua.random_pair(Random(seed))  # noqa: S311 - no secret is made
    texts = [universal_anaphora.text_of(side) for side in pair]
    analysis = analysis_of_texts(
        texts[0], texts[1], "universal-anaphora", zeros="linear"
    )
    _, drawn = assemble({"r": analysis})
    total = sum(len(text["systems"][0]["mentions"]) for text in drawn)
    assert total == len(analysis.response.row)


def test_words_are_data() -> None:
    hostile = "<script>alert(1)</script> </script> &amp; \x00 \u2028 😀 שלום"
    words = f"{hostile} end".split()
    analysis = spans([[(0, 0), (1, 1)]], [[(0, 1)]], " ".join(words))
    report, texts = assemble({"<b>": analysis})
    assert texts[0]["words"] == words
    page = render_page(report, texts)
    assert "<script>alert(1)" not in page
    assert "<b>" not in page


def test_documents_without_anything_are_drawn() -> None:
    report, texts = assemble({"r": spans([], [], "nothing here")})
    assert texts[0]["key"] == {
        "entities": [],
        "mentions": [],
        "classes": [],
        "names": [],
    }
    assert report["systems"][0]["documents"] == [
        {
            **dict.fromkeys(("f1", "recall", "precision", "before", "main_kind")),
            "errors": 0,
            "of_main_kind": 0,
        }
    ]
    _, texts = assemble({"r": spans([], [], "")})
    assert texts[0]["words"] == []


def two_documents(first: str, second: str) -> str:
    return "\n".join(
        json.dumps({"doc_key": name, "clusters": [[[0, 0]]], "sentences": [["a", "b"]]})
        for name in (first, second)
    )


def clusters_only(clusters: list[list[tuple[int, int]]], **more: object) -> str:
    return json.dumps({"doc_key": "d", "clusters": clusters, **more})


def test_a_response_without_words_is_drawn_into_those_of_the_key() -> None:
    key = clusters_only([[(0, 0), (2, 3)]], sentences=[["a", "b"], ["c", "d"]])
    response = clusters_only([[(0, 0), (3, 3)], [(3, 99), (50, 99)]])
    _, (text,) = assemble({"r": analysis_of_texts(key, response, "json-lines")})
    assert text["words"] == ["a", "b", "c", "d"]
    assert text["systems"][0]["mentions"] == [
        *([0, 0, 0], [0, 3, 3], [1, 3, 3], [1, 3, 3])
    ]
    assert text["systems"][0]["why"] == ["exact", "overlap", "", ""]
    nothing = clusters_only([], sentences=[])
    report, texts = assemble({"r": analysis_of_texts(nothing, response, "json-lines")})
    assert texts == [None]
    assert report["documents"][0]["has_text"] is False


def test_a_key_without_words_is_drawn_into_those_of_the_response() -> None:
    key = clusters_only([[(0, 0), (2, 3)]])
    response = clusters_only([[(0, 0)]], tokens=["a", "b", "c", "d"])
    _, (text,) = assemble({"r": analysis_of_texts(key, response, "json-lines")})
    assert text["words"] == ["a", "b", "c", "d"]
    assert text["key"]["mentions"] == [[0, 0, 0], [0, 2, 3]]


def test_documents_that_one_side_lacks_are_drawn() -> None:
    analysis = analysis_of_texts(
        two_documents("x", "y"), two_documents("y", "z"), "json-lines", missing="empty"
    )
    other = analysis_of_texts(
        two_documents("x", "y"), two_documents("x", "y"), "json-lines", missing="empty"
    )
    report, texts = assemble({"one": other, "other": analysis})
    assert [document["name"] for document in report["documents"]] == ["x", "y", "z"]
    assert report["comparison"] is None
    assert report["systems"][0]["documents"][2]["f1"] is None
    assert texts[2]["words"] == ["a", "b"]
    assert texts[2]["key"]["mentions"] == texts[2]["systems"][0]["mentions"] == []
    assert texts[2]["systems"][1]["mentions"] == [[0, 0, 0]]
    assert texts[0]["systems"][1]["mentions"] == []


def test_documents_are_chosen_by_name_or_pattern() -> None:
    analyses = example_systems("many-key", "many-a")
    names = [document["name"] for document in assemble(analyses)[0]["documents"]]
    report, texts = assemble(analyses, QUICK._replace(documents=(names[1], "*film*")))
    shown = [
        document["name"] for document in report["documents"] if document["has_text"]
    ]
    assert shown == ["(chat/dog); part 000", "(chat/film); part 000"]
    assert report["left_out"] == (
        "The texts of 22 of 24 documents are not shown because they were not chosen "
        "with --documents."
    )
    assert sum(text is not None for text in texts) == len(shown)
    # Documents have other names, too: CoNLL-2012's brackets need not be typed.
    plain = QUICK._replace(documents=("news/*",))
    assert sum(text is not None for text in assemble(analyses, plain)[1]) == 8
    with pytest.raises(OptionError, match="no document matches 'nowhere'"):
        assemble(analyses, QUICK._replace(documents=("nowhere",)))


def test_a_page_holds_so_much_and_no_more() -> None:
    analyses = example_systems("key", "response")
    report, texts = assemble(analyses, QUICK._replace(most_tokens=30))
    assert [text is not None for text in texts] == [True, False]
    assert report["left_out"] == (
        "The text of 1 of 2 documents is not shown because the page would be too "
        "large. Choose the documents to show with --documents NAME,NAME."
    )
    chosen = QUICK._replace(most_tokens=30, documents=("*0002*",))
    assert [text is not None for text in assemble(analyses, chosen)[1]] == [False, True]
    both = QUICK._replace(most_tokens=40, documents=("*",))
    assert None not in assemble(analyses, both)[1]
    with pytest.raises(OptionError, match="40 tokens are too large for one page"):
        assemble(analyses, QUICK._replace(most_tokens=30, documents=("*",)))
    many = example_systems("many-key", "many-a", "many-b")
    with pytest.raises(OptionError, match="for 2 systems"):
        assemble(many, QUICK._replace(most_tokens=100, documents=("*",)))

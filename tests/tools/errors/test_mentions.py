"""Mentions as they are scored: each listed once, with its head."""

from __future__ import annotations

from support.corefud import corefud
from support.error_analyses import analysis_of_texts, counts, single, spans


def test_rows_are_those_of_the_corpus_although_mentions_were_left_out() -> None:
    key = [[(0, 3), (1, 1), (5, 5)], [(2, 2), (6, 6)]]
    response = [[(5, 5), (0, 3), (1, 1)], [(6, 6), (2, 2)], [(7, 7), (7, 8), (9, 9)]]
    analysis = spans(key, response, nested="drop")
    for corpus, side in zip(
        analysis._corpora, (analysis.key, analysis.response), strict=True
    ):
        starts = corpus.mention_start[side.row].tolist()
        assert 1 not in starts
        assert corpus.mention_entity[side.row].tolist() == side.entity.tolist()
    assert counts(analysis) == {"extra-entity": 1}


def test_singletons_are_left_out_where_they_are_not_scored() -> None:
    key, response = single("ab", "c"), single("ab", "d", "e")
    assert counts(spans(key, response)) == {"missing-entity": 1, "extra-entity": 2}
    assert counts(spans(key, response, singletons="drop")) == {}


def test_repeated_mentions_are_noted_once() -> None:
    analysis = spans(single("ab", "ca"), single("ab", "c"), duplicates="reference")
    assert [note.kind for note in analysis.notes] == ["other-score"]
    assert "duplicates-in-key" in [note.kind for note in analysis.result.notes]
    assert counts(analysis) == {}


def test_a_second_listing_of_a_mention_is_dropped() -> None:
    analysis = spans(single("aba", "c"), single("ab", "c"), duplicates="reference")
    starts = analysis._corpora[0].mention_start[analysis.key.row]
    assert starts.tolist() == [0, 1, 2]


def test_without_heads_on_one_side_mentions_match_by_words() -> None:
    key = corefud("w w w", e1="1-2 3")
    response = key.replace("eid-etype-head-other", "eid-etype-other")
    response = response.replace("(e1--1-", "(e1--")
    assert counts(analysis_of_texts(key, response, "corefud")) == {}

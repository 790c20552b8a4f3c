"""Answers are scored one by one, and add up to a corpus."""

from __future__ import annotations

import json

import pytest

import scoref
from scoref import AlignmentError, FormatError, OptionError
from scoref.adapters._answers import AnswerScorer, corpus_result, key_text
from support.harness import ANSWERS, KEY, answers, counts, documents
from support.paths import EXAMPLES


@pytest.mark.parametrize(
    "options", [{}, {"singletons": "drop"}, {"metrics": "lea,conll"}], ids=str
)
def test_documents_one_by_one_are_the_corpus(options: dict[str, str]) -> None:
    expected = scoref.score_output(KEY, ANSWERS, **options).result  # type: ignore[arg-type]
    kept = json.loads(json.dumps(counts(**options)))  # as a log keeps it
    found = corpus_result(kept)
    assert found.scores == expected.scores
    assert found.documents == expected.documents
    assert found.signature == expected.signature


def test_a_mean_over_documents_would_be_another_figure() -> None:
    kept = counts()
    mean = sum(each["f1"] for each in kept) / len(kept)
    assert corpus_result(kept).conll != pytest.approx(mean, abs=1e-3)


def test_a_key_is_a_file_s_content_or_a_record() -> None:
    document, answer = documents()[0], answers()[0]
    scorer = AnswerScorer.of("markdown")
    whole = scorer.score(json.dumps(document), answer, "x").result.scores
    assert scorer.score(document, answer, "x").result.scores == whole
    unnamed = {name: each for name, each in document.items() if name != "doc_key"}
    assert scorer.score({**unnamed, "other": 1}, answer, "x").result.scores == whole
    conll = (EXAMPLES / "key.conll").read_text("utf-8").partition("#end document\n")
    assert scorer.score(conll[0] + conll[1], answer, "x").result.scores == whole


@pytest.mark.parametrize("key", [None, 3, {"sentences": [["a"]]}, ["a"]])
def test_what_is_no_key_is_refused(key: object) -> None:
    with pytest.raises(
        OptionError,
        match="a key must be the content of a file, or an object with 'sentences' and "
        "'clusters' as in JSON lines, not",
    ):
        key_text(key)


def test_a_key_of_two_documents_is_refused() -> None:
    with pytest.raises(AlignmentError, match="this key has 2 documents"):
        AnswerScorer.of(None).score(KEY.read_text("utf-8"), "x", "d")


def test_wrong_options_are_refused_before_anything_is_scored() -> None:
    with pytest.raises(OptionError, match="unknown scheme"):
        AnswerScorer.of(None, scheme="conll-2013")


def test_a_document_that_comes_twice_is_refused() -> None:
    kept = counts()
    with pytest.raises(OptionError, match="was scored more than once"):
        corpus_result([*kept, kept[0]])


def test_documents_scored_in_two_ways_are_refused() -> None:
    with pytest.raises(OptionError, match="cannot be joined"):
        corpus_result([counts()[0], counts(singletons="drop")[1]])


def test_no_document_is_nothing_to_score() -> None:
    with pytest.raises(OptionError, match="nothing to score"):
        corpus_result([])


def test_what_a_log_has_lost_is_refused() -> None:
    with pytest.raises(FormatError, match="not a result of scoref"):
        corpus_result([{"f1": 0.5}])

"""Answers one by one, and the corpus that they make."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

import scoref
from scoref import AlignmentError, FormatError, OptionError
from scoref.adapters import lm_eval
from scoref.adapters._answers import (
    AnswerScorer,
    corpus_result,
    document_counts,
    key_text,
)
from scoref.adapters.inspect_ai import corpus_figures
from support.paths import EXAMPLES

KEY = EXAMPLES / "harness" / "key.jsonl"

ANSWERS = EXAMPLES / "llm-answers.jsonl"


def lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in KEY.read_text("utf-8").splitlines()]


def answers() -> list[str]:
    text = ANSWERS.read_text("utf-8").splitlines()
    return [json.loads(line)["output"] for line in text]


def scored(**options: str) -> list[dict[str, Any]]:
    scorer = AnswerScorer.of(None, **options)  # type: ignore[arg-type]
    pairs = zip(lines(), answers(), strict=True)
    return [
        document_counts(scorer.score(document, answer, document["doc_key"]))
        for document, answer in pairs
    ]


@pytest.mark.parametrize(
    "options", [{}, {"singletons": "drop"}, {"metrics": "lea,conll"}], ids=str
)
def test_documents_one_by_one_are_the_corpus(options: dict[str, str]) -> None:
    expected = scoref.score_output(KEY, ANSWERS, **options).result  # type: ignore[arg-type]
    kept = json.loads(json.dumps(scored(**options)))  # as a log keeps it
    found = corpus_result(kept)
    assert found.scores == expected.scores
    assert found.documents == expected.documents
    assert found.signature == expected.signature


def test_a_mean_over_documents_would_be_another_figure() -> None:
    kept = scored()
    mean = sum(each["f1"] for each in kept) / len(kept)
    assert corpus_result(kept).conll != pytest.approx(mean, abs=1e-3)


def test_a_key_is_a_file_s_content_or_a_record() -> None:
    document, answer = lines()[0], answers()[0]
    scorer = AnswerScorer.of("markdown")
    whole = scorer.score(json.dumps(document), answer, "x").result.scores
    assert scorer.score(document, answer, "x").result.scores == whole
    unnamed = {name: each for name, each in document.items() if name != "doc_key"}
    assert scorer.score({**unnamed, "other": 1}, answer, "x").result.scores == whole
    conll = (EXAMPLES / "key.conll").read_text("utf-8").partition("#end document\n")
    assert scorer.score(conll[0] + conll[1], answer, "x").result.scores == whole


@pytest.mark.parametrize("key", [None, 3, {"sentences": [["a"]]}, ["a"]])
def test_what_is_no_key_is_refused(key: object) -> None:
    with pytest.raises(OptionError, match="a key is the content of a file"):
        key_text(key)


def test_a_key_of_two_documents_is_refused() -> None:
    with pytest.raises(AlignmentError, match="there are 2 documents in this key"):
        AnswerScorer.of(None).score(KEY.read_text("utf-8"), "x", "d")


def test_wrong_options_are_refused_before_anything_is_scored() -> None:
    with pytest.raises(OptionError, match="no scheme"):
        AnswerScorer.of(None, scheme="conll-2013")
    with pytest.raises(OptionError, match="no scheme"):
        lm_eval.coreference(scheme="conll-2013")


def test_a_document_that_comes_twice_is_refused() -> None:
    kept = scored()
    with pytest.raises(OptionError, match="was scored more than once"):
        corpus_result([*kept, kept[0]])


def test_documents_scored_in_two_ways_are_refused() -> None:
    with pytest.raises(OptionError, match="not scored in the same way"):
        corpus_result([scored()[0], scored(singletons="drop")[1]])


def test_no_document_is_nothing_to_score() -> None:
    with pytest.raises(OptionError, match="nothing to score"):
        corpus_result([])


def test_what_a_log_has_lost_is_refused() -> None:
    with pytest.raises(FormatError, match="not a result of scoref"):
        corpus_result([{"f1": 0.5}])


def test_a_task_has_the_figures_of_all_documents() -> None:
    process_results = lm_eval.coreference()
    kept = [
        process_results(document, [answer])
        for document, answer in zip(lines(), answers(), strict=True)
    ]
    expected = scoref.score_output(KEY, ANSWERS).result
    for name in ("conll", "muc", "bcub", "ceafe", "lea"):
        found = getattr(lm_eval, name)([each[name] for each in kept])
        assert found == expected.scores[name].f1
    interval = scoref.confidence(expected).intervals["conll"]["f1"]
    assert lm_eval.conll_low([each["conll_low"] for each in kept]) == interval.low
    assert lm_eval.conll_high([each["conll_high"] for each in kept]) == interval.high


def test_one_document_has_no_interval() -> None:
    found = lm_eval.coreference()(lines()[0], [answers()[0]])
    assert str(lm_eval.conll_low([found["conll_low"]])) == "nan"


def test_the_key_may_be_a_field_and_names_may_be_missing() -> None:
    process_results = lm_eval.coreference(key="gold", notation="markdown")
    kept = [
        process_results({"gold": json.dumps(document)}, [answer])["conll"]
        for document, answer in zip(lines(), answers(), strict=True)
    ]
    expected = scoref.score_output(KEY, ANSWERS, notation="markdown").result
    assert lm_eval.conll(kept) == expected.conll


def sample_score(name: str, kept: dict[str, Any]) -> SimpleNamespace:
    score = SimpleNamespace(metadata={"scoref": kept})
    return SimpleNamespace(sample_id=name, score=score)


def test_each_epoch_is_a_corpus() -> None:
    one, two = scored()
    other = document_counts(AnswerScorer.of(None).score(lines()[1], "nothing", "b"))
    scores = [
        sample_score("a", one),
        sample_score("a", one),
        sample_score("b", two),
        sample_score("b", other),
    ]
    found = corpus_figures(scores)
    both = [corpus_result([one, two]).conll, corpus_result([one, other]).conll]
    assert found["conll/f1"] == pytest.approx(sum(both) / 2)
    assert {"muc/recall", "muc/f1", "lea/precision"} <= found.keys()

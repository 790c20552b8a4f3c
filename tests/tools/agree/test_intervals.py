"""Intervals of agreement: documents are drawn, and annotators with them if asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import scoref
from scoref.statistics.bootstrap import resample
from scoref.tools.agree import intervals
from support.oracle_agreement import random_annotators


def draw(
    people: dict[str, Any], documents: list[float], annotators: list[float]
) -> dict[str, Any]:
    """Make copies of documents and annotators, each as often as it was drawn."""
    copies: dict[str, Any] = {}
    for (who, said), times in zip(people.items(), annotators, strict=True):
        for copy in range(int(times)):
            copies[f"{who}.{copy}"] = {
                f"{name}.{number}": entities
                for (name, entities), count in zip(said.items(), documents, strict=True)
                for number in range(int(count))
            }
    return copies


@pytest.mark.parametrize("average", ["within", "macro", "corpus"])
def test_intervals_are_those_of_corpora_with_documents_drawn(average: str) -> None:
    people = random_annotators(1, documents=6, share=1)
    options: dict[str, Any] = {"average": average, "metrics": "muc,conll"}
    intervals = scoref.agree(
        people, level=90, method="percentile", resamples=40, **options
    ).confidence
    assert intervals is not None
    (weights,) = resample(6, 40, 2014)
    figures = [
        scoref.agree(draw(people, times, [1.0] * 4), disputed=0, **options)
        for times in weights.tolist()
    ]
    for name, interval in intervals.alpha.items():
        alphas = np.array([drawn.alpha[name] for drawn in figures], dtype=np.float64)
        assert interval == pytest.approx(tuple(np.quantile(alphas, (0.05, 0.95))))
    for name, interval in intervals.mean.items():
        means = [drawn.mean[name] for drawn in figures]
        assert interval == pytest.approx(tuple(np.quantile(means, (0.05, 0.95))))


def test_annotators_are_drawn_and_never_compared_with_themselves() -> None:
    people = random_annotators(2, documents=6, share=1)
    agreement = scoref.agree(
        people,
        level=90,
        method="percentile",
        resamples=30,
        unit="documents-annotators",
        metrics="muc",
    )
    assert agreement.confidence is not None
    (documents,), (annotators,) = resample(6, 30, 2014), resample(4, 30, 2015)
    means = []
    for docs, times in zip(documents, annotators, strict=True):
        copies = draw(people, docs.tolist(), times.tolist())
        if len({name.split(".")[0] for name in copies}) < 2:
            continue
        pairs = scoref.agree(copies, metrics="muc").pairs
        f1 = [
            pair.scores["muc"].f1
            for (one, other), pair in pairs.items()
            if one.split(".")[0] != other.split(".")[0]
        ]
        means.append(sum(f1) / len(f1))
    expected = tuple(np.quantile(means, (0.05, 0.95)))
    assert agreement.confidence.mean["muc"] == pytest.approx(expected)
    assert "few-annotators" in [note.kind for note in agreement.notes]


def test_drawing_annotators_makes_intervals_wider() -> None:
    people = random_annotators(3, people=6, documents=24, share=1)
    narrow, wide = (
        scoref.agree(people, level=95, resamples=400, unit=unit).confidence
        for unit in ("documents", "documents-annotators")
    )
    assert narrow is not None
    assert wide is not None
    for name, (low, high) in narrow.alpha.items():
        assert wide.alpha[name].high - wide.alpha[name].low > high - low


def test_a_response_has_intervals_over_its_keys() -> None:
    people = random_annotators(4, documents=6, share=1)
    response = people.pop("p3")
    agreement = scoref.agree(people, response=response, level=95, resamples=200)
    assert agreement.confidence is not None
    assert agreement.response is not None
    for name, value in agreement.response.mean.items():
        low, high = agreement.confidence.response[name]
        assert low <= value <= high
    low, high = agreement.confidence.supported["all"]
    assert low <= (agreement.response.supported.all or 0) <= high


def test_the_signature_says_what_was_drawn() -> None:
    agreement = scoref.agree(
        random_annotators(5, documents=6, share=1), level=95, resamples=10, seed=7
    )
    assert agreement.signature.endswith(
        "|confidence:95|bootstrap:expanded|resamples:10|seed:7|unit:documents"
    )


def test_one_document_has_no_interval() -> None:
    agreement = scoref.agree(random_annotators(6, documents=1, share=1), level=95)
    assert agreement.confidence is not None
    assert (agreement.confidence.alpha, agreement.confidence.mean) == ({}, {})


def test_an_unknown_unit_is_refused() -> None:
    people = random_annotators(7, documents=6, share=1)
    with pytest.raises(scoref.OptionError, match="unknown unit 'entities'"):
        scoref.agree(people, level=95, unit="entities")  # type: ignore[arg-type]


def test_too_many_resamples_are_refused_even_if_no_interval_is_asked_for() -> None:
    with pytest.raises(scoref.OptionError, match="between 1 and 1,000,000"):
        scoref.agree(random_annotators(7, documents=6, share=1), resamples=1_000_001)


def test_the_mean_of_a_response_has_the_interval_of_corpora_with_copies() -> None:
    people = random_annotators(8, documents=6, share=1)
    response = people.pop("p3")
    agreement = scoref.agree(
        people,
        response=response,
        level=90,
        method="percentile",
        resamples=30,
        unit="documents-annotators",
        metrics="muc",
    )
    assert agreement.confidence is not None
    (documents,), (annotators,) = resample(6, 30, 2014), resample(3, 30, 2015)
    means = []
    for docs, times in zip(documents.tolist(), annotators.tolist(), strict=True):
        answer = draw({"r": response}, docs, [1.0])["r.0"]
        copies = draw(people, docs, times)
        f1 = []
        for key in copies.values():
            evaluator = scoref.Evaluator(metrics="muc")
            for name, entities in key.items():
                evaluator.update(key=entities, response=answer[name])
            f1.append(evaluator.compute().scores["muc"].f1)
        means.append(sum(f1) / len(f1))
    expected = tuple(np.quantile(means, (0.05, 0.95)))
    assert agreement.confidence.response["muc"] == pytest.approx(expected)


def test_annotators_are_drawn_alike_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    people = random_annotators(9, documents=6, share=1)
    options: dict[str, Any] = {
        "level": 90,
        "resamples": 30,
        "unit": "documents-annotators",
        "metrics": "muc",
    }
    whole = scoref.agree(people, **options).confidence
    monkeypatch.setattr(intervals, "_AT_ONCE", 1)
    assert scoref.agree(people, **options).confidence == whole

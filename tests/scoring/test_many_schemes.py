"""Tests of scoring the same corpora by many schemes."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from scoref.formats.reading import open_file
from scoref.matching.spans import match_mentions
from scoref.metrics import available
from scoref.scoring import pipeline
from scoref.scoring.evaluate import read_pairs
from scoref.scoring.pipeline import ManySchemes, score_corpora
from scoref.scoring.request import Request

if TYPE_CHECKING:
    from scoref.matching import Matched
    from scoref.model import Corpus
    from scoref.scheme import Scheme
    from scoref.scoring.evaluate import Pair
    from scoref.scoring.results import Result

GOLDEN = Path(__file__).parents[1] / "golden"
EXAMPLES = Path(__file__).parents[2] / "examples"
OF_WORDS: list[dict[str, Any]] = [
    {},
    {"match": "exact"},
    {"match": "exact", "singletons": "keep"},
    {"zeros": "linear"},
    {"zeros": "drop"},
    {"blanc": "reference"},
    {"split_antecedents": "keep"},
    {"alignment": "one-to-one"},
    {"match": "exact"},
    {"lea": "no-singletons", "average": "macro"},
    {},
]
OF_SPANS: list[dict[str, Any]] = [
    {},
    {"singletons": "drop"},
    {"blanc": "corefud"},
    {"lea": "no-singletons"},
    {"average": "macro"},
    {"duplicates": "first"},
    {},
]


def _pair(key: Path, response: Path) -> Pair:
    opened = open_file(key, None, folder=None)
    (pair,) = read_pairs(opened, [response], Request.of())
    return pair


def _contents(result: Result) -> tuple[object, ...]:
    counts = {name: np.asarray(count).tolist() for name, count in result.counts.items()}
    return dict(result.scores), result.signature, result.notes, counts


PAIRS = {
    "corefud": [
        (key, key.with_name(key.name.replace(".key.", ".response.")), OF_WORDS)
        for key in sorted((GOLDEN / "corefud").glob("*.key.conllu"))
    ],
    "conll-2012": [
        (EXAMPLES / "key.conll", EXAMPLES / "response.conll", OF_SPANS),
        (EXAMPLES / "many-key.conll", EXAMPLES / "many-a.conll", OF_SPANS),
    ],
}


@pytest.mark.parametrize("kind", PAIRS)
def test_many_schemes_give_the_same_results_as_one_by_one(kind: str) -> None:
    assert PAIRS[kind]
    for key, response, changes in PAIRS[kind]:
        pair = _pair(key, response)
        schemes = ManySchemes(pair.key, pair.response)
        for change in changes:
            scheme = dataclasses.replace(pair.scheme, **change)
            metrics = available(pair.key, scheme)
            alone = score_corpora(pair.key, pair.response, scheme, metrics)
            together = schemes.score(scheme, metrics)
            assert _contents(together) == _contents(alone), (key.name, change)


def test_schemes_that_match_alike_share_one_matching(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matched = []

    def counting(key: Corpus, response: Corpus, scheme: Scheme) -> Matched:
        matched.append(scheme)
        return match_mentions(key, response, scheme)

    monkeypatch.setattr(pipeline, "match_mentions", counting)
    pair = _pair(EXAMPLES / "key.conll", EXAMPLES / "response.conll")
    schemes = ManySchemes(pair.key, pair.response)
    for change in OF_SPANS:
        scheme = dataclasses.replace(pair.scheme, **change)
        schemes.score(scheme, pair.metrics)
    assert [scheme.singletons for scheme in matched] == ["keep", "drop", "keep"]

"""Variants: asked for by name, for every format, document by document."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.errors import OptionError
from scoref.metrics import (
    METRICS,
    choose_metrics,
    means,
    metrics_of,
    needed_metrics,
    usual,
)
from scoref.metrics.base import Metric
from scoref.scheme import Scheme
from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora
from support import corefud, random_corefud, random_ua, universal_anaphora
from support.clusterings import counted, ratios, tabulate
from support.commands import run
from support.json_output import result_of
from support.oracle_clusterings import RATIO_ORACLES
from support.oracle_metrics import sets_of
from support.paths import EXAMPLES
from support.strategies import (
    Documents,
    Entities,
    corpora,
    entities,
    repeating_entities,
)

if TYPE_CHECKING:
    from scoref.scoring.results import Result
    from scoref.scoring.scores import Scores

KEY, RESPONSE = str(EXAMPLES / "key.conll"), str(EXAMPLES / "response.conll")
UA = str(EXAMPLES / "ua-key.ua"), str(EXAMPLES / "ua-response.ua")
USUAL = usual("texts")
VARIANTS = tuple(
    name
    for name, metric in METRICS.items()
    if isinstance(metric, Metric)
    and metric.usual in {"tables", "never"}
    and metric.scale == "percent"
)
SYMMETRIC = (
    "pairwise",
    "pairwise-membership",
    "pairwise-s2and",
    "cluster",
    "closest-cluster",
)


def _scores(key: Entities | Documents, response: Entities | Documents) -> Scores:
    return scoref.score(key, response, metrics=VARIANTS).scores


@given(corpus=corpora())
def test_counts_of_each_document_follow_from_the_definition(
    corpus: tuple[Documents, Documents],
) -> None:
    result = scoref.score(*corpus, metrics=VARIANTS)
    pairs = [[sets_of(side[name]) for side in corpus] for name in result.documents]
    for name in RATIO_ORACLES.keys() & {*VARIANTS}:
        expected = [list(map(float, RATIO_ORACLES[name](*pair))) for pair in pairs]
        assert result.counts[name] == pytest.approx(np.array(expected), rel=1e-13), name


@given(key=entities(), response=entities())
def test_entities_count_as_tables_do(key: Entities, response: Entities) -> None:
    counts = scoref.score(key, response, metrics=VARIANTS).counts
    table = counted(tabulate(key, response))
    for name in VARIANTS:
        recall, precision = ratios(table, name)
        expected = pytest.approx([*recall, *precision], rel=1e-13)
        assert counts[name][0].tolist() == expected, name


@given(corpus=corpora(), data=st.data())
def test_no_order_matters(
    corpus: tuple[Documents, Documents], data: st.DataObject
) -> None:
    key, response = corpus
    shuffled = {
        each: data.draw(st.permutations(key[each]))
        for each in data.draw(st.permutations(list(key)))
    }
    one, other = _scores(key, response), _scores(shuffled, response)
    for name in VARIANTS:
        assert one[name][:3] == pytest.approx(other[name][:3], rel=1e-13), name


@given(side=entities())
def test_identical_sides_score_one_or_are_said_to_be_undefined(side: Entities) -> None:
    for name, score in _scores(side, side).items():
        assert score.f1 == (1.0 if score.is_defined else 0.0), name


@given(key=entities(), response=entities())
def test_swapping_the_sides_swaps_recall_and_precision(
    key: Entities, response: Entities
) -> None:
    forth, back = _scores(key, response), _scores(response, key)
    for name in SYMMETRIC:
        precision, recall, *others = back[name]
        assert forth[name] == (recall, precision, *others), name


@given(key=repeating_entities(), response=repeating_entities())
def test_mentions_that_repeat_break_nothing(key: Entities, response: Entities) -> None:
    for name, score in _scores(key, response).items():
        assert all(0 <= (figure or 0) <= 1 + 1e-12 for figure in score[:3]), name


@given(key=entities(), response=entities())
def test_a_variant_alone_counts_as_among_others(
    key: Entities, response: Entities
) -> None:
    among = scoref.score(key, response, metrics=VARIANTS).counts
    for name in VARIANTS:
        alone = scoref.score(key, response, metrics=name).counts[name]
        assert alone.tolist() == among[name].tolist(), name


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("alignment", ["official", "one-to-one"])
def test_matches_that_go_astray_break_nothing(seed: int, alignment: str) -> None:
    pair = random_corefud.random_pair(Random(seed))  # noqa: S311 - no secret is made
    sides = [corefud.read(side.text()) for side in pair]
    scheme = resolve("crac-2026", match="partial", alignment=alignment)
    _check_range(score_corpora(sides[0], sides[1], scheme, VARIANTS))


@pytest.mark.parametrize("seed", range(60))
def test_plurals_are_mentions_that_the_other_side_lacks(seed: int) -> None:
    pair = random_ua.random_pair(Random(seed))  # noqa: S311
    sides = [universal_anaphora.read(universal_anaphora.text_of(side)) for side in pair]
    _check_range(
        score_corpora(sides[0], sides[1], resolve("codi-crac-2022-ar"), VARIANTS)
    )


def _check_range(result: Result) -> None:
    for name, counts in result.counts.items():
        assert (counts >= 0).all(), name
        assert (counts[:, [0, 2]] <= counts[:, [1, 3]] + 1e-9).all(), name


def test_a_corpus_without_documents_counts_nothing() -> None:
    result = scoref.score({}, {}, metrics=VARIANTS)
    for name in VARIANTS:
        assert result.counts[name].shape == (0, 4), name
        assert not result.scores[name].is_defined, name


@pytest.mark.parametrize(
    ("key", "response"),
    [
        (KEY, RESPONSE),
        (
            str(EXAMPLES / "corefud-key.conllu"),
            str(EXAMPLES / "corefud-response.conllu"),
        ),
        UA,
    ],
)
def test_every_format_has_them(key: str, response: str) -> None:
    result = scoref.score(key, response, metrics=["muc", *VARIANTS])
    assert {*result.metrics} == {"muc", *VARIANTS}
    assert all(0 < score.f1 <= 1 for score in result.scores.values())


def test_without_a_request_there_is_none() -> None:
    assert choose_metrics(None) == USUAL
    assert not {*scoref.score(KEY, RESPONSE).metrics} & {*VARIANTS}


def test_they_have_their_place_among_the_usual_ones() -> None:
    assert choose_metrics("bcub-sys,conll,pairwise,muc") == (
        "pairwise",
        "muc",
        "bcub-sys",
        "conll",
    )
    assert needed_metrics(("conll", "pairwise")) == ("pairwise", "muc", "bcub", "ceafe")


def test_a_name_that_is_nearly_right_is_told() -> None:
    with pytest.raises(OptionError, match="Did you mean bcub-sys"):
        choose_metrics("bcub_sys")


def test_plurals_alone_have_none() -> None:
    with pytest.raises(OptionError, match="'bcub-sys' is for mentions, not for"):
        scoref.score(*UA, evaluate="split-antecedents", metrics="bcub-sys")


def test_metrics_are_a_mapping_of_all_names() -> None:
    known = metrics_of(Scheme())
    assert len(known) == len(list(known)) == len(METRICS) - len(means(METRICS))
    assert "bcub-sys" in known
    assert "conll" not in known
    assert {known[name].name for name in known} == {*known}


def test_the_command_prints_them() -> None:
    names = "bcub,bcub-sys,ceafm-rn,pairwise"
    shown = run(KEY, RESPONSE, "--metrics", names, code=0)
    lines = [line.split()[0] for line in shown.stdout.splitlines()[1:5]]
    assert lines == ["Pairwise,", "B³", "B³_sys", "CEAFm_r&n"]


def test_json_has_their_counts() -> None:
    arguments = [KEY, RESPONSE, "--metrics", "pairwise", "--output", "json"]
    written = result_of(run(*arguments, code=0).stdout)
    assert written["scores"]["pairwise"]["counts"].keys() == {
        "recall_numerator",
        "recall_denominator",
        "precision_numerator",
        "precision_denominator",
    }

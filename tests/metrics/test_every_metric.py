"""What holds for every metric, including those added later.

A call of `_scores` computes all metrics that need only mentions. Where a test expects
something else of some metrics, the records of these metrics say so (`Laws`).
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.metrics import METRICS, metrics_of
from scoref.metrics.base import Laws, Metric, figures_of
from support.strategies import Documents, Entities, corpora, entities

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.metrics.base import AnyScore
    from scoref.scoring.results import Result

RECORDS = {
    name: record
    for name, record in METRICS.items()
    if isinstance(record, Metric) and record.needs == "mentions"
}
MEANS = ("conll", "conll-blanc")
EVERY = (*RECORDS, *MEANS)
OF_COMMON_MENTIONS = (
    *("rand", "ari", "fowlkes-mallows", "ami", "homogeneity", "completeness"),
    *("v-measure", "nmi", "vi", "talburt-wang", "gmd", "purity", "inverse-purity"),
)

# The key alone decides which kinds of links count in BLANC.
LOOKS_AT_THE_KEY_FIRST = {"blanc", "conll-blanc"}


def _result(key: Entities | Documents, response: Entities | Documents) -> Result:
    return scoref.score(key, response, metrics=EVERY)


def _scores(
    key: Entities | Documents, response: Entities | Documents
) -> dict[str, AnyScore]:
    scores = _result(key, response).scores
    return {name: scores[name] for name in EVERY}


NO_FIGURE = -9.0
"""Stands for a missing figure. No metric has this value, as `Laws` of each says."""


def _figures(score: AnyScore) -> list[float]:
    """Return recall, precision and F₁, with `NO_FIGURE` for those a metric lacks."""
    return [NO_FIGURE if figure is None else figure for figure in figures_of(score)]


def _agree(one: AnyScore, other: AnyScore) -> bool:
    """Allow a sum in another order to differ in its last digits."""
    near = _figures(one) == pytest.approx(_figures(other), rel=1e-12)
    return near and one.is_defined == other.is_defined


def _assert_agree(some: Mapping[str, AnyScore], others: Mapping[str, AnyScore]) -> None:
    differing = [name for name in some if not _agree(some[name], others[name])]
    assert differing == []


def _has_links_of_both_kinds(side: Entities) -> bool:
    return len(side) > 1 and any(len(entity) > 1 for entity in side)


@given(key=entities(), response=entities())
def test_swapping_the_sides_swaps_recall_and_precision(
    key: Entities, response: Entities
) -> None:
    forth, back = _scores(key, response), _scores(response, key)
    if not all(map(_has_links_of_both_kinds, (key, response))):
        forth = {name: forth[name] for name in forth.keys() - LOOKS_AT_THE_KEY_FIRST}
    swapped = {}
    for name in EVERY:
        mirror = RECORDS[name].laws.mirror if name in RECORDS else "self"
        if mirror is None:
            forth.pop(name)
            continue
        score = back[name if mirror == "self" else mirror]
        if isinstance(score, scoref.Score):
            score = score._replace(recall=score.precision, precision=score.recall)
        swapped[name] = score
    _assert_agree(forth, swapped)


def test_metrics_without_a_mirror_are_not_symmetric() -> None:
    key, response = [[0, 1, 2], [3], [9]], [[0, 1], [2, 3], [4], [5, 6]]
    forth, back = _scores(key, response), _scores(response, key)
    for name, record in RECORDS.items():
        if record.laws.mirror is None:
            recall, precision, _ = figures_of(forth[name])
            assert (precision, recall) != figures_of(back[name])[:2], name


@given(key=entities(), response=entities(), data=st.data())
def test_the_order_of_entities_does_not_matter(
    key: Entities, response: Entities, data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(key)), data.draw(st.permutations(response))
    _assert_agree(_scores(*shuffled), _scores(key, response))


@given(key=entities(), response=entities(), data=st.data())
def test_the_order_of_mentions_does_not_matter(
    key: Entities, response: Entities, data: st.DataObject
) -> None:
    shuffled = [
        [data.draw(st.permutations(entity)) for entity in side]
        for side in (key, response)
    ]
    _assert_agree(_scores(shuffled[0], shuffled[1]), _scores(key, response))


@given(key=entities(), response=entities(), names=st.permutations(range(12)))
def test_what_mentions_are_called_does_not_matter(
    key: Entities, response: Entities, names: list[int]
) -> None:
    renamed = [
        [[names[mention] for mention in entity] for entity in side]
        for side in (key, response)
    ]
    _assert_agree(_scores(renamed[0], renamed[1]), _scores(key, response))


@given(corpus=corpora(), key=entities(), response=entities())
def test_adding_a_document_adds_its_counts(
    corpus: tuple[Documents, Documents], key: Entities, response: Entities
) -> None:
    before, alone = _result(*corpus).counts, _result(key, response).counts
    longer = corpus[0] | {"one more": key}, corpus[1] | {"one more": response}
    after = _result(*longer).counts
    assert before.keys() == alone.keys() == after.keys()
    for part, counts in after.items():
        expected = np.concatenate((before[part], alone[part]))
        assert counts.tolist() == expected.tolist(), part


@given(corpus=corpora())
def test_a_corpus_is_scored_on_the_sum_of_its_counts(
    corpus: tuple[Documents, Documents],
) -> None:
    result = _result(*corpus)
    metrics = metrics_of(result.scheme)
    for part, counts in result.counts.items():
        if part in result.scores:
            expected = metrics[part].score_of(counts.sum(axis=0))
            assert result.scores[part] == expected, part


@given(corpus=corpora())
def test_several_sums_are_scored_at_once_like_each_alone(
    corpus: tuple[Documents, Documents],
) -> None:
    result = _result(*corpus)
    metrics = metrics_of(result.scheme)
    for part, counts in result.counts.items():
        if part in result.scores:
            sums = np.concatenate((counts, counts.sum(axis=0, keepdims=True)))
            alone = [metrics[part].score(each) for each in sums]
            np.testing.assert_allclose(metrics[part].score(sums), alone, err_msg=part)


@given(corpus=corpora(), data=st.data())
def test_the_order_of_documents_does_not_matter(
    corpus: tuple[Documents, Documents], data: st.DataObject
) -> None:
    key, response = corpus
    shuffled = {each: key[each] for each in data.draw(st.permutations(list(key)))}
    _assert_agree(_scores(shuffled, response), _scores(key, response))


@given(key=entities(), response=entities())
def test_a_metric_alone_scores_as_among_others(
    key: Entities, response: Entities
) -> None:
    alone = {
        name: scoref.score(key, response, metrics=name).scores[name] for name in EVERY
    }
    assert alone == _scores(key, response)


@given(side=entities())
def test_identical_sides_score_one_or_are_said_to_be_undefined(side: Entities) -> None:
    for name, score in _scores(side, side).items():
        if name in {"fowlkes-mallows", "links"} and not any(len(e) > 1 for e in side):
            assert score.f1 == 0.0, name  # 0/0 pairs
        elif score.is_defined:
            perfect = _perfect(name)
            assert {*figures_of(score)} <= {perfect, None}, name
            assert score.f1 == perfect, name


def _perfect(name: str) -> float:
    return float(not (name in RECORDS and RECORDS[name].is_distance))


def test_identical_sides_with_links_of_both_kinds_score_one() -> None:
    side = [[0, 1], [2, 3, 4], [5]]
    found = {name: (s.f1, s.is_defined) for name, s in _scores(side, side).items()}
    assert found == {name: (_perfect(name), True) for name in EVERY}


@given(corpus=corpora())
def test_every_figure_lies_within_the_bounds_of_its_metric(
    corpus: tuple[Documents, Documents],
) -> None:
    result = _result(*corpus)
    scores = [result.scores, *result.per_document.values()]
    for name in EVERY:
        laws = RECORDS[name].laws if name in RECORDS else Laws()
        figures = chain.from_iterable(figures_of(each[name]) for each in scores)
        assert all(
            figure is None or laws.lowest <= figure <= laws.highest
            for figure in figures
        ), name


def test_metrics_reach_below_zero_and_above_one_where_their_bounds_say_so() -> None:
    apart = _scores([[0, 1], [2, 3]], [[0, 2], [1, 3]])
    for name, record in RECORDS.items():
        assert (record.laws.lowest < 0) == (apart[name].f1 < 0), name
    far = _scores([[*range(6)]], [[mention] for mention in range(6)])
    for name, record in RECORDS.items():
        assert (record.laws.highest > 1) == (far[name].f1 > 1), name


@given(side=entities())
def test_an_empty_side_scores_zero(side: Entities) -> None:
    for scores in (_scores(side, []), _scores([], side)):
        _assert_zero(scores)


@given(key=entities(), response=entities())
def test_sides_without_a_common_mention_score_zero(
    key: Entities, response: Entities
) -> None:
    others = [[mention + 100 for mention in entity] for entity in response]
    _assert_zero(_scores(key, others))


def _assert_zero(scores: Mapping[str, AnyScore]) -> None:
    for name, score in scores.items():
        if name in RECORDS and RECORDS[name].laws.credits_twinless:
            continue
        assert {*figures_of(score)} <= {0.0, None}, name
        assert score.f1 == 0.0, name


def test_some_metrics_credit_mentions_on_one_side_only() -> None:
    scores = _scores([[0], [1, 2]], [[100], [1, 2]])
    others = _scores([[1, 2]], [[1, 2]])
    for name, record in RECORDS.items():
        if record.laws.credits_twinless:
            assert scores[name].f1 == others[name].f1 == 1, name


@pytest.mark.parametrize("response", [[], [[100, 101], [102]]], ids=["empty", "other"])
def test_metrics_of_common_mentions_are_undefined_without_any(
    response: Entities,
) -> None:
    for sides in (([[0, 1], [2]], response), (response, [[0, 1], [2]])):
        scores = _scores(*sides)
        found = {name: (scores[name].f1, scores[name].is_defined) for name in RECORDS}
        assert {name: found[name] for name in OF_COMMON_MENTIONS} == dict.fromkeys(
            OF_COMMON_MENTIONS, (0.0, False)
        )


@pytest.mark.parametrize("nothing", [[], {}], ids=["entities", "documents"])
def test_nothing_against_nothing_is_undefined(nothing: Entities | Documents) -> None:
    scores = _scores(nothing, nothing)
    found = {name: (score.f1, score.is_defined) for name, score in scores.items()}
    assert found == dict.fromkeys(EVERY, (0.0, False))


@given(side=entities())
def test_an_entity_without_mentions_does_not_count(side: Entities) -> None:
    assert _scores([[], *side], [*side, []]) == _scores(side, side)


@given(key=entities(), response=entities())
def test_figures_are_plain_numbers(key: Entities, response: Entities) -> None:
    for name, score in _scores(key, response).items():
        assert {type(figure) for figure in figures_of(score)} <= {float, type(None)}, (
            name
        )
        assert (type(score.f1), type(score.is_defined)) == (float, bool), name

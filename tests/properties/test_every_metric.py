"""What holds for every metric, the one added tomorrow included."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import scoref
from scoref.metrics import metrics_of, usual
from strategies import Documents, Entities, corpora, entities

if TYPE_CHECKING:
    from scoref.metrics.base import Score

every_metric = pytest.mark.parametrize("name", usual("texts"))

# The key alone decides which kinds of links count in BLANC.
LOOKS_AT_THE_KEY_FIRST = {"blanc"}
FIGURES = ("recall", "precision", "f1")


def _score(
    key: Entities | Documents, response: Entities | Documents, name: str
) -> Score:
    return scoref.score(key, response, metrics=name).scores[name]


def _figures(score: Score) -> list[float]:
    """List what there is of recall, precision and F1; absent ones are never near."""
    return [-9.0 if figure is None else figure for figure in score[:3]]


def _agree(one: Score, other: Score) -> bool:
    """Allow a sum in another order to differ in its last digits."""
    near = _figures(one) == pytest.approx(_figures(other), rel=1e-12)
    return near and one.is_defined == other.is_defined


def _has_links_of_both_kinds(side: Entities) -> bool:
    return len(side) > 1 and any(len(entity) > 1 for entity in side)


@every_metric
@given(key=entities(), response=entities())
def test_swapping_the_sides_swaps_recall_and_precision(
    name: str, key: Entities, response: Entities
) -> None:
    if name in LOOKS_AT_THE_KEY_FIRST:
        assume(_has_links_of_both_kinds(key) and _has_links_of_both_kinds(response))
    forth, back = _score(key, response, name), _score(response, key, name)
    swapped = back._replace(recall=back.precision, precision=back.recall)
    assert _agree(forth, swapped)


@every_metric
@given(key=entities(), response=entities(), data=st.data())
def test_the_order_of_entities_does_not_matter(
    name: str, key: Entities, response: Entities, data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(key)), data.draw(st.permutations(response))
    assert _agree(_score(*shuffled, name), _score(key, response, name))


@every_metric
@given(key=entities(), response=entities(), data=st.data())
def test_the_order_of_mentions_does_not_matter(
    name: str, key: Entities, response: Entities, data: st.DataObject
) -> None:
    shuffled = [
        [data.draw(st.permutations(entity)) for entity in side]
        for side in (key, response)
    ]
    assert _agree(_score(shuffled[0], shuffled[1], name), _score(key, response, name))


@every_metric
@given(key=entities(), response=entities(), names=st.permutations(range(12)))
def test_what_mentions_are_called_does_not_matter(
    name: str, key: Entities, response: Entities, names: list[int]
) -> None:
    renamed = [
        [[names[mention] for mention in entity] for entity in side]
        for side in (key, response)
    ]
    assert _agree(_score(renamed[0], renamed[1], name), _score(key, response, name))


@every_metric
@given(corpus=corpora(), key=entities(), response=entities())
def test_adding_a_document_adds_its_counts(
    name: str, corpus: tuple[Documents, Documents], key: Entities, response: Entities
) -> None:
    before = scoref.score(*corpus, metrics=name).counts
    alone = scoref.score(key, response, metrics=name).counts
    longer = corpus[0] | {"one more": key}, corpus[1] | {"one more": response}
    after = scoref.score(*longer, metrics=name).counts
    assert before.keys() == alone.keys() == after.keys()
    for part, counts in after.items():
        expected = np.concatenate((before[part], alone[part]))
        assert counts.tolist() == expected.tolist()


@every_metric
@given(corpus=corpora())
def test_a_corpus_is_scored_on_the_sum_of_its_counts(
    name: str, corpus: tuple[Documents, Documents]
) -> None:
    result = scoref.score(*corpus, metrics=name)
    metrics = metrics_of(result.scheme)
    for part, counts in result.counts.items():
        if part in result.scores:
            expected = metrics[part].score_of(counts.sum(axis=0))
            assert result.scores[part] == expected


@every_metric
@given(corpus=corpora(), data=st.data())
def test_the_order_of_documents_does_not_matter(
    name: str, corpus: tuple[Documents, Documents], data: st.DataObject
) -> None:
    key, response = corpus
    shuffled = {each: key[each] for each in data.draw(st.permutations(list(key)))}
    assert _agree(_score(shuffled, response, name), _score(key, response, name))


@every_metric
@given(side=entities())
def test_identical_sides_score_one_or_are_said_to_be_undefined(
    name: str, side: Entities
) -> None:
    score = _score(side, side, name)
    if score.is_defined:
        assert {getattr(score, figure) for figure in FIGURES} <= {1.0, None}
        assert score.f1 == 1.0


@every_metric
def test_identical_sides_with_links_of_both_kinds_score_one(name: str) -> None:
    side = [["a", "b"], ["c", "d", "e"], ["f"]]
    result = scoref.score(side, side, metrics=name)
    assert (result.scores[name].f1, result.scores[name].is_defined) == (1.0, True)


@every_metric
@given(corpus=corpora())
def test_every_figure_lies_between_zero_and_one(
    name: str, corpus: tuple[Documents, Documents]
) -> None:
    result = scoref.score(*corpus, metrics=name)
    scores = [result.scores, *result.per_document.values()]
    figures = chain.from_iterable(each[name][:3] for each in scores)
    assert all(figure is None or 0 <= figure <= 1 for figure in figures)


@every_metric
@given(side=entities())
def test_an_empty_side_scores_zero(name: str, side: Entities) -> None:
    for score in (_score(side, [], name), _score([], side, name)):
        assert {getattr(score, figure) for figure in FIGURES} <= {0.0, None}
        assert score.f1 == 0.0


@every_metric
def test_nothing_against_nothing_is_undefined(name: str) -> None:
    score = _score([], [], name)
    assert (score.f1, score.is_defined) == (0.0, False)


@every_metric
def test_a_corpus_without_documents_is_undefined(name: str) -> None:
    score = _score({}, {}, name)
    assert (score.f1, score.is_defined) == (0.0, False)


@every_metric
@given(side=entities())
def test_an_entity_without_mentions_does_not_count(name: str, side: Entities) -> None:
    assert _score([[], *side], [*side, []], name) == _score(side, side, name)


@every_metric
@given(key=entities(), response=entities())
def test_figures_are_plain_numbers(
    name: str, key: Entities, response: Entities
) -> None:
    score = _score(key, response, name)
    assert {type(figure) for figure in score[:3]} <= {float, type(None)}
    assert (type(score.f1), type(score.is_defined)) == (float, bool)

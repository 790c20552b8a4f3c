"""Every figure of two clusterings follows from its definition."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import scoref
from scoref.contingency import FATES
from scoref.contingency.partition import fates_of
from support.clusterings import (
    ALL_RATIOS,
    INDICES,
    OF_TABLES,
    Ratios,
    counted,
    indices,
    ratios,
    tabulate,
)
from support.oracle_clusterings import RATIO_ORACLES, common, fates, steps_between
from support.oracle_clusterings import values as oracle_values
from support.oracle_metrics import sets_of
from support.strategies import Entities, entities

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from scoref.metrics.base import AnyScore

SKLEARN = {
    "rand": "rand_score",
    "ari": "adjusted_rand_score",
    "fowlkes-mallows": "fowlkes_mallows_score",
    "homogeneity": "homogeneity_score",
    "completeness": "completeness_score",
    "v-measure": "v_measure_score",
}
CORE = ("muc", "bcub", "ceafm", "ceafe", "lea", "blanc")

labels = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20
)


def _numbers(ratios: Ratios) -> list[float]:
    return [*ratios.recall, *ratios.precision]


def _grouped(column: list[int]) -> Entities:
    actual: dict[int, list[int]] = {}
    for mention, label in enumerate(column):
        actual.setdefault(label, []).append(mention)
    return list(actual.values())


def _check_counts(key: Entities, response: Entities) -> None:
    table = tabulate(key, response)
    for name, oracle in RATIO_ORACLES.items():
        expected = oracle(sets_of(key), sets_of(response))
        actual = pytest.approx(_numbers(ratios(table, name)), rel=1e-13)
        assert list(map(float, expected)) == actual, name


@given(key=entities(), response=entities())
def test_counts_follow_from_the_definition(key: Entities, response: Entities) -> None:
    _check_counts(key, response)


@given(rows=labels)
def test_counts_of_the_same_mentions_follow_from_the_definition(
    rows: list[tuple[int, int]],
) -> None:
    key, response = (_grouped(list(column)) for column in zip(*rows, strict=True))
    _check_counts(key, response)


@given(rows=labels)
def test_variants_for_twinless_mentions_agree_where_there_is_none(
    rows: list[tuple[int, int]],
) -> None:
    key, response = (_grouped(list(column)) for column in zip(*rows, strict=True))
    table = tabulate(key, response)
    for plain, variants in {
        "bcub": ("bcub-0", "bcub-all", "bcub-rn", "bcub-sys"),
        "ceafm": ("ceafm-rn", "ceafm-sys"),
        "ceafe": ("ceafe-sys",),
    }.items():
        for name in variants:
            expected = [*chain(*ratios(table, plain))]
            assert [*chain(*ratios(table, name))] == pytest.approx(expected, rel=1e-14)


@given(key=entities(), response=entities())
def test_indices_follow_from_their_definitions(
    key: Entities, response: Entities
) -> None:
    sides = common(sets_of(key), sets_of(response))
    assume(sides[0])
    expected = oracle_values(*sides)
    found = indices(tabulate(key, response))
    assert {name: found[name] for name in expected} == pytest.approx(
        expected, rel=1e-12, abs=1e-12
    )


@given(key=entities(), response=entities())
def test_indices_are_of_common_mentions_only(key: Entities, response: Entities) -> None:
    sides = common(sets_of(key), sets_of(response))
    actual = indices(tabulate(key, response))
    assert actual == indices(tabulate(*sides))


@given(side=entities())
def test_indices_of_equal_clusterings_are_exact(side: Entities) -> None:
    assume(any(len(entity) > 1 for entity in side))
    perfect = {name: 0.0 if OF_TABLES[name].is_distance else 1.0 for name in INDICES}
    assert indices(tabulate(side, side)) == perfect


@given(rows=labels)
def test_a_finer_response_is_exactly_homogeneous(rows: list[tuple[int, int]]) -> None:
    key = _grouped([one for one, _ in rows])
    finer = _grouped([6 * one + other for one, other in rows])
    assert indices(tabulate(key, finer))["homogeneity"] == 1.0
    assert indices(tabulate(finer, key))["completeness"] == 1.0


@given(data=st.data())
def test_the_merge_distance_is_the_length_of_the_shortest_way(
    data: st.DataObject,
) -> None:
    column = st.lists(st.integers(0, 4), min_size=5, max_size=5)
    key, response = (_grouped(data.draw(column)) for _ in range(2))
    actual = indices(tabulate(key, response))["gmd"]
    assert actual == steps_between(
        frozenset(sets_of(key)), frozenset(sets_of(response))
    )


@given(key=entities(), response=entities())
def test_what_became_of_clusters_is_seen_by_looking_at_them(
    key: Entities, response: Entities
) -> None:
    actual = fates_of(tabulate(key, response))
    expected = fates(sets_of(key), sets_of(response))
    assert {name: actual[name] for name in FATES} == {
        name: expected.get(name, 0) for name in FATES
    }


@given(rows=labels)
@pytest.mark.parametrize("name", SKLEARN)
def test_scikit_learn_gives_the_same(name: str, rows: list[tuple[int, int]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not there")
    theirs: Callable[[list[int], list[int]], float] = getattr(metrics, SKLEARN[name])
    columns = [list(column) for column in zip(*rows, strict=True)]
    table = tabulate(_grouped(columns[0]), _grouped(columns[1]))
    expected = theirs(columns[0], columns[1])
    assert indices(table)[name] == pytest.approx(expected, rel=0, abs=1e-12)


def _agree(one: AnyScore, other: AnyScore) -> bool:
    near = one[:3] == pytest.approx(other[:3], rel=1e-12, abs=1e-12)
    return near and one.is_defined == other.is_defined


@given(key=entities(), response=entities())
def test_tables_and_entities_have_the_same_scores(
    key: Entities, response: Entities
) -> None:
    table = tabulate(key, response)
    core = scoref.score(key, response).scores
    for name in CORE:
        assert _agree(OF_TABLES[name](counted(table)), core[name]), name


def test_every_oracle_is_that_of_a_metric() -> None:
    assert set(RATIO_ORACLES) <= set(ALL_RATIOS)


def test_an_oracle_is_a_count_of_sets() -> None:
    actual: tuple[Fraction, ...] = RATIO_ORACLES["bcub-sys"](
        sets_of([[1, 2, 3]]), sets_of([[1, 2, 4], [5, 6]])
    )
    assert [round(float(part), 3) for part in actual] == [1.667, 3.0, 3.667, 6.0]

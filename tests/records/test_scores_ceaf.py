"""CEAF of tables: ties, sparse to dense, and many clusters with a proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from scoref.contingency.partition import commons, partition
from scoref.metrics import ceaf_variants
from scoref.metrics.ceaf import align_by_entities, align_by_mentions
from support.clusterings import ratios, tabulate_labels
from support.nightly import IS_NIGHTLY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.contingency import Contingency

    Ints = NDArray[np.int64]

CLUSTERS = 100_000 if IS_NIGHTLY else 10_000
_FREE = -1


def _noisy(mentions: int, clusters: int, noise: float, seed: int) -> Contingency:
    """Cluster mentions evenly, and move some of them anywhere."""
    rng = np.random.default_rng(seed)
    more = rng.integers(0, clusters, mentions - clusters)
    key = np.concatenate((np.arange(clusters), more))
    moved = rng.random(mentions) < noise
    response = np.where(moved, rng.integers(0, clusters, mentions), key)
    _, response = np.unique(response, return_inverse=True)
    return tabulate_labels(key, response)


def _with_twinless(table: Contingency, seed: int) -> Contingency:
    """Give clusters mentions that the other side lacks."""
    rng = np.random.default_rng(seed)
    return table._replace(
        key_size=table.key_size + rng.integers(0, 3, len(table.key_size)),
        response_size=table.response_size
        + rng.integers(0, 3, len(table.response_size)),
    )


def _dense(table: Contingency) -> tuple[float, float]:
    """Solve CEAFm and CEAFe on a matrix with all pairs of clusters."""
    shared = np.zeros((len(table.key_size), len(table.response_size)))
    shared[table.cell_key, table.cell_response] = table.overlap
    sizes = table.key_size[:, None] + table.response_size[None, :]
    actual = []
    for similarity in (shared, 2 * shared / sizes):
        chosen = linear_sum_assignment(similarity, maximize=True)
        actual.append(float(similarity[chosen].sum()))
    return actual[0], actual[1]


def _dense_sys(table: Contingency) -> tuple[float, float]:
    """Solve precision of both CEAF_sys; each singleton has a row of its own."""
    own, theirs = table.key_size, table.response_size
    key_common, response_common = commons(partition(table))
    missing = np.repeat(np.arange(len(own)), own - key_common)
    is_kept = (theirs != 1) | (response_common != 0)
    other = np.where(is_kept, theirs - response_common, 0)
    spurious = np.repeat(np.arange(len(theirs)), other)
    rows, columns = len(own), len(theirs)
    shared = np.zeros((rows + len(spurious), columns + len(missing)))
    shared[table.cell_key, table.cell_response] = table.overlap
    shared[missing, columns + np.arange(len(missing))] = 1
    shared[rows + np.arange(len(spurious)), spurious] = 1
    key = np.append(own, np.ones(len(spurious)))
    response = np.append(theirs, np.ones(len(missing)))
    actual = []
    for similarity in (shared, 2 * shared / (key[:, None] + response[None, :])):
        chosen = linear_sum_assignment(similarity, maximize=True)
        actual.append(float(similarity[chosen].sum()))
    return actual[0], actual[1]


TABLES = [
    pytest.param(
        _noisy(mentions, clusters, noise, seed), id=f"{mentions}-{clusters}-{noise}"
    )
    for seed, (mentions, clusters) in enumerate(
        [(30, 15), (80, 40), (200, 60), (400, 20), (2_000, 25), (600, 200)]
    )
    for noise in (0.1, 0.5, 1.0)
]


@pytest.mark.parametrize("table", TABLES)
def test_the_best_alignment_of_a_dense_matrix_is_found(table: Contingency) -> None:
    by_mentions, by_dice = _dense(table)
    assert ratios(table, "ceafm").recall[0] == by_mentions
    assert ratios(table, "ceafe").recall[0] == pytest.approx(by_dice, rel=1e-12)


@pytest.mark.parametrize("table", TABLES)
def test_one_singleton_stands_for_all_of_a_cluster(table: Contingency) -> None:
    table = _with_twinless(table, seed=3)
    by_mentions, by_dice = _dense_sys(table)
    assert ratios(table, "ceafm-sys").precision[0] == by_mentions
    actual = ratios(table, "ceafe-sys").precision[0]
    assert actual == pytest.approx(by_dice, rel=1e-12)


@pytest.mark.parametrize("clusters", [2, 7, 40])
def test_where_all_clusters_are_as_near_any_alignment_is_the_best(
    clusters: int,
) -> None:
    key = np.repeat(np.arange(clusters), clusters)
    response = np.tile(np.arange(clusters), clusters)
    table = tabulate_labels(key, response)
    assert ratios(table, "ceafm").recall == (clusters, clusters**2)
    assert ratios(table, "ceafe").recall == pytest.approx((1.0, clusters), rel=1e-15)


def test_alignments_that_differ_in_the_seventh_digit_are_told_apart() -> None:
    cells = [278, 218, 176, 129]
    table = tabulate_labels(
        np.repeat([0, 0, 1, 1], cells), np.repeat([0, 1, 0, 1], cells)
    )
    straight = 2 * 278 / (496 + 454) + 2 * 129 / (305 + 347)
    crossed = 2 * 218 / (496 + 347) + 2 * 176 / (305 + 454)
    assert 0 < straight - crossed < 1e-7
    assert ratios(table, "ceafe").recall[0] == pytest.approx(straight, rel=1e-14)


@pytest.mark.parametrize("name", ["ceafm", "ceafe", "ceafm-sys", "ceafe-sys"])
@pytest.mark.parametrize("noise", [0.2, 0.6])
def test_many_clusters_a_side_are_aligned_and_proved(name: str, noise: float) -> None:
    table = _noisy(6 * CLUSTERS, CLUSTERS, noise, seed=5)
    if name.endswith("sys"):
        table = _with_twinless(table, seed=6)
    table = partition(table)
    if name.endswith("sys"):
        table = ceaf_variants._for_precision(table)  # noqa: SLF001
    by_entities = name.startswith("ceafe")
    align = align_by_entities if by_entities else align_by_mentions
    weight = _dice(table) if by_entities else table.overlap
    _prove(table, weight, align(table))


def _dice(table: Contingency) -> Ints:
    """Weigh pairs as a multiple of 2^-40."""
    key, response = (
        table.key_size[table.cell_key],
        table.response_size[table.cell_response],
    )
    weight: Ints = (2 * table.overlap << 40) // (key + response)
    return weight


def _prove(table: Contingency, weight: Ints, chosen: Ints) -> None:
    """Find duals that no alignment can exceed, and that this one reaches.

    A key cluster has a dual u, a response cluster v, both 0 where it stays alone;
    u + v is the weight of an aligned pair, and no pair weighs more. So v follows from
    u, and the least u from going round until nothing rises.
    """
    width = len(table.response_size)
    key, response = table.cell_key[chosen], table.cell_response[chosen]
    assert len({*key.tolist()}) == len({*response.tolist()}) == len(chosen)
    partner, own = np.full(width, _FREE), np.zeros(width, dtype=np.int64)
    partner[response], own[response] = key, weight[chosen]
    dual = _least(table, weight - own[table.cell_response], partner)
    of_response = np.where(partner == _FREE, 0, own - dual[partner])
    assert (of_response >= 0).all()
    assert (dual[table.cell_key] + of_response[table.cell_response] >= weight).all()
    assert int(dual.sum() + of_response.sum()) == int(weight[chosen].sum())


def _least(table: Contingency, more: Ints, partner: Ints) -> Ints:
    """Raise duals to that of the cluster which has what they could have, and more."""
    dual = np.zeros(len(table.key_size) + 1, dtype=np.int64)  # the last: nobody's
    for _ in range(10_000):
        raised = dual.copy()
        np.maximum.at(raised, table.cell_key, more + dual[partner[table.cell_response]])
        if np.array_equal(raised, dual):
            return dual
        dual = raised
    pytest.fail("the duals do not settle: some other alignment is better")

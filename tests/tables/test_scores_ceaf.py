"""CEAF of tables: ties, sparse to dense, and 100,000 clusters with a proof."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from clusterings import Tabulated, tabulate_labels
from scoref.metrics import _assignment, alignments
from scoref.metrics.alignments import ALIGNMENTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.contingency.profile import Cells
    from scoref.metrics.alignments import Credit

    Ints = NDArray[np.int64]

_FREE = -1


def _noisy(mentions: int, clusters: int, noise: float, seed: int) -> Tabulated:
    """Cluster mentions evenly, and move some of them anywhere."""
    rng = np.random.default_rng(seed)
    more = rng.integers(0, clusters, mentions - clusters)
    key = np.concatenate((np.arange(clusters), more))
    moved = rng.random(mentions) < noise
    response = np.where(moved, rng.integers(0, clusters, mentions), key)
    _, response = np.unique(response, return_inverse=True)
    return tabulate_labels(key, response)


def _with_twinless(table: Tabulated, seed: int) -> Tabulated:
    """Give clusters mentions that the other side lacks."""
    rng = np.random.default_rng(seed)
    sides = [
        side._replace(size=side.size + rng.integers(0, 3, len(side.size)))
        for side in (table.key, table.response)
    ]
    return Tabulated(table.cells, *sides)


def _dense(table: Tabulated) -> tuple[float, float]:
    """Solve CEAFm and CEAFe on a matrix with all pairs of clusters."""
    shared = np.zeros((len(table.key.size), len(table.response.size)))
    shared[table.cells.key, table.cells.response] = table.cells.n
    sizes = table.key.size[:, None] + table.response.size[None, :]
    found = []
    for similarity in (shared, 2 * shared / sizes):
        chosen = linear_sum_assignment(similarity, maximize=True)
        found.append(float(similarity[chosen].sum()))
    return found[0], found[1]


def _dense_sys(table: Tabulated) -> tuple[float, float]:
    """Solve precision of both CEAF_sys; each singleton has a row of its own."""
    sides = table.sides
    missing = np.repeat(np.arange(len(sides.key)), sides.key - sides.key_common)
    other = np.where(sides.is_kept, sides.response - sides.response_common, 0)
    spurious = np.repeat(np.arange(len(sides.response)), other)
    rows, columns = len(sides.key), len(sides.response)
    shared = np.zeros((rows + len(spurious), columns + len(missing)))
    shared[table.cells.key, table.cells.response] = table.cells.n
    shared[missing, columns + np.arange(len(missing))] = 1
    shared[rows + np.arange(len(spurious)), spurious] = 1
    key = np.append(sides.key, np.ones(len(spurious)))
    response = np.append(sides.response, np.ones(len(missing)))
    found = []
    for similarity in (shared, 2 * shared / (key[:, None] + response[None, :])):
        chosen = linear_sum_assignment(similarity, maximize=True)
        found.append(float(similarity[chosen].sum()))
    return found[0], found[1]


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
def test_the_best_alignment_of_a_dense_matrix_is_found(table: Tabulated) -> None:
    by_mentions, by_dice = _dense(table)
    assert table.ratios("ceafm").recall[0] == by_mentions
    assert table.ratios("ceafe").recall[0] == pytest.approx(by_dice, rel=1e-12)


@pytest.mark.parametrize("table", TABLES)
def test_one_singleton_stands_for_all_of_a_cluster(table: Tabulated) -> None:
    table = _with_twinless(table, seed=3)
    by_mentions, by_dice = _dense_sys(table)
    assert table.ratios("ceafm-sys").precision[0] == by_mentions
    found = table.ratios("ceafe-sys").precision[0]
    assert found == pytest.approx(by_dice, rel=1e-12)


@pytest.mark.parametrize("clusters", [2, 7, 40])
def test_where_all_clusters_are_as_near_any_alignment_is_the_best(
    clusters: int,
) -> None:
    key = np.repeat(np.arange(clusters), clusters)
    response = np.tile(np.arange(clusters), clusters)
    table = tabulate_labels(key, response)
    assert table.ratios("ceafm").recall == (clusters, clusters**2)
    assert table.ratios("ceafe").recall == (1.0, clusters)


@pytest.mark.parametrize("name", ["ceafm", "ceafe", "ceafm-sys", "ceafe-sys"])
@pytest.mark.parametrize("noise", [0.2, 0.6])
def test_100000_clusters_a_side_take_seconds_and_are_proved(
    name: str, noise: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_assignment, "_solve_with_scipy", _must_not_be_asked)
    table = _noisy(600_000, 100_000, noise, seed=5)
    if name.endswith("sys"):
        table = _with_twinless(table, seed=6)
    start = time.process_time()
    found = ALIGNMENTS[name](table.cells, table.sides)
    assert time.process_time() - start < 20
    cells = table.cells
    if name.endswith("sys"):
        cells = alignments._with_singletons(cells, table.sides, of_response=True)  # noqa: SLF001
    weight = _dice(cells, table) if name.startswith("ceafe") else cells.n
    _prove(cells, weight, found.precision)


def _must_not_be_asked(component: list[_assignment.Edge]) -> list[int]:
    pytest.fail(f"a component of {len(component)} edges took too long")


def _dice(cells: Cells, table: Tabulated) -> Ints:
    """Weigh pairs as a multiple of 2^-40; what was added is a singleton."""
    key, response = (
        np.append(side.size, 1)[np.minimum(cluster, len(side.size))]
        for side, cluster in ((table.key, cells.key), (table.response, cells.response))
    )
    weight: Ints = (2 * cells.n << 40) // (key + response)
    return weight


def _prove(cells: Cells, weight: Ints, credit: Credit) -> None:
    """Find duals that no alignment can exceed, and that this one reaches.

    A key cluster has a dual u, a response cluster v, both 0 where it stays alone;
    u + v is the weight of an aligned pair, and no pair weighs more. So v follows from
    u, and the least u from going round until nothing rises.
    """
    width = int(cells.response.max()) + 1
    code = cells.key * width + cells.response
    order = np.argsort(code)
    chosen = credit.key * width + credit.response
    aligned = weight[order[np.searchsorted(code, chosen, sorter=order)]]
    assert (
        len({*credit.key.tolist()}) == len({*credit.response.tolist()}) == len(chosen)
    )
    partner, own = np.full(width, _FREE), np.zeros(width, dtype=np.int64)
    partner[credit.response], own[credit.response] = credit.key, aligned
    dual = _least(cells, weight - own[cells.response], partner)
    of_response = np.where(partner == _FREE, 0, own - dual[partner])
    assert (of_response >= 0).all()
    assert (dual[cells.key] + of_response[cells.response] >= weight).all()
    assert int(dual.sum() + of_response.sum()) == int(aligned.sum())


def _least(cells: Cells, more: Ints, partner: Ints) -> Ints:
    """Raise duals to that of the cluster which has what they could have, and more."""
    dual = np.zeros(int(cells.key.max()) + 2, dtype=np.int64)  # the last: nobody's
    for _ in range(10_000):
        raised = dual.copy()
        np.maximum.at(raised, cells.key, more + dual[partner[cells.response]])
        if np.array_equal(raised, dual):
            return dual
        dual = raised
    pytest.fail("the duals do not settle: some other alignment is better")

"""Maximum-weight matching: the optimum, its proof, and its way out.

Matching by auction: the optimum, and values that prove it.

Prices prove the best matching, and no other.
"""

from __future__ import annotations

import itertools
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from scoref.metrics import _assignment
from scoref.metrics._assignment import (
    HEAVIEST,
    ComponentMatching,
    Edge,
    Graph,
    auction,
    best_matching,
    prices,
)

Ints = NDArray[np.int64]

Graph_assignment = tuple[Ints, Ints, Ints]


def _graph(edges: list[tuple[int, int, int]]) -> Graph_assignment:
    row, column, weight = np.array(edges, dtype=np.int64).reshape(-1, 3).T
    return row, column, weight


def _total(graph: Graph_assignment) -> int:
    """Weigh the matching that is found, and see that it is one."""
    row, column, weight = graph
    chosen = best_matching(row, column, weight)
    assert (np.diff(chosen) > 0).all()
    assert len(set(row[chosen].tolist())) == len(chosen)
    assert len(set(column[chosen].tolist())) == len(chosen)
    return sum(weight[chosen].tolist())


def _best_total(graph: Graph_assignment) -> int:
    """Solve the same on a dense matrix; free ends are pairs that weigh nothing."""
    row, column, weight = graph
    if not len(row):
        return 0
    dense = np.zeros((row.max() + 1, column.max() + 1), dtype=np.int64)
    dense[row, column] = weight
    return int(dense[linear_sum_assignment(dense, maximize=True)].sum())


def _random_graph(
    seed: int, *, nodes: int, density: float, heaviest: int
) -> Graph_assignment:
    rng = np.random.default_rng(seed)
    weight = rng.integers(1, heaviest, (nodes, nodes + seed % 7), endpoint=True)
    row, column = np.nonzero(rng.random(weight.shape) < density)
    return row, column, weight[row, column]


@st.composite
def graphs(draw: st.DrawFn, *, heaviest: int) -> Graph_assignment:
    ends = st.tuples(st.integers(0, 7), st.integers(0, 7))
    weights = st.integers(1, heaviest)
    edges = draw(st.dictionaries(ends, weights, max_size=30))
    return _graph([(*pair, weight) for pair, weight in edges.items()])


def _edges(graph: Graph_assignment) -> list[Edge]:
    row, column, weight = (end.tolist() for end in graph)
    rows = zip(row, column, weight, range(len(row)), strict=True)
    return [Edge(*each) for each in rows]


SEEDED = [
    pytest.param(
        _random_graph(seed, nodes=nodes, density=density, heaviest=heaviest),
        id=f"{nodes}-{density}-{heaviest}-{seed}",
    )
    for nodes, density in [(6, 0.5), (25, 1.0), (40, 0.1), (60, 0.04), (60, 0.5)]
    for heaviest in (1, 3, 2**40)
    for seed in range(4)
]


@given(graph=graphs(heaviest=4))
def test_ties_do_not_hide_the_optimum(graph: Graph_assignment) -> None:
    assert _total(graph) == _best_total(graph)


@given(graph=graphs(heaviest=2**40))
def test_large_weights_are_added_exactly(graph: Graph_assignment) -> None:
    assert _total(graph) == _best_total(graph)


@pytest.mark.parametrize("graph", SEEDED)
def test_sparse_and_dense_graphs_give_the_optimum(graph: Graph_assignment) -> None:
    assert _total(graph) == _best_total(graph)


SCIPY, AUCTION = 100_000, 0


@pytest.mark.parametrize("most", [SCIPY, AUCTION])
@pytest.mark.parametrize("graph", SEEDED)
def test_other_ways_give_the_same_total(
    graph: Graph_assignment, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = _total(graph)
    monkeypatch.setattr(_assignment, "_SCAN_BUDGET", 0)
    monkeypatch.setattr(_assignment, "_MOST_ROWS", most)
    assert _total(graph) == expected


@pytest.mark.parametrize("most", [SCIPY, AUCTION])
@given(graph=graphs(heaviest=3))
def test_other_ways_give_the_same_total_where_weights_are_equal(
    most: int, graph: Graph_assignment
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_assignment, "_SCAN_BUDGET", 0)
        patch.setattr(_assignment, "_MOST_ROWS", most)
        assert _total(graph) == _best_total(graph)


@pytest.mark.parametrize(
    ("most", "heaviest"), [(AUCTION, 3), (SCIPY, 1 << 53)], ids=["large", "heavy"]
)
def test_there_is_an_auction_where_rows_are_many_or_floats_would_round(
    most: int, heaviest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def pretend(*graph: Ints) -> tuple[Ints, None]:
        asked.append(len(graph[0]))
        return np.empty(0, dtype=np.int64), None

    monkeypatch.setattr(_assignment, "_SCAN_BUDGET", 0)
    monkeypatch.setattr(_assignment, "_MOST_ROWS", most)
    monkeypatch.setattr(_assignment, "auction", pretend)
    best_matching(*_random_graph(1, nodes=25, density=1.0, heaviest=heaviest))
    assert asked


@pytest.mark.parametrize("most", [SCIPY, AUCTION])
@pytest.mark.parametrize("at_once", [1, 5, 2_000])
@pytest.mark.parametrize("graph", SEEDED)
def test_a_large_kernel_is_solved_in_parts(
    graph: Graph_assignment, at_once: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = _total(graph)
    monkeypatch.setattr(_assignment, "_MANY", 0)
    monkeypatch.setattr(_assignment, "_FEW_ROWS", at_once)
    monkeypatch.setattr(_assignment, "_MOST_ROWS", most)
    assert _total(graph) == expected


def test_components_stay_whole_where_a_kernel_is_cut() -> None:
    kernel = [np.repeat(np.arange(12), 3), np.repeat(np.arange(4), 9)]
    kernel += [np.ones(36, dtype=np.int64), np.arange(36)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_assignment, "_FEW_ROWS", 5)
        parts = list(_assignment._split_kernel(*kernel))  # noqa: SLF001
    assert len(parts) > 1
    assert sorted(np.concatenate([part[3] for part in parts])) == list(range(36))
    for part, other in itertools.combinations(parts, 2):
        assert not set(part[1]) & set(other[1])


@given(graph=graphs(heaviest=6))
def test_the_duals_prove_the_optimum(graph: Graph_assignment) -> None:
    _check_certificate(_edges(graph))


@pytest.mark.parametrize("graph", SEEDED)
def test_the_duals_prove_the_optimum_of_larger_graphs(graph: Graph_assignment) -> None:
    _check_certificate(_edges(graph))


def _check_certificate(edges: list[Edge]) -> None:
    matching = ComponentMatching(edges)
    assert matching.solve(10**9)
    rows, columns = matching.row_dual, matching.column_dual
    assert all(dual >= 0 for dual in (*rows.values(), *columns.values()))
    for edge in edges:
        assert rows[edge.row] + columns[edge.column] >= edge.weight
    matched = sum(edges[position].weight for position in matching.positions())
    assert sum(rows.values()) + sum(columns.values()) == matched


def _path(weights: list[int]) -> Graph_assignment:
    """Build the path row 0, column 0, row 1, column 1, … with these weights."""
    return _graph([((n + 1) // 2, n // 2, weight) for n, weight in enumerate(weights)])


def _best_on_a_path(weights: list[int]) -> int:
    before, best = 0, 0
    for weight in weights:
        before, best = best, max(best, before + weight)
    return best


@pytest.mark.parametrize(
    "weights",
    [
        pytest.param([1] * 19_999, id="equal"),
        pytest.param([2, 3] * 9_999 + [2], id="alternating"),
        pytest.param(list(range(1, 20_000)), id="rising"),
        pytest.param(list(range(20_000, 1, -1)), id="falling"),
        pytest.param(
            np.random.default_rng(7).integers(1, 9, 19_999).tolist(), id="random"
        ),
    ],
)
def test_a_path_of_20000_nodes_is_solved(weights: list[int]) -> None:
    assert _total(_path(weights)) == _best_on_a_path(weights)


def test_a_ring_of_20000_nodes_is_solved() -> None:
    weights = np.random.default_rng(8).integers(1, 9, 20_000).tolist()
    row, column, weight = _path(weights)
    closed = row % 10_000, column, weight
    without_last = _best_on_a_path(weights[:-1])
    with_last = weights[-1] + _best_on_a_path(weights[1:-2])
    assert _total(closed) == max(without_last, with_last)


def test_no_edges_give_an_empty_matching() -> None:
    assert best_matching(*_graph([])).tolist() == []


def test_a_lighter_edge_is_left_for_two_that_weigh_more() -> None:
    row, column, weight = _graph([(0, 0, 3), (0, 1, 2), (1, 0, 2)])
    assert best_matching(row, column, weight).tolist() == [1, 2]


Graph_auction = tuple[Ints, Ints, Ints]


@st.composite
def graphs_auction(draw: st.DrawFn) -> Graph_auction:
    heaviest = draw(st.sampled_from((1, 3, 1000, 2**40)))
    ends = st.tuples(st.integers(0, 9), st.integers(0, 6))
    weights = st.integers(1, heaviest)
    edges = draw(st.dictionaries(ends, weights, min_size=1, max_size=40))
    row, column = np.array([*edges], dtype=np.int64).T
    row, column = (np.unique(end, return_inverse=True)[1] for end in (row, column))
    return row, column, np.array([*edges.values()], dtype=np.int64)


def tangled(entities: int, *, seed: int) -> Graph_auction:
    """Share out five mentions of each entity, seven of ten by chance, as φ4 weighs."""
    rng = np.random.default_rng(seed)
    key = np.repeat(np.arange(entities), 5)
    chance = rng.integers(0, entities, len(key))
    response = np.where(rng.random(len(key)) < 0.7, chance, key)
    pair, common = np.unique(key * entities + response, return_counts=True)
    row, column = np.divmod(pair, entities)
    size = 5 + np.bincount(response, minlength=entities)[column]
    weight = (2 * common / size * 2**40).astype(np.int64)
    return row, np.unique(column, return_inverse=True)[1], weight


def check(graph: Graph_auction) -> None:
    """See that it is a matching, and that the values prove that none weighs more."""
    row, column, weight = graph
    chosen, values = auction(*graph)
    assert len({*row[chosen].tolist()}) == len(chosen)
    assert len({*column[chosen].tolist()}) == len(chosen)
    assert values.gain.min() >= 0
    assert values.price.min() >= 0
    assert (values.gain[row] + values.price[column] >= weight * values.factor - 1).all()
    found = sum(weight[chosen].tolist())
    proof = sum(values.gain.tolist()) + sum(values.price.tolist())
    assert proof == found * values.factor
    assert len(values.gain) < values.factor  # a step for each row is less than 1


@given(graph=graphs_auction())
def test_small_graphs_give_the_optimum(graph: Graph_auction) -> None:
    check(graph)
    row, column, weight = graph
    dense = np.zeros((row.max() + 1, column.max() + 1), dtype=np.int64)
    dense[row, column] = weight
    best = int(dense[linear_sum_assignment(dense, maximize=True)].sum())
    assert sum(weight[auction(*graph)[0]].tolist()) == best


@pytest.mark.parametrize("seed", range(3))
def test_what_chance_has_tangled_is_solved(seed: int) -> None:
    check(tangled(2000, seed=seed))


@pytest.mark.parametrize("shape", [(300, 7), (7, 300), (60, 60)])
def test_more_ends_on_one_side_are_fine(shape: tuple[int, int]) -> None:
    row, column = np.divmod(np.arange(shape[0] * shape[1]), shape[1])
    check((row, column, (row + 1) * (column + 1)))


def test_what_does_not_fit_into_64_bits_is_refused() -> None:
    row = column = np.array([0])
    with pytest.raises(OverflowError, match="too large"):
        auction(row, column, np.array([HEAVIEST]))


NOTHING = -(1 << 62)


def is_proved(
    graph: Graph,
    row_floor: list[int] | None = None,
    column_floor: list[int] | None = None,
) -> bool:
    rows, columns = (int(end.max()) + 1 for end in (graph.row, graph.column))
    found = prices(
        graph,
        np.array(row_floor or [NOTHING] * rows),
        np.array(column_floor or [NOTHING] * columns),
    )
    return bool(found.is_row_sound.all() and found.is_column_sound.all())


def drawn(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = Random(seed)  # noqa: S311 - no secret is made
    edges = [(row, column) for row in range(4) for column in range(4)]
    chosen = sorted(random.sample(edges, 7))
    row, column = (np.array(end) for end in zip(*chosen, strict=True))
    return row, column, np.array([random.randint(1, 5) for _ in chosen])


@pytest.mark.parametrize("seed", range(20))
def test_a_matching_is_proved_if_none_weighs_more(seed: int) -> None:
    row, column, weight = drawn(seed)
    best = int(weight[best_matching(row, column, weight)].sum())
    for count in range(5):
        for some in combinations(range(len(row)), count):
            matched = np.array(some, dtype=np.int64)
            is_matching = len({*row[matched]}) == len({*column[matched]}) == count
            if is_matching:
                graph = Graph(row, column, weight, matched)
                assert is_proved(graph) == (int(weight[matched].sum()) == best)


def test_what_an_end_could_have_elsewhere_is_a_floor() -> None:
    one = np.array([0])
    graph = Graph(one, one, np.array([5]), one)
    assert is_proved(graph, [2], [3])
    assert not is_proved(graph, [3], [3])
    nobody = Graph(one, one, np.array([5]), one[:0])
    assert not is_proved(nobody, [0], [0])

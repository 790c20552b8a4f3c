"""Matching by auction: the optimum, and values that prove it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from scoref.metrics._auction import HEAVIEST, auction

Ints = NDArray[np.int64]
Graph = tuple[Ints, Ints, Ints]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    heaviest = draw(st.sampled_from((1, 3, 1000, 2**40)))
    ends = st.tuples(st.integers(0, 9), st.integers(0, 6))
    weights = st.integers(1, heaviest)
    edges = draw(st.dictionaries(ends, weights, min_size=1, max_size=40))
    row, column = np.array([*edges], dtype=np.int64).T
    row, column = (np.unique(end, return_inverse=True)[1] for end in (row, column))
    return row, column, np.array([*edges.values()], dtype=np.int64)


def tangled(entities: int, *, seed: int) -> Graph:
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


def check(graph: Graph) -> None:
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


@given(graph=graphs())
def test_small_graphs_give_the_optimum(graph: Graph) -> None:
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

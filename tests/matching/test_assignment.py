"""Assignment: the pairs of the dense solver, whichever way it breaks a tie."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from scoref.matching.assignment import assign

Matrix = NDArray[np.float64]
Pairs = list[tuple[int, int]]

HALVES = (0.5, 1.0)
FRACTIONS = tuple(
    above / below for below in range(1, 10) for above in range(1, below + 1)
)
DENSITIES = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def _pairs(scores: Matrix) -> Pairs:
    rows, columns = scores.shape
    row, column = np.nonzero(scores)
    chosen = assign(rows, columns, row, column, scores[row, column])
    assert (np.diff(chosen) > 0).all()
    return list(zip(row[chosen].tolist(), column[chosen].tolist(), strict=True))


def _pairs_of_the_dense_solver(scores: Matrix) -> Pairs:
    row, column = (end.tolist() for end in linear_sum_assignment(-scores))
    return [pair for pair in zip(row, column, strict=True) if scores[pair] > 0]


def _shape(rng: np.random.Generator) -> tuple[int, int]:
    rows, columns = rng.integers(1, 30, 2, endpoint=True).tolist()
    return (rows, rows) if rng.random() < 0.3 else (rows, columns)


def _thinned(scores: Matrix, rng: np.random.Generator) -> Matrix:
    return np.where(rng.random(scores.shape) < rng.choice(DENSITIES), scores, 0.0)


def _overlap(key: list[set[int]], response: list[set[int]]) -> Matrix:
    """Give F₁ of each pair of sets."""
    return np.array(
        [[2 * len(a & b) / (len(a) + len(b)) for b in response] for a in key]
    )


def _mentions(rng: np.random.Generator, count: int, words: int) -> list[set[int]]:
    return [
        set(rng.integers(0, words, rng.integers(1, 6)).tolist()) for _ in range(count)
    ]


@pytest.mark.parametrize("values", [HALVES, FRACTIONS], ids=["halves", "fractions"])
def test_matrices_full_of_ties_give_the_pairs_of_the_dense_solver(
    values: tuple[float, ...],
) -> None:
    rng = np.random.default_rng(2016)
    for _ in range(1500):
        scores = _thinned(rng.choice(values, _shape(rng)), rng)
        assert _pairs(scores) == _pairs_of_the_dense_solver(scores)


def test_a_large_and_dense_matrix_gives_the_pairs_of_the_dense_solver() -> None:
    rng = np.random.default_rng(11)
    scores = rng.choice([0.0, 0.25, 0.5, 1.0], (180, 160))
    assert _pairs(scores) == _pairs_of_the_dense_solver(scores)


def test_matrices_without_ties_give_the_pairs_of_the_dense_solver() -> None:
    rng = np.random.default_rng(7)
    for _ in range(500):
        scores = _thinned(rng.random(_shape(rng)), rng)
        assert _pairs(scores) == _pairs_of_the_dense_solver(scores)


def test_overlaps_of_dependencies_give_the_pairs_of_the_dense_solver() -> None:
    rng = np.random.default_rng(100)
    for _ in range(500):
        words = int(rng.choice([6, 20, 60]))
        key, response = (_mentions(rng, count, words) for count in _shape(rng))
        heads = [[{min(mention)} for mention in side] for side in (key, response)]
        scores = 10 * _overlap(key, response) + _overlap(*heads)
        assert _pairs(scores) == _pairs_of_the_dense_solver(scores)


@given(st.data())
def test_any_small_matrix_gives_the_pairs_of_the_dense_solver(
    data: st.DataObject,
) -> None:
    rows, columns = data.draw(st.integers(1, 8)), data.draw(st.integers(1, 8))
    cell = st.just(0.0) | st.sampled_from(HALVES) | st.sampled_from(FRACTIONS)
    line = st.lists(cell, min_size=columns, max_size=columns)
    scores = np.array(data.draw(st.lists(line, min_size=rows, max_size=rows)))
    assert _pairs(scores) == _pairs_of_the_dense_solver(scores)


def test_a_column_lifted_by_rounding_is_taken_as_the_dense_solver_takes_it() -> None:
    # −0.6 − 1 + 1 is a little below −0.6 in doubles. So row 1 lifts column 2 above
    # 0, and row 2 passes it on its way. That moves column 0 in the solver's list:
    # row 2 ends in column 1, and leaves column 0 to row 3.
    scores = np.array(
        [
            [0.0, 0.0, 1.0, 1.0],
            [0.0, 0.0, 0.6, 0.0],
            [0.0, 0.0, 0.0, 0.0],
            [1.0, 1.0, 0.0, 0.0],
        ]
    )
    assert _pairs(scores) == [(0, 3), (1, 2), (3, 0)]
    assert _pairs(scores) == _pairs_of_the_dense_solver(scores)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (1, 1), (3, 5), (5, 3)])
def test_nothing_is_chosen_where_nothing_scores(shape: tuple[int, int]) -> None:
    assert _pairs(np.zeros(shape)) == []


def test_a_single_row_takes_the_first_of_its_best_columns() -> None:
    scores = np.array([[0.0, 0.5, 1.0, 0.25, 1.0]])
    assert _pairs(scores) == [(0, 2)]
    assert _pairs(scores.T) == [(2, 0)]


def test_a_row_without_scores_takes_a_low_column_and_moves_the_tie() -> None:
    # Alone, the second row would take column 0.
    assert _pairs(np.array([[1.0, 1.0, 1.0]])) == [(0, 0)]
    assert _pairs(np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])) == [(1, 1)]


def test_the_order_of_the_entries_does_not_matter() -> None:
    rng = np.random.default_rng(3)
    scores = _thinned(rng.choice(HALVES, (20, 25)), rng)
    row, column = np.nonzero(scores)
    mixed = rng.permutation(len(row))
    chosen = assign(20, 25, row[mixed], column[mixed], scores[row, column][mixed])
    pairs = zip(
        row[mixed][chosen].tolist(), column[mixed][chosen].tolist(), strict=True
    )
    assert sorted(pairs) == _pairs_of_the_dense_solver(scores)


def test_a_matrix_too_big_to_be_dense_is_assigned() -> None:
    rng = np.random.default_rng(20_000)
    row, column = np.unique(rng.integers(0, 20_000, (2, 30_000)), axis=1)
    chosen = assign(20_000, 20_000, row, column, rng.choice(HALVES, len(row)))
    assert len(set(row[chosen].tolist())) == len(chosen)
    assert len(set(column[chosen].tolist())) == len(chosen)
    assert len(chosen) > 10_000

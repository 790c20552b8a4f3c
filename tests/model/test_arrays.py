"""Array operations against loops over plain lists."""

from __future__ import annotations

from itertools import groupby

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scoref.model.arrays import (
    bounds,
    distinct_values,
    first_of_each,
    inverse,
    is_new,
    number_codes,
    numbered,
    ranges,
    runs,
    starts,
)

LENGTHS = st.lists(st.integers(0, 5), max_size=12)
VALUES = st.lists(st.integers(-2, 3), max_size=20)


def array(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, dtype=np.int64)


@given(LENGTHS)
def test_starts_and_bounds_are_sums_of_the_lengths_before(lengths: list[int]) -> None:
    sums = [sum(lengths[:row]) for row in range(len(lengths) + 1)]
    assert starts(array(lengths)).tolist() == sums[:-1]
    assert bounds(array(lengths)).tolist() == sums


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 4)), max_size=9))
def test_ranges_are_concatenated(pieces: list[tuple[int, int]]) -> None:
    start, length = ([row[side] for row in pieces] for side in (0, 1))
    expected = [at for first, size in pieces for at in range(first, first + size)]
    assert ranges(array(start), array(length)).tolist() == expected


@given(st.permutations(range(8)))
def test_the_inverse_undoes_a_permutation(order: list[int]) -> None:
    assert array(order)[inverse(array(order))].tolist() == list(range(8))


@given(VALUES)
def test_runs_are_those_of_groupby(values: list[int]) -> None:
    start, length = runs(array(values))
    assert length.tolist() == [len(list(group)) for _, group in groupby(values)]
    assert start.tolist() == starts(length).tolist()


@given(VALUES, VALUES)
def test_rows_of_two_columns_are_new_if_either_differs(
    left: list[int], right: list[int]
) -> None:
    rows = list(zip(left, right, strict=False))
    columns = (array([row[side] for row in rows]) for side in (0, 1))
    expected = [at == 0 or row != rows[at - 1] for at, row in enumerate(rows)]
    assert is_new(*columns).tolist() == expected


@given(VALUES)
def test_distinct_values_are_numbered_in_their_order(values: list[int]) -> None:
    distinct = sorted(set(values))
    number, count = numbered(array(values))
    assert number.tolist() == [distinct.index(value) for value in values]
    assert count == len(distinct)


@given(VALUES)
def test_the_first_rows_are_in_the_order_of_the_rows(values: list[int]) -> None:
    expected = [at for at, value in enumerate(values) if value not in values[:at]]
    assert first_of_each(array(values)).tolist() == expected


@given(VALUES)
def test_distinct_values_are_those_of_numpy(values: list[int]) -> None:
    distinct, number = distinct_values(array(values))
    expected, inverse_of = np.unique(array(values), return_inverse=True)
    assert distinct.tolist() == expected.tolist()
    assert number.tolist() == inverse_of.tolist()


@given(st.lists(st.integers(-50, 50) | st.integers(-(2**40), 2**40), max_size=30))
def test_dense_and_sparse_codes_are_numbered_alike(values: list[int]) -> None:
    number, count = number_codes(array(values))
    expected, expected_count = numbered(array(values))
    assert number.tolist() == expected.tolist()
    assert count == expected_count

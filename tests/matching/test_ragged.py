"""Sets in columns, against sets."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.matching import ragged
from scoref.matching.ragged import Ragged, count_shared, join_rows, number_rows

Rows = list[list[int]]

_SMALL = st.integers(0, 6)
_LARGE = st.integers(0, 1 << 50)
# Words of two sentences, some of which follow each other, and empty nodes.
_WORD = st.builds(
    lambda sentence, number, empty: sentence << 32 | number << 12 | empty,
    st.integers(0, 1),
    st.integers(1, 6),
    st.sampled_from([0, 0, 0, 1, 2]),
)
# Sorted and without repeats, as the words of mentions are.
_ROW = st.sets(_SMALL | _LARGE, min_size=1, max_size=5).map(sorted)
_ROW |= st.sets(_WORD, min_size=1, max_size=8).map(sorted)
ROWS = st.lists(_ROW, max_size=12)


def _ragged(rows: Rows) -> Ragged:
    lengths = [0, *(len(row) for row in rows)]
    start = np.cumsum(np.array(lengths, dtype=np.int64))
    return Ragged(start, np.array(list(chain(*rows)), dtype=np.int64))


def _rows(found: Ragged) -> Rows:
    return [list(found.tuple(row)) for row in range(len(found.start) - 1)]


def _same(keys: list[object], number: list[int], count: int) -> None:
    """See that numbers are the same where keys are, and that none is left out."""
    assert len(number) == len(keys)
    assert set(number) == set(range(count))
    assert len(set(zip(keys, number, strict=True))) == len(set(keys)) == count


@given(rows=ROWS)
def test_equal_rows_have_equal_numbers(rows: Rows) -> None:
    number, count = number_rows(_ragged(rows))
    _same([tuple(row) for row in rows], number.tolist(), count)


def test_small_numbers_do_not_have_each_others_hashes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(ragged, "_number_one_by_one")
    sets = [[*each] for size in (1, 2, 3) for each in combinations(range(12), size)]
    rows = [(row, more) for row in sets for more in range(20)]
    more = np.array([each for _, each in rows], dtype=np.int64)
    assert number_rows(_ragged([row for row, _ in rows]), more)[1] == len(rows)


@given(rows=st.lists(st.tuples(_ROW, _SMALL | _LARGE), max_size=12))
def test_rows_are_told_apart_by_more(rows: list[tuple[list[int], int]]) -> None:
    more = np.array([each for _, each in rows], dtype=np.int64)
    number, count = number_rows(_ragged([row for row, _ in rows]), more)
    _same([(tuple(row), each) for row, each in rows], number.tolist(), count)


@pytest.mark.parametrize("more", [None, [1, 1, 2, 1, 1]])
def test_rows_of_one_hash_are_told_apart(
    more: list[int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ragged, "_mix", np.zeros_like)
    rows = [[1, 2], [1, 3], [1, 2], [1], [1, 2]]
    number, count = number_rows(
        _ragged(rows), None if more is None else np.array(more, dtype=np.int64)
    )
    keys = [(tuple(row), more and more[place]) for place, row in enumerate(rows)]
    _same(list(keys), number.tolist(), count)


@given(one=ROWS, other=ROWS)
def test_shared_values_are_those_of_sets(one: Rows, other: Rows) -> None:
    found = count_shared(_ragged(one), _ragged(other))
    expected = {
        (i, j): len(set(ours) & set(theirs))
        for i, ours in enumerate(one)
        for j, theirs in enumerate(other)
        if set(ours) & set(theirs)
    }
    ours, theirs, count = (column.tolist() for column in found)
    assert list(zip(ours, theirs, count, strict=True)) == [
        (*pair, times) for pair, times in sorted(expected.items())
    ]


@given(rows=ROWS, data=st.data())
def test_rows_are_taken_in_any_order(rows: Rows, data: st.DataObject) -> None:
    places = range(len(rows))
    chosen = data.draw(st.lists(st.sampled_from(places), max_size=8)) if rows else []
    taken = _ragged(rows).take(np.array(chosen, dtype=np.int64))
    assert _rows(taken) == [rows[place] for place in chosen]
    assert taken.length.tolist() == [len(rows[place]) for place in chosen]


@given(one=ROWS, other=ROWS)
def test_joined_rows_stand_behind_each_other(one: Rows, other: Rows) -> None:
    both = join_rows(_ragged(one), _ragged(other))
    assert _rows(both) == one + other
    owners = [place for place, row in enumerate(one + other) for _ in row]
    assert both.owner().tolist() == owners

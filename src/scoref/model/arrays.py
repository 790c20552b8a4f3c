"""Array operations that NumPy has no name for.

Columns of rows are sorted, grouped and expanded in many places. Each of these
functions replaces an idiom of two to five NumPy calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Mask = NDArray[np.bool_]


def starts(length: Ints) -> Ints:
    """Return where each of several consecutive pieces starts.

    >>> starts(np.array([2, 0, 3])).tolist()
    [0, 2, 2]
    """
    return np.cumsum(length, dtype=np.int64) - length


def bounds(length: Ints) -> Ints:
    """Return the starts of consecutive pieces, followed by the end of the last one.

    >>> bounds(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    ends = np.zeros(len(length) + 1, dtype=np.int64)
    np.cumsum(length, out=ends[1:])
    return ends


def ranges(start: Ints, length: Ints) -> Ints:
    """Concatenate the ranges of integers that start there and have these lengths.

    >>> ranges(np.array([7, 3, 0]), np.array([2, 0, 3])).tolist()
    [7, 8, 0, 1, 2]
    """
    shift = np.repeat(start - starts(length), length)
    return np.arange(len(shift), dtype=np.int64) + shift


def inverse(order: Ints) -> Ints:
    """Return the inverse of a permutation: the place at which each number stands.

    >>> inverse(np.array([2, 0, 1])).tolist()
    [1, 2, 0]
    """
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order), dtype=np.int64)
    return place


def is_all(values: NDArray[Any]) -> bool:
    """Return whether no value is 0 or False; `all` takes longer for short columns.

    >>> is_all(np.array([2, 1])), is_all(np.array([2, 0])), is_all(np.array([]))
    (True, False, True)
    """
    return bool(np.count_nonzero(values) == len(values))


def is_new(*columns: NDArray[np.generic]) -> Mask:
    """Mark the rows that differ from the row before them in any column.

    >>> is_new(np.array([4, 4, 7, 4])).tolist()
    [True, False, True, True]
    """
    new = np.empty(len(columns[0]), dtype=np.bool_)
    new[:1] = True
    np.not_equal(columns[0][1:], columns[0][:-1], out=new[1:])
    for column in columns[1:]:
        new[1:] |= column[1:] != column[:-1]
    return new


def runs(*columns: NDArray[np.generic]) -> tuple[Ints, Ints]:
    """Return start and length of each run of equal rows.

    >>> start, length = runs(np.array([4, 4, 7, 4]))
    >>> start.tolist(), length.tolist()
    ([0, 2, 3], [2, 1, 1])
    """
    start = np.flatnonzero(is_new(*columns))
    return start, np.diff(start, append=len(columns[0]))


def first_of_each(values: NDArray[np.generic]) -> Ints:
    """Return the first row of each distinct value, in the order of the rows.

    >>> first_of_each(np.array([5, 3, 5, 4, 3])).tolist()
    [0, 1, 3]
    """
    return np.sort(np.unique(values, return_index=True)[1])


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """Return the distinct values in their order.

    This is `np.unique`, which loads the modules for masked arrays if it is given
    nothing else; that takes as long as scoring a small corpus.

    >>> distinct(np.array([50, 30, 50])).tolist()
    [30, 50]
    """
    ordered = np.sort(values)
    return ordered[is_new(ordered)]


def are_among(values: Ints, others: Ints) -> Mask:
    """Return which values are also among others, by search.

    This is `np.isin` for numbers that are far apart, such as codes of pairs.

    >>> are_among(np.array([50, 30, 70]), np.array([70, 50])).tolist()
    [True, False, True]
    """
    if not len(others):
        return np.zeros(len(values), dtype=np.bool_)
    ordered = np.sort(others)
    place = np.searchsorted(ordered, values)
    place[place == len(ordered)] = 0
    return np.asarray(ordered[place] == values)


def distinct_values(values: NDArray[Any]) -> tuple[NDArray[Any], Ints]:
    """Return the distinct values in their order, and the number of each row's value.

    This is `np.unique` with its inverse, without the overhead on short columns.

    >>> distinct, number = distinct_values(np.array([50, 30, 50]))
    >>> distinct.tolist(), number.tolist()
    ([30, 50], [1, 0, 1])
    """
    order = values.argsort()
    ordered = values[order]
    new = is_new(ordered)
    number = np.empty(len(values), dtype=np.int64)
    number[order] = new.cumsum(dtype=np.int64) - 1
    return ordered[new], number


def number_and_first(values: NDArray[Any]) -> tuple[Ints, Ints]:
    """Return the number of each row's value, and the first row of each number.

    >>> number, first = number_and_first(np.array([50, 30, 50]))
    >>> number.tolist(), first.tolist()
    ([1, 0, 1], [1, 0])
    """
    distinct, number = distinct_values(values)
    first = np.empty(len(distinct), dtype=np.int64)
    first[number[::-1]] = np.arange(len(number))[::-1]  # the first row comes last
    return number, first


_DENSE = 4  # so many possible values for each row


def count_values(values: Ints) -> tuple[Ints, Ints]:
    """Return the distinct values in their order, and how often each occurs.

    They must not be negative. If they are dense, this does not sort them.

    >>> distinct, times = count_values(np.array([50, 30, 50]))
    >>> distinct.tolist(), times.tolist()
    ([30, 50], [1, 2])
    """
    if not len(values) or int(np.maximum.reduce(values)) >= _DENSE * len(values):
        distinct, number = distinct_values(values)
        return distinct, np.bincount(number, minlength=len(distinct))
    times = np.bincount(values)
    distinct = times.nonzero()[0]
    return distinct, times[distinct]


def number_codes(codes: Ints) -> tuple[Ints, int]:
    """Do the same as `numbered` for integers; if they are dense, without sorting.

    >>> number, count = number_codes(np.array([7, 5, 7, 9]))
    >>> number.tolist(), count
    ([1, 0, 1, 2], 3)
    """
    if not len(codes):
        return codes, 0
    least, most = int(np.minimum.reduce(codes)), int(np.maximum.reduce(codes))
    if most - least >= _DENSE * len(codes):
        return numbered(codes)
    offset = codes - least
    number = np.zeros(most - least + 1, dtype=np.int64)
    number[offset] = 1
    np.cumsum(number, out=number)
    return number[offset] - 1, int(number[-1])


def numbered(values: NDArray[np.generic]) -> tuple[Ints, int]:
    """Number distinct values from 0 in their order, and count them.

    >>> number, count = numbered(np.array([50, 30, 50]))
    >>> number.tolist(), count
    ([1, 0, 1], 2)
    """
    distinct, number = distinct_values(values)
    return number, len(distinct)

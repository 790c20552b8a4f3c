"""Sets of words in columns: which sets are equal, and how many words two sets share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.errors import TooLargeError
from scoref.model import EMPTY, WORD_BITS

if TYPE_CHECKING:
    from scoref.model import Ints

_ODD, _OTHER = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFT = np.uint64(29)
_PLACE_BITS = 63 - WORD_BITS
_MOST_PAIRS, _USUAL = 1 << 22, 64
"""So many pairs are compared in any case, and so many for each mention."""


class Ragged(NamedTuple):
    """Rows of different lengths: row i is ``value[start[i]:start[i + 1]]``."""

    start: Ints
    value: Ints

    @property
    def length(self) -> Ints:
        """Count the values of each row."""
        return np.diff(self.start)

    def take(self, rows: Ints) -> Ragged:
        """Keep some rows, in a new order."""
        length = self.length[rows]
        start = np.concatenate(([0], np.cumsum(length)))
        place = np.arange(start[-1]) + np.repeat(self.start[rows] - start[:-1], length)
        return Ragged(start, self.value[place])

    def owner(self) -> Ints:
        """Say of each value which row it is in."""
        return np.repeat(np.arange(len(self.start) - 1), self.length)

    def tuple(self, row: int) -> tuple[int, ...]:
        """Give one row."""
        return tuple(self.value[self.start[row] : self.start[row + 1]].tolist())


def join_rows(one: Ragged, other: Ragged) -> Ragged:
    """Put the rows of two behind each other."""
    start = np.concatenate((one.start, other.start[1:] + one.start[-1]))
    return Ragged(start, np.concatenate((one.value, other.value)))


def number_rows(rows: Ragged, more: Ints | None = None) -> tuple[Ints, int]:
    """Give equal rows (with equal ``more``) the same number; say how many there are.

    Rows are told apart by a hash, and each is then compared with the first of its
    hash.
    """
    mixed = _mixed(rows.value.astype(np.uint64))
    total = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(mixed)))
    code = total[rows.start[1:]] - total[rows.start[:-1]]
    if more is not None:
        # Mixed once more, or a row 3 with 5 would have the hash of a row 5 with 3.
        code = _mixed(code) + _mixed(more.astype(np.uint64))
    distinct, first, number = np.unique(code, return_index=True, return_inverse=True)
    twin = first[number]
    is_same = (rows.length[twin] == rows.length).all()
    is_same = is_same and (more is None or (more[twin] == more).all())
    if not is_same or (rows.take(twin).value != rows.value).any():
        return _numbered_one_by_one(rows, more)
    return number, len(distinct)


def count_shared(one: Ragged, other: Ragged) -> tuple[Ints, Ints, Ints]:
    """Count what rows of two have in common: row, row, number of values.

    Rows are compared run by run, not value by value: long rows that overlap, such as
    nested mentions, have many values in common and few runs.
    """
    runs = Runs.of(one), Runs.of(other)
    ours, theirs, count = find_overlaps(*runs)
    width = np.int64(max(1, len(other.start) - 1))
    code = runs[0].owner[ours] * width + runs[1].owner[theirs]
    order = np.argsort(code, kind="stable")
    code, count = code[order], count[order]
    first = np.flatnonzero(np.diff(code, prepend=-1))
    if len(first) < len(code):
        count = np.add.reduceat(count, first)
    return code[first] // width, code[first] % width, count


class Runs(NamedTuple):
    """Runs of consecutive values, from ``first`` to ``last``, and whose they are."""

    owner: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(cls, rows: Ragged) -> Runs:
        """Cut rows into runs; words that follow each other are consecutive.

        Words and empty nodes are numbered apart, by what their codes end in, so that an
        empty node that one side lacks interrupts no run.
        """
        kind, owner = rows.value & EMPTY, rows.owner()
        value = kind << _PLACE_BITS | rows.value >> WORD_BITS
        if kind.any():
            order = np.lexsort((value, owner))
            value, owner = value[order], owner[order]
        is_first = (np.diff(value, prepend=-2) != 1) | (np.diff(owner, prepend=-1) > 0)
        first = np.flatnonzero(is_first)
        last = np.append(first, len(value))[1:] - 1
        return cls(owner[first], value[first], value[last])

    def take(self, rows: Ints) -> Runs:
        """Put them into another order."""
        return Runs(*(each[rows] for each in self))


def find_overlaps(one: Runs, other: Runs) -> tuple[Ints, Ints, Ints]:
    """Pair runs that overlap, and count the values that both have.

    Raises:
        TooLargeError: there are so many pairs that memory might not do.
    """
    # What is looked up in order is found several times as fast.
    order = np.argsort(one.first, kind="stable"), np.argsort(other.first, kind="stable")
    one, other = one.take(order[0]), other.take(order[1])
    # One of the two begins inside the other.
    inside = (
        _beginning_inside(one, other, "left"),
        _beginning_inside(other, one, "right"),
    )
    count = sum(int(times.sum()) for _, times in inside)
    if count > max(_MOST_PAIRS, _USUAL * (len(one.owner) + len(other.owner))):
        raise TooLargeError(
            f"{len(one.owner):,} mentions of the key and {len(other.owner):,} of the "
            f"response overlap in {count:,} ways: so many cannot be compared\n"
            "  hint: mentions overlap a few others; `scoref check` finds those that "
            "cross or repeat, and brackets that close too late"
        )
    outer, begun = zip(*(_paired(*each) for each in inside), strict=True)
    ours = np.concatenate((outer[0], begun[1]))
    theirs = np.concatenate((begun[0], outer[1]))
    last = np.minimum(one.last[ours], other.last[theirs])
    common = last - np.maximum(one.first[ours], other.first[theirs]) + 1
    return order[0][ours], order[1][theirs], common


def _beginning_inside(
    outer: Runs, inner: Runs, side: Literal["left", "right"]
) -> tuple[Ints, Ints]:
    """Find the runs that begin inside others; ``right`` leaves out equal starts."""
    begin = np.searchsorted(inner.first, outer.first, side=side)
    return begin, np.searchsorted(inner.first, outer.last, side="right") - begin


def _paired(begin: Ints, times: Ints) -> tuple[Ints, Ints]:
    place = np.arange(times.sum()) + np.repeat(begin - np.cumsum(times) + times, times)
    return np.repeat(np.arange(len(begin)), times), place


def _mixed(
    values: np.ndarray[tuple[int], np.dtype[np.uint64]],
) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    # Small numbers need all this: 0 must count, and 1 with 4 is not 2 with 3.
    values = values + _OTHER
    values = (values ^ (values >> _SHIFT)) * _ODD
    values = (values ^ (values >> _SHIFT)) * _OTHER
    return values ^ (values >> _SHIFT)


def _numbered_one_by_one(rows: Ragged, more: Ints | None) -> tuple[Ints, int]:
    numbers: dict[tuple[int, ...], int] = {}
    found = []
    for row in range(len(rows.start) - 1):
        key = rows.tuple(row)
        key = key if more is None else (*key, -1 - int(more[row]))
        found.append(numbers.setdefault(key, len(numbers)))
    return np.array(found, dtype=np.int64), len(numbers)

"""Sets of words in columns: which sets are equal, and how many words two sets share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from scoref.classes import NamedTuple
from scoref.errors import TooLargeError
from scoref.model import EMPTY, WORD_BITS
from scoref.model.arrays import bounds, number_and_first, ranges, runs

if TYPE_CHECKING:
    from scoref.model import Ints


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
        return Ragged(bounds(length), self.value[ranges(self.start[rows], length)])

    def owner(self) -> Ints:
        """Return the row of each value."""
        return np.repeat(np.arange(len(self.start) - 1), self.length)

    def tuple(self, row: int) -> tuple[int, ...]:
        """Return one row."""
        return tuple(self.value[self.start[row] : self.start[row + 1]].tolist())


def join_rows(one: Ragged, other: Ragged) -> Ragged:
    """Append the rows of the second to those of the first."""
    start = np.concatenate((one.start, other.start[1:] + one.start[-1]))
    return Ragged(start, np.concatenate((one.value, other.value)))


def number_rows(rows: Ragged, more: Ints | None = None) -> tuple[Ints, int]:
    """Give equal rows (with equal ``more``) the same number, and count the numbers.

    Rows are compared by a hash, and then each with the first row of its hash.
    """
    mixed = _mix(rows.value.astype(np.uint64))
    total = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(mixed)))
    code = total[rows.start[1:]] - total[rows.start[:-1]]
    if more is not None:
        # Without mixing again, row 3 with 5 would have the hash of row 5 with 3.
        code = _mix(code) + _mix(more.astype(np.uint64))
    number, first = number_and_first(code)
    twin = first[number]
    is_same = (rows.length[twin] == rows.length).all()
    is_same = is_same and (more is None or (more[twin] == more).all())
    if not is_same or (rows.take(twin).value != rows.value).any():
        return _number_one_by_one(rows, more)
    return number, len(first)


_ODD, _OTHER = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFT = np.uint64(29)


def _mix(
    values: np.ndarray[tuple[int], np.dtype[np.uint64]],
) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    # Small numbers need all of this: 0 must count, and 1 with 4 must not be 2 with 3.
    values = values + _OTHER
    values = (values ^ (values >> _SHIFT)) * _ODD
    values = (values ^ (values >> _SHIFT)) * _OTHER
    return values ^ (values >> _SHIFT)


def _number_one_by_one(rows: Ragged, more: Ints | None) -> tuple[Ints, int]:
    known: dict[tuple[int, ...], int] = {}
    numbers = []
    for row in range(len(rows.start) - 1):
        key = rows.tuple(row)
        key = key if more is None else (*key, -1 - int(more[row]))
        numbers.append(known.setdefault(key, len(known)))
    return np.array(numbers, dtype=np.int64), len(known)


def count_shared(one: Ragged, other: Ragged) -> tuple[Ints, Ints, Ints]:
    """Return pairs of rows that share values, and how many values they share.

    Rows are compared by runs and not by values: long rows that overlap, such as nested
    mentions, share many values but have few runs.
    """
    return count_common(Runs.of(one), Runs.of(other))


def count_common(one: Runs, other: Runs) -> tuple[Ints, Ints, Ints]:
    """Return pairs of owners whose runs overlap, and how many values they share."""
    ours, theirs, count = find_overlaps(one, other)
    width = np.int64(int(other.owner.max(initial=0)) + 1)
    code = one.owner[ours] * width + other.owner[theirs]
    order = np.argsort(code, kind="stable")
    code, count = code[order], count[order]
    first, _ = runs(code)
    if len(first) < len(code):
        count = np.add.reduceat(count, first)
    return code[first] // width, code[first] % width, count


_PLACE_BITS = 63 - WORD_BITS


class Runs(NamedTuple):
    """Runs of consecutive values from ``first`` to ``last``; row ``owner`` has them."""

    owner: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(cls, rows: Ragged) -> Runs:
        """Cut rows into runs; neighbouring words are consecutive.

        Words and empty nodes are numbered separately, by the ends of their codes, so
        that an empty node that one side lacks does not interrupt a run.
        """
        kind, owner = rows.value & EMPTY, rows.owner()
        value = kind << _PLACE_BITS | rows.value >> WORD_BITS
        if kind.any():
            order = np.lexsort((value, owner))
            value, owner = value[order], owner[order]
        # Values of a run differ by one, so they have the same distance from their rows.
        first, length = runs(value - np.arange(len(value)), owner)
        return cls(owner[first], value[first], value[first + length - 1])

    def take(self, rows: Ints) -> Runs:
        """Return the runs in a new order."""
        return Runs(*(column[rows] for column in self))


_MOST_PAIRS, _USUAL = 1 << 22, 64
"""The most pairs that are compared: this many, or this many per mention."""


def find_overlaps(one: Runs, other: Runs) -> tuple[Ints, Ints, Ints]:
    """Pair runs that overlap, and count the values that both have.

    Raises:
        TooLargeError: there are so many pairs that memory may not suffice.
    """
    # A search for sorted values is several times as fast.
    order = np.argsort(one.first, kind="stable"), np.argsort(other.first, kind="stable")
    one, other = one.take(order[0]), other.take(order[1])
    # If two runs overlap, one of them begins inside the other.
    begin, times = _begin_inside(one, other, "left")
    other_begin, other_times = _begin_inside(other, one, "right")
    count = int(times.sum()) + int(other_times.sum())
    if count > max(_MOST_PAIRS, _USUAL * (len(one.owner) + len(other.owner))):
        raise TooLargeError(
            f"{len(one.owner):,} mentions of the key and {len(other.owner):,} of the "
            f"response overlap in {count:,} ways, which is too many to compare\n"
            "  hint: Use `scoref check` to find mentions that cross or repeat, and "
            "brackets that close too late."
        )
    outer = np.repeat(np.arange(len(begin)), times)
    other_outer = np.repeat(np.arange(len(other_begin)), other_times)
    ours = np.concatenate((outer, ranges(other_begin, other_times)))
    theirs = np.concatenate((ranges(begin, times), other_outer))
    last = np.minimum(one.last[ours], other.last[theirs])
    common = last - np.maximum(one.first[ours], other.first[theirs]) + 1
    return order[0][ours], order[1][theirs], common


def _begin_inside(
    outer: Runs, inner: Runs, side: Literal["left", "right"]
) -> tuple[Ints, Ints]:
    """Return, for each outer run, the first run that begins inside it, and how many do.

    ``right`` leaves out runs with the same start.
    """
    begin = np.searchsorted(inner.first, outer.first, side=side)
    return begin, np.searchsorted(inner.first, outer.last, side="right") - begin

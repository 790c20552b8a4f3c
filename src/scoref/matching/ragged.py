"""Sets of words in columns: which are equal, and how many words two share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from scoref.model import Ints

_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


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


def joined(one: Ragged, other: Ragged) -> Ragged:
    """Put the rows of two behind each other."""
    start = np.concatenate((one.start, other.start[1:] + one.start[-1]))
    return Ragged(start, np.concatenate((one.value, other.value)))


def numbered(rows: Ragged, more: Ints | None = None) -> tuple[Ints, int]:
    """Give equal rows (with equal ``more``) the same number; say how many there are.

    Rows are told apart by a hash, and each is then compared with the first of its
    hash.
    """
    mixed = _mixed(rows.value.astype(np.uint64))
    total = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(mixed)))
    code = total[rows.start[1:]] - total[rows.start[:-1]]
    if more is not None:
        code = _mixed(code + _mixed(more.astype(np.uint64)))
    distinct, first, number = np.unique(code, return_index=True, return_inverse=True)
    twin = first[number]
    is_same = (rows.length[twin] == rows.length).all()
    is_same = is_same and (more is None or (more[twin] == more).all())
    if not is_same or (rows.take(twin).value != rows.value).any():
        return _numbered_one_by_one(rows, more)
    return number, len(distinct)


def shared(one: Ragged, other: Ragged) -> tuple[Ints, Ints, Ints]:
    """Count what rows of two have in common: row, row, number of values."""
    order = np.argsort(other.value, kind="stable")
    values, owner = other.value[order], other.owner()[order]
    first = np.searchsorted(values, one.value, side="left")
    times = np.searchsorted(values, one.value, side="right") - first
    ours = np.repeat(one.owner(), times)
    end = np.cumsum(times)
    theirs = owner[np.arange(times.sum()) + np.repeat(first - end + times, times)]
    width = max(1, len(other.start) - 1)
    code, count = np.unique(ours * width + theirs, return_counts=True)
    return code // width, code % width, count


def _mixed(
    values: np.ndarray[tuple[int], np.dtype[np.uint64]],
) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    values = (values ^ (values >> _SHIFT)) * _ODD
    return values ^ (values >> _SHIFT)


def _numbered_one_by_one(rows: Ragged, more: Ints | None) -> tuple[Ints, int]:
    numbers: dict[tuple[int, ...], int] = {}
    found = []
    for row in range(len(rows.start) - 1):
        key = rows.tuple(row)
        key = key if more is None else (*key, -1 - int(more[row]))
        found.append(numbers.setdefault(key, len(numbers)))
    return np.array(found, dtype=np.int64), len(numbers)

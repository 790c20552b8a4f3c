"""Which piece of an answer stands for which piece of the key, by edit distance.

An edit is a piece that is changed, lost or added, and each costs 1. Pieces whose
letters are the same when written together, `do n` and `don`, cost nothing. Among the
cheapest alignments, the one whose changed pieces are most alike is taken.

Common beginnings and ends are taken off first. What is left is aligned exactly if it
is small, up to `_EXACT` pairs of pieces. If it is not, it is cut at sequences of pieces
that occur once on each side, long ones first, so that time grows with the length of the
text and not with its square. Such a cut could cost an edit more than is needed; where
there is nothing to cut at, both sides are halved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.alignment.anchors import anchors
from scoref.alignment.gaps import align_gap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints

    Numbers = Ints | NDArray[np.uint32]
    Region = tuple[int, int, int, int]

_EXACT = 1 << 15
_AT_MOST = 1 << 21
_LENGTHS = (8, 4, 2, 1)


class Alignment(NamedTuple):
    """The key's pieces of each piece of the answer: the first and the last, or -1."""

    first: Ints
    last: Ints
    is_same: NDArray[np.bool_]

    def of_key(self, count: int) -> tuple[Ints, NDArray[np.bool_]]:
        """Turn it round: a piece of the answer for each of the key, or -1; the same?"""
        output = np.full(count, -1, dtype=np.int64)
        is_same = np.zeros(count, dtype=np.bool_)
        there = np.flatnonzero(self.first >= 0)
        for longer in range(int((self.last - self.first)[there].max(initial=0)) + 1):
            rows = there[self.first[there] + longer <= self.last[there]]
            output[self.first[rows] + longer] = rows
            is_same[self.first[rows] + longer] = self.is_same[rows]
        return output, is_same


def align(key: Sequence[str], output: Sequence[str]) -> Alignment:
    """Align an answer with the key.

    >>> align("the old harbour closed".split(), "an old harbor closed down".split())
    ... # doctest: +NORMALIZE_WHITESPACE
    Alignment(first=array([ 0,  1,  2,  3, -1]), last=array([ 0,  1,  2,  3, -1]),
              is_same=array([False,  True, False,  True, False]))
    """
    return _Aligner(key, output).aligned()


class _Aligner:
    """Two texts in numbers, and what is known of their alignment."""

    def __init__(self, key: Sequence[str], output: Sequence[str]) -> None:
        numbers: dict[str, int] = {}
        self._key, self._output = key, output
        self._mine, self._theirs = (
            np.array([numbers.setdefault(each, len(numbers)) for each in side], int)
            for side in (key, output)
        )
        self._first = np.full(len(output), -1, dtype=np.int64)
        self._last = np.full(len(output), -1, dtype=np.int64)
        self._is_same = np.zeros(len(output), dtype=np.bool_)

    def aligned(self) -> Alignment:
        """Go through regions until nothing is left."""
        regions = [(0, len(self._key), 0, len(self._output))]
        while regions:
            region = self._trimmed(*regions.pop())
            a, b, c, d = region
            if a == b or c == d:
                continue
            if (b - a) * (d - c) <= _EXACT:
                self._align_gap(*region)
            else:
                regions += self._parts(*region)
        return Alignment(self._first, self._last, self._is_same)

    def _trimmed(self, a: int, b: int, c: int, d: int) -> Region:
        """Take off what is the same at the beginning and at the end."""
        mine, theirs = self._mine[a:b], self._theirs[c:d]
        before, behind = common_ends(mine, theirs)
        self._match(np.arange(a, a + before), np.arange(c, c + before))
        self._match(np.arange(b - behind, b), np.arange(d - behind, d))
        return a + before, b - behind, c + before, d - behind

    def _parts(self, a: int, b: int, c: int, d: int) -> Iterator[Region]:
        """Cut a region at what occurs once on each side, or in the middle."""
        for length in _LENGTHS:
            mine, theirs = anchors(self._mine[a:b], self._theirs[c:d], length)
            if len(mine):
                self._match(mine + a, theirs + c)
                yield from _between(mine, theirs, (a, b, c, d))
                return
        if (b - a) * (d - c) <= _AT_MOST:
            self._align_gap(a, b, c, d)
            return
        middle, other = (a + b) // 2, (c + d) // 2
        yield from ((a, middle, c, other), (middle, b, other, d))

    def _match(self, mine: Ints, theirs: Ints) -> None:
        self._first[theirs] = self._last[theirs] = mine
        self._is_same[theirs] = True

    def _align_gap(self, a: int, b: int, c: int, d: int) -> None:
        for mine, theirs, is_same in align_gap(self._key[a:b], self._output[c:d]):
            rows = slice(c + theirs[0], c + theirs[1])
            self._first[rows] = a + mine[0]
            self._last[rows] = a + mine[1] - 1
            self._is_same[rows] = is_same


def common_ends(one: Numbers, other: Numbers) -> tuple[int, int]:
    """Count what is equal at the beginning, and in the rest of it at the end."""
    size = min(len(one), len(other))
    before = _common(one[:size], other[:size])
    rest = size - before
    return before, _common(one[::-1][:rest], other[::-1][:rest])


def _common(one: Numbers, other: Numbers) -> int:
    """Count what is equal at the beginning, without looking much further."""
    size, step = len(one), 64
    place = 0
    while place < size:
        differs = np.flatnonzero(
            one[place : place + step] != other[place : place + step]
        )
        if len(differs):
            return place + int(differs[0])
        place, step = place + step, 2 * step
    return size


def _between(mine: Ints, theirs: Ints, region: Region) -> Iterator[Region]:
    """Give what lies before, between and behind the anchors."""
    a, b, c, d = region
    is_jump = (np.diff(mine) > 1) | (np.diff(theirs) > 1)
    at = np.flatnonzero(is_jump)
    starts = [(a, c), *zip(mine[at] + a + 1, theirs[at] + c + 1, strict=True)]
    starts.append((mine[-1] + a + 1, theirs[-1] + c + 1))
    ends = [(mine[0] + a, theirs[0] + c)]
    ends += zip(mine[at + 1] + a, theirs[at + 1] + c, strict=True)
    ends.append((b, d))
    for (first, other), (last, behind) in zip(starts, ends, strict=True):
        yield int(first), int(last), int(other), int(behind)

"""Alignment of the pieces of an answer with the pieces of the key, by edit distance.

A piece that is changed, missing or added costs 1. Pieces with the same letters when
written together, such as `do n` and `don`, cost nothing. Among the cheapest alignments,
`align` chooses the one whose changed pieces are most similar.

Common beginnings and ends are removed first. The rest is aligned exactly, by dynamic
programming, if it has at most `_EXACT` pairs of pieces. A longer rest is cut at
anchors, longer ones first, so time grows with the length of the text and not with its
square. An anchor is a sequence of pieces that occurs once in each text; the anchors
that are used form a longest increasing sequence. A cut at an anchor may cost one edit
more than necessary. If there are no anchors, both sides are halved.

In the dynamic programme, a cost is an integer of two parts: the number of edits and,
as the lower part, how different the changed pieces are.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.alignment.pieces import ZERO

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints

    Numbers = Ints | NDArray[np.uint32]
    Region = tuple[int, int, int, int]
    Range = tuple[int, int]
    Step = tuple[Range, Range, bool]


class Alignment(NamedTuple):
    """The first and last of the key's pieces for each piece of the answer, or -1."""

    first: Ints
    last: Ints
    is_same: NDArray[np.bool_]

    def of_key(self, count: int) -> tuple[Ints, NDArray[np.bool_]]:
        """Return the answer's piece for each of the key's, or -1; is it equal?"""
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
    return _Aligner(key, output).align()


_EXACT = 1 << 15

_AT_MOST = 1 << 21

_LENGTHS = (8, 4, 2, 1)


class _Aligner:
    """Two texts, with a number for each distinct piece, and their alignment so far."""

    def __init__(self, key: Sequence[str], output: Sequence[str]) -> None:
        numbers: dict[str, int] = {}
        self._key, self._output = key, output
        self._mine, self._theirs = (
            np.array([numbers.setdefault(piece, len(numbers)) for piece in side], int)
            for side in (key, output)
        )
        self._first = np.full(len(output), -1, dtype=np.int64)
        self._last = np.full(len(output), -1, dtype=np.int64)
        self._is_same = np.zeros(len(output), dtype=np.bool_)

    def align(self) -> Alignment:
        """Align regions, pieces a to b of the key with c to d, until none is left."""
        regions = [(0, len(self._key), 0, len(self._output))]
        while regions:
            a, b, c, d = regions.pop()
            before, after = common_ends(self._mine[a:b], self._theirs[c:d])
            self._match(np.arange(a, a + before), np.arange(c, c + before))
            self._match(np.arange(b - after, b), np.arange(d - after, d))
            a, b, c, d = a + before, b - after, c + before, d - after
            if a == b or c == d:
                continue
            if (b - a) * (d - c) <= _EXACT:
                self._align_gap(a, b, c, d)
            else:
                regions += self._parts(a, b, c, d)
        return Alignment(self._first, self._last, self._is_same)

    def _parts(self, a: int, b: int, c: int, d: int) -> Iterator[Region]:
        """Cut a region at anchors, or in the middle if there are none."""
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
    """Count equal elements at the beginning and, in the rest, at the end."""
    size = min(len(one), len(other))
    before = _common_prefix(one[:size], other[:size])
    rest = size - before
    return before, _common_prefix(one[::-1][:rest], other[::-1][:rest])


def _common_prefix(one: Numbers, other: Numbers) -> int:
    """Count equal elements at the beginning, in steps, to stop soon if they differ."""
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
    """Return the regions before, between and after the anchors."""
    a, b, c, d = region
    is_jump = (np.diff(mine) > 1) | (np.diff(theirs) > 1)
    at = np.flatnonzero(is_jump)
    starts = [(a, c), *zip(mine[at] + a + 1, theirs[at] + c + 1, strict=True)]
    starts.append((mine[-1] + a + 1, theirs[-1] + c + 1))
    ends = [(mine[0] + a, theirs[0] + c)]
    ends += zip(mine[at + 1] + a, theirs[at + 1] + c, strict=True)
    ends.append((b, d))
    for (first, other_first), (last, other_last) in zip(starts, ends, strict=True):
        yield int(first), int(last), int(other_first), int(other_last)


_EDIT = 1 << 20


class _Join(NamedTuple):
    """Pieces of one side that are one piece of the other; both end at these places."""

    key: int
    output: int
    rows: int
    columns: int


def align_gap(key: Sequence[str], output: Sequence[str]) -> list[Step]:
    """Pair ranges of the key's pieces with ranges of the answer's; are they equal?

    >>> align_gap(["can", "not", "go"], ["cannot", "stay"])
    [((0, 2), (0, 1), True), ((2, 3), (1, 2), False)]
    """
    joins = [
        _Join(end, place + 1, end - start, 1)
        for start, end, place in _written_together(key, output)
    ]
    joins += [
        _Join(place + 1, end, 1, end - start)
        for start, end, place in _written_together(output, key)
    ]
    change = _change_costs(key, output)
    cost = _prefix_costs(change, joins)
    return _path(cost, change, joins)[::-1]


_LONGEST_JOIN = 4


def _written_together(
    parts: Sequence[str], wholes: Sequence[str]
) -> Iterator[tuple[int, int, int]]:
    """Find ranges of pieces that are one piece of the other side, and its place."""
    places: dict[str, list[int]] = {}
    for place, whole in enumerate(wholes):
        places.setdefault(whole, []).append(place)
    for start in range(len(parts)):
        for end in range(start + 2, min(start + _LONGEST_JOIN, len(parts)) + 1):
            for place in places.get("".join(parts[start:end]), ()):
                yield start, end, place


def _prefix_costs(change: Ints, joins: list[_Join]) -> Ints:
    """Compute the cost of aligning each prefix of the key with each of the answer."""
    rows, columns = change.shape
    added = np.arange(columns + 1, dtype=np.int64) * _EDIT
    cost = np.empty((rows + 1, columns + 1), dtype=np.int64)
    cost[0] = added
    ending: dict[int, list[_Join]] = {}
    for join in joins:
        ending.setdefault(join.key, []).append(join)
    for row in range(1, rows + 1):
        above = cost[row - 1]
        best = above + _EDIT
        np.minimum(best[1:], above[:-1] + change[row - 1], out=best[1:])
        for join in ending.get(row, ()):
            other = cost[row - join.rows, join.output - join.columns]
            best[join.output] = min(best[join.output], other)
        cost[row] = np.minimum.accumulate(best - added) + added
    return cost


def _path(cost: Ints, change: Ints, joins: list[_Join]) -> list[Step]:
    """Follow the cheapest alignment back from the end."""
    ending = {(join.key, join.output): join for join in joins}
    steps: list[Step] = []
    row, column = (size - 1 for size in cost.shape)
    while row and column:
        here = cost[row, column]
        join = ending.get((row, column))
        rows, columns = (join.rows, join.columns) if join else (0, 0)
        if here == cost[row - 1, column - 1] + change[row - 1, column - 1]:
            is_same = bool(change[row - 1, column - 1] == 0)
            steps.append(((row - 1, row), (column - 1, column), is_same))
            row, column = row - 1, column - 1
        elif join and here == cost[row - rows, column - columns]:
            steps.append(((row - rows, row), (column - columns, column), True))
            row, column = row - rows, column - columns
        elif here == cost[row - 1, column] + _EDIT:
            row -= 1
        else:
            column -= 1
    return steps


_UNLIKE = 32  # the most that different letters, or another kind of piece, can cost


def _change_costs(key: Sequence[str], output: Sequence[str]) -> Ints:
    """Compute what it costs to change each piece of the key into each of the answer."""
    sides = key, output
    mine, theirs = _letters(key)[:, None], _letters(output)[None, :]
    common, either = _count_bits(mine & theirs), _count_bits(mine | theirs)
    cost: Ints = _EDIT + (_UNLIKE - 1) * (either - common) // np.maximum(either, 1)
    is_word = [np.array([piece[:1].isalnum() for piece in side]) for side in sides]
    cost += _UNLIKE * (is_word[0][:, None] != is_word[1][None, :])
    # An empty node is never a word: a change costs more than two edits, which win.
    is_zero = [np.array([piece == ZERO for piece in side]) for side in sides]
    cost[is_zero[0][:, None] != is_zero[1][None, :]] = 2 * _EDIT + 1
    numbers: dict[str, int] = {}
    codes = [
        np.array([numbers.setdefault(piece, len(numbers)) for piece in side])
        for side in sides
    ]
    cost[codes[0][:, None] == codes[1][None, :]] = 0
    return cost


_BITS = 64


def _letters(pieces: Sequence[str]) -> NDArray[np.uint64]:
    """Set a bit for each letter and each pair of neighbouring letters of a piece."""
    codes = []
    for piece in pieces:
        code, before = 0, 0
        for letter in map(ord, piece.lower()):
            code |= 1 << letter % _BITS | 1 << (31 * before + letter) % _BITS
            before = letter
        codes.append(code)
    return np.array(codes, dtype=np.uint64)


def _count_bits(codes: NDArray[np.uint64]) -> Ints:
    if hasattr(np, "bitwise_count"):  # since NumPy 2.0
        return np.bitwise_count(codes).astype(np.int64)
    octets = np.ascontiguousarray(codes)[..., None].view(np.uint8)
    counts: Ints = np.unpackbits(octets, axis=-1).sum(axis=-1, dtype=np.int64)
    return counts


def anchors(mine: Ints, theirs: Ints, length: int) -> tuple[Ints, Ints]:
    """Find the starts of anchors of some length, in order on both sides.

    >>> one, other = np.array([1, 2, 3, 1, 2]), np.array([0, 2, 3, 1, 9])
    >>> [places.tolist() for places in anchors(one, other, 2)]
    [[1, 2], [1, 2]]
    """
    if min(len(mine), len(theirs)) < length:
        return mine[:0], theirs[:0]
    code, ours = _once(sequences(mine, length))
    other_code, others = _once(sequences(theirs, length))
    _, one, other = np.intersect1d(
        code, other_code, assume_unique=True, return_indices=True
    )
    ours, others = ours[one], others[other]
    order = np.argsort(ours)
    ours, others = ours[order], others[order]
    # Two sequences may have equal codes by chance, so their first pieces are compared.
    kept = mine[ours] == theirs[others]
    ours, others = ours[kept], others[kept]
    rows = _longest_increasing(others)
    return ours[rows], others[rows]


_ODD = np.uint64(0x9E3779B97F4A7C15)

_SHIFT = np.uint64(32)


def sequences(side: Ints, length: int) -> NDArray[np.uint64]:
    """Return a hash of each sequence of so many pieces."""
    count = len(side) - length + 1
    code = np.zeros(count, dtype=np.uint64)
    for place in range(length):
        code += side[place : place + count].astype(np.uint64) + np.uint64(1)
        code = (code ^ (code >> _SHIFT)) * _ODD
    return code


def _once(code: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], Ints]:
    """Return the codes that occur once, and their places."""
    distinct, first, count = np.unique(code, return_index=True, return_counts=True)
    return distinct[count == 1], first[count == 1]


def _longest_increasing(values: Ints) -> Ints:
    """Return the rows of a longest increasing subsequence."""
    if (np.diff(values) > 0).all():
        return np.arange(len(values))
    ends: list[int] = []
    rows: list[int] = []
    before = np.full(len(values), -1, dtype=np.int64)
    for row, value in enumerate(values.tolist()):
        place = bisect_left(ends, value)
        ends[place : place + 1] = [value]
        rows[place : place + 1] = [row]
        if place:
            before[row] = rows[place - 1]
    chosen = [rows[-1]]
    while before[chosen[-1]] >= 0:
        chosen.append(int(before[chosen[-1]]))
    return np.array(chosen[::-1], dtype=np.int64)

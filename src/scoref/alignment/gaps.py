"""The cheapest alignment of two short sequences of pieces, by dynamic programming.

Costs are integers of two parts: edits, and below them how unlike the changed pieces
are. A row of the table is computed at once: what comes from above and from the left
above first, then what is added, by a running minimum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.alignment.pieces import ZERO

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints

    Range = tuple[int, int]
    Step = tuple[Range, Range, bool]

_EDIT = 1 << 20
_UNLIKE = 32  # what letters can add to the cost of a change, and being another kind
_LONGEST_JOIN = 4
_BITS = 64


class _Join(NamedTuple):
    """Pieces of one side that are one piece of the other, by where both end."""

    key: int
    output: int
    rows: int
    columns: int


def align_gap(key: Sequence[str], output: Sequence[str]) -> list[Step]:
    """Pair pieces: the key's from and to, the answer's from and to, the same or not.

    >>> align_gap(["can", "not", "go"], ["cannot", "stay"])
    [((0, 2), (0, 1), True), ((2, 3), (1, 2), False)]
    """
    joins = _joins(key, output)
    change = _changes(key, output)
    cost = _table(change, joins)
    return _path(cost, change, joins)[::-1]


def _table(change: Ints, joins: list[_Join]) -> Ints:
    """Fill in the cost of each pair of beginnings."""
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
    """Go back from the end along the cheapest way."""
    ending = {(join.key, join.output): join for join in joins}
    steps: list[Step] = []
    row, column = (size - 1 for size in cost.shape)
    while row and column:
        here = cost[row, column]
        found = ending.get((row, column))
        rows, columns = (found.rows, found.columns) if found else (0, 0)
        if here == cost[row - 1, column - 1] + change[row - 1, column - 1]:
            is_same = bool(change[row - 1, column - 1] == 0)
            steps.append(((row - 1, row), (column - 1, column), is_same))
            row, column = row - 1, column - 1
        elif found and here == cost[row - rows, column - columns]:
            steps.append(((row - rows, row), (column - columns, column), True))
            row, column = row - rows, column - columns
        elif here == cost[row - 1, column] + _EDIT:
            row -= 1
        else:
            column -= 1
    return steps


def _joins(key: Sequence[str], output: Sequence[str]) -> list[_Join]:
    """Find pieces that are one on the other side."""
    found = [
        _Join(end, place + 1, end - start, 1)
        for start, end, place in _written_together(key, output)
    ]
    found += [
        _Join(place + 1, end, 1, end - start)
        for start, end, place in _written_together(output, key)
    ]
    return found


def _written_together(
    parts: Sequence[str], wholes: Sequence[str]
) -> Iterator[tuple[int, int, int]]:
    places: dict[str, list[int]] = {}
    for place, whole in enumerate(wholes):
        places.setdefault(whole, []).append(place)
    for start in range(len(parts)):
        for end in range(start + 2, min(start + _LONGEST_JOIN, len(parts)) + 1):
            for place in places.get("".join(parts[start:end]), ()):
                yield start, end, place


def _changes(key: Sequence[str], output: Sequence[str]) -> Ints:
    """Compute what it costs to take each piece for each of the other side."""
    mine, theirs = _letters(key)[:, None], _letters(output)[None, :]
    common, either = _bits(mine & theirs), _bits(mine | theirs)
    cost: Ints = _EDIT + (_UNLIKE - 1) * (either - common) // np.maximum(either, 1)
    cost += _UNLIKE * (_are_words(key)[:, None] != _are_words(output)[None, :])
    # An empty node is never a word: two edits and a bit, so that it is not tried.
    is_zero = [np.array([each == ZERO for each in side]) for side in (key, output)]
    cost[is_zero[0][:, None] != is_zero[1][None, :]] = 2 * _EDIT + 1
    numbers: dict[str, int] = {}
    codes = [
        np.array([numbers.setdefault(each, len(numbers)) for each in side])
        for side in (key, output)
    ]
    cost[codes[0][:, None] == codes[1][None, :]] = 0
    return cost


def _bits(codes: NDArray[np.uint64]) -> Ints:
    """Count the bits that are set."""
    if hasattr(np, "bitwise_count"):  # since NumPy 2.0
        return np.bitwise_count(codes).astype(np.int64)
    octets = np.ascontiguousarray(codes)[..., None].view(np.uint8)
    counts: Ints = np.unpackbits(octets, axis=-1).sum(axis=-1, dtype=np.int64)
    return counts


def _letters(pieces: Sequence[str]) -> NDArray[np.uint64]:
    """Write down which letters, and neighbours, a piece has: a bit for each."""
    found = []
    for piece in pieces:
        code, before = 0, 0
        for letter in map(ord, piece.lower()):
            code |= 1 << letter % _BITS | 1 << (31 * before + letter) % _BITS
            before = letter
        found.append(code)
    return np.array(found, dtype=np.uint64)


def _are_words(pieces: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([piece[:1].isalnum() for piece in pieces])

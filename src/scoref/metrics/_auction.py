"""Maximum-weight matching by auction: exact, and fast where everything is tangled.

Rows bid for columns. What a row gains by a column is the weight of their edge less the
column's price; a row bids as much as it can and still be no worse off than with its
second choice, plus a step. Whoever bids most gets the column, and who had it before
bids again. Then columns that nobody has, but that have a price, bid for rows in the
same way. All who want to bid do so at once, in columns of numbers.

Both ends have a value, the gain of a row and the price of a column, and these hold:

    gain + price = weight           where an edge is matched
    gain + price ≥ weight - step    for every edge
    gain = 0, price = 0             where an end is free

So no matching weighs more than this one and a step for each row. Steps get smaller
from one phase to the next, and what a smaller step allows is kept. Weights are
multiplied by one more than there are rows; with the last step, 1, none can weigh more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from scoref.model import Ints

_FIRST_STEP, _FINER = 8, 16
_FREE = -1
HEAVIEST = 1 << 62
"""What the heaviest edge may weigh, multiplied by one more than there are rows."""


class Values(NamedTuple):
    """What proves the optimum: gains of rows and prices of columns, multiplied."""

    gain: Ints
    price: Ints
    factor: int


def auction(row: Ints, column: Ints, weight: Ints) -> tuple[Ints, Values]:
    """Give the positions of the edges of an optimum, and the values that prove it.

    Edges are distinct pairs; ends are numbered from 0, and all of them have edges.

    >>> chosen, _ = auction(*np.array([[0, 0, 1], [0, 1, 0], [3, 2, 2]]))
    >>> chosen.tolist()
    [1, 2]

    Raises:
        OverflowError: weights times rows are more than 64 bits hold.
    """
    factor = int(row.max()) + 2
    if int(weight.max()) * factor > HEAVIEST:
        raise OverflowError("weights are too large to be multiplied")
    rows = _Bidders.of(row, column, weight * factor)
    columns = _Bidders.of(column, row, weight * factor)
    step = max(1, int(weight.max()) * factor // _FIRST_STEP)
    while step:
        _disturb(rows, columns, step)
        rows.settle(rows.without_mate(), columns, step)
        columns.settle(columns.without_mate(), rows, step)
        step = 1 if 1 < step < _FINER else step // _FINER
    chosen = np.flatnonzero(rows.mate[row] == column)
    return chosen, Values(rows.value, columns.value, factor)


def _disturb(rows: _Bidders, columns: _Bidders, step: int) -> None:
    """Take from rows what they would not have chosen with so small a step."""
    best = rows.offers(np.arange(len(rows.mate)), columns.value).best
    unhappy = best > rows.value + step
    lost = rows.mate[unhappy]
    columns.mate[lost[lost != _FREE]] = _FREE
    rows.mate[unhappy] = _FREE
    rows.value[unhappy] = best[unhappy]


class _Offers(NamedTuple):
    """What bidders would gain by their first and second choice, and the first."""

    best: Ints
    second: Ints
    choice: Ints


class _Bidders(NamedTuple):
    """One side: the edges of each end, its mate and its value."""

    start: Ints
    other: Ints
    weight: Ints
    mate: Ints
    value: Ints

    @classmethod
    def of(cls, end: Ints, other: Ints, weight: Ints) -> _Bidders:
        """Sort edges by their ends; nobody has a mate."""
        order = np.argsort(end, kind="stable")
        degree = np.bincount(end)
        start = np.concatenate(([0], np.cumsum(degree)))
        free = np.full(len(degree), _FREE, dtype=np.int64)
        nothing = np.zeros(len(degree), dtype=np.int64)
        return cls(start, other[order], weight[order], free, nothing)

    def without_mate(self) -> Ints:
        """List ends that have a value, and nobody to get it from."""
        return np.flatnonzero((self.mate == _FREE) & (self.value > 0))

    def offers(self, bidders: Ints, price: Ints) -> _Offers:
        """Find the first and the second choice of each; staying alone gains 0."""
        degree = self.start[bidders + 1] - self.start[bidders]
        first = np.cumsum(degree) - degree
        edge = np.arange(degree.sum()) + np.repeat(self.start[bidders] - first, degree)
        gain = self.weight[edge] - price[self.other[edge]]
        best = np.maximum.reduceat(gain, first)
        place = np.flatnonzero(gain == np.repeat(best, degree))
        # The first of equal ones: places are sorted by bidder.
        choice = place[np.searchsorted(place, first)]
        gain[choice] = 0
        second = np.maximum(np.maximum.reduceat(gain, first), 0)
        return _Offers(best, second, self.other[edge[choice]])

    def settle(self, bidders: Ints, others: _Bidders, step: int) -> None:
        """Let ends bid for those of the other side until all are content."""
        while len(bidders):
            offers = self.offers(bidders, others.value)
            self.value[bidders[offers.best <= 0]] = 0  # better alone
            wants = offers.best > 0
            bidders, choice = bidders[wants], offers.choice[wants]
            kept = np.maximum(offers.second[wants] - step, 0)
            bid = offers.best[wants] - kept
            # The highest bid for each, and among equal ones the first bidder's.
            order = np.lexsort((bidders, -bid, choice))
            wins = order[np.diff(choice[order], prepend=-1) > 0]
            winner, won = bidders[wins], choice[wins]
            before = others.mate[won]
            others.value[won] += bid[wins]
            self.value[winner] = kept[wins]
            others.mate[won], self.mate[winner] = winner, won
            before = before[before != _FREE]
            self.mate[before] = _FREE
            outbid = np.delete(bidders, wins)
            bidders = np.concatenate((outbid, before[self.value[before] > 0]))

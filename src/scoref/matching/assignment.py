"""Assignment of rows to columns with the same ties as SciPy's solver.

Scorers that match mentions by overlap fill a dense matrix of scores and pass it to
SciPy's ``linear_sum_assignment``. Among equally good assignments, the pairs depend on
the order in which that solver (Crouse, 2016) visits columns. To pair the same mentions,
this module repeats its steps one by one, in the same doubles, but on the positive
scores only: nearly all pairs of mentions share nothing.

The solver takes row after row and grows a tree of shortest alternating paths until it
reaches a free column. With u and v the potentials of rows and columns, the path from
row i, at distance b, to column j has the length

    b − score_ij − u_i − v_j

The zeros need no matrix for three reasons:

- Free columns have v = 0, so a row that scores 0 with them is equally far from all of
  them. Together they are one pool at one distance.
- A taken column has v ≤ 0, so along a zero it is not nearer than the pool, and in a
  tie the free column wins. Rounding can lift a v slightly above 0; such columns are
  rare and visited one by one.
- Ties are broken by the place in the solver's list of columns, which is known without
  the list: it starts in falling order, and the last column replaces each one that
  leaves it.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Ints

    Floats = NDArray[np.float64]
    Entries = list[tuple[int, float]]

_MANY, _DENSE = 20_000, 1 / 16
"""More edges than this, and a larger share of all possible edges, are dense."""


def assign(rows: int, columns: int, row: Ints, column: Ints, score: Floats) -> Ints:
    """Return the positions of the chosen edges, in increasing order.

    A pair that is not listed scores 0, and is not reported if the solver happens to
    choose it. A pair that scores 0 may be listed to learn whether it was chosen.

    >>> both = np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([1.0, 1.0, 0.5])
    >>> assign(2, 2, *both)
    array([1, 2])
    """
    if columns < rows:
        rows, columns, row, column = columns, rows, column, row
    edges = np.flatnonzero(score > 0)
    positive = row[edges], column[edges], score[edges]
    if len(edges) > _MANY and len(edges) > _DENSE * rows * columns:
        chosen = _assign_densely(rows, columns, *positive)
    else:
        solver = _Solver(columns, _entries(rows, *positive))
        for root in range(rows):
            solver.match(root)
        of_rows = [solver.column_of[root] for root in range(rows)]
        chosen = np.array(of_rows, dtype=np.int64)
    return np.flatnonzero(chosen[row] == column)


def _assign_densely(
    rows: int, columns: int, row: Ints, column: Ints, score: Floats
) -> Ints:
    """Return the column of each row by SciPy's solver, if few pairs score 0."""
    from scipy.optimize import linear_sum_assignment  # 0.5 s, and rare

    matrix = np.zeros((rows, columns))
    matrix[row, column] = score
    _, chosen = linear_sum_assignment(matrix, maximize=True)
    columns_of_rows: Ints = chosen
    return columns_of_rows


def _entries(rows: int, row: Ints, column: Ints, score: Floats) -> list[Entries]:
    """List for each row its columns with a positive score, and these scores."""
    order = np.argsort(row, kind="stable")
    pairs = list(zip(column[order].tolist(), score[order].tolist(), strict=True))
    ends = np.cumsum(np.bincount(row, minlength=rows)).tolist()
    return [pairs[start:end] for start, end in pairwise([0, *ends])]


class _Solver:
    """The matching so far, and the potentials that prove it optimal."""

    def __init__(self, columns: int, entries: list[Entries]) -> None:
        self.column_of: dict[int, int] = {}
        self._row_of: dict[int, int] = {}
        self._columns = columns
        self._entries = entries
        self._row_potential = [0.0] * len(entries)
        self._column_potential = [0.0] * columns
        self._lifted: set[int] = set()
        self._free = _FreeColumns(columns)

    def match(self, root: int) -> None:
        """Give a row a column; other rows may have to move."""
        lowest = self._free.first_from(0)
        if lowest is not None and not (self._entries[root] or self._lifted):
            # All columns are equally far, and the solver takes the lowest.
            self._free.take(lowest)
            self._row_of[lowest], self.column_of[root] = root, lowest
            return
        search = _Search(root, self._columns, self._row_of)
        row: int | None = root
        while row is not None:
            self._explore(search, row)
            column = search.nearest(self._free)
            row = self._row_of.get(column)
        self._shift(search, root)
        self._flip(search, root, column)

    def _explore(self, search: _Search, row: int) -> None:
        base, row_potential = search.base, self._row_potential[row]
        potential = self._column_potential
        to_zero = base - row_potential
        search.offer_pool(row, to_zero)
        for column in self._lifted:
            search.offer(row, column, to_zero - potential[column])
        for column, score in self._entries[row]:
            # From left to right, as the solver does: sums of doubles depend on it.
            distance = base - score - row_potential - potential[column]
            search.offer(row, column, distance)

    def _shift(self, search: _Search, root: int) -> None:
        self._row_potential[root] += search.base
        for column, distance in search.passed.items():
            shift = search.base - distance
            self._row_potential[self._row_of[column]] += shift
            self._column_potential[column] -= shift
            if self._column_potential[column] > 0:
                self._lifted.add(column)
            else:
                self._lifted.discard(column)

    def _flip(self, search: _Search, root: int, sink: int) -> None:
        self._free.take(sink)
        row, column = None, sink
        while row != root:
            row = search.reached_from[column]
            self._row_of[column] = row
            before = self.column_of.get(row, column)
            self.column_of[row] = column
            column = before


class _Search:
    """Shortest paths from one row, nearest column first."""

    def __init__(self, root: int, columns: int, row_of: dict[int, int]) -> None:
        self.base = 0.0
        self.passed: dict[int, float] = {}
        self.reached_from: dict[int, int] = {}
        self._row_of = row_of
        self._distance: dict[int, float] = {}
        self._queue: list[tuple[float, int, int]] = []
        self._pool_distance = inf
        self._pool_reached_from = root
        self._candidates = _Candidates(columns)

    def offer_pool(self, row: int, distance: float) -> None:
        """Note a path to the free columns with which a row scores 0."""
        if distance < self._pool_distance:
            self._pool_distance = distance
            self._pool_reached_from = row

    def offer(self, row: int, column: int, distance: float) -> None:
        """Note a path to a column, if it is the shortest and beats the pool."""
        nearest = self._distance.get(column, self._pool_distance)
        if distance < min(nearest, self._pool_distance) and column not in self.passed:
            self._distance[column] = distance
            self.reached_from[column] = row
            heappush(self._queue, (distance, self._preference(column), column))

    def nearest(self, free: _FreeColumns) -> int:
        """Go to the nearest column; the search is over if that is a free one."""
        while self._queue and self._queue[0][0] < self._pool_distance:
            distance, preference, column = heappop(self._queue)
            is_valid = distance == self._distance.get(column)
            if is_valid and preference == self._preference(column):
                self.base = distance
                if column in self._row_of:
                    self._pass(column)
                return column
        return self._end_in_pool(free)

    def _end_in_pool(self, free: _FreeColumns) -> int:
        """Go to the free column that the solver looks at last."""
        column = self._candidates.last_free(free)
        self.base = self._pool_distance
        # A path that was noted was shorter than the pool's at the time. If it is as
        # long now, it was found earlier, and the solver keeps the first.
        if self._distance.get(column, inf) > self.base:
            self.reached_from[column] = self._pool_reached_from
        return column

    def _pass(self, column: int) -> None:
        self.passed[column] = self._distance.pop(column)
        moved = self._candidates.remove(column)
        if moved in self._distance:
            entry = self._distance[moved], self._preference(moved), moved
            heappush(self._queue, entry)

    def _preference(self, column: int) -> int:
        """Rank columns at one distance: the last free, else the first taken."""
        slot = self._candidates.slot(column)
        return slot if column in self._row_of else -1 - slot


class _Candidates:
    """The solver's list of columns, of which only the moved ones are stored."""

    def __init__(self, columns: int) -> None:
        self._last_slot = columns - 1
        self._removed = 0
        self._slot: dict[int, int] = {}
        self._occupant: dict[int, int] = {}

    def slot(self, column: int) -> int:
        """Find a column's place in the list."""
        return self._slot.get(column, self._last_slot - column)

    def remove(self, column: int) -> int:
        """Remove a column; return the one that was last and takes its place."""
        slot, last = self.slot(column), self._last_slot - self._removed
        mover = self._occupant.get(last, self._removed)
        self._slot[mover] = slot
        self._occupant[slot] = mover
        self._removed += 1
        return mover

    def last_free(self, free: _FreeColumns) -> int:
        """Find the free column with the highest place."""
        # Columns below the number of removals have all moved or left, the others
        # are where they were.
        candidates = [column for column in self._slot if column in free]
        unmoved = free.first_from(self._removed)
        if unmoved is not None:
            candidates.append(unmoved)
        return max(candidates, key=self.slot)


class _FreeColumns:
    """The columns without a row; a column that was taken stays taken."""

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self._next = list(range(columns + 1))

    def __contains__(self, column: int) -> bool:
        return self._next[column] == column

    def first_from(self, column: int) -> int | None:
        """Find the lowest free column that is not below another."""
        following = self._next
        while following[column] != column:
            following[column] = following[following[column]]
            column = following[column]
        return column if column < self._columns else None

    def take(self, column: int) -> None:
        """Mark a column as taken."""
        self._next[column] = column + 1

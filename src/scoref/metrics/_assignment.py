"""Maximum-weight matching on a sparse bipartite graph, exact, in integers.

Most of a real contingency table is decided by two reductions. They are repeated until
they find little, each for the whole graph at once:

- An edge that weighs at least as much as the next best of its row and the next best of
  its column together is in some optimum: take it.
- A row that has edges to one column only is a leaf. With f the heaviest leaf of a
  column, the optimum is f more than that of the graph without these leaves and with f
  subtracted from the column's other edges. If the column is still free then, its leaf
  takes it. The same holds for columns.

The rest, the kernel, is solved for each connected component by augmenting paths with a
dual certificate. If this would take long, SciPy's solver for sparse matrices is used.
Its time grows with the square of the rows, so components are combined only up to a few
thousand rows. A component with very many rows is solved by auction.

In the auction, rows bid for columns. The gain of a row from a column is the weight of
their edge less the column's price. A row bids as much as it can without being worse off
than with its second choice, plus a step. The highest bidder gets the column, and the
previous owner bids again. Then free columns that have a price bid for rows in the same
way. All bids of a round are made at once, in columns of numbers. Both ends have a
value, the gain of a row and the price of a column, and these hold:

    gain + price = weight           where an edge is matched
    gain + price ≥ weight - step    for every edge
    gain = 0, price = 0             where an end is free

So no matching weighs more than this one plus a step for each row. Steps get smaller
from one phase to the next, and each phase keeps what its smaller step allows. Weights
are multiplied by the number of rows plus one, so with the last step, 1, the matching is
optimal.

`prices` finds the prices that prove a matching optimal: a price for each row and
column, none below its floor, such that no edge weighs more than its two ends cost,
matched edges weigh exactly that, and free ends cost nothing. A floor above 0 is what an
end could get elsewhere, by edges that are not in the graph.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.model.arrays import bounds, is_new, ranges, starts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scoref.model import Ints


_ROW, _COLUMN = 0, 1

_WORTH_ANOTHER_ROUND = 0.02

_SCAN_BUDGET, _MANY = 50_000, 20_000
"""The most edges that are scanned, and that are there at all, before SciPy is used."""

_FEW_ROWS, _MOST_ROWS, _HEAVIEST = 2_000, 100_000, 1 << 50
"""Limits for SciPy: rows at once, rows of one component, and weights."""


def best_matching(row: Ints, column: Ints, weight: Ints) -> Ints:
    """Return the positions of the edges of an optimum, in increasing order.

    Edges are distinct pairs and weigh more than 0. An end may stay unmatched.

    >>> best_matching(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3, 2, 2]))
    array([1, 2])
    """
    graph = _Graph(row, column, weight)
    graph.reduce()
    if not graph.size:
        return graph.unfold()
    if graph.size > _MANY:
        for edges in _split_kernel(*graph.kernel()):
            graph.choose(_solve_large(*edges))
        return graph.unfold()
    for component in graph.components():
        matching = ComponentMatching(component)
        if matching.solve(_SCAN_BUDGET):
            graph.choose(np.array(matching.positions(), dtype=np.int64))
        else:
            graph.choose(_solve_large(*np.array(component, dtype=np.int64).T))
    return graph.unfold()


class Edge(NamedTuple):
    """One edge of the kernel; ``position`` is its place in the input."""

    row: int
    column: int
    weight: int
    position: int


class _Graph:
    """The edges that are still undecided, and the decisions so far."""

    def __init__(self, row: Ints, column: Ints, weight: Ints) -> None:
        self._ends = row, column
        self._sizes = [
            int(np.maximum.reduce(end, initial=-1)) + 1 for end in self._ends
        ]
        self._edge = np.arange(len(row))
        self._left = weight
        self._is_matched = [np.zeros(size, dtype=np.bool_) for size in self._sizes]
        self._chosen: list[Ints] = []
        self._folds: list[tuple[int, Ints]] = []

    def reduce(self) -> None:
        """Apply the two reductions until they find little."""
        while before := len(self._edge):
            self._take_dominant()
            if not len(self._edge):
                return
            self._fold_leaves(_ROW)
            self._fold_leaves(_COLUMN)
            if before - len(self._edge) <= before * _WORTH_ANOTHER_ROUND:
                return

    @property
    def size(self) -> int:
        """Count the edges that are left."""
        return len(self._edge)

    def kernel(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Return rows, columns, weights and positions of the edges that are left."""
        row, column = (end[self._edge] for end in self._ends)
        return row, column, self._left, self._edge

    def components(self) -> Iterator[list[Edge]]:
        """Split the edges that are left into connected components."""
        kernel = (column.tolist() for column in self.kernel())
        edges = [Edge(*row) for row in zip(*kernel, strict=True)]
        at_row, at_column = defaultdict(list), defaultdict(list)
        for edge in edges:
            at_row[edge.row].append(edge)
            at_column[edge.column].append(edge)
        while at_row:
            _, component = at_row.popitem()
            for edge in component:
                for neighbour in at_column.pop(edge.column, ()):
                    component.extend(at_row.pop(neighbour.row, ()))
            yield component

    def choose(self, edges: Ints) -> None:
        """Put edges into the matching."""
        self._chosen.append(edges)
        for end, is_matched in zip(self._ends, self._is_matched, strict=True):
            is_matched[end[edges]] = True

    def unfold(self) -> Ints:
        """Match each leaf with its end, unless that was matched later."""
        for hub_side, leaves in reversed(self._folds):
            hub_is_matched = self._is_matched[hub_side][self._ends[hub_side][leaves]]
            self.choose(leaves[~hub_is_matched])
        if not self._chosen:
            return np.empty(0, dtype=np.int64)
        chosen = np.concatenate(self._chosen)
        chosen.sort()
        return chosen

    def _take_dominant(self) -> None:
        row, column = self._ends
        if len(self._edge) < len(row):
            row, column = row[self._edge], column[self._edge]
        best_of_row, second_of_row = _best_two(row, self._left, self._sizes[_ROW])
        best, second_of_column = _best_two(column, self._left, self._sizes[_COLUMN])
        best = best[best >= 0]
        best = best[best_of_row[row[best]] == best]
        runners_up = second_of_row[row[best]] + second_of_column[column[best]]
        self.choose(self._edge[best[self._left[best] >= runners_up]])
        is_matched = self._is_matched
        self._keep(~(is_matched[_ROW][row] | is_matched[_COLUMN][column]))

    def _fold_leaves(self, leaf_side: int) -> None:
        hub_side = 1 - leaf_side
        leaf, hub = self._ends[leaf_side][self._edge], self._ends[hub_side][self._edge]
        is_leaf = np.bincount(leaf, minlength=1)[leaf] == 1
        leaves = is_leaf.nonzero()[0]
        best, _ = _best_two(hub[leaves], self._left[leaves], self._sizes[hub_side])
        heaviest = leaves[best[best >= 0]]
        self._folds.append((hub_side, self._edge[heaviest]))
        folded = np.zeros(self._sizes[hub_side], dtype=np.int64)
        folded[hub[heaviest]] = self._left[heaviest]
        self._left = self._left - folded[hub]
        self._keep(~is_leaf & (self._left > 0))

    def _keep(self, kept: NDArray[np.bool_]) -> None:
        self._edge, self._left = self._edge[kept], self._left[kept]


def _best_two(node: Ints, weight: Ints, nodes: int) -> tuple[Ints, Ints]:
    """Find each node's heaviest edge (-1: none) and the weight of its second."""
    best, second = np.empty(nodes, dtype=np.int64), np.zeros(nodes, dtype=np.int64)
    best.fill(-1)
    order = np.lexsort((-weight, node))
    sorted_node = node[order]
    is_first = is_new(sorted_node)
    best[sorted_node[is_first]] = order[is_first]
    is_second = is_first[:-1] > is_first[1:]  # right after the first of its node
    second[sorted_node[1:][is_second]] = weight[order[1:][is_second]]
    return best, second


def _split_kernel(*kernel: Ints) -> Iterator[list[Ints]]:
    """Split a kernel between components into parts of a few thousand rows."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    rows, row = np.unique(kernel[_ROW], return_inverse=True)
    columns, column = np.unique(kernel[_COLUMN], return_inverse=True)
    nodes = len(rows) + len(columns)
    edges = csr_matrix(
        (np.ones(len(row), dtype=np.int8), (row, len(rows) + column)), (nodes, nodes)
    )
    _, component = connected_components(edges, directed=False)
    size = np.bincount(component[: len(rows)])
    of_edge = (np.cumsum(size) // _FEW_ROWS)[component[row]]
    order = np.argsort(of_edge, kind="stable")
    borders = np.flatnonzero(np.diff(of_edge[order])) + 1
    for part in np.split(order, borders):
        yield [column[part] for column in kernel]


def _solve_large(row: Ints, column: Ints, weight: Ints, position: Ints) -> Ints:
    """Solve by SciPy, or by auction if there are very many rows."""
    rows, row = np.unique(row, return_inverse=True)
    columns, column = np.unique(column, return_inverse=True)
    if len(columns) < len(rows):
        row, column = column, row
    is_few = min(len(rows), len(columns)) <= _MOST_ROWS
    if is_few and int(weight.max()) < _HEAVIEST:
        return position[_solve_by_scipy(row, column, weight)]
    chosen, _ = auction(row, column, weight)
    return position[chosen]


def _solve_by_scipy(row: Ints, column: Ints, weight: Ints) -> Ints:
    """Match every row; a row may get a column of its own that costs more than any edge.

    A row never pays more than that, so all sums are integers that a float can hold, and
    the optimum is exact.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    rows, columns = int(row.max()) + 1, int(column.max()) + 1
    alone, most = np.arange(rows), int(weight.max()) + 1
    cost = np.concatenate((most - weight, np.full(rows, most))).astype(np.float64)
    ends = np.append(row, alone), np.append(column, columns + alone)
    shape = rows, columns + rows
    matched, mate_of = min_weight_full_bipartite_matching(
        csr_matrix((cost, ends), shape=shape)
    )
    mate = np.empty(rows, dtype=np.int64)
    mate[matched] = mate_of
    return np.flatnonzero(mate[row] == column)


class ComponentMatching:
    """Augmenting paths on one component, with the duals that prove the optimum.

    Invariants: row_dual + column_dual ≥ weight on each edge, with equality on
    matched ones; duals are never negative, and 0 at free columns and at rows
    that were left free. At the end their sum equals the weight of the matching,
    and no matching can weigh more.
    """

    def __init__(self, edges: list[Edge]) -> None:
        self.row_dual: dict[int, int] = {}
        self.column_dual: dict[int, int] = defaultdict(int)
        self._edges: dict[int, list[Edge]] = defaultdict(list)
        for edge in edges:
            self._edges[edge.row].append(edge)
        self._of_row: dict[int, Edge] = {}
        self._of_column: dict[int, Edge] = {}
        self._scans = 0

    def solve(self, budget: int) -> bool:
        """Match row after row; False if that takes more than ``budget`` scans."""
        for row in self._edges:
            self._augment(row)
            if self._scans > budget:
                return False
        return True

    def positions(self) -> list[int]:
        """List the matched edges."""
        return [edge.position for edge in self._of_row.values()]

    def _augment(self, root: int) -> None:
        """Grow a tree of shortest paths from a row until one can be flipped.

        A path ends at a free column, or at a row whose dual would come down to 0
        first: that row gives up its column (or the root stays free).
        """
        edges = self._edges[root]
        gains = (edge.weight - self.column_dual[edge.column] for edge in edges)
        self.row_dual[root] = max(0, *gains)
        tree = _Tree(root, limit=self.row_dual[root])
        while True:
            self._grow(tree)
            column = tree.nearest_column()
            if column is None:
                self._shift(tree, tree.limit)
                if tree.loser != root:
                    self._flip(self._of_row.pop(tree.loser).column, tree)
                return
            if column not in self._of_column:
                self._shift(tree, tree.distance)
                self._flip(column, tree)
                return
            row = self._of_column[column].row
            tree.add_row(row, self.row_dual[row])

    def _grow(self, tree: _Tree) -> None:
        edges = self._edges[tree.row]
        self._scans += len(edges)
        to_row = tree.distance + self.row_dual[tree.row]
        for edge in edges:
            distance = to_row + self.column_dual[edge.column] - edge.weight
            tree.offer(edge, distance)

    def _shift(self, tree: _Tree, distance: int) -> None:
        for row, reached in tree.rows.items():
            self.row_dual[row] -= distance - reached
        for column, reached in tree.columns.items():
            self.column_dual[column] += distance - reached

    def _flip(self, column: int, tree: _Tree) -> None:
        while True:
            edge = tree.by[column]
            before = self._of_row.get(edge.row)
            self._of_row[edge.row] = self._of_column[column] = edge
            if before is None:
                return
            column = before.column


class _Tree:
    """Shortest alternating paths from a root row, nearest column first."""

    def __init__(self, root: int, *, limit: int) -> None:
        self.rows = {root: 0}
        self.columns: dict[int, int] = {}
        self.by: dict[int, Edge] = {}
        self.row, self.distance = root, 0
        self.loser, self.limit = root, limit
        self._tentative: dict[int, int] = {}
        self._queue: list[tuple[int, int]] = []

    def offer(self, edge: Edge, distance: int) -> None:
        """Note a path to a column, if it is the shortest and short enough to matter."""
        if distance < self._tentative.get(edge.column, self.limit):
            self._tentative[edge.column] = distance
            self.by[edge.column] = edge
            heappush(self._queue, (distance, edge.column))

    def nearest_column(self) -> int | None:
        """Go to the nearest column not yet seen; None if giving up is nearer."""
        while self._queue:
            distance, column = heappop(self._queue)
            if column not in self.columns and distance < self.limit:
                self.columns[column] = self.distance = distance
                return column
        return None

    def add_row(self, row: int, dual: int) -> None:
        """Continue with the row that has the column just reached."""
        self.rows[row] = self.distance
        self.row = row
        if self.distance + dual < self.limit:
            self.loser, self.limit = row, self.distance + dual


_FIRST_STEP, _FINER = 8, 16

_FREE = -1

HEAVIEST = 1 << 62
"""The most that the heaviest edge may weigh, multiplied by the rows plus one."""


class Values(NamedTuple):
    """The proof of an optimum: gains of rows and prices of columns, multiplied."""

    gain: Ints
    price: Ints
    factor: int


def auction(row: Ints, column: Ints, weight: Ints) -> tuple[Ints, Values]:
    """Return the positions of the edges of an optimum, and the values that prove it.

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
    """Free the rows that would choose another column with so small a step."""
    best = rows.offers(np.arange(len(rows.mate)), columns.value).best
    unhappy = best > rows.value + step
    lost = rows.mate[unhappy]
    columns.mate[lost[lost != _FREE]] = _FREE
    rows.mate[unhappy] = _FREE
    rows.value[unhappy] = best[unhappy]


class _Offers(NamedTuple):
    """The gains of bidders by their first and second choice, and the first choice."""

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
        """Sort edges by their ends; no end has a mate yet."""
        order = np.argsort(end, kind="stable")
        degree = np.bincount(end)
        start = bounds(degree)
        free = np.full(len(degree), _FREE, dtype=np.int64)
        nothing = np.zeros(len(degree), dtype=np.int64)
        return cls(start, other[order], weight[order], free, nothing)

    def without_mate(self) -> Ints:
        """List ends that have a value but no mate."""
        return np.flatnonzero((self.mate == _FREE) & (self.value > 0))

    def offers(self, bidders: Ints, price: Ints) -> _Offers:
        """Find the first and the second choice of each; staying alone gains 0."""
        degree = self.start[bidders + 1] - self.start[bidders]
        first, edge = starts(degree), ranges(self.start[bidders], degree)
        gain = self.weight[edge] - price[self.other[edge]]
        best = np.maximum.reduceat(gain, first)
        place = np.flatnonzero(gain == np.repeat(best, degree))
        # The first of equal choices, because places are sorted by bidder.
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
            wins = order[is_new(choice[order])]
            winner, won = bidders[wins], choice[wins]
            before = others.mate[won]
            others.value[won] += bid[wins]
            self.value[winner] = kept[wins]
            others.mate[won], self.mate[winner] = winner, won
            before = before[before != _FREE]
            self.mate[before] = _FREE
            outbid = np.delete(bidders, wins)
            bidders = np.concatenate((outbid, before[self.value[before] > 0]))


_MOST_ROUNDS = 200


class Graph(NamedTuple):
    """Edges with weights, and which of them are matched."""

    row: Ints
    column: Ints
    weight: Ints
    matched: Ints


class Prices(NamedTuple):
    """Prices of rows and columns, and which of them satisfy the conditions."""

    row: Ints
    column: Ints
    is_row_sound: NDArray[np.bool_]
    is_column_sound: NDArray[np.bool_]


def prices(graph: Graph, row_floor: Ints, column_floor: Ints) -> Prices:
    """Find the lowest prices of rows, and with them the highest of columns.

    If these do not satisfy the conditions, no others do.
    """
    row_mate = np.full(len(row_floor), _FREE, dtype=np.int64)
    column_mate = np.full(len(column_floor), _FREE, dtype=np.int64)
    row_mate[graph.row[graph.matched]] = graph.matched
    column_mate[graph.column[graph.matched]] = graph.matched
    of_row = np.maximum(row_floor, 0)
    is_moving = np.zeros(len(row_floor), dtype=np.bool_)
    for _ in range(_MOST_ROUNDS):
        of_column = _column_prices(graph, column_mate, of_row)
        raised = of_row.copy()
        needed = graph.weight - of_column[graph.column]
        np.maximum.at(raised, graph.row, needed)
        is_moving = raised > of_row
        of_row = raised
        if not is_moving.any():
            break
    of_column = _column_prices(graph, column_mate, of_row)
    is_free = row_mate < 0
    return Prices(
        of_row,
        of_column,
        ~is_moving & ~(is_free & (of_row > 0)),
        of_column >= np.maximum(column_floor, 0),
    )


def _column_prices(graph: Graph, mate: Ints, of_row: Ints) -> Ints:
    """Return what the rows leave of matched edges; 0 for columns that are free."""
    there = np.append(graph.weight, 0)[mate]
    other = np.append(of_row, 0)[np.append(graph.row, -1)[mate]]
    price: Ints = np.where(mate < 0, 0, there - other)
    return price

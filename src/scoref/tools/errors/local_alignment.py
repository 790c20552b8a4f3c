"""The alignment around a repair, and the proof that it is part of a best alignment.

A repair may change the alignment of distant entities, but hardly ever does. So it is
counted in a few entities: those that it touches, the key entities that are most similar
to these, and the entities that were aligned with one of them. All others stay aligned
as they are.

Prices prove that this is right (see `scoref.metrics._assignment`). An entity outside
the few keeps the price that it has in the best alignment of all, and what one of the
few would gain with it is a floor for that one's price. If no prices fulfil these
conditions, the repair is counted with more entities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.histogram import table_of_rows
from scoref.matching.ragged import Ragged
from scoref.metrics._assignment import Graph, prices
from scoref.model.arrays import distinct
from scoref.tools.errors.repair_tables import CopiedRows, copies_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats, Metric
    from scoref.model import Ints
    from scoref.tools.errors.repair_tables import Copies, Moves

    Mask = NDArray[np.bool_]


_BEST = 4
"""How many of the most similar entities are considered individually."""

_NOTHING = -(1 << 62)
"""The gain with an entity that does not exist."""

_MOST_ENTITIES = 1 << 20
"""With more entities, the weights of the whole and of its parts round differently."""

_NO_ENTITY = -1


class LocalAlignment:
    """A table with its best alignment and the prices that prove it."""

    def __init__(self, table: Contingency, metric: Metric) -> None:
        assert metric.weigh is not None
        assert metric.align is not None
        self._table, self._metric, self._weigh = table, metric, metric.weigh
        self._align = metric.align
        key, response = table.cell_key, table.cell_response
        weight, matched = self._weigh(table), self._align(table, None)
        nothing = [
            np.zeros(len(size), dtype=np.int64)
            for size in (table.key_size, table.response_size)
        ]
        price = prices(Graph(key, response, weight, matched), nothing[0], nothing[1])
        self._price = price.row
        self.is_proved = (
            max(map(len, nothing)) < _MOST_ENTITIES
            and bool(price.is_row_sound.all())
            and bool(price.is_column_sound.all())
        )
        self._mates = (nothing[0] + _NO_ENTITY, nothing[1] + _NO_ENTITY)
        self._mates[0][key[matched]] = response[matched]
        self._mates[1][response[matched]] = key[matched]
        self._of_key = _BestPartners.of(
            key, response, weight - price.column[response], len(nothing[0])
        )
        self._of_response = _BestPartners.of(
            response, key, weight - price.row[key], len(nothing[1])
        )
        self._width = np.int64(len(nothing[1]) + 1)
        self._code = key * self._width + response
        order = np.argsort(response, kind="stable")
        start = np.searchsorted(response[order], np.arange(self._width))
        self._cells_of = Ragged(start, order)

    def changes(self, moves: Moves) -> tuple[Floats, Mask]:
        """Count what each move changes, and return for which moves that is proved."""
        ends = _ResizedEnds.of(self, self._table, moves)
        members = self._members(moves, ends)
        before = copies_of(self._table, moves.none(), members).table
        after = copies_of(self._table, moves, members)
        count = self._metric.count
        change = count(after.table) - count(before)
        return change, self._prove(moves, ends, members, after)

    def partners_if(self, entity: Ints, size: Ints) -> _BestPartners:
        """Return the best partners of response entities if they had these sizes."""
        cells = self._cells_of.take(entity)
        row, cell = cells.owner(), cells.value
        table, ones = self._table, np.ones_like(cell)
        # Columns of `tabulated`: document, size, common mentions, number of such rows.
        key, response = (
            np.column_stack((0 * sizes, sizes, 0 * sizes, np.ones_like(sizes)))
            for sizes in (table.key_size, size)
        )
        owner = table.cell_key[cell]
        shared = owner, row, table.overlap[cell], ones
        weight = self._weigh(table_of_rows(1, key, response, shared))
        return _BestPartners.of(row, owner, weight - self._price[owner], len(size))

    def _members(self, moves: Moves, ends: _ResizedEnds) -> CopiedRows:
        """Choose the few entities that are considered for each move."""
        mates = np.append(self._mates[1], [_NO_ENTITY] * 2)
        own = np.column_stack((moves.key, *(mates[end] for end in moves.ends)))
        keys = np.hstack((own, ends.others(0), ends.others(1)))
        move = np.arange(len(keys))
        key = _distinct(np.repeat(move, keys.shape[1]), keys.ravel(), len(keys))
        mate = self._mates[0][key.value]
        owner = np.concatenate((key.owner(), move, move))
        response = _distinct(owner, np.concatenate((mate, *moves.ends)), len(keys))
        return CopiedRows(key, response, self._cells(key, response))

    def _cells(self, key: Ragged, response: Ragged) -> Ragged:
        """Find the cells between the few entities of each move."""
        pairs = response.take(key.owner())
        row = np.repeat(key.value, pairs.length)
        code = row * self._width + pairs.value
        place = np.searchsorted(self._code, code)
        is_cell = np.append(self._code, _NO_ENTITY)[place] == code
        owner = np.repeat(key.owner(), pairs.length)[is_cell]
        return _distinct(owner, place[is_cell], len(key.start) - 1)

    def _prove(
        self, moves: Moves, ends: _ResizedEnds, members: CopiedRows, after: Copies
    ) -> Mask:
        """Return for which moves there are prices that prove the local alignment."""
        key, response = members.key, members.response
        owner, of_key = response.owner(), key.owner()
        row_floor = self._of_key.floor(key.value, _inside(response, of_key))
        floor = self._of_response.floor(response.value, _inside(key, owner))
        for end, entity in enumerate(moves.ends):
            rows = np.flatnonzero(entity[owner] == response.value)
            inside = _inside(key, owner[rows])
            floor[rows] = ends.floor(end, owner[rows], inside)
        new = np.full(len(moves.key), _NOTHING, dtype=np.int64)
        column_floor = np.append(floor, new)[after.response]
        table = after.table
        graph = Graph(
            table.cell_key,
            table.cell_response,
            self._weigh(table),
            self._align(table, None),
        )
        price = prices(graph, row_floor, column_floor)
        broken = np.append(
            table.key_document[~price.is_row_sound],
            table.response_document[~price.is_column_sound],
        )
        is_proved: Mask = np.bincount(broken, minlength=len(moves.key)) == 0
        return is_proved


class _BestPartners(NamedTuple):
    """The partners with which each entity would gain most, best first.

    ``next`` is the gain with the best partner that is not listed.
    """

    other: Ints
    gain: Ints
    next: Ints

    @classmethod
    def of(cls, end: Ints, other: Ints, gain: Ints, count: int) -> _BestPartners:
        """Sort the partners of each entity by their gain."""
        order = np.lexsort((-gain, end))
        start = np.searchsorted(end[order], np.arange(count + 1))
        place = start[:-1, None] + np.arange(_BEST + 1)
        place = np.where(place < start[1:, None], place, len(order))
        others = np.append(other[order], _NO_ENTITY)[place]
        gains = np.append(gain[order], _NOTHING)[place]
        return cls(others[:, :_BEST], gains[:, :_BEST], gains[:, _BEST])

    def floor(self, end: Ints, is_inside: Callable[[Ints], Mask]) -> Ints:
        """Return what entities could gain with partners outside the few."""
        other, gain = self.other[end], self.gain[end]
        outside = np.where((other < 0) | is_inside(other), _NOTHING, gain)
        floor: Ints = np.maximum(outside.max(axis=1), self.next[end])
        return floor


class _ResizedEnds(NamedTuple):
    """The best partners of source and target of each move, with their new sizes."""

    partners: _BestPartners
    row: tuple[Ints, Ints]  # by move; -1: the entity does not exist after the move

    @classmethod
    def of(
        cls, alignment: LocalAlignment, table: Contingency, moves: Moves
    ) -> _ResizedEnds:
        ends = np.concatenate(moves.ends)
        more = np.concatenate((-moves.leaving, moves.arriving))
        size = np.append(table.response_size, [0, 0])[ends] + more
        kept = np.flatnonzero((ends >= 0) & (size > 0))
        distinct, which = np.unique(
            np.column_stack((ends[kept], size[kept])), axis=0, return_inverse=True
        )
        row = np.full(len(ends), _NO_ENTITY, dtype=np.int64)
        row[kept] = which.reshape(-1)
        count = len(moves.key)
        return cls(alignment.partners_if(*distinct.T), (row[:count], row[count:]))

    def others(self, end: int) -> Ints:
        """Return the key entities that are most similar to sources or targets."""
        none = np.full((1, _BEST), _NO_ENTITY)
        return np.vstack((self.partners.other, none))[self.row[end]]

    def floor(self, end: int, move: Ints, is_inside: Callable[[Ints], Mask]) -> Ints:
        """Return what sources or targets could gain with partners outside the few."""
        row = self.row[end][move]
        if not len(self.partners.next):
            return np.full(len(row), _NOTHING, dtype=np.int64)
        return np.where(row < 0, _NOTHING, self.partners.floor(row, is_inside))


def _inside(members: Ragged, owner: Ints) -> Callable[[Ints], Mask]:
    """Return a test whether entities are among the few of their moves."""
    width = np.int64(int(members.value.max(initial=0)) + 2)
    code = members.owner() * width + members.value

    def is_inside(other: Ints) -> Mask:
        wanted = owner[:, None] * width + np.minimum(other, width - 1)
        place = np.searchsorted(code, wanted)
        is_member: Mask = np.append(code, _NO_ENTITY)[place] == wanted
        return is_member

    return is_inside


def _distinct(owner: Ints, value: Ints, count: int) -> Ragged:
    """List the values of each owner once, in ascending order; -1 is left out."""
    kept = np.flatnonzero(value >= 0)
    width = np.int64(int(value.max(initial=0)) + 1)
    code = distinct(owner[kept] * width + value[kept])
    start = np.searchsorted(code, np.arange(count + 1) * width)
    return Ragged(start, code % width)

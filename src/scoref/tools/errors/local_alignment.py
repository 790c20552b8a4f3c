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
from scoref.tools.errors.repair_tables import CopiedRows, copies_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats, Metric
    from scoref.model import Ints
    from scoref.tools.errors.repair_tables import Copies, Moves

    Mask = NDArray[np.bool_]


_LISTED = 4
"""How many of the most similar entities are considered individually."""

_NOTHING = -(1 << 62)

_MOST_ENTITIES = 1 << 20
"""With more entities, the weights of the whole and of its parts round differently."""

_NOBODY = -1


class _Most(NamedTuple):
    """Whom each end would gain most with: so many, best first, and the next gain."""

    other: Ints
    gain: Ints
    next: Ints

    @classmethod
    def of(cls, end: Ints, other: Ints, gain: Ints, count: int) -> _Most:
        order = np.lexsort((-gain, end))
        start = np.searchsorted(end[order], np.arange(count + 1))
        place = start[:-1, None] + np.arange(_LISTED + 1)
        is_there = place < start[1:, None]
        place = np.where(is_there, place, len(order))
        others = np.append(other[order], _NOBODY)[place]
        gains = np.append(gain[order], _NOTHING)[place]
        return cls(others[:, :_LISTED], gains[:, :_LISTED], gains[:, _LISTED])

    def floor(self, end: Ints, is_inside: Callable[[Ints], Mask]) -> Ints:
        """Say what ends could have with those that are not among the few."""
        other, gain = self.other[end], self.gain[end]
        left = np.where((other < 0) | is_inside(other), _NOTHING, gain)
        found: Ints = np.maximum(left.max(axis=1), self.next[end])
        return found


class Surroundings:
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
        found = prices(Graph(key, response, weight, matched), nothing[0], nothing[1])
        self._price = found.row
        self.is_proved = (
            max(len(each) for each in nothing) < _MOST_ENTITIES
            and bool(found.is_row_sound.all())
            and bool(found.is_column_sound.all())
        )
        self._mates = (nothing[0] + _NOBODY, nothing[1] + _NOBODY)
        self._mates[0][key[matched]] = response[matched]
        self._mates[1][response[matched]] = key[matched]
        self._of_key = _Most.of(
            key, response, weight - found.column[response], len(nothing[0])
        )
        self._of_response = _Most.of(
            response, key, weight - found.row[key], len(nothing[1])
        )
        self._width = np.int64(len(nothing[1]) + 1)
        self._code = key * self._width + response
        order = np.argsort(response, kind="stable")
        start = np.searchsorted(response[order], np.arange(self._width))
        self._cells_of = Ragged(start, order)

    def changes(self, moves: Moves) -> tuple[Floats, Mask]:
        """Count what each move changes, and tell for which ones that is proved."""
        changed = _Changed.of(self, self._table, moves)
        members = self._members(moves, changed)
        before = copies_of(self._table, moves.none(), members).table
        after = copies_of(self._table, moves, members)
        count = self._metric.count
        change = count(after.table) - count(before)
        return change, self._is_proved(moves, changed, members, after)

    def changed(self, entity: Ints, size: Ints) -> _Most:
        """Say whom response entities would gain most with if they had other sizes."""
        cells = self._cells_of.take(entity)
        row, cell = cells.owner(), cells.value
        table, ones = self._table, np.ones_like(cell)
        key = np.column_stack([each * table.key_size for each in (0, 1, 0)])
        key = np.column_stack((key, np.ones_like(table.key_size)))
        response = np.column_stack([each * size for each in (0, 1, 0)])
        response = np.column_stack((response, np.ones_like(size)))
        owner = table.cell_key[cell]
        shared = owner, row, table.overlap[cell], ones
        weight = self._weigh(table_of_rows(1, key, response, shared))
        return _Most.of(row, owner, weight - self._price[owner], len(size))

    def _members(self, moves: Moves, changed: _Changed) -> CopiedRows:
        """Choose the few that are looked at for each move."""
        ends = [np.append(self._mates[1], [_NOBODY] * 2)[each] for each in moves.ends]
        own = np.column_stack((moves.key, *ends))
        key = _listed(np.hstack((own, *map(changed.others, (0, 1)))))
        mate = self._mates[0][key.value]
        owner = np.concatenate((key.owner(), *[np.arange(len(moves.key))] * 2))
        response = _distinct(owner, np.concatenate((mate, *moves.ends)), len(moves.key))
        return CopiedRows(key, response, self._cells(key, response))

    def _cells(self, key: Ragged, response: Ragged) -> Ragged:
        """Find the cells of any two of the few."""
        pairs = response.take(key.owner())
        row = np.repeat(key.value, pairs.length)
        code = row * self._width + pairs.value
        place = np.searchsorted(self._code, code)
        found = np.append(self._code, _NOBODY)[place] == code
        owner = np.repeat(key.owner(), pairs.length)[found]
        return _distinct(owner, place[found], len(key.start) - 1)

    def _is_proved(
        self, moves: Moves, changed: _Changed, members: CopiedRows, after: Copies
    ) -> Mask:
        key, response = members.key, members.response
        owner, of_key = response.owner(), key.owner()
        row_floor = self._of_key.floor(key.value, _inside(response, of_key))
        floor = self._of_response.floor(response.value, _inside(key, owner))
        for end, entity in enumerate(moves.ends):
            rows = np.flatnonzero(entity[owner] == response.value)
            inside = _inside(key, owner[rows])
            floor[rows] = changed.floor(end, owner[rows], inside)
        new = np.full(len(moves.key), _NOTHING, dtype=np.int64)
        column_floor = np.append(floor, new)[after.response]
        table = after.table
        graph = Graph(
            table.cell_key,
            table.cell_response,
            self._weigh(table),
            self._align(table, None),
        )
        found = prices(graph, row_floor, column_floor)
        broken = np.append(
            table.key_document[~found.is_row_sound],
            table.response_document[~found.is_column_sound],
        )
        is_proved: Mask = np.bincount(broken, minlength=len(moves.key)) == 0
        return is_proved


class _Changed(NamedTuple):
    """What source and target of each move would gain, with the sizes that they get."""

    most: _Most
    row: tuple[Ints, Ints]  # by move; -1: there is no such entity, or no longer

    @classmethod
    def of(cls, around: Surroundings, table: Contingency, moves: Moves) -> _Changed:
        ends = np.concatenate(moves.ends)
        more = np.concatenate((-moves.leaving, moves.arriving))
        size = np.append(table.response_size, [0, 0])[ends] + more
        there = np.flatnonzero((ends >= 0) & (size > 0))
        distinct, which = np.unique(
            np.column_stack((ends[there], size[there])), axis=0, return_inverse=True
        )
        row = np.full(len(ends), _NOBODY, dtype=np.int64)
        row[there] = which.reshape(-1)
        count = len(moves.key)
        return cls(around.changed(*distinct.T), (row[:count], row[count:]))

    def others(self, end: int) -> Ints:
        """List the key entities that source or target are most like."""
        nobody = np.full((1, _LISTED), _NOBODY)
        return np.vstack((self.most.other, nobody))[self.row[end]]

    def floor(self, end: int, move: Ints, is_inside: Callable[[Ints], Mask]) -> Ints:
        """Say what source or target could have with others than the few."""
        row = self.row[end][move]
        if not len(self.most.next):
            return np.full(len(row), _NOTHING, dtype=np.int64)
        found = self.most.floor(row, is_inside)
        return np.where(row < 0, _NOTHING, found)


def _inside(members: Ragged, owner: Ints) -> Callable[[Ints], Mask]:
    """Tell who is among the few of some moves."""
    width = np.int64(int(members.value.max(initial=0)) + 2)
    code = members.owner() * width + members.value

    def is_inside(other: Ints) -> Mask:
        wanted = owner[:, None] * width + np.minimum(other, width - 1)
        place = np.searchsorted(code, wanted)
        found: Mask = np.append(code, _NOBODY)[place] == wanted
        return found

    return is_inside


def _listed(others: Ints) -> Ragged:
    """Keep each one once in its row, in order; -1 is nobody."""
    owner = np.repeat(np.arange(len(others)), others.shape[1])
    return _distinct(owner, others.ravel(), len(others))


def _distinct(owner: Ints, value: Ints, count: int) -> Ragged:
    kept = np.flatnonzero(value >= 0)
    width = np.int64(int(value.max(initial=0)) + 1)
    code = np.unique(owner[kept] * width + value[kept])
    start = np.searchsorted(code, np.arange(count + 1) * width)
    return Ragged(start, code % width)

"""Repairs as copies: all entities of a group once more for each, with one repaired.

A group is a document or, for what can be counted apart, a block of entities that share
mentions. What a metric counts in a copy is what it would count if just that error were
repaired. All copies are documents of one table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.histogram import tabulated
from scoref.matching.ragged import Ragged
from scoref.tools.errors.moves import NEW

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.contingency.histogram import Cells
    from scoref.model import Ints
    from scoref.tools.errors.moves import Moves


class _Rows(NamedTuple):
    """Rows by the groups that they are in, and the place of each in its group."""

    of_group: Ragged
    place: Ints

    @classmethod
    def by(cls, group: Ints, groups: int) -> _Rows:
        order = np.argsort(group, kind="stable")
        start = np.append(0, np.cumsum(np.bincount(group, minlength=groups)))
        place = np.empty_like(order)
        place[order] = np.arange(len(order)) - start[group[order]]
        return cls(Ragged(start, order), place)


class _Copied(NamedTuple):
    """The rows of the group of each move behind each other."""

    rows: Ragged
    place: Ints

    def number(self, copy: Ints, row: Ints) -> Ints:
        """Say which number a row has in a copy."""
        found: Ints = self.rows.start[copy] + self.place[row]
        return found


class Copies:
    """A table whose documents are groups, to make copies of."""

    def __init__(self, table: Contingency) -> None:
        self._table = table
        groups = table.document_count
        self._key = _Rows.by(table.key_document, groups)
        self._response = _Rows.by(table.response_document, groups)
        self._cells = _Rows.by(table.key_document[table.cell_key], groups)

    def rows(self, moves: Moves) -> Ints:
        """Say how many rows the copy of each move has, about."""
        group = moves.documents(self._table)
        parts = self._key, self._response, self._cells
        length: Ints = np.sum([each.of_group.length for each in parts], axis=0)
        return length[group]

    def of(self, moves: Moves) -> Contingency:
        """Make a document of each move: its group, with the mentions moved."""
        group = moves.documents(self._table)
        key, response = (
            _Copied(each.of_group.take(group), each.place)
            for each in (self._key, self._response)
        )
        of_key, of_response = key.rows.owner(), response.rows.owner()
        new = np.flatnonzero(moves.target == NEW)
        size = np.append(self._sizes(moves, response), moves.arriving[new])
        cells = self._moved(moves, key, response, self._cells.of_group.take(group))
        return _entities(
            (of_key, self._table.key_size[key.rows.value]),
            (np.append(of_response, new), size),
            cells,
            len(group),
        )

    def _sizes(self, moves: Moves, response: _Copied) -> Ints:
        size = self._table.response_size[response.rows.value]
        changes = (moves.source, -moves.leaving), (moves.target, moves.arriving)
        for entity, change in changes:
            move = np.flatnonzero(entity >= 0)
            size[response.number(move, entity[move])] += change[move]
        return size

    def _moved(
        self, moves: Moves, key: _Copied, response: _Copied, copied: Ragged
    ) -> Cells:
        """Copy cells, add what arrives, and take away what leaves."""
        table, owner, cell = self._table, copied.owner(), copied.value
        parts = [
            (
                key.number(owner, table.cell_key[cell]),
                response.number(owner, table.cell_response[cell]),
                table.overlap[cell],
            )
        ]
        target = _targets(moves, response)
        for entity, change in (
            (_known(moves.source, response), -moves.common_leaving),
            (target, moves.common_arriving),
        ):
            move = np.flatnonzero(change)
            own = key.number(move, moves.key[move])
            parts.append((own, entity[move], change[move]))
        ours, theirs, shared = (
            np.concatenate(each) for each in zip(*parts, strict=True)
        )
        width = int(theirs.max(initial=0)) + 1
        code, number = np.unique(ours * width + theirs, return_inverse=True)
        shared = np.bincount(number, shared, len(code)).astype(np.int64)
        code, shared = code[shared > 0], shared[shared > 0]
        return code // width, code % width, shared, np.ones_like(shared)


def _known(entity: Ints, response: _Copied) -> Ints:
    """Number the entities of moves in their copies."""
    place = np.append(response.place, [0, 0])[entity]
    found: Ints = response.rows.start[:-1] + place
    return found


def _targets(moves: Moves, response: _Copied) -> Ints:
    """Do that with where mentions go; new entities come behind all others."""
    is_new = moves.target == NEW
    new = len(response.rows.value) + np.cumsum(is_new) - 1
    return np.where(is_new, new, _known(moves.target, response))


def _entities(
    key: tuple[Ints, Ints], response: tuple[Ints, Ints], cells: Cells, count: int
) -> Contingency:
    """Make the table; what has lost its last mention is gone."""
    cell_key, cell_response, shared, times = cells
    common = (
        np.bincount(cell_key, shared, len(key[0])).astype(np.int64),
        np.bincount(cell_response, shared, len(response[0])).astype(np.int64),
    )
    ours, theirs = (
        np.column_stack((*side, of_side, np.ones_like(of_side)))
        for side, of_side in zip((key, response), common, strict=True)
    )
    is_there = response[1] > 0
    moved = np.cumsum(is_there) - 1
    cells = cell_key, moved[cell_response], shared, times
    table = tabulated(count, ours, theirs[is_there], cells)
    # Each row is one entity, and can be aligned.
    return table._replace(key_times=1, response_times=1, cell_times=1)

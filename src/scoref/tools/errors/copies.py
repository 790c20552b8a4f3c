"""Repairs as copies: some entities once more for each, with one error repaired.

Which entities these are is up to the metric: a whole document, a block of entities that
share mentions, or less (see `surroundings`). What a metric counts in a copy is what it
would count of these entities if just that error were repaired. All copies are documents
of one table.
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


class CopiedRows(NamedTuple):
    """What is copied for each move: rows of entities, ascending, and of cells."""

    key: Ragged
    response: Ragged
    cells: Ragged


class Copies(NamedTuple):
    """A table of copies, and which row of the response's entities each one was.

    Those of the key are in the order of `CopiedRows`. Of the response, some may be
    gone, and new ones come last: ``response`` has their places in that order.
    """

    table: Contingency
    response: Ints


class WholeGroups:
    """A table whose documents are copied as a whole."""

    def __init__(self, table: Contingency) -> None:
        self._table = table
        document = table.key_document, table.response_document
        self._rows = [
            _by(each, table.document_count)
            for each in (*document, table.key_document[table.cell_key])
        ]

    def rows(self, moves: Moves) -> Ints:
        """Say how many rows the copy of each move has."""
        group = moves.documents(self._table)
        length: Ints = np.sum([each.length for each in self._rows], axis=0)
        return length[group]

    def members(self, moves: Moves) -> CopiedRows:
        """Copy the document of each move."""
        group = moves.documents(self._table)
        return CopiedRows(*(each.take(group) for each in self._rows))


def _by(group: Ints, groups: int) -> Ragged:
    start = np.append(0, np.cumsum(np.bincount(group, minlength=groups)))
    return Ragged(start, np.argsort(group, kind="stable"))


class _Copied:
    """The rows of each copy behind each other, to be found again."""

    def __init__(self, rows: Ragged) -> None:
        self.rows = rows
        self.owner = rows.owner()
        self._width = np.int64(int(rows.value.max(initial=0)) + 1)
        self._code = self.owner * self._width + rows.value

    def number(self, copy: Ints, row: Ints) -> Ints:
        """Say which number a row has in a copy."""
        return np.searchsorted(self._code, copy * self._width + row)


def copies_of(table: Contingency, moves: Moves, members: CopiedRows) -> Copies:
    """Make a document of each move: what is copied, with the mentions moved."""
    key, response = _Copied(members.key), _Copied(members.response)
    new = np.flatnonzero(moves.target == NEW)
    size = np.append(_sizes(table, moves, response), moves.arriving[new])
    cells = _moved(table, moves, (key, response), members.cells)
    is_there = np.flatnonzero(size > 0)
    copied = _entities(
        (key.owner, table.key_size[key.rows.value]),
        (np.append(response.owner, new), size),
        cells,
        len(moves.key),
    )
    return Copies(copied, is_there)


def _sizes(table: Contingency, moves: Moves, response: _Copied) -> Ints:
    size = table.response_size[response.rows.value]
    changes = (moves.source, -moves.leaving), (moves.target, moves.arriving)
    for entity, change in changes:
        move = np.flatnonzero(entity >= 0)
        size[response.number(move, entity[move])] += change[move]
    return size


def _moved(
    table: Contingency, moves: Moves, copied: tuple[_Copied, _Copied], cells: Ragged
) -> Cells:
    """Copy cells, add what arrives, and take away what leaves."""
    key, response = copied
    owner, cell = cells.owner(), cells.value
    parts = [
        (
            key.number(owner, table.cell_key[cell]),
            response.number(owner, table.cell_response[cell]),
            table.overlap[cell],
        )
    ]
    every = np.arange(len(moves.key))
    for entity, change in (
        (response.number(every, moves.source), -moves.common_leaving),
        (_targets(moves, response), moves.common_arriving),
    ):
        move = np.flatnonzero(change)
        own = key.number(move, moves.key[move])
        parts.append((own, entity[move], change[move]))
    ours, theirs, shared = (np.concatenate(each) for each in zip(*parts, strict=True))
    width = np.int64(int(theirs.max(initial=0)) + 1)
    code, number = np.unique(ours * width + theirs, return_inverse=True)
    shared = np.bincount(number, shared, len(code)).astype(np.int64)
    code, shared = code[shared > 0], shared[shared > 0]
    return code // width, code % width, shared, np.ones_like(shared)


def _targets(moves: Moves, response: _Copied) -> Ints:
    """Number where mentions go; new entities come behind all others."""
    is_new = moves.target == NEW
    new = len(response.owner) + np.cumsum(is_new) - 1
    known = response.number(np.arange(len(moves.target)), moves.target)
    return np.where(is_new, new, known)


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

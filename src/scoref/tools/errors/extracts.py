"""Repairs as small documents: the entities that one touches, and the rest as one.

Most metrics are sums over entities and cells, or know no more of the others than how
many mentions they have. For these, what a repair changes can be counted in an extract
of the document, before and after it: the two response entities that it touches, their
cells, alike ones in one row, the key entity of its mentions, and one entity of either
side in place of all others. All extracts are documents of one table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.histogram import counted, tabulated
from scoref.matching.ragged import Ragged

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.model import Ints
    from scoref.tools.errors.moves import Moves

_REST = 2


class _Touched(NamedTuple):
    """What a repair can change: a row for each, with source, target and the rest.

    ``cell`` is what the key entity of the mentions shares with each of them.
    """

    size: Ints
    common: Ints
    cell: Ints

    def after(self, moves: Moves) -> _Touched:
        """Move the mentions."""
        nothing = np.zeros_like(moves.leaving)
        sizes = np.column_stack((-moves.leaving, moves.arriving, nothing))
        common = np.column_stack(
            (-moves.common_leaving, moves.common_arriving, nothing)
        )
        return _Touched(self.size + sizes, self.common + common, self.cell + common)


class _Others(NamedTuple):
    """The other cells of source and target, alike ones in a row; last, the rest's."""

    move: Ints
    column: Ints
    shared: Ints
    key_size: Ints
    times: Ints


class Extracts:
    """The entities of a response and of its key, to take extracts of."""

    def __init__(self, table: Contingency) -> None:
        self._table = table
        self._width = np.int64(len(table.response_size) + 1)
        self._code = table.cell_key * self._width + table.cell_response
        key_size = table.key_size[table.cell_key]
        self._kinds = counted(table.cell_response, table.overlap, key_size)
        # Two more, without any: -1 and -2 stand for no entity, and for a new one.
        start = np.searchsorted(self._kinds[:, 0], np.arange(self._width))
        start = np.append(start, [len(self._kinds)] * 2)
        self._kinds_of = Ragged(start, np.arange(len(self._kinds)))

    def rows(self, moves: Moves) -> Ints:
        """Say how many rows the extract of each move has, about."""
        length = self._kinds_of.length
        found: Ints = length[moves.source] + length[moves.target]
        return found

    def of(self, moves: Moves) -> tuple[Contingency, Contingency]:
        """Make a document of each move, before it and after it."""
        before = self._touched(moves)
        others = self._others(moves, before)
        key_size = np.append(self._table.key_size, 0)[moves.key]
        return (
            _extracted(before, others, key_size),
            _extracted(before.after(moves), others, key_size),
        )

    def _touched(self, moves: Moves) -> _Touched:
        table = self._table
        unit = moves.documents(table)
        ends = np.column_stack((moves.source, moves.target))
        common = np.bincount(table.cell_response, table.overlap, self._width - 1)
        of_key = np.bincount(table.cell_key, table.overlap, len(table.key_size))
        cell = np.column_stack([self._shared(moves.key, end) for end in ends.T])
        return _Touched(
            _with_rest(
                _of_ends(table.response_size, ends), table.response_mentions[unit]
            ),
            _with_rest(_of_ends(common, ends), table.common_mentions[unit]),
            _with_rest(cell, _of_ends(of_key, moves.key)),
        )

    def _shared(self, key: Ints, response: Ints) -> Ints:
        """Look up how many mentions two entities share."""
        code = np.where((key >= 0) & (response >= 0), key * self._width + response, -1)
        place = np.searchsorted(self._code, code)
        is_there = np.append(self._code, -2)[place] == code
        return np.where(is_there, np.append(self._table.overlap, 0)[place], 0)

    def _others(self, moves: Moves, touched: _Touched) -> _Others:
        """List the cells of source and target but for those of the moved mentions."""
        key_size = np.append(self._table.key_size, 0)[moves.key]
        found = []
        for column, end in enumerate((moves.source, moves.target)):
            rows = self._kinds_of.take(end)
            move = rows.owner()
            _, shared, size, times = self._kinds[rows.value].T
            own = (shared == touched.cell[move, column]) & (size == key_size[move])
            found.append((move, np.full_like(move, column), shared, size, times - own))
        rest = touched.common[:, _REST] - touched.cell[:, _REST]
        every = np.arange(len(rest))
        ones = np.ones_like(every)
        found.append((every, ones * _REST, rest, rest, ones))
        columns = [np.concatenate(each) for each in zip(*found, strict=True)]
        kept = (columns[-1] > 0) & (columns[2] > 0)
        return _Others(*(column[kept] for column in columns))


def _of_ends(values: Ints, ends: Ints) -> Ints:
    """Look up a value of entities; 0 where there is none, or a new one."""
    found: Ints = np.append(values, [0, 0])[ends].astype(np.int64)
    return found


def _with_rest(ends: Ints, total: Ints) -> Ints:
    return np.column_stack((ends, total - ends.sum(axis=1)))


def _extracted(touched: _Touched, others: _Others, key_size: Ints) -> Contingency:
    """Make the table: key rows are the moved mentions' entities, then the others."""
    own = _own_entities(touched, key_size)
    alike = np.column_stack((others.move, others.key_size, others.shared, others.times))
    is_there = touched.size > 0
    owner = np.nonzero(is_there)[0]
    response = np.column_stack(
        (owner, touched.size[is_there], touched.common[is_there], np.ones_like(owner))
    )
    key_row = np.cumsum(key_size > 0) - 1
    response_row = np.cumsum(is_there).reshape(is_there.shape) - 1
    move, column = np.nonzero(touched.cell)
    cells = (
        np.append(key_row[move], len(own) + np.arange(len(alike))),
        np.append(response_row[move, column], response_row[others.move, others.column]),
        np.append(touched.cell[move, column], others.shared),
        np.append(np.ones_like(move), others.times),
    )
    return tabulated(len(key_size), np.vstack((own, alike)), response, cells)


def _own_entities(touched: _Touched, key_size: Ints) -> Ints:
    """Give the key entity of each move's mentions a row, if they have one."""
    move = np.flatnonzero(key_size)
    common = touched.cell[move].sum(axis=1)
    return np.column_stack((move, key_size[move], common, np.ones_like(move)))

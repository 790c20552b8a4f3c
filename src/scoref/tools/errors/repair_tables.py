"""Tables in which one error is repaired, so that metrics can count the difference.

The repair of a single error is that of its kind (see `repairs`), applied to this error
alone. All its mentions belong to one key entity, or to none. So it takes mentions out
of one response entity, puts some into another, and changes no other cell of the table:

    span               one more mention is shared; no size changes
    conflated-entity   from their present entity into a new one
    wrong-link, …      from their present entity to their home
    extra-…            out of their present entity
    missing-mention    into its home
    missing-entity     into a new entity

Each repair is made in a copy of some entities, and all copies are documents of one
table. The metric determines which entities are copied: a whole document, a block of
entities that share mentions, or fewer (see `local_alignment`). A metric counts in a
copy what it would count for these entities if only that error were repaired.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.histogram import table_of_rows
from scoref.matching.ragged import Ragged
from scoref.tools.errors.kinds import (
    CONFLATED,
    DIVIDED,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    MISSING_ENTITY,
    MISSING_MENTION,
    SPAN,
    WRONG_LINK,
)

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.contingency.histogram import Cells
    from scoref.model import Ints, WordSets
    from scoref.tools.errors.findings import AnalysedSide, Errors
    from scoref.tools.errors.listing import ErrorCells


_MOVED = (CONFLATED, WRONG_LINK, DIVIDED)

_REMOVED = (EXTRA_MENTION, EXTRA_ENTITY)

_ADDED = (MISSING_MENTION, MISSING_ENTITY)

_INTO_NEW = (CONFLATED, MISSING_ENTITY)

NOBODY, NEW = -1, -2
"""In place of an entity: there is none, or one that is made for the mentions."""


class Moves(NamedTuple):
    """A row for each error: which mentions go from where to where.

    ``key``, ``source`` and ``target`` are rows of entities. Of the mentions that leave
    and of those that arrive, ``common`` ones are matched with the key's.
    """

    key: Ints
    source: Ints
    target: Ints
    leaving: Ints
    common_leaving: Ints
    arriving: Ints
    common_arriving: Ints

    def take(self, rows: Ints) -> Moves:
        """Keep some of them."""
        return Moves(*(column[rows] for column in self))

    def distinct(self) -> tuple[Moves, Ints]:
        """Give those that differ once, and say which of them each one is.

        Two mentions that are missing from one entity are the same to every metric.
        """
        rows, which = np.unique(np.column_stack(self), axis=0, return_inverse=True)
        return Moves(*rows.T), which.reshape(-1)

    @property
    def ends(self) -> tuple[Ints, Ints]:
        """Give the entities of the response that are touched."""
        return self.source, self.target

    def none(self) -> Moves:
        """Leave all mentions where they are."""
        nothing = np.zeros_like(self.key)
        return Moves(self.key, *self.ends, nothing, nothing, nothing, nothing)

    def numbered(self, key: Ints, response: Ints) -> Moves:
        """Call entities by their places in sorted lists of each side's."""
        return self._replace(
            key=_place(key, self.key),
            source=_place(response, self.source),
            target=_place(response, self.target),
        )

    def documents(self, table: Contingency) -> Ints:
        """Say in which document of a table each move is."""
        of_key = np.append(table.key_document, 0)[self.key]
        of_response = np.append(table.response_document, 0)[self.source]
        return np.where(self.key >= 0, of_key, of_response)

    @property
    def ties(self) -> tuple[Ints, Ints]:
        """List the entities of both sides that a move can tie together."""
        rows = np.flatnonzero((self.key >= 0) & (self.target >= 0))
        return self.key[rows], self.target[rows]


def _place(known: Ints, entity: Ints) -> Ints:
    return np.where(entity >= 0, np.searchsorted(known, entity), entity)


def moves_of(errors: Errors, key: AnalysedSide, cells: ErrorCells) -> Moves:
    """Say what the repair of each error moves."""
    kind = errors.kind
    is_moved, is_removed, is_added = (
        np.isin(kind, kinds) for kinds in (_MOVED, _REMOVED, _ADDED)
    )
    home = np.append(cells.home, NOBODY)[errors.key_entity]
    ours = np.diff(errors.key_mentions.start)
    theirs = np.diff(errors.response_mentions.start)
    matched = _matched(errors.key_mentions, key)
    return Moves(
        key=np.where(is_removed, NOBODY, errors.key_entity),
        source=np.where(is_moved | is_removed, errors.response_entity, NOBODY),
        target=np.select(
            [np.isin(kind, _INTO_NEW), kind == SPAN, is_removed],
            [NEW, errors.response_entity, NOBODY],
            home,
        ),
        leaving=np.where(is_moved | is_removed, theirs, 0),
        common_leaving=np.where(is_moved, matched, 0),
        arriving=np.select([is_moved, is_added], [theirs, ours], 0),
        common_arriving=np.select([is_moved, is_removed], [matched, 0], ours),
    )


def _matched(mentions: WordSets, key: AnalysedSide) -> Ints:
    """Count the mentions of each error that were matched as they are."""
    before = np.append(0, np.cumsum(key.partner[mentions.member] >= 0))
    found: Ints = np.diff(before[mentions.start])
    return found


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
    table = table_of_rows(count, ours, theirs[is_there], cells)
    # Each row is one entity, and can be aligned.
    return table._replace(key_times=1, response_times=1, cell_times=1)

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
from scoref.model.arrays import bounds
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
    from scoref.model import Ints
    from scoref.tools.errors.findings import AnalysedSide, Errors
    from scoref.tools.errors.listing import ErrorCells


NO_ENTITY, NEW = -1, -2
"""Instead of a row: mentions are in no entity, or a new one is made for them."""


class Moves(NamedTuple):
    """A row for each error: how many mentions go from which entity to which.

    ``key``, ``source`` and ``target`` are rows of entities. The ``common`` ones of the
    mentions that leave or arrive are matched with mentions of the key.
    """

    key: Ints
    source: Ints
    target: Ints
    leaving: Ints
    common_leaving: Ints
    arriving: Ints
    common_arriving: Ints

    def take(self, rows: Ints) -> Moves:
        """Return some of the moves."""
        return Moves(*(column[rows] for column in self))

    def distinct(self) -> tuple[Moves, Ints]:
        """Return each different move once, and the place of each move among these.

        Two mentions that are missing from one entity are the same to every metric.
        """
        rows, which = np.unique(np.column_stack(self), axis=0, return_inverse=True)
        return Moves(*rows.T), which.reshape(-1)

    @property
    def ends(self) -> tuple[Ints, Ints]:
        """The entities of the response that are touched."""
        return self.source, self.target

    def none(self) -> Moves:
        """Return the same moves without any mentions."""
        nothing = np.zeros_like(self.key)
        return Moves(self.key, *self.ends, nothing, nothing, nothing, nothing)

    def numbered(self, key: Ints, response: Ints) -> Moves:
        """Replace entities by their places in the sorted entities of each side."""

        def place(known: Ints, entity: Ints) -> Ints:
            return np.where(entity >= 0, np.searchsorted(known, entity), entity)

        return self._replace(
            key=place(key, self.key),
            source=place(response, self.source),
            target=place(response, self.target),
        )

    def documents(self, table: Contingency) -> Ints:
        """Return the document of each move in a table."""
        of_key = np.append(table.key_document, 0)[self.key]
        of_response = np.append(table.response_document, 0)[self.source]
        return np.where(self.key >= 0, of_key, of_response)

    @property
    def ties(self) -> tuple[Ints, Ints]:
        """The pairs of entities that get a common mention by a move."""
        rows = np.flatnonzero((self.key >= 0) & (self.target >= 0))
        return self.key[rows], self.target[rows]


def moves_of(errors: Errors, key: AnalysedSide, cells: ErrorCells) -> Moves:
    """Return the moves that repair each error."""
    kind = errors.kind
    is_moved = np.isin(kind, (CONFLATED, WRONG_LINK, DIVIDED))
    is_removed = np.isin(kind, (EXTRA_MENTION, EXTRA_ENTITY))
    is_added = np.isin(kind, (MISSING_MENTION, MISSING_ENTITY))
    gets_new = np.isin(kind, (CONFLATED, MISSING_ENTITY))
    home = np.append(cells.home, NO_ENTITY)[errors.key_entity]
    mentions = errors.key_mentions
    ours = np.diff(mentions.start)
    theirs = np.diff(errors.response_mentions.start)
    # Count the mentions of each error that were matched as they are.
    is_matched = (key.partner[mentions.member] >= 0).astype(np.int64)
    before: Ints = bounds(is_matched)[mentions.start]
    matched = np.diff(before)
    return Moves(
        key=np.where(is_removed, NO_ENTITY, errors.key_entity),
        source=np.where(is_moved | is_removed, errors.response_entity, NO_ENTITY),
        target=np.select(
            [gets_new, kind == SPAN, is_removed],
            [NEW, errors.response_entity, NO_ENTITY],
            home,
        ),
        leaving=np.where(is_moved | is_removed, theirs, 0),
        common_leaving=np.where(is_moved, matched, 0),
        arriving=np.select([is_moved, is_added], [theirs, ours], 0),
        common_arriving=np.select([is_moved, is_removed], [matched, 0], ours),
    )


class CopiedRows(NamedTuple):
    """The rows that are copied for each move: entities, ascending, and cells."""

    key: Ragged
    response: Ragged
    cells: Ragged


class Copies(NamedTuple):
    """A table of copies.

    The entities of the key are in the order of `CopiedRows`. Entities of the response
    that lost all mentions are left out, and new ones come last: ``response`` has the
    places of the others in that order.
    """

    table: Contingency
    response: Ints


class WholeDocuments:
    """A table whose documents are copied as a whole."""

    def __init__(self, table: Contingency) -> None:
        self._table = table
        documents = (
            table.key_document,
            table.response_document,
            table.key_document[table.cell_key],
        )
        self._rows = [
            Ragged(
                bounds(np.bincount(document, minlength=table.document_count)),
                np.argsort(document, kind="stable"),
            )
            for document in documents
        ]

    def rows(self, moves: Moves) -> Ints:
        """Return how many rows the copy of each move has."""
        length: Ints = np.sum([rows.length for rows in self._rows], axis=0)
        return length[moves.documents(self._table)]

    def members(self, moves: Moves) -> CopiedRows:
        """Return the rows of the document of each move."""
        document = moves.documents(self._table)
        return CopiedRows(*(rows.take(document) for rows in self._rows))


class _Copied:
    """The rows of all copies one after the other, with a search for their numbers."""

    def __init__(self, rows: Ragged) -> None:
        self.rows = rows
        self.owner = rows.owner()
        self._width = np.int64(int(rows.value.max(initial=0)) + 1)
        self._code = self.owner * self._width + rows.value

    def number(self, copy: Ints, row: Ints) -> Ints:
        """Return the numbers of rows in copies."""
        return np.searchsorted(self._code, copy * self._width + row)


def copies_of(table: Contingency, moves: Moves, members: CopiedRows) -> Copies:
    """Make a document for each move: the copied rows, with the mentions moved."""
    key, response = _Copied(members.key), _Copied(members.response)
    size = table.response_size[response.rows.value]
    changes = (moves.source, -moves.leaving), (moves.target, moves.arriving)
    for entity, change in changes:
        move = np.flatnonzero(entity >= 0)
        size[response.number(move, entity[move])] += change[move]
    new = np.flatnonzero(moves.target == NEW)
    size = np.append(size, moves.arriving[new])
    copied = _tabulate(
        (key.owner, table.key_size[key.rows.value]),
        (np.append(response.owner, new), size),
        _move_cells(table, moves, key, response, members.cells),
        len(moves.key),
    )
    return Copies(copied, np.flatnonzero(size > 0))


def _move_cells(
    table: Contingency, moves: Moves, key: _Copied, response: _Copied, cells: Ragged
) -> Cells:
    """Copy cells, add the mentions that arrive, and remove those that leave."""
    # New entities come after all others.
    is_new_entity = moves.target == NEW
    every = np.arange(len(moves.key))
    target = np.where(
        is_new_entity,
        len(response.owner) + np.cumsum(is_new_entity) - 1,
        response.number(every, moves.target),
    )
    owner, cell = cells.owner(), cells.value
    parts = [
        (
            key.number(owner, table.cell_key[cell]),
            response.number(owner, table.cell_response[cell]),
            table.overlap[cell],
        )
    ]
    for entity, change in (
        (response.number(every, moves.source), -moves.common_leaving),
        (target, moves.common_arriving),
    ):
        move = np.flatnonzero(change)
        own = key.number(move, moves.key[move])
        parts.append((own, entity[move], change[move]))
    columns = zip(*parts, strict=True)
    ours, theirs, shared = (np.concatenate(column) for column in columns)
    width = np.int64(int(theirs.max(initial=0)) + 1)
    code, number = np.unique(ours * width + theirs, return_inverse=True)
    shared = np.bincount(number, shared, len(code)).astype(np.int64)
    code, shared = code[shared > 0], shared[shared > 0]
    return code // width, code % width, shared, np.ones_like(shared)


def _tabulate(
    key: tuple[Ints, Ints], response: tuple[Ints, Ints], cells: Cells, count: int
) -> Contingency:
    """Make the table without the entities that lost their last mention."""
    cell_key, cell_response, shared, times = cells
    common = (
        np.bincount(cell_key, shared, len(key[0])).astype(np.int64),
        np.bincount(cell_response, shared, len(response[0])).astype(np.int64),
    )
    ours, theirs = (
        np.column_stack((*side, of_side, np.ones_like(of_side)))
        for side, of_side in zip((key, response), common, strict=True)
    )
    is_kept = response[1] > 0
    row = np.cumsum(is_kept) - 1
    cells = cell_key, row[cell_response], shared, times
    table = table_of_rows(count, ours, theirs[is_kept], cells)
    # Each row is one entity, and can be aligned.
    return table._replace(key_times=1, response_times=1, cell_times=1)

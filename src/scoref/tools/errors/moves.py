"""What the repair of one error changes: a few numbers of two response entities.

The repair of a single error is that of its kind (see `repairs`), done for it alone. All
of its mentions are of one key entity, or of none. So it takes mentions out of one
entity of the response, puts some into another one, and no other cell of the table is
touched:

    span               one mention more is common; no size changes
    conflated-entity   from the entity that they are in, into a new one
    wrong-link, …      from there to their home
    extra-…            out of the entity that they are in
    missing-mention    into its home
    missing-entity     into a new one
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

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
    from scoref.model import Ints, WordSets
    from scoref.tools.errors.cells import ErrorCells
    from scoref.tools.errors.findings import AnalysedSide, Errors

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

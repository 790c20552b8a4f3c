"""A key by majority: which mentions most annotators have, and which they put together.

A mention is kept if more than half of those who have its document marked it. Majorities
are not transitive: three votes of five may join a with b, and b with c, and only two
a with c. So entities grow step by step, those first on whom most agree: two are joined
as long as the mean vote over all links between them is above one half. Where links of a
majority are not followed, or others are made, that is a conflict; where votes are even,
a tie.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.scoring.annotators.votes import atoms_of, links_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.scoring.annotators import Annotated
    from scoref.scoring.annotators.votes import Atoms, Links

    Mask = NDArray[np.bool_]

Kind = Literal["tie", "conflict"]


class Vote(NamedTuple):
    """A mention, or a link of two, that is not settled: who is for it, and of how many.

    ``second`` is -1 for a mention. ``is_followed`` tells whether it is in the key.
    """

    kind: Kind
    first: int
    second: int
    votes: int
    of: int
    is_followed: bool


class Majority(NamedTuple):
    """The entity of each mention, -1: left out; and what is to be adjudicated."""

    entity: Ints
    unsettled: tuple[Vote, ...]


def majority_of(annotated: Annotated) -> Majority:
    """Put together what most put together."""
    marked = np.bincount(annotated.marks.unit, minlength=len(annotated.unit_document))
    voters = annotated.has.sum(axis=1)[annotated.unit_document]
    kept = 2 * marked > voters
    atoms = atoms_of(annotated)
    links = links_of(annotated, atoms, None)
    is_kept = np.zeros(len(atoms.size), dtype=np.bool_)
    is_kept[atoms.of_unit[kept]] = True  # all or none of its mentions are
    joined = _joined(annotated, atoms, links, is_kept)
    entity = np.where(kept, joined[atoms.of_unit], -1)
    first = _first_units(atoms)
    ties = [
        Vote("tie", unit, -1, int(marked[unit]), int(voters[unit]), is_followed=False)
        for unit in np.flatnonzero(2 * marked == voters).tolist()
    ]
    between = _unsettled(annotated, atoms, links, joined, is_kept)
    named = [
        each._replace(first=int(first[each.first]), second=int(first[each.second]))
        for each in between
    ]
    return Majority(entity, (*ties, *named))


def _first_units(atoms: Atoms) -> Ints:
    first = np.full(len(atoms.size), len(atoms.of_unit), dtype=np.int64)
    np.minimum.at(first, atoms.of_unit, np.arange(len(atoms.of_unit)))
    return first


def _joined(annotated: Annotated, atoms: Atoms, links: Links, is_kept: Mask) -> Ints:
    """Number entities, each by one of its atoms."""
    voters = annotated.has.sum(axis=1)
    rows = np.flatnonzero(
        (links.first != links.second) & is_kept[links.first] & is_kept[links.second]
    )
    growing = _Growing(atoms.size.tolist(), voters[atoms.document].tolist())
    columns = (links.first, links.second, links.votes * links.times)
    for first, second, votes in zip(
        *(each[rows].tolist() for each in columns), strict=True
    ):
        growing.link(first, second, votes)
    growing.grow()
    return np.array([growing.root(atom) for atom in range(len(atoms.size))], np.int64)


class _Growing:
    """Entities that are joined two by two; each is known by its first atom."""

    def __init__(self, size: list[int], voters: list[int]) -> None:
        self._size, self._voters = size, voters
        self._parent = list(range(len(size)))
        self._votes: dict[int, dict[int, int]] = {}
        self._heap: list[tuple[float, int, int]] = []

    def link(self, first: int, second: int, votes: int) -> None:
        """Count the votes for links between two."""
        for one, other in ((first, second), (second, first)):
            of_one = self._votes.setdefault(one, {})
            of_one[other] = of_one.get(other, 0) + votes

    def grow(self) -> None:
        """Join two as long as they are mostly put together, the most agreed first."""
        for first, others in self._votes.items():
            for second in others:
                if first < second:
                    self._offer(first, second)
        while self._heap:
            share, first, second = heapq.heappop(self._heap)
            # What was joined meanwhile has another share, or none.
            if -share == self._share(first, second):
                self._join(first, second)

    def root(self, atom: int) -> int:
        """Find the entity of an atom."""
        while self._parent[atom] != atom:
            atom = self._parent[atom]
        return atom

    def _share(self, first: int, second: int) -> float:
        """Give the mean vote over all links between two; 0 if one is no more."""
        votes = self._votes.get(first, {}).get(second, 0)
        links = self._size[first] * self._size[second]
        return votes / (links * self._voters[first])

    def _offer(self, first: int, second: int) -> None:
        share = self._share(first, second)
        if share > 1 / 2:
            heapq.heappush(self._heap, (-share, first, second))

    def _join(self, first: int, second: int) -> None:
        self._parent[second] = first
        self._size[first] += self._size[second]
        others = self._votes.pop(second)
        self._votes[first].pop(second)
        for other, votes in others.items():
            if other != first:
                self._votes[other].pop(second)
                self.link(first, other, votes)
        # Its size has changed, so that all shares have.
        for other in self._votes[first]:
            self._offer(*sorted((first, other)))


def _unsettled(
    annotated: Annotated,
    atoms: Atoms,
    links: Links,
    joined: Ints,
    is_kept: Mask,
) -> Iterable[Vote]:
    """List links with even votes, and those that go against a majority."""
    voters = annotated.has.sum(axis=1)
    known = is_kept[links.first] & is_kept[links.second] & (links.first != links.second)
    of, together = voters[links.document], joined[links.first] == joined[links.second]
    is_tie = 2 * links.votes == of
    against = np.where(together, 2 * links.votes < of, 2 * links.votes > of)
    for row in np.flatnonzero(known & (is_tie | against)).tolist():
        yield Vote(
            "tie" if is_tie[row] else "conflict",
            int(links.first[row]),
            int(links.second[row]),
            int(links.votes[row]),
            int(of[row]),
            is_followed=bool(together[row]),
        )
    yield from _never_linked(atoms, links, joined, is_kept, voters)


def _never_linked(
    atoms: Atoms, links: Links, joined: Ints, is_kept: Mask, voters: Ints
) -> Iterable[Vote]:
    """List what is in one entity, though nobody put it together."""
    known = set(zip(links.first.tolist(), links.second.tolist(), strict=True))
    members: dict[int, list[int]] = {}
    for atom in np.flatnonzero(is_kept).tolist():
        members.setdefault(int(joined[atom]), []).append(atom)
    for each in members.values():
        for place, first in enumerate(each):
            for second in each[place + 1 :]:
                if (first, second) not in known:
                    of = int(voters[atoms.document[first]])
                    yield Vote("conflict", first, second, 0, of, is_followed=True)

"""The entities that most annotators have, and where there is no clear majority.

A mention is kept if more than half of those who have its document marked it. Majorities
are not transitive: three votes of five may join a with b, and b with c, and only two
a with c. Entities therefore grow step by step, starting with the strongest agreement:
two are joined as long as the mean vote over all links between them is above one half.
A mention or link with even votes is a tie. A link is a conflict if the resulting key
contradicts the majority.
"""

from __future__ import annotations

import heapq
from itertools import combinations
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.schemes import resolve
from scoref.scoring.annotators import atoms_of, links_of, unite

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.model import Corpus
    from scoref.model.arrays import Ints, Mask
    from scoref.scoring.annotators import Annotated, Atoms, Links


def unite_for_key(people: Sequence[tuple[str, Corpus]]) -> Annotated:
    """Number the mentions of annotators; equal mentions are the same."""
    scheme = resolve(
        None,
        format=people[0][1].format,
        match="exact",
        singletons="keep",
        duplicates="error",
    )
    return unite(people, scheme, ("mentions",))


def has_singletons(annotated: Annotated) -> bool:
    """Return whether any annotator has entities with one mention."""
    return bool((np.unique(annotated.marks.entity, return_counts=True)[1] == 1).any())


class Vote(NamedTuple):
    """A disputed mention, or link of two mentions: votes for it, and of how many.

    ``second`` is -1 for a mention. ``is_followed`` says whether it is in the key.
    """

    kind: Literal["tie", "conflict"]
    first: int
    second: int
    votes: int
    of: int
    is_followed: bool


class Majority(NamedTuple):
    """The entity of each mention (-1 if it is left out), and the disputed votes."""

    entity: Ints
    disputed: tuple[Vote, ...]


def majority_of(annotated: Annotated) -> Majority:
    """Join the mentions that most annotators put together."""
    marked = np.bincount(annotated.marks.unit, minlength=len(annotated.unit_document))
    voters = annotated.has.sum(axis=1)[annotated.unit_document]
    kept = 2 * marked > voters
    atoms = atoms_of(annotated)
    links = links_of(annotated, atoms, None)
    is_kept = np.zeros(len(atoms.size), dtype=np.bool_)
    is_kept[atoms.of_unit[kept]] = True  # an atom is kept or left out as a whole
    atom_entity = _join_atoms(annotated, atoms, links, is_kept)
    entity = np.where(kept, atom_entity[atoms.of_unit], -1)
    ties = [
        Vote("tie", unit, -1, int(marked[unit]), int(voters[unit]), is_followed=False)
        for unit in np.flatnonzero(2 * marked == voters).tolist()
    ]
    # A link of two atoms is reported as a link of their first mentions.
    first = first_rows(atoms.of_unit, len(atoms.size))
    disputed_links = [
        vote._replace(first=int(first[vote.first]), second=int(first[vote.second]))
        for vote in _disputed_links(annotated, atoms, links, atom_entity, is_kept)
    ]
    return Majority(entity, (*ties, *disputed_links))


def first_rows(group: Ints, groups: int) -> Ints:
    """Return the first row of each group."""
    first = np.full(groups, len(group), dtype=np.int64)
    np.minimum.at(first, group, np.arange(len(group)))
    return first


def _join_atoms(
    annotated: Annotated, atoms: Atoms, links: Links, is_kept: Mask
) -> Ints:
    """Return the entity of each atom, which is numbered by one of its atoms."""
    voters = annotated.has.sum(axis=1)
    rows = np.flatnonzero(
        (links.first != links.second) & is_kept[links.first] & is_kept[links.second]
    )
    entities = _GrowingEntities(atoms.size.tolist(), voters[atoms.document].tolist())
    columns = (links.first, links.second, links.votes * links.times)
    for first, second, votes in zip(
        *(column[rows].tolist() for column in columns), strict=True
    ):
        entities.link(first, second, votes)
    entities.grow()
    return np.array([entities.root(atom) for atom in range(len(atoms.size))], np.int64)


class _GrowingEntities:
    """Entities that are joined two by two; each is numbered by its first atom."""

    def __init__(self, size: list[int], voters: list[int]) -> None:
        self._size, self._voters = size, voters
        self._parent = list(range(len(size)))
        self._votes: dict[int, dict[int, int]] = {}
        self._heap: list[tuple[float, int, int]] = []

    def link(self, first: int, second: int, votes: int) -> None:
        """Count votes for links between two entities."""
        for one, other in ((first, second), (second, first)):
            votes_of_one = self._votes.setdefault(one, {})
            votes_of_one[other] = votes_of_one.get(other, 0) + votes

    def grow(self) -> None:
        """Join two entities as long as a majority does, best agreement first."""
        for first, others in self._votes.items():
            for second in others:
                if first < second:
                    self._offer(first, second)
        while self._heap:
            share, first, second = heapq.heappop(self._heap)
            # Entities that were joined in the meantime have another share, or none.
            if -share == self._share(first, second):
                self._join(first, second)

    def root(self, atom: int) -> int:
        """Find the entity of an atom."""
        while self._parent[atom] != atom:
            atom = self._parent[atom]
        return atom

    def _share(self, first: int, second: int) -> float:
        """Return the mean vote over all links between two; 0 if one is gone."""
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
        # The size of the entity has changed, so all its shares have.
        for other in self._votes[first]:
            self._offer(*sorted((first, other)))


def _disputed_links(
    annotated: Annotated,
    atoms: Atoms,
    links: Links,
    atom_entity: Ints,
    is_kept: Mask,
) -> Iterable[Vote]:
    """List links with even votes, and links that contradict a majority."""
    voters = annotated.has.sum(axis=1)
    is_link = is_kept[links.first] & is_kept[links.second]
    is_link &= links.first != links.second
    of = voters[links.document]
    together = atom_entity[links.first] == atom_entity[links.second]
    is_tie = 2 * links.votes == of
    against = np.where(together, 2 * links.votes < of, 2 * links.votes > of)
    for row in np.flatnonzero(is_link & (is_tie | against)).tolist():
        yield Vote(
            "tie" if is_tie[row] else "conflict",
            int(links.first[row]),
            int(links.second[row]),
            int(links.votes[row]),
            int(of[row]),
            is_followed=bool(together[row]),
        )
    # No annotator has a link between some atoms of one entity.
    known = set(zip(links.first.tolist(), links.second.tolist(), strict=True))
    members: dict[int, list[int]] = {}
    for atom in np.flatnonzero(is_kept).tolist():
        members.setdefault(int(atom_entity[atom]), []).append(atom)
    for entity_atoms in members.values():
        for first, second in combinations(entity_atoms, 2):
            if (first, second) not in known:
                count = int(voters[atoms.document[first]])
                yield Vote("conflict", first, second, 0, count, is_followed=True)

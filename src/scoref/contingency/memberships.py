"""Counts for extended B³, and the mentions from which the counts of a table are made.

Extended B³ (Amigó et al., 2009) is for mentions that are in several entities on
purpose. With K(m) and R(m) for the entities of a mention, precision considers each
mention m of the response and each m′ that shares an entity with it (including m). It
asks how many of the entities that they share the key lets them share:

    P  =  mean over m, of the mean over m′, of
          min(|R(m) ∩ R(m′)|, |K(m) ∩ K(m′)|) / |R(m) ∩ R(m′)|

Recall swaps the two sides. A mention that the other side lacks earns 0 and stays in the
mean of its own side. If each mention is in one entity, this is B³.

Mentions with the same entities are counted together, as a *kind*. Most kinds have one
entity on each side and meet no other kind of that sort; the few others are compared one
by one.

`list_mentions` returns for each listing of a mention its entity, its document, the cell
in which it is counted, whether it is a repeated listing, and whether it was found.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.contingency.links import listed_once
from scoref.matching.duplicates import last_listed
from scoref.model.arrays import bounds, inverse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scoref.contingency import Contingency, Floats
    from scoref.matching import Matched, Side
    from scoref.model import Corpus, Ints
    from scoref.scheme import Scheme

    Entities = frozenset[int]
    Mask = NDArray[np.bool_]


class Memberships(NamedTuple):
    """Listings of both sides, each mention once per entity.

    Mentions have the same numbers on both sides; entities are numbered per side.
    """

    key_mention: Ints
    key_entity: Ints
    response_mention: Ints
    response_entity: Ints
    document: Ints  # by mention
    document_count: int


def memberships_of(matched: Matched) -> Memberships | None:
    """List the entities of each mention; None if each is in one entity."""
    key, response = matched.key, matched.response
    if matched.words is not None:
        # Matched spans have equal numbers; matched sets of words get them here.
        _, partner = matched.partners
        number = np.where(partner >= 0, partner, response.mention)
        response = response._replace(mention=number)
    sides = matched.listed or (key, response)
    if all(np.bincount(side.mention, minlength=1).max() <= 1 for side in sides):
        return None
    key, response = (side.where(listed_once(side)) for side in sides)
    document = np.full(matched.mention_count, -1, dtype=np.int64)
    for side in (key, response):
        document[side.mention] = side.document
    return Memberships(
        key.mention,
        key.entity,
        response.mention,
        response.entity,
        document,
        len(matched.documents),
    )


class _Kind(NamedTuple):
    """Mentions that are in the same entities, on both sides."""

    key: Entities
    response: Entities
    document: int
    times: int

    @property
    def is_plain(self) -> bool:
        """Return whether the mentions are in at most one entity per side."""
        return len(self.key) <= 1 and len(self.response) <= 1

    @property
    def cells(self) -> list[tuple[int, int]]:
        """List the pairs of a key entity and a response entity."""
        return [(key, response) for key in self.key for response in self.response]


def count_extended(memberships: Memberships) -> Floats:
    """Count recall and precision by document, each a numerator and a denominator."""
    kinds = _kinds(memberships)
    credit_sums = _sum_credits(kinds)
    counts = np.zeros((memberships.document_count, 4))
    for column, side in enumerate(("key", "response")):
        mates = _count_mates(kinds, side)
        for kind, credit in zip(kinds, credit_sums, strict=True):
            entities = getattr(kind, side)
            if entities:
                share = credit[column] / mates[entities]
                counts[kind.document, 2 * column] += kind.times * share
                counts[kind.document, 2 * column + 1] += kind.times
    return counts


_NONE: Entities = frozenset()


def _kinds(memberships: Memberships) -> list[_Kind]:
    """Group mentions by their entities."""
    keys = _entities(memberships.key_mention, memberships.key_entity)
    responses = _entities(memberships.response_mention, memberships.response_entity)
    document = memberships.document.tolist()
    times: dict[tuple[Entities, Entities, int], int] = defaultdict(int)
    for mention in {**keys, **responses}:
        key, response = keys.get(mention, _NONE), responses.get(mention, _NONE)
        times[key, response, document[mention]] += 1
    return [_Kind(*kind, count) for kind, count in times.items()]


def _entities(mentions: Ints, entities: Ints) -> dict[int, Entities]:
    """Return the entities of each mention; equal sets are one object."""
    lists: dict[int, list[int]] = defaultdict(list)
    for mention, entity in zip(mentions.tolist(), entities.tolist(), strict=True):
        lists[mention].append(entity)
    known: dict[tuple[int, ...], Entities] = {}
    return {
        mention: known.setdefault(tuple(own), frozenset(own))
        for mention, own in lists.items()
    }


def _count_mates(kinds: list[_Kind], side: str) -> dict[Entities, int]:
    """Count, for each set of entities, the mentions that are in one of them."""
    sizes: dict[Entities, int] = defaultdict(int)
    for kind in kinds:
        sizes[getattr(kind, side)] += kind.times
    sharing: dict[int, list[Entities]] = defaultdict(list)
    for entities in sizes:
        for entity in entities:
            sharing[entity].append(entities)
    mates = {
        entities: {other for entity in entities for other in sharing[entity]}
        for entities in sizes
    }
    return {
        entities: sum(sizes[other] for other in others)
        for entities, others in mates.items()
    }


def _sum_credits(kinds: list[_Kind]) -> list[list[float]]:
    """Return the credits of a mention of each kind: recall and precision."""
    sums = [[kind.times * credit for credit in _credit(kind, kind)] for kind in kinds]
    for one, other in _pairs_with_common_entities(kinds):
        for column, credit in enumerate(_credit(kinds[one], kinds[other])):
            sums[one][column] += kinds[other].times * credit
            sums[other][column] += kinds[one].times * credit
    return sums


def _credit(one: _Kind, other: _Kind) -> tuple[float, float]:
    in_key = len(one.key & other.key)
    in_response = len(one.response & other.response)
    both = min(in_key, in_response)
    return (both / in_key, both / in_response) if both else (0.0, 0.0)


def _pairs_with_common_entities(kinds: list[_Kind]) -> Iterator[tuple[int, int]]:
    """List the pairs of kinds that share entities on both sides, each once."""
    in_cell: dict[tuple[int, int], list[int]] = defaultdict(list)
    for place, kind in enumerate(kinds):
        for cell in kind.cells:
            in_cell[cell].append(place)
    for place, kind in enumerate(kinds):
        if kind.is_plain:
            continue  # two plain kinds in a cell would be one kind
        others = {other for cell in kind.cells for other in in_cell[cell]}
        for other in others:
            if kinds[other].is_plain or other > place:
                yield place, other


class Listings(NamedTuple):
    """The listings of one side, in columns; ``cell`` -1: the listing has no cell."""

    corpus: Corpus
    row: Ints
    entity: Ints
    document: Ints
    cell: Ints
    is_counted: Mask
    is_found: Mask


class Listed(NamedTuple):
    """A table, and the listings of both sides from which it was counted.

    ``ranks`` sort the entities of each side by their mentions: equal entities have
    equal ranks, whatever their order in the file.
    """

    table: Contingency
    key: Listings
    response: Listings
    ranks: tuple[Ints, Ints]


def list_mentions(
    corpora: tuple[Corpus, Corpus], matched: Matched, table: Contingency, scheme: Scheme
) -> Listed:
    """Return the listings of both sides, each with its cell of the table."""
    # A span counts once, even if it is listed again; for coval, every listing counts.
    is_once = matched.words is None and scheme.duplicates != "coval"
    width = np.int64(max(1, len(table.response_size)))
    codes = table.cell_key * width + table.cell_response
    sides = matched.key, matched.response
    other = matched.from_key, matched.from_response
    wanted = sides[0].entity * width + other[0], other[1] * width + sides[1].entity
    listings = []
    for place, partner in enumerate(matched.partners):
        side, once = sides[place], last_listed(sides[place])
        is_there = (other[place] >= 0) & (once | (not is_once))
        cell = np.full(len(side.row), -1, dtype=np.int64)
        cell[is_there] = np.searchsorted(codes, wanted[place][is_there])
        columns = (
            side.row,
            side.entity,
            side.document,
            cell,
            once,
            once & (partner >= 0),
        )
        listings.append(Listings(corpora[place], *columns))
    return Listed(table, listings[0], listings[1], (_ranks(sides[0]), _ranks(sides[1])))


def _ranks(side: Side) -> Ints:
    """Return the place of each entity if entities are sorted by their mentions."""
    mentions = side.mention[np.lexsort((side.mention, side.entity))].tolist()
    ends = pairwise(bounds(side.size).tolist())
    contents = [mentions[first:last] for first, last in ends]
    order = sorted(range(len(contents)), key=contents.__getitem__)
    return inverse(np.array(order, dtype=np.int64))

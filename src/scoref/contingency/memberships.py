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
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.links import listed_once
from scoref.matching.duplicates import last_listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scoref.contingency import Contingency, Floats
    from scoref.matching import Matched, Side
    from scoref.model import Corpus, Ints
    from scoref.scheme import Scheme

    Entities = frozenset[int]
    Mask = NDArray[np.bool_]


_NONE: Entities = frozenset()


class Memberships(NamedTuple):
    """Listings of both sides: mentions go by the same numbers, entities by their own.

    Each mention is listed once in an entity.
    """

    key_mention: Ints
    key_entity: Ints
    response_mention: Ints
    response_entity: Ints
    document: Ints  # by mention
    document_count: int


def memberships_of(matched: Matched) -> Memberships | None:
    """List which mention is in which entities; None if each is in one."""
    sides = matched.listed or (matched.key, _called_like_partners(matched))
    if not any(map(_repeats, sides)):
        return None
    key, response = (side.where(listed_once(side)) for side in sides)
    return Memberships(
        key.mention,
        key.entity,
        response.mention,
        response.entity,
        _documents(key, response, matched.mention_count),
        len(matched.documents),
    )


def _called_like_partners(matched: Matched) -> Side:
    """Give mentions of the response the numbers of those that they were matched with.

    Spans have them already.
    """
    if matched.words is None:
        return matched.response
    _, partner = matched.partners
    own = matched.response.mention
    return matched.response._replace(mention=np.where(partner >= 0, partner, own))


def _repeats(side: Side) -> bool:
    return bool(np.bincount(side.mention, minlength=1).max() > 1)


def _documents(key: Side, response: Side, count: int) -> Ints:
    document = np.full(count, -1, dtype=np.int64)
    for side in (key, response):
        document[side.mention] = side.document
    return document


class _Kind(NamedTuple):
    """Mentions that are in the same entities, on both sides."""

    key: Entities
    response: Entities
    document: int
    times: int

    @property
    def is_plain(self) -> bool:
        """Tell whether it is in one entity a side, at most."""
        return len(self.key) <= 1 and len(self.response) <= 1


def count_extended(found: Memberships) -> Floats:
    """Count recall and precision by document, each a numerator and a denominator."""
    kinds = _kinds(found)
    shared = _shared(kinds)
    counts = np.zeros((found.document_count, 4))
    for column, side in enumerate(("key", "response")):
        mates = _mates(kinds, side)
        for kind, worth in zip(kinds, shared, strict=True):
            entities = getattr(kind, side)
            if entities:
                earned = worth[column] / mates[entities]
                counts[kind.document, 2 * column] += kind.times * earned
                counts[kind.document, 2 * column + 1] += kind.times
    return counts


def _kinds(found: Memberships) -> list[_Kind]:
    """Sort mentions by their entities."""
    keys = _entities(found.key_mention, found.key_entity)
    responses = _entities(found.response_mention, found.response_entity)
    document = found.document.tolist()
    times: dict[tuple[Entities, Entities, int], int] = defaultdict(int)
    for mention in {**keys, **responses}:
        key, response = keys.get(mention, _NONE), responses.get(mention, _NONE)
        times[key, response, document[mention]] += 1
    return [_Kind(*kind, count) for kind, count in times.items()]


def _entities(mention: Ints, entity: Ints) -> dict[int, Entities]:
    """Give the entities of each mention; equal sets are one object."""
    several: dict[int, list[int]] = defaultdict(list)
    for each, of_entity in zip(mention.tolist(), entity.tolist(), strict=True):
        several[each].append(of_entity)
    known: dict[tuple[int, ...], Entities] = {}
    return {
        each: known.setdefault(tuple(entities), frozenset(entities))
        for each, entities in several.items()
    }


def _mates(kinds: list[_Kind], side: str) -> dict[Entities, int]:
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


def _shared(kinds: list[_Kind]) -> list[list[float]]:
    """Add up what a mention of each kind earns with its mates: recall, precision."""
    found = [[kind.times * worth for worth in _worth(kind, kind)] for kind in kinds]
    for one, other in _meeting(kinds):
        for column, worth in enumerate(_worth(kinds[one], kinds[other])):
            found[one][column] += kinds[other].times * worth
            found[other][column] += kinds[one].times * worth
    return found


def _worth(one: _Kind, other: _Kind) -> tuple[float, float]:
    in_key = len(one.key & other.key)
    in_response = len(one.response & other.response)
    both = min(in_key, in_response)
    return (both / in_key, both / in_response) if both else (0.0, 0.0)


def _meeting(kinds: list[_Kind]) -> Iterator[tuple[int, int]]:
    """List the pairs of kinds that share entities on both sides, each once."""
    cells: dict[tuple[int, int], list[int]] = defaultdict(list)
    for place, kind in enumerate(kinds):
        for cell in _cells(kind):
            cells[cell].append(place)
    for place, kind in enumerate(kinds):
        if kind.is_plain:
            continue  # two plain ones in a cell are one kind
        met = {other for cell in _cells(kind) for other in cells[cell]}
        for other in met:
            if kinds[other].is_plain or other > place:
                yield place, other


def _cells(kind: _Kind) -> Iterator[tuple[int, int]]:
    return ((key, response) for key in kind.key for response in kind.response)


class Listings(NamedTuple):
    """The listings of one side, in columns; ``cell`` is -1 where there is none."""

    corpus: Corpus
    row: Ints
    entity: Ints
    document: Ints
    cell: Ints
    is_counted: Mask
    is_found: Mask


class Listed(NamedTuple):
    """A table, and both sides behind it.

    ``ranks`` sort the entities of each side by their mentions: equal entities have
    equal ranks, in whatever order a file brings them.
    """

    table: Contingency
    key: Listings
    response: Listings
    ranks: tuple[Ints, Ints]


def list_mentions(
    corpora: tuple[Corpus, Corpus], matched: Matched, table: Contingency, scheme: Scheme
) -> Listed:
    """Say in which cell of the table each mention is counted."""
    # A span counts once, whoever lists it again; for coval as often as it is listed.
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
        found = once & (partner >= 0)
        listings.append(
            Listings(
                corpora[place], side.row, side.entity, side.document, cell, once, found
            )
        )
    return Listed(table, listings[0], listings[1], (_ranks(sides[0]), _ranks(sides[1])))


def _ranks(side: Side) -> Ints:
    """Sort the entities of a side by their mentions."""
    mentions = side.mention[np.lexsort((side.mention, side.entity))].tolist()
    bounds = pairwise([0, *np.cumsum(side.size).tolist()])
    contents = [mentions[first:last] for first, last in bounds]
    rank = np.empty(len(contents), dtype=np.int64)
    rank[sorted(range(len(contents)), key=contents.__getitem__)] = np.arange(len(rank))
    return rank

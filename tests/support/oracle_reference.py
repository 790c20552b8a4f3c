"""The reference scorer's rules where mentions repeat, literally and slowly.

Entities are lists of mentions, and a mention may stand in several, or twice in
one. First every listing gets an id; all metrics then work on lists of ids.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Ids = list[list[int]]
    Counts = tuple[Fraction, ...]


class Identified(NamedTuple):
    """Both sides as lists of ids."""

    key: Ids
    response: Ids

    def key_entity(self, mention: int) -> int | None:
        """Find the last key entity that lists a mention."""
        rows = [row for row, entity in enumerate(self.key) if mention in entity]
        return rows[-1] if rows else None


def identified(
    key: Iterable[Sequence[int]], response: Iterable[Sequence[int]]
) -> Identified:
    """Number the mentions; take repeated ones out of the response, if in the key."""
    key = list(key)
    listings = [mention for entity in key for mention in entity]
    # A repeated mention is re-mapped to the later id.
    ids = {mention: number for number, mention in enumerate(listings)}
    in_key = set(ids)
    met: set[int] = set()
    kept_entities: list[list[int]] = []
    for entity in response:
        kept = []
        for mention in entity:
            if mention in in_key and mention in met:
                continue
            met.add(mention)
            kept.append(mention)
        kept_entities.append(kept)
    for mention in met - in_key:
        ids[mention] = len(listings) + len(ids)
    return Identified(
        [[ids[mention] for mention in entity] for entity in key if entity],
        [[ids[mention] for mention in entity] for entity in kept_entities if entity],
    )


def mentions(sides: Identified) -> Counts:
    in_key, in_response = (
        {mention for entity in side for mention in entity} for side in sides
    )
    both = Fraction(len(in_key & in_response))
    return both, Fraction(len(in_key)), both, Fraction(len(in_response))


def muc(sides: Identified) -> Counts:
    correct = Fraction(0)
    for entity in sides.response:
        of_key = [sides.key_entity(mention) for mention in entity]
        for position, row in enumerate(of_key):
            correct += row is not None and row in of_key[position + 1 :]
    links = [Fraction(sum(len(entity) - 1 for entity in side)) for side in sides]
    return correct, links[0], correct, links[1]


def bcub(sides: Identified) -> Counts:
    recall = precision = Fraction(0)
    for entity in sides.response:
        for mention in entity:
            row = sides.key_entity(mention)
            if row is None:
                continue
            key_entity = sides.key[row]
            correct = sum(other in key_entity for other in entity)
            precision += Fraction(correct, len(entity))
            recall += Fraction(correct, len(key_entity))
    return recall, _listings(sides.key), precision, _listings(sides.response)


def ceafm(sides: Identified) -> Counts:
    shared = [[Fraction(_shared(k, r)) for r in sides.response] for k in sides.key]
    total = _best_total(shared)
    return total, _listings(sides.key), total, _listings(sides.response)


def ceafe(sides: Identified) -> Counts:
    dice = [
        [Fraction(2 * _shared(k, r), len(k) + len(r)) for r in sides.response]
        for k in sides.key
    ]
    total = _best_total(dice)
    return total, Fraction(len(sides.key)), total, Fraction(len(sides.response))


def blanc(sides: Identified) -> Counts:
    c_key, c_response = (_links_inside(side) for side in sides)
    n_key, n_response = (_links_across(side) for side in sides)
    sets = (
        c_key & c_response,
        c_key,
        c_response,
        n_key & n_response,
        n_key,
        n_response,
    )
    return tuple(Fraction(len(links)) for links in sets)


def _shared(key_entity: list[int], response_entity: list[int]) -> int:
    return sum(mention in response_entity for mention in key_entity)


def _listings(side: Ids) -> Fraction:
    return Fraction(sum(map(len, side)))


def _best_total(similarity: list[list[Fraction]]) -> Fraction:
    if not similarity or not similarity[0]:
        return Fraction(0)
    dense = np.array(similarity, dtype=np.float64)
    rows, columns = linear_sum_assignment(dense, maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return sum((similarity[row][column] for row, column in pairs), start=Fraction(0))


def _links_inside(side: Ids) -> set[tuple[int, int]]:
    return {_link(*pair) for entity in side for pair in combinations(entity, 2)}


def _links_across(side: Ids) -> set[tuple[int, int]]:
    return {
        _link(one, other)
        for first, second in combinations(side, 2)
        for one in first
        for other in second
    }


def _link(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


REFERENCE_ORACLES = {
    "mentions": mentions,
    "muc": muc,
    "bcub": bcub,
    "ceafm": ceafm,
    "ceafe": ceafe,
    "blanc": blanc,
}

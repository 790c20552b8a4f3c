"""Every metric from its definition: sets, all pairs, exact fractions; slow.

Entities are sets of mentions that do not overlap. A ratio metric gives recall
numerator and denominator, then precision's; BLANC gives its six link counts.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linear_sum_assignment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Entity = frozenset[int]
    Counts = tuple[Fraction, ...]
    Similarity = Callable[[Entity, Entity], Fraction]


def sets_of(entities: Iterable[Iterable[int]]) -> list[Entity]:
    return [frozenset(entity) for entity in entities]


def mentions(key: Sequence[Entity], response: Sequence[Entity]) -> Counts:
    in_key, in_response = _all(key), _all(response)
    both = Fraction(len(in_key & in_response))
    return both, Fraction(len(in_key)), both, Fraction(len(in_response))


def muc(key: Sequence[Entity], response: Sequence[Entity]) -> Counts:
    return *_muc_recall(key, response), *_muc_recall(response, key)


def _muc_recall(
    key: Sequence[Entity], response: Sequence[Entity]
) -> tuple[Fraction, Fraction]:
    kept = sum(len(entity) - len(_pieces(entity, response)) for entity in key)
    links = sum(len(entity) - 1 for entity in key)
    return Fraction(kept), Fraction(links)


def _pieces(entity: Entity, others: Sequence[Entity]) -> list[Entity]:
    """Cut an entity as the others do; what they lack falls into single mentions."""
    pieces = [entity & other for other in others if entity & other]
    left = entity.difference(*pieces)
    return pieces + [frozenset({mention}) for mention in left]


def bcub(key: Sequence[Entity], response: Sequence[Entity]) -> Counts:
    return *_bcub_recall(key, response), *_bcub_recall(response, key)


def _bcub_recall(
    key: Sequence[Entity], response: Sequence[Entity]
) -> tuple[Fraction, Fraction]:
    credit = Fraction(0)
    for entity in key:
        for mention in entity:
            found = _entity_of(mention, response)
            credit += Fraction(len(entity & found), len(entity))
    return credit, Fraction(len(_all(key)))


def ceafm(key: Sequence[Entity], response: Sequence[Entity]) -> Counts:
    total = _best_alignment(key, response, lambda k, r: Fraction(len(k & r)))
    return total, Fraction(len(_all(key))), total, Fraction(len(_all(response)))


def ceafe(key: Sequence[Entity], response: Sequence[Entity]) -> Counts:
    total = _best_alignment(
        key, response, lambda k, r: Fraction(2 * len(k & r), len(k) + len(r))
    )
    return total, Fraction(len(key)), total, Fraction(len(response))


def _best_alignment(
    key: Sequence[Entity], response: Sequence[Entity], similarity: Similarity
) -> Fraction:
    if not key or not response:
        return Fraction(0)
    exact = [[similarity(k, r) for r in response] for k in key]
    dense = np.array(exact, dtype=np.float64)
    rows, columns = linear_sum_assignment(dense, maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return sum((exact[row][column] for row, column in pairs), start=Fraction(0))


def blanc(key: Sequence[Entity], response: Sequence[Entity]) -> Counts:
    c_key, n_key = _links(key)
    c_response, n_response = _links(response)
    sets = (
        c_key & c_response,
        c_key,
        c_response,
        n_key & n_response,
        n_key,
        n_response,
    )
    return tuple(Fraction(len(links)) for links in sets)


def _links(entities: Sequence[Entity]) -> tuple[set[Entity], set[Entity]]:
    """Sort all pairs of mentions into coreference and non-coreference links."""
    pairs = {frozenset(pair) for pair in combinations(_all(entities), 2)}
    inside = {pair for pair in pairs if any(pair <= entity for entity in entities)}
    return inside, pairs - inside


def lea_self_links(key: Sequence[Entity], response: Sequence[Entity]) -> Counts:
    return *_lea_recall(key, response), *_lea_recall(response, key)


def lea_no_singletons(key: Sequence[Entity], response: Sequence[Entity]) -> Counts:
    several = [
        [entity for entity in side if len(entity) > 1] for side in (key, response)
    ]
    return *_lea_recall(several[0], response), *_lea_recall(several[1], key)


def _lea_recall(
    key: Sequence[Entity], response: Sequence[Entity]
) -> tuple[Fraction, Fraction]:
    found = set().union(*(_links_with_itself(entity) for entity in response))
    resolved = Fraction(0)
    for entity in key:
        links = _links_with_itself(entity)
        resolved += len(entity) * Fraction(len(links & found), len(links))
    return resolved, Fraction(len(_all(key)))


def _links_with_itself(entity: Entity) -> set[Entity]:
    """List an entity's links; a singleton is linked to itself."""
    if len(entity) == 1:
        return {entity}
    return {frozenset(pair) for pair in combinations(entity, 2)}


def _all(entities: Sequence[Entity]) -> Entity:
    return frozenset().union(*entities)


def _entity_of(mention: int, entities: Sequence[Entity]) -> Entity:
    return next((each for each in entities if mention in each), frozenset())


ORACLES = {
    "mentions": mentions,
    "muc": muc,
    "bcub": bcub,
    "ceafm": ceafm,
    "ceafe": ceafe,
    "blanc": blanc,
    "lea": lea_self_links,
}

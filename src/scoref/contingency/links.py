"""Links between mentions for BLANC, if a mention may be in two entities.

BLANC counts links: pairs of mentions inside an entity, and pairs across two. In a
partition, both numbers follow from sizes alone. If the reference scorer's rule leaves a
mention listed twice, the links are *sets*: a pair that shares two entities is one
coreference link, a pair may be a link of both kinds, and a mention listed twice is
linked to itself. With E(x) the entities of x, counted for x ≠ y:

    coreference       E(x) and E(y) have an entity in common
    non-coreference   not: E(x) = E(y) = one single entity
    (x, x)            coreference if an entity lists x twice,
                      non-coreference if E(x) has two entities

Only pairs that share two entities are compared individually, and mentions with the same
entities are counted together. There are few of them in real data.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency import pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching import Matched, Side
    from scoref.model import Ints


def repeated_links(matched: Matched) -> Ints:
    """Count links by document: in both, in the key, in the response.

    Three columns of coreference links are followed by three of non-coreference links.
    """
    documents = len(matched.documents)
    key, response = matched.key, matched.response
    columns = (
        _common_coreference(matched),
        _coreference(key, documents),
        _coreference(response, documents),
        _common_non_coreference(matched),
        _non_coreference(key, documents),
        _non_coreference(response, documents),
    )
    return np.column_stack(columns)


def listed_once(side: Side) -> NDArray[np.bool_]:
    """Mark the rows that list a mention in an entity for the first time."""
    once = np.zeros(len(side.mention), dtype=np.bool_)
    width = np.int64(int(side.mention.max(initial=0)) + 1)
    once[np.unique(side.entity * width + side.mention, return_index=True)[1]] = True
    return once


def _coreference(side: Side, documents: int) -> Ints:
    once = listed_once(side)
    inside = _sum(side.entity_document, pairs(side.where(once).size), documents)
    with_itself = np.unique(side.mention[~once], return_index=True)[1]
    of_itself = np.bincount(side.document[~once][with_itself], minlength=documents)
    shared = _surplus(side.where(once), np.zeros_like(side.mention[once]), documents)
    return inside + of_itself - shared


def _non_coreference(side: Side, documents: int) -> Ints:
    side = side.where(listed_once(side))
    times = np.bincount(side.mention, minlength=1)[side.mention]
    first = np.unique(side.mention, return_index=True)[1]
    mentions = np.bincount(side.document[first], minlength=documents)
    repeated = np.bincount(side.document[first][times[first] > 1], minlength=documents)
    alone = np.bincount(side.entity[times == 1], minlength=len(side.entity_document))
    together = _sum(side.entity_document, pairs(alone), documents)
    return pairs(mentions) + repeated - together


def _common_coreference(matched: Matched) -> Ints:
    """Count pairs in one response entity that share a key entity."""
    key, partner = _common(matched)
    documents = len(matched.documents)
    width = np.int64(len(matched.response.entity_document) + 1)
    _, first, together = np.unique(
        key.entity * width + partner, return_index=True, return_counts=True
    )
    inside = _sum(key.document[first], pairs(together), documents)
    return inside - _surplus(key, partner, documents)


def _common_non_coreference(matched: Matched) -> Ints:
    """Count pairs in two response entities, except those of one key entity only."""
    key, partner = _common(matched)
    documents = len(matched.documents)
    times = np.bincount(key.mention, minlength=1)[key.mention]
    first = np.unique(key.mention, return_index=True)[1]
    document = key.document
    all_ = pairs(np.bincount(document[first], minlength=documents))
    by_response = _pairs_by(partner[first], document[first], documents)
    alone = times == 1
    width = np.int64(len(matched.response.entity_document) + 1)
    by_key = _pairs_by(key.entity[alone], document[alone], documents)
    by_both = _pairs_by(
        key.entity[alone] * width + partner[alone], document[alone], documents
    )
    return all_ - by_response - by_key + by_both


def _common(matched: Matched) -> tuple[Side, Ints]:
    """Return the key's distinct rows that the response has, and its entity of each."""
    partner = np.full(matched.mention_count, -1, dtype=np.int64)
    partner[matched.response.mention] = matched.response.entity
    key = matched.key.where(listed_once(matched.key))
    key = key.where(partner[key.mention] >= 0)
    return key, partner[key.mention]


def _pairs_by(group: Ints, document: Ints, documents: int) -> Ints:
    _, first, size = np.unique(group, return_index=True, return_counts=True)
    return _sum(document[first], pairs(size), documents)


_Class = tuple[int, int, tuple[int, ...]]


def _surplus(side: Side, group: Ints, documents: int) -> Ints:
    """Count how often pairs of one group share an entity beyond the first.

    A class is the mentions with the same document, group and entities. Only classes
    with two entities or more can share two.
    """
    entities: dict[int, list[int]] = defaultdict(list)
    about: dict[int, tuple[int, int]] = {}
    repeated = np.bincount(side.mention, minlength=1)[side.mention] > 1
    rows = (side.mention, side.entity, group, side.document)
    for mention, entity, of_group, document in zip(
        *(column[repeated].tolist() for column in rows), strict=True
    ):
        entities[mention].append(entity)
        about[mention] = document, of_group
    classes = Counter(
        (*about[mention], tuple(sorted(shared))) for mention, shared in entities.items()
    )
    surplus = np.zeros(documents, dtype=np.int64)
    for (document, _, shared), size in classes.items():
        surplus[document] += size * (size - 1) // 2 * (len(shared) - 1)
    # Pairs of classes of one group that share an entity.
    by_entity: dict[tuple[int, int], list[_Class]] = defaultdict(list)
    for one in classes:
        for entity in one[2]:
            by_entity[entity, one[1]].append(one)
    sharing = {pair for rows in by_entity.values() for pair in combinations(rows, 2)}
    for one, other in sharing:
        both = len(set(one[2]) & set(other[2]))
        surplus[one[0]] += classes[one] * classes[other] * max(0, both - 1)
    return surplus


def _sum(document: Ints, values: Ints, documents: int) -> Ints:
    total = np.zeros(documents, dtype=np.int64)
    np.add.at(total, document, values)
    return total

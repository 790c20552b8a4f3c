"""Entities in the order in which their first mention is complete.

Brackets open entities in one order and complete mentions in another: in ``(1 (2) 1)``
the second entity is the first that has a mention. coval, and tools that read as it
does, know only this order, and look a mention that two entities list up in the last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scoref.matching import Matched, Side
    from scoref.model import Corpus, Ints


def by_completion(matched: Matched, key: Corpus, response: Corpus) -> Matched:
    """Sort the entities of both sides."""
    return matched._replace(
        key=_sorted(matched.key, key), response=_sorted(matched.response, response)
    )


def completed(side: Side, corpus: Corpus) -> Ints:
    """Number the entities of a side in the order of their completion."""
    count = len(side.entity_document)
    if corpus.mention_order is None:
        return np.arange(count)
    first = np.full(count, len(corpus.mention_order))
    np.minimum.at(first, side.entity, corpus.mention_order[side.row])
    number = np.empty(count, dtype=np.int64)
    number[np.argsort(first, kind="stable")] = np.arange(count)
    return number


def grouped(side: Side, group: Ints) -> Side:
    """Make an entity of each group of rows, in the order of their numbers."""
    _, first, entity = np.unique(group, return_index=True, return_inverse=True)
    order = np.argsort(entity, kind="stable")
    return side._replace(
        mention=side.mention[order],
        entity=entity[order],
        line=side.line[order],
        row=side.row[order],
        entity_document=side.document[first],
    )


def _sorted(side: Side, corpus: Corpus) -> Side:
    return grouped(side, completed(side, corpus)[side.entity])

"""What is left out of a side before mentions are matched.

Verb phrases: OntoNotes takes verbs for mentions of events. Nested mentions: systems get
`his` in `John and his dog` right or wrong for reasons of their own.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import OptionError
from scoref.matching.documents import scored_documents

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching.documents import Documents
    from scoref.matching.trees import Trees
    from scoref.model import Corpus, Ints
    from scoref.scheme import Singletons

    Mask = NDArray[np.bool_]

_VERB_PHRASE = b"VP"
_WITHOUT_SPANS = "entities"


def drop_verb_phrases(
    key: Corpus, response: Corpus, documents: Documents, trees: Trees
) -> tuple[Corpus, Corpus]:
    """Drop mentions whose root is VP, and what is left of an entity if it is one.

    An entity that loses nothing stays as it is, also if it has one mention only.
    """
    sides = (key, documents.key), (response, documents.response)
    found = []
    for side, rows in sides:
        key_row = np.append(documents.key, -1)[scored_documents(side, rows)]
        is_verbal = _are_verb_phrases(
            side, key_row[side.entity_document[side.mention_entity]], trees
        )
        count = len(side.entity_label)
        left = np.bincount(side.mention_entity[~is_verbal], minlength=count)
        lost = np.bincount(side.mention_entity[is_verbal], minlength=count)
        stays = (left > 1) | (lost == 0)
        found.append(_where(side, ~is_verbal & stays[side.mention_entity]))
    return found[0], found[1]


def drop_nested(corpus: Corpus, singletons: Singletons) -> Corpus:
    """Drop mentions that lie inside another one of their entity.

    If one mention would be left, the entity is dropped with the singletons; or stays
    as it was, inner mentions included, if singletons are kept.
    """
    if corpus.format == _WITHOUT_SPANS:
        raise OptionError("nested 'drop' needs files: entities in Python have no spans")
    entity, is_inner = corpus.mention_entity, _are_inner(corpus)
    count = len(corpus.entity_label)
    has_inner = np.bincount(entity[is_inner], minlength=count) > 0
    # Outer mentions that are listed twice are one; they all begin at one place.
    first = np.full(count, np.iinfo(np.int64).max)
    last = np.full(count, -1)
    np.minimum.at(first, entity[~is_inner], corpus.mention_start[~is_inner])
    np.maximum.at(last, entity[~is_inner], corpus.mention_start[~is_inner])
    is_alone = has_inner & (first == last)
    if singletons == "drop":
        return _where(corpus, ~is_inner & ~is_alone[entity])
    return _where(corpus, ~is_inner | is_alone[entity])


def _are_verb_phrases(corpus: Corpus, key_row: Ints, trees: Trees) -> Mask:
    places = zip(
        key_row.tolist(),
        corpus.mention_start.tolist(),
        corpus.mention_end.tolist(),
        strict=True,
    )
    roots = (trees.root(*place) for place in places)
    are_verbal = (root is not None and root.tag == _VERB_PHRASE for root in roots)
    return np.fromiter(are_verbal, dtype=np.bool_, count=len(key_row))


def _are_inner(corpus: Corpus) -> Mask:
    """Mark the mentions that another one of their entity contains and exceeds."""
    entity, start = corpus.mention_entity, corpus.mention_start
    ends, end = np.unique(corpus.mention_end, return_inverse=True)
    order = np.lexsort((-end, start, entity))
    entity, start, end = entity[order], start[order], end[order]
    # Whatever contains a mention comes before it and does not end before it.
    furthest = np.maximum.accumulate(entity * len(ends) + end)
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = (np.diff(entity) != 0) | (np.diff(start) != 0) | (np.diff(end) != 0)
    reached = np.concatenate(([-1], furthest[:-1]))
    is_inner = reached >= entity * len(ends) + end
    # A mention that is listed again is as inner as at first.
    is_inner = is_inner[np.flatnonzero(is_first)[np.cumsum(is_first) - 1]]
    found = np.zeros(len(order), dtype=np.bool_)
    found[order] = is_inner
    return found


def _where(corpus: Corpus, kept: Mask) -> Corpus:
    """Keep some mentions; entities without any vanish when sides are made."""
    return dataclasses.replace(
        corpus,
        mention_entity=corpus.mention_entity[kept],
        mention_start=corpus.mention_start[kept],
        mention_end=corpus.mention_end[kept],
        mention_line=corpus.mention_line[kept],
    )

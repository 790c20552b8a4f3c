"""What is left out of a side after its mentions have numbers.

Verb phrases: OntoNotes takes verbs for mentions of events. Nested mentions: systems get
`his` in `John and his dog` right or wrong for reasons of their own. The rules are
coval's (``phrases:np``, ``nested:drop``); what they should have been has names of its
own (``phrases:no-vp``, ``nested:outermost``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import OptionError
from scoref.matching.containers import count_containers
from scoref.scheme import as_typed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching import Side
    from scoref.model import Corpus, Ints
    from scoref.scheme import Phrases, Scheme

    Mask = NDArray[np.bool_]

_WITHOUT_SPANS = "entities"


def drop_verbs(side: Side, is_verbal: Mask, rule: Phrases | None) -> Side:
    """Drop verb phrases, and what is left of an entity if it is one mention.

    An entity that loses nothing stays as it is, also if it has one mention only.
    """
    goes = is_verbal if rule == "no-vp" else _namesakes(side, is_verbal)
    lost = np.bincount(side.entity[goes], minlength=len(side.entity_document))
    stays = (side.size - lost > 1) | (lost == 0)
    return side.where(~goes & stays[side.entity])


def _namesakes(side: Side, is_verbal: Mask) -> Mask:
    """Mark the first of equal mentions instead of their verb phrases, as in coval."""
    group, times = _groups(side)
    verbs = np.bincount(group, is_verbal, len(times))
    order = np.argsort(group, kind="stable")
    rank = np.empty_like(group)
    rank[order] = np.arange(len(group)) - np.repeat(np.cumsum(times) - times, times)
    found: Mask = rank < verbs[group]
    return found


def drop_nested(side: Side, corpus: Corpus, scheme: Scheme) -> Side:
    """Drop mentions that lie inside another one of their entity.

    coval (``drop``) compares the number of mentions with that of nested pairs. If they
    differ by one, the entity is dropped with the singletons, or stays as it was if
    those are kept. Else whatever equals a nested mention is dropped.
    """
    if corpus.format == _WITHOUT_SPANS:
        needs = f"{as_typed('nested', scheme.nested)} needs files"
        raise OptionError(f"{needs}: entities in Python have no spans")
    place = corpus.mention_start[side.row], corpus.mention_end[side.row]
    outer = count_containers(_within_documents(side, corpus), *place)
    if scheme.nested == "outermost":
        return side.where(outer == 0)
    group, times = _groups(side)
    # Mentions with equal minimum spans are not nested in each other.
    outer -= count_containers(group, *place)
    stays = (np.bincount(group, outer, len(times)) == 0)[group]
    size = side.size
    is_alone = (size > 1) & (np.bincount(side.entity, outer, len(size)) == size - 1)
    stays[is_alone[side.entity]] = scheme.singletons == "keep"
    return side.where(stays)


def _within_documents(side: Side, corpus: Corpus) -> Ints:
    """Number entities by document: in another one, nothing lies inside a mention."""
    document = corpus.entity_document[corpus.mention_entity[side.row]]
    code = side.entity * max(1, len(corpus.documents)) + document
    number: Ints = np.unique(code, return_inverse=True)[1]
    # A mention that is not in the text neither contains another one nor lies inside.
    is_unplaced = corpus.is_unplaced[side.row]
    number[is_unplaced] = len(number) + np.arange(is_unplaced.sum())
    return number


def _groups(side: Side) -> tuple[Ints, Ints]:
    """Number the different mentions of entities, and count how often each is listed."""
    code = side.entity * (int(side.mention.max(initial=0)) + 1) + side.mention
    _, group, times = np.unique(code, return_inverse=True, return_counts=True)
    return group, times

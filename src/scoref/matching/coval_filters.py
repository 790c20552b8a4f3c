"""coval's filters for verb phrases and nested mentions, in coval's order of steps.

OntoNotes annotates verbs as mentions of events; ``phrases:np`` drops verb phrases as
coval does. ``nested:drop`` drops mentions inside another mention of their entity, such
as *his* in *John and his dog*. Both rules have flaws that published figures depend on;
``phrases:no-vp`` and ``nested:outermost`` are the corrected rules.

Mentions are matched before any are dropped. If a verb phrase equals other mentions of
its entity, coval drops the first of them. Equal mentions are not nested in each other.

Entities are sorted by the order in which their first mention is completed. Brackets
open entities in another order: in ``(1 (2) 1)`` the second entity is the first that has
a mention. coval knows only the order of completion, and looks up a mention that two
entities list in the last of them.

A span is contained in those that begin no later and end no earlier, and are not equal
to it. After sorting by beginning, longer spans first, these are inversions. They are
counted as in a merge sort, all merges of one width at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import OptionError
from scoref.matching.minimum_spans import (
    in_last_sentences,
    match_minimum,
    parse_mentions,
)
from scoref.matching.parse_trees import Trees, are_verb_phrases, match_mina
from scoref.matching.spans import drop_short, match_exact
from scoref.scheme import as_typed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching import Matched, Side
    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints, Note
    from scoref.scheme import Phrases, Scheme

    Mask = NDArray[np.bool_]


def match_filtered(
    key: Corpus, response: Corpus, documents: Documents, scheme: Scheme
) -> tuple[Matched, tuple[Note, ...]]:
    """Match two sides, and leave out verbs and nested mentions if asked to."""
    if scheme.needs_trees and key.parses is None:
        raise OptionError(f"{_reason(scheme)} needs a key in CoNLL-2012 with parses")
    if scheme.duplicates == "coval":
        key, response = in_last_sentences(key, response, documents)
    matched, is_verbal, notes = _match(key, response, documents, scheme)
    if scheme.duplicates == "coval":
        matched = _by_completion(matched, key, response)
        matched = drop_short(matched) if scheme.singletons == "drop" else matched
    count = len(key.mention_entity)
    sides = [
        _filtered(matched.key, key, is_verbal[:count], scheme),
        _filtered(matched.response, response, is_verbal[count:], scheme),
    ]
    return matched._replace(key=sides[0], response=sides[1]), notes


def _match(
    key: Corpus, response: Corpus, documents: Documents, scheme: Scheme
) -> tuple[Matched, Mask, tuple[Note, ...]]:
    """Match mentions, and tell which are verb phrases that are to be left out."""
    sides = key, response, documents
    is_verbal = np.zeros(len(key.mention_entity) + len(response.mention_entity), bool)
    notes: tuple[Note, ...] = ()
    asked = {scheme.match, scheme.phrases}
    if not asked.isdisjoint(("min", "np")):
        parsed, notes = parse_mentions(*sides, wanted_for=_reason(scheme))
    if not asked.isdisjoint(("mina", "no-vp")):
        trees = Trees(key, wanted_for=_reason(scheme))
    if scheme.phrases == "np":
        is_verbal = parsed.are_verbal()
    elif scheme.phrases == "no-vp":
        is_verbal = are_verb_phrases(*sides, trees)
    is_verbal &= ~np.concatenate((key.is_unplaced, response.is_unplaced))
    if scheme.match == "min":
        return match_minimum(*sides, parsed), is_verbal, notes
    if scheme.match == "mina":
        return match_mina(*sides, trees), is_verbal, notes
    return match_exact(*sides), is_verbal, notes


def _filtered(side: Side, corpus: Corpus, is_verbal: Mask, scheme: Scheme) -> Side:
    if is_verbal.any():
        side = drop_verbs(side, is_verbal[side.row], scheme.phrases)
    if scheme.nested in {"drop", "outermost"}:
        side = drop_nested(side, corpus, scheme)
    return side


def _reason(scheme: Scheme) -> str:
    """Say which choice asks for parses."""
    if scheme.match in {"min", "mina"}:
        return as_typed("match", scheme.match)
    return as_typed("phrases", scheme.phrases)


def _by_completion(matched: Matched, key: Corpus, response: Corpus) -> Matched:
    """Sort the entities of both sides."""
    return matched._replace(
        key=_sorted(matched.key, key), response=_sorted(matched.response, response)
    )


def _completed(side: Side, corpus: Corpus) -> Ints:
    """Number the entities of a side in the order of their completion."""
    count = len(side.entity_document)
    if corpus.mention_order is None:
        return np.arange(count)
    first = np.full(count, len(corpus.mention_order))
    np.minimum.at(first, side.entity, corpus.mention_order[side.row])
    number = np.empty(count, dtype=np.int64)
    number[np.argsort(first, kind="stable")] = np.arange(count)
    return number


def _sorted(side: Side, corpus: Corpus) -> Side:
    entity = _completed(side, corpus)[side.entity]
    _, first, entity = np.unique(entity, return_index=True, return_inverse=True)
    order = np.argsort(entity, kind="stable")
    return side._replace(
        mention=side.mention[order],
        entity=entity[order],
        line=side.line[order],
        row=side.row[order],
        entity_document=side.document[first],
    )


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


def count_containers(group: Ints, start: Ints, end: Ints) -> Ints:
    """Count, for each span, the greater spans of its group that it lies in.

    >>> zero = np.zeros(3, dtype=np.int64)
    >>> count_containers(zero, np.array([0, 1, 1]), np.array([9, 4, 2])).tolist()
    [0, 1, 2]
    """
    # Ranks are as good as places, and small.
    places, rank = np.unique(np.concatenate((start, end)), return_inverse=True)
    start, end = np.split(rank + np.tile(group, 2) * np.int64(len(places)), 2)
    order = np.lexsort((-end, start))
    start, end = start[order], end[order]
    first = np.flatnonzero(np.diff(start, prepend=-1) | np.diff(end, prepend=-1))
    times = np.diff(np.append(first, len(order)))
    found = np.empty_like(group)
    found[order] = np.repeat(_count_greater(start[first], end[first], times), times)
    return found


def _count_greater(start: Ints, end: Ints, times: Ints) -> Ints:
    """Count the containers of sorted spans, which stand so many times."""
    overlaps = np.maximum.accumulate(end)[:-1] >= start[1:]
    is_close = np.zeros(len(start), dtype=np.bool_)
    is_close[1:] |= overlaps
    is_close[:-1] |= overlaps
    found = np.zeros_like(start)
    found[is_close] = _count_before(end[is_close], times[is_close])
    return found


def _count_before(value: Ints, times: Ints) -> Ints:
    """Count, for each value, those before it that are not less."""
    found = np.zeros_like(value)
    place = np.argsort(-value, kind="stable")
    width = 1 << len(value).bit_length()
    while width > 1:
        # Inside a block: from the greatest value to the least, then by place.
        place = place[np.argsort(place // width, kind="stable")]
        is_left = place % width < width // 2
        left = np.where(is_left, times[place], 0)
        before = np.cumsum(left)
        first = np.flatnonzero(np.diff(place // width, prepend=-1))
        size = np.diff(np.append(first, len(place)))
        before -= np.repeat((before - left)[first], size)
        found[place[~is_left]] += before[~is_left]
        width //= 2
    return found

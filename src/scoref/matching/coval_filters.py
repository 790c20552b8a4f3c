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
from scoref.model.arrays import inverse, numbered, ranges, runs
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
    """Match two sides, and drop verbs and nested mentions if the scheme says so."""
    if scheme.needs_trees and key.parses is None:
        raise OptionError(f"{_reason(scheme)} needs a key in CoNLL-2012 with parses")
    if scheme.duplicates == "coval":
        key, response = in_last_sentences(key, response, documents)
    matched, is_verbal, notes = _match(key, response, documents, scheme)
    if scheme.duplicates == "coval":
        matched = matched._replace(
            key=_sort_by_completion(matched.key, key),
            response=_sort_by_completion(matched.response, response),
        )
        matched = drop_short(matched) if scheme.singletons == "drop" else matched
    count = len(key.mention_entity)
    sides = [
        _drop_phrases(matched.key, key, is_verbal[:count], scheme),
        _drop_phrases(matched.response, response, is_verbal[count:], scheme),
    ]
    return matched._replace(key=sides[0], response=sides[1]), notes


def _drop_phrases(side: Side, corpus: Corpus, is_verbal: Mask, scheme: Scheme) -> Side:
    if is_verbal.any():
        side = drop_verbs(side, is_verbal[side.row], scheme.phrases)
    if scheme.nested in {"drop", "outermost"}:
        side = drop_nested(side, corpus, scheme)
    return side


def _match(
    key: Corpus, response: Corpus, documents: Documents, scheme: Scheme
) -> tuple[Matched, Mask, tuple[Note, ...]]:
    """Match mentions, and mark the verb phrases to be dropped."""
    sides = key, response, documents
    is_verbal = np.zeros(len(key.mention_entity) + len(response.mention_entity), bool)
    notes: tuple[Note, ...] = ()
    asked = {scheme.match, scheme.phrases}
    if not asked.isdisjoint(("min", "np")):
        mentions, notes = parse_mentions(*sides, wanted_for=_reason(scheme))
    if not asked.isdisjoint(("mina", "no-vp")):
        trees = Trees(key, wanted_for=_reason(scheme))
    if scheme.phrases == "np":
        is_verbal = mentions.are_verbal()
    elif scheme.phrases == "no-vp":
        is_verbal = are_verb_phrases(*sides, trees)
    is_verbal &= ~np.concatenate((key.is_unplaced, response.is_unplaced))
    if scheme.match == "min":
        return match_minimum(*sides, mentions), is_verbal, notes
    if scheme.match == "mina":
        return match_mina(*sides, trees), is_verbal, notes
    return match_exact(*sides), is_verbal, notes


def _reason(scheme: Scheme) -> str:
    """Return the convention that needs parses, as it is typed."""
    if scheme.match in {"min", "mina"}:
        return as_typed("match", scheme.match)
    return as_typed("phrases", scheme.phrases)


def _sort_by_completion(side: Side, corpus: Corpus) -> Side:
    """Sort the entities of a side by the order in which their first mention ends."""
    entity = side.entity
    if corpus.mention_order is not None:
        first = np.full(len(side.entity_document), len(corpus.mention_order))
        np.minimum.at(first, entity, corpus.mention_order[side.row])
        entity = inverse(np.argsort(first, kind="stable"))[entity]
    _, first, entity = np.unique(entity, return_index=True, return_inverse=True)
    order = np.argsort(entity, kind="stable")
    return side._replace(
        mention=side.mention[order],
        entity=entity[order],
        line=side.line[order],
        row=side.row[order],
        entity_document=side.document[first],
    )


def drop_verbs(side: Side, is_verbal: Mask, rule: Phrases | None) -> Side:
    """Drop verb phrases, and entities that are left with one mention.

    An entity that loses no mention stays, even if it has one mention.
    """
    goes = is_verbal if rule == "no-vp" else _first_equals(side, is_verbal)
    lost = np.bincount(side.entity[goes], minlength=len(side.entity_document))
    stays = (side.size - lost > 1) | (lost == 0)
    return side.where(~goes & stays[side.entity])


def _first_equals(side: Side, is_verbal: Mask) -> Mask:
    """Mark the first of equal mentions instead of their verb phrases, as in coval."""
    group, times = _groups(side)
    verbs = np.bincount(group, is_verbal, len(times))
    order = np.argsort(group, kind="stable")
    rank = np.empty_like(group)
    rank[order] = ranges(np.zeros_like(times), times)
    is_dropped: Mask = rank < verbs[group]
    return is_dropped


_WITHOUT_SPANS = "entities"


def drop_nested(side: Side, corpus: Corpus, scheme: Scheme) -> Side:
    """Drop mentions inside another mention of their entity.

    coval (``drop``) compares the number of mentions with the number of nested pairs. If
    they differ by one, the entity is dropped if singletons are, and otherwise stays as
    it is. If not, every mention that equals a nested one is dropped.
    """
    if corpus.format == _WITHOUT_SPANS:
        needs = f"{as_typed('nested', scheme.nested)} needs files"
        raise OptionError(f"{needs}. Entities in Python have no spans")
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
    """Number entities per document: mentions of two documents are never nested."""
    document = corpus.entity_document[corpus.mention_entity[side.row]]
    code = side.entity * max(1, len(corpus.documents)) + document
    number, _ = numbered(code)
    # A mention that is not in the text is not nested in another one.
    is_unplaced = corpus.is_unplaced[side.row]
    number[is_unplaced] = len(number) + np.arange(is_unplaced.sum())
    return number


def _groups(side: Side) -> tuple[Ints, Ints]:
    """Number the different mentions of entities, and count how often each is listed."""
    code = side.entity * (int(side.mention.max(initial=0)) + 1) + side.mention
    _, group, times = np.unique(code, return_inverse=True, return_counts=True)
    return group, times


def count_containers(group: Ints, start: Ints, end: Ints) -> Ints:
    """Count, for each span, the larger spans of its group that contain it.

    >>> zero = np.zeros(3, dtype=np.int64)
    >>> count_containers(zero, np.array([0, 1, 1]), np.array([9, 4, 2])).tolist()
    [0, 1, 2]
    """
    # Ranks are used instead of places because they are small.
    places, rank = np.unique(np.concatenate((start, end)), return_inverse=True)
    start, end = np.split(rank + np.tile(group, 2) * np.int64(len(places)), 2)
    order = np.lexsort((-end, start))
    start, end = start[order], end[order]
    first, times = runs(start, end)
    start, end = start[first], end[first]
    # Spans that do not overlap their neighbours have no containers.
    overlaps = np.maximum.accumulate(end)[:-1] >= start[1:]
    is_close = np.zeros(len(start), dtype=np.bool_)
    is_close[1:] |= overlaps
    is_close[:-1] |= overlaps
    containers = np.zeros_like(start)
    containers[is_close] = _count_before(end[is_close], times[is_close])
    count = np.empty_like(group)
    count[order] = np.repeat(containers, times)
    return count


def _count_before(value: Ints, times: Ints) -> Ints:
    """Count, for each value, the values before it that are not smaller.

    ``times`` is how often each value occurs.
    """
    count = np.zeros_like(value)
    place = np.argsort(-value, kind="stable")
    width = 1 << len(value).bit_length()
    while width > 1:
        # Sort by block, then from the greatest value to the least, then by place.
        place = place[np.argsort(place // width, kind="stable")]
        is_left = place % width < width // 2
        left = np.where(is_left, times[place], 0)
        before = np.cumsum(left)
        first, size = runs(place // width)
        before -= np.repeat((before - left)[first], size)
        count[place[~is_left]] += before[~is_left]
        width //= 2
    return count

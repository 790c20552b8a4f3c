"""Mentions matched by parses, and some of them left out, in coval's order of steps.

Mentions are matched first: those that are equal go together where verbs are left out,
and are not nested in each other.

Brackets open entities in one order and complete mentions in another: in ``(1 (2) 1)``
the second entity is the first that has a mention. coval knows only this order, and
looks a mention that two entities list up in the last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import OptionError
from scoref.matching.exact import match_exact
from scoref.matching.filters import drop_nested, drop_verbs
from scoref.matching.mina import match_mina
from scoref.matching.minimum_spans import match_minimum
from scoref.matching.parse_places import in_last_sentences, parse_mentions
from scoref.matching.singletons import drop_short
from scoref.matching.trees import Trees, are_verb_phrases
from scoref.scheme import as_typed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching import Matched, Side
    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints, Note
    from scoref.scheme import Scheme

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

"""Entities grouped otherwise: documents as one, labels merged, singletons added."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.matching import Matched, Side

if TYPE_CHECKING:
    from scoref.model import Corpus, Ints

_ALL = ("all documents",)


def as_one_document(matched: Matched) -> Matched:
    """Put all documents into one, in which entities stay what they were."""
    return matched._replace(
        documents=_ALL,
        key=_in_one(matched.key),
        response=_in_one(matched.response),
    )


def by_completion(matched: Matched, key: Corpus, response: Corpus) -> Matched:
    """Sort entities by the first of their mentions to end, as tools do that read so.

    The order matters where a mention is listed twice: the last entity owns it.
    """
    return matched._replace(
        key=_grouped(matched.key, _completed(key)[_entity(matched.key, key)]),
        response=_grouped(
            matched.response, _completed(response)[_entity(matched.response, response)]
        ),
    )


def merged_by_label(matched: Matched, key: Corpus, response: Corpus) -> Matched:
    """Put all documents into one, and make one entity of those with one label."""
    return as_one_document(
        matched._replace(
            key=_merged(matched.key, key), response=_merged(matched.response, response)
        )
    )


def with_added_singletons(matched: Matched) -> Matched:
    """Add what only the response has to the key, each as an entity of its own."""
    key, response = matched.key, matched.response
    new = np.flatnonzero(~np.isin(response.mention, key.mention))
    entity = len(key.entity_document) + np.arange(len(new))
    nowhere = np.full(len(new), -1, dtype=np.int64)
    added = Side(
        mention=np.concatenate((key.mention, response.mention[new])),
        entity=np.concatenate((key.entity, entity)),
        line=np.concatenate((key.line, nowhere)),
        row=np.concatenate((key.row, nowhere)),
        entity_document=np.concatenate((key.entity_document, response.document[new])),
        source=key.source,
    )
    return matched._replace(key=added)


def _in_one(side: Side) -> Side:
    return side._replace(entity_document=np.zeros_like(side.entity_document))


def _merged(side: Side, corpus: Corpus) -> Side:
    labels = np.array(corpus.entity_label, dtype=np.str_)
    _, label = np.unique(labels, return_inverse=True)
    completed = _completed(corpus)
    first = np.full(len(labels), completed.max(initial=0), dtype=np.int64)
    np.minimum.at(first, label, completed)
    return _grouped(side, first[label][_entity(side, corpus)])


def _entity(side: Side, corpus: Corpus) -> Ints:
    """Give each row its entity as it was read."""
    return corpus.mention_entity[side.row]


def _completed(corpus: Corpus) -> Ints:
    if corpus.entity_completed is None:
        return np.arange(len(corpus.entity_label))
    return corpus.entity_completed


def _grouped(side: Side, group: Ints) -> Side:
    """Make an entity of each group of rows, in the order of their numbers."""
    _, first, entity = np.unique(group, return_index=True, return_inverse=True)
    order = np.argsort(entity, kind="stable")
    return Side(
        mention=side.mention[order],
        entity=entity[order],
        line=side.line[order],
        row=side.row[order],
        entity_document=side.document[first],
        source=side.source,
    )

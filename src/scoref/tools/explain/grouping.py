"""Entities grouped otherwise: documents as one, singletons added."""

from __future__ import annotations

import numpy as np

from scoref.matching import Matched, Side

_ALL = ("all documents",)


def as_one_document(matched: Matched) -> Matched:
    """Put all documents into one, in which entities stay what they were."""
    return matched._replace(
        documents=_ALL,
        key=_in_one(matched.key),
        response=_in_one(matched.response),
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

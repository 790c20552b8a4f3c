"""Gold mentions: the response gets those of the key, and no others.

What only the response has is dropped, and what it lacks becomes an entity of its own,
as those score who give their systems the mentions. Both are done to the corpus, so that
errors and slices find there what was scored.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from scoref.matching.documents import pair_documents, scored_documents
from scoref.matching.exact import exact_codes
from scoref.model import Note

if TYPE_CHECKING:
    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints
    from scoref.scheme import Scheme

_OWN_NAME = "only in the key: {}"


def with_gold_mentions(key: Corpus, response: Corpus, scheme: Scheme) -> Corpus:
    """Drop and add mentions of the response, if the scheme says so, and tell it."""
    if scheme.mentions != "gold":
        return response
    documents = pair_documents(key, response, scheme)
    codes = _codes(key, response, documents)
    kept = np.isin(codes[1], codes[0]) & ~response.is_unplaced
    is_new = ~np.isin(codes[0], codes[1][kept]) & (codes[0] >= 0)
    distinct = np.unique(codes[0][is_new], return_index=True)[1]
    new = np.sort(np.flatnonzero(is_new)[distinct])
    found = _with_singletons(response.keep_mentions(kept), key, documents, new)
    dropped = len(kept) - int(kept.sum())
    return dataclasses.replace(found, notes=(*found.notes, *_told(dropped, len(new))))


def _codes(key: Corpus, response: Corpus, documents: Documents) -> tuple[Ints, Ints]:
    """Give equal spans of paired documents the same code; -1: left out."""
    sides = (key, documents.key), (response, documents.response)
    document = np.concatenate(
        [scored_documents(side, rows)[side.mention_document] for side, rows in sides]
    )
    start = np.concatenate([side.mention_start for side, _ in sides])
    end = np.concatenate([side.mention_end for side, _ in sides])
    code = np.where(document < 0, -1, exact_codes(key, response)(document, start, end))
    return code[: len(key.mention_entity)], code[len(key.mention_entity) :]


def _with_singletons(
    response: Corpus, key: Corpus, documents: Documents, new: Ints
) -> Corpus:
    """Add some of the key's mentions, each as an entity of its own."""
    lacking = np.flatnonzero(documents.response < 0)
    row_of = documents.response.copy()
    row_of[lacking] = len(response.documents) + np.arange(len(lacking))
    scored = scored_documents(key, documents.key)
    document = row_of[scored[key.entity_document[key.mention_entity[new]]]]
    entity_document = np.concatenate((response.entity_document, document))
    names = [_OWN_NAME.format(number) for number in range(len(new))]
    labels = [*response.entity_label, *names]
    order = np.argsort(entity_document, kind="stable")
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    singletons = len(response.entity_label) + np.arange(len(new))
    entity = number[np.concatenate((response.mention_entity, singletons))]
    rows = np.argsort(entity, kind="stable")
    columns = [
        np.concatenate((getattr(response, name), getattr(key, name)[new]))[rows]
        for name in ("mention_start", "mention_end")
    ]
    pieces = None
    if key.pieces is not None or response.pieces is not None:
        own, others = response.token_sets(), key.token_sets().take(new)
        pieces = own.joined(others).take(rows)
    nowhere = np.zeros(len(new), dtype=np.int64)
    added = [key.documents[documents.key[each]] for each in lacking]
    lines = np.zeros(len(lacking), dtype=np.int64)
    return dataclasses.replace(
        response,
        documents=(*response.documents, *added),
        document_tokens=None if added else response.document_tokens,
        document_line=np.concatenate((response.document_line, lines)),
        document_topic=None,
        entity_document=entity_document[order],
        entity_label=tuple(labels[each] for each in order.tolist()),
        mention_entity=entity[rows],
        mention_start=columns[0],
        mention_end=columns[1],
        mention_line=np.concatenate((response.mention_line, nowhere))[rows],
        mention_order=None,
        mention_type=None,
        mention_kbid=None,
        pieces=pieces,
        mention_unplaced=None,
        tokens=None if added else response.tokens,
        later=None,
    )


def _told(dropped: int, added: int) -> tuple[Note, ...]:
    told = {
        "dropped-mentions": (dropped, "what the key lacks is dropped, mentions: {}"),
        "added-singletons": (added, "what the response lacks is a singleton: {}"),
    }
    return tuple(
        Note(kind, count, message.format(count))
        for kind, (count, message) in told.items()
        if count
    )

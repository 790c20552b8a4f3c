"""Exact match: a mention is its document, its first and its last token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.matching import Matched, Side

if TYPE_CHECKING:
    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints


_MOST = 2**62


def match_exact(key: Corpus, response: Corpus, documents: Documents) -> Matched:
    """Give equal spans of paired documents the same integer."""
    corpora = key, response
    document = [
        _scored_document(key, documents.key),
        _scored_document(response, documents.response),
    ]
    of_mention = [
        rows[corpus.entity_document[corpus.mention_entity]]
        for corpus, rows in zip(corpora, document, strict=True)
    ]
    start = np.concatenate([corpus.mention_start for corpus in corpora])
    end = np.concatenate([corpus.mention_end for corpus in corpora])
    spans = _span_codes(np.concatenate(of_mention), start, end)
    distinct, number = np.unique(spans, return_inverse=True)
    numbers = np.split(number, [len(of_mention[0])])
    sides = [
        Side(
            mention=numbers[side],
            entity=corpora[side].mention_entity,
            line=corpora[side].mention_line,
            entity_document=document[side][corpora[side].entity_document],
            source=corpora[side].source,
        ).where(of_mention[side] >= 0)
        for side in range(2)
    ]
    return Matched(documents.names, len(distinct), *sides)


def _scored_document(corpus: Corpus, rows: Ints) -> Ints:
    """Map a corpus's own documents to the scored ones; -1 for those left out."""
    scored = np.full(len(corpus.documents), -1, dtype=np.int64)
    there = np.flatnonzero(rows >= 0)
    scored[rows[there]] = there
    return scored


def _span_codes(document: Ints, start: Ints, end: Ints) -> Ints:
    """Pack document, start and end into one integer each."""
    if not len(document):
        return document
    length = np.zeros(document.max() + 2, dtype=np.int64)
    np.maximum.at(length, document + 1, end + 1)
    tokens_before = np.cumsum(length) - length
    widest = int((end - start).max()) + 1
    if float(length.sum()) * widest > _MOST:
        # Ranks are as good as offsets, and small.
        _, start = np.unique(start, return_inverse=True)
        _, end = np.unique(end, return_inverse=True)
        return (document * len(start) + start) * len(start) + end
    return (tokens_before[document + 1] + start) * widest + (end - start)

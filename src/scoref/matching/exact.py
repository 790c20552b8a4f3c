"""Exact match: a mention is its document, its first and its last token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.matching import Matched, Side
from scoref.matching.documents import scored_documents

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints

    Codes = Callable[[Ints, Ints, Ints], Ints]


_MOST = 2**62


def match_exact(key: Corpus, response: Corpus, documents: Documents) -> Matched:
    """Give equal spans of paired documents the same integer."""
    return match_by(span_codes, key, response, documents)


def match_by(
    codes: Codes, key: Corpus, response: Corpus, documents: Documents
) -> Matched:
    """Give mentions of equal codes the same integer.

    ``codes`` makes an integer of each mention's document, first and last token; the
    document is the scored one, and -1 if it is left out.
    """
    corpora = key, response
    document = [
        scored_documents(key, documents.key),
        scored_documents(response, documents.response),
    ]
    of_mention = [
        rows[corpus.entity_document[corpus.mention_entity]]
        for corpus, rows in zip(corpora, document, strict=True)
    ]
    start = np.concatenate([corpus.mention_start for corpus in corpora])
    end = np.concatenate([corpus.mention_end for corpus in corpora])
    code = codes(np.concatenate(of_mention), start, end)
    distinct, number = np.unique(code, return_inverse=True)
    numbers = np.split(number, [len(of_mention[0])])
    sides = [
        Side(
            mention=numbers[side],
            entity=corpora[side].mention_entity,
            line=corpora[side].mention_line,
            row=np.arange(len(numbers[side])),
            entity_document=document[side][corpora[side].entity_document],
            source=corpora[side].source,
        ).where(of_mention[side] >= 0)
        for side in range(2)
    ]
    return Matched(documents.names, len(distinct), sides[0], sides[1])


def span_codes(document: Ints, start: Ints, end: Ints) -> Ints:
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

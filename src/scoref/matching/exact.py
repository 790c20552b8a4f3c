"""Exact match: a mention is its document and its tokens, from first to last.

Where mentions have gaps, two of them match only if all their tokens are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.matching import Matched, Places, Side
from scoref.matching.documents import scored_documents
from scoref.matching.units import entities_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints

    Codes = Callable[[Ints, Ints, Ints], Ints]


_MOST = 2**62


def match_exact(key: Corpus, response: Corpus, documents: Documents) -> Matched:
    """Give equal spans of paired documents the same integer."""
    return match_by(exact_codes(key, response), key, response, documents)


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
        rows[corpus.mention_document]
        for corpus, rows in zip(corpora, document, strict=True)
    ]
    entities = [
        entities_of(corpus, rows, documents.units)
        for corpus, rows in zip(corpora, document, strict=True)
    ]
    start = np.concatenate([corpus.mention_start for corpus in corpora])
    end = np.concatenate([corpus.mention_end for corpus in corpora])
    code = codes(np.concatenate(of_mention), start, end)
    distinct, number = np.unique(code, return_inverse=True)
    # A mention that is not in the text gets a number of its own.
    is_unplaced = np.concatenate([corpus.is_unplaced for corpus in corpora])
    number[is_unplaced] = len(distinct) + np.arange(is_unplaced.sum())
    count = len(distinct) + int(is_unplaced.sum())
    numbers = np.split(number, [len(of_mention[0])])
    sides = [
        _side(corpora[side], numbers[side], *entities[side]).where(
            of_mention[side] >= 0
        )
        for side in range(2)
    ]
    matched = Matched(documents.names, count, sides[0], sides[1])
    if documents.units is None:
        return matched
    names, unit, _ = documents.units
    places = Places(documents.names, unit, of_mention[0], of_mention[1])
    return matched._replace(documents=names, places=places)


def _side(corpus: Corpus, mention: Ints, number: Ints, entity_document: Ints) -> Side:
    entity = number[corpus.mention_entity]
    # Joined entities have rows in several documents; else they are sorted as it is.
    order = np.argsort(entity, kind="stable")
    return Side(
        mention=mention[order],
        entity=entity[order],
        line=corpus.mention_line[order],
        row=order,
        entity_document=entity_document,
        source=corpus.source,
    )


def exact_codes(key: Corpus, response: Corpus) -> Codes:
    """Give the function that makes equal integers of equal mentions."""
    if key.pieces is None and response.pieces is None:
        return span_codes
    shape = _shapes(key, response)

    def codes(document: Ints, start: Ints, end: Ints) -> Ints:
        _, span = np.unique(span_codes(document, start, end), return_inverse=True)
        found: Ints = span * (int(shape.max(initial=0)) + 1) + shape
        return found

    return codes


def _shapes(key: Corpus, response: Corpus) -> Ints:
    """Give mentions with the same gaps the same number; 0: there is no gap."""
    known: dict[tuple[int, ...], int] = {}
    shapes = []
    for corpus in (key, response):
        shape = np.zeros(len(corpus.mention_entity), dtype=np.int64)
        if corpus.pieces is not None:
            start, member = corpus.pieces
            for row in corpus.rows_with_gaps.tolist():
                tokens = member[start[row] : start[row + 1]]
                place = tuple((tokens - tokens[0]).tolist())
                shape[row] = known.setdefault(place, len(known) + 1)
        shapes.append(shape)
    return np.concatenate(shapes)


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
        return (document * np.int64(len(start)) + start) * len(start) + end
    return (tokens_before[document + 1] + start) * np.int64(widest) + (end - start)

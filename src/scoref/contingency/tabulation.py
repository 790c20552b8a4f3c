"""Construction of the contingency table from matched mentions.

`tabulate` calls `tabulate_words` for sets of words, `tabulate_owned` for spans under
``duplicates:coval``, and `tabulate_spans` for other spans.

Under ``duplicates:coval`` nothing is removed if a mention is listed twice. coval and
the evaluators that neural systems carry look up a mention in a dictionary, which has
its last entity; sizes count every listing. If each mention is listed once, the result
is the usual table. BLANC, which coval does not have, counts each mention once, in its
last entity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency import Contingency, WordOverlap
from scoref.contingency.alignment import counted_cells, listed, tabulate_aligned
from scoref.contingency.links import listed_once, repeated_links
from scoref.contingency.relations import count_anaphors
from scoref.matching.duplicates import last_listed
from scoref.matching.ragged import count_shared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching import Matched, Side
    from scoref.matching.word_rules import Targets
    from scoref.matching.words import WordMatches
    from scoref.model import Ints
    from scoref.scheme import Scheme

    Mask = NDArray[np.bool_]


def tabulate(matched: Matched, scheme: Scheme) -> Contingency:
    """Count what the entities of the two sides share, under a scheme."""
    table = _tabulated(matched, scheme)
    if matched.listed is None and matched.words is None:
        return table
    from scoref.contingency.memberships import memberships_of

    return table._replace(memberships=memberships_of(matched))


def _tabulated(matched: Matched, scheme: Scheme) -> Contingency:
    if matched.words is not None:
        return tabulate_words(matched, scheme)
    if scheme.duplicates == "coval":
        return tabulate_owned(matched)
    return tabulate_spans(matched)


def tabulate_spans(matched: Matched) -> Contingency:
    """Count what the entities of the two sides share.

    A response mention that the key has must be listed once: see `duplicates`.
    """
    key, response = matched.key, matched.response
    once_in_key, once_in_response = last_listed(key), last_listed(response)
    of_key = matched.from_key
    shared = np.flatnonzero(of_key >= 0)
    width = np.int64(max(1, len(response.entity_document)))
    code = key.entity[shared] * width + of_key[shared]
    cells, cell = np.unique(code, return_inverse=True)
    overlap = np.bincount(cell, minlength=len(cells))
    count = mates = overlap
    if not once_in_key.all():
        count = np.bincount(cell[once_in_key[shared]], minlength=len(cells))
        mates = np.bincount(cell[listed_once(key)[shared]], minlength=len(cells))
    documents = len(matched.documents)
    is_partition = once_in_key.all() and once_in_response.all()
    return Contingency(
        document_count=documents,
        key_document=key.entity_document,
        key_size=key.size,
        key_mentions=_mentions(key, once_in_key, documents),
        response_document=response.entity_document,
        response_size=response.size,
        response_mentions=_mentions(response, once_in_response, documents),
        common_mentions=_mentions(key, shared[once_in_key[shared]], documents),
        cell_key=cells // width,
        cell_response=cells % width,
        key_count=count,
        response_count=count,
        key_mates=mates,
        response_mates=mates,
        overlap=overlap,
        repeated_links=None if is_partition else repeated_links(matched),
    )


def _mentions(side: Side, rows: NDArray[np.bool_] | Ints, documents: int) -> Ints:
    return np.bincount(side.document[rows], minlength=documents)


def tabulate_words(matched: Matched, scheme: Scheme) -> Contingency:
    """Count what entities share, and what hangs on the table."""
    words, lead = matched.words, matched.lead
    assert words is not None
    assert lead is not None
    table = tabulate_aligned(matched, words, lead)
    table = table._replace(word_overlap=_word_overlap(matched, words))
    if scheme.anaphors:
        alignment = scheme.alignment or "official"
        anaphors = count_anaphors(
            words, table.document_count, lead, alignment, scheme.anaphors
        )
        table = table._replace(anaphors=anaphors)
    return _with_anaphora(table, matched, words, lead)


def _with_anaphora(
    table: Contingency, matched: Matched, words: WordMatches, lead: Targets
) -> Contingency:
    """Count what goes beyond identity, if one of the sides says something of it."""
    if all(side.corpus.anaphora is None for side in (words.key, words.response)):
        return table
    from scoref.contingency.plurals import tabulate_plurals
    from scoref.contingency.relations import (
        count_bridging,
        count_non_referring,
    )

    documents = table.document_count
    return table._replace(
        plurals=tabulate_plurals(words, lead),
        non_referring=count_non_referring(words, documents),
        bridging=count_bridging(words, documents, matched.owner(matched.key)),
    )


def _word_overlap(matched: Matched, words: WordMatches) -> WordOverlap:
    """Count shared words of listings: a mention in two entities counts twice."""
    sides = words.key, words.response
    graph = words.shared
    if any(len(side.number) < len(side.side.mention) for side in sides):
        graph = count_shared(*(side.listed_words for side in sides))
    key_words, response_words = (
        np.bincount(
            side.side.document,
            side.words.length[side.listed_row],
            len(matched.documents),
        ).astype(np.int64)
        for side in sides
    )
    of_key = words.key.document
    if graph is not words.shared:
        of_key = matched.key.document
    return WordOverlap(*graph, of_key[graph[0]], key_words, response_words)


def tabulate_owned(matched: Matched) -> Contingency:
    """Count what entities share, where the last one to list a mention owns it."""
    key, response = matched.key, matched.response
    width = np.int64(max(1, len(response.entity_document)))
    cells = counted_cells(matched, listed(key, key.mention, response, width), width)
    documents = len(matched.documents)
    common = last_listed(key) & (matched.from_key >= 0)
    return Contingency(
        document_count=documents,
        key_document=key.entity_document,
        key_size=key.size,
        key_mentions=_owned_mentions(key, last_listed(key), documents),
        response_document=response.entity_document,
        response_size=response.size,
        response_mentions=_owned_mentions(response, last_listed(response), documents),
        common_mentions=_owned_mentions(key, common, documents),
        **cells._asdict(),
        repeated_links=_links(matched),
    )


def _links(matched: Matched) -> Ints | None:
    once = [last_listed(side) for side in (matched.key, matched.response)]
    if once[0].all() and once[1].all():
        return None
    key, response = matched.key.where(once[0]), matched.response.where(once[1])
    return repeated_links(matched._replace(key=key, response=response))


def _owned_mentions(side: Side, rows: Mask, documents: int) -> Ints:
    return np.bincount(side.document[rows], minlength=documents)

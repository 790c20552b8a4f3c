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
from scoref.contingency.alignment import cell_codes, count_cells, tabulate_aligned
from scoref.contingency.links import listed_once, repeated_links
from scoref.contingency.relations import count_anaphors
from scoref.matching.duplicates import last_listed
from scoref.matching.ragged import count_shared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching import Matched, Side
    from scoref.matching.words import WordMatches
    from scoref.model import Ints
    from scoref.scheme import Scheme

    Mask = NDArray[np.bool_]


def tabulate(matched: Matched, scheme: Scheme) -> Contingency:
    """Count what the entities of the two sides share, under a scheme."""
    if matched.words is not None:
        table = tabulate_words(matched, scheme)
    elif scheme.duplicates == "coval":
        table = tabulate_owned(matched)
    else:
        table = tabulate_spans(matched)
    if matched.listed is None and matched.words is None:
        return table
    from scoref.contingency.memberships import memberships_of

    return table._replace(memberships=memberships_of(matched))


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
        key_mentions=_count_rows(key, once_in_key, documents),
        response_document=response.entity_document,
        response_size=response.size,
        response_mentions=_count_rows(response, once_in_response, documents),
        common_mentions=_count_rows(key, shared[once_in_key[shared]], documents),
        cell_key=cells // width,
        cell_response=cells % width,
        key_count=count,
        response_count=count,
        key_mates=mates,
        response_mates=mates,
        overlap=overlap,
        repeated_links=None if is_partition else repeated_links(matched),
    )


def _count_rows(side: Side, rows: Mask | Ints, documents: int) -> Ints:
    """Count some rows of a side by document."""
    return np.bincount(side.document[rows], minlength=documents)


def tabulate_words(matched: Matched, scheme: Scheme) -> Contingency:
    """Count what entities share, and the columns that need mentions and words."""
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
    if all(side.corpus.anaphora is None for side in (words.key, words.response)):
        return table
    from scoref.contingency.plurals import tabulate_plurals
    from scoref.contingency.relations import count_bridging, count_non_referring

    documents = table.document_count
    return table._replace(
        plurals=tabulate_plurals(words, lead),
        non_referring=count_non_referring(words, documents),
        bridging=count_bridging(words, documents, matched.owner(matched.key)),
    )


def _word_overlap(matched: Matched, words: WordMatches) -> WordOverlap:
    """Count the shared words of listings; a mention in two entities counts twice."""
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
    """Count what entities share; the last entity that lists a mention owns it."""
    key, response = matched.key, matched.response
    width = np.int64(max(1, len(response.entity_document)))
    cells = count_cells(matched, cell_codes(key, key.mention, response, width), width)
    documents = len(matched.documents)
    once_in_key, once_in_response = last_listed(key), last_listed(response)
    links = None
    if not (once_in_key.all() and once_in_response.all()):
        owned = key.where(once_in_key), response.where(once_in_response)
        links = repeated_links(matched._replace(key=owned[0], response=owned[1]))
    common = once_in_key & (matched.from_key >= 0)
    return Contingency(
        document_count=documents,
        key_document=key.entity_document,
        key_size=key.size,
        key_mentions=_count_rows(key, once_in_key, documents),
        response_document=response.entity_document,
        response_size=response.size,
        response_mentions=_count_rows(response, once_in_response, documents),
        common_mentions=_count_rows(key, common, documents),
        **cells._asdict(),
        repeated_links=links,
    )

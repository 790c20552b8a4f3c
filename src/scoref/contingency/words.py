"""The table of two corpora whose mentions are sets of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency import WordOverlap
from scoref.contingency.alignment import tabulate_aligned
from scoref.contingency.anaphors import count_anaphors
from scoref.matching.ragged import shared

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.matching import Matched
    from scoref.matching.alignment import Targets
    from scoref.matching.words import WordMatches
    from scoref.scheme import Scheme


def tabulate_words(matched: Matched, scheme: Scheme) -> Contingency:
    """Count what entities share, and what hangs on the table."""
    words, lead = matched.words, matched.lead
    assert words is not None  # noqa: S101 - the format has words
    assert lead is not None  # noqa: S101
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
    from scoref.contingency.plurals import tabulate_plurals  # noqa: PLC0415
    from scoref.contingency.relations import (  # noqa: PLC0415
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
        graph = shared(*(side.listed_words for side in sides))
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

"""The table of two corpora whose mentions are sets of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency import WordOverlap
from scoref.contingency.aligned import owner, tabulate_aligned, targets
from scoref.contingency.anaphors import count_anaphors
from scoref.matching.ragged import shared
from scoref.matching.sentences import check_sentences
from scoref.matching.words import match_words

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.contingency.aligned import Targets
    from scoref.matching.words import MatchedWords
    from scoref.model import Corpus, Note
    from scoref.scheme import Scheme


def tabulate_words(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Contingency, tuple[str, ...], tuple[Note, ...]]:
    """See that the texts are the same, match mentions, and count."""
    key, response, notes = same_text(key, response, scheme)
    words = match_words(key, response, scheme)
    alignment = scheme.alignment or "official"
    lead = targets(words, alignment)
    table = tabulate_aligned(words, lead)._replace(word_overlap=_word_overlap(words))
    if scheme.anaphors:
        anaphors = count_anaphors(words, lead, alignment, scheme.anaphors)
        table = table._replace(anaphors=anaphors)
    table = _with_anaphora(table, words, lead)
    return table, words.documents, (*notes, *words.notes)


def same_text(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Corpus, Corpus, tuple[Note, ...]]:
    """See that two corpora are the same text, and number their words alike."""
    if key.words is None or not key.words.by_document:
        check_sentences(key, response)
        return key, response, ()
    from scoref.matching.texts import pair_texts  # noqa: PLC0415 - one format needs it

    return pair_texts(key, response, scheme)


def _with_anaphora(
    table: Contingency, words: MatchedWords, lead: Targets
) -> Contingency:
    """Count what goes beyond identity, if one of the sides says something of it."""
    if all(side.corpus.anaphora is None for side in (words.key, words.response)):
        return table
    from scoref.contingency.plurals import tabulate_plurals  # noqa: PLC0415
    from scoref.contingency.relations import (  # noqa: PLC0415
        count_bridging,
        count_non_referring,
    )

    return table._replace(
        plurals=tabulate_plurals(words, lead),
        non_referring=count_non_referring(words),
        bridging=count_bridging(words, owner(words, words.key.side)),
    )


def _word_overlap(matched: MatchedWords) -> WordOverlap:
    """Count shared words of listings: a mention in two entities counts twice."""
    sides = matched.key, matched.response
    graph = matched.shared
    if any(len(side.number) < len(side.side.mention) for side in sides):
        graph = shared(*(side.listed_words for side in sides))
    key_words, response_words = (
        np.bincount(
            side.side.document, side.listed_words.length, len(matched.documents)
        ).astype(np.int64)
        for side in sides
    )
    of_key = matched.key.document
    if graph is not matched.shared:
        of_key = matched.key.side.document
    return WordOverlap(*graph, of_key[graph[0]], key_words, response_words)

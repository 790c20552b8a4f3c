"""Two corpora in, a result out: the way of the data on one page."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency import WordOverlap, tabulate
from scoref.contingency.aligned import tabulate_aligned, targets
from scoref.contingency.anaphors import count_anaphors
from scoref.errors import OptionError
from scoref.formats import conll2012
from scoref.matching.documents import pair_documents
from scoref.matching.duplicates import settle_duplicates
from scoref.matching.exact import match_exact
from scoref.matching.ragged import shared
from scoref.matching.sentences import check_sentences
from scoref.matching.singletons import drop_singletons
from scoref.matching.words import match_words
from scoref.metrics import metrics_of, needed
from scoref.model import Note
from scoref.results import Result

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.matching import Matched
    from scoref.matching.words import MatchedWords
    from scoref.model import Corpus
    from scoref.scheme import Scheme


def score_corpora(
    key: Corpus, response: Corpus, scheme: Scheme, metrics: tuple[str, ...]
) -> Result:
    """Count every metric, and keep what was noted on the way."""
    scheme = _applicable(scheme, key, response)
    table, documents, notes = _table(key, response, scheme)
    known = metrics_of(scheme)
    result = Result(
        key=key.source,
        response=response.source,
        format="+".join(dict.fromkeys((key.format, response.format))),
        scheme=scheme,
        metrics=metrics,
        documents=documents,
        counts={name: known[name].count(table) for name in needed(metrics)},
        notes=notes,
    )
    undefined = [
        Note("undefined", 1, f"{known[name].label} is 0/0 here and counted as 0")
        for name, score in result.scores.items()
        if name in known and name != "zero" and not score.is_defined
    ]
    return dataclasses.replace(result, notes=(*result.notes, *undefined))


def match_corpora(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Matched, tuple[Note, ...]]:
    """Pair documents, match spans and leave out what the scheme leaves out."""
    documents = pair_documents(key, response, scheme)
    matched = match_exact(key, response, documents)
    matched, duplicates = settle_duplicates(matched, scheme.duplicates)
    if scheme.singletons == "drop":
        matched = drop_singletons(matched)
    return matched, (*documents.notes, *duplicates)


def _table(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Contingency, tuple[str, ...], tuple[Note, ...]]:
    notes = (*key.notes, *response.notes)
    if key.words is None or response.words is None:
        matched, more = match_corpora(key, response, scheme)
        return tabulate(matched), matched.documents, (*notes, *more)
    check_sentences(key, response)
    words = match_words(key, response, scheme)
    alignment = scheme.alignment or "official"
    lead = targets(words, alignment)
    table = dataclasses.replace(
        tabulate_aligned(words, lead),
        word_overlap=_word_overlap(words),
        anaphors=count_anaphors(words, lead, alignment, scheme.anaphors or "zeros"),
    )
    return table, words.documents, (*notes, *words.notes)


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


def _applicable(scheme: Scheme, key: Corpus, response: Corpus) -> Scheme:
    """See that a scheme fits the formats, and say only what could be done."""
    if (key.words is None) != (response.words is None):
        raise OptionError(
            f"a key in {key.format} and a response in {response.format} cannot be "
            "compared: only one of them says which words a mention has"
        )
    return _with_words(scheme) if key.words else _without_words(scheme, key, response)


def _with_words(scheme: Scheme) -> Scheme:
    if scheme.duplicates == "reference":
        raise OptionError("duplicates 'reference' is for CoNLL-2012, not for CorefUD")
    return dataclasses.replace(
        scheme,
        zeros=scheme.zeros or "dependent",
        alignment=scheme.alignment or "official",
        anaphors=scheme.anaphors or "zeros",
        missing=None,
    )


def _without_words(scheme: Scheme, key: Corpus, response: Corpus) -> Scheme:
    if scheme.match != "exact" or scheme.zeros or scheme.alignment or scheme.anaphors:
        raise OptionError(
            f"{key.format} knows neither heads nor zeros: match is exact, and zeros, "
            "alignment and anaphors are for CorefUD"
        )
    if scheme.duplicates == "corefud":
        raise OptionError("duplicates 'corefud' is for CorefUD files")
    formats = key.format, response.format
    if scheme.reading == "reference" and conll2012.NAME not in formats:
        return dataclasses.replace(scheme, reading="strict")
    return scheme

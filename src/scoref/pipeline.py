"""Two corpora in, a result out: the way of the data on one page."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from scoref.contingency import tabulate
from scoref.formats import conll2012
from scoref.matching.documents import pair_documents
from scoref.matching.duplicates import settle_duplicates
from scoref.matching.exact import match_exact
from scoref.matching.singletons import drop_singletons
from scoref.metrics import metrics_of, needed
from scoref.model import Note
from scoref.results import Result

if TYPE_CHECKING:
    from scoref.matching import Matched
    from scoref.model import Corpus
    from scoref.scheme import Scheme


def _applicable(scheme: Scheme, key: Corpus, response: Corpus) -> Scheme:
    """Say that nothing was read as the reference scorer does if nothing could be."""
    if scheme.reading == "reference" and conll2012.NAME not in (
        key.format,
        response.format,
    ):
        return dataclasses.replace(scheme, reading="strict")
    return scheme


def match_corpora(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Matched, tuple[Note, ...]]:
    """Pair documents, match mentions and leave out what the scheme leaves out."""
    documents = pair_documents(key, response, scheme)
    matched = match_exact(key, response, documents)
    matched, duplicates = settle_duplicates(matched, scheme.duplicates)
    if scheme.singletons == "drop":
        matched = drop_singletons(matched)
    return matched, (*key.notes, *response.notes, *documents.notes, *duplicates)


def score_corpora(
    key: Corpus, response: Corpus, scheme: Scheme, metrics: tuple[str, ...]
) -> Result:
    """Count every metric, and keep what was noted on the way."""
    scheme = _applicable(scheme, key, response)
    matched, notes = match_corpora(key, response, scheme)
    table = tabulate(matched)
    known = metrics_of(scheme)
    result = Result(
        key=key.source,
        response=response.source,
        format="+".join(dict.fromkeys((key.format, response.format))),
        scheme=scheme,
        metrics=metrics,
        documents=matched.documents,
        counts={name: known[name].count(table) for name in needed(metrics)},
        notes=notes,
    )
    undefined = [
        Note("undefined", 1, f"{known[name].label} is 0/0 here and counted as 0")
        for name, score in result.scores.items()
        if name in known and not score.is_defined
    ]
    return dataclasses.replace(result, notes=(*result.notes, *undefined))

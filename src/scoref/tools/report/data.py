"""The data of a report: scores, intervals, comparisons, errors and texts in one object.

The page reads nothing else. All figures are fractions.

`discreet` makes a report on a hidden test set: scores, counts and kinds of errors, but
no words. It lists the fields that may be shown, so that a new field is not published by
accident. Notes are left out because they may quote the key, as on leaderboards.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoref._version import __version__
from scoref.metrics import conll, labels_of, metrics_of, parts_of
from scoref.render.scores import fields
from scoref.scoring.results import signature_of
from scoref.statistics.bootstrap import METHOD
from scoref.statistics.compare import compare
from scoref.statistics.confidence import (
    FEW,
    RESAMPLES,
    SEED,
    confidence,
    few_documents,
    is_one_unit,
)
from scoref.tools.errors.kinds import KINDS
from scoref.tools.report.clusters import clusters_of
from scoref.tools.report.documents import (
    MOST_TOKENS,
    choose_documents,
    has_words,
    list_documents,
    texts_of,
)
from scoref.tools.report.errors import errors_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.metrics.base import Floats, Score
    from scoref.model import Ints
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Method
    from scoref.statistics.compare import Comparison
    from scoref.statistics.confidence import Confidence
    from scoref.tools.errors.findings import AnalysedSide, Analysis

    Object = dict[str, object]
    Systems = Mapping[str, Analysis]


VERSION = 1

SIZES = ("1", "2", "3–5", "6–10", "11 and more")

_BOUNDS = (2, 3, 6, 11)


class ReportChoice(NamedTuple):
    """What of the documents and of chance goes into a report."""

    documents: tuple[str, ...] = ()  # names or patterns; none: as many as a page holds
    level: float = 95
    method: Method = METHOD
    resamples: int = RESAMPLES
    seed: int = SEED
    most_tokens: int = MOST_TOKENS
    with_text: bool = True
    with_names: bool = True  # of documents; without text only


class ReportData(NamedTuple):
    """What `render_page` takes."""

    report: Object
    texts: list[Object | None]


def report_of(systems: Systems, choice: ReportChoice | None = None) -> ReportData:
    """Assemble the report of some systems that were scored against one key."""
    choice = choice or ReportChoice()
    report, texts = _whole(systems, choice)
    if choice.with_text:
        return ReportData(report, texts)
    return ReportData(
        discreet(report, with_names=choice.with_names), [None] * len(texts)
    )


def _whole(systems: Systems, choice: ReportChoice) -> ReportData:
    names = list(dict.fromkeys(n for each in systems.values() for n in each.documents))
    first = next(iter(systems.values()))
    most = choice.most_tokens if choice.with_text else 0
    wanted, left_out = choose_documents(systems, names, choice.documents, most)
    texts = texts_of(systems, names, wanted)
    documents = list_documents(first, names)
    for document, text in zip(documents, texts, strict=True):
        document["has_text"] = text is not None
    result = first.result
    metric = _shown(result)
    one_by_one = _one_by_one(systems, names)  # what it costs may have to be noted
    report: Object = {
        "version": VERSION,
        "title": os.path.basename(result.key) or result.key,
        "scoref": __version__,
        "key": result.key,
        "metric": {"name": metric, "label": _label(result, metric)},
        "choices": choices_of(signature_of(each.result for each in systems.values())),
        "kinds": [
            {"name": kind.name, "label": kind.label, "meaning": kind.meaning}
            for kind in KINDS
        ],
        "systems": [
            _system(name, each, names, choice) for name, each in systems.items()
        ],
        "comparison": _comparison(systems, choice),
        "documents": documents,
        "sizes": {
            "labels": list(SIZES),
            "key": _sizes(first.key),
            "systems": [_sizes(each.response) for each in systems.values()],
        },
        "left_out": left_out,
        **one_by_one,
    }
    return ReportData(report, texts)


def _one_by_one(systems: Systems, names: Sequence[str]) -> Object:
    """Give every error; where there are no words, divided and conflated entities."""
    if has_words(next(iter(systems.values()))):
        return {"clusters": None, "errors": errors_of(systems, names, size_class)}
    clusters = [_clusters(each) for each in systems.values()]
    return {"clusters": clusters, "errors": None}


def choices_of(signature: str) -> list[Object]:
    """Spell out the fields of a signature."""
    meanings = fields()
    chosen = [each.partition(":") for each in signature.split("|")]
    return [
        {"name": name, "value": value, "meaning": meanings.get(name, "")}
        for name, _, value in chosen
    ]


def _shown(result: Result) -> str:
    return conll.NAME if conll.NAME in result.metrics else result.metrics[0]


def _label(result: Result, metric: str) -> str:
    return labels_of(result.scheme, [metric])[metric]


def _system(
    name: str, analysis: Analysis, names: Sequence[str], choice: ReportChoice
) -> Object:
    result, gains = analysis.result, analysis.gains
    found = _confidence(result, choice)
    notes = [*result.notes, *analysis.notes, *analysis.error_gains.notes]
    if found is not None and found.count < FEW:
        notes += few_documents(found.count, choice.method)
    return {
        "name": name,
        "signature": result.signature,
        "notes": list(dict.fromkeys(note.message for note in notes)),
        "scores": [
            _score(result, metric, score, found)
            for metric, score in result.scores.items()
        ],
        "level": None if found is None else found.level,
        "errors": [
            {"kind": kind, "count": int(count), "gain": float(gains.gain[kind])}
            for kind, count in enumerate(gains.count.tolist())
        ],
        "documents": _document_scores(analysis, names),
    }


def _confidence(result: Result, choice: ReportChoice) -> Confidence | None:
    """Compute intervals; one document has none."""
    if len(result.documents) < 2:  # noqa: PLR2004 - nothing varies
        return None
    return confidence(
        result,
        level=choice.level,
        method=choice.method,
        resamples=choice.resamples,
        seed=choice.seed,
    )


def _score(
    result: Result, metric: str, score: Score, found: Confidence | None
) -> Object:
    intervals = None if found is None else found.intervals.get(metric)
    return {
        "metric": metric,
        "label": _label(result, metric),
        "recall": score.recall,
        "precision": score.precision,
        "f1": score.f1,
        "is_defined": score.is_defined,
        "intervals": None
        if intervals is None
        else {figure: list(bounds) for figure, bounds in intervals.items()},
    }


def _document_scores(analysis: Analysis, names: Sequence[str]) -> list[Object]:
    """Score each document, or its unit: means of what the shown metric is made of."""
    result = analysis.result
    metric = _shown(result)
    known = metrics_of(result.scheme)
    parts = parts_of(metric)
    scores: Floats = np.mean(
        [known[part].score(result.counts[part]) for part in parts], axis=0
    )
    is_defined = np.any(
        [known[part].is_defined(result.counts[part]) for part in parts], axis=0
    )
    errors = analysis.count_by_document().sum(axis=1).tolist()
    rows = {name: row for row, name in enumerate(analysis.documents)}
    found: list[Object] = []
    for name in names:
        row = rows.get(name)
        if row is None:
            found.append({"f1": None, "recall": None, "precision": None, "errors": 0})
            continue
        unit = analysis.unit[row]
        recall, precision, f1 = scores[unit].tolist()
        found.append(
            {
                "f1": f1 if is_defined[unit] else None,
                "recall": recall if is_defined[unit] else None,
                "precision": precision if is_defined[unit] else None,
                "errors": errors[row],
            }
        )
    return found


def _comparison(systems: Systems, choice: ReportChoice) -> Object | None:
    """Compare systems, if there are several on the same documents."""
    results = {name: each.result for name, each in systems.items()}
    documents = {tuple(sorted(each.documents)) for each in results.values()}
    if len(systems) < 2 or len(documents) > 1 or not documents.pop():  # noqa: PLR2004
        return None
    if any(map(is_one_unit, results.values())):
        return None
    found = compare(
        results,
        level=choice.level,
        method=choice.method,
        resamples=choice.resamples,
        seed=choice.seed,
    )
    return {"level": found.level, "rows": _rows(found, list(systems))}


def _rows(comparison: Comparison, names: list[str]) -> list[Object]:
    result = next(iter(comparison.results.values()))
    return [
        {
            "first": names.index(row.first),
            "second": names.index(row.second),
            "metric": row.metric,
            "label": _label(result, row.metric),  # type: ignore[arg-type] # no datasets
            "difference": row.difference,
            "interval": None if row.interval is None else list(row.interval),
            "p": row.randomisation,
            "p_holm": row.adjusted,
            "is_significant": row.adjusted <= comparison.allowed,
            "wins": row.wins,
            "ties": row.ties,
            "losses": row.losses,
        }
        for row in comparison.differences
    ]


def _sizes(side: AnalysedSide) -> list[int]:
    size = np.bincount(side.entity)
    return by_size(size[size > 0])


def by_size(size: Ints, times: Ints | None = None) -> list[int]:
    """Count entities of some sizes, each so many times, by the classes in `SIZES`."""
    found = np.bincount(size_class(size), times, minlength=len(SIZES)).astype(np.int64)
    counts: list[int] = found.tolist()
    return counts


def size_class(size: Ints) -> Ints:
    """Find the class in `SIZES` that each size belongs to."""
    return np.searchsorted(_BOUNDS, size, side="right")


def _clusters(analysis: Analysis) -> Object:
    """List divided and conflated entities where there are no words to show."""
    ours, theirs = (_entities(analysis, number) for number in (0, 1))
    extra = np.flatnonzero(analysis.response.partner < 0)
    found = [theirs.label[each] if each >= 0 else None for each in analysis.key.partner]
    labels = [theirs.label[each] for each in extra]
    names = [theirs.mention[each] for each in extra]
    nothing: list[str | None] = [None] * len(extra)
    clusters = clusters_of(
        [*ours.label, *nothing], [*found, *labels], [*ours.mention, *names]
    )
    return dict(clusters)


class _Called(NamedTuple):
    """What mentions are called, and their entities."""

    mention: list[str]
    label: list[str]


def _entities(analysis: Analysis, number: int) -> _Called:
    corpus = analysis.corpora[number]
    side = (analysis.key, analysis.response)[number]
    documents = [analysis.documents[each] for each in side.document]
    places = zip(documents, map(corpus.place, side.row.tolist()), strict=True)
    labels = [corpus.entity_label[each] for each in side.entity]
    units = [analysis.result.documents[each] for each in analysis.unit[side.document]]
    return _Called(
        [f"{document} {place}" for document, place in places],
        [f"{unit}: {label}" for unit, label in zip(units, labels, strict=True)],
    )


_REPORT = (
    *("version", "title", "scoref", "key", "metric", "choices", "kinds"),
    *("comparison", "sizes"),
)

_SYSTEM = ("name", "signature", "scores", "level", "errors", "documents")

_DOCUMENT = ("name", "tokens", "mentions", "entities", "has_text")

_SCORE = ("f1", "recall", "precision", "errors")

_LEFT_OUT = "texts are left out, and with them all that quotes or locates them"


def discreet(report: Mapping[str, Any], *, with_names: bool) -> Object:
    """Keep of a report what tells no word of a text.

    Args:
        report: what the page would show.
        with_names: whether documents keep their names; otherwise they have numbers.
    """
    documents = [_kept(each, _DOCUMENT) for each in report["documents"]]
    for number, document in enumerate(documents, start=1):
        if not with_names:
            document["name"] = f"document {number}"
    return {
        **_kept(report, _REPORT),
        "systems": [_redacted_system(each) for each in report["systems"]],
        "documents": documents,
        "left_out": _LEFT_OUT,
        "clusters": None,
        "errors": None,
    }


def _redacted_system(system: Mapping[str, Any]) -> Object:
    scores = [_kept(each, _SCORE) for each in system["documents"]]
    return {**_kept(system, _SYSTEM), "documents": scores, "notes": []}


def _kept(whole: Mapping[str, Any], names: tuple[str, ...]) -> Object:
    return {name: whole[name] for name in names}

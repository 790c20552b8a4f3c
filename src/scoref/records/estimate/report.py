"""An estimate as a report: figures with intervals, signature, assumptions and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref._version import __version__
from scoref.figures import percent
from scoref.metrics import METRICS
from scoref.metrics.base import FIGURES
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.records.columns import columns_line
from scoref.records.estimate.estimators import BY_SIZE, TERMS, UNIFORM
from scoref.records.notes import side_notes
from scoref.render.report import Remarks, Report, Rows, Signatures, Table, columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoref.records.estimate.estimate import Choices, Estimate, EstimationSample
    from scoref.records.estimate.estimators import MetricEstimate
    from scoref.records.request import CountRequest, SampleCounts
    from scoref.render.report import Part

    Plan = Mapping[str, Mapping[str, int | None]]


FEW_CLUSTERS, FEW_EFFECTIVE = 30, 15

_COLUMNS = ("estimate", "error", "low", "high", "effective", "draws_planned")


def estimate_report(
    estimate: Estimate, width: float | None = None, precision: int = 2
) -> Report:
    """Report an estimate, and how many draws make intervals as narrow as ``width``."""
    plan = estimate.plan(width) if width is not None else {}
    return Report(
        name="estimate",
        parts=lambda: _parts(estimate, plan, width, precision),
        objects=lambda: [_object(estimate, plan, width)],
        rows=lambda: _rows(estimate, plan),
        notes=[note.message for note in estimate.notes],
    )


def _parts(
    estimate: Estimate, plan: Plan, width: float | None, precision: int
) -> Iterator[Part]:
    head = columns("", "Recall", "Precision", "F₁")
    labels = {name: METRICS[name].label for name in estimate.metrics}
    yield Table(
        head,
        [
            [label, *(_cell(estimate, name, figure, precision) for figure in FIGURES)]
            for name, label in labels.items()
        ],
    )
    if width is not None:
        rows = []
        for name, label in labels.items():
            counts = [plan[name][figure] for figure in FIGURES]
            texts = ["–" if count is None else f"{count:,}" for count in counts]
            rows.append([label, *texts])
        yield Table(head, rows, f"Draws needed for intervals of {100 * width:g} points")
    yield Remarks(_remarks(estimate))
    yield Signatures([estimate.signature])


def _cell(estimate: Estimate, name: str, figure: str, precision: int) -> str:
    """Write a figure with its interval, which has one decimal less."""
    score = estimate.scores[name]
    value = getattr(score, figure)
    text = percent(value, precision, is_defined=score.is_defined)
    interval = estimate.intervals[name][figure]
    if interval is None or not score.is_defined:
        return text
    low, high = (percent(bound, max(0, precision - 1)) for bound in interval)
    effective = estimate.effective[name][figure]
    is_few = effective is not None and effective < FEW_EFFECTIVE
    return f"{text} [{low}, {high}]" + (f" ({effective:.1f})" if is_few else "")


def _remarks(estimate: Estimate) -> list[str]:
    lines = []
    if estimate.clusters:
        draws = ""
        if estimate.draws != estimate.clusters:
            draws = f" in {estimate.draws:,} draws"
        lines.append(
            f"Sample: {estimate.clusters:,} clusters of {estimate.records:,} "
            f"records{draws}"
        )
    else:
        lines.append(
            f"Sample: {estimate.draws:,} pairs of {estimate.records:,} records"
        )
    if estimate.values:
        lines.append(
            f"Population: about {estimate.values['clusters']:,.0f} clusters of "
            f"{estimate.values['cluster-size']:.2f} records on average; matching rate "
            f"about {percent(estimate.values['matching-rate'])} %"
        )
    if estimate.columns:
        lines.append(columns_line(estimate.columns))
    return [*lines, f"Assumed, not checked: {estimate.promise}"]


def _rows(estimate: Estimate, plan: Plan) -> Rows:
    """Write a row for each metric and figure, with the values of its JSON object."""
    rows = (
        [
            name,
            figure,
            *_figure_object(estimate, plan, name, figure).values(),
            estimate.signature,
        ]
        for name in estimate.metrics
        for figure in FIGURES
    )
    return Rows(["metric", "figure", *_COLUMNS, "signature"], rows)


def _figure_object(
    estimate: Estimate, plan: Plan, name: str, figure: str
) -> dict[str, object]:
    interval = estimate.intervals[name][figure]
    score = estimate.scores[name]
    values = (
        getattr(score, figure) if score.is_defined else None,
        estimate.errors[name][figure],
        interval.low if interval else None,
        interval.high if interval else None,
        estimate.effective[name][figure],
        plan[name][figure] if plan else None,
    )
    return dict(zip(_COLUMNS, values, strict=True))


def _object(estimate: Estimate, plan: Plan, width: float | None) -> dict[str, object]:
    return {
        "signature": estimate.signature,
        "promise": estimate.promise,
        "level": estimate.level,
        "planned_width": width,
        "clusters": estimate.clusters,
        "draws": estimate.draws,
        "records": estimate.records,
        "values": estimate.values,
        "estimates": {
            name: {
                figure: _figure_object(estimate, plan, name, figure)
                for figure in FIGURES
            }
            for name in estimate.metrics
        },
        "columns": estimate.columns,
    }


def signature_of(choices: Choices, **more: str) -> str:
    """Write every choice that can change a figure, and the design, in one line."""
    fields = {
        "scoref": __version__,
        "format": "table",
        "estimator": choices.estimator,
        **more,
        "weights": _origin(choices.weights),
        "times": "" if choices.times is None else _origin(choices.times),
        "design": "block" if choices.block else "",
        "missing": "drop" if choices.is_er_evaluation else choices.missing,
        "level": f"{choices.level:.15g}",
        "interval": "none"
        if choices.block or choices.is_er_evaluation
        else "korn-graubard",
    }
    return "|".join(f"{name}:{value}" for name, value in fields.items() if value)


def _origin(numbers: object) -> str:
    """Name the design or the column of numbers; those of a mapping are "given"."""
    return numbers if isinstance(numbers, str) else "given"


def assumptions(choices: Choices) -> str:
    """Write what is assumed about the sample and not checked."""
    if choices.block:
        return "the block contains all of its clusters, and they are complete"
    return (
        "labelled clusters are complete and were sampled "
        f"{design_text(choices)}, independently of the prediction; the "
        "prediction is complete"
    )


def design_text(choices: Choices) -> str:
    """Write how clusters were drawn."""
    if choices.weights == UNIFORM:
        return "with equal probability"
    if choices.weights == BY_SIZE:
        return "in proportion to their size"
    if isinstance(choices.weights, str):
        return f"with the probabilities from column '{choices.weights}'"
    return "with the given probabilities"


_LARGE = 0.2  # of a denominator

_MOST_TEXTS = 4  # that a note lists


def estimate_notes(
    kept: EstimationSample,
    figures: Mapping[str, MetricEstimate],
    counts: SampleCounts,
    choices: Choices,
    request: CountRequest,
) -> Iterator[Note]:
    """Note what makes an estimate doubtful."""
    yield from side_notes("sample", counts.key, request)
    yield from side_notes("prediction", counts.response, request)
    if kept.missing:
        is_alone = choices.missing == "alone" and not choices.is_er_evaluation
        action = "counted as predicted singletons" if is_alone else "left out"
        records = counted(kept.missing, "labelled record")
        text = f"scoref {action} {records} that the prediction lacks."
        yield Note("missing", kept.missing, text)
    if choices.block:
        text = "The figures are for this block only, so they have no intervals."
        yield Note("block", 1, text)
        return
    if len(kept.names) < FEW_CLUSTERS:
        text = (
            f"{WARNING}The sample has only {counted(len(kept.names), 'cluster')}, so "
            f"the intervals are unreliable. Label at least {FEW_CLUSTERS}."
        )
        yield Note("few-clusters", len(kept.names), text)
    if not choices.is_er_evaluation:
        yield from _large_cluster_notes(kept, figures)
        yield from _figure_notes(figures)


def _large_cluster_notes(
    kept: EstimationSample, figures: Mapping[str, MetricEstimate]
) -> Iterator[Note]:
    """Name clusters that have a large part of a denominator."""
    large: dict[str, list[str]] = {}
    for name in figures:
        terms = TERMS[name](kept.cells) * (kept.times * kept.weights)[:, None]
        for figure, column in (("recall", 1), ("precision", 3)):
            total = terms[:, column].sum()
            place = int(terms[:, column].argmax())
            share = terms[place, column] / total if total else 0
            if share > _LARGE:
                text = f"{100 * share:.0f} % of {_called(name)} {figure}"
                large.setdefault(kept.names[place], []).append(text)
    for cluster, shares in large.items():
        text = (
            f"{WARNING}Cluster '{cluster}' alone accounts for {_join_some(shares)}. "
            "These figures depend on this one cluster, so they are unreliable."
        )
        yield Note("one-cluster", len(shares), text)


def _figure_notes(figures: Mapping[str, MetricEstimate]) -> Iterator[Note]:
    """Note figures with few effective clusters, and figures without an error."""
    few, without_error = [], []
    for name, metric in figures.items():
        for figure, word in zip(FIGURES, ("recall", "precision", "F₁"), strict=True):
            label = f"{_called(name)} {word}"
            effective = metric.effective[figure]
            if effective is not None and effective < FEW_EFFECTIVE:
                few.append(f"{label} ({effective:.1f})")
            if metric.errors[figure] is None:
                without_error.append(label)
    if few:
        text = (
            f"{WARNING}Few clusters decide these figures (effective number of clusters "
            f"in brackets), so they are unreliable: {_join_some(few)}."
        )
        yield Note("few-effective", len(few), text)
    if without_error:
        text = (
            f"No interval can be computed for {_join_some(without_error)}. There is "
            "only one draw, or the figure is undefined without one of them."
        )
        yield Note("no-error", len(without_error), text)


def _called(metric: str) -> str:
    """Name a metric in a list, so without a comma."""
    return METRICS[metric].label.replace(",", "")


def _join_some(texts: list[str]) -> str:
    more = len(texts) - _MOST_TEXTS
    return ", ".join(texts[:_MOST_TEXTS]) + (f" and {more} more" if more > 0 else "")

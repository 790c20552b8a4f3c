"""An estimate as a report: figures with intervals, the assumptions, and the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref._version import __version__
from scoref.figures import percent
from scoref.metrics import METRICS
from scoref.model import Note
from scoref.records.api import side_notes
from scoref.records.estimate.er_evaluation import TERMS
from scoref.records.estimate.estimators import BY_SIZE, UNIFORM
from scoref.render.report import Remarks, Report, Rows, Signatures, Table, columns
from scoref.statistics.additive import FIGURES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoref.records.counting import SampleCounts
    from scoref.records.estimate.estimate import Choices, Estimate, EstimationSample
    from scoref.records.estimate.estimators import MetricEstimate
    from scoref.records.request import CountRequest
    from scoref.render.report import Part


_HEADS = ("Recall", "Precision", "F1")

_COLUMNS = ("estimate", "error", "low", "high", "effective", "draws_planned")


def estimate_report(
    found: Estimate, width: float | None = None, precision: int = 2
) -> Report:
    """Report an estimate, and how many draws make intervals as narrow as ``width``."""
    plan = found.plan(width) if width is not None else {}
    return Report(
        name="estimate",
        parts=lambda: _parts(found, plan, width, precision),
        objects=lambda: [_object(found, plan, width)],
        rows=lambda: Rows(
            ["metric", "figure", *_COLUMNS, "signature"], _rows(found, plan)
        ),
        notes=[note.message for note in found.notes],
    )


def _parts(
    found: Estimate,
    plan: dict[str, dict[str, int | None]],
    width: float | None,
    precision: int,
) -> Iterator[Part]:
    yield Table(
        columns("", *_HEADS),
        [
            [_label(name), *(_cell(found, name, each, precision) for each in FIGURES)]
            for name in found.metrics
        ],
    )
    if width is not None:
        yield Table(
            columns("", *_HEADS),
            [
                [_label(name), *(_draws(plan[name][each]) for each in FIGURES)]
                for name in found.metrics
            ],
            f"Draws for intervals of {100 * width:g} points",
        )
    yield Remarks(_counted(found))
    yield Signatures([found.signature])


def _label(name: str) -> str:
    return METRICS[name].label


def _cell(found: Estimate, name: str, figure: str, precision: int) -> str:
    """Write a figure with its interval, which needs fewer decimals."""
    score = found.scores[name]
    value = getattr(score, figure)
    text = percent(value, precision, is_defined=score.is_defined)
    interval = found.intervals[name][figure]
    if interval is None or not score.is_defined:
        return text
    low, high = (percent(bound, max(0, precision - 1)) for bound in interval)
    few = found.effective[name][figure]
    mark = f" ({few:.1f})" if few is not None and few < FEW_EFFECTIVE else ""
    return f"{text} [{low}, {high}]{mark}"


def _draws(count: int | None) -> str:
    return "–" if count is None else f"{count:,}"


def _counted(found: Estimate) -> list[str]:
    lines = []
    if found.clusters:
        draws = f" in {found.draws:,} draws" if found.draws != found.clusters else ""
        lines.append(
            f"Sample: {found.clusters:,} clusters of {found.records:,} records{draws}"
        )
    else:
        lines.append(f"Sample: {found.draws:,} pairs of {found.records:,} records")
    if found.values:
        lines.append(
            f"Population: about {found.values['clusters']:,.0f} clusters of "
            f"{found.values['cluster-size']:.2f} records on average"
        )
    if found.columns:
        used = [f"{use} '{name}'" for use, name in found.columns.items()]
        lines.append(f"Columns: {', '.join(used)}")
    return [*lines, f"Promised: {found.promise}"]


def _rows(
    found: Estimate, plan: dict[str, dict[str, int | None]]
) -> Iterator[list[object]]:
    for name in found.metrics:
        for figure in FIGURES:
            each = _figure(found, plan, name, figure)
            yield [
                name,
                figure,
                *(each[column] for column in _COLUMNS),
                found.signature,
            ]


def _figure(
    found: Estimate,
    plan: dict[str, dict[str, int | None]],
    name: str,
    figure: str,
) -> dict[str, object]:
    interval = found.intervals[name][figure]
    score = found.scores[name]
    return {
        "estimate": getattr(score, figure) if score.is_defined else None,
        "error": found.errors[name][figure],
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "effective": found.effective[name][figure],
        "draws_planned": plan[name][figure] if plan else None,
    }


def _object(
    found: Estimate, plan: dict[str, dict[str, int | None]], width: float | None
) -> dict[str, object]:
    return {
        "signature": found.signature,
        "promise": found.promise,
        "level": found.level,
        "planned_width": width,
        "clusters": found.clusters,
        "draws": found.draws,
        "records": found.records,
        "values": found.values,
        "estimates": {
            name: {figure: _figure(found, plan, name, figure) for figure in FIGURES}
            for name in found.metrics
        },
        "columns": found.columns,
    }


FEW_CLUSTERS, FEW_EFFECTIVE = 30, 15

_LARGE = 0.2  # of a denominator

_SHOWN = 4

_SPOKEN = {"f1": "F1"}


def named(numbers: object) -> str:
    """Say where weights or times come from."""
    return numbers if isinstance(numbers, str) else "given"


def signature_of(choices: Choices, **more: str) -> str:
    """Write every choice that moves a figure, and the promise, in one line."""
    fields = {
        "scoref": __version__,
        "format": "table",
        "estimator": choices.estimator,
        **more,
        "weights": named(choices.weights),
        "times": "" if choices.times is None else named(choices.times),
        "design": "block" if choices.block else "",
        "missing": "drop" if choices.is_incumbent else choices.missing,
        "level": f"{choices.level:.15g}",
        "interval": "none"
        if choices.block or choices.is_incumbent
        else "korn-graubard",
    }
    return "|".join(f"{name}:{value}" for name, value in fields.items() if value)


def promise_of(choices: Choices) -> str:
    """Say what the user promised by giving these weights."""
    if choices.block:
        return "every cluster of the block is there, and complete"
    return (
        f"clusters are complete, and were drawn {drawn_by(choices)}, whatever was "
        "predicted; the prediction is whole"
    )


def drawn_by(choices: Choices) -> str:
    """Say how clusters were drawn."""
    if choices.weights == UNIFORM:
        return "each with the same chance"
    if choices.weights == BY_SIZE:
        return "by size"
    if isinstance(choices.weights, str):
        return f"with the chances that '{choices.weights}' has"
    return "with the chances that were given"


def notes_on(
    kept: EstimationSample,
    found: Mapping[str, MetricEstimate],
    counted: SampleCounts,
    choices: Choices,
    request: CountRequest,
) -> Iterator[Note]:
    """Say what the data show to be wary of."""
    yield from side_notes("sample", counted.key, request)
    yield from side_notes("prediction", counted.response, request)
    if kept.missing:
        yield _on_missing(kept, choices)
    if choices.block:
        text = "figures are of this block only: one draw has no error, and no interval"
        yield Note("block", 1, text)
        return
    if len(kept.names) < FEW_CLUSTERS:
        text = f"{len(kept.names)} clusters are few: label {FEW_CLUSTERS} or more"
        yield Note("few-clusters", len(kept.names), text)
    if not choices.is_incumbent:
        yield from _on_large(kept, found)
        yield from _on_effective(found)
        yield from _on_unknown(found)


def _on_missing(kept: EstimationSample, choices: Choices) -> Note:
    is_alone = choices.missing == "alone" and not choices.is_incumbent
    fate = "count as predicted singletons" if is_alone else "were left out"
    which = "record is" if kept.missing == 1 else "records are"
    text = f"{kept.missing:,} labelled {which} not in the prediction and {fate}"
    return Note("missing", kept.missing, text)


def _on_large(
    kept: EstimationSample, found: Mapping[str, MetricEstimate]
) -> Iterator[Note]:
    """Name clusters that have a large part of a denominator."""
    large: dict[str, list[str]] = {}
    for name in found:
        terms = TERMS[name](kept.cells) * (kept.times * kept.weights)[:, None]
        for figure, column in (("recall", 1), ("precision", 3)):
            total = terms[:, column].sum()
            place = int(terms[:, column].argmax())
            share = terms[place, column] / total if total else 0
            if share > _LARGE:
                text = f"{100 * share:.0f} % of {name} {figure}"
                large.setdefault(kept.names[place], []).append(text)
    for cluster, shares in large.items():
        text = f"cluster '{cluster}' alone has {_listed(shares)}"
        yield Note("one-cluster", len(shares), text)


def _on_effective(found: Mapping[str, MetricEstimate]) -> Iterator[Note]:
    few = [
        f"{name} {_SPOKEN.get(figure, figure)} rests on {count:.1f} clusters"
        for name, each in found.items()
        for figure in FIGURES
        if (count := each.effective[figure]) is not None and count < FEW_EFFECTIVE
    ]
    if few:
        yield Note("few-effective", len(few), _listed(few))


def _on_unknown(found: Mapping[str, MetricEstimate]) -> Iterator[Note]:
    unknown = [
        f"{name} {_SPOKEN.get(figure, figure)}"
        for name, each in found.items()
        for figure in FIGURES
        if each.errors[figure] is None
    ]
    if unknown:
        text = (
            f"no error can be told of {_listed(unknown)}: there is one draw, or "
            "nothing is left without one of them"
        )
        yield Note("no-error", len(unknown), text)


def _listed(texts: list[str]) -> str:
    more = f" and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
    return ", ".join(texts[:_SHOWN]) + more

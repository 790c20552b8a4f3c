"""An estimate as a report: figures with their intervals, and what was promised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.figures import percent
from scoref.metrics import METRICS
from scoref.render.report import Remarks, Report, Rows, Signatures, Table, columns
from scoref.statistics.additive import FIGURES
from scoref.tools.estimate.remarks import FEW_EFFECTIVE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.render.report import Part
    from scoref.tools.estimate.estimates import Estimate

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

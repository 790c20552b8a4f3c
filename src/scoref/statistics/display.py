"""How intervals and comparisons show themselves in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.figures import between, difference, figure
from scoref.markup import FigureCell, minus, shown, table
from scoref.metrics import labels_of
from scoref.scoring.results import Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.statistics.compare import Comparison, Difference
    from scoref.statistics.confidence import Confidence
    from scoref.statistics.cuts import Interval

_FIGURES = {"recall": "Recall", "precision": "Precision", "f1": "F₁"}


def confidence_html(confidence: Confidence) -> str:
    """Draw the intervals of every figure; the figures themselves are the result's."""
    rows = [
        [metric, *(_between(metric, intervals.get(name)) for name in _FIGURES)]
        for metric, intervals in confidence.intervals.items()
    ]
    return shown(
        table([f"{confidence.level:g} %", *_FIGURES.values()], rows),
        signatures=[confidence.signature],
        notes=[note.message for note in confidence.notes],
    )


def comparison_html(comparison: Comparison) -> str:
    """Draw the systems' F1, and every difference with its interval and p-values."""
    labels = _labels(comparison)
    systems = [
        [name, *(figure(metric, value) for metric, value in f1.items())]
        for name, f1 in comparison.f1.items()
    ]
    level = f"{comparison.level:g} %"
    header = ["Difference", "Metric", f"ΔF₁ ({level})", "p", "p (Holm)", "win/tie/loss"]
    rows = [
        _difference(row, labels, comparison.allowed) for row in comparison.differences
    ]
    return shown(
        table(["F₁", *labels.values()], systems),
        table(header, rows),
        signatures=[comparison.scored, comparison.signature],
        notes=[note.message for note in comparison.notes],
    )


def _difference(
    row: Difference, labels: Mapping[str, str], allowed: float
) -> list[str | FigureCell]:
    shown = [
        minus(difference(row.metric, each))
        for each in (row.difference, *(row.interval or ()))
    ]
    kind = "best" if row.adjusted <= allowed else ""
    return [
        f"{row.first} − {row.second}",
        labels[row.metric],
        FigureCell(shown[0], below=" to ".join(shown[1:]), kind=kind),
        f"{row.randomisation:.4f}",
        f"{row.adjusted:.4f}",
        f"{row.wins}/{row.ties}/{row.losses}",
    ]


def _between(metric: str, interval: Interval | None) -> str:
    return "" if interval is None else between(metric, interval)


def _labels(comparison: Comparison) -> dict[str, str]:
    return labels_of(_one(comparison).scheme, comparison.metrics)


def _one(comparison: Comparison) -> Result:
    found = next(iter(comparison.results.values()))
    return found if isinstance(found, Result) else next(iter(found.values()))

"""How intervals and comparisons show themselves in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.markup import Cell, percent, shown, signed, table
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
        [metric, *(_between(intervals.get(figure)) for figure in _FIGURES)]
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
        [name, *(percent(value) for value in f1.values())]
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
) -> list[str | Cell]:
    below = " to ".join(map(signed, row.interval or ()))
    kind = "best" if row.adjusted <= allowed else ""
    return [
        f"{row.first} − {row.second}",
        labels[row.metric],
        Cell(signed(row.difference), below=below, kind=kind),
        f"{row.randomisation:.4f}",
        f"{row.adjusted:.4f}",
        f"{row.wins}/{row.ties}/{row.losses}",
    ]


def _between(interval: Interval | None) -> str:
    return "–".join(map(percent, interval)) if interval is not None else ""


def _labels(comparison: Comparison) -> dict[str, str]:
    return labels_of(_one(comparison).scheme, comparison.metrics)


def _one(comparison: Comparison) -> Result:
    found = next(iter(comparison.results.values()))
    return found if isinstance(found, Result) else next(iter(found.values()))

"""Intervals as a report of their own; beside the scores they stand in the scores'."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.figures import UNDEFINED, between
from scoref.metrics import METRICS
from scoref.render.report import Report, Rows, Signatures, Table, columns
from scoref.render.scores import FIGURES, confidence_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.statistics.confidence import Confidence
    from scoref.statistics.cuts import Interval

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
        rows=lambda: Rows(_ENDS, _rows(confidence)),
        notes=[note.message for note in confidence.notes],
    )


def _cell(metric: str, interval: Interval | None) -> str:
    return UNDEFINED if interval is None else between(metric, interval)


def _rows(confidence: Confidence) -> Iterator[list[object]]:
    for metric, intervals in confidence.intervals.items():
        for figure, bounds in intervals.items():
            yield [metric, figure, *bounds, confidence.signature]

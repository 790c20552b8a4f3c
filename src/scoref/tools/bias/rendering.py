"""Both halves beside each other: average, difference, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.figures import difference, figure
from scoref.metrics import labels_of
from scoref.notes import note_lines
from scoref.render.report import Remarks, Report, Rows, Signatures, Table, columns
from scoref.render.scores import result_object

if TYPE_CHECKING:
    from scoref.tools.bias.halves import BiasResult

_FIELDS = ("metric", "pro", "anti", "average", "difference", "low", "high", "p")


def bias_report(result: BiasResult, precision: int = 2) -> Report:
    """Report a row for each metric."""
    level = f"{result.comparison.level:g} %"
    labels = columns("F1", "Pro", "Anti", "Average", "Difference", level, "p")
    meaning = f"p: by randomisation, texts of {result.pairs} pairs swapped"
    return Report(
        name="bias",
        parts=lambda: [
            Table(labels, _rows(result, precision)),
            Signatures([result.pro.signature, result.comparison.signature]),
            Remarks([meaning]),
        ],
        objects=lambda: [_object(result)],
        rows=lambda: Rows(_FIELDS, _values(result)),
        notes=_notes(result),
    )


def _notes(result: BiasResult) -> list[str]:
    """List what was noted, a line for each kind."""
    halves = ("pro", result.pro), ("anti", result.anti)
    told = [(name, note) for name, half in halves for note in half.notes]
    told += [(name, note) for name, _ in halves for note in result.comparison.notes]
    return note_lines(told, of=2)


def _rows(result: BiasResult, precision: int) -> list[list[str]]:
    labels = labels_of(result.pro.scheme, result.pro.metrics)
    return [
        [
            labels[name],
            *(figure(name, value, precision) for value in (pro, anti, average)),
            difference(name, gap, precision),
            ""
            if low is None or high is None
            else f"[{difference(name, low, precision)}, "
            f"{difference(name, high, precision)}]",
            "" if p is None else f"{p:.4f}",
        ]
        for name, pro, anti, average, gap, low, high, p in _values(result)
    ]


_Row = tuple[str, float, float, float, float, float | None, float | None, float | None]


def _values(result: BiasResult) -> list[_Row]:
    average, gap = result.average, result.difference
    rows: list[_Row] = []
    for name, score in result.pro.scores.items():
        found = result.differences[name]
        low, high = found.interval or (None, None)
        anti = result.anti.scores[name].f1
        p = found.randomisation
        rows.append((name, score.f1, anti, average[name], gap[name], low, high, p))
    return rows


def _object(result: BiasResult) -> dict[str, object]:
    found = result.differences
    return {
        "pro": result_object(result.pro),
        "anti": result_object(result.anti),
        "average": result.average,
        "difference": result.difference,
        "pairs": result.pairs,
        "p": {name: row.randomisation for name, row in found.items()},
        "p_holm": {name: row.adjusted for name, row in found.items()},
        "intervals": {name: row.interval for name, row in found.items()},
        "signature": result.pro.signature,
        "comparison": result.comparison.signature,
        "notes": result.comparison.notes,
    }

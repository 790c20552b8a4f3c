"""GAP's figures as a report: with one decimal, as its scorer prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.figures import UNDEFINED, percent
from scoref.render.report import Report, Rows, Signatures, Table, columns

if TYPE_CHECKING:
    from scoref.statistics.cuts import Interval
    from scoref.tools.gap.scoring import GapResult

_FIGURES = ("Recall", "Precision", "F1", "TP", "FP", "FN", "TN")


class GapView(NamedTuple):
    """How figures are shown, and the interval of the bias, if there is one."""

    precision: int = 1
    interval: Interval | None = None
    level: float = 95
    chance: str = ""  # the signature of the interval


USUAL = GapView()


def gap_report(result: GapResult, view: GapView = USUAL) -> Report:
    """Report the figures of a system."""
    signatures = [result.signature, *([view.chance] if view.chance else [])]
    return Report(
        name="gap",
        parts=lambda: [
            Table(columns("", *_FIGURES), _rows(result, view)),
            Signatures(signatures),
        ],
        objects=lambda: [_object(result, view)],
        rows=lambda: Rows(
            ["pronouns", *_names(result)],
            ([name, *score] for name, score in result.scores.items()),
        ),
        notes=[note.message for note in result.notes],
    )


def _rows(result: GapResult, view: GapView) -> list[list[str]]:
    rows = [
        [
            name.capitalize(),
            *(percent(figure, view.precision) for figure in score[:3]),
            *(str(count) for count in score[3:]),
        ]
        for name, score in result.scores.items()
    ]
    return [*rows, ["Bias", "", "", _bias(result, view), "", "", "", ""]]


def _bias(result: GapResult, view: GapView) -> str:
    if result.bias is None:
        return UNDEFINED
    digits = view.precision + 1
    shown = f"{result.bias:.{digits}f}"
    if view.interval is None:
        return shown
    return f"{shown} [{view.interval.low:.{digits}f}, {view.interval.high:.{digits}f}]"


def _object(result: GapResult, view: GapView) -> dict[str, object]:
    written: dict[str, object] = {
        "scores": {name: score._asdict() for name, score in result.scores.items()},
        "bias": result.bias,
        "notes": result.notes,
        "signature": result.signature,
    }
    if view.interval is not None:
        written["confidence"] = {
            "signature": view.chance,
            "level": view.level,
            "bias": view.interval._asdict(),
        }
    return written


def _names(result: GapResult) -> list[str]:
    return list(next(iter(result.scores.values()))._fields)

"""GAP's figures: text with one decimal, as its scorer prints them, and JSON."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

from scoref.render.figures import UNDEFINED, percent
from scoref.render.json import json_text
from scoref.render.tables import Table, csv_text, drawn, remarks

if TYPE_CHECKING:
    from scoref.statistics.cuts import Interval
    from scoref.tools.gap.scoring import GapResult

_HEADER = ["", "Recall", "Precision", "F1", "TP", "FP", "FN", "TN"]


class GapView(NamedTuple):
    """How figures are shown, and the interval of the bias, if there is one."""

    output: str = "text"
    precision: int = 1
    interval: Interval | None = None
    level: float = 95
    chance: str = ""  # the signature of the interval


def render_gap(result: GapResult, view: GapView) -> str:
    """Write the figures of a system."""
    if view.output == "json":
        return json_text(_object(result, view))
    if view.output == "csv":
        rows = [[name, *score] for name, score in result.scores.items()]
        return csv_text(["pronouns", *_names(result)], rows)
    table = Table("", _HEADER, _rows(result, view))
    signatures = [result.signature, view.chance] if view.chance else [result.signature]
    return "\n\n".join(
        [drawn(table, view.output), remarks(signatures[0], view.output, signatures[1:])]
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
        "notes": [dataclasses.asdict(note) for note in result.notes],
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

"""Errors of several datasets: how many in all, and what they cost on average."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scoref.figures import percent, signed
from scoref.render.report import Heading, Remarks, Table, columns
from scoref.tools.errors.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.render.report import Part
    from scoref.tools.errors.findings import Gains
    from scoref.tools.errors.rendering import ErrorView

_ALL = "all datasets"
_MEANING = "errors are added up; gain and CoNLL are means over what could be read"


def sum_parts(systems: Mapping[str, Sequence[Gains]], view: ErrorView) -> list[Part]:
    """Give each system a column, as for the systems of one dataset."""
    digits = view.precision
    found = {name: each for name, each in systems.items() if each}
    rows = [
        [KINDS[kind].label, *(_cell(each, kind, digits) for each in found.values())]
        for kind in view.shown
    ]
    scores = (_mean(gains.before for gains in each) for each in found.values())
    rows.append(["CoNLL", *(percent(score, digits) for score in scores)])
    table = Table(columns("Errors (gain)", *found), rows)
    return [Heading(_ALL), table, Remarks([_MEANING])]


def _cell(datasets: Sequence[Gains], kind: int, digits: int) -> str:
    count = sum(int(gains.count[kind]) for gains in datasets)
    gain = _mean(float(gains.gain[kind]) for gains in datasets)
    return f"{count} ({signed(gain, digits)})"


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return math.fsum(listed) / len(listed)

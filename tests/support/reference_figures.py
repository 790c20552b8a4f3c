"""What the reference scorer printed, and how a result is compared with it.

By metric and line: recall numerator, denominator and percentage, the same for
precision, and the percentage of F₁. Percentages are cut after two digits.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.scoring.results import Result

Line = list[float]
Figures = dict[str, dict[str, Line]]

# Which columns of BLANC's counts a line shows.
_LINKS = {
    "Coreference links": (0, 1, 0, 2),
    "Non-coreference links": (3, 4, 3, 5),
}


def figures_in(path: Path) -> dict[str, Figures]:
    """Read the figures of a folder, by case."""
    found: dict[str, Figures] = json.loads(path.read_text(encoding="utf-8"))
    return found


def check_figures(result: Result, figures: Figures) -> None:
    """Compare every numerator, denominator and F₁."""
    for name, lines in figures.items():
        _check_ratios(result, "mentions", lines["Identification of Mentions"])
        if name == "blanc":
            _check_blanc(result, lines)
        else:
            _check_ratios(result, name, lines["Coreference"])


def _check_ratios(result: Result, name: str, line: Line) -> None:
    sums = result.counts[name].sum(axis=0).tolist()
    assert sums == pytest.approx([*line[:2], *line[3:5]], rel=1e-9), name
    _check_f1(result, name, line)


def _check_blanc(result: Result, lines: dict[str, Line]) -> None:
    sums = result.counts["blanc"].sum(axis=0).tolist()
    for title, columns in _LINKS.items():
        line = lines[title]
        found = [sums[column] for column in columns]
        assert found == [*line[:2], *line[3:5]], title
    score, line = result.scores["blanc"], lines["BLANC"]
    assert score[:2] == pytest.approx((line[0], line[3]), rel=1e-9)
    _check_f1(result, "blanc", line)


def _check_f1(result: Result, name: str, line: Line) -> None:
    # A cut percentage lies up to 0.01 below; its last digit can be one too low.
    percentage = 100 * result.scores[name].f1
    assert -1e-6 <= percentage - line[6] < 0.010001, name

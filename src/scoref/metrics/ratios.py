"""Recall and precision as numbers to be divided once, at the end."""

from __future__ import annotations

from typing import NamedTuple

from scoref.metrics.base import Score

Number = int | float


class Ratios(NamedTuple):
    """Recall and precision, each a numerator over a denominator."""

    recall: tuple[Number, Number]
    precision: tuple[Number, Number]


def score_of(ratios: Ratios, undefined: float = 0.0) -> Score:
    """Divide; 0/0 is whatever the policy says."""
    return Score(*figures(ratios, undefined), any(bottom for _, bottom in ratios))


def figures(ratios: Ratios, undefined: float) -> tuple[float, float, float]:
    """Compute recall, precision and F1."""
    recall, precision = (
        top / bottom if bottom else undefined for top, bottom in ratios
    )
    total = recall + precision
    f1 = 2 * recall * precision / total if total else 0.0
    return recall, precision, f1

"""Scores by name, as loggers want them: ``muc/recall``, ``muc/f1``, … and ``conll``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.metrics.base import Score

_FIGURES = ("recall", "precision", "f1")


def figures(
    scores: Mapping[str, Score],
    *,
    pattern: str = "{}/{}",
    called: tuple[str, str, str] = _FIGURES,
) -> dict[str, float]:
    """Give every figure a name; a mean of F1s goes by the metric's alone.

    >>> from scoref.metrics.base import Score
    >>> figures({"muc": Score(0.5, 1.0, 0.75), "conll": Score(None, None, 0.75)})
    {'muc/recall': 0.5, 'muc/precision': 1.0, 'muc/f1': 0.75, 'conll': 0.75}
    """
    found = {}
    for name, score in scores.items():
        if score.recall is None or score.precision is None:
            found[name] = score.f1
            continue
        values = score.recall, score.precision, score.f1
        for each, value in zip(called, values, strict=True):
            found[pattern.format(name, each)] = value
    return found

"""The CoNLL score: the mean of the F1 of MUC, B³ and CEAFe.

Denis and Baldridge (2009) proposed the average; the CoNLL-2011 and 2012 shared
tasks ranked systems by it. It has no recall and no precision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from scoref.metrics.base import Score

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.metrics.base import Floats

    Figure = TypeVar("Figure", float, Floats)

NAME = "conll"
LABEL = "CoNLL"
PARTS = ("muc", "bcub", "ceafe")


def mean(muc: Figure, b_cubed: Figure, ceafe: Figure) -> Figure:
    """Average three figures.

    They are added in this order, and not by `sum`, which rounds floats in another way
    from Python 3.12 on.
    """
    return (muc + b_cubed + ceafe) / 3


def mean_f1(scores: Mapping[str, Score]) -> Score:
    """Average the three.

    >>> half, full = Score(0.5, 0.5, 0.5), Score(1.0, 1.0, 1.0)
    >>> mean_f1({"muc": half, "bcub": full, "ceafe": full}).f1
    0.8333333333333334
    """
    parts = [scores[part] for part in PARTS]
    f1 = mean(*(part.f1 for part in parts))
    return Score(None, None, f1, all(part.is_defined for part in parts))

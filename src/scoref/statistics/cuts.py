"""Where to cut off the lowest and the highest of the scores that were drawn.

``percentile`` cuts off the same share at both ends. ``expanded`` (Hesterberg, 2015)
cuts off less, by what Student's t says of so few documents. ``bca`` (Efron, 1987)
moves both cuts for bias and for skew, by what leaving out a document does.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.statistics.student import limit_of

if TYPE_CHECKING:
    from scoref.metrics.base import Floats

Method = Literal["expanded", "bca", "percentile"]
METHODS: tuple[Method, ...] = ("expanded", "bca", "percentile")
METHOD: Method = "expanded"
TIE = 1e-12
_MANY = 10_000  # Student's t is the normal distribution then, to four digits
_NORMAL = NormalDist()


class Interval(NamedTuple):
    """Where a score may lie."""

    low: float
    high: float


class Cuts(NamedTuple):
    """How to make an interval of scores that were drawn.

    ``freedom`` is the number of documents less that of the datasets they are drawn
    from.
    """

    level: float
    method: Method
    documents: int
    freedom: int

    def interval(self, drawn: Floats, total: float, without: Floats) -> Interval:
        """Cut the scores of drawn corpora; ``without`` each document in turn."""
        tail = (1 - self.level / 100) / 2
        cuts = tail, 1 - tail
        if self.method == "bca":
            cuts = corrected(cuts, drawn, total, without)
        elif self.method == "expanded":
            cuts = expanded(self.level, self.documents, self.freedom)
        low, high = np.quantile(drawn, cuts).tolist()
        return Interval(low, high)


def expanded(level: float, documents: int, freedom: int) -> tuple[float, float]:
    """Give the cuts for few documents.

    The spread of what is drawn from n documents is too small by √((n − 1) / n), and
    that it is itself estimated from them is what Student's t allows for.

    >>> "{:.4f} {:.4f}".format(*expanded(95, 20, 19))
    '0.0159 0.9841'
    """
    limit = limit_of(level / 100, min(freedom, _MANY)) * sqrt(documents / freedom)
    tail = _NORMAL.cdf(-limit)
    return tail, 1 - tail


def corrected(
    cuts: tuple[float, float], drawn: Floats, total: float, without: Floats
) -> tuple[float, float]:
    """Move both cuts for bias and skew.

    Where all drawn scores lie on one side of the total there is no telling how much,
    and they stay.
    """
    # Sums in another order may differ in the last digit; they are ties all the same.
    is_tie = np.abs(drawn - total) <= TIE
    below = float(((drawn < total) & ~is_tie).mean() + is_tie.mean() / 2)
    if not 0 < below < 1 or not 0 < cuts[0] <= cuts[1] < 1:
        return cuts
    bias, skew = _NORMAL.inv_cdf(below), _skew(without)
    moved = []
    for cut in cuts:
        shifted = bias + _NORMAL.inv_cdf(cut)
        moved.append(_NORMAL.cdf(bias + shifted / (1 - skew * shifted)))
    return moved[0], moved[1]


def _skew(without: Floats) -> float:
    """Estimate the acceleration by leaving out each document in turn."""
    away = without.mean() - without
    spread = float(np.square(away).sum())
    if spread == 0:
        return 0.0
    cubes = float((away * away * away).sum())
    return cubes / float(6 * spread**1.5)

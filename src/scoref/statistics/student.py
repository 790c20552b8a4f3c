"""Student's t: how far a mean of few strays, where its spread is estimated from them.

SciPy has it, but takes longer to load than everything else here takes to run.
"""

from __future__ import annotations

from math import atan, cos, fsum, inf, pi, sin, sqrt

import numpy as np

_HALVINGS = 200  # more than a float has places; it stops earlier


def inside(limit: float, freedom: int) -> float:
    """Compute the chance to lie between −limit and limit.

    Finite sums for whole degrees of freedom: Abramowitz and Stegun (1964), 26.7.3 and
    26.7.4.

    >>> round(inside(12.706, 1), 4)
    0.95
    """
    angle = atan(limit / sqrt(freedom))
    is_odd = freedom % 2
    top = np.arange(1 + is_odd, freedom - 1, 2, dtype=np.float64)
    terms = np.cumprod(top / (top + 1) * cos(angle) ** 2).tolist()
    series = sin(angle) * fsum([1.0, *terms])
    if not is_odd:
        return series
    return 2 / pi * (angle + series * cos(angle) if freedom > 1 else angle)


def limit_of(chance: float, freedom: int) -> float:
    """Find the limit inside which a share of all values lies.

    >>> round(limit_of(0.95, 4), 3)
    2.776
    """
    low, high = 0.0, 1.0
    while high < inf and inside(high, freedom) < chance:
        high *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (
            (middle, high) if inside(middle, freedom) < chance else (low, middle)
        )
    return low

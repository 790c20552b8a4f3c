"""Standard errors by the jackknife: leave out each draw in turn, and look what moves.

With k draws and θ₍ᵢ₎ the figure without draw i, θ̄ their mean over draws:

    error² = (k − 1)/k · Σ (θ₍ᵢ₎ − θ̄)²

Draws from several strata vary within each of them, and the sum is over strata. It needs
no formula for the figure, so that it serves ratios and F₁ alike (Tukey, 1958).
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scoref.metrics.base import Floats
    from scoref.model import Ints

_NOTHING = 1e-9  # what rounding leaves of figures that do not vary


def jackknife(without: Floats, times: Ints, stratum: Ints | None = None) -> float:
    """Compute the standard error of a figure.

    Args:
        without: the figure without one draw of each unit.
        times: how often each unit was drawn.
        stratum: the number of each unit's stratum; none: all are in one.

    >>> round(jackknife(np.array([1.0, 2.0, 3.0]), np.array([1, 1, 1])), 6)
    1.154701
    """
    place = np.zeros(len(without), dtype=np.int64) if stratum is None else stratum
    draws = np.bincount(place, times).astype(np.float64)
    mean = np.bincount(place, times * without) / np.maximum(draws, 1)
    squares = np.bincount(place, times * np.square(without - mean[place]))
    error = sqrt(float((squares * (draws - 1) / np.maximum(draws, 1)).sum()))
    return error if error >= _NOTHING else 0.0

"""How many documents it takes to tell two systems apart.

The standard error of a difference falls with the root of the number of documents. With
N of them it was s; then n of the same kind let a two-sided test at level α see a
difference d with a chance of 1 − β (its power) if

    n  =  N · ((z(1 − α/2) + z(1 − β)) · s / d)²

where z are quantiles of the normal distribution.
"""

from __future__ import annotations

from math import ceil, inf
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.statistics.cuts import TIE
from scoref.statistics.levels import percent_of

if TYPE_CHECKING:
    from scoref.metrics.base import Floats

_NORMAL = NormalDist()
_ROUNDING = 1e-9


class Plan(NamedTuple):
    """How sure a test is to be, and how often it is to see a difference; in percent."""

    level: float = 95.0
    power: float = 80.0

    @classmethod
    def of(cls, level: float, power: float) -> Plan:
        """Take a level and a power in percent, or as fractions up to 1."""
        return cls(percent_of(level), percent_of(power, "power"))

    def documents(self, difference: float, error: float, documents: int) -> float:
        """Say how many documents it takes; infinitely many where nothing differs.

        >>> Plan().documents(0.01, 0.01, 100)
        785
        """
        if abs(difference) <= TIE:
            return inf
        quantiles = _NORMAL.inv_cdf(0.5 + self.level / 200), self._power
        needed = documents * (sum(quantiles) * error / difference) ** 2
        return max(2, ceil(needed - _ROUNDING))

    @property
    def _power(self) -> float:
        return _NORMAL.inv_cdf(self.power / 100)


def standard_error(drawn: Floats, documents: int) -> float:
    """Estimate the error of a figure by the bootstrap, which is a little too small."""
    return float(drawn.std(ddof=1) * np.sqrt(documents / (documents - 1)))

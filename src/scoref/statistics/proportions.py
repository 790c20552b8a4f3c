"""Intervals of proportions that were estimated (Korn and Graubard, 1998).

Clopper and Pearson's exact interval of a proportion, at the number of independent
yes-or-no draws that would have the same error. With α = 1 − level, k draws, z and t the
quantiles at 1 − α/2 of the normal distribution and of Student's with k − 1:

    n* = R(1 − R)/error² · (z/t)², at least 1; k if there is no error, or R is 0 or 1
    low = B⁻¹(α/2; R n*, n* − R n* + 1)     high = B⁻¹(1 − α/2; R n* + 1, n* − R n*)

So it never leaves [0, 1], and where everything was right it is the exact bound.
"""

from __future__ import annotations

from functools import cache
from statistics import NormalDist

from scoref.statistics.cuts import Interval
from scoref.statistics.student import limit_of

_LARGE = 10_000


def korn_graubard(figure: float, error: float, draws: int, level: float) -> Interval:
    """Compute the interval of a figure between 0 and 1 that has a standard error.

    >>> low, high = korn_graubard(0.4, 1 / 6, 3, 95)
    >>> f"{low:.4f} {high:.4f}"
    '0.0026 0.9808'
    """
    from scipy.special import betaincinv  # noqa: PLC0415 - slow to load

    tail = (1 - level / 100) / 2
    count = _independent(figure, error, draws, level)
    yes, no = figure * count, count - figure * count
    low = 0.0 if figure <= 0 else float(betaincinv(yes, no + 1, tail))
    high = 1.0 if figure >= 1 else float(betaincinv(yes + 1, no, 1 - tail))
    return Interval(low, high)


def _independent(figure: float, error: float, draws: int, level: float) -> float:
    """Count the yes-or-no draws that would have such an error."""
    if not error or not 0 < figure < 1:
        return float(draws)
    count = figure * (1 - figure) / error**2 * _shrinkage(draws - 1, level)
    return max(1.0, count)


@cache
def _shrinkage(freedom: int, level: float) -> float:
    """Give (z/t)²: an error that is itself estimated says less."""
    from scipy.special import stdtrit  # noqa: PLC0415 - loaded by the caller

    upper = (1 + level / 100) / 2
    # Our own sums take time in proportion to the degrees of freedom.
    is_large = freedom > _LARGE
    limit = stdtrit(freedom, upper) if is_large else limit_of(level / 100, freedom)
    return float(NormalDist().inv_cdf(upper) / limit) ** 2

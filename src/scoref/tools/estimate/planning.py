"""How many clusters to label until an interval is as narrow as it is wanted.

Errors shrink with the square root of the number of draws. So a first sample tells what
a larger one of the same kind will bring, as far as it has met what varies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.errors import OptionError
from scoref.statistics.proportions import korn_graubard

if TYPE_CHECKING:
    from scoref.tools.estimate.estimates import Estimate

_MOST = 10**9


def planned(estimate: Estimate, width: float) -> dict[str, dict[str, int | None]]:
    """Give the number of draws for each figure; None where no error is known."""
    if not 0 < width < 1:
        raise OptionError("the width of an interval is between 0 and 100 points")
    return {
        metric: {
            figure: _draws(estimate, metric, figure, width)
            for figure in estimate.errors[metric]
        }
        for metric in estimate.metrics
    }


def _draws(estimate: Estimate, metric: str, figure: str, width: float) -> int | None:
    """Find the smallest number of draws whose interval is narrow enough."""
    value = getattr(estimate.scores[metric], figure)
    error = estimate.errors[metric][figure]
    if error is None or value is None:
        return None

    def is_enough(draws: int) -> bool:
        smaller = error * (estimate.draws / draws) ** 0.5
        low, high = korn_graubard(value, smaller, draws, estimate.level)
        return high - low <= width

    low, high = 2, 2
    while not is_enough(high):
        low, high = high, 2 * high
        if high > _MOST:
            return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle + 1, high)
    return high

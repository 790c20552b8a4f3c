"""Functions that write figures for people: percentages, numbers and counts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scoref.metrics import means, scale_of
from scoref.metrics.base import figures_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.metrics.base import AnyScore

UNDEFINED = "–"


def percent(value: float | None, precision: int = 2, *, is_defined: bool = True) -> str:
    """Write a fraction for people.

    >>> percent(2 / 3)
    '66.67'
    """
    if value is None:
        return ""
    is_number = is_defined and not math.isnan(value)
    return f"{100 * value:.{precision}f}" if is_number else UNDEFINED


def has_figures(metric: str, *, is_defined: bool) -> bool:
    """Tell whether there is something to show.

    An average with an undefined part is still an average.
    """
    return is_defined or bool(means([metric]))


_FEWER = 2  # decimals of a percentage, by which a number that is none has more


def figure(
    metric: str, value: float | None, precision: int = 2, *, is_defined: bool = True
) -> str:
    """Write a figure of a metric: a percentage, or a number or count as it is.

    >>> figure("muc", 2 / 3), figure("ari", 2 / 3), figure("gmd", 5.0)
    ('66.67', '0.6667', '5')
    """
    scale = scale_of(metric)
    is_number = is_defined and value is not None and not math.isnan(value)
    if value is None or scale == "percent" or not is_number:
        return percent(value, precision, is_defined=is_defined)
    return f"{value:.0f}" if scale == "count" else f"{value:.{precision + _FEWER}f}"


def figures(metric: str, score: AnyScore, precision: int = 2) -> list[str]:
    """Write recall, precision and F₁ of a metric; a value is in the place of F₁.

    >>> from scoref.metrics.base import Score, Value
    >>> figures("muc", Score(0.5, 1.0, 2 / 3)), figures("conll", Value(0.5))
    (['50.00', '100.00', '66.67'], ['', '', '50.00'])
    """
    is_defined = has_figures(metric, is_defined=score.is_defined)
    return [
        figure(metric, value, precision, is_defined=is_defined)
        for value in figures_of(score)
    ]


def between(metric: str, interval: Iterable[float], precision: int = 2) -> str:
    """Write both ends of an interval.

    >>> between("muc", (0.5, 2 / 3))
    '50.00–66.67'
    """
    return "–".join(figure(metric, bound, precision) for bound in interval)


def difference(metric: str, value: float, precision: int = 2) -> str:
    """Write a difference of two figures of a metric likewise, with its sign."""
    if scale_of(metric) == "percent":
        return signed(value, precision)
    return signed(value / 100, precision + _FEWER)


def signed(value: float, precision: int = 2) -> str:
    """Write a difference with its sign; what rounds to nothing has none.

    >>> signed(0.0123, 2), signed(-0.5, 1), signed(-0.00001, 2)
    ('+1.23', '-50.0', '0.00')
    """
    text = f"{100 * value:+.{precision}f}"
    return text if float(text) else text[1:]


def ranks(values: Sequence[float | None], *, is_distance: bool = False) -> list[str]:
    """Rank from the best; equal values share a rank, undefined ones have none.

    >>> ranks([0.5, 0.7, 0.7, None, 0.1])
    ['3', '1', '1', '–', '4']
    """
    sign = -1 if is_distance else 1
    known = [sign * value for value in values if value is not None]
    return [
        UNDEFINED
        if value is None
        else str(1 + sum(other > sign * value for other in known))
        for value in values
    ]

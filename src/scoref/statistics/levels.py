"""Confidence levels: percentages, or fractions up to 1."""

from __future__ import annotations

from scoref.errors import OptionError

_DECIMALS = 10  # 100 * 0.57 is 56.99999999999999


def percent_of(level: float, name: str = "level") -> float:
    """Return a level in percent. As in `--fail-under`, values up to 1 are fractions.

    Apply it to what the user gave, and only once: 0.5 percent is not 0.5.

    Raises:
        OptionError: the level is not between 0 and 100 percent. This includes 1, which
            is the fraction for 100 percent.

    >>> percent_of(0.95), percent_of(95)
    (95.0, 95)
    """
    percent = round(100 * level, _DECIMALS) if level <= 1 else level
    if not 0 < percent < 100:  # noqa: PLR2004 - percent
        raise OptionError(
            f"{name} {level:g} is not between 0 and 100 percent",
            hint="write 95 or 0.95: values up to 1 are fractions",
        )
    return percent

"""Confidence levels: percentages, or fractions up to 1."""

from __future__ import annotations

from scoref.errors import OptionError
from scoref.model import Note
from scoref.notes import WARNING

_LOW = 50  # percent; a lower level is most likely the error rate
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


def low_level(percent: float) -> tuple[Note, ...]:
    """Warn of a level that is most likely the error rate, 5 instead of 95."""
    if percent >= _LOW:
        return ()
    message = (
        f"{WARNING}the confidence level is {percent:g} percent, so intervals are too "
        f"narrow and p up to {1 - percent / 100:g} is significant. Did you mean "
        f"{100 - percent:g}?"
    )
    return (Note("low-level", 1, message),)

"""What commands that score have in common: intervals, one number, a threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import OptionError
from scoref.figures import UNDEFINED, percent
from scoref.terminal.printing import tell
from scoref.terminal.running import BelowThreshold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.scoring.results import Result
    from scoref.statistics.confidence import Confidence


class Chance(NamedTuple):
    """What intervals are wanted."""

    level: float | None
    bootstrap: str
    resamples: int
    seed: int
    unit: str

    def confidence(self, result: Result) -> Confidence:
        """Compute the intervals of a result."""
        from scoref.statistics.confidence import (  # noqa: PLC0415 - if wanted
            confidence,
            method_named,
        )

        return confidence(
            result,
            level=self.level or 95,
            method=method_named(self.bootstrap),
            resamples=self.resamples,
            seed=self.seed,
            unit="entities" if self.unit == "entities" else "documents",
        )


def single_of(metrics: tuple[str, ...]) -> str:
    """Choose the metric of the one number that is wanted."""
    if "conll" in metrics:
        return "conll"
    if len(metrics) == 1:
        return metrics[0]
    if all(name.startswith("bridging") for name in metrics):
        return "bridging-entities"
    raise OptionError("one number is wanted, so ask for one metric, or for conll")


def print_numbers(figures: Sequence[tuple[str, float | None]]) -> None:
    """Print one number for each response, and nothing else."""
    for _, value in figures:
        tell(UNDEFINED if value is None else percent(value))


def check_threshold(
    figures: Sequence[tuple[str, float | None]], metric: str, threshold: float | None
) -> None:
    """Leave with an exit code of its own if a number is too low."""
    if threshold is None:
        return
    least = threshold if threshold <= 1 else threshold / 100
    for response, value in figures:
        if value is None:
            raise BelowThreshold(
                f"{response}: {metric} is undefined (0/0 everywhere), not at least "
                f"{100 * least:.2f}"
            )
        if value < least:
            raise BelowThreshold(
                f"{response}: {metric} is {100 * value:.2f}, below {100 * least:.2f}"
            )

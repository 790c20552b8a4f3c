"""Systems on the command line, and what the scoring commands share.

A system is given as a path or as NAME=PATH. Scoring commands share the choice of
intervals, the output of one number, and the check against a threshold.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import OptionError
from scoref.figures import UNDEFINED, figure
from scoref.scoring.evaluate import read_pairs
from scoref.scoring.pipeline import score_corpora
from scoref.terminal.printing import tell
from scoref.terminal.running import BelowThreshold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoref.scoring.request import Request
    from scoref.scoring.results import Result
    from scoref.statistics.confidence import Confidence


def named(responses: Iterable[str]) -> list[tuple[str, str]]:
    """Split NAME=PATH; a path without a name is its own name."""
    systems: list[tuple[str, str]] = []
    for response in responses:
        name, equals, path = response.partition("=")
        if not equals or not name or not path or os.path.exists(response):
            name, path = response, response
        systems.append((name, path))
    return systems


def by_name(responses: Iterable[str]) -> dict[str, str]:
    """Return paths by name; no two systems may have the same name."""
    systems: dict[str, str] = {}
    for name, path in named(responses):
        if name in systems:
            raise OptionError(f"two systems are called '{name}'")
        systems[name] = path
    return systems


def score_named(
    key: str, responses: Iterable[str], request: Request
) -> Iterator[Result]:
    """Score each response; its result has the name of the system."""
    names = named(responses)
    # A file may be given twice, but a name is for one file.
    by_name(f"{name}={path}" for name, path in dict.fromkeys(names))
    pairs = read_pairs(key, [path for _, path in names], request)
    for pair, (name, path) in zip(pairs, names or [("", "")], strict=True):
        result = score_corpora(*pair, with_blocks=request.with_blocks)
        yield result if name == path else replace(result, response=name)


class Chance(NamedTuple):
    """Which intervals to compute, and how."""

    level: float | None
    bootstrap: str
    resamples: int
    seed: int
    unit: str

    def confidence(self, result: Result) -> Confidence:
        """Compute the intervals of a result."""
        from scoref.statistics.confidence import confidence, method_named

        return confidence(
            result,
            level=self.level or 95,
            method=method_named(self.bootstrap),
            resamples=self.resamples,
            seed=self.seed,
            unit="entities" if self.unit == "entities" else "documents",
        )


def single_of(metrics: tuple[str, ...]) -> str:
    """Choose the metric of the one number to print."""
    if "conll" in metrics:
        return "conll"
    if len(metrics) == 1:
        return metrics[0]
    if all(name.startswith("bridging") for name in metrics):
        return "bridging-entities"
    raise OptionError("one number is wanted, so ask for one metric, or for conll")


def print_numbers(figures: Sequence[tuple[str, float | None]], metric: str) -> None:
    """Print one number for each response, written as in the table of scores."""
    for _, value in figures:
        tell(UNDEFINED if value is None else figure(metric, value))


def check_threshold(
    figures: Sequence[tuple[str, float | None]], metric: str, threshold: float | None
) -> None:
    """Exit with a code of its own if a number is too low."""
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

"""A convention as a value: its names, its users, what it does and what comes of it.

A cause is a phrase that says what makes a figure another one than the convention's
``base`` gives, on which it builds. Some are about one metric; those without a name are
for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.tools.explain.sides import Figures, Sides

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Scoring = Callable[[Sides], Figures]

ANY, NOT_A_NUMBER = "", "nan"
"""Every metric; any that came out as no number at all."""


class Practice(NamedTuple):
    """How some tool, or somebody, gets figures out of two files."""

    name: str
    label: str
    users: str
    causes: Mapping[str, str]
    score: Scoring
    base: str | None = None  # None: the files, read and scored as usual
    takes_duplicates: bool = True  # False: where there are some, it is another figure

    def cause(self, metric: str) -> str:
        """Say what makes a metric differ from that of the base."""
        return self.causes.get(metric) or self.causes.get(ANY, "")


def by(**changes: str) -> Scoring:
    """Change choices of the scheme."""
    return lambda sides: Figures.of(sides.score(**changes))


def usual(sides: Sides) -> Figures:
    """Change nothing."""
    return Figures.of(sides.usual)

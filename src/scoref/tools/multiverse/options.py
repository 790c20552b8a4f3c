"""What can be varied, known without NumPy."""

from __future__ import annotations

from scoref.errors import unknown
from scoref.scheme import CONVENTIONS, choices

AXES = (
    *("match", "singletons", "zeros", "split_antecedents", "duplicates", "alignment"),
    *("average", "blanc", "lea"),
)
"""What is varied if nothing else is asked for."""

KNOWN = (*AXES, "phrases", "nested", "missing")
"""What can be varied: choices between a few values that files need not be read for."""

OF_ONE_METRIC = {"blanc": "blanc", "lea": "lea"}
"""Choices that concern a single metric."""

METRIC = "metric"
"""What the choice of a metric is called among the others."""

RESAMPLES, MOST = 1000, 1000
"""How many corpora are drawn, and how many sets of choices are scored at most."""


def axes_named(text: str | None) -> tuple[str, ...]:
    """Read names with commas between them.

    >>> axes_named("match, split-antecedents")
    ('match', 'split_antecedents')
    """
    if text is None:
        return AXES
    names = [name.strip().replace("-", "_") for name in text.split(",")]
    for name in names:
        if name not in KNOWN:
            raise unknown("convention to vary", name, [label(each) for each in KNOWN])
    return tuple(name for name in KNOWN if name in names)


def label(name: str) -> str:
    """Name a choice as signatures do."""
    return CONVENTIONS[name].label if name in CONVENTIONS else name


def values_of(name: str) -> tuple[str, ...]:
    """List the values of a choice; ``error`` refuses files, and gives no figure."""
    return tuple(value for value in choices(name) if value != "error")

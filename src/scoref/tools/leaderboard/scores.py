"""Flat numbers for a board: one for each dataset, and averages over all.

A board stores finite numbers under short ASCII names. It would leave a missing dataset
out of an average, so the macro average is a score of its own, in which a missing
dataset is 0. A figure that is undefined (0/0) is not a number, so it is not written.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from scoref.metrics import leading

if TYPE_CHECKING:
    from collections.abc import Container

    from scoref.scoring.datasets import DatasetResults

LONGEST = 36
"""What a board's column may be called at most."""

_STRANGE = re.compile(r"[^A-Za-z0-9]+")
_DECIMALS = 4


def flat_scores(results: DatasetResults, system: str) -> dict[str, float]:
    """Give percentages by column: the leading metric first, datasets, then the rest."""
    first, main = results.columns[0], leading(results.metrics)
    found: dict[str, float | None] = {
        column_name(main): results.macro(system, first, main)
    }
    for dataset in results.datasets:
        name = _unused(column_name(dataset), found)
        is_scored = results.is_scored(system, dataset, first)
        found[name] = results.f1(system, dataset, first, main) if is_scored else 0.0
    for column in results.columns[1:]:
        name = _unused(column_name(f"{main}_{column}"), found)
        found[name] = results.macro(system, column, main)
    for metric in results.metrics:
        if metric != main:
            name = _unused(column_name(metric), found)
            found[name] = results.macro(system, first, metric)
    return {
        name: round(100 * value, _DECIMALS)
        for name, value in found.items()
        if value is not None
    }


def column_name(name: str) -> str:
    """Make a name that a board takes: ASCII, with underscores, and not too long.

    >>> column_name("ca_ancora-corefud"), column_name("B³")
    ('ca_ancora_corefud', 'B3')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return _STRANGE.sub("_", plain).strip("_")[:LONGEST] or "score"


def _unused(name: str, taken: Container[str]) -> str:
    """Number a name that is there already."""
    number, tried = 1, name
    while tried in taken:
        number += 1
        tried = f"{name[: LONGEST - len(str(number)) - 1]}_{number}"
    return tried

"""How much each labelled cluster weighs: one over its chance to be drawn."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import FormatError
from scoref.tables.ids import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.metrics.base import Floats
    from scoref.model import Ints

    ByCluster = Mapping[str, float] | Mapping[int, float]
    Numbers = str | ByCluster

UNIFORM, BY_SIZE = DESIGNS = ("uniform", "cluster-size")
"""Designs whose weights are known: each cluster equally likely; each record, with its
whole cluster, so that a cluster is drawn in proportion to its size."""


def column_of(numbers: Numbers | None) -> str | None:
    """Tell which column of the sample has them, if one does."""
    is_column = isinstance(numbers, str) and numbers not in DESIGNS
    return str(numbers) if is_column else None


class Beside:
    """Numbers that a column or a mapping has for each cluster."""

    def __init__(
        self, what: str, source: str, clusters: Sequence[str], of: str = "cluster"
    ) -> None:
        self._what, self._source, self._clusters = what, source, clusters
        self._of = of

    def of_column(self, beside: Sequence[set[str | None]]) -> Floats:
        """Read a column, which must be constant within each cluster."""
        found = []
        for name, values in zip(self._clusters, beside, strict=True):
            numbers = {self._number(name, value) for value in values}
            if len(numbers) > 1:
                listed = " and ".join(f"{each:g}" for each in sorted(numbers)[:2])
                raise self._refused(name, f"differs within it: {listed}")
            found.append(numbers.pop())
        return np.array(found, dtype=np.float64)

    def of_mapping(self, numbers: ByCluster) -> Floats:
        """Look clusters up by their names."""
        by_name = {text_of(name): value for name, value in numbers.items()}
        found = [self._number(name, by_name.get(name)) for name in self._clusters]
        return np.array(found, dtype=np.float64)

    def checked_weights(self, weights: Floats) -> Floats:
        """Refuse a weight that no chance can give."""
        for name, weight in zip(self._clusters, weights.tolist(), strict=True):
            if not isfinite(weight) or weight <= 0:
                raise self._refused(name, f"is {weight:g}, not a number above 0")
        return weights

    def checked_times(self, times: Floats) -> Ints:
        """Refuse what nothing can be drawn as often as."""
        for name, count in zip(self._clusters, times.tolist(), strict=True):
            if not isfinite(count) or count < 1 or count != int(count):
                raise self._refused(name, f"is {count:g}, not a whole number from 1 on")
        return times.astype(np.int64)

    def _number(self, name: str, value: object) -> float:
        if value is None:
            raise self._refused(name, "is missing")
        try:
            return float(str(value))
        except ValueError:
            raise self._refused(name, f"is '{value}', which is no number") from None

    def _refused(self, name: str, problem: str) -> FormatError:
        return FormatError(
            f"the {self._what} of {self._of} '{name}' {problem}",
            source=self._source,
            hint=f"weights are one over the chance that a {self._of} had to be drawn, "
            "up to a factor"
            if self._what == "weight"
            else "times say how often a cluster was drawn",
        )

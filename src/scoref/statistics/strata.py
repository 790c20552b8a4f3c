"""A system as it is compared: a matrix for each dataset, whose scores are averaged."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.scoring.results import Result
from scoref.statistics.additive import Additive

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.metrics.base import Floats

_F1 = 2


def by_dataset(found: Result | Mapping[str, Result]) -> dict[str, Result]:
    """Sort a system's results by dataset; files are one, without a name."""
    if isinstance(found, Result):
        return {"": found}
    return dict(sorted(found.items()))


class Strata(NamedTuple):
    """The datasets of one system, in the order of their names."""

    parts: tuple[Additive, ...]

    @classmethod
    def of(cls, results: Iterable[Result]) -> Strata:
        """Make each result a matrix."""
        return cls(tuple(map(Additive.of, results)))

    def f1_of(self, number: int, sums: Floats) -> Floats:
        """Score sums of one dataset."""
        return self.parts[number].scores(sums)[..., _F1]

    def f1(self, sums: Sequence[Floats]) -> Floats:
        """Score a sum of each dataset, and average."""
        scores = [self.f1_of(number, each) for number, each in enumerate(sums)]
        return np.asarray(np.mean(scores, axis=0))

    @property
    def names(self) -> tuple[str, ...]:
        """Name the metrics."""
        return self.parts[0].names

    @property
    def totals(self) -> list[Floats]:
        """Add up the documents of each dataset."""
        return [part.matrix.sum(axis=0) for part in self.parts]

    @property
    def total(self) -> Floats:
        """Score the whole."""
        return self.f1(self.totals)

    @property
    def sizes(self) -> list[int]:
        """Count the documents of each dataset."""
        return [len(part.documents) for part in self.parts]

    @property
    def documents(self) -> int:
        """Count the documents."""
        return sum(self.sizes)

    @property
    def freedom(self) -> int:
        """Count the documents that could be others, those before being given."""
        return sum(max(0, size - 1) for size in self.sizes)

    @property
    def without_one(self) -> Floats:
        """Score what is left without each document in turn."""
        rows, totals = [], self.totals
        for number, part in enumerate(self.parts):
            left = totals[number] - part.matrix
            sums = [np.broadcast_to(each, left.shape) for each in totals]
            sums[number] = left
            rows.append(self.f1(sums))
        return np.concatenate(rows)

    @property
    def by_document(self) -> Floats:
        """Score each document."""
        return np.concatenate(
            [part.scores(part.matrix)[..., _F1] for part in self.parts]
        )

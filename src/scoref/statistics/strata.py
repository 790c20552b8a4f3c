"""A system as it is compared: a matrix for each dataset, whose scores are averaged."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.metrics.base import ratio
from scoref.scoring.results import Result
from scoref.statistics.additive import Additive

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.metrics.base import Floats
    from scoref.model import Ints

_F1 = 2


def by_dataset(found: Result | Mapping[str, Result]) -> dict[str, Result]:
    """Sort a system's results by dataset; files are one, without a name."""
    if isinstance(found, Result):
        return {"": found}
    return dict(sorted(found.items()))


class ScoredSums(NamedTuple):
    """F1 of sums of one dataset, and 1 where it is defined; 0 for both where not."""

    f1: Floats
    is_defined: Floats

    def repeated(self, shape: tuple[int, ...]) -> ScoredSums:
        """Repeat one sum for as many rows as others have."""
        return ScoredSums(*(np.broadcast_to(each, shape) for each in self))


class Strata(NamedTuple):
    """The datasets of one system, in the order of their names."""

    parts: tuple[Additive, ...]

    @classmethod
    def of(cls, results: Iterable[Result]) -> Strata:
        """Make each result a matrix."""
        return cls(tuple(map(Additive.of, results)))

    def f1_of(self, number: int, sums: Floats) -> ScoredSums:
        """Score sums of one dataset."""
        part = self.parts[number]
        is_defined = part.is_defined(sums).astype(np.float64)
        return ScoredSums(part.scores(sums)[..., _F1] * is_defined, is_defined)

    def f1(self, sums: Sequence[Floats]) -> Floats:
        """Score a sum of each dataset, and average what is defined; 0 if nothing is."""
        return _mean([self.f1_of(number, each) for number, each in enumerate(sums)])

    @property
    def covered(self) -> Ints:
        """Count the datasets in which each metric is defined."""
        sums = enumerate(self.totals)
        defined = [self.f1_of(number, each).is_defined for number, each in sums]
        return np.asarray(np.sum(defined, axis=0), dtype=np.int64)

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
    def figures(self) -> dict[str, float | None]:
        """Score the whole by metric; None where no dataset has anything to score."""
        each = zip(self.names, self.total.tolist(), self.covered.tolist(), strict=True)
        return {name: value if count else None for name, value, count in each}

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
        """Score what is left without each document in turn.

        Without its only document a dataset is missing, and counts as 0.
        """
        rows, totals = [], self.totals
        whole = [self.f1_of(number, each) for number, each in enumerate(totals)]
        for number, part in enumerate(self.parts):
            left = self.f1_of(number, totals[number] - part.matrix)
            if len(part.matrix) == 1:
                left = ScoredSums(left.f1 * 0, whole[number].is_defined[None, :])
            others = [*whole[:number], *whole[number + 1 :]]
            shape = left.f1.shape
            rows.append(_mean([left, *(each.repeated(shape) for each in others)]))
        return np.concatenate(rows)

    @property
    def by_document(self) -> Floats:
        """Score each document."""
        return np.concatenate(
            [part.scores(part.matrix)[..., _F1] for part in self.parts]
        )


def _mean(datasets: Sequence[ScoredSums]) -> Floats:
    scores = np.sum([each.f1 for each in datasets], axis=0)
    return ratio(scores, np.sum([each.is_defined for each in datasets], axis=0))

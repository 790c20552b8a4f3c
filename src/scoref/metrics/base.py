"""What a metric is: a way to count a document, and a way to score a sum.

``count`` makes a matrix of a table, one row for each document. Rows add up:
the score of a corpus is the score of their sum, that of a bootstrap sample the
score of ``weights @ counts``. So ``score`` takes any number of sums at once and
gives recall, precision and F1 for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from scoref.contingency import Contingency

    Floats = NDArray[np.float64]


class Score(NamedTuple):
    """Recall, precision and F1 as fractions; an average of F1s has F1 only.

    ``is_defined`` is False where there was nothing to count on either side, as
    for MUC among singletons. The figures are 0 then, as in the reference scorer.
    """

    recall: float | None
    precision: float | None
    f1: float
    is_defined: bool = True


RATIO_COLUMNS = (
    "recall_numerator",
    "recall_denominator",
    "precision_numerator",
    "precision_denominator",
)


RATIO_DENOMINATORS = (1, 3)


def ratio_score(counts: Floats) -> Floats:
    """Score sums of recall and precision, each a numerator over a denominator."""
    recall = ratio(counts[..., 0], counts[..., 1])
    precision = ratio(counts[..., 2], counts[..., 3])
    return np.stack((recall, precision, f_one(recall, precision)), axis=-1)


@dataclass(frozen=True, slots=True)
class Part:
    """What of a metric has an alignment of plurals to itself.

    ``count_elements`` counts what two plurals stand for, and ``ratios`` makes a ratio
    of recall and one of precision of its columns.
    """

    count: Callable[[Contingency], Floats]
    count_elements: Callable[[Contingency], Floats]
    ratios: tuple[int, int, int, int] = (0, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric as a value: its names, and its two pure functions."""

    name: str
    label: str
    count: Callable[[Contingency], Floats]
    reference: str
    score: Callable[[Floats], Floats] = ratio_score
    columns: tuple[str, ...] = RATIO_COLUMNS
    denominators: tuple[int, ...] = RATIO_DENOMINATORS
    parts: tuple[Part, ...] = ()  # none: plurals are not for this metric

    def is_defined(self, counts: Floats) -> NDArray[np.bool_]:
        """Tell in which rows there is something to count on one side at least."""
        return np.asarray(counts[..., list(self.denominators)].any(axis=-1))

    def score_of(self, sums: Floats) -> Score:
        """Score one vector of sums."""
        recall, precision, f1 = self.score(sums).tolist()
        return Score(recall, precision, f1, bool(self.is_defined(sums)))

    def __call__(self, table: Contingency) -> Score:
        """Score a whole table."""
        return self.score_of(self.count(table).sum(axis=0))


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Divide, with 0 for 0/0 as in the reference scorer."""
    nothing = np.zeros(np.broadcast(numerator, denominator).shape)
    return np.divide(numerator, denominator, out=nothing, where=denominator != 0)


def f_one(recall: Floats, precision: Floats) -> Floats:
    """Take the harmonic mean; 0 if both are 0."""
    return ratio(2 * recall * precision, recall + precision)

"""Confidence intervals by the bootstrap (Efron, 1979), over documents.

Corpora of the same size are drawn from the documents, with replacement, and scored.
``percentile`` cuts off the lowest and the highest scores; ``bca`` (Efron, 1987)
corrects where to cut for bias and for skew, by what leaving out a document does.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.errors import OptionError, unknown
from scoref.model import Note
from scoref.statistics.additive import FIGURES, Additive
from scoref.statistics.draws import resampled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.metrics.base import Floats
    from scoref.results import Result

Method = Literal["bca", "percentile"]
Unit = Literal["documents", "entities"]
UNITS: tuple[Unit, ...] = ("documents", "entities")
METHODS: tuple[Method, ...] = ("bca", "percentile")
RESAMPLES, SEED = 10_000, 2014
FEW = 20
TIE = 1e-12
_ADVICE = "; unit=entities (--unit entities) draws entities instead"


class Interval(NamedTuple):
    """Where a score may lie."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Confidence:
    """Intervals of every figure, and how they were found."""

    level: float
    method: Method
    resamples: int
    seed: int
    unit: str
    count: int
    intervals: Mapping[str, Mapping[str, Interval]]
    notes: tuple[Note, ...] = ()

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        from scoref.statistics.shown import confidence_html  # noqa: PLC0415 - few are shown

        return confidence_html(self)

    @property
    def signature(self) -> str:
        """Every choice behind the intervals, to go with the scores' signature."""
        return (
            f"confidence:{self.level:.15g}|bootstrap:{self.method}|resamples:"
            f"{self.resamples}|seed:{self.seed}|unit:{self.unit}"
        )


def confidence(  # noqa: PLR0913 - every choice behind an interval
    result: Result,
    *,
    level: float = 95,
    method: Method = "bca",
    resamples: int = RESAMPLES,
    seed: int = SEED,
    unit: Unit = "documents",
) -> Confidence:
    """Compute intervals of recall, precision and F1 of every metric of a result.

    Args:
        result: what was scored.
        level: how sure to be, in percent.
        method: ``bca`` or ``percentile``.
        resamples: how many corpora to draw.
        seed: the same seed gives the same digits.
        unit: what to draw: ``documents``, or ``entities`` in blocks where there are few
            documents; then the result must have been scored ``with_blocks``.
    """
    check_options(level, method, resamples)
    if unit not in UNITS:
        raise unknown("unit", unit, UNITS)
    of_entities = unit == "entities"
    additive = Additive.of_blocks(result) if of_entities else Additive.of(result)
    count = len(additive.matrix)
    if not count:
        raise OptionError(f"there are no {unit} to draw")
    drawn = resampled_scores(additive, resamples, seed)
    cuts = _Cuts.of(additive, drawn, level, method)
    found = {
        name: {
            figure: cuts.interval(place, column)
            for column, figure in enumerate(FIGURES)
            if not np.isnan(drawn[0, place, column])
        }
        for place, name in enumerate(additive.names)
    }
    notes = _of_entities(count) if of_entities else few_documents(count, _ADVICE)
    return Confidence(level, method, resamples, seed, unit, count, found, notes)


def check_options(level: float, method: str, resamples: int) -> None:
    """Refuse what makes no interval."""
    if not 0 < level < 100:  # noqa: PLR2004 - percent
        raise OptionError("confidence is a number of percent between 0 and 100")
    if method not in METHODS:
        raise unknown("bootstrap", method, METHODS)
    if resamples < 1:
        raise OptionError("there must be at least one resample")


def few_documents(count: int, advice: str = "") -> tuple[Note, ...]:
    """Say that there are too few documents to mean much, and what to do."""
    if count >= FEW:
        return ()
    documents = "1 document" if count == 1 else f"{count} documents"
    are = "is" if count == 1 else "are"
    message = (
        f"{documents} {are} too few for intervals over documents to mean much (fewer "
        f"than {FEW}){advice}"
    )
    return (Note("few-documents", count, message),)


def _of_entities(count: int) -> tuple[Note, ...]:
    message = (
        f"intervals are over {count} blocks of entities, not over documents: they say "
        "nothing of how scores vary from one document to another"
    )
    return (Note("entity-blocks", count, message),)


def resampled_scores(additive: Additive, resamples: int, seed: int) -> Floats:
    """Score each of many corpora that are drawn."""
    draws = resampled(len(additive.matrix), resamples, seed)
    return np.concatenate(
        [additive.scores(weights @ additive.matrix) for weights in draws]
    )


class _Cuts(NamedTuple):
    """Scores of drawn corpora, and what is needed to say where to cut them off."""

    drawn: Floats
    total: Floats
    without: Floats  # each document in turn
    level: float
    method: Method

    @classmethod
    def of(
        cls, additive: Additive, drawn: Floats, level: float, method: Method
    ) -> _Cuts:
        matrix = additive.matrix
        total = matrix.sum(axis=0)
        without = additive.scores(total - matrix) if method == "bca" else drawn[:0]
        return cls(drawn, additive.scores(total), without, level, method)

    def interval(self, place: int, column: int) -> Interval:
        drawn, total = self.drawn[:, place, column], float(self.total[place, column])
        tail = (1 - self.level / 100) / 2
        cuts = tail, 1 - tail
        if self.method == "bca":
            cuts = corrected(cuts, drawn, total, self.without[:, place, column])
        low, high = np.quantile(drawn, cuts).tolist()
        return Interval(low, high)


def corrected(
    cuts: tuple[float, float], drawn: Floats, total: float, without: Floats
) -> tuple[float, float]:
    """Move both cuts for bias and skew.

    Where all drawn scores lie on one side of the total there is no telling how much,
    and they stay.
    """
    # Sums in another order may differ in the last digit; they are ties all the same.
    is_tie = np.abs(drawn - total) <= TIE
    below = float(((drawn < total) & ~is_tie).mean() + is_tie.mean() / 2)
    if not 0 < below < 1 or not 0 < cuts[0] <= cuts[1] < 1:
        return cuts
    normal = NormalDist()
    bias, skew = normal.inv_cdf(below), _skew(without)
    moved = []
    for cut in cuts:
        shifted = bias + normal.inv_cdf(cut)
        moved.append(normal.cdf(bias + shifted / (1 - skew * shifted)))
    return moved[0], moved[1]


def _skew(without: Floats) -> float:
    """Estimate the acceleration by leaving out each document in turn."""
    away = without.mean() - without
    spread = float(np.square(away).sum())
    if spread == 0:
        return 0.0
    cubes = float((away * away * away).sum())
    return cubes / float(6 * spread**1.5)

"""The data types of a metric: a function that counts, and a function that scores.

``count`` turns a table into a matrix with one row for each document. Rows add up: the
score of a corpus is the score of their sum, and the score of a bootstrap sample is the
score of ``weights @ counts``. So ``score`` takes any number of sums at once and returns
recall, precision and F1 for each.

A metric's record holds everything about it, so one file is enough to add a metric.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeVar

from scoref.lazy import np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from scoref.contingency import Contingency
    from scoref.model import Ints
    from scoref.scheme import Scheme

    Floats = NDArray[np.float64]
    Ranks = tuple[Ints, Ints]
    Figure = TypeVar("Figure", float, Floats)

Needs = Literal["mentions", "words", "zeros", "anaphora"]
Usual = Literal["always", "texts", "tables", "never"]
Scale = Literal["percent", "number", "count"]


class Score(NamedTuple):
    """Recall, precision and F1 as fractions; what is one number has F1 only.

    ``is_defined`` is False where there was nothing to count on either side, as
    for MUC among singletons. The figures are 0 then, as in the reference scorer.
    """

    recall: float | None
    precision: float | None
    f1: float
    is_defined: bool = True


class Scoring(Protocol):
    """Turn sums of counts into recall, precision and F1; 0/0 is ``undefined``."""

    def __call__(self, counts: Floats, undefined: float = 0.0) -> Floats:
        """Score any number of sums at once."""


RATIO_COLUMNS = (
    "recall_numerator",
    "recall_denominator",
    "precision_numerator",
    "precision_denominator",
)


RATIO_DENOMINATORS = (1, 3)


def ratio_score(counts: Floats, undefined: float = 0.0) -> Floats:
    """Score sums of recall and precision, each a numerator over a denominator."""
    recall = ratio(counts[..., 0], counts[..., 1], undefined)
    precision = ratio(counts[..., 2], counts[..., 3], undefined)
    return with_f_one(recall, precision)


@dataclass(frozen=True)
class Part:
    """What of a metric has an alignment of plurals to itself.

    ``count_elements`` counts what two plurals stand for, and ``ratios`` makes a ratio
    of recall and one of precision of its columns.
    """

    count: Callable[[Contingency], Floats]
    count_elements: Callable[[Contingency], Floats]
    ratios: tuple[int, int, int, int] = (0, 1, 2, 3)


class Shares(NamedTuple):
    """A metric's recall shared out among the key's mentions, so that classes have one.

    What a mention gets of the numerator by its cell and by its entity, and what each
    mention of an entity gets of the denominator. All shares add up to the counts.
    """

    of_cell: Floats
    of_entity: Floats
    denominator: Floats

    @classmethod
    def by_cell(cls, of_cell: Floats, denominator: Floats) -> Shares:
        """Share out among the mentions of cells alone."""
        return cls(of_cell, np.zeros(len(denominator)), denominator)


@dataclass(frozen=True, kw_only=True)
class MetricRecord:
    """What there is to say of anything that can be asked for as a metric.

    Args:
        name: as it is typed.
        label: as it is printed.
        asks: its question, in a line.
        reference: who proposed it.
        page: the page about it, in docs/metrics.
        place: where it stands in the order in which metrics are shown.
        usual: where it is computed without being asked for.
        aliases: what else it may be called.
    """

    name: str
    label: str
    asks: str
    reference: str
    page: str
    place: int
    usual: Usual = "always"
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Metric(MetricRecord):
    """A metric as a value: its names, and its two pure functions.

    Args:
        count: a table as a matrix, a row for each document.
        score: sums of rows as recall, precision and F1.
        columns: what is counted.
        denominators: the columns without which there is nothing to score; none: always.
        parts: what aligns plurals by itself; none: plurals are not for this metric.
        needs: what the files must have.
        is_sum_of_blocks: whether entities that share no mention can be counted apart.
        is_sum_of_cells: whether it adds up over cells and entities, if need be with the
            number of all mentions: then others than those that change may be lumped.
        is_aligned: whether it needs entities one by one, which a histogram lacks.
        scale: percentages, or one number as it is, or a count.
        is_distance: whether less is better.
        shares: its recall shared out among mentions, for slices, given the cells that
            ``align`` chose; none: it has no slices.
        align: cells of entities that are aligned, the same for both directions, if it
            aligns; ranks of entities settle ties.
        weigh: weights of cells, in integers, of which an alignment has the highest sum.
        under: the metric under the conventions of a scheme, where these matter.
    """

    count: Callable[[Contingency], Floats]
    score: Scoring = ratio_score
    columns: tuple[str, ...] = RATIO_COLUMNS
    denominators: tuple[int, ...] = RATIO_DENOMINATORS
    parts: tuple[Part, ...] = ()
    needs: Needs = "mentions"
    is_sum_of_blocks: bool = False
    is_sum_of_cells: bool = False
    is_aligned: bool = False
    scale: Scale = "percent"
    is_distance: bool = False
    shares: Callable[[Contingency, Ints], Shares] | None = None
    align: Callable[[Contingency, Ranks | None], Ints] | None = None
    weigh: Callable[[Contingency], Ints] | None = None
    under: Callable[[Scheme], Metric] | None = None

    def is_defined(self, counts: Floats) -> NDArray[np.bool_]:
        """Tell in which rows there is something to count on one side at least."""
        if not self.denominators:
            return np.ones(counts.shape[:-1], dtype=np.bool_)
        return np.asarray(counts[..., list(self.denominators)].any(axis=-1))

    def score_of(self, sums: Floats, undefined: float = 0.0) -> Score:
        """Score one vector of sums."""
        recall, precision, f1 = self.score(sums, undefined).tolist()
        is_defined = bool(self.is_defined(sums))
        if self.scale != "percent":
            return Score(None, None, f1, is_defined)
        return Score(recall, precision, f1, is_defined)

    def __call__(self, table: Contingency) -> Score:
        """Score a whole table."""
        return self.score_of(self.count(table).sum(axis=0))


@dataclass(frozen=True, kw_only=True)
class Mean(MetricRecord):
    """The mean F1 of other metrics, which has no recall and no precision."""

    of: tuple[str, ...]

    def score_of(self, scores: Mapping[str, Score]) -> Score:
        """Average the scores of its parts."""
        parts = [scores[part] for part in self.of]
        f1 = self.mean([part.f1 for part in parts])
        return Score(None, None, f1, all(part.is_defined for part in parts))

    def mean(self, figures: Sequence[Figure]) -> Figure:
        """Average a figure of each part.

        They are added in their order, and not by `sum`, which rounds floats in another
        way from Python 3.12 on.
        """
        total = figures[0]
        for figure in figures[1:]:
            total = total + figure
        return total / len(figures)


def ratio(numerator: Floats, denominator: Floats, undefined: float = 0.0) -> Floats:
    """Divide, with 0 for 0/0 as in the reference scorer, or what else it is to be."""
    shape = np.broadcast(numerator, denominator).shape
    found: Floats = np.full(shape, undefined)
    np.divide(numerator, denominator, out=found, where=denominator != 0)
    return found


def f_one(recall: Floats, precision: Floats) -> Floats:
    """Take the harmonic mean; 0 if both are 0."""
    return ratio(2 * recall * precision, recall + precision)


def with_f_one(recall: Floats, precision: Floats) -> Floats:
    """Put recall, precision and F1 beside each other."""
    return np.stack((recall, precision, f_one(recall, precision)), axis=-1)


def one_number(value: Floats) -> Floats:
    """Give an index the place of F1; it has no recall and no precision."""
    nothing = np.full(value.shape, np.nan)
    return np.stack((nothing, nothing, value), axis=-1)

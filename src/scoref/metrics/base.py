"""The data types of a metric: a function that counts, and a function that scores.

``count`` turns a table into a matrix with one row for each document. Rows add up: the
score of a corpus is the score of their sum, and the score of a bootstrap sample is the
score of ``weights @ counts``. So ``score`` takes any number of sums at once and returns
recall, precision and F₁ for each.

A metric's record holds everything about it, so one file is enough to add a metric.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, TypeVar

from scoref.classes import NamedTuple, dataclass
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
    """Recall, precision and F₁ of a metric, as fractions.

    ``is_defined`` is False if there was nothing to count on either side, as for MUC
    among singletons. The figures are 0 then, as in the reference scorer.
    """

    recall: float
    precision: float
    f1: float
    is_defined: bool = True

    @property
    def value(self) -> float:
        """The same as ``f1``: the figure to use if a metric should have just one."""
        return self.f1


class Value(NamedTuple):
    """The score of a metric that has neither recall nor precision.

    It is a mean of F1s, such as the CoNLL score, an index, such as the adjusted Rand
    index, or a count. ``is_defined`` is False if there was nothing to count.
    """

    value: float
    is_defined: bool = True

    @property
    def f1(self) -> float:
        """The same as ``value``, so that every score has an ``f1``."""
        return self.value


AnyScore: TypeAlias = Score | Value


FIGURES = ("recall", "precision", "f1")
"""The figures of a score, in the order of tables."""


def figures_of(score: AnyScore) -> tuple[float | None, float | None, float]:
    """Return recall, precision and F₁ as tables show them; a value is in F1's place."""
    if isinstance(score, Score):
        return score.recall, score.precision, score.f1
    return None, None, score.value


class Scoring(Protocol):
    """Turn sums of counts into recall, precision and F₁; 0/0 is ``undefined``."""

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
    """A part of a metric that aligns plurals separately.

    ``count_elements`` compares the entities that two plurals stand for. ``ratios`` are
    the columns that make up its recall and its precision.
    """

    count: Callable[[Contingency], Floats]
    count_elements: Callable[[Contingency], Floats]
    ratios: tuple[int, int, int, int] = (0, 1, 2, 3)


class Shares(NamedTuple):
    """A metric's recall, divided among the key's mentions to score classes of them.

    A mention gets a share of the numerator by its cell and by its entity, and a share
    of the denominator by its entity. All shares add up to the counts.
    """

    of_cell: Floats
    of_entity: Floats
    denominator: Floats

    @classmethod
    def by_cell(cls, of_cell: Floats, denominator: Floats) -> Shares:
        """Divide the numerator among the mentions of cells only."""
        return cls(of_cell, np.zeros(len(denominator)), denominator)


class Laws(NamedTuple):
    """What holds for a metric whatever the input; tests check it for each metric.

    Args:
        lowest: the smallest possible figure.
        highest: the largest possible figure.
        mirror: the metric that has the same figures, with recall and precision
            exchanged, if key and response are exchanged: "self", the name of another
            one, or none.
        credits_twinless: whether mentions on one side only can raise the score.
    """

    lowest: float = 0.0
    highest: float = 1.0
    mirror: str | None = "self"
    credits_twinless: bool = False


USUAL_LAWS = Laws()


@dataclass(frozen=True, kw_only=True)
class MetricRecord:
    """The description of a metric or a mean.

    Args:
        name: the name that users type.
        label: the name that is printed.
        asks: the question that it answers, in a line.
        reference: the paper that proposed it.
        page: its page in docs/metrics; of a plugin, the address of a web page.
        place: its place in the order in which metrics are shown.
        usual: the kinds of input for which it is computed without a request.
        aliases: other names that users may type.
        package: the package and version of the plugin that it is from; scoref sets it.
    """

    name: str
    label: str
    asks: str
    reference: str = ""
    page: str = ""
    place: int = 0
    usual: Usual = "never"
    aliases: tuple[str, ...] = ()
    package: str = ""


@dataclass(frozen=True, kw_only=True)
class Metric(MetricRecord):
    """A metric as a value: its description, and its two pure functions.

    Args:
        count: turns a table into a matrix with a row for each document.
        score: turns sums of rows into recall, precision and F₁.
        columns: the names of the columns.
        denominators: the score is undefined if all these columns are 0; none: never.
        parts: the parts that align plurals; none: the metric does not score plurals.
        needs: what the files must have.
        is_sum_of_blocks: whether blocks of entities can be counted separately.
        is_sum_of_cells: whether it is a sum over cells and entities, perhaps with the
            number of all mentions. Then cells that do not change can be added up.
        is_aligned: whether it needs single entities, which a histogram lacks.
        scale: percentages, one number, or a count.
        is_distance: whether lower is better.
        shares: divides its recall among mentions, for slices, given the cells that
            ``align`` chose; none: it has no slices.
        align: returns the cells of aligned entities, the same in both directions;
            ranks of entities break ties.
        weigh: returns the weights of cells, in integers, that the alignment maximises.
        under: returns the metric under the conventions of a scheme, if it has any.
        laws: what holds for its figures.
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
    laws: Laws = USUAL_LAWS

    def is_defined(self, counts: Floats) -> NDArray[np.bool_]:
        """Mark the rows in which there is something to count on at least one side."""
        if not self.denominators:
            return np.ones(counts.shape[:-1], dtype=np.bool_)
        return np.asarray(counts[..., list(self.denominators)].any(axis=-1))

    def is_defined_anywhere(self, counts: Floats) -> bool:
        """Return whether there is something to count in any row."""
        return not self.denominators or any(
            np.count_nonzero(counts[:, column]) for column in self.denominators
        )

    def score_of(self, sums: Floats, undefined: float = 0.0) -> AnyScore:
        """Score one vector of sums."""
        return self.as_score(self.score(sums, undefined).tolist(), sums)

    def as_score(self, figures: Sequence[float], sums: Floats) -> AnyScore:
        """Return recall, precision and F₁ as the score of these sums."""
        recall, precision, f1 = figures
        values = sums.tolist()
        denominators = [values[column] for column in self.denominators]
        is_defined = any(denominators) or not denominators
        if self.scale != "percent":
            return Value(f1, is_defined)
        return Score(recall, precision, f1, is_defined)

    def __call__(self, table: Contingency) -> AnyScore:
        """Score a whole table."""
        return self.score_of(self.count(table).sum(axis=0))


def score_sums(
    metrics: Mapping[str, Metric], sums: Mapping[str, Floats], undefined: float = 0.0
) -> dict[str, AnyScore]:
    """Score a vector of sums by each metric; all that are ratios are scored at once."""
    ratios = [name for name, metric in metrics.items() if metric.score is ratio_score]
    figures: dict[str, list[float]] = {}
    if ratios:
        rows = np.array([sums[name][: len(RATIO_COLUMNS)] for name in ratios])
        figures = dict(zip(ratios, ratio_score(rows, undefined).tolist(), strict=True))
    return {
        name: metric.as_score(figures[name], sums[name])
        if name in figures
        else metric.score_of(sums[name], undefined)
        for name, metric in metrics.items()
    }


@dataclass(frozen=True, kw_only=True)
class Mean(MetricRecord):
    """The mean F₁ of other metrics, which has no recall and no precision."""

    of: tuple[str, ...]

    def score_of(self, scores: Mapping[str, AnyScore]) -> Value:
        """Average the scores of its parts."""
        parts = [scores[part] for part in self.of]
        f1 = self.mean([part.f1 for part in parts])
        return Value(f1, all(part.is_defined for part in parts))

    def mean(self, figures: Sequence[Figure]) -> Figure:
        """Average a figure of each part.

        They are added one by one and not by `sum`, which rounds floats differently
        since Python 3.12.
        """
        total = figures[0]
        for figure in figures[1:]:
            total = total + figure
        return total / len(figures)


def ratio(numerator: Floats, denominator: Floats, undefined: float = 0.0) -> Floats:
    """Divide; 0/0 is ``undefined``, by default 0 as in the reference scorer."""
    if np.count_nonzero(denominator) == denominator.size:
        return np.asarray(numerator / denominator)
    is_zero = denominator == 0
    return np.where(is_zero, undefined, numerator / (denominator + is_zero))


def f_one(recall: Floats, precision: Floats) -> Floats:
    """Return the harmonic mean; 0 if both are 0."""
    return ratio(2 * recall * precision, recall + precision)


_ROUNDING = 1e-9


def f_beta(score: AnyScore, beta: float) -> float | None:
    """Return the weighted harmonic mean; None if F₁ is not the harmonic mean.

    >>> f_beta(Score(0.5, 1.0, 2 / 3), 2), f_beta(Value(0.7), 2)
    (0.5555555555555556, None)
    """
    if not isinstance(score, Score):
        return None
    recall, precision, f1, _ = score
    both = recall + precision
    if both and not abs(f1 - 2 * recall * precision / both) < _ROUNDING:
        return None  # as for BLANC, whose figures are means of two classes of links
    below = beta**2 * precision + recall
    return (1 + beta**2) * recall * precision / below if below else f1


def with_f_one(recall: Floats, precision: Floats) -> Floats:
    """Return recall, precision and F₁ as the last axis."""
    return columns(recall, precision, f_one(recall, precision))


def one_number(value: Floats) -> Floats:
    """Return an index in the place of F₁, without recall and precision."""
    nothing = np.full(value.shape, np.nan)
    return columns(nothing, nothing, value)


def columns(*values: Floats | Ints) -> Floats:
    """Return a matrix of these columns, or a row of these numbers."""
    matrix = np.empty((*values[-1].shape, len(values)))
    for place, column in enumerate(values):
        matrix[..., place] = column
    return matrix

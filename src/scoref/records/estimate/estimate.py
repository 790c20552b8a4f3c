"""The function `estimate`: the scores of a prediction from labelled clusters or pairs.

Its result, an `Estimate`, has the figures, their errors and intervals, and the
assumptions about the sample.

The estimates of the package er-evaluation can be reproduced, with their flaws. It adds
Tin's (1965) correction of bias, whose error is often larger than the bias. Its cluster
precision divides an estimated number of correct clusters by the known number of
predicted ones, so it can be above 1. With A = wa, B = wb and k clusters:

    R · (1 + mean(B/B̄ · (A/Ā − B/B̄)) / (k − 1))
    error: R · √(Σ(B/B̄)² + Σ(A/Ā)² − 2 Σ AB/(ĀB̄)) / √(k (k − 1))
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import wraps
from math import sqrt
from typing import TYPE_CHECKING, Literal, NamedTuple, ParamSpec, get_args

import numpy as np

from scoref.displayed import Displayed
from scoref.errors import (
    AlignmentError,
    FormatError,
    OptionError,
    did_you_mean,
    unknown,
)
from scoref.metrics import ByMetric, metric_names
from scoref.metrics.base import FIGURES, Score
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.records.columns import MissingColumnError, WantedColumns
from scoref.records.engines import check_engine, count_sample
from scoref.records.estimate.estimators import (
    BY_SIZE,
    DESIGNS,
    TERMS,
    UNIFORM,
    ClusterCells,
    ClusterNumbers,
    Draws,
    MetricEstimate,
    column_of,
    estimate_metric,
)
from scoref.records.estimate.report import assumptions, estimate_notes, signature_of
from scoref.records.notes import same_file_notes
from scoref.records.pair_tables import PairTableError
from scoref.records.request import CountRequest, check_memory, missing_words
from scoref.records.sources import recognise
from scoref.records.summary import hill_number
from scoref.scoring.scores import Scores
from scoref.statistics.bootstrap import percent_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.records.estimate.estimators import Numbers
    from scoref.records.request import Progress, SampleCounts
    from scoref.statistics.bootstrap import Interval

    Figures = Mapping[str, Mapping[str, float | None]]
    Intervals = Mapping[str, Mapping[str, Interval | None]]


Arguments = ParamSpec("Arguments")

Missing = Literal["error", "alone", "drop"]

Estimator = Literal["ratio", "er-evaluation"]


class Choices(NamedTuple):
    """The choices that can change a figure of an estimate."""

    weights: Numbers
    times: Numbers | None
    missing: Missing
    metrics: tuple[str, ...]
    level: float
    estimator: Estimator
    block: bool

    @property
    def is_er_evaluation(self) -> bool:
        """Whether the figures of er-evaluation are wanted."""
        return self.estimator == "er-evaluation"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of weights and times, in this order."""
        names = column_of(self.weights), column_of(self.times)
        return tuple(name for name in names if name is not None)

    def check(self) -> None:
        """Refuse unknown choices, and choices that cannot be combined."""
        for kind, choice, known in (
            ("value of --missing", self.missing, get_args(Missing)),
            ("estimator", self.estimator, get_args(Estimator)),
        ):
            if choice not in known:
                raise unknown(kind, choice, known)
        if self.block and self.weights != UNIFORM:
            raise OptionError(
                "a block is one draw, so all its clusters have the same "
                "weight. Leave out weights and times"
            )
        if self.is_er_evaluation and (self.times is not None or self.block):
            raise OptionError("er-evaluation has no times and no blocks")


_FORMER = {"pairs": "key_pairs", "match": "label"}


def _with_former_names(
    function: Callable[Arguments, Estimate],
) -> Callable[Arguments, Estimate]:
    """Accept the former names of parameters, which are not listed."""

    @wraps(function)
    def estimate(*args: Arguments.args, **named: Arguments.kwargs) -> Estimate:
        for former in _FORMER.keys() & named.keys():
            name = _FORMER[former]
            if name in named:
                raise TypeError(
                    f"estimate() got {former}, the former name of {name}, and {name}"
                )
            named[name] = named.pop(former)
        return function(*args, **named)

    return estimate


@_with_former_names
def estimate(
    sample: object,
    predicted: object,
    *,
    weights: Numbers = UNIFORM,
    times: Numbers | None = None,
    missing: Missing = "error",
    metrics: str | Iterable[str] | None = None,
    level: float = 95,
    estimator: Estimator = "ratio",
    block: bool = False,
    key_pairs: bool | None = None,
    left: str | None = None,
    right: str | None = None,
    label: str | None = None,
    mention: str | None = None,
    key_mention: str | None = None,
    response_mention: str | None = None,
    key_cluster: str | None = None,
    response_cluster: str | None = None,
    missing_values: str | Iterable[str] | None = None,
    engine: str | None = None,
    memory: str | None = None,
    header: bool | None = None,
    table: str | tuple[str, str] | None = None,
    remote: bool = False,
    progress: Progress | None = None,
) -> Estimate:
    """Estimate the scores of a whole prediction from a sample of true clusters.

    This assumes that every labelled cluster is complete, that clusters were drawn by
    chance, that true clusters were drawn and not predicted ones, and that predicted
    clusters are complete as well. The data do not show whether this is true.

    Args:
        sample: the labelled records, as `score_table` takes a key; a record without a
            cluster is not labelled.
        predicted: the whole prediction, as `score_table` takes a response.
        weights: how clusters were drawn: ``uniform``, each as likely as any other;
            ``cluster-size``, by drawing records; otherwise a column or a mapping from
            cluster to 1/chance, up to a factor.
        times: how often each cluster was drawn, as a column or a mapping; by default
            once.
        missing: labelled records that the prediction lacks: refuse them (``error``),
            count each as a predicted singleton (``alone``), or leave them out
            (``drop``).
        metrics: names of metrics; by default all five that are sums over clusters.
        level: the level of the intervals in percent, or as a fraction up to 1.
        estimator: ``ratio``, or ``er-evaluation`` for that package's figures.
        block: whether the sample is all of one block, which has no intervals.
        key_pairs: whether the sample has pairs. With a label (0 or 1), pairs were
            drawn. Without one, all are matches, and linked records are a cluster. By
            default, the names of the columns decide.
        left: the column of a pair's first record, if its name is not known.
        right: the column of the second record.
        label: the column of the label.
        mention: the column of records, as in `score_table`, like those below.
        key_mention: the sample's column, if the prediction calls it differently.
        response_mention: the prediction's column.
        key_cluster: the sample's column of clusters.
        response_cluster: the prediction's.
        missing_values: clusters that mean "not clustered", as in `score_table`.
        engine: numpy, duckdb or spark; by default chosen by the size of the tables.
        memory: the memory that DuckDB may use, such as 2GB.
        header: whether a text file begins with names; by default detected.
        table: the table of a database, or one for each side.
        remote: whether a path may be an address, such as s3://…
        progress: called with each step and the share of the work that is done.

    >>> predicted = {1: "p", 2: "p", 3: "q", 4: "q", 5: "r", 6: "r"}
    >>> result = estimate({1: "a", 2: "a", 3: "a", 5: "b", 6: "b"}, predicted)
    >>> result.scores["cluster"].recall, result.draws
    (0.5, 2)
    """
    choices = Choices(
        *(weights, times, missing, _metric_names(metrics, estimator)),
        *(percent_of(level), estimator, block),
    )
    choices.check()
    check_memory(memory)
    check_engine(engine)
    request = CountRequest(
        wanted=WantedColumns(
            *(mention, key_cluster, response_cluster, None),
            *(key_mention, response_mention),
            others=choices.columns,
        ),
        ceaf=False,
        header=header,
        table=table,
        memory=memory,
        remote=remote,
        progress=progress,
        missing_values=missing_words(missing_values),
    )
    if not key_pairs and (left or right or label):
        raise OptionError(
            "--left, --right and --label name the columns of pairs. Add --key-pairs"
        )
    of_pairs = left, right, label
    if not key_pairs:
        try:
            return estimate_clusters(sample, predicted, choices, request, engine)
        except PairTableError as error:
            if error.role != "key" or key_pairs is not None:
                raise
    from scoref.records.estimate.pairs import estimate_from_pairs

    result = estimate_from_pairs(sample, predicted, choices, request, of_pairs, engine)
    if key_pairs:
        return result
    text = (
        f"{WARNING}The sample is read as pairs of records, because of its column "
        "names. Use --key-pairs to say so."
    )
    return replace(result, notes=(Note("key-pairs", 1, text), *result.notes))


def estimate_clusters(
    sample: object,
    predicted: object,
    choices: Choices,
    request: CountRequest,
    engine: str | None,
    fields: Mapping[str, str] | None = None,
) -> Estimate:
    """Estimate from labelled clusters; ``fields`` are added to the signature."""
    tables = [
        recognise(sample, "sample", remote=request.remote),
        recognise(predicted, "prediction", remote=request.remote),
    ]
    try:
        counts = count_sample(
            tables, request, engine, with_total=choices.is_er_evaluation
        )
    except MissingColumnError as error:
        raise missing_weights(error.name, DESIGNS, error.columns) from error
    kept = _select(counts, choices)
    figures = {
        name: _estimate_metric(name, kept, counts, choices) for name in choices.metrics
    }
    weight = kept.times * kept.weights
    records = float(weight @ kept.cells.size)
    return Estimate(
        scores=Scores((name, one.score) for name, one in figures.items()),
        errors=ByMetric((name, one.errors) for name, one in figures.items()),
        intervals=ByMetric((name, one.intervals) for name, one in figures.items()),
        effective=ByMetric((name, one.effective) for name, one in figures.items()),
        values={
            "cluster-size": records / float(weight.sum()),
            "clusters": counts.response.clustered * float(weight.sum()) / records,
            **_size_values(kept.cells.size, weight),
        },
        clusters=len(kept.names),
        draws=int(kept.times.sum()),
        records=int(kept.cells.size.sum()),
        level=choices.level,
        signature=signature_of(choices, **(fields or {})),
        promise=assumptions(choices),
        notes=(
            *same_file_notes(tables, request),
            *estimate_notes(kept, figures, counts, choices, request),
        ),
        columns=counts.columns,
    )


def _size_values(size: Ints, weight: Floats) -> dict[str, float]:
    """Estimate the matching rate and the Hill numbers of the sizes of true clusters."""
    sizes, number = np.unique(size, return_inverse=True)
    clusters = np.bincount(number, weight)
    records = clusters * sizes
    shares = (clusters / clusters.sum()).tolist()
    return {
        "matching-rate": float(records[sizes > 1].sum() / records.sum()),
        **{f"hill-{order}": hill_number(shares, order) for order in (0, 1, 2)},
    }


def missing_weights(
    name: str, designs: Iterable[str], columns: Sequence[str] = ()
) -> OptionError:
    """Return the error for weights that are neither a design nor a column."""
    names = f"The columns are {', '.join(columns)}. " if columns else ""
    meant = did_you_mean(name, (*designs, *columns))
    return OptionError(
        f"the sample has no column '{name}'" + (f". {meant}" if meant else ""),
        hint=f"{names}Weights may also be {' or '.join(designs)}.",
    )


def _metric_names(
    metrics: str | Iterable[str] | None, estimator: Estimator
) -> tuple[str, ...]:
    """Check names of metrics, which must be sums over clusters."""
    if metrics is None:
        return ER_EVALUATION_METRICS if estimator == "er-evaluation" else tuple(TERMS)
    names = metric_names(metrics)
    for name in names:
        if name not in TERMS:
            raise OptionError(
                f"'{name}' cannot be estimated from a sample. Choose from "
                f"{', '.join(TERMS)}"
            )
    if not names:
        raise OptionError(
            "no metric was given. Leave the option out to get all metrics"
        )
    return tuple(name for name in TERMS if name in names)


class EstimationSample(NamedTuple):
    """The part of a sample that is used, and how many labelled records are missing."""

    names: list[str]
    cells: ClusterCells
    weights: Floats
    times: Ints
    missing: int


def _estimate_metric(
    name: str, kept: EstimationSample, counts: SampleCounts, choices: Choices
) -> MetricEstimate:
    if choices.is_er_evaluation:
        if name not in ER_EVALUATION_METRICS:
            raise unknown(
                "metric that er-evaluation can estimate", name, ER_EVALUATION_METRICS
            )
        whole = Population(counts.response.clustered, counts.predicted_clusters or 1)
        return estimate_like_er_evaluation(name, kept.cells, kept.weights, whole)
    draws = Draws(TERMS[name](kept.cells), kept.weights, kept.times)
    return estimate_metric(name, draws, None if choices.block else choices.level)


def _select(counts: SampleCounts, choices: Choices) -> EstimationSample:
    """Weight clusters by the design, and drop missing records or make them singletons.

    A record that the prediction lacks could be drawn as well, so it counts in the size
    by which its cluster was drawn; er-evaluation does not count it.
    """
    predicted = counts.predicted_records
    _check_overlap(counts, int(predicted.sum()), choices)
    is_dropped = choices.missing == "drop" or choices.is_er_evaluation
    size = predicted if is_dropped else counts.size
    drawn_size = predicted if choices.is_er_evaluation else counts.size
    weights = _weights(counts, choices, np.maximum(drawn_size, 1))
    times = _times(counts, choices)
    missing = counts.size - predicted
    left = np.flatnonzero(size)
    place = np.cumsum(size > 0) - 1
    # A record that is a predicted singleton has a cell of its own.
    alone = np.repeat(np.arange(len(size)), 0 if is_dropped else missing)
    ones = np.ones(len(alone), dtype=np.int64)
    cells = ClusterCells(
        size[left],
        place[np.append(counts.cell, alone)],
        np.append(counts.shared, ones),
        np.append(counts.predicted_size, ones),
    )
    names = [counts.clusters[cluster] for cluster in left.tolist()]
    return EstimationSample(
        names, cells, weights[left], times[left], int(missing.sum())
    )


def _check_overlap(counts: SampleCounts, predicted: int, choices: Choices) -> None:
    """Refuse a sample without records, and records that the prediction lacks."""
    labelled = int(counts.size.sum())
    source = f"{counts.key.source}, {counts.response.source}"
    if not labelled:
        raise FormatError("no record is labelled", source=counts.key.source)
    if not predicted:
        raise AlignmentError(
            f"none of the {labelled:,} labelled records is in the prediction",
            source=source,
            hint="Ids are compared as text. If other columns are meant, name "
            "them: --record, --gold, --cluster.",
        )
    if (
        predicted < labelled
        and choices.missing == "error"
        and not choices.is_er_evaluation
    ):
        raise AlignmentError(
            f"{labelled - predicted:,} of {labelled:,} labelled records are "
            "not in the prediction",
            source=source,
            hint="Use --missing-records alone to count each as a predicted singleton, "
            "or --missing-records drop to leave them out (missing in Python).",
        )


def _weights(counts: SampleCounts, choices: Choices, drawn_size: Ints) -> Floats:
    if choices.weights == UNIFORM:
        return np.ones(len(drawn_size))
    if choices.weights == BY_SIZE:
        return 1 / drawn_size
    reader = ClusterNumbers("weight", counts.key.source, counts.clusters)
    return reader.check_weights(_numbers(reader, choices.weights, 0, counts))


def _times(counts: SampleCounts, choices: Choices) -> Ints:
    if choices.times is None:
        return np.ones(len(counts.clusters), dtype=np.int64)
    reader = ClusterNumbers("number of draws", counts.key.source, counts.clusters)
    place = len(choices.columns) - 1
    return reader.check_times(_numbers(reader, choices.times, place, counts))


def _numbers(
    reader: ClusterNumbers, numbers: Numbers, place: int, counts: SampleCounts
) -> Floats:
    """Read numbers from a column of the sample, or from a mapping."""
    if not isinstance(numbers, str):
        return reader.from_mapping(numbers)
    if counts.others[0] == {()}:  # the sample's columns have no names
        raise missing_weights(numbers, DESIGNS)
    return reader.from_column(
        [{row[place] for row in values} for values in counts.others]
    )


@dataclass(frozen=True, slots=True, repr=False)
class Estimate(Displayed):
    """Figures of a whole prediction, estimated from a sample of true clusters.

    ``errors``, ``intervals`` and ``effective`` are by metric and figure: ``recall``,
    ``precision``, ``f1``; None if the sample does not show it. ``effective`` is Kish's
    number: how many clusters of equal weight would say as much.
    """

    scores: Scores
    errors: Figures
    intervals: Intervals
    effective: Figures
    values: Mapping[str, float]
    clusters: int
    draws: int
    records: int
    level: float
    signature: str
    promise: str
    notes: tuple[Note, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)

    _reported_by = "records.estimate.report:estimate_report"

    @property
    def _in_short(self) -> str:
        clusters = counted(self.clusters, "cluster")
        return f"{', '.join(self.metrics)} of a sample of {clusters}"

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that were estimated."""
        return tuple(self.scores)

    def plan(self, width: float) -> dict[str, dict[str, int | None]]:
        """Return how many draws make each interval at most this wide.

        Args:
            width: from the low end to the high one, as a fraction: 0.04 for ± 2 points.
        """
        from scoref.records.estimate.estimators import plan_draws  # SciPy

        return plan_draws(self, width)


ER_EVALUATION_METRICS = ("pairwise", "bcub-entity", "cluster")
"""The metrics that er-evaluation estimates."""


class Population(NamedTuple):
    """The size of the whole prediction."""

    records: int
    clusters: int


def estimate_like_er_evaluation(
    name: str, cells: ClusterCells, weights: Floats, whole: Population
) -> MetricEstimate:
    """Estimate a metric as er-evaluation does, which has no intervals."""
    a, b, a_precise, b_precise = (TERMS[name](cells) * weights[:, None]).T
    ratios = [(a, b), (a_precise, b_precise), (a, (b + b_precise) / 2)]
    if name == "cluster":
        size = cells.size * weights
        mean = whole.records / whole.clusters
        ratios[1:] = [(mean * a, size), (2 * mean * a, mean * b + size)]
    figures = [_ratio(numerator, denominator) for numerator, denominator in ratios]
    if name == "bcub-entity":
        recall, precision = figures[0][0], figures[1][0]
        f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0
        figures[2] = float(f1), None
    values, errors = zip(*figures, strict=True)
    nothing = dict.fromkeys(FIGURES)
    return MetricEstimate(
        Score(*values), dict(zip(FIGURES, errors, strict=True)), nothing, nothing
    )


def _ratio(numerator: Floats, denominator: Floats) -> tuple[float, float | None]:
    """Estimate a ratio and its error; None if rounding makes its square negative."""
    count = len(numerator)
    if not numerator.any() or not denominator.any():
        return 0.0, None
    a, b = numerator / numerator.mean(), denominator / denominator.mean()
    raw = float(numerator.sum() / denominator.sum())
    if count == 1:
        return raw, None
    ratio = raw * float(1 + (b * (a - b)).mean() / (count - 1))
    square = float(np.square(b).sum() + np.square(a).sum() - 2 * (a * b).sum())
    scale = raw / sqrt(count * (count - 1))
    return ratio, scale * sqrt(square) if square >= 0 else None

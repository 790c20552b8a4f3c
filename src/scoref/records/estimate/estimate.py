"""The function `estimate`: the scores of a prediction from labelled clusters or pairs.

Its result, an `Estimate`, has the figures, their errors and intervals, and the
assumptions about the sample.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from scoref.displayed import Displayed
from scoref.errors import AlignmentError, FormatError, OptionError, unknown
from scoref.figures import counted
from scoref.records.api import same_file_notes
from scoref.records.columns import MissingColumnError, WantedColumns
from scoref.records.estimate.er_evaluation import (
    KNOWN,
    TERMS,
    ClusterCells,
    Population,
    estimate_like_er_evaluation,
)
from scoref.records.estimate.estimators import (
    BY_SIZE,
    DESIGNS,
    UNIFORM,
    ClusterNumbers,
    Draws,
    column_of,
    count_sample,
    estimate_metric,
)
from scoref.records.estimate.report import notes_on, promise_of, signature_of
from scoref.records.request import CountRequest, check_memory
from scoref.records.sources import recognise
from scoref.statistics.bootstrap import percent_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoref.metrics.base import Floats, Score
    from scoref.model import Ints, Note
    from scoref.records.counting import SampleCounts
    from scoref.records.estimate.estimators import MetricEstimate, Numbers
    from scoref.records.request import Progress
    from scoref.statistics.bootstrap import Interval

    Figures = Mapping[str, Mapping[str, float | None]]
    Intervals = Mapping[str, Mapping[str, Interval | None]]


Missing = Literal["error", "alone", "drop"]

Estimator = Literal["ratio", "er-evaluation"]


class Choices(NamedTuple):
    """Everything that moves a figure of an estimate."""

    weights: Numbers
    times: Numbers | None
    missing: Missing
    metrics: tuple[str, ...]
    level: float
    estimator: Estimator
    block: bool

    @property
    def is_incumbent(self) -> bool:
        """Whether er-evaluation's figures are wanted."""
        return self.estimator == "er-evaluation"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that weights and times are read from, in this order."""
        names = column_of(self.weights), column_of(self.times)
        return tuple(name for name in names if name is not None)

    def check(self) -> None:
        """Refuse what does not exist, or does not go together."""
        for kind, found, known in (
            ("way with missing records", self.missing, get_args(Missing)),
            ("estimator", self.estimator, get_args(Estimator)),
        ):
            if found not in known:
                raise unknown(kind, found, known)
        if self.block and self.weights != UNIFORM:
            raise OptionError("a block is one draw: its clusters weigh the same")
        if self.is_incumbent and (self.times is not None or self.block):
            raise OptionError("er-evaluation knows neither times nor blocks")


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
    pairs: bool = False,
    left: str | None = None,
    right: str | None = None,
    match: str | None = None,
    mention: str | None = None,
    key_mention: str | None = None,
    response_mention: str | None = None,
    key_cluster: str | None = None,
    response_cluster: str | None = None,
    engine: str | None = None,
    memory: str | None = None,
    header: bool | None = None,
    table: str | tuple[str, str] | None = None,
    remote: bool = False,
    progress: Progress | None = None,
) -> Estimate:
    """Estimate the scores of a whole prediction from a sample of true clusters.

    You promise that every labelled cluster is complete, that clusters were drawn by
    chance, that true ones were drawn and not predicted ones, and that the prediction
    has everything that its clusters hold. None of it can be seen from the data.

    Args:
        sample: the labelled records, as `score_table` takes a key; a record without a
            cluster is not labelled.
        predicted: the whole prediction, as `score_table` takes a response.
        weights: how clusters were drawn: ``uniform``, each as likely as any other;
            ``cluster-size``, by drawing records; otherwise a column or a mapping from
            cluster to 1/chance, up to a factor.
        times: how often each cluster was drawn, as a column or a mapping; once if None.
        missing: labelled records that the prediction lacks: refuse them (``error``),
            count each as a predicted singleton (``alone``), or leave them out
            (``drop``).
        metrics: names of metrics; all five that are sums over clusters if None.
        level: the level of the intervals in percent, or as a fraction up to 1.
        estimator: ``ratio``, or ``er-evaluation`` for that package's figures.
        block: the sample is all of one block, which says nothing of others.
        pairs: the sample has labelled pairs: record, record, match (0 or 1).
        left: the column of a pair's first record, if its name is not known.
        right: that of the second.
        match: that of the label.
        mention: the column of records, as in `score_table`, like those below.
        key_mention: that of the sample, if the prediction calls it differently.
        response_mention: that of the prediction.
        key_cluster: the sample's column of clusters.
        response_cluster: the prediction's.
        engine: numpy, duckdb or spark; otherwise what fits the tables.
        memory: what DuckDB may use, such as 2GB.
        header: whether a text file begins with names; otherwise by what stands there.
        table: the table of a database, or one for each side.
        remote: whether a path may be an address, such as s3://…
        progress: is told what is done and which part of all that is.

    >>> predicted = {1: "p", 2: "p", 3: "q", 4: "q", 5: "r", 6: "r"}
    >>> found = estimate({1: "a", 2: "a", 3: "a", 5: "b", 6: "b"}, predicted)
    >>> found.scores["cluster"].recall, found.draws
    (0.5, 2)
    """
    choices = Choices(
        *(weights, times, missing, _chosen(metrics, estimator)),
        *(percent_of(level), estimator, block),
    )
    choices.check()
    check_memory(memory)
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
    )
    if not pairs and (left or right or match):
        raise OptionError(
            "left, right and match name the columns of pairs: add --pairs"
        )
    if pairs:
        from scoref.records.estimate.pairs import estimate_pairs

        columns = left, right, match
        return estimate_pairs(
            sample, predicted, choices, request, columns, engine=engine
        )
    try:
        counted = count_sample(
            sample, predicted, request, engine=engine, with_total=choices.is_incumbent
        )
    except MissingColumnError as error:
        raise unknown("weights", error.name, (*DESIGNS, *error.columns)) from error
    found = _estimate(counted, choices, request)
    paths = [each for each in (sample, predicted) if isinstance(each, str | PathLike)]
    tables = [recognise(each, "table", remote=remote) for each in paths]
    return replace(found, notes=(*same_file_notes(tables, request), *found.notes))


def _chosen(
    metrics: str | Iterable[str] | None, estimator: Estimator
) -> tuple[str, ...]:
    """Check names of metrics; those that are no sum over clusters have no estimate."""
    if metrics is None:
        return KNOWN if estimator == "er-evaluation" else tuple(TERMS)
    given = metrics.replace(",", " ").split() if isinstance(metrics, str) else metrics
    names = [name.lower() for name in given]
    for name in names:
        if name not in TERMS:
            raise unknown("metric that is a sum over clusters", name, TERMS)
    if not names:
        raise OptionError("no metric was named; leave the option out to get all")
    return tuple(name for name in TERMS if name in names)


class EstimationSample(NamedTuple):
    """The part of a sample that is estimated from, and what was left out."""

    names: list[str]
    cells: ClusterCells
    weights: Floats
    times: Ints
    missing: int  # labelled records that the prediction lacks

    @property
    def draws(self) -> int:
        """How many draws were made."""
        return int(self.times.sum())


def _estimate(
    counted: SampleCounts, choices: Choices, request: CountRequest
) -> Estimate:
    kept = _kept(counted, choices)
    found = {name: _estimated(name, kept, counted, choices) for name in choices.metrics}
    return Estimate(
        scores={name: each.score for name, each in found.items()},
        errors={name: each.errors for name, each in found.items()},
        intervals={name: each.intervals for name, each in found.items()},
        effective={name: each.effective for name, each in found.items()},
        values=_values(kept, counted.response.kept),
        clusters=len(kept.names),
        draws=kept.draws,
        records=int(kept.cells.size.sum()),
        level=choices.level,
        signature=signature_of(choices),
        promise=promise_of(choices),
        notes=tuple(notes_on(kept, found, counted, choices, request)),
        columns=counted.columns,
    )


def _estimated(
    name: str, kept: EstimationSample, counted: SampleCounts, choices: Choices
) -> MetricEstimate:
    if choices.is_incumbent:
        if name not in KNOWN:
            raise unknown("estimator of er-evaluation's", name, KNOWN)
        whole = Population(counted.response.kept, counted.predicted_clusters or 1)
        return estimate_like_er_evaluation(name, kept.cells, kept.weights, whole)
    drawn = Draws(TERMS[name](kept.cells), kept.weights, kept.times)
    return estimate_metric(name, drawn, None if choices.block else choices.level)


def _values(kept: EstimationSample, records: int) -> dict[str, float]:
    """Estimate how large true clusters are, and how many there are."""
    weight = kept.times * kept.weights
    of_records = float(weight @ kept.cells.size)
    return {
        "cluster-size": of_records / float(weight.sum()),
        "clusters": records * float(weight.sum()) / of_records,
    }


def _kept(counted: SampleCounts, choices: Choices) -> EstimationSample:
    """Weigh clusters as they were drawn, and treat records that are missing."""
    found = counted.found
    _check_met(counted, int(found.sum()), choices)
    is_dropped = choices.missing == "drop" or choices.is_incumbent
    size = found if is_dropped else counted.size
    # A record that is not in the prediction was there to be drawn all the same.
    drawn_size = found if choices.is_incumbent else counted.size
    left = np.flatnonzero(size)
    weights = _weights(counted, choices, np.maximum(drawn_size, 1))
    times = _times(counted, choices)
    cells = _cells(counted, size, left, counted.size - found, is_alone=not is_dropped)
    names = [counted.clusters[each] for each in left.tolist()]
    missing = int((counted.size - found).sum())
    return EstimationSample(names, cells, weights[left], times[left], missing)


def _cells(
    counted: SampleCounts, size: Ints, left: Ints, lacking: Ints, *, is_alone: bool
) -> ClusterCells:
    """Give the cells of what is left; a record that is alone is a cell of its own."""
    place = np.cumsum(size > 0) - 1
    alone = np.repeat(np.arange(len(size)), lacking if is_alone else 0)
    ones = np.ones(len(alone), dtype=np.int64)
    return ClusterCells(
        size[left],
        place[np.append(counted.cell, alone)],
        np.append(counted.shared, ones),
        np.append(counted.predicted_size, ones),
    )


def _check_met(counted: SampleCounts, found: int, choices: Choices) -> None:
    labelled = int(counted.size.sum())
    source = f"{counted.key.source}, {counted.response.source}"
    if not labelled:
        raise FormatError("no record is labelled", source=counted.key.source)
    if not found:
        raise AlignmentError(
            f"none of the {labelled} labelled records is in the prediction",
            source=source,
            hint="ids are compared as text; if other columns are meant, name them: "
            "--mention, --key-cluster, --response-cluster",
        )
    if found < labelled and choices.missing == "error" and not choices.is_incumbent:
        raise AlignmentError(
            f"{labelled - found} of {labelled} labelled records are not in the "
            "prediction",
            source=source,
            hint="--missing alone counts each as a predicted singleton, --missing drop "
            "leaves them out (missing in Python)",
        )


def _weights(counted: SampleCounts, choices: Choices, drawn_size: Ints) -> Floats:
    if choices.weights == UNIFORM:
        return np.ones(len(drawn_size))
    if choices.weights == BY_SIZE:
        return 1 / drawn_size
    beside = ClusterNumbers("weight", counted.key.source, counted.clusters)
    return beside.checked_weights(_numbers(beside, choices.weights, 0, counted))


def _times(counted: SampleCounts, choices: Choices) -> Ints:
    if choices.times is None:
        return np.ones(len(counted.clusters), dtype=np.int64)
    beside = ClusterNumbers("number of draws", counted.key.source, counted.clusters)
    place = len(choices.columns) - 1
    return beside.checked_times(_numbers(beside, choices.times, place, counted))


def _numbers(
    beside: ClusterNumbers, numbers: Numbers, place: int, counted: SampleCounts
) -> Floats:
    """Read numbers from a column of the sample, or look them up."""
    if isinstance(numbers, str):
        if counted.others[0] == {()}:  # the sample's columns have no names
            raise unknown("weights", numbers, DESIGNS)
        return beside.of_column(
            [{row[place] for row in each} for each in counted.others]
        )
    return beside.of_mapping(numbers)


@dataclass(frozen=True, slots=True, repr=False)
class Estimate(Displayed):
    """Figures of a whole prediction, as a sample of true clusters shows them.

    ``errors``, ``intervals`` and ``effective`` are by metric and figure: ``recall``,
    ``precision``, ``f1``; None where a sample cannot tell. ``effective`` is Kish's
    number: how many clusters of equal weight a figure rests on.
    """

    scores: Mapping[str, Score]
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
        """Which metrics were estimated."""
        return tuple(self.scores)

    def plan(self, width: float) -> dict[str, dict[str, int | None]]:
        """Say how many draws make each interval so narrow.

        Args:
            width: from the low end to the high one, as a fraction: 0.04 for ± 2 points.
        """
        from scoref.records.estimate.estimators import plan_draws  # SciPy

        return plan_draws(self, width)

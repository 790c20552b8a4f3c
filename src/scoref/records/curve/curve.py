"""The function `curve`: from scored pairs to the scores at every threshold.

Its result, a `Curve`, has a point for each threshold and finds the best one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args, overload

import numpy as np

from scoref._version import __version__
from scoref.contingency import pairs as pairs_of
from scoref.displayed import Displayed
from scoref.errors import AlignmentError, FormatError, OptionError, unknown
from scoref.figures import counted
from scoref.metrics import METRICS, is_distance, usual
from scoref.metrics.base import Metric, Score, ratio_score
from scoref.model import Note
from scoref.notes import WARNING
from scoref.records.api import side_notes
from scoref.records.columns import words
from scoref.records.curve.thresholds import (
    COUNTS,
    Growth,
    ThresholdClusters,
    clusters,
    merges,
)
from scoref.records.estimate.er_evaluation import TERMS, ClusterCells
from scoref.records.estimate.estimators import Draws, estimate_metric
from scoref.records.pairs import (
    MATCHES,
    WantedKeyAndPairs,
    WantedPairs,
    read_scored_pairs,
)
from scoref.records.request import CountRequest, check_memory
from scoref.scheme import TABLE
from scoref.scoring.sanity_checks import coverage_notes
from scoref.statistics.additive import FIGURES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.records.pairs import ScoredPairs
    from scoref.records.request import Progress
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Interval


LINKS = "links"
"""Precision and recall of the pairs themselves, before they are closed to clusters."""

_TIE = 1e-12

_LEVEL = 95


class Point(NamedTuple):
    """The scores from a threshold down to the next one, exclusive."""

    threshold: float
    scores: Mapping[str, Score]
    clusters: int
    until: float


class CurveFigures(NamedTuple):
    """Recall, precision and F1 of a metric wherever they change.

    ``row`` has the row that holds at each point. Clusters change at fewer points than
    links do, so that figures of clusters have fewer rows than there are points.
    """

    values: Floats
    is_defined: NDArray[np.bool_]
    row: Ints

    def at(self, points: Ints | int) -> Floats:
        """Return recall, precision and F1 at some points."""
        return np.asarray(self.values[self.row[points]])

    def end(self, point: int) -> int:
        """Return the first point after this one at which the figures change."""
        return int(np.searchsorted(self.row, self.row[point], side="right"))


@dataclass(frozen=True, eq=False)
class Points(Sequence[Point]):
    """Points by falling thresholds, each made when it is looked at.

    Distances are kept as falling numbers, too, below 0; ``sign`` turns them round.
    """

    thresholds: Floats
    clusters: Ints
    figures: Mapping[str, CurveFigures]
    sign: int = 1

    def __len__(self) -> int:
        return len(self.thresholds)

    @overload
    def __getitem__(self, place: int) -> Point: ...
    @overload
    def __getitem__(self, place: slice) -> list[Point]: ...
    def __getitem__(self, place: int | slice) -> Point | list[Point]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        point = range(len(self))[place]
        return Point(
            self.threshold(point),
            {name: _score(each, point) for name, each in self.figures.items()},
            int(self.clusters[point]),
            self.threshold(point + 1),
        )

    def threshold(self, point: int) -> float:
        """Return the threshold of a point; after the last one it is infinite."""
        is_there = point < len(self)
        return self.sign * (float(self.thresholds[point]) if is_there else -math.inf)

    def __iter__(self) -> Iterator[Point]:
        return (self[row] for row in range(len(self)))

    def place_of(self, threshold: float) -> int:
        """Find the point that holds for a threshold: the last not below it."""
        if math.isnan(threshold):
            raise OptionError("a threshold is a number")
        falling = -self.sign * threshold
        return int(np.searchsorted(-self.thresholds, falling, side="right")) - 1


def _score(figures: CurveFigures, point: int) -> Score:
    row = figures.row[point]
    recall, precision, f1 = figures.values[row].tolist()
    if math.isnan(recall):
        return Score(None, None, f1)
    return Score(recall, precision, f1, bool(figures.is_defined[row]))


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Displayed):
    """The scores of the clusters that pairs make, at every threshold."""

    points: Points
    key_clusters: int
    signature: str
    notes: tuple[Note, ...]
    clusterings: ThresholdClusters
    columns: Mapping[str, str] = field(default_factory=dict)
    best_by: str = "bcub"  # the metric by which the best threshold is shown

    _reported_by = "records.curve.report:whole_report"

    @property
    def _in_short(self) -> str:
        return counted(len(self.points), "threshold")

    @property
    def metrics(self) -> tuple[str, ...]:
        """Which metrics every point has."""
        return tuple(self.points.figures)

    def at(self, threshold: float) -> Point:
        """Give the point that holds for any threshold."""
        return self.points[self.points.place_of(threshold)]

    @cached_property
    def best(self) -> dict[str, Point]:
        """The point with the highest F1, by metric; of equals the highest threshold."""
        return {name: self.points[self._best(name)] for name in self.metrics}

    @cached_property
    def intervals(self) -> dict[str, Interval | None]:
        """The 95 % interval of F1 at the best point, over key clusters.

        None where records are scored that no key cluster has, and for metrics that are
        no sum over key clusters.
        """
        return {name: self._interval(name) for name in self.metrics}

    def result(
        self, threshold: float, metrics: str | Sequence[str] | None = None
    ) -> Result:
        """Score the clusters at a threshold by every metric, CEAF among them."""
        return self.clusterings.result(self.points.place_of(threshold), metrics)

    def best_until(self, name: str) -> float:
        """Return the threshold down to which the best figure of a metric holds."""
        return self.points.threshold(self.points.figures[name].end(self._best(name)))

    def _best(self, name: str) -> int:
        figures = self.points.figures[name]
        f1 = figures.values[:, 2]
        f1 = -f1 if name in METRICS and is_distance(name) else f1
        row = int(np.argmax(f1 >= f1.max() - _TIE))
        return int(np.searchsorted(figures.row, row))

    def _interval(self, name: str) -> Interval | None:
        cells = self.clusterings.cells(self._best(name)) if name in TERMS else None
        if cells is None:
            return None
        return _interval(name, cells)


def _interval(name: str, cells: ClusterCells) -> Interval | None:
    ones = np.ones(len(cells.size), dtype=np.int64)
    drawn = Draws(TERMS[name](cells), ones.astype(np.float64), ones)
    return estimate_metric(name, drawn, _LEVEL).intervals[FIGURES[-1]]


Universe = Literal["both", "key", "union"]

USUAL = ("pairwise", "bcub", "bcub-entity", "cluster", "muc", LINKS)

_SIMILARITIES = {"similarity", "probability", "confidence", "weight"}

_OPTIMISTIC = (
    "the best threshold was chosen on this key; its score is optimistic, test it on "
    "another"
)


def curve(
    key: object,
    pairs: object,
    *,
    metrics: str | Iterable[str] | None = None,
    universe: Universe = "both",
    best: str = "bcub",
    left: str | None = None,
    right: str | None = None,
    score: str | None = None,
    distance: bool = False,
    mention: str | None = None,
    key_cluster: str | None = None,
    engine: str | None = None,
    memory: str | None = None,
    header: bool | None = None,
    table: str | tuple[str, str] | None = None,
    remote: bool = False,
    progress: Progress | None = None,
) -> Curve:
    """Score the clusters that pairs make, at every threshold.

    At a threshold t, clusters are the connected components of the pairs whose score is
    t or higher; all other records are alone. Components are formed with every record of
    key and pairs, and only then restricted to the universe.

    Args:
        key: the truth, as `score_table` takes it.
        pairs: triples (record, record, score), what dedupe scored, or a table of any
            kind with such columns; the names that Splink and pyJedAI have are known.
        metrics: names of metrics; the usual ones if None.
        universe: ``both``: records that the key lacks cost precision; ``key``: they
            are left out; ``union``: each is a cluster of its own in the key.
        best: the metric by which the best threshold is shown; it is among ``metrics``.
        left: the column of the first record.
        right: that of the second.
        score: that of the score.
        distance: whether scores are distances, and low ones are good.
        mention: the key's column of records, as in `score_table`, like those below.
        key_cluster: its column of clusters.
        engine: numpy, duckdb or spark; otherwise what fits the tables.
        memory: what DuckDB may use, such as 2GB.
        header: whether a text file begins with names; otherwise by what stands there.
        table: the table of a database, or one for each side.
        remote: whether a path may be an address, such as s3://…
        progress: is told what is done and which part of all that is.

    >>> key = {1: "a", 2: "a", 3: "a", 4: "b", 5: "b"}
    >>> found = curve(key, [(1, 2, 0.9), (4, 5, 0.8), (3, 4, 0.8), (2, 3, 0.6)])
    >>> found.best["bcub"].threshold, round(found.best["bcub"].scores["bcub"].f1, 4)
    (0.8, 0.7333)
    """
    names = _chosen(metrics, best)
    if universe not in get_args(Universe):
        raise unknown("universe of a curve", universe, get_args(Universe))
    check_memory(memory)
    wanted = WantedPairs(left, right, score)
    request = CountRequest(
        wanted=WantedKeyAndPairs(mention, key_cluster, pairs=wanted),
        ceaf=False,
        header=header,
        table=table,
        memory=memory,
        remote=remote,
        progress=progress,
    )
    read = read_scored_pairs(key, pairs, request, engine=engine)
    found = _curve(_sorted(read, distance=distance), names, universe, request, distance)
    return replace(found, best_by=best)


def _chosen(metrics: str | Iterable[str] | None, best: str) -> tuple[str, ...]:
    """Check names of metrics; what needs an alignment is there at single points."""
    known = (*COUNTS, LINKS)
    if metrics is None:
        names = list(USUAL)
    else:
        given = metrics.replace(",", " ") if isinstance(metrics, str) else metrics
        names = given.split() if isinstance(given, str) else list(given)
    names = list(known) if "all" in names else names
    for name in (*names, best):
        if name not in known:
            raise unknown("metric of a curve", name, known)
    if not names:
        raise OptionError("no metric was named; leave the option out to get the usual")
    return tuple(name for name in known if name in {*names, best})


class _Ordered(NamedTuple):
    """Pairs by falling scores, each once."""

    read: ScoredPairs
    itself: int
    repeated: int


def _sorted(read: ScoredPairs, *, distance: bool) -> _Ordered:
    """Sort pairs; of one that is listed twice the best score stays."""
    _check(read)
    apart = np.flatnonzero(read.left != read.right)
    score = -read.score[apart] if distance else read.score[apart]
    order = np.argsort(-score)
    rows = apart[order]
    first = _first(read.left[rows], read.right[rows], len(read.cluster))
    itself, repeated = len(read.left) - len(apart), len(rows)
    if first is not None:
        rows, order = rows[first], order[first]
    kept = read._replace(
        left=read.left[rows], right=read.right[rows], score=score[order]
    )
    return _Ordered(kept, itself, repeated - len(rows))


def _first(left: Ints, right: Ints, records: int) -> Ints | None:
    """Give the places at which pairs stand first; None if none stands twice."""
    code = np.minimum(left, right) * np.int64(records) + np.maximum(left, right)
    in_order = np.sort(code)
    if not (in_order[1:] == in_order[:-1]).any():
        return None
    return np.sort(np.unique(code, return_index=True)[1])


def _check(read: ScoredPairs) -> None:
    is_labelled = read.cluster >= 0
    if not is_labelled.any():
        raise FormatError("the key has no record", source=read.key.source)
    if not (is_labelled[read.left] | is_labelled[read.right]).any():
        raise AlignmentError(
            "no pair has a record of the key",
            source=f"{read.key.source}, {read.source}",
            hint="ids are compared as text; if other columns are meant, name them: "
            "--mention, --left, --right",
        )


def _curve(
    ordered: _Ordered,
    names: tuple[str, ...],
    universe: Universe,
    request: CountRequest,
    distance: bool,
) -> Curve:
    read = ordered.read
    merged = merges(read.left, read.right, read.score, len(read.cluster))
    cluster, is_there = _universe(read.cluster, universe)
    made = np.append(0, _ends(merged.score))
    # Every pair changes the links, but only some of them change the clusters.
    changing = read.score if LINKS in names else merged.score
    linked = np.append(0, _ends(changing))
    thresholds = np.append(np.inf, changing[linked[1:] - 1])
    row = np.append(0, _reached(merged.score[made[1:] - 1], thresholds[1:]))
    growth = Growth(merged, cluster, is_there, made)
    figures = {
        name: _links(read, cluster, is_there, linked)
        if name == LINKS
        else _figures(name, COUNTS[name](growth), row)
        for name in names
    }
    number = np.rint(clusters(growth)).astype(np.int64)[row]
    sources = read.key.source, read.source
    clusterings = ThresholdClusters(
        merged, cluster, is_there, made[row], universe, sources
    )
    return Curve(
        points=Points(thresholds, number, figures, -1 if distance else 1),
        key_clusters=len(growth.key_size),
        signature=f"scoref:{__version__}|format:table|curve:components|"
        f"universe:{universe}" + ("|scores:distances" if distance else ""),
        notes=(
            *_about_scores(read, distance=distance),
            *_notes(ordered, is_there, cluster, request),
        ),
        clusterings=clusterings,
        columns=read.columns,
    )


def _universe(cluster: Ints, universe: Universe) -> tuple[Ints, NDArray[np.bool_]]:
    """Say which records are scored, and of which key cluster each is."""
    is_labelled = cluster >= 0
    if universe == "key":
        return cluster, is_labelled
    if universe == "union":
        alone = np.flatnonzero(~is_labelled)
        cluster = cluster.copy()
        cluster[alone] = cluster.max() + 1 + np.arange(len(alone))
    return cluster, np.ones(len(cluster), dtype=np.bool_)


def _ends(score: Floats) -> Ints:
    """Count the merges up to the last of each score: equal ones come in together."""
    is_last = np.append(score[1:] != score[:-1], True)
    return np.flatnonzero(is_last[: len(score)]) + 1


def _reached(falling: Floats, thresholds: Floats) -> Ints:
    """Count the scores that are as high as each threshold, or higher."""
    return np.searchsorted(-falling, -thresholds, side="right").astype(np.int64)


def _figures(name: str, counts: Floats, row: Ints) -> CurveFigures:
    metric = METRICS[name]
    assert isinstance(metric, Metric)
    return CurveFigures(metric.score(counts), metric.is_defined(counts), row)


def _links(
    read: ScoredPairs,
    cluster: Ints,
    is_there: NDArray[np.bool_],
    linked: Ints,
) -> CurveFigures:
    """Score the first pairs themselves, those of the universe, up to each point."""
    one, other = cluster[read.left], cluster[read.right]
    is_counted = is_there[read.left] & is_there[read.right]
    is_match = is_counted & (one >= 0) & (one == other)
    right, counted = (
        np.append(0, np.cumsum(each, dtype=np.int64))[linked].astype(np.float64)
        for each in (is_match, is_counted)
    )
    every = float(pairs_of(np.bincount(cluster[cluster >= 0])).sum())
    counts = np.column_stack((right, np.full(len(linked), every), right, counted))
    is_defined = (counts[:, 1] > 0) | (counts[:, 3] > 0)
    row = np.arange(len(linked), dtype=np.int64)
    return CurveFigures(ratio_score(counts), is_defined, row)


def _about_scores(read: ScoredPairs, *, distance: bool) -> Iterator[Note]:
    """Warn if the column of scores is called something else than it is used for."""
    name = read.columns.get("score", "")
    named = words(name)
    if name in MATCHES:
        text = f"{WARNING}'{name}' was read as the score, but seems to be a label"
        yield Note("label-as-score", 1, text)
    if "distance" in named and not distance:
        text = f"{WARNING}'{name}' was read as a similarity. If low is near: --distance"
        yield Note("distance-as-score", 1, text)
    if named & _SIMILARITIES and distance:
        text = f"{WARNING}'{name}' was read as a distance. If high is near, leave out "
        yield Note("score-as-distance", 1, f"{text}--distance")


def _notes(
    ordered: _Ordered, is_there: NDArray[np.bool_], cluster: Ints, request: CountRequest
) -> Iterator[Note]:
    yield from side_notes("key", ordered.read.key, request)
    if ordered.itself:
        text = f"left out: {ordered.itself:,} pairs of a record with itself"
        yield Note("itself", ordered.itself, text)
    if ordered.repeated:
        text = (
            f"listed twice: {ordered.repeated:,} pairs; the best score of each counts"
        )
        yield Note("repeated", ordered.repeated, text)
    lacking = int((is_there & (cluster < 0)).sum())
    if lacking:
        text = (
            f"the key lacks {lacking:,} of {len(cluster):,} records, which cost "
            "precision; universe key leaves them out"
        )
        yield Note("only-in-pairs", lacking, text)
    total = int(is_there.sum())
    # Single thresholds are shown with the usual metrics of tables.
    yield from coverage_notes(total - lacking, total, usual("tables"), TABLE)
    yield Note("optimistic", 1, _OPTIMISTIC)

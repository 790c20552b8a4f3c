"""The function `curve`: from scored pairs to the scores at every threshold.

Its result, a `Curve`, has a point for each threshold and finds the best one. Points
are in `points.py`, and `thresholds.py` has the clusters at each of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from scoref._version import __version__
from scoref.contingency import pairs as pairs_of
from scoref.displayed import Displayed
from scoref.errors import AlignmentError, OptionError, unknown
from scoref.metrics import (
    METRICS,
    ByMetric,
    is_distance,
    metric_name,
    metric_names,
    usual,
)
from scoref.metrics.base import FIGURES, Metric, ratio_score
from scoref.model import Note
from scoref.model.arrays import first_of_each, runs
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.records.columns import words
from scoref.records.curve.points import Candidates, CurveFigures, Point, Points
from scoref.records.curve.thresholds import (
    COUNTS,
    Growth,
    ThresholdClusters,
    count_clusters,
    merge_records,
)
from scoref.records.estimate.estimators import TERMS, Draws, estimate_metric
from scoref.records.link_columns import UnlabelledPairsError, WantedLinks
from scoref.records.link_rows import SOURCE_PREFIXES, PairOptions
from scoref.records.links import read_pair_key
from scoref.records.notes import side_notes
from scoref.records.pair_tables import PairTableError
from scoref.records.pairs import (
    MATCHES,
    WantedKeyAndPairs,
    WantedPairs,
    read_scored_pairs,
    recognise_pairs,
)
from scoref.records.request import (
    CountRequest,
    check_memory,
    empty_key_error,
    missing_words,
)
from scoref.scheme import TABLE
from scoref.scoring.sanity_checks import coverage_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.records.links import PairKey
    from scoref.records.pairs import ScoredPairs
    from scoref.records.request import Progress
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Interval


LINKS = "links"
"""Precision and recall of the pairs themselves, before they are joined to clusters."""

_TIE = 1e-12

_LEVEL = 95  # of intervals, in percent


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Displayed):
    """The scores of the clusters that pairs make, at every threshold."""

    points: Points
    key_clusters: int
    signature: str
    notes: tuple[Note, ...]
    candidates: Candidates
    _clusterings: ThresholdClusters
    columns: Mapping[str, str] = field(default_factory=dict)
    best_by: str = "bcub"  # the metric by which the best threshold is shown

    _reported_by = "records.curve.report:curve_report"

    @property
    def _in_short(self) -> str:
        return counted(len(self.points), "threshold")

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that every point has."""
        return tuple(self.points._figures)

    def at(self, threshold: float) -> Point:
        """Return the point of any threshold."""
        return self.points[self.points._place_of(threshold)]

    @cached_property
    def best(self) -> dict[str, Point]:
        """The point with the highest F₁, by metric; in a tie, the highest threshold."""
        return ByMetric((name, self.points[self._best(name)]) for name in self.metrics)

    @cached_property
    def intervals(self) -> dict[str, Interval | None]:
        """The 95 % interval of F₁ at the best point, over key clusters.

        None if records are scored that the key lacks, and for metrics that are not sums
        over key clusters.
        """
        intervals: dict[str, Interval | None] = dict.fromkeys(self.metrics)
        for name in self.metrics:
            cells = self._clusterings.cells(self._best(name)) if name in TERMS else None
            if cells is not None:
                ones = np.ones(len(cells.size), dtype=np.int64)
                draws = Draws(TERMS[name](cells), ones.astype(np.float64), ones)
                estimate = estimate_metric(name, draws, _LEVEL)
                intervals[name] = estimate.intervals[FIGURES[-1]]
        return ByMetric(intervals)

    def result(
        self, threshold: float, metrics: str | Sequence[str] | None = None
    ) -> Result:
        """Score the clusters at a threshold by every metric, including CEAF."""
        return self._clusterings.result(self.points._place_of(threshold), metrics)

    def best_until(self, name: str) -> float:
        """Return the threshold down to which the best figure of a metric holds."""
        name = metric_name(name)
        return self.points.threshold(self.points._figures[name].end(self._best(name)))

    def _best(self, name: str) -> int:
        figures = self.points._figures[name]
        f1 = figures.values[:, 2]
        f1 = -f1 if name in METRICS and is_distance(name) else f1
        row = int(np.argmax(f1 >= f1.max() - _TIE))
        return int(np.searchsorted(figures.row, row))


Universe = Literal["both", "key", "union"]

USUAL = ("pairwise", "bcub", "bcub-entity", "cluster", "muc", LINKS)

_SIMILARITIES = {"similarity", "probability", "confidence", "weight"}

_OPTIMISTIC = (
    "The best threshold was chosen on this key, so its score is "
    "optimistic. Test it on another key."
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
    key_pairs: bool | None = None,
    key_left: str | None = None,
    key_right: str | None = None,
    key_label: str | None = None,
    two_sources: bool | None = None,
    missing_values: str | Iterable[str] | None = None,
    engine: str | None = None,
    memory: str | None = None,
    header: bool | None = None,
    table: str | tuple[str, str] | None = None,
    remote: bool = False,
    progress: Progress | None = None,
) -> Curve:
    """Score the clusters that pairs make, at every threshold.

    At a threshold t, clusters are the connected components of the pairs whose score is
    t or higher; all other records are singletons. Components are formed with every
    record of key and pairs, and only then restricted to the universe.

    Args:
        key: the gold clusters, as for `score_table`.
        pairs: triples (record, record, score), pairs that dedupe scored, or a table of
            any kind with such columns; the names that Splink and pyJedAI use are known.
        metrics: names of metrics; by default the usual ones.
        universe: ``both``: records that the key lacks cost precision; ``key``: they
            are left out; ``union``: each is a cluster of its own in the key.
        best: the metric by which the best threshold is shown; it is among ``metrics``.
        left: the column of the first record.
        right: the column of the second record.
        score: the column of the score.
        distance: whether scores are distances, so that low ones are good.
        mention: the key's column of records, as in `score_table`, like those below.
        key_cluster: its column of clusters.
        key_pairs: whether the rows of the key are pairs of records that match. The
            metric ``links`` then compares pairs; others compare connected components.
        key_left: the key's column of a pair's first record.
        key_right: its column of the second record.
        key_label: its column of labels, 0 or 1; rows with 0 are not links.
        two_sources: whether left and right records of the key may have the same ids.
        missing_values: clusters that mean "not clustered", as in `score_table`.
        engine: numpy, duckdb or spark; by default chosen by the size of the tables.
        memory: the memory that DuckDB may use, such as 2GB.
        header: whether a text file begins with names; by default detected.
        table: the table of a database, or one for each side.
        remote: whether a path may be an address, such as s3://…
        progress: called with each step and the share of the work that is done.

    >>> key = {1: "a", 2: "a", 3: "a", 4: "b", 5: "b"}
    >>> result = curve(key, [(1, 2, 0.9), (4, 5, 0.8), (3, 4, 0.8), (2, 3, 0.6)])
    >>> best = result.best["bcub"]
    >>> best.threshold, round(best.scores["bcub"].f1, 4)
    (0.8, 0.7333)
    """
    best = metric_name(best)
    names = _metric_names(metrics, best)
    if universe not in get_args(Universe):
        raise unknown("curve universe", universe, get_args(Universe))
    check_memory(memory)
    request = CountRequest(
        wanted=WantedKeyAndPairs(
            mention,
            key_cluster,
            has_two_sides=False,
            pairs=WantedPairs(left, right, score),
        ),
        ceaf=False,
        header=header,
        table=table,
        memory=memory,
        remote=remote,
        progress=progress,
        missing_values=missing_words(missing_values),
    )
    wanted_key = WantedLinks(key_left, key_right, key_label)
    is_pairs = bool(key_pairs or (key_pairs is None and wanted_key.names))
    pair_key, notes = None, []
    refusal: PairTableError | None = None
    if not is_pairs:
        try:
            read = read_scored_pairs(key, pairs, request, engine=engine)
        except PairTableError as error:
            if error.role != "key" or key_cluster or key_pairs is not None:
                raise
            is_pairs, refusal = True, error
            text = (
                "The key is read as pairs of matching records, because of its column "
                "names. Use --key-pairs to say so."
            )
            notes.append(Note("key-pairs", 1, text))
    if is_pairs:
        try:
            pair_key, read = _read_with_pair_key(
                key, pairs, wanted_key, two_sources, request, engine
            )
        except UnlabelledPairsError:
            if refusal is None:
                raise
            raise refusal from None  # perhaps the two files were swapped
    elif two_sources is not None:
        raise OptionError(
            "--two-sources and --one-source are for a key of pairs. Add --key-pairs"
        )
    ordered = _sort(read, distance=distance)
    whole = _curve(
        ordered,
        names,
        universe,
        request,
        distance=distance,
        best=best,
        pair_key=pair_key,
    )
    return replace(whole, notes=(*notes, *whole.notes))


def _read_with_pair_key(
    key: object,
    pairs: object,
    wanted: WantedLinks,
    two_sources: bool | None,
    request: CountRequest,
    engine: str | None,
) -> tuple[PairKey, ScoredPairs]:
    """Read a key of pairs, and the scored pairs with its records as clusters."""
    table = recognise_pairs(key, "key", remote=request.remote, has_scores=False)
    pair_key = read_pair_key(
        table, request, wanted, PairOptions(two_sources), has_prefix=True
    )
    if pair_key.sources == "two" and isinstance(request.wanted, WantedKeyAndPairs):
        prefixed = replace(request.wanted.pairs, prefixes=SOURCE_PREFIXES)
        request = replace(request, wanted=replace(request.wanted, pairs=prefixed))
    # Each record is a cluster of its own at first, named by its number.
    by_name = {name: f"{place:012}" for place, name in enumerate(pair_key.labels)}
    return pair_key, read_scored_pairs(by_name, pairs, request, engine=engine)


def _metric_names(metrics: str | Iterable[str] | None, best: str) -> tuple[str, ...]:
    """Check names of metrics; those with an alignment have no curve."""
    known = (*COUNTS, LINKS)
    names = list(USUAL) if metrics is None else metric_names(metrics)
    names = list(known) if "all" in names else names
    for name in (*names, best):
        if name not in known:
            raise unknown("curve metric", name, known)
    if not names:
        raise OptionError(
            "no metric was given. Leave the option out to get the default metrics"
        )
    return tuple(name for name in known if name in {*names, best})


class _SortedPairs(NamedTuple):
    """Pairs by falling scores, each once, and the number of pairs that were removed."""

    read: ScoredPairs
    with_itself: int
    repeated: int


def _sort(read: ScoredPairs, *, distance: bool) -> _SortedPairs:
    """Sort pairs; if a pair is listed twice, its best score counts."""
    is_labelled = read.cluster >= 0
    if not is_labelled.any():
        raise empty_key_error(read.key)
    if not (is_labelled[read.left] | is_labelled[read.right]).any():
        raise AlignmentError(
            "no pair has a record of the gold data",
            source=f"{read.key.source}, {read.source}",
            hint="Ids are compared as text. If other columns are meant, name "
            "them: --record, --left, --right.",
        )
    apart = np.flatnonzero(read.left != read.right)
    score = -read.score[apart] if distance else read.score[apart]
    order = np.argsort(-score)
    rows = apart[order]
    with_itself, repeated = len(read.left) - len(apart), 0
    left, right = read.left[rows], read.right[rows]
    records = np.int64(len(read.cluster))
    code = np.minimum(left, right) * records + np.maximum(left, right)
    in_order = np.sort(code)
    if (in_order[1:] == in_order[:-1]).any():
        first = first_of_each(code)
        repeated = len(rows) - len(first)
        rows, order = rows[first], order[first]
    kept = read._replace(
        left=read.left[rows], right=read.right[rows], score=score[order]
    )
    return _SortedPairs(kept, with_itself, repeated)


def _curve(
    ordered: _SortedPairs,
    names: tuple[str, ...],
    universe: Universe,
    request: CountRequest,
    *,
    distance: bool,
    best: str,
    pair_key: PairKey | None = None,
) -> Curve:
    read, key_record = ordered.read, ordered.read.cluster
    if pair_key is not None:
        component = np.append(pair_key.component, -1)[key_record]
        columns = {**pair_key.columns, **read.columns}
        key_side = replace(read.key, source=pair_key.source)
        read = read._replace(cluster=component, columns=columns, key=key_side)
    merges = merge_records(read.left, read.right, read.score, len(read.cluster))
    cluster, is_scored = _apply_universe(read.cluster, universe)
    made = np.append(0, _ends(merges.score))
    # Every pair changes the links, but only some of them change the clusters.
    changing = read.score if LINKS in names else merges.score
    linked = np.append(0, _ends(changing))
    thresholds = np.append(np.inf, changing[linked[1:] - 1])
    falling = merges.score[made[1:] - 1]
    reached = np.searchsorted(-falling, -thresholds[1:], side="right")
    row = np.append(0, reached.astype(np.int64))
    growth = Growth(merges, cluster, is_scored, made)
    figures = {}
    links = None if pair_key is None else _is_link(read, key_record, pair_key)
    for name in names:
        if name == LINKS:
            figures[name] = _link_figures(read, cluster, is_scored, linked, links)
            continue
        metric, counts = METRICS[name], COUNTS[name](growth)
        assert isinstance(metric, Metric)
        figures[name] = CurveFigures(
            metric.score(counts), metric.is_defined(counts), row
        )
    clusters = np.rint(count_clusters(growth)).astype(np.int64)[row]
    sources = read.key.source, read.source
    return Curve(
        points=Points(thresholds, clusters, figures, -1 if distance else 1),
        key_clusters=len(growth.key_size),
        signature=f"scoref:{__version__}|format:table|curve:components|"
        f"universe:{universe}"
        + (f"|pairs:key|sources:{pair_key.sources}" if pair_key else "")
        + ("|scores:distances" if distance else ""),
        notes=(
            *(pair_key.notes if pair_key else ()),
            *_score_notes(read, distance=distance),
            *_notes(ordered, is_scored, cluster, request),
        ),
        candidates=_candidates(read, cluster, is_scored, links, pair_key, key_record),
        _clusterings=ThresholdClusters(
            merges, cluster, is_scored, made[row], universe, sources
        ),
        columns=read.columns,
        best_by=best,
    )


def _apply_universe(
    cluster: Ints, universe: Universe
) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the key cluster of each record, and whether the record is scored."""
    is_labelled = cluster >= 0
    if universe == "key":
        return cluster, is_labelled
    if universe == "union":
        alone = np.flatnonzero(~is_labelled)
        cluster = cluster.copy()
        cluster[alone] = cluster.max() + 1 + np.arange(len(alone))
    return cluster, np.ones(len(cluster), dtype=np.bool_)


def _ends(score: Floats) -> Ints:
    """Count the pairs up to the last one of each score."""
    start, length = runs(score)
    return start + length


def _link_figures(
    read: ScoredPairs,
    cluster: Ints,
    is_scored: NDArray[np.bool_],
    linked: Ints,
    links: tuple[NDArray[np.bool_], int] | None = None,
) -> CurveFigures:
    """Score the pairs of the universe themselves, up to each point.

    ``links`` says which pairs a key of pairs has, and how many links it has.
    """
    one, other = cluster[read.left], cluster[read.right]
    is_counted = is_scored[read.left] & is_scored[read.right]
    is_match = is_counted & (links[0] if links else (one >= 0) & (one == other))
    right, predicted = (
        np.append(0, np.cumsum(mask, dtype=np.int64))[linked].astype(np.float64)
        for mask in (is_match, is_counted)
    )
    within = pairs_of(np.bincount(cluster[cluster >= 0])).sum()
    key = float(links[1] if links else within)
    counts = np.column_stack((right, np.full(len(linked), key), right, predicted))
    is_defined = (counts[:, 1] > 0) | (counts[:, 3] > 0)
    row = np.arange(len(linked), dtype=np.int64)
    return CurveFigures(ratio_score(counts), is_defined, row)


def _candidates(
    read: ScoredPairs,
    cluster: Ints,
    is_scored: NDArray[np.bool_],
    links: tuple[NDArray[np.bool_], int] | None,
    key: PairKey | None,
    key_record: Ints,
) -> Candidates:
    """Count the pairs that were scored, and how many of them are links of the key."""
    figures = _link_figures(
        read, cluster, is_scored, np.array([0, len(read.left)]), links
    )
    is_counted = is_scored[read.left] & is_scored[read.right]
    within = int(pairs_of(np.bincount(cluster[cluster >= 0])).sum())
    key_links = links[1] if links else within
    records = int(is_scored.sum())
    possible = records * (records - 1) // 2
    if key is not None and key.sources == "two":
        is_left = np.zeros(len(cluster), dtype=np.bool_)
        is_left[read.left] = True
        in_key = np.flatnonzero(key_record >= 0)
        known_left = np.array(
            [name.startswith(SOURCE_PREFIXES[0]) for name in key.labels], np.bool_
        )
        is_left[in_key] = known_left[key_record[in_key]]
        left = int((is_left & is_scored).sum())
        possible = left * (records - left)
    recall = float(figures.values[-1, 0])
    return Candidates(
        int(is_counted.sum()), possible, round(recall * key_links), key_links
    )


def _is_link(
    read: ScoredPairs, key_record: Ints, key: PairKey
) -> tuple[NDArray[np.bool_], int]:
    """Return which pairs are links of a key of pairs, and how many it has."""
    count = np.int64(len(key.labels))
    one, other = key_record[read.left], key_record[read.right]
    code = np.minimum(one, other) * count + np.maximum(one, other)
    links = key.links[0] * count + key.links[1]
    return (one >= 0) & (other >= 0) & np.isin(code, links), len(links)


def _score_notes(read: ScoredPairs, *, distance: bool) -> Iterator[Note]:
    """Warn if the name of the column of scores does not fit its use."""
    name = read.columns.get("score", "")
    name_words = words(name)
    if name in MATCHES:
        text = f"{WARNING}'{name}' was read as the score, but it looks like a label."
        yield Note("label-as-score", 1, text)
    if "distance" in name_words and not distance:
        text = (
            f"{WARNING}'{name}' was read as a similarity. If low values "
            "mean similar, add --distance."
        )
        yield Note("distance-as-score", 1, text)
    if name_words & _SIMILARITIES and distance:
        text = (
            f"{WARNING}'{name}' was read as a distance. If high values mean "
            "similar, leave out "
        )
        yield Note("score-as-distance", 1, f"{text}--distance.")


def _notes(
    ordered: _SortedPairs,
    is_scored: NDArray[np.bool_],
    cluster: Ints,
    request: CountRequest,
) -> Iterator[Note]:
    yield from side_notes("key", ordered.read.key, request)
    if ordered.with_itself:
        pairs = counted(ordered.with_itself, "pair")
        text = f"scoref left out {pairs} of a record with itself."
        yield Note("itself", ordered.with_itself, text)
    if ordered.repeated:
        pairs = counted(ordered.repeated, "pair")
        text = f"scoref kept the best score of {pairs} listed more than once."
        yield Note("repeated", ordered.repeated, text)
    lacking = int((is_scored & (cluster < 0)).sum())
    if lacking:
        text = (
            f"{WARNING}The key lacks {lacking:,} of {len(cluster):,} records. Links "
            "with such records lower precision. Use --universe key to leave them out."
        )
        yield Note("only-in-pairs", lacking, text)
    total = int(is_scored.sum())
    # Single thresholds are shown with the usual metrics of tables.
    yield from coverage_notes(total - lacking, total, usual("tables"), TABLE)
    yield Note("optimistic", 1, _OPTIMISTIC)

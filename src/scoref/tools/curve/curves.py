"""A curve: the scores at every threshold, and which threshold is best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from scoref.displayed import Displayed
from scoref.errors import OptionError
from scoref.figures import counted
from scoref.metrics import METRICS, is_distance
from scoref.metrics.base import Score
from scoref.statistics.additive import FIGURES
from scoref.statistics.cluster_terms import TERMS, ClusterCells
from scoref.statistics.ratios import Drawn, estimated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from scoref.metrics.base import Floats
    from scoref.model import Ints, Note
    from scoref.scoring.results import Result
    from scoref.statistics.cuts import Interval
    from scoref.tools.curve.cutting import Cuttings

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
    cuttings: Cuttings
    columns: Mapping[str, str] = field(default_factory=dict)
    best_by: str = "bcub"  # the metric by which the best threshold is shown

    _reported_by = "tools.curve.rendering:whole_report"

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
        return self.cuttings.result(self.points.place_of(threshold), metrics)

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
        cells = self.cuttings.cells(self._best(name)) if name in TERMS else None
        if cells is None:
            return None
        return _interval(name, cells)


def _interval(name: str, cells: ClusterCells) -> Interval | None:
    ones = np.ones(len(cells.size), dtype=np.int64)
    drawn = Drawn(TERMS[name](cells), ones.astype(np.float64), ones)
    return estimated(name, drawn, _LEVEL).intervals[FIGURES[-1]]

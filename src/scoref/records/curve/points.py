"""Points of a curve: the scores at a threshold, and the pairs that were scored."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from scoref.errors import OptionError
from scoref.metrics.base import Score, Value
from scoref.scoring.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from scoref.metrics.base import Floats
    from scoref.model import Ints


class Point(NamedTuple):
    """The scores from a threshold down to the next one, exclusive."""

    threshold: float
    scores: Scores
    clusters: int
    until: float


class CurveFigures(NamedTuple):
    """Recall, precision and F₁ of a metric wherever they change.

    ``row`` has the row of each point. Clusters change at fewer points than links do, so
    figures of clusters have fewer rows than there are points.
    """

    values: Floats
    is_defined: NDArray[np.bool_]
    row: Ints

    def at(self, points: Ints | int) -> Floats:
        """Return recall, precision and F₁ at some points."""
        return np.asarray(self.values[self.row[points]])

    def end(self, point: int) -> int:
        """Return the first point after this one at which the figures change."""
        return int(np.searchsorted(self.row, self.row[point], side="right"))


@dataclass(frozen=True, eq=False)
class Points(Sequence[Point]):
    """Points by falling thresholds; a point is made when it is accessed.

    Distances are stored as falling numbers as well: below 0, and ``_sign`` is -1.
    """

    thresholds: Floats
    clusters: Ints
    _figures: Mapping[str, CurveFigures]
    _sign: int = 1

    def __len__(self) -> int:
        return len(self.thresholds)

    @overload
    def __getitem__(self, place: int) -> Point: ...
    @overload
    def __getitem__(self, place: slice) -> list[Point]: ...
    def __getitem__(self, place: int | slice) -> Point | list[Point]:
        if isinstance(place, slice):
            return [self[point] for point in range(*place.indices(len(self)))]
        point = range(len(self))[place]
        scores = Scores()
        for name, figures in self._figures.items():
            row = figures.row[point]
            recall, precision, f1 = figures.values[row].tolist()
            scores[name] = (
                Value(f1)
                if math.isnan(recall)
                else Score(recall, precision, f1, bool(figures.is_defined[row]))
            )
        return Point(
            self.threshold(point),
            scores,
            int(self.clusters[point]),
            self.threshold(point + 1),
        )

    def threshold(self, point: int) -> float:
        """Return the threshold of a point; after the last one it is infinite."""
        has_point = point < len(self)
        return self._sign * (float(self.thresholds[point]) if has_point else -math.inf)

    def __iter__(self) -> Iterator[Point]:
        return (self[point] for point in range(len(self)))

    def _place_of(self, threshold: float) -> int:
        """Return the point of a threshold: the last one that is not below it."""
        if math.isnan(threshold):
            raise OptionError("a threshold must be a number")
        falling = -self._sign * threshold
        return int(np.searchsorted(-self.thresholds, falling, side="right")) - 1


class Candidates(NamedTuple):
    """The pairs that were scored, whatever their score: the candidates of blocking.

    Args:
        pairs: the number of candidates, each counted once and unordered.
        possible: how many pairs the scored records have.
        matches: how many candidates are links of the key.
        links: how many links the key has.
    """

    pairs: int
    possible: int
    matches: int
    links: int

    @property
    def pair_completeness(self) -> float:
        """The share of the key's links that are candidates; NaN without links."""
        return self.matches / self.links if self.links else math.nan

    @property
    def reduction_ratio(self) -> float:
        """The share of all possible pairs that are not candidates."""
        return 1 - self.pairs / self.possible if self.possible else math.nan

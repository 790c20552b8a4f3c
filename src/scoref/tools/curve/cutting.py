"""The clusters at one threshold, for what is no running sum."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.scheme import Scheme
from scoref.statistics.cluster_terms import ClusterCells
from scoref.tables.arrays import Coded, tabulate
from scoref.tables.results import is_aligned, metrics_for, score_counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.scheme import Universe
    from scoref.scoring.results import Result
    from scoref.tools.curve.forest import Merges


class Cuttings(NamedTuple):
    """Everything that is needed to cut the forest at any point.

    ``cluster`` is each record's key cluster, ``is_there`` tells whether a record is in
    the universe, and ``made`` how many merges were made at each point.
    """

    merges: Merges
    cluster: Ints
    is_there: NDArray[np.bool_]
    made: Ints
    universe: Universe
    sources: tuple[str, str]

    def components(self, point: int) -> Ints:
        """Number the component of each record; -1 outside of the universe."""
        is_border = self.merges.borders >= self.made[point]
        component = (np.cumsum(is_border) - 1)[self.merges.place]
        _, dense = np.unique(component[self.is_there], return_inverse=True)
        found = np.full(len(component), -1, dtype=np.int64)
        found[self.is_there] = dense
        return found

    def result(self, point: int, metrics: str | Iterable[str] | None = None) -> Result:
        """Score a point as a table is scored."""
        response = self.components(point)
        names = metrics_for(metrics)
        coded = Coded(
            self.cluster,
            response,
            np.zeros(self.cluster.max(initial=-1) + 1, dtype=np.int64),
            np.zeros(response.max(initial=-1) + 1, dtype=np.int64),
        )
        table = tabulate(coded, 1, is_aligned=any(map(is_aligned, names)))
        scheme = Scheme(universe=self.universe, duplicates="error", undefined="zero")
        return score_counted(table, [""], scheme, names, self.sources)

    def cells(self, point: int) -> ClusterCells | None:
        """Give what each key cluster shares with components; None if more is scored."""
        if (self.is_there & (self.cluster < 0)).any():
            return None
        response = self.components(point)
        kept = self.cluster >= 0
        width = np.int64(int(response.max(initial=-1)) + 1)
        code, shared = np.unique(
            self.cluster[kept] * width + response[kept], return_counts=True
        )
        sizes = np.bincount(response[self.is_there])
        key = np.bincount(self.cluster[kept])
        return ClusterCells(key, code // width, shared, sizes[code % width])

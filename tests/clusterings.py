"""Two clusterings of a test as what metrics see of them: cells, clusters, a profile."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.profile import Cells, Clusters, Profile, count_profiles
from scoref.metrics.clusterings import ALIGNED, RATIOS, Ratios, Sides

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    Side = Sequence[Iterable[Hashable]]
    Ints = NDArray[np.int64]

ALL_RATIOS = (*RATIOS, *ALIGNED)


class Tabulated(NamedTuple):
    """Two clusterings of one block."""

    cells: Cells
    key: Clusters
    response: Clusters

    @property
    def sides(self) -> Sides:
        return Sides(
            self.key.size, self.key.common, self.response.size, self.response.common
        )

    @property
    def profile(self) -> Profile:
        (found,) = count_profiles(*self, blocks=1)
        return found

    def ratios(self, name: str) -> Ratios:
        if name in RATIOS:
            return RATIOS[name](self.profile)
        return ALIGNED[name](self.cells, self.sides)


def tabulate(key: Side, response: Side) -> Tabulated:
    """Compare every cluster with every other."""
    keys, responses = [set(each) for each in key], [set(each) for each in response]
    cells = [
        (i, j, len(one & other))
        for i, one in enumerate(keys)
        for j, other in enumerate(responses)
        if one & other
    ]
    return Tabulated(
        Cells(*_columns(cells, 3)),
        _clusters(keys, responses),
        _clusters(responses, keys),
    )


def tabulate_labels(key: Ints, response: Ints) -> Tabulated:
    """Do that for large clusterings; -1 stands for a mention that a side lacks."""
    both = (key >= 0) & (response >= 0)
    width = int(response.max()) + 1
    code, n = np.unique(key[both] * width + response[both], return_counts=True)
    cells = Cells(code // width, code % width, n)
    sides = []
    for own, other in ((key, response), (response, key)):
        size = np.bincount(own[own >= 0])
        common = np.bincount(own[(own >= 0) & (other >= 0)], minlength=len(size))
        sides.append(Clusters(np.zeros_like(size), size, common))
    return Tabulated(cells, *sides)


def _clusters(own: list[set[Hashable]], other: list[set[Hashable]]) -> Clusters:
    there = set().union(*other)
    rows = [(0, len(cluster), len(cluster & there)) for cluster in own]
    return Clusters(*_columns(rows, 3))


def _columns(rows: list[tuple[int, int, int]], width: int) -> tuple[Ints, ...]:
    return tuple(np.array(rows, dtype=np.int64).reshape(-1, width).T)

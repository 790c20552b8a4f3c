"""The profile of arrays in memory: NumPy, for tables that fit there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.profile import Cells, Clusters, count_profiles
from scoref.tables.alignment import Shared

if TYPE_CHECKING:
    from scoref.contingency.profile import Profile
    from scoref.model import Ints


class Coded(NamedTuple):
    """Mentions by the numbers of their clusters, -1 where a side lacks them.

    Clusters are numbered through all blocks: ``key_block`` says where each is.
    """

    key: Ints
    response: Ints
    key_block: Ints
    response_block: Ints

    @property
    def key_sizes(self) -> tuple[Ints, Ints]:
        """Count the mentions of key clusters: all, and those of both sides."""
        return _sizes(self.key, self.response, len(self.key_block))

    @property
    def response_sizes(self) -> tuple[Ints, Ints]:
        """Do that for the response's."""
        return _sizes(self.response, self.key, len(self.response_block))

    def cells(self) -> Cells:
        """Count what clusters share."""
        both = (self.key >= 0) & (self.response >= 0)
        width = max(1, len(self.response_block))
        code, n = np.unique(
            self.key[both] * width + self.response[both], return_counts=True
        )
        return Cells(code // width, code % width, n)


def _sizes(own: Ints, other: Ints, count: int) -> tuple[Ints, Ints]:
    return (
        np.bincount(own[own >= 0], minlength=count),
        np.bincount(own[(own >= 0) & (other >= 0)], minlength=count),
    )


class Joined(NamedTuple):
    """Cells, and the sizes of both clusters."""

    cells: Cells
    a: Ints
    b: Ints
    a_common: Ints
    b_common: Ints

    @classmethod
    def of(cls, coded: Coded) -> Joined:
        """Count them."""
        cells = coded.cells()
        a, a_common = (size[cells.key] for size in coded.key_sizes)
        b, b_common = (size[cells.response] for size in coded.response_sizes)
        return cls(cells, a, b, a_common, b_common)


def profiles_of(coded: Coded, blocks: int) -> list[Profile]:
    """Count the profile of each block."""
    key = Clusters(coded.key_block, *coded.key_sizes)
    response = Clusters(coded.response_block, *coded.response_sizes)
    return count_profiles(coded.cells(), key, response, blocks)


def shared_of(coded: Coded) -> Shared:
    """Give the cells that CEAF has to look at."""
    cells, a, b, a_common, b_common = Joined.of(coded)
    kept = np.flatnonzero((cells.n != a) | (cells.n != b))
    columns = coded.key_block[cells.key], *cells, a, b, a_common, b_common
    return Shared.of(column[kept] for column in columns)

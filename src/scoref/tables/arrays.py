"""The profile of arrays in memory: NumPy, for tables that fit there."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoref.contingency.profile import Cells, Profile, Row, Sizes
from scoref.tables.alignment import Shared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Ints

    Column = NDArray[np.number[Any]]
    Counted = Counter[tuple[float, ...]]

FATES = ("unchanged", "merged", "partitioned", "overlapping")
_MISSING = -1


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
    cells, a, b, a_common, b_common = joined = Joined.of(coded)
    sides = (cells.key, coded.key_block), (cells.response, coded.response_block)
    index = cells.n / (a + b - cells.n)
    block = coded.key_block[cells.key]
    rows = _counted(block, (cells.n, a, b, a_common, b_common), blocks)
    key = _counted(coded.key_block, coded.key_sizes, blocks)
    response = _counted(coded.response_block, coded.response_sizes, blocks)
    best, other_best = (_most(index, *side, blocks) for side in sides)
    most, other_most = (_most(cells.n, *side, blocks) for side in sides)
    fates = _fates(joined, coded, blocks)
    return [
        Profile(
            cells=Counter({Row(*map(int, k)): n for k, n in rows[i].items()}),
            key=Counter({Sizes(*map(int, k)): n for k, n in key[i].items()}),
            response=Counter({Sizes(*map(int, k)): n for k, n in response[i].items()}),
            key_best=Counter({k[0]: n for k, n in best[i].items()}),
            response_best=Counter({k[0]: n for k, n in other_best[i].items()}),
            key_most=Counter({int(k[0]): n for k, n in most[i].items()}),
            response_most=Counter({int(k[0]): n for k, n in other_most[i].items()}),
            cases=Counter({FATES[int(k[0])]: n for k, n in fates[i].items()}),
        )
        for i in range(blocks)
    ]


def shared_of(coded: Coded) -> Shared:
    """Give the cells that CEAF has to look at."""
    cells, a, b, a_common, b_common = Joined.of(coded)
    kept = np.flatnonzero((cells.n != a) | (cells.n != b))
    columns = coded.key_block[cells.key], *cells, a, b, a_common, b_common
    return Shared.of(column[kept] for column in columns)


def _counted(block: Ints, columns: tuple[Column, ...], blocks: int) -> list[Counted]:
    """Count equal rows, block by block."""
    order = np.lexsort((*reversed(columns), block))
    sorted_columns = [column[order] for column in (block, *columns)]
    changes = np.zeros(len(order), dtype=np.bool_)
    changes[:1] = True
    for column in sorted_columns:
        changes[1:] |= np.diff(column) != 0
    first = np.flatnonzero(changes)
    times = np.diff(np.append(first, len(order))).tolist()
    found: list[Counted] = [Counter() for _ in range(blocks)]
    values = zip(*(column[first].tolist() for column in sorted_columns), strict=True)
    for (number, *key), count in zip(values, times, strict=True):
        found[number][tuple(key)] = count
    return found


def _most(value: Column, cluster: Ints, block: Ints, blocks: int) -> list[Counted]:
    """Count clusters by their highest value, where they have any."""
    highest = np.full(len(block), -1, dtype=value.dtype)
    np.maximum.at(highest, cluster, value)
    there = np.flatnonzero(highest >= 0)
    return _counted(block[there], (highest[there],), blocks)


def _fates(joined: Joined, coded: Coded, blocks: int) -> list[Counted]:
    """Count key clusters by what became of them."""
    key, _, n = joined.cells
    count = len(coded.key_block)
    size, _ = coded.key_sizes
    parts = np.bincount(key, minlength=count)
    is_kept = np.bincount(key, n, count) == size
    whole = np.bincount(key, n == joined.b, count)
    is_one = (parts == 1) & is_kept
    fate = np.select(
        [parts == 0, is_one & (whole == 1), is_one, is_kept & (whole == parts)],
        [_MISSING, 0, 1, 2],
        default=3,
    )
    there = np.flatnonzero(fate != _MISSING)
    kinds: Ints = np.asarray(fate[there], dtype=np.int64)
    return _counted(coded.key_block[there], (kinds,), blocks)

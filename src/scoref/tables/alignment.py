"""CEAF of a table: only clusters that are not equal are looked at one by one.

An alignment never leaves a connected component of clusters that share mentions, so its
value is a sum. Equal clusters are aligned with each other, and a cluster of which the
other side has no mention at most with a singleton of its own: both kinds are counted
from the profile. The rest is solved exactly.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.profile import Cells, Sizes
from scoref.metrics.clusterings import ALIGNED, Ratios, Sides

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.contingency.profile import Profile
    from scoref.model import Ints


class Shared(NamedTuple):
    """Cells of clusters that are not equal, with the sizes of both, in columns.

    Clusters are numbered by block and text, and cells are sorted by these numbers, so
    that every engine finds the same one of several alignments that are as good.
    """

    block: Ints
    key: Ints
    response: Ints
    n: Ints
    a: Ints
    b: Ints
    a_common: Ints
    b_common: Ints

    @classmethod
    def of(cls, columns: Iterable[Ints]) -> Shared:
        """Sort columns, and number clusters from 0."""
        block, key, response, *counts = (
            np.asarray(column, dtype=np.int64) for column in columns
        )
        order = np.lexsort((response, key, block))
        _, key = np.unique(key[order], return_inverse=True)
        _, response = np.unique(response[order], return_inverse=True)
        return cls(block[order], key, response, *(column[order] for column in counts))

    def blocks(self, count: int) -> list[Shared]:
        """Cut it into its blocks."""
        bounds = np.searchsorted(self.block, np.arange(count + 1)).tolist()
        return [
            Shared.of(column[start:end] for column in self)
            for start, end in pairwise(bounds)
        ]

    @property
    def cells(self) -> Cells:
        """Give the cells alone."""
        return Cells(self.key, self.response, self.n)

    @property
    def sides(self) -> Sides:
        """Give the sizes by cluster."""
        _, key = np.unique(self.key, return_index=True)
        _, response = np.unique(self.response, return_index=True)
        return Sides(
            self.a[key], self.a_common[key], self.b[response], self.b_common[response]
        )


def aligned(shared: Shared, profile: Profile) -> dict[str, Ratios]:
    """Count every member of the CEAF family."""
    key, response = profile.key_mentions, profile.response_mentions
    by_mention = _ratios("ceafm", shared, _equal(profile), (key, response))
    by_cluster = _ratios(
        "ceafe",
        shared,
        _equal(profile, clusters=True),
        (profile.key.total(), profile.response.total()),
    )
    ratios = {"ceafm": by_mention, "ceafe": by_cluster}
    if key == response == profile.common_mentions:
        same = {"ceafm-rn": by_mention, "ceafm-sys": by_mention}
        return ratios | same | {"ceafe-sys": by_cluster}
    return ratios | _twinless(by_mention, shared, profile)


def _twinless(plain: Ratios, shared: Shared, profile: Profile) -> dict[str, Ratios]:
    """Count those that treat one-sided mentions in a way of their own."""
    key, response = profile.key_mentions, profile.response_mentions
    single = profile.response[Sizes(1, 0)]
    missing = key - profile.common_mentions
    alone = _alone(profile.key)
    others = _alone(profile.response)
    del others[1]
    return {
        "ceafm-rn": Ratios(plain.recall, (plain.precision[0], response - single)),
        "ceafm-sys": _ratios(
            "ceafm-sys",
            shared,
            [size + alone.total() for size in _equal(profile)],
            (key, response - single + missing),
            (0, others.total()),
        ),
        "ceafe-sys": _ratios(
            "ceafe-sys",
            shared,
            [count + _dice(alone) for count in _equal(profile, clusters=True)],
            (profile.key.total(), profile.response.total() - single + missing),
            (0, _dice(others)),
        ),
    }


def _equal(profile: Profile, *, clusters: bool = False) -> tuple[int, int]:
    """Count the mentions of equal clusters, or the clusters, twice: R and P."""
    found = sum(
        (1 if clusters else row.n) * times
        for row, times in profile.cells.items()
        if row.n == row.a == row.b
    )
    return found, found


def _alone(sizes: Counter[Sizes]) -> Counter[int]:
    """Count clusters without a common mention by size."""
    return Counter({kind.size: n for kind, n in sizes.items() if not kind.common})


def _dice(sizes: Counter[int]) -> float:
    """Align each with a singleton of its own."""
    return fsum(2 * times / (size + 1) for size, times in sizes.items())


def _ratios(
    name: str,
    shared: Shared,
    decided: Sequence[float],
    denominators: tuple[int, int],
    more: tuple[float, float] = (0, 0),
) -> Ratios:
    """Solve what is undecided, and add what is."""
    found = ALIGNED[name](shared.cells, shared.sides)
    tops = [
        _sum((ratio[0], one, other))
        for ratio, one, other in zip(found, decided, more, strict=True)
    ]
    return Ratios(*zip(tops, denominators, strict=True))


def _sum(numbers: Iterable[float]) -> float:
    """Add up, in integers if all are."""
    listed = list(numbers)
    whole = all(isinstance(number, int) for number in listed)
    return sum(listed) if whole else fsum(listed)


def total(ratios: Iterable[dict[str, Ratios]]) -> dict[str, Ratios]:
    """Add up what groups have."""
    listed = list(ratios)
    return {
        name: Ratios(
            *(
                (
                    _sum(each[name][side][0] for each in listed),
                    _sum(each[name][side][1] for each in listed),
                )
                for side in (0, 1)
            )
        )
        for name in (listed[0] if listed else ())
    }

"""Indices that are one number: pairs, entropies, and cells, of common mentions.

They compare two partitions of one set, so that mentions which only one side has are
left out. With n the mentions that clusters of sizes a and b share, N of them in all, z
cells, and K_g and K_p clusters of key and response:

    Rand            pairs on which both agree ÷ C(N, 2)
    ARI             the same, less what chance gives (Hubert and Arabie, 1985)
    Fowlkes–Mallows Σ C(n, 2) ÷ √(Σ C(a, 2) · Σ C(b, 2))
    homogeneity     1 − H(key | response) / H(key)
    completeness    1 − H(response | key) / H(response)
    V-measure       their harmonic mean (Rosenberg and Hirschberg, 2007)
    VI              H(key | response) + H(response | key), in nats (Meilă, 2003)
    Talburt–Wang    √(K_g K_p) ÷ z
    GMD             2z − K_g − K_p: first split, then merge (Menestrina et al., 2010)
    purity          Σ over response clusters of the largest n ÷ N; inverse: of the key's

Where clusterings are equal by default, as all of nothing, they are 1 as in scikit-learn
(and Fowlkes–Mallows is 0 without a pair).
"""

from __future__ import annotations

from collections import Counter
from math import comb, fsum, log1p, sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoref.contingency.profile import Profile, Sizes

NAMES = (
    "rand",
    "ari",
    "fowlkes-mallows",
    "homogeneity",
    "completeness",
    "v-measure",
    "vi",
    "talburt-wang",
    "gmd",
    "purity",
    "inverse-purity",
)


class _Common(NamedTuple):
    """The profile of common mentions: cells by n, a and b, and clusters by size."""

    total: int
    cells: Counter[tuple[int, int, int]]
    key: Counter[int]
    response: Counter[int]

    @classmethod
    def of(cls, profile: Profile) -> _Common:
        cells: Counter[tuple[int, int, int]] = Counter()
        for row, times in profile.cells.items():
            if row.n:
                cells[row.n, row.a_common, row.b_common] += times
        key, response = _common_sizes(profile.key), _common_sizes(profile.response)
        return cls(profile.common_mentions, cells, key, response)


def _common_sizes(sizes: Counter[Sizes]) -> Counter[int]:
    found: Counter[int] = Counter()
    for kind, times in sizes.items():
        if kind.common:
            found[kind.common] += times
    return found


def values(profile: Profile) -> dict[str, float]:
    """Compute the indices, by name."""
    common = _Common.of(profile)
    found = _of_pairs(common) | _of_entropies(common) | _of_cells(common)
    found["purity"] = _share(profile.response_most, common.total)
    found["inverse-purity"] = _share(profile.key_most, common.total)
    return {name: found[name] for name in NAMES}


def _of_pairs(common: _Common) -> dict[str, float]:
    both = sum(comb(n, 2) * times for (n, _, _), times in common.cells.items())
    key, response = _pairs(common.key), _pairs(common.response)
    every = comb(common.total, 2)
    # In integers, so that nothing is lost where both are nearly equal.
    beyond_chance = 2 * (both * every - key * response)
    possible = (key + response) * every - 2 * key * response
    return {
        "rand": (every - key - response + 2 * both) / every if every else 1.0,
        "ari": beyond_chance / possible if possible else 1.0,
        "fowlkes-mallows": both / sqrt(key * response) if key and response else 0.0,
    }


def _pairs(sizes: Mapping[int, int]) -> int:
    return sum(comb(size, 2) * times for size, times in sizes.items())


def _of_entropies(common: _Common) -> dict[str, float]:
    total, cells = common.total, common.cells.items()
    key = _entropy(((a, total, times) for a, times in common.key.items()), total)
    response = _entropy(
        ((b, total, times) for b, times in common.response.items()), total
    )
    # What is left to know of a side, given the other: exactly 0 where nothing is.
    key_left = _entropy(((n, b, times) for (n, _, b), times in cells), total)
    response_left = _entropy(((n, a, times) for (n, a, _), times in cells), total)
    homogeneity, completeness = _known(key_left, key), _known(response_left, response)
    both = homogeneity + completeness
    return {
        "homogeneity": homogeneity,
        "completeness": completeness,
        "v-measure": 2 * homogeneity * completeness / both if both else 0.0,
        "vi": key_left + response_left,
    }


def _entropy(parts: Iterable[tuple[int, int, int]], total: int) -> float:
    """Average log(whole / part) over all mentions; parts come with how many there are.

    log1p keeps the digits where a part is nearly the whole.
    """
    if not total:
        return 0.0
    return (
        fsum(
            times * part * log1p((whole - part) / part) for part, whole, times in parts
        )
        / total
    )


def _known(left: float, entropy: float) -> float:
    return max(0.0, 1 - left / entropy) if entropy else 1.0


def _of_cells(common: _Common) -> dict[str, float]:
    cells, key = common.cells.total(), common.key.total()
    response = common.response.total()
    return {
        "talburt-wang": sqrt(key * response) / cells if cells else 1.0,
        "gmd": float(2 * cells - key - response),
    }


def _share(most: Counter[int], total: int) -> float:
    return sum(n * times for n, times in most.items()) / total if total else 0.0

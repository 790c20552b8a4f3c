"""What chance would make of systems: all of them see the same draws and swaps.

So each system is drawn once, however many others it is compared with.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from scoref.metrics.base import ratio
from scoref.statistics.cuts import TIE
from scoref.statistics.draws import is_exact, resampled, swapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoref.metrics.base import Floats
    from scoref.statistics.strata import Strata

    Pair = tuple[str, str]
    Sums = list[Floats]

_AT_ONCE = 4096  # swaps; those of all systems are in memory together


def draw(systems: Mapping[str, Strata], resamples: int, seed: int) -> dict[str, Floats]:
    """Draw documents from each dataset, and score each system on them."""
    first = next(iter(systems.values()))
    shape = (resamples, len(first.names))
    sums: dict[str, Floats] = {name: np.zeros(shape) for name in systems}
    defined: dict[str, Floats] = {name: np.zeros(shape) for name in systems}
    for number, size in enumerate(first.sizes):
        start = 0
        for weights in resampled(size, resamples, seed + number):
            rows = slice(start, start := start + len(weights))
            for name, system in systems.items():
                drawn = weights @ system.parts[number].matrix
                scores, is_defined = system.f1_of(number, drawn)
                sums[name][rows] += scores
                defined[name][rows] += is_defined
    return {name: ratio(sums[name], defined[name]) for name in systems}


def randomise(
    systems: Mapping[str, Strata], swaps: int, seed: int
) -> dict[Pair, Floats]:
    """Swap documents of each pair, and see how often the difference is as large."""
    first = next(iter(systems.values()))
    totals = {name: system.total for name, system in systems.items()}
    times: dict[Pair, Floats] = {
        pair: np.zeros(len(first.names)) for pair in combinations(systems, 2)
    }
    tried = 0
    for flips in _flips(first, swaps, seed):
        moving = {name: _moving(system, flips) for name, system in systems.items()}
        tried += len(flips[0])
        for one, other in times:
            pair = systems[one], systems[other]
            chance = _swapped(pair, moving[one], moving[other])
            found = np.abs(totals[one] - totals[other])
            times[one, other] += (chance >= found - TIE).sum(axis=0)
    # The outcome that was found is one of all, and is added to those that were drawn.
    more = 0 if is_exact(first.documents, swaps) else 1
    return {pair: (count + more) / (tried + more) for pair, count in times.items()}


def _flips(system: Strata, swaps: int, seed: int) -> Iterator[Sums]:
    """Choose documents to be swapped, dataset by dataset, some swaps at a time."""
    ends = np.cumsum(system.sizes)[:-1]
    for coins in swapped(system.documents, swaps, seed):
        for start in range(0, len(coins), _AT_ONCE):
            yield np.split(coins[start : start + _AT_ONCE], ends, axis=1)


def _moving(system: Strata, flips: Sums) -> Sums:
    """Add up the documents that are to change places."""
    return [
        coins @ part.matrix for part, coins in zip(system.parts, flips, strict=True)
    ]


def _swapped(pair: tuple[Strata, Strata], mine: Sums, theirs: Sums) -> Floats:
    """Let documents change places, and take the difference of the two."""
    gained = [new - old for old, new in zip(mine, theirs, strict=True)]
    one = [total + more for total, more in zip(pair[0].totals, gained, strict=True)]
    other = [total - more for total, more in zip(pair[1].totals, gained, strict=True)]
    return np.abs(pair[0].f1(one) - pair[1].f1(other))

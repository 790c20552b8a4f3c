"""How often 95 % intervals of estimates hold the truth: populations that are known.

    python benchmarks/run_estimates.py [SAMPLES]

Clusters have sizes by Zipf's law; some are cut, some merged. Samples are drawn from
them, by clusters or by records, and each is estimated from; the table says in how many
percent of samples the interval held the figure of the whole population.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from scoref.metrics import METRICS
from scoref.metrics.base import Metric
from scoref.records.estimate.estimators import (
    TERMS,
    ClusterCells,
    Draws,
    estimate_metric,
)

FIGURES = ("recall", "precision", "f1")
_CUT, _MERGED, _STRAY = 0.15, 0.05, 0.3


class Population(NamedTuple):
    """True clusters, their cells, and how they are drawn."""

    name: str
    clusters: int
    largest: int
    slope: float
    by_size: bool
    draws: int


DESIGNS = (
    Population("heavy, uniform, 200", 20_000, 400, 2.2, by_size=False, draws=200),
    Population("heavy, by size, 200", 20_000, 400, 2.2, by_size=True, draws=200),
    Population("small, uniform, 50", 20_000, 12, 3.2, by_size=False, draws=50),
    Population("small, by size, 50", 20_000, 12, 3.2, by_size=True, draws=50),
)


def cells_of(design: Population, rng: np.random.Generator) -> ClusterCells:
    """Make a population, and predict it with some errors."""
    size = np.minimum(rng.zipf(design.slope, design.clusters), design.largest)
    truth = np.repeat(np.arange(design.clusters), size)
    is_cut = rng.random(design.clusters) < _CUT
    target = np.arange(design.clusters)
    moved = rng.random(design.clusters) < _MERGED
    target[moved] = rng.integers(0, design.clusters, int(moved.sum()))
    strays = is_cut[truth] & (rng.random(len(truth)) < _STRAY)
    predicted = np.where(strays, design.clusters + truth, target[truth])
    code, shared = np.unique(
        truth * 2 * design.clusters + predicted, return_counts=True
    )
    sizes = np.bincount(predicted, minlength=2 * design.clusters)
    width = 2 * design.clusters
    return ClusterCells(size, code // width, shared, sizes[code % width])


def coverage(design: Population, samples: int, seed: int) -> dict[str, list[float]]:
    """Draw samples, and count how often each interval holds the truth."""
    rng = np.random.default_rng(seed)
    cells = cells_of(design, rng)
    chance = cells.size / cells.size.sum() if design.by_size else None
    terms = {name: count(cells) for name, count in TERMS.items()}
    held = {name: np.zeros(3) for name in TERMS}
    for _ in range(samples):
        drawn = rng.choice(design.clusters, design.draws, p=chance)
        chosen, times = np.unique(drawn, return_counts=True)
        weights = 1 / cells.size[chosen] if design.by_size else np.ones(len(chosen))
        for name, every in terms.items():
            found = estimate_metric(name, Draws(every[chosen], weights, times), 95)
            metric = METRICS[name]
            assert isinstance(metric, Metric)
            truth = metric.score(every.sum(axis=0)).tolist()
            for place, figure in enumerate(FIGURES):
                interval = found.intervals[figure]
                if interval and interval.low <= truth[place] <= interval.high:
                    held[name][place] += 1
    return {name: (100 * each / samples).tolist() for name, each in held.items()}


def main() -> None:
    """Print the table of docs/estimates.md."""
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    found = [coverage(design, samples, seed) for seed, design in enumerate(DESIGNS)]
    print(f"| R, P, F | {' | '.join(design.name for design in DESIGNS)} |")
    print("|---|" + "--:|" * len(DESIGNS))
    for name in TERMS:
        cells = [", ".join(f"{each:.0f}" for each in one[name]) for one in found]
        print(f"| {METRICS[name].label} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()

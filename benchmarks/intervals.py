"""How often do 95 % intervals hold the truth? Tables of three documentation pages.

    python benchmarks/intervals.py confidence           # docs/confidence.md
    python benchmarks/intervals.py confidence --write   # puts the tables into the page
    python benchmarks/intervals.py estimates [SAMPLES]  # docs/estimates.md
    python benchmarks/intervals.py runs [SAMPLES]       # docs/runs.md

For confidence, corpora of some sizes are drawn from a population of made-up documents,
whose figures are known, and the intervals of every metric are computed by every method.
Documents are about equally long in one population, and of very different lengths in
the other.

For estimates, clusters have sizes by Zipf's law; some are cut, some merged. Samples are
drawn from them, by clusters or by records. The table says in how many percent of the
samples the interval held the figure of the whole population.

For runs, every run of a system makes its own errors in the same documents, and some
runs are better than others. Documents and runs are drawn from a population. The first
table says in how many percent of the samples the interval held the mean score of all
runs on all documents. The second says how often two systems that are equally good on
average were called different (p up to 0.05).
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import scoref
from scoref.metrics import METRICS, labels_of
from scoref.metrics.base import Metric
from scoref.records.estimate.estimators import (
    TERMS,
    ClusterCells,
    Draws,
    estimate_metric,
)
from scoref.statistics.additive import Additive
from scoref.statistics.bootstrap import METHODS, Cuts, resample

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scoref.scoring.results import Result

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Mask = NDArray[np.bool_]
    Entities = list[list[int]]

PAGE = Path(__file__).parent.parent / "docs" / "confidence.md"
POPULATION, CORPORA, RESAMPLES = 3000, 2000, 1000
SIZES = (2, 3, 5, 10, 20, 50, 100, 350)
LEVEL = 95
F1 = 2
LENGTHS = {"even": 0.4, "uneven": 1.0}
"""How far the logarithms of documents' lengths stray."""
TITLES = {
    "even": "Documents of about equal length",
    "uneven": "Documents of very different lengths",
}


def entities(mentions: int, random: np.random.Generator) -> Entities:
    """Deal mentions to entities: the larger one is, the more it gets."""
    found: Entities = []
    for mention in range(mentions):
        # Any earlier mention, at random, names its entity.
        if mention == 0 or random.random() < 0.35:
            found.append([mention])
        else:
            earlier = int(random.integers(mention))
            next(each for each in found if earlier in each).append(mention)
    return found


def response_to(
    key: Entities, random: np.random.Generator, difficulty: float | None = None
) -> Entities:
    """Make the errors of a system, for which some documents are harder than others."""
    difficulty = random.beta(2, 4) if difficulty is None else difficulty
    pieces: Entities = []
    for entity in key:
        found = [each for each in entity if random.random() > difficulty / 2]
        cut = int(random.integers(len(found) + 1)) if found else 0
        is_divided = random.random() < difficulty
        pieces += [found[:cut], found[cut:]] if is_divided else [found]
    merged: Entities = []
    for piece in filter(None, pieces):
        if merged and random.random() < difficulty / 3:
            merged[-1] += piece
        else:
            merged.append(piece)
    extra = random.poisson(0.3 * difficulty * sum(map(len, key)))
    return [*merged, *([-1 - number] for number in range(extra))]


def population(spread: float) -> Result:
    """Score made-up documents."""
    random = np.random.default_rng(2014)
    lengths = random.lognormal(np.log(40), spread, POPULATION).clip(3, 1500)
    key = {
        str(row): entities(int(length), random) for row, length in enumerate(lengths)
    }
    return scoref.score(key, {name: response_to(key[name], random) for name in key})


class CorpusScores(NamedTuple):
    """Scores of one corpus: as it is, of what is drawn from it, and without each."""

    total: Floats
    drawn: Floats
    without: Floats

    @classmethod
    def of(cls, additive: Additive, rows: Floats, weights: Floats) -> CorpusScores:
        """Score the rows of a corpus."""
        sums = rows.sum(axis=0)
        parts = sums, weights @ rows, sums - rows
        return cls(*(additive.scores(each)[..., F1] for each in parts))


def coverage_of_corpora(additive: Additive, size: int) -> dict[str, Floats]:
    """Count, by method and metric, how often the truth is inside, in percent."""
    random, truth = np.random.default_rng(size), additive.total[:, F1]
    (weights,) = resample(size, RESAMPLES, seed=size)
    held = {method: np.zeros(len(truth)) for method in METHODS}
    for _ in range(CORPORA):
        rows = additive.matrix[random.integers(0, POPULATION, size)]
        found = CorpusScores.of(additive, rows, weights)
        for method in METHODS:
            cuts = Cuts(LEVEL, method, size, size - 1)
            for place, true in enumerate(truth):
                low, high = cuts.interval(
                    found.drawn[:, place],
                    float(found.total[place]),
                    found.without[:, place],
                )
                held[method][place] += low <= true <= high
    return {method: 100 * count / CORPORA for method, count in held.items()}


def table(result: Result) -> Iterator[str]:
    """Write a row for each size and method."""
    additive = Additive.of(result)
    labels = labels_of(result.scheme, additive.names).values()
    yield f"| documents | method | {' | '.join(labels)} |"
    yield f"|--:|---|{'--:|' * len(labels)}"
    for size in SIZES:
        for method, covered in coverage_of_corpora(additive, size).items():
            figures = " | ".join(f"{each:.1f}" for each in covered)
            yield f"| {size} | `{method}` | {figures} |"


def into_page(page: str, name: str, lines: list[str]) -> str:
    """Replace the table of a population."""
    written = "\n".join([f"**{TITLES[name]}**", "", *lines])
    first, last = f"<!-- coverage: {name} -->", "<!-- end -->"
    pattern = re.compile(f"{first}.*?{last}", re.DOTALL)
    return pattern.sub(f"{first}\n\n{written}\n\n{last}", page)


def print_confidence(*, is_written: bool) -> None:
    """Print a table for each population, and put it into the page if asked to."""
    tables: dict[str, list[str]] = {}
    for name, spread in LENGTHS.items():
        tables[name] = []
        for line in table(population(spread)):
            print(line, flush=True)
            tables[name].append(line)
    if is_written:
        page = PAGE.read_text(encoding="utf-8")
        for name, lines in tables.items():
            page = into_page(page, name, lines)
        PAGE.write_text(page, encoding="utf-8")


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


def coverage_of_samples(
    design: Population, samples: int, seed: int
) -> dict[str, list[float]]:
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


def print_estimates(samples: int) -> None:
    """Print the table of docs/estimates.md."""
    found = [
        coverage_of_samples(design, samples, seed)
        for seed, design in enumerate(DESIGNS)
    ]
    print(f"| R, P, F | {' | '.join(design.name for design in DESIGNS)} |")
    print("|---|" + "--:|" * len(DESIGNS))
    for name in TERMS:
        cells = [", ".join(f"{each:.0f}" for each in one[name]) for one in found]
        print(f"| {METRICS[name].label} | {' | '.join(cells)} |")


RUN_POPULATION, RUN_DOCUMENTS = 60, 600
RUN_NUMBERS, RUN_SIZES = (1, 3, 5, 10), (20, 100)
RUN_SPREADS = {"little": 0.03, "much": 0.15}
"""How far the logarithms of the difficulty of documents stray over runs."""


def run_population(spread: float) -> list[list[Result]]:
    """Score many runs of two systems for which other documents are difficult."""
    random = np.random.default_rng(2014)
    lengths = random.lognormal(np.log(40), 0.4, RUN_DOCUMENTS).clip(3, 1500)
    key = {
        str(row): entities(int(length), random) for row, length in enumerate(lengths)
    }
    factors = np.exp(spread * random.standard_normal(RUN_POPULATION))
    systems = []
    for _ in range(2):
        difficulty = random.beta(2, 4, RUN_DOCUMENTS)
        systems.append(
            [
                scoref.score(
                    key,
                    {
                        name: response_to(key[name], random, min(hard * factor, 1.0))
                        for name, hard in zip(key, difficulty, strict=True)
                    },
                    metrics="conll",
                )
                for factor in factors
            ]
        )
    return systems


def coverage_of_runs(
    runs: list[Result], size: int, number: int, samples: int
) -> dict[str, float]:
    """Count, by method, how often the truth is inside, in percent."""
    random = np.random.default_rng(size + number)
    truth = fsum(run.conll for run in runs) / len(runs)
    held = dict.fromkeys(METHODS, 0)
    for _ in range(samples):
        rows = random.integers(0, RUN_DOCUMENTS, size).tolist()
        drawn = [
            runs[run].of_documents(rows)
            for run in random.integers(0, RUN_POPULATION, number)
        ]
        for method in METHODS:
            found = scoref.confidence(drawn, method=method, resamples=RESAMPLES)
            low, high = found.intervals["conll"]["f1"]
            held[method] += low <= truth <= high
    return {method: 100 * count / samples for method, count in held.items()}


def false_alarms_of_runs(
    systems: list[list[Result]], size: int, number: int, samples: int
) -> tuple[float, float]:
    """Count how often equally good systems are called different, in percent."""
    random = np.random.default_rng(size + number)
    alarms = np.zeros(2)
    for _ in range(samples):
        rows = random.integers(0, RUN_DOCUMENTS, size)
        # Each document is as likely to be difficult for one as for the other.
        is_swapped = random.random(size) < 0.5
        compared = {
            name: [
                _mixed(systems[first][run], systems[1 - first][run], rows, is_swapped)
                for run in random.integers(0, RUN_POPULATION, number)
            ]
            for first, name in enumerate("ab")
        }
        (row,) = scoref.compare(compared, resamples=RESAMPLES).differences
        assert row.bootstrap is not None
        alarms += [row.randomisation <= 0.05, row.bootstrap <= 0.05]
    first, second = (100 * alarms / samples).tolist()
    return first, second


def _mixed(one: Result, other: Result, rows: Ints, is_swapped: Mask) -> Result:
    """Take some documents from one result, and the others from another."""
    counts = {
        name: np.where(is_swapped[:, None], other.counts[name][rows], own[rows])
        for name, own in one.counts.items()
    }
    return replace(one, counts=counts, documents=tuple(map(str, range(len(rows)))))


def print_runs(samples: int) -> None:
    """Print the tables of docs/runs.md."""
    populations = {name: run_population(each) for name, each in RUN_SPREADS.items()}
    for name, systems in populations.items():
        scores = [run.conll for run in systems[0]]
        print(f"runs vary {name}: sd {100 * np.std(scores, ddof=1):.2f}", flush=True)
    methods = [f"{name}, `{each}`" for name in populations for each in METHODS]
    print(f"| documents | runs | {' | '.join(methods)} |")
    print(f"|--:|--:|{'--:|' * len(methods)}")
    for size in RUN_SIZES:
        for number in RUN_NUMBERS:
            cells = [
                f"{covered:.1f}"
                for systems in populations.values()
                for covered in coverage_of_runs(
                    systems[0], size, number, samples
                ).values()
            ]
            print(f"| {size} | {number} | {' | '.join(cells)} |", flush=True)
    tests = [
        f"{name}, {test}"
        for name in populations
        for test in ("randomisation", "bootstrap")
    ]
    print(f"| documents | runs | {' | '.join(tests)} |")
    print(f"|--:|--:|{'--:|' * len(tests)}")
    for size in RUN_SIZES:
        for number in RUN_NUMBERS:
            cells = [
                f"{share:.1f}"
                for systems in populations.values()
                for share in false_alarms_of_runs(systems, size, number, samples // 4)
            ]
            print(f"| {size} | {number} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print the tables of one page."""
    match sys.argv[1:]:
        case ["confidence", *options]:
            print_confidence(is_written="--write" in options)
        case ["estimates", *samples]:
            print_estimates(int(samples[0]) if samples else 300)
        case ["runs", *samples]:
            print_runs(int(samples[0]) if samples else 2000)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()

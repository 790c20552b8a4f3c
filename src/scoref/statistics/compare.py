"""Comparison of systems on the same documents: differences, intervals, tests.

Two tests ask how often chance alone would make a difference as large as the one that
was found. *Approximate randomisation* (Noreen, 1989) swaps the two systems' output
document by document: if the systems were equal, it would not matter which system
produced which output. The *paired bootstrap* draws documents and measures how far the
difference deviates from its own value. Both are two-sided. Holm (1979) corrects for the
number of tests: over all pairs of systems and all metrics of a table.

If systems have several runs, their means are compared. The bootstrap then draws runs as
well as documents. Randomisation adds the variation of runs to each swapped difference,
because swapping documents does not show how much runs vary.

Systems can be compared if they were scored on the same documents, with the same choices
wherever these affect figures. The format does not: the same mentions in another format
have the same scores.

Some designs cannot find anything significant, and notes say so. With B random swaps the
smallest p is 1 / (B + 1), and with n documents it is 2 / 2ⁿ, since swapping all of them
makes the same difference. Holm's correction multiplies the smallest p by the number of
tests; if the product exceeds the level, nothing is significant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import ceil, comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.displayed import Displayed
from scoref.errors import OptionError, quoted
from scoref.metrics import METRICS, ByMetric, is_distance, metric_name, metric_names
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import counted, describe
from scoref.scheme import TABLE
from scoref.scoring.comparable import comparability_notes, unlike
from scoref.scoring.results import Result, refuse_no_result, signature_of
from scoref.scoring.runs import join_runs
from scoref.statistics.additive import Strata, SystemRuns, by_dataset
from scoref.statistics.bootstrap import (
    METHOD,
    TIE,
    Cuts,
    draw_runs,
    is_exact,
    low_level,
    percent_of,
    randomise,
)
from scoref.statistics.confidence import (
    RESAMPLES,
    SEED,
    check_options,
    few_documents,
    few_runs,
    is_one_unit,
    one_unit,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.metrics.base import Floats
    from scoref.statistics.bootstrap import DrawnRuns, Interval, Method


class Difference(NamedTuple):
    """One metric of two systems: the first one's F₁ less the second one's.

    ``adjusted`` is the p-value of randomisation after Holm's correction. One document
    is always drawn as it is, so it has no interval and no p-value by the bootstrap.
    """

    first: str
    second: str
    metric: str
    difference: float
    interval: Interval | None
    randomisation: float
    bootstrap: float | None
    adjusted: float
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Displayed):
    """Every pair of systems, and how they were compared."""

    results: Mapping[str, Result | Mapping[str, Result]]
    metrics: tuple[str, ...]
    f1: Mapping[str, Mapping[str, float | None]]  # None: 0/0 in all datasets
    covered: Mapping[str, Mapping[str, int]]  # datasets in each mean; a file is one
    differences: tuple[Difference, ...]
    level: float
    method: Method
    resamples: int
    swaps: int
    seed: int
    documents: int
    is_exact: bool
    notes: tuple[Note, ...] = ()
    runs: Mapping[str, int] = field(default_factory=dict)  # if any system has several
    sd: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # over runs

    _reported_by = "tools.compare.rendering:comparison_report"

    @property
    def _in_short(self) -> str:
        documents = counted(self.documents, "document")
        return f"{counted(len(self.results), 'system')} on {documents}"

    @property
    def signature(self) -> str:
        """All choices for the tests, to be added to the scores' signature."""
        swaps = "all" if self.is_exact else str(self.swaps)
        is_macro = not isinstance(next(iter(self.results.values())), Result)
        datasets = "datasets:macro|" if is_macro else ""
        return (
            f"{datasets}confidence:{self.level:.15g}|bootstrap:{self.method}|resamples:"
            f"{self.resamples}|swaps:{swaps}|seed:{self.seed}|correction:holm|"
            f"unit:documents{'+runs' if self.runs else ''}"
        )

    @property
    def allowed(self) -> float:
        """The highest p-value that is significant."""
        return (100 - self.level) / 100

    @property
    def scored(self) -> str:
        """The signature of the systems' scores, with the formats of all of them."""
        return signature_of(
            next(iter(by_dataset(system).values())) for system in self.results.values()
        )

    def between(self, first: str, second: str, metric: str) -> Difference:
        """Return the difference of two systems by a metric."""
        metric = metric_name(metric)
        for row in self.differences:
            if (row.first, row.second, row.metric) == (first, second, metric):
                return row
        raise OptionError(f"'{first}' and '{second}' were not compared by '{metric}'")


def _refuse_distances(metrics: Iterable[str]) -> None:
    """Refuse metrics for which lower is better: wins would be losses."""
    for name in metrics:
        if is_distance(name):
            raise OptionError(
                f"'{name}' is a distance (lower is better) and cannot be compared. "
                "Leave it out of the metrics."
            )


def compare(
    systems: Mapping[str, Result | Sequence[Result] | Mapping[str, Result]]
    | Sequence[Result],
    *,
    level: float = 95,
    method: Method = METHOD,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    metrics: str | Iterable[str] | None = None,
) -> Comparison:
    """Compare systems that were scored against the same key.

    A metric that is 0/0 for every system is left out.

    Args:
        systems: the result of each system by name. A list of results holds several runs
            of a system, whose mean is compared, or the folds of a corpus. A dict of
            results holds datasets, whose macro average is compared.
            The results of a sequence are named after their responses, or ``system 1``,
            ``system 2`` and so on.
        level: the level of the intervals in percent, or as a fraction up to 1.
        method: ``expanded``, ``bca`` or ``percentile``, for the intervals of
            differences.
        resamples: number of bootstrap samples and of random swaps. More swaps are tried
            if no corrected p-value could be significant otherwise.
        seed: the same seed gives the same digits.
        metrics: the metrics to compare and to correct for; all of them by default.
    """
    level = percent_of(level)
    check_options(method, resamples, seed)
    systems = _named_results(systems)
    if len(systems) < 2:
        raise OptionError(
            f"compare() needs the results of two systems or more, not {len(systems)}",
            hint='compare({"a": result, "b": other})',
        )
    if metrics is not None:
        metrics = metric_names(metrics)
    joined = _join_lists(systems)
    datasets = _of_metrics(joined, metrics)
    check_comparable(datasets)
    results = [result for system in datasets.values() for result in system.values()]
    if all(map(is_one_unit, results)):
        raise one_unit()
    _refuse_distances(results[0].metrics)
    absent = _absent_metrics(datasets)
    if absent:
        kept = [name for name in results[0].metrics if name not in absent]
        datasets = _of_metrics(joined, kept)
    sampled = {name: SystemRuns.of(name, own) for name, own in datasets.items()}
    runs = {name: len(system.runs) for name, system in sampled.items()}
    has_runs = any(count > 1 for count in runs.values())
    first = next(iter(sampled.values())).runs[0]
    tests = len(first.names) * comb(len(sampled), 2)
    design = Design(tests, level, first.documents, has_runs=has_runs)
    swaps = design.swaps(resamples)
    cuts = Cuts(level, method, first.documents, first.freedom)
    differences = _differences(sampled, cuts, resamples, swaps, seed)
    adjusted = holm([row.randomisation for row in differences])
    return Comparison(
        results=joined,
        metrics=first.names,
        f1={name: ByMetric(system.figures) for name, system in sampled.items()},
        covered={
            name: ByMetric(zip(first.names, system.covered.tolist(), strict=True))
            for name, system in sampled.items()
        },
        differences=tuple(
            row._replace(adjusted=p)
            for row, p in zip(differences, adjusted, strict=True)
        ),
        level=level,
        method=method,
        resamples=resamples,
        swaps=swaps,
        seed=seed,
        documents=first.documents,
        is_exact=design.is_exact(swaps),
        notes=(
            *low_level(level),
            *_unlike_datasets(next(iter(datasets.values()))),
            *equal_systems(datasets),
            *(_absent_note(absent) if metrics is not None else ()),
            *design.notes(resamples),
            *few_documents(
                first.documents,
                method,
                noun="group" if results[0].format == TABLE else "document",
            ),
            *lone_documents(first),
            *(few_runs(runs) if has_runs else ()),
        ),
        runs=runs if has_runs else {},
        sd={
            name: dict(zip(first.names, system.sd.tolist(), strict=True))
            for name, system in sampled.items()
            if runs[name] > 1
        },
    )


def _unlike_datasets(datasets: Mapping[str, Result]) -> list[Note]:
    """Warn of datasets that were scored under other conventions than the first one."""
    return [
        Note("unlike-datasets", 1, message)
        for message in comparability_notes(datasets, same_key=False)
    ]


def _join_lists(
    systems: Mapping[str, Result | Sequence[Result] | Mapping[str, Result]],
) -> dict[str, Result | Mapping[str, Result]]:
    """Combine the runs or folds of each system."""
    return {
        name: system
        if isinstance(system, Result | Mapping)
        else replace(join_runs([*system]), response=name)
        for name, system in systems.items()
    }


def f1_intervals(
    systems: Mapping[str, Result | Mapping[str, Result]],
    metrics: Sequence[str],
    *,
    level: float = 95,
    method: Method = METHOD,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> dict[str, dict[str, Interval]]:
    """Return the interval of each system's F₁, or of its mean over datasets, by metric.

    The keywords are those of `compare`. Nothing is returned if nothing can vary.
    """
    if metrics is not None:
        metrics = metric_names(metrics)
    datasets = _of_metrics(systems, metrics)
    sampled = {name: SystemRuns.of(name, own) for name, own in datasets.items()}
    first = next(iter(sampled.values())).runs[0]
    cuts = Cuts(percent_of(level), method, first.documents, first.freedom)
    if not cuts.freedom:
        return {}
    drawn = draw_runs(sampled, resamples, seed)
    intervals: dict[str, dict[str, Interval]] = {}
    for name, system in sampled.items():
        scores = drawn[name].stretched(cuts, first.names)
        total, without = system.total, system.without_one
        without_run = system.without_run
        intervals[name] = {
            metric: cuts.interval(
                scores[:, place],
                float(total[place]),
                without[:, place],
                without_run[:, place],
            )
            for place, metric in enumerate(first.names)
        }
    return intervals


def _of_metrics(
    systems: Mapping[str, Result | Mapping[str, Result]],
    metrics: str | Iterable[str] | None,
) -> dict[str, dict[str, Result]]:
    """Return the results by system and dataset, with some metrics or with all."""
    return {
        name: {
            dataset: result if metrics is None else result.of_metrics(metrics)
            for dataset, result in by_dataset(system).items()
        }
        for name, system in systems.items()
    }


def _absent_metrics(systems: Mapping[str, Mapping[str, Result]]) -> list[str]:
    """Return metrics that are 0/0 for every system, unless all of them are."""
    results = [result for system in systems.values() for result in system.values()]
    metrics = results[0].metrics
    absent = [
        name
        for name in metrics
        if not any(result.is_defined(name) for result in results)
    ]
    return absent if len(absent) < len(metrics) else []


def _absent_note(metrics: Sequence[str]) -> list[Note]:
    if not metrics:
        return []
    labels = " and ".join(METRICS[name].label for name in metrics)
    were = "it was" if len(metrics) == 1 else "they were"
    message = f"{labels}: there is nothing to score for any system, so {were} left out."
    return [Note("absent-metrics", len(metrics), message)]


def _named_results(systems: object) -> Mapping[str, Result | Mapping[str, Result]]:
    """Return results by name, and refuse everything else."""
    if isinstance(systems, list | tuple):
        results = systems
    elif isinstance(systems, Mapping):
        results = list(systems.values())
    else:
        raise OptionError(
            f"compare() takes a dict or a list of results, not {describe(systems)}",
            hint='compare({"a": result, "b": other})',
        )
    for system in results:
        own = [*system.values()] if isinstance(system, Mapping) else system
        for result in own if isinstance(own, list | tuple) else [own]:
            refuse_no_result(result, "compare")
    if isinstance(systems, Mapping):
        return systems
    names = [getattr(system, "response", "") for system in results]
    if len({*names}) < len(names):
        names = [f"system {number}" for number in range(1, len(names) + 1)]
    return dict(zip(names, results, strict=True))


def equal_systems(systems: Mapping[str, Mapping[str, Result]]) -> list[Note]:
    """Warn of two systems that have the same counts in every document."""
    notes = []
    for one, other in combinations(systems, 2):
        pairs = [
            (result, systems[other][name]) for name, result in systems[one].items()
        ]
        are_equal = all(
            len(mine.runs) == len(theirs.runs)
            and all(
                np.array_equal(run.counts[name], other_run.counts[name])
                for run, other_run in zip(mine.runs, theirs.runs, strict=True)
                for name in run.counts
            )
            for mine, theirs in pairs
        )
        if are_equal:
            message = (
                f"{WARNING}{one} and {other} have the same counts in every document. "
                "Are they the same response?"
            )
            notes.append(Note("equal-systems", 1, message))
    return notes


def _differences(
    systems: Mapping[str, SystemRuns],
    cuts: Cuts,
    resamples: int,
    swaps: int,
    seed: int,
) -> list[Difference]:
    """Compare each pair of systems by each metric."""
    drawn = draw_runs(systems, resamples, seed)
    scores = {
        name: _Scores.of(system, drawn[name], cuts) for name, system in systems.items()
    }
    metrics = next(iter(systems.values())).runs[0].names
    randomisation = randomise(systems, swaps, seed)
    return [
        row
        for pair in combinations(systems, 2)
        for row in _Pair.of(pair, metrics, *(scores[name] for name in pair)).rows(
            randomisation[pair], cuts
        )
    ]


class _Scores(NamedTuple):
    """The scores of a system: in total, drawn, without one, by document.

    ``stretched`` are the drawn scores with the deviations of runs stretched.
    """

    total: Floats
    drawn: Floats
    stretched: Floats
    without: Floats
    without_run: Floats
    by_document: Floats

    @classmethod
    def of(cls, system: SystemRuns, drawn: DrawnRuns, cuts: Cuts) -> _Scores:
        return cls(
            system.total,
            drawn.scores,
            drawn.stretched(cuts, system.runs[0].names),
            system.without_one,
            system.without_run,
            system.by_document,
        )


class _Pair(NamedTuple):
    """The differences of two systems, as `_Scores` has the scores of one."""

    names: tuple[str, str]
    metrics: tuple[str, ...]
    total: Floats
    drawn: Floats
    stretched: Floats
    without: Floats
    without_run: tuple[Floats, Floats]
    by_document: Floats

    @classmethod
    def of(
        cls,
        names: tuple[str, str],
        metrics: tuple[str, ...],
        one: _Scores,
        other: _Scores,
    ) -> _Pair:
        return cls(
            names,
            metrics,
            one.total - other.total,
            one.drawn - other.drawn,
            one.stretched - other.stretched,
            one.without - other.without,
            (one.without_run, -other.without_run),
            one.by_document - other.by_document,
        )

    def rows(self, randomisation: Floats, cuts: Cuts) -> list[Difference]:
        """Return a row for each metric; without an interval if nothing can vary."""
        # Documents that the first system wins, ties and loses.
        is_tie = np.abs(self.by_document) <= TIE
        wins = ((self.by_document > 0) & ~is_tie).sum(axis=0)
        losses = ((self.by_document < 0) & ~is_tie).sum(axis=0)
        # How often the difference is as far from its own value as from 0.
        is_far = np.abs(self.drawn - self.total) >= np.abs(self.total) - TIE
        far = is_far.sum(axis=0)
        rows = []
        for place, name in enumerate(self.metrics):
            total = float(self.total[place])
            interval = bootstrap = None
            if cuts.freedom:
                interval = cuts.interval(
                    self.stretched[:, place],
                    total,
                    self.without[:, place],
                    *(change[:, place] for change in self.without_run),
                )
                bootstrap = float((1 + far[place]) / (1 + len(self.drawn)))
            rows.append(
                Difference(
                    *self.names,
                    name,
                    total,
                    interval,
                    float(randomisation[place]),
                    bootstrap,
                    1.0,
                    int(wins[place]),
                    int(is_tie[:, place].sum()),
                    int(losses[place]),
                )
            )
        return rows


def holm(values: Sequence[float]) -> list[float]:
    """Correct p-values for their number (Holm, 1979), in their order.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(values)), key=lambda place: values[place])
    adjusted, highest = [0.0] * len(values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, values[place] * (len(values) - rank)))
        adjusted[place] = highest
    return adjusted


def check_comparable(systems: Mapping[str, Mapping[str, Result]]) -> None:
    """Refuse systems that were not scored alike, and say what differs."""
    (first, expected), *others = systems.items()
    for name, system in others:
        _check_names(name, first, "datasets", [*system], [*expected])
        for dataset, result in system.items():
            other = expected[dataset]
            _check_names(name, first, "documents", result.documents, other.documents)
            for what, mine, theirs in unlike(result, other):
                raise OptionError(
                    f"{name} and {first} were not scored in the same way: {what} is "
                    f"{mine or 'none'} for {name}, {theirs or 'none'} for {first}"
                )


def _check_names(
    name: str,
    first: str,
    what: str,
    mine: list[str] | tuple[str, ...],
    theirs: list[str] | tuple[str, ...],
) -> None:
    sides = (name, sorted({*mine} - {*theirs})), (first, sorted({*theirs} - {*mine}))
    only = [f"only {who} has {quoted(names)}" for who, names in sides if names]
    if only or len(mine) != len(theirs):
        listed = f": {', '.join(only)}" if only else ""
        raise OptionError(f"{name} and {first} do not have the same {what}{listed}")


MOST_SWAPS = 200_000
"""More are tried only on request, because so many take minutes."""

_ROUNDING = 1e-6

_SURE = 64  # documents with so many ways to be swapped that p can be any value


class Design(NamedTuple):
    """The number of tests, their level, the number of documents, and if runs vary."""

    tests: int
    level: float
    documents: int
    has_runs: bool = False

    @property
    def allowed(self) -> float:
        """Return the highest p-value that is significant."""
        return (100 - self.level) / 100

    @property
    def ways(self) -> int:
        """Count the ways to swap documents, up to a very large number.

        Runs make the swapped difference larger or smaller, so each way counts twice.
        """
        return 1 << min(self.documents + self.has_runs, _SURE)

    def is_exact(self, swaps: int) -> bool:
        """Return whether all ways to swap are tried."""
        return is_exact(self.documents, swaps) and not self.has_runs

    @property
    def needed(self) -> int:
        """Count the swaps without which nothing can be significant."""
        return ceil(self.tests / self.allowed - _ROUNDING)

    def swaps(self, resamples: int) -> int:
        """Raise the number of swaps until something can be significant."""
        if not self.is_possible or not resamples < self.needed <= MOST_SWAPS:
            return resamples
        return resamples * -(-self.needed // resamples)

    @property
    def is_possible(self) -> bool:
        """Return whether anything can be significant with enough swaps."""
        return self.tests * 2 <= (self.allowed + _ROUNDING) * self.ways

    def notes(self, resamples: int) -> tuple[Note, ...]:
        """Note that more swaps were tried than requested, or would not help."""
        swaps = self.swaps(resamples)
        limit = f"p ≤ {self.allowed:.2g}"
        tests = f"{self.tests} tests" if self.tests > 1 else "1 test"
        if not self.is_possible:
            return (Note("no-significance", self.tests, self._too_few(limit, tests)),)
        is_tried = self.is_exact(swaps) or swaps >= self.needed
        if not is_tried:
            message = (
                f"Nothing can be significant here: {tests} at {limit} need "
                f"{self.needed:,} swaps. Use --resamples {self.needed}, or compare "
                "fewer metrics or systems."
            )
            return (Note("no-significance", self.tests, message),)
        if swaps == resamples:
            return ()
        message = (
            f"{swaps:,} swaps were tried instead of {resamples:,}. With fewer swaps, "
            f"nothing could be significant in {tests} ({limit} after Holm's "
            "correction)."
        )
        return (Note("more-swaps", swaps, message),)

    def _too_few(self, limit: str, tests: str) -> str:
        least = min(1.0, 2 / self.ways * self.tests)
        documents = counted(self.documents, "document is", "documents are")
        return (
            f"Nothing can be significant here: {documents} too few for {tests}. The "
            f"smallest possible p after Holm's correction is {least:.2g}, and "
            f"significance needs {limit}."
        )


def lone_documents(system: Strata) -> tuple[Note, ...]:
    """Note datasets of one document, which do not vary, if others do."""
    alone = system.sizes.count(1)
    if alone == 0 or len(system.sizes) == 1:
        return ()
    have = "has" if alone == 1 else "have"
    message = (
        f"{alone} of {len(system.sizes)} datasets {have} only one document. Resampling "
        "does not vary it, so intervals and bootstrap p-values are too small."
    )
    return (Note("lone-documents", alone, message),)

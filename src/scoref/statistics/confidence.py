"""Confidence intervals by the bootstrap (Efron, 1979), over documents.

Corpora of the same size are drawn from the documents, with replacement, and scored; the
lowest and the highest scores are cut off.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from numbers import Real
from typing import TYPE_CHECKING, Literal

import numpy as np

from scoref.displayed import Displayed
from scoref.errors import OptionError, unknown
from scoref.metrics import ByMetric
from scoref.metrics.base import FIGURES
from scoref.model import Note
from scoref.printable import counted
from scoref.scheme import TABLE
from scoref.scoring.results import Result, refuse_no_result
from scoref.scoring.runs import join_runs
from scoref.statistics.additive import (
    Additive,
    Strata,
    change_without_each,
    mean_of_runs,
)
from scoref.statistics.bootstrap import (
    METHOD,
    METHODS,
    Cuts,
    DrawnRuns,
    draw,
    low_level,
    percent_of,
    resample,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.metrics.base import Floats
    from scoref.statistics.bootstrap import Interval, Method

Unit = Literal["documents", "entities"]
UNITS: tuple[Unit, ...] = ("documents", "entities")
RESAMPLES, SEED = 10_000, 2014
MOST_RESAMPLES = 1_000_000
"""More would take hours without changing a digit that is shown."""
FEW = 20
COVERED: Mapping[Method, Mapping[int, int]] = {
    "expanded": {2: 47, 3: 72, 5: 89, 10: 93},
    "bca": {2: 47, 3: 66, 5: 77, 10: 83},
    "percentile": {2: 47, 3: 68, 5: 80, 10: 87},
}
"""The actual coverage of 95 % intervals by number of documents, in percent: the worst
metric of the tables in docs/confidence.md."""

_F1 = FIGURES.index("f1")
_TABLE_ADVICE = " Use a column of --group with more groups."

_ADVICE = " Use --unit entities (unit=entities) to resample entities instead."


@dataclass(frozen=True, slots=True, repr=False)
class Confidence(Displayed):
    """Intervals of every figure, and how they were computed."""

    level: float
    method: Method
    resamples: int
    seed: int
    unit: str
    count: int
    intervals: Mapping[str, Mapping[str, Interval]]
    notes: tuple[Note, ...] = ()

    _reported_by = "render.scores:intervals_report"

    @property
    def _in_short(self) -> str:
        return f"{self.level:g} % intervals over {self.count} {self.unit}"

    @property
    def signature(self) -> str:
        """All choices for the intervals, to be added to the scores' signature."""
        return (
            f"confidence:{self.level:.15g}|bootstrap:{self.method}|resamples:"
            f"{self.resamples}|seed:{self.seed}|unit:{self.unit}"
        )


def confidence(
    result: Result | Sequence[Result],
    *,
    level: float = 95,
    method: Method = METHOD,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    unit: Unit = "documents",
) -> Confidence:
    """Compute intervals of recall, precision and F₁ of every metric of a result.

    Args:
        result: the result to compute intervals for, or a list with the results of
            several runs. Runs are then resampled as well as documents.
        level: the confidence level in percent, or as a fraction up to 1.
        method: ``expanded``, ``bca`` or ``percentile``.
        resamples: number of bootstrap samples, at most 1,000,000.
        seed: the same seed gives the same digits.
        unit: units to resample: ``documents``, or ``entities`` in blocks if there are
            few documents. The result must then have been scored ``with_blocks``.
    """
    level = percent_of(level)
    check_options(method, resamples, seed)
    for run in result if isinstance(result, list | tuple) else [result]:
        refuse_no_result(run, "confidence")
    result = result if isinstance(result, Result) else join_runs(result)
    if unit not in UNITS:
        raise unknown("unit", unit, UNITS)
    of_entities, has_runs = unit == "entities", len(result.runs) > 1
    if of_entities and has_runs:
        raise OptionError(
            "--unit entities (unit=entities) cannot be used with several runs, because "
            "their blocks of entities differ. Resample documents"
        )
    if not of_entities and is_one_unit(result):
        raise one_unit("For intervals, you can also use --unit entities.")
    of = Additive.of_blocks if of_entities else Additive.of
    # Intervals must not depend on the order of runs.
    runs = sorted(map(of, result.runs), key=lambda run: run.total[:, _F1].tolist())
    count = len(runs[0].matrix)
    if not count:
        raise OptionError(f"there are no {unit} to resample")
    cuts = Cuts(level, method, count, count - 1)
    intervals = _intervals(runs, cuts, resamples, seed)
    is_table = result.format == TABLE
    advice = "" if has_runs else _TABLE_ADVICE if is_table else _ADVICE
    notes = few_documents(count, method, advice, "group" if is_table else "document")
    if has_runs:
        notes = (*notes, *few_runs({result.response: len(result.runs)}))
    if of_entities:
        message = (
            f"Intervals are over {count:,} blocks of entities, not over documents. "
            "They do not show how scores vary from document to document."
        )
        notes = (Note("entity-blocks", count, message),)
    notes = (*low_level(level), *notes)
    drawn = "documents+runs" if has_runs else unit
    return Confidence(level, method, resamples, seed, drawn, count, intervals, notes)


def macro_confidence(
    results: Sequence[Result],
    *,
    level: float = 95,
    method: Method = METHOD,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    unit: Unit = "documents",
) -> Confidence:
    """Compute intervals of the mean F₁ over datasets, of which each is drawn from.

    The arguments are those of `confidence`, with a result for each dataset.
    """
    level = percent_of(level)
    check_options(method, resamples, seed)
    of_entities = unit == "entities"
    strata = Strata(
        tuple(map(Additive.of_blocks if of_entities else Additive.of, results))
    )
    cuts = Cuts(level, method, strata.documents, strata.freedom)
    drawn = draw({"": strata}, resamples, seed)[""] if cuts.freedom else None
    total, without = strata.total.tolist(), strata.without_one
    intervals: dict[str, dict[str, Interval]] = {}
    for place, (name, count) in enumerate(
        zip(strata.names, strata.covered, strict=True)
    ):
        if drawn is not None and count:
            interval = cuts.interval(drawn[:, place], total[place], without[:, place])
            intervals[name] = {"f1": interval}
    return Confidence(level, method, resamples, seed, unit, strata.documents, intervals)


def is_one_unit(result: Result) -> bool:
    """Return whether all documents are one unit, so that nothing can be drawn."""
    return result.scheme.scope is not None and len(result.documents) == 1


def one_unit(*alternatives: str) -> OptionError:
    """Return the error for a result of one unit, with the scopes that can be drawn."""
    scopes = "Use --scope topic, --scope subtopic or --scope document."
    return OptionError(
        "all documents are scored as one unit, so documents cannot be resampled",
        hint=" ".join([scopes, *alternatives]),
    )


def _intervals(
    runs: Sequence[Additive], cuts: Cuts, resamples: int, seed: int
) -> ByMetric[dict[str, Interval]]:
    """Compute the interval of every figure; none if nothing can vary."""
    if not cuts.freedom:
        return ByMetric()
    by_run = [resampled_scores(run, resamples, seed) for run in runs]
    drawn = DrawnRuns.of(by_run, (seed, 1)).stretched(cuts, runs[0].names)
    total = mean_of_runs([run.total for run in runs])
    without = mean_of_runs([run.without_one for run in runs])
    without_run = change_without_each([run.total for run in runs])
    return ByMetric(
        (
            name,
            {
                figure: cuts.interval(
                    drawn[:, place, column],
                    float(total[place, column]),
                    without[:, place, column],
                    without_run[:, place, column],
                )
                for column, figure in enumerate(FIGURES)
                if not np.isnan(drawn[0, place, column])
            },
        )
        for place, name in enumerate(runs[0].names)
    )


def method_named(name: str) -> Method:
    """Return a method by its name."""
    for method in METHODS:
        if method == name:
            return method
    raise unknown("bootstrap", name, METHODS)


def check_options(method: str, resamples: int, seed: int) -> None:
    """Refuse options that cannot be used for intervals."""
    method_named(method)
    check_draws(resamples, seed)


def check_draws(resamples: int, seed: int) -> None:
    """Refuse a negative seed, and too few or too many resamples."""
    for name, value in (("resamples", resamples), ("seed", seed)):
        # A float such as 1e4 may be a whole number; inf, nan and True are not.
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        if not is_number or not isfinite(value) or value != int(value):
            raise OptionError(f"{name} must be a whole number, not {value}")
    if seed < 0:
        raise OptionError(f"seed must be 0 or more, not {seed}")
    if not 1 <= resamples <= MOST_RESAMPLES:
        raise OptionError(
            f"resamples must be between 1 and {MOST_RESAMPLES:,}, not {resamples:,}"
        )


def few_documents(
    count: int, method: Method, advice: str = "", noun: str = "document"
) -> tuple[Note, ...]:
    """Note that intervals of so few documents are unreliable, and what to do."""
    if count >= FEW:
        return ()
    are = "is" if count == 1 else "are"
    message = (
        f"{counted(count, noun)} {are} too few for reliable intervals (use at least "
        f"{FEW}). "
        f"{_truth(count, method, noun)}{advice}"
    )
    return (Note("few-documents", count, message),)


FEW_RUNS = 5


def few_runs(runs: Mapping[str, int]) -> tuple[Note, ...]:
    """Note systems with so few runs that it is uncertain how much runs vary.

    ``runs`` has the number of runs of each system, of which one or more have several.
    """
    notes = []
    for name, count in runs.items():
        if count == 1:
            message = (
                f"{name} has one run, so intervals and tests do not include how it "
                "varies over runs."
            )
            notes.append(Note("one-run", 1, message))
        elif count < FEW_RUNS:
            message = (
                f"{name} has {count} runs, so its standard deviation is uncertain (use "
                f"at least {FEW_RUNS} runs). Intervals and tests allow for this."
            )
            notes.append(Note("few-runs", count, message))
    return tuple(notes)


def _truth(count: int, method: Method, noun: str) -> str:
    """Say how often such intervals were right in simulations."""
    if count < min(COVERED[method]):
        return f"One {noun} does not vary, so there is no interval."
    covered = COVERED[method][max(size for size in COVERED[method] if size <= count)]
    return (
        "In simulations, 95 % intervals contained the true score in about "
        f"{covered} % of cases."
    )


def resampled_scores(additive: Additive, resamples: int, seed: int) -> Floats:
    """Return the scores of all drawn corpora."""
    draws = resample(len(additive.matrix), resamples, seed)
    return np.concatenate(
        [additive.scores(weights @ additive.matrix) for weights in draws]
    )

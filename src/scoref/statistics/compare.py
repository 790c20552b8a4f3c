"""Comparing systems on the same documents: differences, intervals, tests.

Two tests ask how often chance alone would make a difference as large as the one that
was found. *Approximate randomisation* (Noreen, 1989) swaps the two systems' output
document by document: if the systems were equal, it would not matter who wrote which.
The *paired bootstrap* draws documents and looks how far the difference strays from
its own value. Both are two-sided. Holm (1979) corrects for asking often: over all
pairs of systems and all metrics of a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.displayed import Displayed
from scoref.errors import OptionError
from scoref.figures import counted
from scoref.metrics import is_distance
from scoref.model import Note
from scoref.notes import WARNING
from scoref.scoring.results import Result, refuse_no_result, signature_of
from scoref.statistics.chance import draw, randomise
from scoref.statistics.comparable import check_comparable
from scoref.statistics.confidence import (
    RESAMPLES,
    SEED,
    check_options,
    few_documents,
    is_one_unit,
    one_unit,
)
from scoref.statistics.cuts import METHOD, TIE, Cuts
from scoref.statistics.draws import is_exact
from scoref.statistics.levels import low_level, percent_of
from scoref.statistics.significance import Design, lone_documents
from scoref.statistics.strata import Strata, by_dataset

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.metrics.base import Floats
    from scoref.statistics.cuts import Interval, Method


class Difference(NamedTuple):
    """One metric of two systems: the first one's F1 less the second one's.

    ``adjusted`` is the p-value of randomisation after Holm's correction. One document
    is always drawn as it is: it has neither an interval nor a p-value by the bootstrap.
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

    _reported_by = "tools.compare.rendering:comparison_report"

    @property
    def _in_short(self) -> str:
        documents = counted(self.documents, "document")
        return f"{counted(len(self.results), 'system')} on {documents}"

    @property
    def signature(self) -> str:
        """Every choice behind the tests, to go with the scores' signature."""
        swaps = "all" if self.is_exact else str(self.swaps)
        is_macro = not isinstance(next(iter(self.results.values())), Result)
        datasets = "datasets:macro|" if is_macro else ""
        return (
            f"{datasets}confidence:{self.level:.15g}|bootstrap:{self.method}|resamples:"
            f"{self.resamples}|swaps:{swaps}|seed:{self.seed}|correction:holm|"
            "unit:documents"
        )

    @property
    def allowed(self) -> float:
        """The highest p-value that is significant."""
        return (100 - self.level) / 100

    @property
    def scored(self) -> str:
        """The signature of the systems' scores, with the formats of all of them."""
        return signature_of(
            next(iter(by_dataset(found).values())) for found in self.results.values()
        )

    def between(self, first: str, second: str, metric: str) -> Difference:
        """Find the comparison of two systems by a metric."""
        for found in self.differences:
            if (found.first, found.second, found.metric) == (first, second, metric):
                return found
        raise OptionError(f"'{first}' and '{second}' were not compared by '{metric}'")


def _refuse_distances(metrics: Iterable[str]) -> None:
    """Refuse metrics of which less is better: their winners would be losers."""
    for name in metrics:
        if is_distance(name):
            raise OptionError(
                f"'{name}' is a distance, of which less is better: leave it out of the "
                "metrics to be compared"
            )


def compare(
    systems: Mapping[str, Result | Mapping[str, Result]],
    *,
    level: float = 95,
    method: Method = METHOD,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Comparison:
    """Compare systems that were scored against the same key.

    Args:
        systems: results by the systems' names; or, for each, results by dataset, and
            then the macro average over datasets is compared.
        level: the level of the intervals in percent, or as a fraction up to 1.
        method: ``expanded``, ``bca`` or ``percentile``, for the intervals of
            differences.
        resamples: how many corpora to draw, and how many swaps to try at least; they
            become more where no corrected p-value could be significant otherwise.
        seed: the same seed gives the same digits.
    """
    level = percent_of(level)
    check_options(method, resamples, seed)
    _refuse_no_results(systems)
    if len(systems) < 2:  # noqa: PLR2004 - a pair
        raise OptionError("there must be two systems at least to be compared")
    sorted_systems = {name: by_dataset(found) for name, found in systems.items()}
    check_comparable(sorted_systems)
    every = [each for found in sorted_systems.values() for each in found.values()]
    if all(map(is_one_unit, every)):
        raise one_unit()
    strata = {name: Strata.of(found.values()) for name, found in sorted_systems.items()}
    first = next(iter(strata.values()))
    _refuse_distances(first.names)
    tests = len(first.names) * comb(len(strata), 2)
    asked = Design(tests, level, first.documents)
    swaps = asked.swaps(resamples)
    cuts = Cuts(level, method, first.documents, first.freedom)
    return Comparison(
        results=systems,
        metrics=first.names,
        f1={name: each.figures for name, each in strata.items()},
        covered={
            name: dict(zip(first.names, each.covered.tolist(), strict=True))
            for name, each in strata.items()
        },
        differences=tuple(_holm(_differences(strata, cuts, resamples, swaps, seed))),
        level=level,
        method=method,
        resamples=resamples,
        swaps=swaps,
        seed=seed,
        documents=first.documents,
        is_exact=is_exact(first.documents, swaps),
        notes=(
            *low_level(level),
            *equal_systems(sorted_systems),
            *asked.notes(resamples),
            *few_documents(first.documents, method),
            *lone_documents(first),
        ),
    )


def _refuse_no_results(systems: object) -> None:
    """Refuse lists, which have no names, and files, which were not scored."""
    if not isinstance(systems, Mapping):
        raise OptionError(
            f"compare() takes a dict of results, not {type(systems).__name__}",
            hint='compare({"a": result, "b": other})',
        )
    for found in systems.values():
        for each in found.values() if isinstance(found, Mapping) else [found]:
            refuse_no_result(each, "compare")


def equal_systems(systems: Mapping[str, Mapping[str, Result]]) -> list[Note]:
    """Warn of two systems that have the same counts in every document."""
    notes = []
    for one, other in combinations(systems, 2):
        pairs = [(each, systems[other][name]) for name, each in systems[one].items()]
        are_equal = all(
            np.array_equal(mine.counts[name], theirs.counts[name])
            for mine, theirs in pairs
            for name in mine.counts
        )
        if are_equal:
            message = (
                f"{WARNING}{one} and {other} have the same counts in every document. "
                "Are they the same response?"
            )
            notes.append(Note("equal-systems", 1, message))
    return notes


def _differences(
    systems: Mapping[str, Strata], cuts: Cuts, resamples: int, swaps: int, seed: int
) -> list[Difference]:
    """Compare each pair of systems by each metric."""
    drawn = draw(systems, resamples, seed)
    randomisation = randomise(systems, swaps, seed)
    return [
        row
        for pair in combinations(systems, 2)
        for row in _Pair.of(pair, systems, drawn).rows(randomisation[pair], cuts)
    ]


class _Pair(NamedTuple):
    """Two systems, and their difference: in all, drawn, without one, by document."""

    names: tuple[str, str]
    metrics: tuple[str, ...]
    found: Floats
    drawn: Floats
    without: Floats
    by_document: Floats

    @classmethod
    def of(
        cls,
        pair: tuple[str, str],
        systems: Mapping[str, Strata],
        drawn: Mapping[str, Floats],
    ) -> _Pair:
        one, other = (systems[name] for name in pair)
        return cls(
            pair,
            one.names,
            one.total - other.total,
            drawn[pair[0]] - drawn[pair[1]],
            one.without_one - other.without_one,
            one.by_document - other.by_document,
        )

    def rows(self, randomisation: Floats, cuts: Cuts) -> list[Difference]:
        """Give each metric a row; where nothing varies, nothing was drawn."""
        record = self._record()
        return [
            Difference(
                *self.names,
                name,
                float(self.found[place]),
                self._interval(place, cuts) if cuts.freedom else None,
                float(randomisation[place]),
                self._bootstrap(place) if cuts.freedom else None,
                1.0,
                *(int(count) for count in record[place]),
            )
            for place, name in enumerate(self.metrics)
        ]

    def _interval(self, place: int, cuts: Cuts) -> Interval:
        found = float(self.found[place])
        return cuts.interval(self.drawn[:, place], found, self.without[:, place])

    def _bootstrap(self, place: int) -> float:
        """See how often the difference strays from its own value as far as to 0."""
        drawn, found = self.drawn[:, place], self.found[place]
        strayed = np.abs(drawn - found) >= np.abs(found) - TIE
        return float((1 + strayed.sum()) / (1 + len(drawn)))

    def _record(self) -> Floats:
        """Count documents that the first system wins, ties and loses, by metric."""
        is_tie = np.abs(self.by_document) <= TIE
        wins = ((self.by_document > 0) & ~is_tie).sum(axis=0)
        losses = ((self.by_document < 0) & ~is_tie).sum(axis=0)
        return np.stack((wins, is_tie.sum(axis=0), losses), axis=-1)


def _holm(rows: list[Difference]) -> list[Difference]:
    adjusted = holm([row.randomisation for row in rows])
    return [
        row._replace(adjusted=value) for row, value in zip(rows, adjusted, strict=True)
    ]


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

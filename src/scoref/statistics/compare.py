"""Comparing systems on the same documents: differences, intervals, tests.

Two tests ask how often chance alone would make a difference as large as the one that
was found. *Approximate randomisation* (Noreen, 1989) swaps the two systems' output
document by document: if the systems were equal, it would not matter who wrote which.
The *paired bootstrap* draws documents and looks how far the difference strays from
its own value. Both are two-sided. Holm (1979) corrects for asking often: over all
pairs of systems and all metrics of a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import OptionError
from scoref.results import Result
from scoref.statistics.additive import Additive
from scoref.statistics.confidence import (
    RESAMPLES,
    SEED,
    TIE,
    Interval,
    check_options,
    corrected,
    few_documents,
)
from scoref.statistics.draws import is_exact, resampled, swapped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.metrics.base import Floats
    from scoref.model import Note
    from scoref.statistics.confidence import Method

_F1 = 2


class Difference(NamedTuple):
    """One metric of two systems: the first one's F1 less the second one's.

    ``adjusted`` is the p-value of randomisation after Holm's correction.
    """

    first: str
    second: str
    metric: str
    difference: float
    interval: Interval
    randomisation: float
    bootstrap: float
    adjusted: float
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every pair of systems, and how they were compared."""

    results: Mapping[str, Result | Mapping[str, Result]]
    metrics: tuple[str, ...]
    f1: Mapping[str, Mapping[str, float]]
    differences: tuple[Difference, ...]
    level: float
    method: Method
    resamples: int
    seed: int
    documents: int
    is_exact: bool
    notes: tuple[Note, ...] = ()

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        from scoref.statistics.shown import comparison_html  # noqa: PLC0415 - few are shown

        return comparison_html(self)

    @property
    def signature(self) -> str:
        """Every choice behind the tests, to go with the scores' signature."""
        swaps = "all" if self.is_exact else str(self.resamples)
        is_macro = not isinstance(next(iter(self.results.values())), Result)
        datasets = "datasets:macro|" if is_macro else ""
        return (
            f"{datasets}confidence:{self.level:.15g}|bootstrap:{self.method}|resamples:"
            f"{self.resamples}|swaps:{swaps}|seed:{self.seed}|correction:holm|"
            "unit:documents"
        )

    def between(self, first: str, second: str, metric: str) -> Difference:
        """Find the comparison of two systems by a metric."""
        for found in self.differences:
            if (found.first, found.second, found.metric) == (first, second, metric):
                return found
        raise OptionError(f"'{first}' and '{second}' were not compared by '{metric}'")


class _Strata(NamedTuple):
    """One system: a matrix for each dataset, whose scores are averaged."""

    parts: tuple[Additive, ...]

    def f1(self, sums: Sequence[Floats]) -> Floats:
        """Score a sum of each dataset, and average."""
        scores = [
            part.scores(total)[..., _F1]
            for part, total in zip(self.parts, sums, strict=True)
        ]
        return np.asarray(np.mean(scores, axis=0))

    @property
    def total(self) -> Floats:
        return self.f1([part.matrix.sum(axis=0) for part in self.parts])

    @property
    def document_count(self) -> int:
        return sum(len(part.documents) for part in self.parts)


def compare(
    systems: Mapping[str, Result | Mapping[str, Result]],
    *,
    level: float = 95,
    method: Method = "bca",
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Comparison:
    """Compare systems that were scored against the same key.

    Args:
        systems: results by the systems' names; or, for each, results by dataset, and
            then the macro average over datasets is compared.
        level: how sure intervals are to be, in percent.
        method: ``bca`` or ``percentile``, for the intervals of differences.
        resamples: how many corpora to draw, and how many swaps to try.
        seed: the same seed gives the same digits.
    """
    check_options(level, method, resamples)
    if len(systems) < 2:  # noqa: PLR2004 - a pair
        raise OptionError("there must be two systems at least to be compared")
    sorted_systems = {name: by_dataset(found) for name, found in systems.items()}
    _check(sorted_systems)
    strata = {
        name: _Strata(tuple(map(Additive.of, found.values())))
        for name, found in sorted_systems.items()
    }
    first = next(iter(strata.values()))
    names = first.parts[0].names
    chance = _Chance(level, method, resamples, seed)
    found = [
        row
        for pair in combinations(strata, 2)
        for row in chance.differences(pair, strata[pair[0]], strata[pair[1]], names)
    ]
    return Comparison(
        results=systems,
        metrics=names,
        f1={
            name: dict(zip(names, each.total.tolist(), strict=True))
            for name, each in strata.items()
        },
        differences=tuple(_holm(found)),
        level=level,
        method=method,
        resamples=resamples,
        seed=seed,
        documents=first.document_count,
        is_exact=is_exact(first.document_count, resamples),
        notes=few_documents(first.document_count),
    )


def by_dataset(found: Result | Mapping[str, Result]) -> dict[str, Result]:
    """Sort a system's results by dataset; files are one, without a name."""
    if isinstance(found, Result):
        return {"": found}
    return dict(sorted(found.items()))


def _check(systems: Mapping[str, Mapping[str, Result]]) -> None:
    """See that systems were scored on the same documents, in the same way."""
    names = iter(systems.items())
    first, expected = next(names)
    for name, found in names:
        if found.keys() != expected.keys():
            raise OptionError(f"{name} and {first} do not have the same datasets")
        for dataset, result in found.items():
            other = expected[dataset]
            if sorted(result.documents) != sorted(other.documents):
                raise OptionError(f"{name} and {first} do not have the same documents")
            if (result.signature, result.metrics) != (other.signature, other.metrics):
                raise OptionError(
                    f"{name} and {first} were not scored in the same way: "
                    f"{result.signature} and {other.signature}"
                )


class _Chance(NamedTuple):
    """How often to try what chance would do, and how to count it."""

    level: float
    method: Method
    resamples: int
    seed: int

    def differences(
        self,
        pair: tuple[str, str],
        one: _Strata,
        other: _Strata,
        names: tuple[str, ...],
    ) -> list[Difference]:
        """Compare two systems by each metric."""
        found = one.total - other.total
        drawn = self._drawn(one, other)
        randomisation = self._randomisation(one, other, np.abs(found))
        without = _without_one(one, other)
        strayed = np.abs(drawn - found) >= np.abs(found) - TIE
        bootstrap = (1 + strayed.sum(axis=0)) / (1 + len(drawn))
        record = _record(one, other)
        return [
            Difference(
                *pair,
                name,
                float(found[place]),
                self._interval(drawn[:, place], float(found[place]), without[:, place]),
                float(randomisation[place]),
                float(bootstrap[place]),
                1.0,
                *(int(count) for count in record[place]),
            )
            for place, name in enumerate(names)
        ]

    def _drawn(self, one: _Strata, other: _Strata) -> Floats:
        """Draw documents, the same ones for both systems, from each dataset."""
        sums: list[list[Floats]] = [[], []]
        for number, (mine, theirs) in enumerate(
            zip(one.parts, other.parts, strict=True)
        ):
            seed = self.seed + number
            draws = list(resampled(len(mine.documents), self.resamples, seed))
            for side, part in enumerate((mine, theirs)):
                sums[side].append(np.concatenate([w @ part.matrix for w in draws]))
        return one.f1(sums[0]) - other.f1(sums[1])

    def _randomisation(self, one: _Strata, other: _Strata, found: Floats) -> Floats:
        """Swap documents, and see how often the difference is as large."""
        ends = np.cumsum([len(part.documents) for part in one.parts])
        times = total = 0
        for coins in swapped(one.document_count, self.resamples, self.seed):
            sums: list[list[Floats]] = [[], []]
            of_part = np.split(coins, ends[:-1], axis=1)
            for mine, theirs, flips in zip(
                one.parts, other.parts, of_part, strict=True
            ):
                moved = flips @ (theirs.matrix - mine.matrix)
                sums[0].append(mine.matrix.sum(axis=0) + moved)
                sums[1].append(theirs.matrix.sum(axis=0) - moved)
            chance = np.abs(one.f1(sums[0]) - other.f1(sums[1]))
            times = times + (chance >= found - TIE).sum(axis=0)
            total += len(chance)
        if is_exact(one.document_count, self.resamples):
            return np.asarray(times / total)
        return np.asarray((1 + times) / (1 + total))

    def _interval(self, drawn: Floats, found: float, without: Floats) -> Interval:
        tail = (1 - self.level / 100) / 2
        cuts = tail, 1 - tail
        if self.method == "bca":
            cuts = corrected(cuts, drawn, found, without)
        low, high = np.quantile(drawn, cuts).tolist()
        return Interval(low, high)


def _without_one(one: _Strata, other: _Strata) -> Floats:
    """Give the difference without each document in turn."""
    rows = []
    for number in range(len(one.parts)):
        sides = []
        for system in (one, other):
            sums = [part.matrix.sum(axis=0) for part in system.parts]
            left = sums[number] - system.parts[number].matrix
            others = [np.broadcast_to(each, left.shape) for each in sums]
            others[number] = left
            sides.append(system.f1(others))
        rows.append(sides[0] - sides[1])
    return np.concatenate(rows)


def _record(one: _Strata, other: _Strata) -> Floats:
    """Count documents that the first system wins, ties and loses, by metric."""
    sides = [
        np.concatenate([part.scores(part.matrix)[..., _F1] for part in system.parts])
        for system in (one, other)
    ]
    away = sides[0] - sides[1]
    is_tie = np.abs(away) <= TIE
    wins = ((away > 0) & ~is_tie).sum(axis=0)
    losses = ((away < 0) & ~is_tie).sum(axis=0)
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

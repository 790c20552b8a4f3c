"""Comparison of systems on the same documents: differences, intervals, tests.

Two tests ask how often chance alone would make a difference as large as the one that
was found. *Approximate randomisation* (Noreen, 1989) swaps the two systems' output
document by document: if the systems were equal, it would not matter which system
produced which output. The *paired bootstrap* draws documents and measures how far the
difference deviates from its own value. Both are two-sided. Holm (1979) corrects for the
number of tests: over all pairs of systems and all metrics of a table.

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
from dataclasses import dataclass
from itertools import combinations
from math import ceil, comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.displayed import Displayed
from scoref.errors import OptionError, quoted
from scoref.figures import counted
from scoref.metrics import is_distance
from scoref.model import Note
from scoref.notes import WARNING
from scoref.scoring.results import Result, refuse_no_result, signature_of
from scoref.statistics.additive import Strata, by_dataset
from scoref.statistics.bootstrap import (
    METHOD,
    TIE,
    Cuts,
    draw,
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
    is_one_unit,
    one_unit,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoref.metrics.base import Floats
    from scoref.statistics.bootstrap import Interval, Method


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


_ONLY_FOR = {"blanc": "blanc", "lea": "lea", "anaphors": "zero"}
"""Choices that concern one metric."""

_OF_WORDS = frozenset(("words", "borders"))


def check_comparable(systems: Mapping[str, Mapping[str, Result]]) -> None:
    """Refuse systems that were not scored alike, and say what is not alike."""
    (first, expected), *others = systems.items()
    for name, found in others:
        _check_names(name, first, "datasets", [*found], [*expected])
        for dataset, result in found.items():
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


def unlike(one: Result, other: Result) -> Iterator[tuple[str, object, object]]:
    """Name what differs and moves figures, with both values."""
    if one.metrics != other.metrics:
        yield "metrics", ", ".join(one.metrics), ", ".join(other.metrics)
    chosen = one.scheme.chosen(), other.scheme.chosen()
    for name in chosen[0]:
        values = chosen[0][name], chosen[1][name]
        is_seen = _ONLY_FOR.get(name, name) in one.metrics or name not in _ONLY_FOR
        if values[0] != values[1] and is_seen and not _is_unread(name, one, other):
            yield name.replace("_", "-"), *values
    if one.fingerprint and other.fingerprint and one.key_name != other.key_name:
        yield "the key", one.key_name, other.key_name
    elif one.key != other.key and _have_other_keys(one, other):
        yield "the key", one.key, other.key
    for what in ("window", "slice"):
        values = getattr(one, what), getattr(other, what)
        if values[0] != values[1]:
            yield what, *values


def _is_unread(name: str, one: Result, other: Result) -> bool:
    """Tell that readings differ in name only, or that one response has other words.

    ``reference`` is for CoNLL-2012, and has become ``strict`` where there is no such
    file.
    """
    if name == "folder":  # the same documents in files of their own
        return "datasets" not in {one.scheme.folder, other.scheme.folder}
    if name in _OF_WORDS:
        return None in {getattr(each.scheme, name) for each in (one, other)}
    readings = {one.scheme.reading, other.scheme.reading}
    both = all("conll-2012" in result.format for result in (one, other))
    return name == "reading" and readings == {"strict", "reference"} and not both


def _have_other_keys(one: Result, other: Result) -> bool:
    """Tell by mentions that keys differ, where there are no fingerprints.

    The same key may have two paths, so another path alone does not count.
    """
    sizes = [
        dict(zip(each.documents, each.counts["mentions"][:, 1].tolist(), strict=True))
        for each in (one, other)
        if "mentions" in each.counts
    ]
    return len(sizes) == 2 and sizes[0] != sizes[1]  # noqa: PLR2004 - both


MOST_SWAPS = 200_000
"""More are tried only if they are asked for: with so many tests it takes minutes."""

_ROUNDING = 1e-6

_SURE = 64  # documents have so many ways to be swapped that p can be anything


class Design(NamedTuple):
    """What is asked: so many tests at a level, of so many documents."""

    tests: int
    level: float
    documents: int

    @property
    def allowed(self) -> float:
        """Give the highest p that is significant."""
        return (100 - self.level) / 100

    @property
    def ways(self) -> int:
        """Count the ways to swap documents; beyond some number it does not matter."""
        return 1 << min(self.documents, _SURE)

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
        """Tell whether any number of swaps would do."""
        return self.tests * 2 <= (self.allowed + _ROUNDING) * self.ways

    def notes(self, resamples: int) -> tuple[Note, ...]:
        """Say that more was tried than was asked for, or that nothing will do."""
        swaps = self.swaps(resamples)
        limit = f"p ≤ {self.allowed:.2g}"
        tests = f"{self.tests} tests" if self.tests > 1 else "1 test"
        if not self.is_possible:
            return (Note("no-significance", self.tests, self._too_few(limit, tests)),)
        is_tried = is_exact(self.documents, swaps) or swaps >= self.needed
        if not is_tried:
            message = (
                f"nothing can be significant here: {tests} at {limit} need "
                f"{self.needed} swaps (--resamples {self.needed}), or ask for fewer "
                "metrics or systems"
            )
            return (Note("no-significance", self.tests, message),)
        if swaps == resamples:
            return ()
        message = (
            f"{swaps} swaps were tried, not {resamples}: with {tests} nothing could be "
            f"significant otherwise ({limit} after Holm's correction)"
        )
        return (Note("more-swaps", swaps, message),)

    def _too_few(self, limit: str, tests: str) -> str:
        least = min(1.0, 2 / self.ways * self.tests)
        documents = (
            "1 document" if self.documents == 1 else f"{self.documents} documents"
        )
        return (
            f"nothing can be significant here: {documents} can be swapped in "
            f"{self.ways} ways, so that p is {least:.2g} at least after the correction "
            f"for {tests}, and {limit} is asked for"
        )


def lone_documents(system: Strata) -> tuple[Note, ...]:
    """Say that datasets of one document do not vary, where others do."""
    alone = system.sizes.count(1)
    if alone == 0 or len(system.sizes) == 1:
        return ()
    have = "has" if alone == 1 else "have"
    message = (
        f"{alone} of {len(system.sizes)} datasets {have} one document only: drawn "
        "again it is the same, so that it adds no variance, and intervals and the "
        "bootstrap's p-values are too small"
    )
    return (Note("lone-documents", alone, message),)

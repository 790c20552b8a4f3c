"""Every set of choices that files allow, and what each makes of every system.

Files are read once. A choice is tried alone first: a value that moves no figure of any
system, or that cannot be had with these files, is left out; of the others all
combinations are scored. A macro average is another average of the same counts.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import OptionError, ScorefError
from scoref.model import Note
from scoref.scheme import CONVENTIONS
from scoref.scoring.pipeline import score_corpora
from scoref.statistics.cuts import TIE
from scoref.tools.multiverse.options import MOST, OF_ONE_METRIC, label, values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scoref.conventions import Kind
    from scoref.scoring.evaluate import Pair
    from scoref.scoring.results import Result

    Choices = Mapping[str, str]
    Results = dict[str, Result]


class Universe(NamedTuple):
    """A set of choices, the metrics that are looked at, and every system's result."""

    choices: Choices
    metrics: tuple[str, ...]
    results: Results


class Rescoring:
    """Systems that are scored as often as it takes, each set of choices once."""

    def __init__(self, pairs: Mapping[str, Pair], metrics: tuple[str, ...]) -> None:
        self.pairs = pairs
        self.metrics = metrics
        self._done: dict[tuple[object, ...], Results] = {}

    def under(
        self, choices: Choices, metrics: tuple[str, ...] | None = None
    ) -> Results:
        """Score all systems, with these choices in place of the scheme's."""
        counted = {each: choices[each] for each in choices if each != "average"}
        key = (tuple(sorted(counted.items())), metrics or self.metrics)
        if key not in self._done:
            self._done[key] = {
                name: _scored(pair, counted, metrics or self.metrics)
                for name, pair in self.pairs.items()
            }
        found, average = self._done[key], choices.get("average")
        if average is None:
            return found
        return {name: _averaged(each, average) for name, each in found.items()}


def _scored(pair: Pair, choices: Choices, metrics: tuple[str, ...]) -> Result:
    scheme = replace(pair.scheme, **choices)  # type: ignore[arg-type] # checked there
    return score_corpora(pair.key, pair.response, scheme, metrics)


def _averaged(result: Result, average: str) -> Result:
    scheme = replace(result.scheme, average=average)  # type: ignore[arg-type]
    return replace(result, scheme=scheme)


class Axes(NamedTuple):
    """The values of each choice that is varied, the usual one first."""

    values: Mapping[str, tuple[str, ...]]
    notes: tuple[Note, ...]

    @classmethod
    def of(cls, runs: Rescoring, names: Sequence[str], fixed: Sequence[str]) -> Axes:
        """Find the values that files allow and that move a figure of a system."""
        usual = runs.under({})
        found: dict[str, tuple[str, ...]] = {}
        notes: list[Note] = []
        for name in names:
            metric = OF_ONE_METRIC.get(name)
            if name in fixed or (metric and metric not in runs.metrics):
                continue
            values = _moving(runs, name, usual, notes)
            if len(values) > 1:
                found[name] = values
        return cls(found, tuple(notes))

    @property
    def general(self) -> dict[str, tuple[str, ...]]:
        """Those that concern all metrics."""
        return {
            name: values
            for name, values in self.values.items()
            if name not in OF_ONE_METRIC
        }


def _moving(
    runs: Rescoring, name: str, usual: Results, notes: list[Note]
) -> tuple[str, ...]:
    """Try each value alone, and keep those that give other figures than all before."""
    one = next(iter(usual.values()))
    first = getattr(one.scheme, name)
    kept: dict[str, Results] = {first: usual} if first else {}
    reasons: dict[str, list[str]] = {}
    for value in values_of(name) if first else ():
        if value == first or CONVENTIONS[name].why_unfit(value, _kind(runs)):
            continue
        try:
            found = runs.under({name: value})
        except OptionError:
            continue  # not for these files, as most values are not
        except ScorefError as error:
            reasons.setdefault(_reason(error), []).append(f"{label(name)}:{value}")
            continue
        if all(_differ(found, other) for other in kept.values()):
            kept[value] = found
    notes += [_left_out(", ".join(each), why) for why, each in reasons.items()]
    return tuple(kept)


def _kind(runs: Rescoring) -> Kind:
    key = next(iter(runs.pairs.values())).key
    if key.words is None:
        return "spans"
    return "universal-anaphora" if key.words.by_document else "corefud"


def _differ(some: Results, others: Results) -> bool:
    return any(
        abs(score.f1 - others[name].scores[metric].f1) > TIE
        for name, result in some.items()
        for metric, score in result.scores.items()
    )


def _reason(error: ScorefError) -> str:
    return str(error).partition("\n")[0]


def _left_out(what: str, reason: str) -> Note:
    return Note("left-out", 1, f"left out: {what} ({reason})")


def universes(
    runs: Rescoring,
    axes: Axes,
    notes: list[Note],
    progress: Callable[[float], None] = lambda _: None,
) -> Iterator[Universe]:
    """Score all combinations of choices; some may be impossible, and are noted."""
    count = prod(map(len, axes.general.values()))
    if count > MOST:
        raise OptionError(
            f"{count} sets of choices are too many",
            hint="name fewer conventions (vary=…, --vary LIST), or settle some, as in "
            "--singletons keep",
        )
    for number, values in enumerate(product(*axes.general.values())):
        choices = dict(zip(axes.general, values, strict=True))
        try:
            yield from _of_choices(runs, axes, choices)
        except ScorefError as error:
            listed = "|".join(f"{label(name)}:{each}" for name, each in choices.items())
            notes.append(_left_out(listed, _reason(error)))
        progress((number + 1) / count)


def _of_choices(runs: Rescoring, axes: Axes, choices: Choices) -> Iterator[Universe]:
    """Give a universe for all metrics, and one for each rule about a single metric."""
    usual = runs.under(choices)
    yield Universe(choices, runs.metrics, usual)
    for name, metric in OF_ONE_METRIC.items():
        for value in axes.values.get(name, ())[1:]:
            more = {**choices, name: value}
            found = runs.under(more, (metric,))
            if _differ(found, usual):
                yield Universe(more, (metric,), found)

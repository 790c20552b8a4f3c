"""`scoref.multiverse`: all systems scored under every set of choices.

It combines `explain` and `compare`: choices change what is counted, and documents are
resampled from these counts to measure the effect of chance. Files are read once. Each
value of a choice is tried alone first. If it changes no figure of any system, or is not
possible with these files, it is left out. All combinations of the other values are
scored. A macro average is another average of the same counts.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import OptionError, ScorefError
from scoref.formats.entities import EntityPairs
from scoref.metrics import is_distance, leading, usual
from scoref.model import Note
from scoref.notes import WARNING, note_lines
from scoref.scheme import CONVENTIONS
from scoref.scoring.evaluate import Pair, read_pairs
from scoref.scoring.pipeline import score_corpora
from scoref.scoring.request import Request
from scoref.scoring.results import signature_of
from scoref.statistics.additive import Strata
from scoref.statistics.bootstrap import TIE, draw, low_level
from scoref.statistics.compare import check_comparable, equal_systems
from scoref.statistics.confidence import FEW, SEED, check_draws
from scoref.tools.multiverse.command import (
    MOST,
    OF_ONE_METRIC,
    RESAMPLES,
    axes_named,
    label,
    values_of,
)
from scoref.tools.multiverse.results import (
    Chances,
    Multiverse,
    Plan,
    Setting,
    is_alone_ahead,
    orders,
    standard_error,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Unpack

    from scoref.conventions import Kind
    from scoref.formats.entities import Documents, Entities
    from scoref.metrics.base import Floats
    from scoref.scheme import Layer
    from scoref.scoring.evaluate import Path
    from scoref.scoring.request import ScoreOptions
    from scoref.scoring.results import Result

    Choices = Mapping[str, str]
    Results = dict[str, Result]
    Input = Path | Entities | Documents


class Redrawing(NamedTuple):
    """How documents are drawn, and what a test is to see."""

    resamples: int
    seed: int
    plan: Plan


class DrawnScores(NamedTuple):
    """Figures of all systems: in all, and of each draw; metrics are the last axis."""

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    total: Floats  # system, metric
    drawn: Floats | None  # system, draw, metric; None of one document
    documents: int
    plan: Plan

    @classmethod
    def of(cls, results: Mapping[str, Result], chance: Redrawing) -> DrawnScores:
        """Draw the same documents for all systems."""
        strata = {name: Strata.of([each]) for name, each in results.items()}
        first = next(iter(strata.values()))
        drawn = None
        if first.freedom:
            found = draw(strata, chance.resamples, chance.seed)
            drawn = np.stack([found[name] for name in strata])
        total = np.stack([each.total for each in strata.values()])
        return cls(
            tuple(strata), first.names, total, drawn, first.documents, chance.plan
        )

    def order_of(self, metric: str) -> Floats:
        """Give the order of systems by a metric."""
        return orders(self.total[:, self.metrics.index(metric)])

    def setting(
        self, choices: Mapping[str, str], metric: str, usual: Floats
    ) -> Setting:
        """Say who is ahead by a metric, and how sure that is."""
        column = self.metrics.index(metric)
        total = self.total[:, column]
        ahead = np.flatnonzero(is_alone_ahead(total))
        return Setting(
            choices,
            metric,
            dict(zip(self.systems, total.tolist(), strict=True)),
            self.systems[int(ahead[0])] if len(ahead) else None,
            None if self.drawn is None else self._chances(column, self.drawn, usual),
        )

    def _chances(self, column: int, every: Floats, usual: Floats) -> Chances:
        drawn, total = every[:, :, column].T, self.total[:, column]
        found, own = orders(drawn), orders(total)
        pairs = [*combinations(self.systems, 2)]
        won = is_alone_ahead(drawn).mean(axis=0)
        return Chances(
            won=dict(zip(self.systems, won.tolist(), strict=True)),
            ahead=dict(zip(pairs, (found > 0).mean(axis=0).tolist(), strict=True)),
            same=float((found == own).all(axis=1).mean()),
            usual=float((found == usual).all(axis=1).mean()),
            needed={
                pair: self._needed(drawn, total, *places)
                for pair, places in zip(
                    pairs, combinations(range(len(self.systems)), 2), strict=True
                )
            },
        )

    def _needed(self, drawn: Floats, total: Floats, one: int, other: int) -> float:
        error = standard_error(drawn[:, one] - drawn[:, other], self.documents)
        difference = float(total[one] - total[other])
        return self.plan.documents(difference, error, self.documents)


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


_OF_ENTITIES = frozenset(usual("texts")) - {"mentions"}
"""Metrics that say who belongs together; others are there by their names."""


def multiverse(
    key: Input,
    responses: Mapping[str, Input] | Iterable[Path],
    *,
    vary: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = 95,
    power: float = 80,
    **options: Unpack[ScoreOptions],
) -> Multiverse:
    """Score systems under every set of choices, and say how stable their order is.

    Args:
        key: what the annotators said: a path, or entities as for `scoref.score`.
        responses: what systems said, by their names; or paths, which are names.
        vary: conventions with commas between them; all that files allow if not given.
        resamples: how many corpora to draw in each setting, 1,000,000 at most.
        seed: the same seed gives the same digits.
        level: confidence level of the test that the number of documents is for, in
            percent, or as a fraction up to 1.
        power: how often that test sees the difference, likewise.
        options: as for `scoref.score`; a convention that is given is not varied.

    >>> key = {"d": [["a", "b", "c"], ["d"]], "e": [["a", "b"]]}
    >>> one = {"d": [["a", "b", "c"]], "e": [["a", "b"]]}
    >>> other = {"d": [["a", "b"], ["d"]], "e": [["a", "b"]]}
    >>> found = multiverse(key, {"one": one, "other": other}, resamples=10)
    >>> sorted({each.winner for each in found.settings if each.winner})
    ['one', 'other']
    """
    check_draws(resamples, seed)
    if isinstance(responses, str | os.PathLike):
        raise OptionError("multiverse() takes several responses, not one path")
    named = responses if isinstance(responses, Mapping) else _by_path(responses)
    wanted = Request.of(**options)
    asked = asked_of(vary, wanted)
    chance = Redrawing(resamples, seed, Plan.of(level, power))
    return explore(pairs_of(key, named, wanted), asked, chance)


def _by_path(responses: Iterable[Path]) -> dict[str, Path]:
    return {str(path): path for path in responses}


def pairs_of(
    key: Input, responses: Mapping[str, Input], wanted: Request
) -> dict[str, Pair]:
    """Read every response, and the key once."""
    if isinstance(key, str | os.PathLike):
        paths = [
            each for each in responses.values() if isinstance(each, str | os.PathLike)
        ]
        if len(paths) < len(responses):
            raise OptionError("the key is a path, so the responses must be paths, too")
        found = read_pairs(key, paths, wanted, _layer(wanted))
        return dict(zip(responses, found, strict=True))
    scheme = wanted.scheme_for(None)
    pairs = {}
    for name, response in responses.items():
        if isinstance(response, str | os.PathLike):
            raise OptionError("the key is a list of entities, and so must responses be")
        sides = EntityPairs.of(key, response).build()
        pairs[name] = Pair(*sides, scheme, wanted.metrics_for(sides[0], scheme))
    return pairs


def _layer(wanted: Request) -> Layer | None:
    """Read parses, too, by which mentions may be matched, where a file has some."""
    layer = wanted.scheme_for(wanted.format).layer
    return "parses" if layer == "identity" else None


class Exploration(NamedTuple):
    """Which choices to vary, which were settled, and whether metrics were left open.

    ``is_named`` says that the choices were named, and not the usual ones.
    """

    axes: tuple[str, ...]
    settled: tuple[str, ...]
    is_open: bool
    is_named: bool = False


def asked_of(vary: str | None, wanted: Request) -> Exploration:
    """See what is to be varied: nothing that was settled."""
    settled = [name for name, value in wanted.changes.items() if value is not None]
    axes = axes_named(vary)
    both = [name for name in axes if name in settled]
    if vary is not None and both:
        option = both[0].replace("_", "-")
        raise OptionError(f"'{option}' cannot be varied, because --{option} sets it")
    is_named = vary is not None
    return Exploration(axes, tuple(settled), wanted.metrics is None, is_named)


def explore(
    pairs: Mapping[str, Pair],
    asked: Exploration,
    chance: Redrawing,
    progress: Callable[[float], None] = lambda _: None,
) -> Multiverse:
    """Score pairs of corpora under every set of choices."""
    if len(pairs) < 2:  # noqa: PLR2004 - an order
        raise OptionError("there must be two systems at least to be put into an order")
    runs = Rescoring(pairs, _metrics(pairs, asked))
    scored = runs.under({})
    systems = {name: {"": each} for name, each in scored.items()}
    check_comparable(systems)
    axes = Axes.of(runs, asked.axes, asked.settled)
    notes, settings = list(axes.notes), list[Setting]()
    notes += _unvaried(asked, axes)
    order: Floats | None = None
    for universe in universes(runs, axes, notes, progress):
        drawn = DrawnScores.of(universe.results, chance)
        if order is None:
            order = drawn.order_of(leading(runs.metrics))
        settings += _settings(universe, axes, drawn, order)
    first = next(iter(scored.values()))
    main = leading(runs.metrics)
    return Multiverse(
        systems=tuple(pairs),
        axes=axes.values,
        metrics=runs.metrics,
        settings=tuple(settings),
        reference=next(each for each in settings if each.metric == main),
        signature=signature_of(scored.values()),
        documents=len(first.documents),
        resamples=chance.resamples,
        seed=chance.seed,
        plan=chance.plan,
        notes=(
            *low_level(chance.plan.level),
            *_warnings(scored, axes),
            *equal_systems(systems),
            *notes,
            *_few(len(first.documents)),
        ),
    )


def _metrics(pairs: Mapping[str, Pair], asked: Exploration) -> tuple[str, ...]:
    """Choose metrics; of those that nobody named, what is about entities."""
    found = next(iter(pairs.values())).metrics
    if asked.is_open:
        return tuple(name for name in found if name in _OF_ENTITIES)
    for name in found:
        if is_distance(name):
            raise OptionError(
                f"'{name}' is a distance, of which less is better: leave it out"
            )
    return found


def _unvaried(asked: Exploration, axes: Axes) -> list[Note]:
    """Warn that conventions that were named change nothing here."""
    still = [label(name) for name in asked.axes if name not in axes.values]
    if not asked.is_named or not still:
        return []
    message = (
        f"{WARNING}not varied: {', '.join(still)}. No other value is possible with "
        "these files, or none changes a figure."
    )
    return [Note("not-varied", len(still), message)]


def _warnings(scored: Mapping[str, Result], axes: Axes) -> list[Note]:
    """Repeat the warnings about each system, unless settings show both sides of it."""
    shown = {"no-singletons", "no-singletons-in-key"}
    passed = shown if "singletons" in axes.values else set()
    told = [
        (name, note)
        for name, result in scored.items()
        for note in result.notes
        if note.message.startswith(WARNING) and note.kind not in passed
    ]
    lines = note_lines(told, len(scored))
    return [Note("system-warning", len(scored), line) for line in lines]


def _few(documents: int) -> Iterator[Note]:
    if documents < FEW:
        count = "1 document is" if documents == 1 else f"{documents} documents are"
        yield Note(
            "few-documents",
            documents,
            f"{count} too few for draws of documents to mean much (fewer than {FEW})",
        )


def _settings(
    universe: Universe, axes: Axes, drawn: DrawnScores, usual: Floats
) -> Iterator[Setting]:
    """Give each metric of a universe; choices about another metric are left out."""
    for metric in universe.metrics:
        own = {
            name: universe.choices.get(name, axes.values[name][0])
            for name, about in OF_ONE_METRIC.items()
            if about == metric and name in axes.values
        }
        general = {
            name: value
            for name, value in universe.choices.items()
            if name not in OF_ONE_METRIC
        }
        yield drawn.setting({**general, **own}, metric, usual)

"""`scoref.multiverse`: all systems scored under every set of choices.

Conventions change what is counted, and documents are resampled from these counts to
measure the effect of chance. Files are read once. Each value of a convention is tried
alone first. If it changes no figure of any system, or is not possible with these files,
it is left out. All combinations of the other values are scored. A macro average is
another average of the same counts, so nothing is scored again for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoref.errors import OptionError, ScorefError
from scoref.formats.inputs import entity_corpora, files_of, is_file, name_inputs
from scoref.metrics import is_distance, leading_metric, usual
from scoref.model import Note
from scoref.notes import WARNING, note_lines
from scoref.printable import describe
from scoref.scheme import CONVENTIONS
from scoref.scoring.evaluate import Pair, read_pairs
from scoref.scoring.pipeline import ManySchemes
from scoref.scoring.request import Request, ScoreOptions
from scoref.scoring.results import signature_of
from scoref.statistics.additive import Strata
from scoref.statistics.bootstrap import TIE, draw, low_level
from scoref.statistics.compare import check_comparable, equal_systems
from scoref.statistics.confidence import FEW, SEED, check_draws
from scoref.tools.compare.multiverse_command import (
    MOST,
    OF_ONE_METRIC,
    RESAMPLES,
    convention_label,
    parse_axes,
    values_of,
)
from scoref.tools.compare.multiverse_results import (
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
    from scoref.formats.inputs import Input
    from scoref.metrics.base import Floats
    from scoref.scoring.results import Result

    Choices = Mapping[str, str]
    Results = dict[str, Result]


_OF_ENTITIES = frozenset(usual("texts")) - {"mentions"}
"""Metrics of entities, which are compared if no metrics are named."""


def multiverse(
    key: Input,
    responses: Mapping[str, Input] | Iterable[Input],
    *,
    vary: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = 95,
    power: float = 80,
    **options: Unpack[ScoreOptions],
) -> Multiverse:
    """Score systems under every set of conventions, to see how stable their order is.

    Args:
        key: the key: a path, or entities as for `scoref.score`.
        responses: the responses by system. A list also works: files are called by
            their paths, and other responses by their numbers.
        vary: conventions to vary, separated by commas. By default, all that files
            allow are varied.
        resamples: number of bootstrap samples in each setting, at most 1,000,000.
        seed: seed of the random numbers.
        level: confidence level of the test that a number of documents is needed for,
            in percent or as a fraction up to 1.
        power: power of that test, in percent or as a fraction up to 1.
        options: options of `scoref.score`. A convention that is set is not varied.

    >>> key = {"d": [["a", "b", "c"], ["d"]], "e": [["a", "b"]]}
    >>> one = {"d": [["a", "b", "c"]], "e": [["a", "b"]]}
    >>> other = {"d": [["a", "b"], ["d"]], "e": [["a", "b"]]}
    >>> result = multiverse(key, {"one": one, "other": other}, resamples=10)
    >>> sorted({setting.winner for setting in result.settings if setting.winner})
    ['one', 'other']
    """
    check_draws(resamples, seed)
    if is_file(responses):
        raise OptionError(
            f"multiverse() takes several responses, not {describe(responses)}"
        )
    systems: Mapping[str, Input] = (
        responses
        if isinstance(responses, Mapping)
        else name_inputs(responses, "system")
    )
    wanted = Request.of(**options)
    exploration = Exploration.of(vary, wanted)
    resampling = Resampling(resamples, seed, Plan.of(level, power))
    return explore(read_systems(key, systems, wanted), exploration, resampling)


class Exploration(NamedTuple):
    """The conventions to vary, those that are fixed, and whether metrics were named.

    ``is_named`` says that the conventions were named, so they are not the default.
    """

    axes: tuple[str, ...]
    fixed: tuple[str, ...]
    has_metrics: bool
    is_named: bool

    @classmethod
    def of(cls, vary: str | None, wanted: Request) -> Exploration:
        """Check which conventions are to be varied: none that an option sets."""
        fixed = [name for name, value in wanted.changes.items() if value is not None]
        axes = parse_axes(vary)
        both = [name for name in axes if name in fixed]
        if vary is not None and both:
            option = both[0].replace("_", "-")
            raise OptionError(
                f"'{option}' cannot be varied, because --{option} sets it"
            )
        has_metrics = wanted.metrics is not None
        return cls(axes, tuple(fixed), has_metrics, vary is not None)


class Resampling(NamedTuple):
    """How documents are drawn, and the test that a number of documents is for."""

    resamples: int
    seed: int
    plan: Plan


def read_systems(
    key: Input, responses: Mapping[str, Input], wanted: Request
) -> dict[str, Pair]:
    """Read every response, and the key once; a single system is refused before."""
    if len(responses) < 2:
        raise OptionError("multiverse needs a key and at least two responses")
    files = files_of(("key", key), *responses.items())
    if files is not None:
        # Mentions may also be matched by parses, if a file has them.
        layer = wanted.scheme_for(wanted.format).layer
        pairs = read_pairs(
            files[0], files[1:], wanted, "parses" if layer == "identity" else None
        )
        return dict(zip(responses, pairs, strict=True))
    scheme = wanted.scheme_for(None)
    systems = {}
    for name, response in responses.items():
        sides = entity_corpora(key, response)
        systems[name] = Pair(*sides, scheme, wanted.metrics_for(sides[0], scheme))
    return systems


def explore(
    pairs: Mapping[str, Pair],
    exploration: Exploration,
    resampling: Resampling,
    progress: Callable[[float], None] = lambda _: None,
) -> Multiverse:
    """Score pairs of corpora under every set of choices."""
    scorer = Rescoring(pairs, _metrics(pairs, exploration))
    results = scorer.under({})
    systems = {name: {"": result} for name, result in results.items()}
    check_comparable(systems)
    axes = Axes.of(scorer, exploration.axes, exploration.fixed)
    notes, settings = list(axes.notes), list[Setting]()
    unvaried = [
        convention_label(name) for name in exploration.axes if name not in axes.values
    ]
    if exploration.is_named and unvaried:
        message = (
            f"{WARNING}Not varied: {', '.join(unvaried)}. No other value is possible "
            "with these files, or none changes a figure."
        )
        notes.append(Note("not-varied", len(unvaried), message))
    main = leading_metric(scorer.metrics)
    order: Floats | None = None  # of the first universe
    for universe in universes(scorer, axes, notes, progress):
        scores = DrawnScores.of(universe.results, resampling)
        if order is None:
            order = scores.order_by(main)
        for metric in universe.metrics:
            choices = universe.choices_about(metric, axes)
            settings.append(scores.setting(choices, metric, order))
    documents = len(next(iter(results.values())).documents)
    if documents < FEW:
        count = "1 document is" if documents == 1 else f"{documents} documents are"
        message = f"{count} too few for reliable resampling (use at least {FEW})."
        notes.append(Note("few-documents", documents, message))
    return Multiverse(
        systems=tuple(pairs),
        axes=axes.values,
        metrics=scorer.metrics,
        settings=tuple(settings),
        reference=next(setting for setting in settings if setting.metric == main),
        signature=signature_of(results.values()),
        documents=documents,
        resamples=resampling.resamples,
        seed=resampling.seed,
        _plan=resampling.plan,
        notes=(
            *low_level(resampling.plan.level),
            *_system_warnings(results, axes),
            *equal_systems(systems),
            *notes,
        ),
    )


def _metrics(pairs: Mapping[str, Pair], exploration: Exploration) -> tuple[str, ...]:
    """Return the metrics that were named, or those of entities."""
    metrics = next(iter(pairs.values())).metrics
    if not exploration.has_metrics:
        return tuple(name for name in metrics if name in _OF_ENTITIES)
    for name in metrics:
        if is_distance(name):
            raise OptionError(
                f"'{name}' is a distance (lower is better) and cannot be compared. "
                "Leave it out of the metrics."
            )
    return metrics


def _system_warnings(results: Results, axes: Axes) -> list[Note]:
    """Repeat the warnings about each system, unless settings show both sides of it."""
    skipped = set()
    if "singletons" in axes.values:
        skipped = {"no-singletons", "no-singletons-in-key"}
    warnings = [
        (name, note)
        for name, result in results.items()
        for note in result.notes
        if note.message.startswith(WARNING) and note.kind not in skipped
    ]
    lines = note_lines(warnings, len(results))
    return [Note("system-warning", len(results), line) for line in lines]


class Rescoring:
    """Systems that are scored many times, but only once for each set of choices."""

    def __init__(self, pairs: Mapping[str, Pair], metrics: tuple[str, ...]) -> None:
        self.pairs = pairs
        self.metrics = metrics
        self._schemes = {
            name: ManySchemes(pair.key, pair.response) for name, pair in pairs.items()
        }
        self._done: dict[tuple[object, ...], Results] = {}

    def under(
        self, choices: Choices, metrics: tuple[str, ...] | None = None
    ) -> Results:
        """Score all systems, with these choices in place of the scheme's."""
        metrics = metrics or self.metrics
        changes: dict[str, Any] = dict(choices)
        average = changes.pop("average", None)
        key = (tuple(sorted(changes.items())), metrics)
        if key not in self._done:
            self._done[key] = {
                name: self._schemes[name].score(
                    replace(pair.scheme, **changes), metrics
                )
                for name, pair in self.pairs.items()
            }
        if average is None:
            return self._done[key]
        return {
            name: replace(result, scheme=replace(result.scheme, average=average))
            for name, result in self._done[key].items()
        }


class Axes(NamedTuple):
    """The values of each convention that is varied, the usual one first."""

    values: Mapping[str, tuple[str, ...]]
    notes: tuple[Note, ...]

    @classmethod
    def of(cls, scorer: Rescoring, names: Sequence[str], fixed: Sequence[str]) -> Axes:
        """Find the values that files allow and that change a figure of a system."""
        usual = scorer.under({})
        axes: dict[str, tuple[str, ...]] = {}
        notes: list[Note] = []
        for name in names:
            metric = OF_ONE_METRIC.get(name)
            if name in fixed or (metric and metric not in scorer.metrics):
                continue
            values = _values_that_differ(scorer, name, usual, notes)
            if len(values) > 1:
                axes[name] = values
        return cls(axes, tuple(notes))

    @property
    def general(self) -> dict[str, tuple[str, ...]]:
        """The conventions that concern all metrics."""
        return {
            name: values
            for name, values in self.values.items()
            if name not in OF_ONE_METRIC
        }


def _values_that_differ(
    scorer: Rescoring, name: str, usual: Results, notes: list[Note]
) -> tuple[str, ...]:
    """Try each value alone, and keep those that give other figures than all before."""
    first = getattr(next(iter(usual.values())).scheme, name)
    if not first:
        return ()
    words = next(iter(scorer.pairs.values())).key.words
    kind: Kind = "spans"
    if words is not None:
        kind = "universal-anaphora" if words.by_document else "corefud"
    kept: dict[str, Results] = {first: usual}
    impossible: dict[str, list[str]] = {}  # by the reason
    for value in values_of(name):
        about = CONVENTIONS[name]
        # A value with a parameter is a family of rules that no published scorer has.
        if value == first or value in about.parameters or about.why_unfit(value, kind):
            continue
        try:
            results = scorer.under({name: value})
        except OptionError:
            continue  # not for these files, like most values
        except ScorefError as error:
            choice = f"{convention_label(name)}:{value}"
            impossible.setdefault(_first_line(error), []).append(choice)
            continue
        if all(_differ(results, others) for others in kept.values()):
            kept[value] = results
    for reason, choices in impossible.items():
        notes.append(_left_out(", ".join(choices), reason))
    return tuple(kept)


def _differ(some: Results, others: Results) -> bool:
    """Return whether any system has another F₁."""
    return any(
        abs(score.f1 - others[name].scores[metric].f1) > TIE
        for name, result in some.items()
        for metric, score in result.scores.items()
    )


def _first_line(error: ScorefError) -> str:
    return str(error).partition("\n")[0]


def _left_out(choices: str, reason: str) -> Note:
    return Note("left-out", 1, f"Skipped {choices}: {reason}")


class Universe(NamedTuple):
    """A set of choices, the metrics that are compared, and every system's result."""

    choices: Choices
    metrics: tuple[str, ...]
    results: Results

    def choices_about(self, metric: str, axes: Axes) -> dict[str, str]:
        """Return the choices that concern a metric."""
        general = {
            name: value
            for name, value in self.choices.items()
            if name not in OF_ONE_METRIC
        }
        own = {
            name: self.choices.get(name, axes.values[name][0])
            for name, about in OF_ONE_METRIC.items()
            if about == metric and name in axes.values
        }
        return {**general, **own}


def universes(
    scorer: Rescoring,
    axes: Axes,
    notes: list[Note],
    progress: Callable[[float], None] = lambda _: None,
) -> Iterator[Universe]:
    """Score all combinations of choices; those that are impossible are noted."""
    count = prod(map(len, axes.general.values()))
    if count > MOST:
        raise OptionError(
            f"{count:,} combinations of conventions are too many",
            hint="Vary fewer conventions (--vary LIST, vary=…), or fix some, for "
            "example with --singletons keep.",
        )
    for number, values in enumerate(product(*axes.general.values())):
        choices = dict(zip(axes.general, values, strict=True))
        try:
            yield from _universes_of(scorer, axes, choices)
        except ScorefError as error:
            listed = "|".join(
                f"{convention_label(name)}:{value}" for name, value in choices.items()
            )
            notes.append(_left_out(listed, _first_line(error)))
        progress((number + 1) / count)


def _universes_of(
    scorer: Rescoring, axes: Axes, choices: Choices
) -> Iterator[Universe]:
    """Score all metrics, and a metric once more for each other rule about it."""
    usual = scorer.under(choices)
    yield Universe(choices, scorer.metrics, usual)
    for name, metric in OF_ONE_METRIC.items():
        for value in axes.values.get(name, ())[1:]:
            more = {**choices, name: value}
            results = scorer.under(more, (metric,))
            if _differ(results, usual):
                yield Universe(more, (metric,), results)


class DrawnScores(NamedTuple):
    """Figures of all systems, of all documents and of each draw, by metric."""

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    total: Floats  # system, metric
    drawn: Floats | None  # system, draw, metric; None if there is one document
    documents: int
    plan: Plan

    @classmethod
    def of(cls, results: Results, resampling: Resampling) -> DrawnScores:
        """Draw the same documents for all systems."""
        strata = {name: Strata.of([result]) for name, result in results.items()}
        first = next(iter(strata.values()))
        drawn = None
        if first.freedom:
            draws = draw(strata, resampling.resamples, resampling.seed)
            drawn = np.stack([draws[name] for name in strata])
        total = np.stack([stratum.total for stratum in strata.values()])
        return cls(
            tuple(strata), first.names, total, drawn, first.documents, resampling.plan
        )

    def order_by(self, metric: str) -> Floats:
        """Return the order of systems by a metric."""
        return orders(self.total[:, self.metrics.index(metric)])

    def setting(self, choices: Choices, metric: str, usual: Floats) -> Setting:
        """Say who is ahead by a metric, and in how many draws."""
        column = self.metrics.index(metric)
        total = self.total[:, column]
        ahead = np.flatnonzero(is_alone_ahead(total))
        return Setting(
            choices,
            metric,
            dict(zip(self.systems, total.tolist(), strict=True)),
            self.systems[int(ahead[0])] if len(ahead) else None,
            None
            if self.drawn is None
            else self._chances(self.drawn[:, :, column].T, total, usual),
        )

    def _chances(self, drawn: Floats, total: Floats, usual: Floats) -> Chances:
        """Count outcomes of draws: ``drawn`` has a row for each, ``total`` is one."""
        drawn_orders = orders(drawn)
        pairs = [*combinations(self.systems, 2)]
        won = is_alone_ahead(drawn).mean(axis=0)
        ahead = (drawn_orders > 0).mean(axis=0)
        needed = {}
        for pair, (one, other) in zip(
            pairs, combinations(range(len(self.systems)), 2), strict=True
        ):
            error = standard_error(drawn[:, one] - drawn[:, other], self.documents)
            difference = float(total[one] - total[other])
            needed[pair] = self.plan.documents(difference, error, self.documents)
        return Chances(
            won=dict(zip(self.systems, won.tolist(), strict=True)),
            ahead=dict(zip(pairs, ahead.tolist(), strict=True)),
            same=float((drawn_orders == orders(total)).all(axis=1).mean()),
            usual=float((drawn_orders == usual).all(axis=1).mean()),
            needed=needed,
        )

"""Gates: limits for figures, with an exit code of their own if one is not met.

``--fail-under 80`` is a limit for the number that ``--score-only`` prints, and
``--fail-under bcub=60,links.precision=90`` names its figures. ``--fail-if
'retained<0.8'`` is for the figures of reports without metrics.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from scoref.classes import NamedTuple
from scoref.errors import OptionError, quoted, unknown
from scoref.terminal.running import BelowThreshold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scoref.scoring.results import Result

    FigureOf = Callable[[str, str], float | None]
    System = tuple[str, FigureOf]

FIGURES = ("recall", "precision", "f1")


class Gate(NamedTuple):
    """The least value of a figure; without a metric, of the one number to print."""

    metric: str
    figure: str
    least: float  # a fraction

    @property
    def label(self) -> str:
        """The name of the figure in messages."""
        return self.metric if self.figure == "f1" else f"{self.metric}.{self.figure}"


class GatesType(click.ParamType[Any]):
    """A least score in percent, or several as METRIC=SCORE."""

    name = "gates"

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[Gate, ...]:
        """Read the gates, or refuse what is not one."""
        gates = []
        for text in str(value).split(","):
            name, equals, number = text.rpartition("=")
            metric, dot, figure = name.strip().rpartition(".")
            if not dot:
                metric, figure = name.strip(), "f1"
            if (equals and not metric) or figure not in FIGURES:
                self.fail(f"'{text}' is not METRIC=SCORE or METRIC.FIGURE=SCORE.")
            try:
                least = float(number)
            except ValueError:
                self.fail(f"'{number}' is not a number.", param, ctx)
            if not 0 <= least <= 100:
                self.fail(f"{number} is not in the range 0<=x<=100.", param, ctx)
            gates.append(Gate(metric, figure, least if least <= 1 else least / 100))
        if len(gates) > 1 and not all(gate.metric for gate in gates):
            self.fail("Several gates need the form METRIC=SCORE.", param, ctx)
        return tuple(gates)


GATES = GatesType()


def needs_single(gates: Sequence[Gate] | None) -> bool:
    """Return whether a gate is about the one number to print."""
    return any(not gate.metric for gate in gates or ())


def check_gated(gates: Sequence[Gate] | None, metrics: Sequence[str]) -> None:
    """Refuse gates on metrics that are not computed, or for which lower is better."""
    from scoref.metrics import METRICS, is_distance, metric_name  # not for --help

    for gate in gates or ():
        name = metric_name(gate.metric)
        if not name:
            continue
        if name not in METRICS:
            raise unknown("metric", name, METRICS)
        if is_distance(name):
            raise OptionError(
                f"'{name}' is a distance, so lower is better. "
                "--fail-under needs a metric for which higher is better"
            )
        if name not in metrics:
            raise OptionError(
                f"--fail-under needs '{name}', which is not computed. Add it to "
                "--metrics"
            )


def figure_of(result: Result) -> FigureOf:
    """Return a function that looks up figures of a result."""

    def look_up(metric: str, figure: str) -> float | None:
        score = result.scores[metric]
        value = getattr(score, figure, None)
        if value is None:
            raise OptionError(f"'{metric}' has no {figure}, only one value")
        return float(value)

    return look_up


def gate_failures(
    systems: Iterable[System], single: str, gates: Sequence[Gate] | None
) -> Iterator[str]:
    """Yield a message for every gate that a system does not meet."""
    from scoref.metrics import metric_name  # not for --help

    for response, look_up in systems:
        for gate in gates or ():
            named = gate._replace(metric=metric_name(gate.metric or single))
            value = look_up(named.metric, named.figure)
            if value is None:
                yield (
                    f"{response}: {named.label} is undefined (0/0), so it is not at "
                    f"least {100 * gate.least:.2f}"
                )
            elif not value >= gate.least:
                yield (
                    f"{response}: {named.label} is {100 * value:.2f}, below "
                    f"{100 * gate.least:.2f}"
                )


def size_failures(sizes: Iterable[tuple[str, int]], most: int | None) -> Iterator[str]:
    """Yield a message for each response with a cluster of more records than allowed."""
    for response, size in sizes:
        if most is not None and size > most:
            problem = f"the largest cluster has {size:,} records, above {most:,}"
            yield f"{response}: {problem}"


def stop_if_any(failures: Iterable[str]) -> None:
    """Exit with a code of its own, and name every gate that was not met."""
    messages = list(failures)
    if messages:
        raise BelowThreshold("; ".join(messages))


class Condition(NamedTuple):
    """A condition on a figure, such as ``retained<0.8``."""

    name: str
    sign: str
    limit: float

    def holds(self, value: float) -> bool:
        """Return whether a figure meets the condition."""
        return {
            "<": value < self.limit,
            "<=": value <= self.limit,
            ">": value > self.limit,
            ">=": value >= self.limit,
        }[self.sign]


class ConditionType(click.ParamType[Any]):
    """Conditions on figures, separated by commas."""

    name = "condition"

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[Condition, ...]:
        """Read the conditions, or refuse what is not one."""
        conditions = []
        for text in str(value).split(","):
            match = re.fullmatch(r"\s*([\w.-]+)\s*(<=|>=|<|>)\s*([-\d.eE+]+)\s*", text)
            try:
                limit = float(match[3] if match else "")
            except ValueError:
                self.fail(
                    f"'{text}' is not a condition. Expected a name, a sign and a "
                    "number, such as 'retained<0.8'.",
                    param,
                    ctx,
                )
            assert match
            conditions.append(Condition(match[1], match[2], limit))
        return tuple(conditions)


CONDITIONS = ConditionType()


def check_conditions(
    figures: Mapping[str, float | None], conditions: Iterable[Condition]
) -> None:
    """Exit with a code of its own, and name every condition that is met."""
    wanted = list(conditions)
    for condition in wanted:
        if condition.name not in figures:
            raise OptionError(
                f"--fail-if does not know '{condition.name}'. Expected one of "
                f"{quoted(list(figures))}"
            )
    failures = []
    for condition in wanted:
        value = figures[condition.name]
        if value is not None and condition.holds(value):
            failures.append(
                f"{condition.name} is {value:.6g}, and --fail-if is "
                f"'{condition.name}{condition.sign}{condition.limit:g}'"
            )
    stop_if_any(failures)

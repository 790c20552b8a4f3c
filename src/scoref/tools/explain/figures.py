"""A figure from another source, and the conventions that give it.

People write percentages or fractions with few digits, and some tools cut digits off
where others round. So a figure stands for all values that would be written like it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Literal, NamedTuple

from scoref.errors import OptionError, unknown
from scoref.metrics import METRICS, choose_metrics, conll, usual

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.tools.explain.explanation import PracticeRow

Kind = Literal["recall", "precision", "f1"]
How = Literal["rounded", "cut"]

KINDS: tuple[Kind, ...] = ("f1", "recall", "precision")

_EVERY = usual("texts", "words", "zeros", "anaphora")  # metrics

_SLACK = 1e-9  # for rounding errors

_COARSEST = 0.01  # the last digit of a fraction

_FIGURE = re.compile(
    r"(?:(?P<metric>[^=/\s]+)(?:/(?P<kind>recall|precision|f1))?=)?"
    r"(?P<number>[0-9.]+)(?P<sign>%?)"
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as it was given: a percentage, or a fraction up to 1.

    >>> figure = Figure.parse("muc/recall=0.7143")
    >>> figure.metric, figure.kind, figure.percent
    ('muc', 'recall', 71.43)
    """

    text: str
    value: float
    step: float  # of its last digit
    is_percent: bool
    metric: str | None = None  # None: any
    kind: Kind | None = None

    @classmethod
    def parse(cls, text: str, known: tuple[str, ...] = _EVERY) -> Figure:
        """Read ``59.62``, ``59.62%``, ``0.5962``, ``b3=64.3``, ``muc/recall=71.4``."""
        match = _FIGURE.fullmatch(text.strip())
        try:
            number = Decimal(match["number"]) if match else None
        except InvalidOperation:
            number = None
        if match is None or number is None:
            raise OptionError(
                f"'{text}' is not a figure. Expected a percentage such as 59.62 or a "
                "fraction such as 0.5962, with a metric if known: conll=59.62, "
                "muc/recall=71.43"
            )
        metric = match["metric"]
        if metric is not None:
            metric = _known_metric(metric, known)
        kind = next((kind for kind in KINDS if kind == match["kind"]), None)
        step = 10.0 ** min(int(number.as_tuple().exponent), 0)
        is_percent = bool(match["sign"]) or number > 1
        if not is_percent and step > _COARSEST:
            raise OptionError(
                f"'{text}' is read as a fraction and has too few digits. Give at least "
                "two decimals, or add % if it is a percentage"
            )
        digits = match["number"] + match["sign"]
        return cls(digits, float(number), step, is_percent, metric, kind)

    def is_about(self, match: Match) -> bool:
        """Return whether this figure may be of that metric and kind."""
        return self.metric in {None, match.metric} and self.kind in {None, match.kind}

    @property
    def percent(self) -> float:
        """The figure in percent."""
        return self.value if self.is_percent else 100 * self.value

    @property
    def decimals(self) -> int:
        """The number of decimals of its percentage."""
        return -round(math.log10(self.step)) - (0 if self.is_percent else 2)

    def how_written(self, value: float) -> How | None:
        """Return how a fraction could have been written as this figure, if at all."""
        scaled = 100 * value if self.is_percent else value
        if abs(scaled - self.value) <= self.step / 2 + _SLACK:
            return "rounded"
        if -_SLACK <= scaled - self.value < self.step - _SLACK:
            return "cut"
        return None


def _known_metric(metric: str, known: tuple[str, ...]) -> str:
    """Return the name of a metric, which may be an alias of it."""
    names = choose_metrics([metric], known)
    if package := METRICS[names[0]].package:
        raise OptionError(
            f"'{metric}' is a metric of plugin {package}. explain covers only metrics "
            "of scoref"
        )
    if names[0] not in known:
        raise unknown("metric", metric, known)
    if len(names) > 1:
        raise OptionError(
            f"'{metric}' means several metrics. Choose one: {', '.join(names)}"
        )
    return names[0]


class Match(NamedTuple):
    """A figure of a convention: a metric's recall, precision or F₁."""

    convention: str
    metric: str
    kind: Kind
    value: float
    how: How | None  # None: the figure is only near


@dataclass(frozen=True, slots=True)
class Finding:
    """The conventions that give a figure, or those nearest to it if none does."""

    figure: Figure
    matches: tuple[Match, ...]
    nearest: tuple[Match, ...] = ()


def find(figure: Figure, rows: Sequence[PracticeRow]) -> Finding:
    """Look for a figure among all conventions, metrics, and recall, precision and F₁.

    If the reference gives that figure there is nothing to explain, so others that give
    the same are not listed. If a value rounds to the figure, values that would have to
    be cut are not listed either.
    """
    candidates = [
        match for row in rows for match in _values(row) if figure.is_about(match)
    ]
    alike = [
        match._replace(how=how)
        for match in candidates
        if (how := figure.how_written(match.value))
    ]
    matches = [match for match in alike if match.how == "rounded"] or alike
    first = rows[0].name
    of_reference = {match[1:3] for match in matches if match.convention == first}
    matches = [
        match
        for match in matches
        if match.convention == first or match[1:3] not in of_reference
    ]
    matches.sort(key=lambda one: (one.metric != conll.NAME, KINDS.index(one.kind)))
    if matches:
        return Finding(figure, tuple(matches))
    return Finding(figure, (), _nearest(figure, candidates))


def gives(row: PracticeRow, figure: Figure) -> bool:
    """Return whether a convention gives a figure, independently of others."""
    return any(
        figure.is_about(match) and figure.how_written(match.value)
        for match in _values(row)
    )


def _values(row: PracticeRow) -> Iterator[Match]:
    """Return all values of a convention, which may or may not be the figure."""
    for metric, score in row.scores.items():
        for kind in KINDS:
            value = getattr(score, kind, None)
            if value is not None and not math.isnan(value):
                yield Match(row.name, metric, kind, value, None)


def _nearest(figure: Figure, candidates: list[Match]) -> tuple[Match, ...]:
    """Return the three nearest CoNLL scores and other values, sorted by distance."""
    distinct: dict[tuple[str, Kind, float], Match] = {}
    for match in candidates:
        distinct.setdefault((match.metric, match.kind, round(match.value, 4)), match)

    def distance(match: Match) -> float:
        return abs(100 * match.value - figure.percent)

    by_distance = sorted(distinct.values(), key=distance)
    scores = [match for match in by_distance if match[1:3] == (conll.NAME, "f1")]
    others = [match for match in by_distance if match[1:3] != (conll.NAME, "f1")]
    return tuple(sorted([*scores[:3], *others[:3]], key=distance))

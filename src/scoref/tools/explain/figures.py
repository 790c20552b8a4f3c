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
from scoref.metrics import choose_metrics, conll, usual

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.tools.explain.explanation import PracticeRow

Kind = Literal["recall", "precision", "f1"]
How = Literal["rounded", "cut"]

_EVERY = usual("texts", "words", "zeros", "anaphora")
KINDS: tuple[Kind, ...] = ("f1", "recall", "precision")
_SLACK = 1e-9
_NEAREST = 3
_COARSEST = 0.01  # a percent
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
        found = _FIGURE.fullmatch(text.strip())
        if not found:
            raise _no_figure(text)
        try:
            number = Decimal(found["number"])
        except InvalidOperation:
            raise _no_figure(text) from None
        metric = None if found["metric"] is None else _known(found["metric"], known)
        kind = next((kind for kind in KINDS if kind == found["kind"]), None)
        step = 10.0 ** min(int(number.as_tuple().exponent), 0)
        is_percent = bool(found["sign"]) or number > 1
        if not is_percent and step > _COARSEST:
            raise OptionError(
                f"'{text}' has too few digits to tell conventions apart; up to 1 it is "
                "a fraction: give two decimals or more, or write % behind a percentage"
            )
        written = found["number"] + found["sign"]
        return cls(written, float(number), step, is_percent, metric, kind)

    def is_about(self, match: Match) -> bool:
        """Tell whether a figure may be this one, by its name."""
        return self.metric in {None, match.metric} and self.kind in {None, match.kind}

    @property
    def percent(self) -> float:
        """Give it in percent."""
        return self.value if self.is_percent else 100 * self.value

    @property
    def decimals(self) -> int:
        """Count the decimals of its percentage."""
        decimals = -round(math.log10(self.step)) - (0 if self.is_percent else 2)
        return max(decimals, 0)

    def written_like(self, value: float) -> How | None:
        """Tell how a fraction could have been written as this figure, if at all."""
        scaled = 100 * value if self.is_percent else value
        if abs(scaled - self.value) <= self.step / 2 + _SLACK:
            return "rounded"
        if -_SLACK <= scaled - self.value < self.step - _SLACK:
            return "cut"
        return None


def _known(metric: str, known: tuple[str, ...]) -> str:
    names = choose_metrics([metric], known)
    if names[0] not in known:
        raise unknown("metric", metric, known)
    if len(names) > 1:
        raise OptionError(f"'{metric}' is several metrics: {', '.join(names)}")
    return names[0]


def _no_figure(text: str) -> OptionError:
    return OptionError(
        f"'{text}' is no figure: expected a percentage such as 59.62, or a fraction "
        "such as 0.5962, and maybe what of: conll=59.62, muc/recall=71.43"
    )


class Match(NamedTuple):
    """A figure of a convention: a metric's recall, precision or F1."""

    convention: str
    metric: str
    kind: Kind
    value: float
    how: How | None  # None: it is only near


@dataclass(frozen=True, slots=True)
class Finding:
    """Which conventions give a figure; those nearest to it if none does."""

    figure: Figure
    matches: tuple[Match, ...]
    nearest: tuple[Match, ...] = ()


def find(figure: Figure, rows: Sequence[PracticeRow]) -> Finding:
    """Look for a figure among all conventions, metrics, and recall, precision and F1.

    Where the reference gives that figure there is nothing to explain, and others that
    give the same are not listed. Where a figure rounds to it, those that would have to
    be cut are not listed either.
    """
    candidates = [each for each in _all(rows) if figure.is_about(each)]
    alike = [
        each._replace(how=how)
        for each in candidates
        if (how := figure.written_like(each.value))
    ]
    found = [each for each in alike if each.how == "rounded"] or alike
    reference = {each[1:3] for each in found if each.convention == rows[0].name}
    told = [
        each
        for each in found
        if each.convention == rows[0].name or each[1:3] not in reference
    ]
    told.sort(key=lambda each: (each.metric != conll.NAME, KINDS.index(each.kind)))
    if told:
        return Finding(figure, tuple(told))
    return Finding(figure, (), _near(figure, candidates))


def gives(row: PracticeRow, figure: Figure) -> bool:
    """Tell whether a convention gives a figure, whatever others do."""
    return any(
        figure.is_about(each) and figure.written_like(each.value)
        for each in _all([row])
    )


def _all(rows: Iterable[PracticeRow]) -> list[Match]:
    found = []
    for row in rows:
        for metric, score in row.scores.items():
            for kind in KINDS:
                value = getattr(score, kind)
                if value is not None and not math.isnan(value):
                    found.append(Match(row.name, metric, kind, value, None))
    return found


def _near(figure: Figure, candidates: list[Match]) -> tuple[Match, ...]:
    """Choose the CoNLL scores that are nearest, and the nearest of all others."""
    distinct: dict[tuple[str, Kind, float], Match] = {}
    for each in candidates:
        distinct.setdefault((each.metric, each.kind, round(each.value, 4)), each)
    by_distance = sorted(
        distinct.values(), key=lambda each: abs(100 * each.value - figure.percent)
    )
    scores = [each for each in by_distance if each[1:3] == (conll.NAME, "f1")]
    others = [each for each in by_distance if each[1:3] != (conll.NAME, "f1")]
    return (*scores[:_NEAREST], *others[:_NEAREST])

"""Results of a multiverse: settings, systems, pairs, and the effect of each choice.

An order of systems is the sign of each pair's difference: 1 if the first is ahead, −1
if the second is, 0 for a tie. Kendall's τ-b (1945) of two orders is their product,
divided by its largest possible value:

    τ  =  Σ s·t  ÷  √(Σ s² · Σ t²)

which is 1 for the same order, −1 for the reverse, and not defined where all are tied.

The standard error of a difference falls with the root of the number of documents. If it
is s with N documents, a two-sided test at level α detects a difference d with a
probability of 1 − β (its power) given n documents of the same kind:

    n  =  N · ((z(1 − α/2) + z(1 − β)) · s / d)²

where z are quantiles of the normal distribution.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import ceil, inf
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.displayed import Displayed
from scoref.statistics.bootstrap import TIE, percent_of
from scoref.tools.compare.multiverse_command import METRIC, OF_ONE_METRIC

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoref.metrics.base import Floats
    from scoref.model import Note

    Names = tuple[str, str]


def orders(scores: Floats) -> Floats:
    """Give the order of each row: a column for each pair of its figures."""
    pairs = np.array([*combinations(range(scores.shape[-1]), 2)]).reshape(-1, 2)
    difference = scores[..., pairs[:, 0]] - scores[..., pairs[:, 1]]
    return np.where(np.abs(difference) <= TIE, 0.0, np.sign(difference))


def kendall(rows: Floats) -> Floats:
    """Give τ-b of each two orders, NaN where it is not defined.

    >>> found = kendall(orders(np.array([[3.0, 2.0, 1.0], [2.0, 3.0, 1.0]])))
    >>> round(float(found[0, 1]), 4)
    0.3333
    """
    length = np.sqrt((rows**2).sum(axis=1))
    most = np.outer(length, length)
    undefined = np.full_like(most, np.nan)
    return np.divide(rows @ rows.T, most, out=undefined, where=most > 0)


def ranks(scores: Floats) -> Floats:
    """Rank the figures of each row, the highest first; equal ones share a rank.

    >>> ranks(np.array([[0.5, 0.7, 0.5]])).tolist()
    [[2.0, 1.0, 2.0]]
    """
    higher = scores[..., None, :] > scores[..., :, None] + TIE
    return np.asarray(1.0 + higher.sum(axis=-1))


def is_alone_ahead(scores: Floats) -> Floats:
    """Tell of each figure of a row whether it is higher than all others."""
    not_higher = scores[..., None, :] >= scores[..., :, None] - TIE
    return np.asarray(not_higher.sum(axis=-1) == 1)


_NORMAL = NormalDist()

_ROUNDING = 1e-9


class Plan(NamedTuple):
    """How sure a test is to be, and how often it is to see a difference; in percent."""

    level: float = 95.0
    power: float = 80.0

    @classmethod
    def of(cls, level: float, power: float) -> Plan:
        """Take a level and a power in percent, or as fractions up to 1."""
        return cls(percent_of(level), percent_of(power, "power"))

    def documents(self, difference: float, error: float, documents: int) -> float:
        """Say how many documents it takes; infinitely many where nothing differs.

        >>> Plan().documents(0.01, 0.01, 100)
        785
        """
        if abs(difference) <= TIE:
            return inf
        quantiles = _NORMAL.inv_cdf(0.5 + self.level / 200), self._power
        needed = documents * (sum(quantiles) * error / difference) ** 2
        return max(2, ceil(needed - _ROUNDING))

    @property
    def _power(self) -> float:
        return _NORMAL.inv_cdf(self.power / 100)


def standard_error(drawn: Floats, documents: int) -> float:
    """Estimate the error of a figure by the bootstrap, which is a little too small."""
    return float(drawn.std(ddof=1) * np.sqrt(documents / (documents - 1)))


class Chances(NamedTuple):
    """What became of one setting when documents were drawn again; shares of draws.

    ``won`` is how often a system was alone ahead of all, ``ahead`` how often the first
    of a pair was ahead of the second, ``same`` how often the order was that which
    the setting has, and ``usual`` how often it was that of the reference setting.
    ``needed`` is how many documents it takes to tell a pair apart.
    """

    won: Mapping[str, float]
    ahead: Mapping[Names, float]
    same: float
    usual: float
    needed: Mapping[Names, float]


class Setting(NamedTuple):
    """A metric under a set of choices: every system's F1, and who is ahead."""

    choices: Mapping[str, str]
    metric: str
    f1: Mapping[str, float]
    winner: str | None  # None: a tie
    chances: Chances | None  # None: one document cannot be drawn again


class SystemRow(NamedTuple):
    """A system over all settings; shares, and ranks."""

    system: str
    f1: float  # of the reference setting
    won: float
    won_resamples: float | None
    mean_rank: float
    best_rank: int
    worst_rank: int


class PairRow(NamedTuple):
    """Two systems over all settings.

    ``ahead`` and ``behind`` are shares of settings. ``resamples`` is the share of draws
    of the reference setting in which the first is ahead, ``all_resamples`` that of all
    settings. ``needed`` are the documents that it takes to tell them apart in the
    reference setting, at least and at most in any.
    """

    first: str
    second: str
    ahead: float
    behind: float
    resamples: float | None
    all_resamples: float | None
    needed: float | None
    needed_least: float | None
    needed_most: float | None


class ChoiceRow(NamedTuple):
    """What a choice does, everything else being equal.

    ``tau`` is the mean of Kendall's τ between settings that differ in this choice only,
    ``other_winner`` the share of such pairs of settings with another winner.
    """

    name: str
    values: tuple[str, ...]
    pairs: int
    tau: float | None
    other_winner: float


@dataclass(frozen=True, repr=False)
class Multiverse(Displayed):
    """Every setting that files allow, and how stable the order of systems is.

    The first setting with the leading metric is the reference: what files are scored by
    if nothing is asked for.
    """

    systems: tuple[str, ...]
    axes: Mapping[str, tuple[str, ...]]
    metrics: tuple[str, ...]
    settings: tuple[Setting, ...]
    reference: Setting
    signature: str
    documents: int
    resamples: int
    seed: int
    plan: Plan
    notes: tuple[Note, ...] = ()

    _reported_by = "tools.compare.multiverse_rendering:multiverse_report"

    @property
    def _in_short(self) -> str:
        return f"{len(self.systems)} systems in {len(self.settings)} settings"

    @property
    def drawing(self) -> str:
        """What the shares of draws rest on, to go with the signature."""
        return (
            f"settings:{len(self.settings)}|resamples:{self.resamples}|seed:{self.seed}|"
            f"level:{self.plan.level:g}|power:{self.plan.power:g}|unit:documents"
        )

    @cached_property
    def f1(self) -> Floats:
        """Every setting's figures: a row each, a column for each system."""
        rows = [[each.f1[name] for name in self.systems] for each in self.settings]
        return np.array(rows)

    @cached_property
    def taus(self) -> Floats:
        """Kendall's τ between each two settings; NaN where all systems are equal."""
        return kendall(orders(self.f1))

    @property
    def tau(self) -> float | None:
        """The mean of Kendall's τ over all pairs of settings."""
        return _mean(self.taus[np.triu_indices(len(self.settings), 1)])

    @cached_property
    def tau_with_reference(self) -> list[float | None]:
        """Kendall's τ between each setting and the reference."""
        row = self.taus[self.settings.index(self.reference)]
        return [None if np.isnan(each) else float(each) for each in row]

    @property
    def same_order(self) -> float:
        """The share of settings that put systems into the reference's order."""
        found = orders(self.f1)
        usual = found[self.settings.index(self.reference)]
        return float((found == usual).all(axis=1).mean())

    @property
    def same_order_resamples(self) -> float | None:
        """The same of draws of the reference setting."""
        return self.reference.chances and self.reference.chances.same

    @property
    def same_order_all_resamples(self) -> float | None:
        """The same of draws of all settings."""
        return _mean_of([each.chances.usual for each in self.settings if each.chances])

    def by_system(self) -> Iterator[SystemRow]:
        """Say how each system fares, in the order in which they were given."""
        places = ranks(self.f1)
        for column, name in enumerate(self.systems):
            place = places[:, column]
            won = [each.winner == name for each in self.settings]
            drawn = [each.chances.won[name] for each in self.settings if each.chances]
            yield SystemRow(
                name,
                self.reference.f1[name],
                sum(won) / len(won),
                _mean_of(drawn),
                float(place.mean()),
                int(place.min()),
                int(place.max()),
            )

    def by_pair(self) -> Iterator[PairRow]:
        """Say of each pair who is ahead how often."""
        found = orders(self.f1)
        for column, pair in enumerate(combinations(self.systems, 2)):
            drawn = [each.chances for each in self.settings if each.chances]
            needed = [each.needed[pair] for each in drawn]
            usual = self.reference.chances
            yield PairRow(
                *pair,
                float((found[:, column] > 0).mean()),
                float((found[:, column] < 0).mean()),
                usual and usual.ahead[pair],
                _mean_of([each.ahead[pair] for each in drawn]),
                usual and usual.needed[pair],
                min(needed, default=None),
                max(needed, default=None),
            )

    def by_choice(self) -> Iterator[ChoiceRow]:
        """Say what each choice does to the order, the metric among them."""
        yield self._choice(METRIC, self.metrics)
        for name, values in self.axes.items():
            yield self._choice(name, values)

    def _choice(self, name: str, values: tuple[str, ...]) -> ChoiceRow:
        pairs = [pair for group in self._alike(name) for pair in combinations(group, 2)]
        taus = np.array([self.taus[pair] for pair in pairs])
        winners = [(self.settings[a].winner, self.settings[b].winner) for a, b in pairs]
        changed = sum(one != other for one, other in winners)
        return ChoiceRow(
            name, values, len(pairs), _mean(taus), changed / max(1, len(pairs))
        )

    def _alike(self, name: str) -> list[list[int]]:
        """Sort settings into groups that differ in one choice only."""
        groups: dict[object, list[int]] = {}
        for row, setting in enumerate(self.settings):
            others = self._others(setting, name)
            if others is not None:
                groups.setdefault(others, []).append(row)
        return list(groups.values())

    def _others(self, setting: Setting, name: str) -> object | None:
        """Give all choices but one; None where that one has no meaning."""
        metric = OF_ONE_METRIC.get(name)
        if metric is not None and setting.metric != metric:
            return None
        choices = dict(setting.choices)
        choices.pop(name, None)
        if name == METRIC:
            # A rule about one metric has nothing to be compared with in another.
            own = {each: choices.pop(each) for each in OF_ONE_METRIC if each in choices}
            is_usual = all(value == self.axes[each][0] for each, value in own.items())
            return tuple(sorted(choices.items())) if is_usual else None
        return (setting.metric, *sorted(choices.items()))


def _mean(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _mean_of(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None

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
    """Return the order of each row: a column for each pair of its figures."""
    pairs = np.array([*combinations(range(scores.shape[-1]), 2)]).reshape(-1, 2)
    difference = scores[..., pairs[:, 0]] - scores[..., pairs[:, 1]]
    return np.where(np.abs(difference) <= TIE, 0.0, np.sign(difference))


def kendall(rows: Floats) -> Floats:
    """Return τ-b of each two orders, NaN where it is not defined.

    >>> taus = kendall(orders(np.array([[3.0, 2.0, 1.0], [2.0, 3.0, 1.0]])))
    >>> round(float(taus[0, 1]), 4)
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
    """Mark the figure of each row that is higher than all others, if there is one."""
    not_higher = scores[..., None, :] >= scores[..., :, None] - TIE
    return np.asarray(not_higher.sum(axis=-1) == 1)


_ROUNDING = 1e-9


class Plan(NamedTuple):
    """The confidence level of a test, and its power, in percent."""

    level: float = 95.0
    power: float = 80.0

    @classmethod
    def of(cls, level: float, power: float) -> Plan:
        """Convert fractions up to 1 to percent."""
        return cls(percent_of(level), percent_of(power, "power"))

    def documents(self, difference: float, error: float, documents: int) -> float:
        """Return the number of documents needed; infinitely many if nothing differs.

        >>> Plan().documents(0.01, 0.01, 100)
        785
        """
        if abs(difference) <= TIE:
            return inf
        normal = NormalDist()
        z = normal.inv_cdf(0.5 + self.level / 200) + normal.inv_cdf(self.power / 100)
        needed = documents * (z * error / difference) ** 2
        return max(2, ceil(needed - _ROUNDING))


def standard_error(drawn: Floats, documents: int) -> float:
    """Estimate the error of a figure by the bootstrap, corrected for its low bias."""
    return float(drawn.std(ddof=1) * np.sqrt(documents / (documents - 1)))


class Chances(NamedTuple):
    """Shares of draws of documents in one setting.

    ``won`` is the share in which a system is alone ahead of all others, ``ahead`` that
    in which the first of a pair is ahead of the second. ``same`` is the share in which
    the order is that of the setting, ``usual`` that of the reference setting.
    ``needed`` is the number of documents needed to show which of a pair is better.
    """

    won: Mapping[str, float]
    ahead: Mapping[Names, float]
    same: float
    usual: float
    needed: Mapping[Names, float]


class Setting(NamedTuple):
    """A metric under a set of choices: every system's F₁, and who is ahead."""

    choices: Mapping[str, str]
    metric: str
    f1: Mapping[str, float]
    winner: str | None  # None: a tie
    chances: Chances | None  # None: there is only one document


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
    settings. ``needed`` is the number of documents needed to show which one is better
    in the reference setting, with the lowest and the highest number of all settings.
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
    """The effect of a choice, all others being equal.

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

    The first setting with the leading metric is the reference. It has the conventions
    that files are scored by by default.
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
    _plan: Plan
    notes: tuple[Note, ...] = ()

    _reported_by = "tools.compare.multiverse_rendering:multiverse_report"

    @property
    def _in_short(self) -> str:
        return f"{len(self.systems)} systems in {len(self.settings)} settings"

    @property
    def drawing(self) -> str:
        """The options of the draws, to go with the signature."""
        return (
            f"settings:{len(self.settings)}|resamples:{self.resamples}|seed:{self.seed}|"
            f"level:{self._plan.level:g}|power:{self._plan.power:g}|unit:documents"
        )

    @cached_property
    def f1(self) -> Floats:
        """Every setting's figures: a row each, a column for each system."""
        return np.array(
            [[setting.f1[name] for name in self.systems] for setting in self.settings]
        )

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
        return [None if np.isnan(tau) else float(tau) for tau in row]

    @property
    def same_order(self) -> float:
        """The share of settings in which systems have the order of the reference."""
        every = orders(self.f1)
        usual = every[self.settings.index(self.reference)]
        return float((every == usual).all(axis=1).mean())

    @property
    def same_order_resamples(self) -> float | None:
        """The share of draws of the reference setting that have its order."""
        return self.reference.chances and self.reference.chances.same

    @property
    def same_order_all_resamples(self) -> float | None:
        """The share of draws of all settings that have the order of the reference."""
        return _mean_of([chances.usual for chances in self._all_chances])

    @cached_property
    def _all_chances(self) -> list[Chances]:
        return [setting.chances for setting in self.settings if setting.chances]

    def by_system(self) -> Iterator[SystemRow]:
        """Return a row for each system, in the order in which they were given."""
        all_ranks = ranks(self.f1)
        for column, name in enumerate(self.systems):
            own_ranks = all_ranks[:, column]
            won = [setting.winner == name for setting in self.settings]
            yield SystemRow(
                name,
                self.reference.f1[name],
                sum(won) / len(won),
                _mean_of([chances.won[name] for chances in self._all_chances]),
                float(own_ranks.mean()),
                int(own_ranks.min()),
                int(own_ranks.max()),
            )

    def by_pair(self) -> Iterator[PairRow]:
        """Return a row for each pair of systems."""
        every, usual = orders(self.f1), self.reference.chances
        for column, pair in enumerate(combinations(self.systems, 2)):
            needed = [chances.needed[pair] for chances in self._all_chances]
            yield PairRow(
                *pair,
                float((every[:, column] > 0).mean()),
                float((every[:, column] < 0).mean()),
                usual and usual.ahead[pair],
                _mean_of([chances.ahead[pair] for chances in self._all_chances]),
                usual and usual.needed[pair],
                min(needed, default=None),
                max(needed, default=None),
            )

    def by_choice(self) -> Iterator[ChoiceRow]:
        """Return a row for each choice that is varied, the metric first."""
        for name, values in {METRIC: self.metrics, **self.axes}.items():
            groups: dict[object, list[int]] = {}  # settings with equal other choices
            for row, setting in enumerate(self.settings):
                others = self._other_choices(setting, name)
                if others is not None:
                    groups.setdefault(others, []).append(row)
            pairs = [
                pair for group in groups.values() for pair in combinations(group, 2)
            ]
            changed = sum(
                self.settings[one].winner != self.settings[other].winner
                for one, other in pairs
            )
            yield ChoiceRow(
                name,
                values,
                len(pairs),
                _mean(np.array([self.taus[pair] for pair in pairs])),
                changed / max(1, len(pairs)),
            )

    def _other_choices(self, setting: Setting, name: str) -> object | None:
        """Return all choices but one; None if that one does not apply here."""
        metric = OF_ONE_METRIC.get(name)
        if metric is not None and setting.metric != metric:
            return None
        choices = dict(setting.choices)
        choices.pop(name, None)
        if name == METRIC:
            # Settings with an unusual rule about one metric have no counterpart.
            for rule in OF_ONE_METRIC:
                if rule in choices and choices.pop(rule) != self.axes[rule][0]:
                    return None
            return tuple(sorted(choices.items()))
        return (setting.metric, *sorted(choices.items()))


def _mean(values: Floats) -> float | None:
    """Average the values that are defined."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _mean_of(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None

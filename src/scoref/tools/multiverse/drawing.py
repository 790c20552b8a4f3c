"""One set of choices, and what became of it when documents were drawn again."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.statistics.chance import draw
from scoref.statistics.orders import is_alone_ahead, orders
from scoref.statistics.sample_size import standard_error
from scoref.statistics.strata import Strata
from scoref.tools.multiverse.results import Chances, Setting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.metrics.base import Floats
    from scoref.scoring.results import Result
    from scoref.statistics.sample_size import Plan


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

"""What an estimate says: figures, how sure they are, and what had to be promised."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoref.displayed import Displayed
from scoref.figures import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.metrics.base import Score
    from scoref.model import Note
    from scoref.statistics.cuts import Interval

    Numbers = Mapping[str, Mapping[str, float | None]]
    Intervals = Mapping[str, Mapping[str, Interval | None]]


@dataclass(frozen=True, slots=True, repr=False)
class Estimate(Displayed):
    """Figures of a whole prediction, as a sample of true clusters shows them.

    ``errors``, ``intervals`` and ``effective`` are by metric and figure: ``recall``,
    ``precision``, ``f1``; None where a sample cannot tell. ``effective`` is Kish's
    number: how many clusters of equal weight a figure rests on.
    """

    scores: Mapping[str, Score]
    errors: Numbers
    intervals: Intervals
    effective: Numbers
    values: Mapping[str, float]
    clusters: int
    draws: int
    records: int
    level: float
    signature: str
    promise: str
    notes: tuple[Note, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)

    _reported_by = "tools.estimate.rendering:estimate_report"

    @property
    def _in_short(self) -> str:
        clusters = counted(self.clusters, "cluster")
        return f"{', '.join(self.metrics)} of a sample of {clusters}"

    @property
    def metrics(self) -> tuple[str, ...]:
        """Which metrics were estimated."""
        return tuple(self.scores)

    def plan(self, width: float) -> dict[str, dict[str, int | None]]:
        """Say how many draws make each interval so narrow.

        Args:
            width: from the low end to the high one, as a fraction: 0.04 for ± 2 points.
        """
        from scoref.tools.estimate.planning import planned  # noqa: PLC0415 - SciPy

        return planned(self, width)

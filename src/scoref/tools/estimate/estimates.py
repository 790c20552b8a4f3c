"""What an estimate says: figures, how sure they are, and what had to be promised."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoref.metrics import METRICS
from scoref.statistics.additive import FIGURES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref import markup
    from scoref.metrics.base import Score
    from scoref.model import Note
    from scoref.statistics.cuts import Interval

    Numbers = Mapping[str, Mapping[str, float | None]]
    Intervals = Mapping[str, Mapping[str, Interval | None]]


@dataclass(frozen=True, slots=True)
class Estimate:
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

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        from scoref import markup  # noqa: PLC0415 - few estimates are shown in one

        rows: list[list[str | markup.FigureCell]] = [
            [METRICS[name].label, *(self._cell(name, figure) for figure in FIGURES)]
            for name in self.metrics
        ]
        return markup.shown(
            markup.table(["", "Recall", "Precision", "F₁"], rows),
            signatures=[self.signature],
            notes=[f"promised: {self.promise}", *(each.message for each in self.notes)],
        )

    def _cell(self, metric: str, figure: str) -> markup.FigureCell:
        from scoref import markup  # noqa: PLC0415
        from scoref.figures import percent  # noqa: PLC0415

        score = self.scores[metric]
        interval = self.intervals[metric][figure]
        text = percent(getattr(score, figure), is_defined=score.is_defined)
        below = "" if interval is None else " – ".join(map(percent, interval))
        return markup.FigureCell(text, below=below)

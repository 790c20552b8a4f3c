"""A table that was counted, as a result like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.metrics import METRICS, chosen, metrics_of, needed, parts_of, usual
from scoref.scheme import TABLE
from scoref.scoring.coverage import coverage_notes
from scoref.scoring.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.contingency import Contingency
    from scoref.scheme import Scheme


def metrics_for(names: str | Iterable[str] | None) -> tuple[str, ...]:
    """Check names of metrics; all if none is given."""
    return chosen("all" if names is None else names, usual("tables"))


def is_aligned(name: str) -> bool:
    """Tell whether a metric, or a part of a mean, needs the clusters themselves."""
    return any(getattr(METRICS[part], "is_aligned", False) for part in parts_of(name))


def score_counted(
    table: Contingency,
    documents: Sequence[str],
    scheme: Scheme,
    metrics: tuple[str, ...],
    sources: tuple[str, str],
) -> Result:
    """Score a table that was counted."""
    known = metrics_of(scheme)
    common, total = table.common_and_all
    return Result(
        key=sources[0],
        response=sources[1],
        format=TABLE,
        scheme=scheme,
        metrics=metrics,
        documents=tuple(documents),
        counts={name: known[name].count(table) for name in needed(metrics)},
        notes=tuple(coverage_notes(common, total, metrics, TABLE)),
        table=table,
    )

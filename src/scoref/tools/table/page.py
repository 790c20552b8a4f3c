"""The data of a report on tables: scores, and clusters in the place of texts."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

import numpy as np

from scoref._version import __version__
from scoref.metrics import labels_of, leading
from scoref.tools.report.data import SIZES, VERSION, ReportData, by_size, choices_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.metrics.base import Score
    from scoref.scoring.results import Result


def table_report(
    result: Result,
    clusters: Mapping[str, object],
    *,
    key: str,
    response: str | None = None,
) -> ReportData:
    """Assemble the report of a table.

    Args:
        result: its scores.
        clusters: what `clusters_of` gives.
        key: the path of the key.
        response: that of the response; None if the key's table has both.
    """
    shown = [name for name in result.metrics if name not in result.values]
    labels = labels_of(result.scheme, shown)
    metric = leading(shown)
    choices = choices_of(result.signature)
    assert result.table is not None  # noqa: S101 - that of a table is kept
    table = result.table
    sizes = [
        by_size(size, np.broadcast_to(times, size.shape))
        for size, times in (
            (table.key_size, table.key_times),
            (table.response_size, table.response_times),
        )
    ]
    system = {
        "name": os.path.basename(response or key),  # noqa: PTH119 - a name
        "signature": result.signature,
        "notes": [note.message for note in result.notes],
        "scores": [_score(labels, name, result.scores[name]) for name in shown],
        "level": None,
        "errors": [],
        "documents": [],
    }
    report: dict[str, object] = {
        "version": VERSION,
        "title": os.path.basename(key) or key,  # noqa: PTH119 - a name
        "scoref": __version__,
        "key": key,
        "metric": {"name": metric, "label": labels[metric]},
        "choices": choices,
        "kinds": [],
        "systems": [system],
        "comparison": None,
        "documents": [],
        "sizes": {"labels": list(SIZES), "key": sizes[0], "systems": [sizes[1]]},
        "left_out": None,
        "clusters": [clusters],
    }
    return ReportData(report, [])


def _score(labels: Mapping[str, str], name: str, score: Score) -> dict[str, object]:
    """Write a score; what is not a number is nothing."""
    figures = [
        None if value is None or math.isnan(value) else value for value in score[:3]
    ]
    recall, precision, f1 = figures
    return {
        "metric": name,
        "label": labels[name],
        "recall": recall,
        "precision": precision,
        "f1": f1 or 0.0,
        "is_defined": score.is_defined and f1 is not None,
        "intervals": None,
    }

"""The data of a report on tables: scores, and clusters in the place of texts."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

import numpy as np

from scoref._version import __version__
from scoref.metrics import labels_of
from scoref.tools.report.data import SIZES, VERSION, ReportData, by_size, choices_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.metrics.base import Score
    from scoref.scoring.results import Result


def table_report(
    results: Sequence[Result], clusters: Sequence[Mapping[str, object]], *, key: str
) -> ReportData:
    """Assemble the report of one response, or of several.

    Args:
        results: their scores; each is called by its response.
        clusters: what `clusters_of` gives of each.
        key: the path of the key.
    """
    first = results[0]
    labels = labels_of(first.scheme, first.metrics)
    metric = first.headline
    report: dict[str, object] = {
        "version": VERSION,
        "title": os.path.basename(key) or key,  # noqa: PTH119 - a name
        "scoref": __version__,
        "key": key,
        "metric": {"name": metric, "label": labels[metric]},
        "choices": choices_of(first.signature),
        "kinds": [],
        "systems": [_system(result, labels) for result in results],
        "comparison": None,
        "documents": [],
        "sizes": {
            "labels": list(SIZES),
            "key": _sizes(first, "key"),
            "systems": [_sizes(result, "response") for result in results],
        },
        "left_out": None,
        "clusters": list(clusters),
    }
    return ReportData(report, [])


def _sizes(result: Result, side: str) -> list[int]:
    assert result.table is not None  # noqa: S101 - that of a table is kept
    table = result.table if side == "key" else result.table.swapped
    return by_size(
        table.key_size, np.broadcast_to(table.key_times, table.key_size.shape)
    )


def _system(result: Result, labels: Mapping[str, str]) -> dict[str, object]:
    return {
        "name": os.path.basename(result.response),  # noqa: PTH119 - a name
        "signature": result.signature,
        "notes": [note.message for note in result.notes],
        "scores": [_score(labels, name, result.scores[name]) for name in labels],
        "level": None,
        "errors": [],
        "documents": [],
    }


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

"""The data of a report on tables: scores, and clusters in the place of texts."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

import numpy as np

from scoref._version import __version__
from scoref.metrics import conll
from scoref.reports.clusterings import RATIOS, USUAL
from scoref.reports.report_data import SIZES, VERSION, ReportData, by_size, choices_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping

    from scoref.contingency.profile import Sizes
    from scoref.metrics.base import Score
    from scoref.tables.results import TableResult

_MEANINGS = {
    "group": "the column of groups: clusters do not go from one to another",
    "universe": "which mentions are scored: of both sides, or of one",
    "undefined": "what 0/0 is",
}


def table_report(
    result: TableResult,
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
    shown = [name for name in USUAL if name in result.scores]
    metric = conll.NAME if conll.NAME in shown else shown[0]
    choices = choices_of(result.signature)
    for choice in choices:
        choice["meaning"] = choice["meaning"] or _MEANINGS.get(str(choice["name"]), "")
    sides = result.profile.key, result.profile.response
    sizes = [_sizes(side) for side in sides]
    system = {
        "name": os.path.basename(response or key),  # noqa: PTH119 - a name
        "signature": result.signature,
        "notes": [note.message for note in result.notes],
        "scores": [_score(name, result.scores[name]) for name in shown],
        "level": None,
        "errors": [],
        "documents": [],
    }
    report: dict[str, object] = {
        "version": VERSION,
        "title": os.path.basename(key) or key,  # noqa: PTH119 - a name
        "scoref": __version__,
        "key": key,
        "metric": {"name": metric, "label": RATIOS[metric]},
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


def _sizes(side: Counter[Sizes]) -> list[int]:
    size = np.array([kind.size for kind in side], dtype=np.int64)
    return by_size(size, np.array(list(side.values()), dtype=np.int64))


def _score(name: str, score: Score) -> dict[str, object]:
    """Write a score; what is not a number is nothing."""
    figures = [
        None if value is None or math.isnan(value) else value for value in score[:3]
    ]
    recall, precision, f1 = figures
    return {
        "metric": name,
        "label": RATIOS[name],
        "recall": recall,
        "precision": precision,
        "f1": f1 or 0.0,
        "is_defined": score.is_defined and f1 is not None,
        "intervals": None,
    }

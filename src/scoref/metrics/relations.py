"""Mentions that do not refer, and bridging: what was found, missed, and made up.

    R  =  TP / (TP + FN)        P  =  TP / (TP + FP)

A pair of bridging is asked three questions: is its anaphor one (recognition), is its
antecedent the key's (markable level), or at least a mention of the same entity (entity
level)?
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from scoref.metrics.base import Metric, f_one, ratio

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats

_COLUMNS = ("true_positives", "false_negatives", "false_positives")


def _count_non_referring(table: Contingency) -> Floats:
    if table.non_referring is None:
        return np.zeros((table.document_count, 3))
    return table.non_referring.astype(np.float64)


def _count_bridging(table: Contingency, level: int) -> Floats:
    if table.bridging is None:
        return np.zeros((table.document_count, 3))
    return table.bridging[:, 3 * level : 3 * level + 3].astype(np.float64)


def _score(counts: Floats) -> Floats:
    true, missed, false = np.moveaxis(counts, -1, 0)
    recall, precision = ratio(true, true + missed), ratio(true, true + false)
    return np.stack((recall, precision, f_one(recall, precision)), axis=-1)


NON_REFERRING = Metric(
    name="non-referring",
    label="Non-referring",
    count=_count_non_referring,
    reference="Poesio et al. (2018)",
    score=_score,
    columns=_COLUMNS,
    denominators=(0, 1, 2),
)

BRIDGING = tuple(
    Metric(
        name=f"bridging-{what}",
        label=f"Bridging {what}",
        count=partial(_count_bridging, level=level),
        reference="Yu et al. (2022)",
        score=_score,
        columns=_COLUMNS,
        denominators=(0, 1, 2),
    )
    for level, what in enumerate(("anaphors", "markables", "entities"))
)
"""Recognition, markable level and entity level."""

"""The anaphor-decomposable score, for zeros (Žabokrtský et al., 2022) or others.

Each zero that is not the first mention of its entity is found and linked well
(TP), linked to the wrong entity (WL), or missed (FN); what the response has beyond
that is false (FP). Any other class of anaphors can be scored the same way:

    R  =  TP / (TP + FN + WL)        P  =  TP / (TP + FP + WL)
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from scoref.lazy import np
from scoref.metrics.base import Metric, ratio, with_f_one

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats
    from scoref.scheme import Scheme

_COLUMNS = ("true_positives", "false_positives", "false_negatives", "wrong_links")


def _count(table: Contingency) -> Floats:
    if table.anaphors is None:
        return np.zeros((table.document_count, 4))
    return table.anaphors.astype(np.float64)


def _score(counts: Floats, undefined: float = 0.0) -> Floats:
    true, false, missed, wrong = np.moveaxis(counts, -1, 0)
    recall = ratio(true, true + missed + wrong, undefined)
    precision = ratio(true, true + false + wrong, undefined)
    return with_f_one(recall, precision)


def anaphor_score(anaphors: str) -> Metric:
    """Make the score for a class of anaphors."""
    return dataclasses.replace(
        ZERO, label="Zeros" if anaphors == "zeros" else f"Anaphors ({anaphors})"
    )


def _under(scheme: Scheme) -> Metric:
    return anaphor_score(scheme.anaphors or "zeros")


ZERO = Metric(
    name="zero",
    label="Zeros",
    asks="is each zero, or other anaphor, linked to the right entity?",
    page="zeros",
    place=410,
    usual="texts",
    count=_count,
    score=_score,
    columns=_COLUMNS,
    denominators=(0, 1, 2, 3),
    reference="Žabokrtský et al. (2022)",
    needs="zeros",
    under=_under,
)
METRICS = (ZERO,)

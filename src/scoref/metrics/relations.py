"""Scores for non-referring mentions, bridging, and zeros or other anaphors.

Non-referring mentions and bridging pairs are found (TP), missed (FN) or false (FP):

    R  =  TP / (TP + FN)        P  =  TP / (TP + FP)

A bridging pair is scored in three ways: whether its anaphor is one (recognition),
whether its antecedent is the key's (markable level), and whether it is at least a
mention of the same entity (entity level).

The anaphor-decomposable score is for zeros (Žabokrtský et al., 2022) or another class
of anaphors. Each zero that is not the first mention of its entity is found and linked
correctly (TP), linked to the wrong entity (WL), or missed (FN); additional ones in the
response are false (FP):

    R  =  TP / (TP + FN + WL)        P  =  TP / (TP + FP + WL)
"""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING

from scoref.lazy import np
from scoref.metrics.base import Metric, ratio, with_f_one

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


def _score(counts: Floats, undefined: float = 0.0) -> Floats:
    true, missed, false = np.moveaxis(counts, -1, 0)
    recall = ratio(true, true + missed, undefined)
    return with_f_one(recall, ratio(true, true + false, undefined))


NON_REFERRING = Metric(
    name="non-referring",
    label="Non-referring",
    asks="non-referring mentions found",
    page="non-referring",
    place=420,
    usual="texts",
    needs="anaphora",
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
        asks=asks,
        page="bridging",
        place=430 + level,
        usual="texts",
        aliases=("bridging",),
        needs="anaphora",
        count=partial(_count_bridging, level=level),
        reference="Yu et al. (2022)",
        score=_score,
        columns=_COLUMNS,
        denominators=(0, 1, 2),
    )
    for level, (what, asks) in enumerate(
        (
            ("anaphors", "anaphors of bridging relations found"),
            ("markables", "bridging anaphors with the right antecedent mention"),
            ("entities", "bridging anaphors with the right antecedent entity"),
        )
    )
)
"""Recognition, markable level and entity level."""

_ANAPHOR_COLUMNS = (
    "true_positives",
    "false_positives",
    "false_negatives",
    "wrong_links",
)


def _count(table: Contingency) -> Floats:
    if table.anaphors is None:
        return np.zeros((table.document_count, 4))
    return table.anaphors.astype(np.float64)


def _anaphor_score(counts: Floats, undefined: float = 0.0) -> Floats:
    true, false, missed, wrong = np.moveaxis(counts, -1, 0)
    recall = ratio(true, true + missed + wrong, undefined)
    precision = ratio(true, true + false + wrong, undefined)
    return with_f_one(recall, precision)


def anaphor_score(anaphors: str) -> Metric:
    """Return the score for a class of anaphors."""
    return dataclasses.replace(
        ZERO, label="Zeros" if anaphors == "zeros" else f"Anaphors ({anaphors})"
    )


ZERO = Metric(
    name="zero",
    label="Zeros",
    asks="anaphors (zeros or others) linked to the right entity",
    page="zeros",
    place=410,
    usual="texts",
    count=_count,
    score=_anaphor_score,
    columns=_ANAPHOR_COLUMNS,
    denominators=(0, 1, 2, 3),
    reference="Žabokrtský et al. (2022)",
    needs="zeros",
    under=lambda scheme: anaphor_score(scheme.anaphors or "zeros"),
)

METRICS = (
    NON_REFERRING,
    *BRIDGING,
    ZERO,
)

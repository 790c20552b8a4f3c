"""What fixing all errors of one entity of the key gains.

The gain is the difference of two scores, like that of a group. An entity with a single
error has the gain of this error. For the others, one entity of each document is
repaired at a time, because documents are counted separately. Only the entities of a
document whose errors cost most are repaired, so that this is quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.metrics import CONLL
from scoref.tools.errors.costs import additive_of

if TYPE_CHECKING:
    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.tools.errors.findings import Analysis
    from scoref.tools.errors.repairs import Mask

_MOST_REPAIRED = 8
"""The most entities of a document that are repaired; each costs as much as a group."""

_MOST_LISTED = 12


class CostlyEntity(NamedTuple):
    """An entity of the key, and what fixing all of its errors gains.

    ``entity`` is its label, and ``name`` its best mention. ``document`` is that of its
    first error. ``gain`` is in CoNLL F₁, as a fraction.
    """

    document: str
    entity: str | None
    name: str
    errors: int
    gain: float


def costliest_entities(analysis: Analysis) -> tuple[CostlyEntity, ...]:
    """List the entities whose errors cost most, the largest gain first."""
    errors, gains = analysis.errors, entity_gains(analysis)
    known = np.flatnonzero(errors.key_entity >= 0)
    entity, first, count = np.unique(
        errors.key_entity[known], return_index=True, return_counts=True
    )
    gain = gains[entity]
    order = np.lexsort((first, -count, -gain))
    order = order[gain[order] > 0][:_MOST_LISTED]
    labels, rows = analysis._corpora[0].entity_label, known[first]
    return tuple(
        CostlyEntity(
            analysis.documents[int(errors.document[error])],
            labels[int(entity[place])],
            analysis._wording.entity_name(error),
            int(count[place]),
            float(gain[place]),
        )
        for place, error in zip(order.tolist(), rows[order].tolist(), strict=True)
    )


def entity_gains(analysis: Analysis) -> Floats:
    """Return the gain in CoNLL F₁ of each entity of the key, as a fraction.

    It is NaN for entities that were not repaired, and 0 for those without errors.
    """
    errors, entities = analysis.errors, len(analysis._home)
    if CONLL not in analysis.error_gains:
        return np.full(entities, np.nan)
    known = np.flatnonzero(errors.key_entity >= 0)
    entity = errors.key_entity[known]
    single = analysis.error_gains[CONLL][known]
    count = np.bincount(entity, minlength=entities)
    gains = np.bincount(entity, single, entities).astype(np.float64)
    expected = gains.copy()
    gains[count > 1] = np.nan
    unit = np.zeros(entities, dtype=np.int64)
    unit[entity] = analysis._unit[errors.document[known]]
    rank = _ranks(expected, unit, count > 1)
    before = analysis._repairs.unrepaired_counts()
    start = additive_of(analysis.result, CONLL, before)
    rank_of_error = np.full(len(errors.kind), -1)
    rank_of_error[known] = rank[entity]
    for place in range(min(_MOST_REPAIRED, int(rank.max(initial=-1)) + 1)):
        chosen = np.flatnonzero(rank == place)
        counts = analysis._repairs.counts(rank_of_error == place)
        after = additive_of(analysis.result, CONLL, counts)
        rows = unit[chosen]
        sums = start.matrix.sum(axis=0) - start.matrix[rows] + after.matrix[rows]
        gains[chosen] = (start.scores(sums) - start.total)[:, 0, 2]
    return gains


def _ranks(cost: Floats, unit: Ints, is_ranked: Mask) -> Ints:
    """Rank the entities of each unit by their cost, from 0; -1 for all others."""
    rank = np.full(len(cost), -1, dtype=np.int64)
    rows = np.flatnonzero(is_ranked)
    order = rows[np.lexsort((rows, -cost[rows], unit[rows]))]
    first = np.searchsorted(unit[order], unit[order])
    rank[order] = np.arange(len(order)) - first
    return rank

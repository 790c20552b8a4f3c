"""LEA (Moosavi and Strube, 2016): links, weighted by entity.

An entity of k mentions has k(k − 1)/2 links and weighs k. Recall is the share of
each entity's links that the response resolves, averaged by weight:

    R  =  Σ_i k_i · Σ_j link(n_ij) / link(k_i)  ÷  Σ_i k_i

Authors disagree on singletons, which have no link. Moosavi's own scorer gives
them a link to themselves, resolved if the other side has the mention as a
singleton, too (``self-links``, the default). The evaluators that neural systems
carry leave them out of sums and weights (``no-singletons``).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency import pairs
from scoref.metrics.base import Metric, Part, ratio

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats
    from scoref.scheme import Lea


def _recall(table: Contingency, convention: Lea) -> tuple[Floats, Floats]:
    size = table.key_size
    # A plural that is found by half has half of its links to the others.
    links = pairs(table.key_count) + table.key_count * table.key_plural
    # Divided once an entity, as in the CorefUD scorer, to its last bit.
    resolved = size * table.of_key(links)
    kept = ratio(resolved, pairs(size).astype(np.float64))
    if convention == "self-links":
        is_alone = table.response_size[table.cell_response] == 1
        alone = is_alone * (table.key_count + table.key_plural)
        kept = np.where(size == 1, table.of_key(alone), kept)
    else:
        size = np.where(size > 1, size, 0)
    return table.sum_key(kept), table.sum_key(size)


def _count(table: Contingency, convention: Lea) -> Floats:
    key, response = _recall(table, convention), _recall(table.swapped, convention)
    return np.column_stack((*key, *response))


def lea(convention: Lea) -> Metric:
    """Make LEA under one of the two conventions."""
    count = partial(_count, convention=convention)
    return Metric(
        name="lea",
        label="LEA",
        count=count,
        reference="Moosavi and Strube (2016)",
        parts=(Part(count, count),),
    )

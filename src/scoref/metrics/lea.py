"""LEA (Moosavi and Strube, 2016): links, weighted by entity.

An entity of k mentions has k(k − 1)/2 links and weighs k. Recall is the share of each
entity's links that the response resolves, averaged by weight:

    R  =  Σ_i k_i · Σ_j link(n_ij) / link(k_i)  ÷  Σ_i k_i

Authors disagree on singletons, which have no link. Moosavi's own scorer gives them a
link to themselves, resolved if the other side has the mention as a singleton, too
(``self-links``, the default). The evaluators that neural systems carry leave them out
of sums and weights (``no-singletons``).
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING

from scoref.contingency import pairs
from scoref.lazy import np
from scoref.metrics.base import Metric, Part, Shares, columns, ratio

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.scheme import Lea


def _recall(table: Contingency, convention: Lea) -> tuple[Floats, Floats]:
    size = table.key_size
    # If half of a plural is found, so is half of each of its links to mentions.
    links = pairs(table.key_count) + table.key_count * table.key_plural
    # Divide once per entity, as the CorefUD scorer does, to get the same last bit.
    resolved = size * table.of_key(links)
    kept = ratio(resolved, pairs(size).astype(np.float64))
    if convention == "self-links":
        is_alone = table.response_size[table.cell_response] == 1
        alone = is_alone * (table.key_count + table.key_plural)
        kept = np.where(size == 1, table.of_key(alone), kept)
    else:
        size = np.where(size > 1, size, 0)
        return table.sum_key(kept), table.sum_key(size)
    return table.sum_key(kept), table.key_total


def _shares(table: Contingency, _: Ints, convention: Lea) -> Shares:
    """Give each mention of a cell (n − 1)/(k − 1), of 1."""
    size = table.key_size[table.cell_key]
    # A mention gets half of each of its links to mentions and plurals.
    links = pairs(table.key_count) + table.key_count * table.key_plural / 2
    resolved = size * ratio(links.astype(np.float64), pairs(size).astype(np.float64))
    weight = np.ones(len(table.key_size))
    if convention == "self-links":
        alone = (table.response_size[table.cell_response] == 1) & (table.key_count == 1)
        resolved = np.where(size == 1, alone, resolved)
    else:
        weight = np.where(table.key_size > 1, weight, 0)
    found = table.key_count.astype(np.float64)
    return Shares.by_cell(ratio(resolved.astype(np.float64), found), weight)


def _count(table: Contingency, convention: Lea) -> Floats:
    key, response = _recall(table, convention), _recall(table.swapped, convention)
    return columns(*key, *response)


@lru_cache
def lea(convention: Lea) -> Metric:
    """Return LEA under one of the two conventions."""
    count = partial(_count, convention=convention)
    return Metric(
        name="lea",
        label="LEA",
        asks="share of each entity's links found, weighted by its size",
        reference="Moosavi and Strube (2016)",
        page="lea",
        place=260,
        usual="always",
        count=count,
        parts=(Part(count, count),),
        is_sum_of_blocks=True,
        is_sum_of_cells=True,
        shares=partial(_shares, convention=convention),
        under=lambda scheme: lea(scheme.lea),
    )


METRICS = (lea("self-links"),)

"""MUC (Vilain et al., 1995): links.

An entity of k mentions is held together by k − 1 links. Recall asks how many of them
remain when the response cuts the entity into pieces. With n_ij the mentions that key
entity i shares with response entity j:

    R  =  Σ_ij (n_ij − 1)  ÷  Σ_i (k_i − 1)      over the cells with n_ij > 0

Singletons have no link, so MUC is undefined if there are only singletons. When MUC
compares the entities that two plurals stand for, a singleton counts as one link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.lazy import np
from scoref.metrics.base import Metric, Part, Shares, columns, ratio

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats
    from scoref.model import Ints


def _recall(table: Contingency) -> tuple[Floats, Floats]:
    kept = np.maximum(table.key_count + table.key_plural - 1, 0)
    return table.sum_cells(kept), table.key_total - table.key_entities


def _count(table: Contingency) -> Floats:
    return columns(*_recall(table), *_recall(table.swapped))


def _shares(table: Contingency, _: Ints) -> Shares:
    """Give each mention of a cell (n − 1)/n links, of (k − 1)/k."""
    found = (table.key_count + table.key_plural).astype(np.float64)
    size = table.key_size
    return Shares.by_cell(ratio(np.maximum(found - 1, 0), found), (size - 1) / size)


def _recall_of_elements(table: Contingency) -> tuple[Floats, Floats]:
    """Count an element of one mention as a link to itself."""
    kept, links = _recall(table)
    is_alone = table.key_size == 1
    both = is_alone[table.cell_key] & (table.response_size[table.cell_response] == 1)
    kept += table.sum_cells(both & (table.key_count > 0))
    return kept, links + table.sum_key(is_alone)


def _count_elements(table: Contingency) -> Floats:
    both = _recall_of_elements(table), _recall_of_elements(table.swapped)
    return columns(*both[0], *both[1])


MUC = Metric(
    name="muc",
    label="MUC",
    asks="links that are missing or wrong",
    reference="Vilain et al. (1995)",
    page="muc",
    place=200,
    usual="always",
    count=_count,
    parts=(Part(_count, _count_elements),),
    is_sum_of_blocks=True,
    is_sum_of_cells=True,
    shares=_shares,
)
METRICS = (MUC,)

"""Pairwise recall and precision: pairs of mentions that are in one cluster.

With n the mentions that a key cluster of size a and a response cluster of size b share:

    pairwise             Σ C(n, 2)  of  Σ C(a, 2)  and  Σ C(b, 2): links
    pairwise-membership  Σ n²       of  Σ a²       and  Σ b²: a mention with itself, too
    pairwise-s2and       as pairwise, and a singleton has a link to itself
    links                pairs of records as they were given, before they are joined to
                         clusters; a side that is given as clusters links as in pairwise
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.contingency import pairs
from scoref.contingency.partition import partition
from scoref.lazy import np
from scoref.metrics.base import Metric

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats
    from scoref.model import Ints


def _ratios(table: Contingency, both: Ints, key: Ints, response: Ints) -> Floats:
    common = table.sum_cells(both)
    return np.column_stack(
        (common, table.sum_key(key), common, table.sum_response(response))
    )


def _count_links(table: Contingency) -> Floats:
    table = partition(table)
    return _ratios(
        table, pairs(table.overlap), pairs(table.key_size), pairs(table.response_size)
    )


def _count_membership(table: Contingency) -> Floats:
    table = partition(table)
    return _ratios(
        table,
        np.square(table.overlap, dtype=np.int64),
        np.square(table.key_size, dtype=np.int64),
        np.square(table.response_size, dtype=np.int64),
    )


def _count_s2and(table: Contingency) -> Floats:
    table = partition(table)
    alone = [size == 1 for size in (table.key_size, table.response_size)]
    both = alone[0][table.cell_key] & alone[1][table.cell_response]
    return _ratios(
        table,
        pairs(table.overlap) + both,
        pairs(table.key_size) + alone[0],
        pairs(table.response_size) + alone[1],
    )


def _count_given_links(table: Contingency) -> Floats:
    if table.links is None:
        return _count_links(table)
    both, key, response = table.links.T.astype(np.float64)
    return np.column_stack((both, key, both, response))


METRICS = (
    Metric(
        name="pairwise",
        label="Pairwise, links",
        asks="pairs of mentions in the same entity",
        reference="Menestrina et al. (2010)",
        page="clusterings",
        place=110,
        usual="tables",
        count=_count_links,
        is_sum_of_blocks=True,
        is_sum_of_cells=True,
    ),
    Metric(
        name="pairwise-membership",
        label="Pairwise, with itself",
        asks="pairs, including each mention with itself",
        reference="iesl/paper_coref (2015)",
        page="clusterings",
        place=120,
        usual="tables",
        count=_count_membership,
        is_sum_of_blocks=True,
        is_sum_of_cells=True,
    ),
    Metric(
        name="pairwise-s2and",
        label="Pairwise, S2AND",
        asks="pairs as counted by the S2AND benchmark",
        reference="Subramanian et al. (2021)",
        page="clusterings",
        place=130,
        count=_count_s2and,
        is_sum_of_blocks=True,
        is_sum_of_cells=True,
    ),
    Metric(
        name="links",
        label="Links",
        asks="pairs of records as given, before they are joined to clusters",
        reference="Christen (2012)",
        page="clusterings",
        place=115,
        count=_count_given_links,
        is_sum_of_blocks=True,
        is_sum_of_cells=True,
    ),
)

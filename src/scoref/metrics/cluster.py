"""Whole clusters: those that are equal, and how near the nearest one is.

cluster          clusters that are equal, of all clusters of either side
closest-cluster  Jaccard's index n / (a + b − n) with the cluster most like it, averaged
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.contingency.partition import clusterwise, partition
from scoref.lazy import np
from scoref.metrics.base import Metric

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats


def _clusters(table: Contingency) -> tuple[Floats, Floats]:
    ones = np.ones_like(table.key_size), np.ones_like(table.response_size)
    return table.sum_key(ones[0]), table.sum_response(ones[1])


def _count_equal(table: Contingency) -> Floats:
    table = partition(table)
    n = table.overlap
    is_equal = (n == table.key_size[table.cell_key]) & (
        n == table.response_size[table.cell_response]
    )
    both = table.sum_cells(is_equal)
    key, response = _clusters(table)
    return np.column_stack((both, key, both, response))


def _count_nearest(table: Contingency) -> Floats:
    table = partition(table)
    nearest = clusterwise(table).nearest
    key, response = _clusters(table)
    return np.column_stack((nearest[:, 0], key, nearest[:, 1], response))


METRICS = (
    Metric(
        name="cluster",
        label="Exact cluster",
        asks="entities that are equal",
        reference="Menestrina et al. (2010)",
        page="clusterings",
        place=270,
        usual="tables",
        count=_count_equal,
        is_sum_of_blocks=True,
    ),
    Metric(
        name="closest-cluster",
        label="Closest cluster",
        asks="each entity and the one most like it",
        reference="Benjelloun et al. (2009)",
        page="clusterings",
        place=280,
        usual="tables",
        count=_count_nearest,
        is_sum_of_blocks=True,
    ),
)

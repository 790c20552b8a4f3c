"""Metrics on whole clusters: Talburt–Wang, GMD, purity, and equal or closest clusters.

The first four compare two partitions of one set, so mentions that only one side has are
left out. With z cells, and K_g and K_p clusters of each side that have common mentions:

    talburt-wang    √(K_g K_p) ÷ z
    gmd             2z − K_g − K_p: first split, then merge (Menestrina et al., 2010)
    purity          Σ over response clusters of the largest cell ÷ common mentions
    inverse-purity  the same over key clusters

Without a common mention they are undefined. The other two consider all clusters; n is
the number of mentions that clusters of sizes a and b share:

    cluster          clusters that are equal, of all clusters of either side
    closest-cluster  Jaccard's index n / (a + b − n) with the most similar cluster,
                     averaged
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from scoref.contingency.partition import clusterwise, commons, partition
from scoref.lazy import np
from scoref.metrics.base import Laws, Metric, one_number, ratio

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats


_KEY, _RESPONSE = 0, 1


def _count_cells(table: Contingency) -> Floats:
    table = partition(table)
    key, response = commons(table)
    return np.column_stack(
        (
            table.sum_cells(np.ones_like(table.overlap)),
            table.sum_key(key > 0),
            table.sum_response(response > 0),
        )
    )


def _talburt_wang(counts: Floats, undefined: float = 0.0) -> Floats:
    cells, key, response = np.moveaxis(counts, -1, 0)
    return one_number(ratio(np.sqrt(key * response), cells, undefined))


def _merge_distance(counts: Floats, undefined: float = 0.0) -> Floats:
    cells, key, response = np.moveaxis(counts, -1, 0)
    return one_number(np.where(cells > 0, 2 * cells - key - response, undefined))


def _count_largest(table: Contingency, side: int) -> Floats:
    table = partition(table)
    largest = clusterwise(table).largest[:, side]
    return np.column_stack((largest, table.sum_key(commons(table)[0])))


def _share(counts: Floats, undefined: float = 0.0) -> Floats:
    return one_number(ratio(counts[..., 0], counts[..., 1], undefined))


_PURITY = ("mentions_in_largest_cells", "common_mentions")


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
        name="talburt-wang",
        label="Talburt–Wang",
        asks="numbers of clusters, compared with the number of their overlaps",
        reference="Talburt et al. (2007)",
        page="clusterings",
        place=620,
        usual="tables",
        count=_count_cells,
        score=_talburt_wang,
        columns=("cells", "key_clusters", "response_clusters"),
        denominators=(0,),
        scale="number",
    ),
    Metric(
        name="gmd",
        label="Generalised merge distance",
        asks="splits and merges that turn one side into the other",
        reference="Menestrina et al. (2010)",
        page="clusterings",
        place=621,
        usual="tables",
        count=_count_cells,
        score=_merge_distance,
        columns=("cells", "key_clusters", "response_clusters"),
        denominators=(0,),
        scale="count",
        is_distance=True,
        laws=Laws(highest=math.inf),
    ),
    Metric(
        name="purity",
        label="Purity",
        asks="share of each response cluster in its best key cluster",
        reference="Zhao and Karypis (2001)",
        page="clusterings",
        place=622,
        usual="tables",
        count=partial(_count_largest, side=_RESPONSE),
        score=_share,
        columns=_PURITY,
        denominators=(1,),
        scale="number",
        laws=Laws(mirror="inverse-purity"),
    ),
    Metric(
        name="inverse-purity",
        label="Inverse purity",
        asks="share of each key cluster in its best response cluster",
        reference="Zhao and Karypis (2001)",
        page="clusterings",
        place=623,
        count=partial(_count_largest, side=_KEY),
        score=_share,
        columns=_PURITY,
        denominators=(1,),
        scale="number",
        laws=Laws(mirror="purity"),
    ),
    Metric(
        name="cluster",
        label="Exact cluster",
        asks="entities that are identical in key and response",
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
        asks="similarity of each entity to the most similar one",
        reference="Benjelloun et al. (2009)",
        page="clusterings",
        place=280,
        usual="tables",
        count=_count_nearest,
        is_sum_of_blocks=True,
    ),
)

"""B³ by key cluster, and variants of B³ that treat twinless mentions differently.

A twinless mention is one that only one side has. Plain B³ counts it in the size of its
entity and nowhere else; others treat it in other ways (Cai and Strube, 2010):

    bcub-0     mentions that only the response has are left out
    bcub-all   every twinless mention is right about itself alone
    bcub-rn    the same, without response singletons that the key lacks
    bcub-sys   these are left out, and each side gets as singletons what it lacks

With n the mentions that entities of sizes a and b share, B³ by key cluster gives each
key entity the same weight:

    bcub-entity   R = Σ (n / a)²   P = Σ n² / (a b)   both of the number of key entities
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from scoref.contingency.partition import commons, partition
from scoref.lazy import np
from scoref.metrics.base import Laws, Metric

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats
    from scoref.model import Ints


def _sum_squares(table: Contingency, size: Ints) -> Floats:
    """Sum n² / size over the cells; ``size`` has a row for each cell."""
    return table.sum_cells(np.square(table.overlap, dtype=np.int64) / size)


def _recall(table: Contingency) -> tuple[Floats, Floats]:
    kept = _sum_squares(table, table.key_size[table.cell_key])
    return kept, table.sum_key(table.key_size)


def _count_by_entity(table: Contingency) -> Floats:
    table = partition(table)
    a, b = table.key_size[table.cell_key], table.response_size[table.cell_response]
    entities = table.sum_key(np.ones_like(table.key_size))
    return np.column_stack(
        (
            _sum_squares(table, np.square(a, dtype=np.int64)),
            entities,
            _sum_squares(table, np.multiply(a, b, dtype=np.int64)),
            entities,
        )
    )


def _count_without_spurious(table: Contingency) -> Floats:
    table = partition(table)
    common = commons(table)[1]
    kept = _sum_squares(table, common[table.cell_response])
    return np.column_stack((*_recall(table), kept, table.sum_response(common)))


def _count_with_credit(table: Contingency, *, with_singletons: bool) -> Floats:
    """Credit each twinless mention with itself alone, of its entity."""
    table = partition(table)
    common, response_common = commons(table)
    kept, mentions = _recall(table)
    kept += table.sum_key((table.key_size - common) / table.key_size)
    right, size = (
        _sum_squares(table, table.response_size[table.cell_response]),
        table.response_size,
    )
    counted = size
    if not with_singletons:  # those that the key lacks
        counted = size - ((size == 1) & (response_common == 0))
    alone = counted - response_common
    right += table.sum_response(alone / size)
    return np.column_stack((kept, mentions, right, table.sum_response(counted)))


def _count_sys(table: Contingency) -> Floats:
    table = partition(table)
    counts = _count_with_credit(table, with_singletons=False)
    missing = table.sum_key(table.key_size - commons(table)[0])
    counts[:, 2:] += missing[:, None]
    return counts


def _twinless(
    name: str,
    label: str,
    asks: str,
    reference: str,
    count: Callable[..., Floats],
    laws: Laws,
) -> Metric:
    return Metric(
        name=name,
        label=label,
        asks=asks,
        reference=reference,
        page="variants",
        place=300,
        count=count,
        is_sum_of_blocks=True,
        is_sum_of_cells=True,
        laws=laws,
    )


METRICS = (
    Metric(
        name="bcub-entity",
        label="B³ by key cluster",
        asks="B³ with equal weight for each key entity",
        reference="Binette and Reiter (2023)",
        page="clusterings",
        place=215,
        count=_count_by_entity,
        is_sum_of_blocks=True,
        is_sum_of_cells=True,
        laws=Laws(mirror=None),
    ),
    _twinless(
        "bcub-0",
        "B³_0",
        "B³ without mentions that only the response has",
        "Stoyanov et al. (2009)",
        _count_without_spurious,
        Laws(mirror=None),
    ),
    _twinless(
        "bcub-all",
        "B³_all",
        "B³ that counts mentions on one side only as correct",
        "Stoyanov et al. (2009)",
        partial(_count_with_credit, with_singletons=True),
        Laws(credits_twinless=True),
    ),
    _twinless(
        "bcub-rn",
        "B³_r&n",
        "B³ without singletons that only the response has",
        "Rahman and Ng (2009)",
        partial(_count_with_credit, with_singletons=False),
        Laws(mirror=None, credits_twinless=True),
    ),
    _twinless(
        "bcub-sys",
        "B³_sys",
        "B³ that adds mentions on one side only as singletons to the other",
        "Cai and Strube (2010)",
        _count_sys,
        Laws(mirror=None, credits_twinless=True),
    ),
)

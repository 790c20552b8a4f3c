"""B³ (Bagga and Baldwin, 1998) and extended B³ (Amigó et al., 2009).

Recall asks of every key mention how much of its key entity the response keeps together
with it; precision swaps the two sides. With n_ij the mentions that key entity i shares
with response entity j, and k_i the size of key entity i:

    R  =  Σ_ij n_ij² / k_i  ÷  Σ_i k_i

Mentions that only one side has count in the denominators alone, as in the reference
scorer v8 (Pradhan et al., 2014), and unlike Cai and Strube (2010).

Extended B³ is for mentions that are in several entities on purpose; for its definition
see `scoref.contingency.memberships`. It counts a mention in every entity that lists it,
whatever ``duplicates`` does for the other metrics. If each mention is in one entity, it
equals B³.
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
    found = table.key_count + table.key_plural
    kept = found * (table.key_mates + table.key_plural)
    # Divide once per entity and add in the order of entities, as the CorefUD scorer
    # does, so that sums that end on a half are rounded alike.
    size = table.key_size.astype(np.float64)
    return table.sum_key(ratio(table.of_key(kept), size)), table.key_total


def _count(table: Contingency) -> Floats:
    return columns(*_recall(table), *_recall(table.swapped))


def _shares(table: Contingency, _: Ints) -> Shares:
    """Give each mention of a cell n/k, of 1."""
    mates = table.key_mates + table.key_plural
    return Shares.by_cell(
        mates / table.key_size[table.cell_key], np.ones(len(table.key_size))
    )


B_CUBED = Metric(
    name="bcub",
    label="B³",
    asks="share of each mention's entity that is correct",
    reference="Bagga and Baldwin (1998)",
    page="b-cubed",
    place=210,
    usual="always",
    aliases=("b3", "b³"),
    count=_count,
    parts=(Part(_count, _count),),
    is_sum_of_blocks=True,
    is_sum_of_cells=True,
    shares=_shares,
)

EXTENDED = "bcub-extended"


def _count_memberships(table: Contingency) -> Floats:
    if table.memberships is None:
        return B_CUBED.count(table)
    from scoref.contingency.memberships import count_extended

    return count_extended(table.memberships)


METRICS = (
    B_CUBED,
    Metric(
        name=EXTENDED,
        label="B³ extended",
        asks="B³ for mentions in several entities",
        reference="Amigó et al. (2009)",
        page="b-cubed",
        place=305,
        aliases=("b3-extended",),
        count=_count_memberships,
    ),
)

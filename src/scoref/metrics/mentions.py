"""Mention detection: which mentions were found, whatever entity they are in.

    R  =  mentions in both  ÷  mentions in the key

A mention that is listed twice counts once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.lazy import np
from scoref.metrics.base import Metric

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats


def _count(table: Contingency) -> Floats:
    common = table.common_mentions
    columns = (common, table.key_mentions, common, table.response_mentions)
    return np.column_stack(columns).astype(np.float64)


MENTIONS = Metric(
    name="mentions",
    label="Mentions",
    asks="were the mentions found?",
    reference="Pradhan et al. (2014)",
    page="mentions",
    place=100,
    usual="texts",
    aliases=("mention",),
    count=_count,
    is_sum_of_blocks=True,
    is_sum_of_cells=True,
)
METRICS = (MENTIONS,)

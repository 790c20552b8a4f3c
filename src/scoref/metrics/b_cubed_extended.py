"""Extended B³ (Amigó et al., 2009): mentions that are in several entities on purpose.

What is counted is told in `scoref.contingency.memberships`. It sees mentions wherever
they are listed, whatever ``duplicates`` makes of them for the other metrics. Where each
mention is in one entity, it is B³.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.metrics.b_cubed import B_CUBED
from scoref.metrics.base import Metric

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats

NAME = "bcub-extended"


def _count(table: Contingency) -> Floats:
    if table.memberships is None:
        return B_CUBED.count(table)
    from scoref.contingency.memberships import count_extended  # noqa: PLC0415 - rarely

    return count_extended(table.memberships)


METRICS = (
    Metric(
        name=NAME,
        label="B³ extended",
        asks="how much of each mention's entities is right, if it may be in several?",
        reference="Amigó et al. (2009)",
        page="b-cubed",
        place=305,
        usual="never",
        aliases=("b3-extended",),
        count=_count,
    ),
)

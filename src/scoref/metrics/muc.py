"""MUC (Vilain et al., 1995): links.

An entity of k mentions is held together by k − 1 links. Recall asks how many of
them survive when the response cuts the entity into pieces. With n_ij the
mentions that key entity i shares with response entity j:

    R  =  Σ_ij (n_ij − 1)  ÷  Σ_i (k_i − 1)      over the cells with n_ij > 0

Singletons have no link: among singletons alone MUC is undefined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.metrics.base import Metric

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats


def _recall(table: Contingency) -> tuple[Floats, Floats]:
    kept = table.sum_cells(np.maximum(table.key_count - 1, 0))
    return kept, table.sum_key(table.key_size - 1)


def _count(table: Contingency) -> Floats:
    return np.column_stack((*_recall(table), *_recall(table.swapped)))


MUC = Metric(name="muc", label="MUC", count=_count, reference="Vilain et al. (1995)")

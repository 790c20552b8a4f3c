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


def _count(table: Contingency) -> Floats:
    kept = table.sum_cells(np.maximum(table.count - 1, 0))
    key_links = table.sum_key(table.key_size - 1)
    response_links = table.sum_response(table.response_size - 1)
    return np.column_stack((kept, key_links, kept, response_links))


MUC = Metric(name="muc", label="MUC", count=_count, reference="Vilain et al. (1995)")

"""The metric `half`: entities of which at least half is found in one piece.

Recall is the share of key entities of which one response entity has at least half of
the mentions. Precision is the same with key and response swapped.
"""

import numpy as np
from numpy.typing import NDArray

from scoref.plugins import Contingency, Metric


def _found(table: Contingency) -> NDArray[np.float64]:
    """Count the key entities that are found, by document."""
    is_half = 2 * table.overlap >= table.key_size[table.cell_key]
    is_found = np.zeros(len(table.key_size), dtype=bool)
    is_found[table.cell_key[is_half]] = True
    return table.sum_key(is_found)


def count(table: Contingency) -> NDArray[np.float64]:
    """Return the numerators and denominators of recall and precision by document."""
    swapped = table.swapped
    return np.column_stack(
        (
            _found(table),
            table.sum_key(np.ones(len(table.key_size))),
            _found(swapped),
            swapped.sum_key(np.ones(len(swapped.key_size))),
        )
    )


HALF = Metric(
    name="half",
    label="Half",
    asks="entities of which at least half is in one piece",
    reference="this example",
    count=count,
    is_sum_of_blocks=True,
)

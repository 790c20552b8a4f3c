"""What some tools leave out of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scoref.contingency import Contingency


def without_singletons(table: Contingency, *, of_key: bool) -> Contingency:
    """Leave the response's singletons out of a table, and maybe the key's."""
    key = (table.key_size > 1) | (not of_key)
    response = table.response_size > 1
    cells = key[table.cell_key] & response[table.cell_response]
    return table._replace(
        key_document=table.key_document[key],
        key_size=table.key_size[key],
        response_document=table.response_document[response],
        response_size=table.response_size[response],
        cell_key=(np.cumsum(key) - 1)[table.cell_key[cells]],
        cell_response=(np.cumsum(response) - 1)[table.cell_response[cells]],
        key_count=table.key_count[cells],
        response_count=table.response_count[cells],
        key_mates=table.key_mates[cells],
        response_mates=table.response_mates[cells],
        overlap=table.overlap[cells],
    )

"""The table of those tools that take nothing out, whatever is listed twice.

The evaluators that neural systems carry, and coval, look a mention up in a dictionary,
which has its last entity; sizes count every listing. Where each mention is listed once,
it is the usual table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency import Contingency
from scoref.contingency.aligned import listed
from scoref.matching.duplicates import last_listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching import Matched, Side
    from scoref.model import Ints

    Mask = NDArray[np.bool_]


def tabulate_listings(matched: Matched) -> Contingency:
    """Count what entities share, where the last one to list a mention owns it."""
    key, response = matched.key, matched.response
    width = max(1, len(response.entity_document))
    of_key = _owner(matched, response)[key.mention]
    of_response = _owner(matched, key)[response.mention]
    codes = [
        (key.entity * width + of_key)[of_key >= 0],
        (of_response * width + response.entity)[of_response >= 0],
        listed(key, key.mention, response, width),
    ]
    cells, cell = np.unique(np.concatenate(codes), return_inverse=True)
    bounds = np.cumsum([len(code) for code in codes])[:-1]
    key_count, response_count, overlap = (
        np.bincount(part, minlength=len(cells)) for part in np.split(cell, bounds)
    )
    documents = len(matched.documents)
    common = last_listed(key) & (of_key >= 0)
    return Contingency(
        document_count=documents,
        key_document=key.entity_document,
        key_size=key.size,
        key_mentions=_mentions(key, last_listed(key), documents),
        response_document=response.entity_document,
        response_size=response.size,
        response_mentions=_mentions(response, last_listed(response), documents),
        common_mentions=_mentions(key, common, documents),
        cell_key=cells // width,
        cell_response=cells % width,
        key_count=key_count,
        response_count=response_count,
        key_mates=key_count,
        response_mates=response_count,
        overlap=overlap,
    )


def without_short(matched: Matched) -> Matched:
    """Take out entities that have one listing."""
    key, response = matched.key, matched.response
    return matched._replace(
        key=key.where(key.size[key.entity] > 1),
        response=response.where(response.size[response.entity] > 1),
    )


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


def _owner(matched: Matched, side: Side) -> Ints:
    found = np.full(matched.mention_count, -1, dtype=np.int64)
    found[side.mention] = side.entity
    return found


def _mentions(side: Side, rows: Mask, documents: int) -> Ints:
    return np.bincount(side.document[rows], minlength=documents)

"""The table of two corpora whose mentions are spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency import Contingency
from scoref.contingency.links import listed_once, repeated_links
from scoref.matching.duplicates import last_listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching import Matched, Side
    from scoref.model import Ints


def tabulate_spans(matched: Matched) -> Contingency:
    """Count what the entities of the two sides share.

    A response mention that the key has must be listed once: see `duplicates`.
    """
    key, response = matched.key, matched.response
    once_in_key, once_in_response = last_listed(key), last_listed(response)
    of_key = matched.from_key
    shared = np.flatnonzero(of_key >= 0)
    width = np.int64(max(1, len(response.entity_document)))
    code = key.entity[shared] * width + of_key[shared]
    cells, cell = np.unique(code, return_inverse=True)
    overlap = np.bincount(cell, minlength=len(cells))
    count = mates = overlap
    if not once_in_key.all():
        count = np.bincount(cell[once_in_key[shared]], minlength=len(cells))
        mates = np.bincount(cell[listed_once(key)[shared]], minlength=len(cells))
    documents = len(matched.documents)
    is_partition = once_in_key.all() and once_in_response.all()
    return Contingency(
        document_count=documents,
        key_document=key.entity_document,
        key_size=key.size,
        key_mentions=_mentions(key, once_in_key, documents),
        response_document=response.entity_document,
        response_size=response.size,
        response_mentions=_mentions(response, once_in_response, documents),
        common_mentions=_mentions(key, shared[once_in_key[shared]], documents),
        cell_key=cells // width,
        cell_response=cells % width,
        key_count=count,
        response_count=count,
        key_mates=mates,
        response_mates=mates,
        overlap=overlap,
        repeated_links=None if is_partition else repeated_links(matched),
    )


def _mentions(side: Side, rows: NDArray[np.bool_] | Ints, documents: int) -> Ints:
    return np.bincount(side.document[rows], minlength=documents)

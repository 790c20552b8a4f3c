"""Entities in blocks: those that share mentions, directly or by way of others.

No mention of a block is in another one, on either side, so that the counts of most
metrics are sums over blocks, as they are over documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.model import Ints


_NOBODY = np.zeros(0, dtype=np.int64)


def in_blocks(
    table: Contingency, key: Ints = _NOBODY, response: Ints = _NOBODY
) -> Contingency:
    """Make a document of each block; entities that are named are tied together, too."""
    keys, responses = len(table.key_size), len(table.response_size)
    label = _connected(
        keys + responses,
        np.append(table.cell_key, key),
        np.append(table.cell_response, response) + keys,
    )
    distinct, block = np.unique(label, return_inverse=True)
    count = len(distinct)
    of_key, of_response = block[:keys], block[keys:]

    def summed(rows: Ints, values: Ints) -> Ints:
        return np.bincount(rows, values, count).astype(np.int64)

    return table._replace(
        document_count=count,
        key_document=of_key,
        key_mentions=summed(of_key, table.key_size),
        response_document=of_response,
        response_mentions=summed(of_response, table.response_size),
        common_mentions=summed(of_key[table.cell_key], table.key_count),
    )


def _connected(count: int, one: Ints, other: Ints) -> Ints:
    """Give nodes of a graph the number of the first node that they can reach."""
    label = np.arange(count)
    while True:
        lowest = np.minimum(label[one], label[other])
        before = label.copy()
        np.minimum.at(label, label[one], lowest)
        np.minimum.at(label, label[other], lowest)
        np.minimum.at(label, one, lowest)
        np.minimum.at(label, other, lowest)
        label = label[label]
        if np.array_equal(label, before):
            return label

"""Tables of two partitions, and blocks of entities that share mentions.

Metrics that compare clusterings expect partitions: every mention is in one entity on
each side and matched one to one. If a mention is listed twice, its second listing
counts as a mention that the other side lacks; so does a plural, which stands for other
entities. If the two sides count shared mentions differently, as in the official
alignment of CorefUD, the smaller count is used.

A block is a set of entities that share mentions, directly or through other entities. No
mention of a block is in another one, on either side, so the counts of most metrics are
sums over blocks, as they are over documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.contingency import FATES, Clusterwise
from scoref.lazy import np

if TYPE_CHECKING:
    from scoref.contingency import Contingency, Floats
    from scoref.model import Ints


def partition(table: Contingency) -> Contingency:
    """Return the table of two partitions, with the common mentions of each entity."""
    if table.key_common is not None:
        return table
    n = np.minimum(table.key_count, table.response_count)
    shared = np.flatnonzero(n)
    key, response, n = table.cell_key[shared], table.cell_response[shared], n[shared]
    return table._replace(
        cell_key=key,
        cell_response=response,
        key_count=n,
        response_count=n,
        key_mates=n,
        response_mates=n,
        overlap=n,
        key_plural=0,
        response_plural=0,
        overlap_plural=0,
        plurals=None,
        repeated_links=None,
        key_common=_sum_by(key, n, len(table.key_size)),
        response_common=_sum_by(response, n, len(table.response_size)),
    )


def _sum_by(rows: Ints, values: Ints, count: int) -> Ints:
    return np.bincount(rows, values, count).astype(np.int64)


def commons(table: Contingency) -> tuple[Ints, Ints]:
    """Return the common mentions of each entity of a partition, key and response."""
    assert table.key_common is not None
    assert table.response_common is not None
    return table.key_common, table.response_common


def clusterwise(table: Contingency) -> Clusterwise:
    """Count what needs all cells of an entity of a partition, unless it is counted."""
    if table.clusterwise is not None:
        return table.clusterwise
    n = table.overlap
    a, b = table.key_size[table.cell_key], table.response_size[table.cell_response]
    index = n / (a + b - n)

    def sum_highest(value: Ints | Floats) -> Floats:
        key = highest(value, table.cell_key, len(table.key_size))
        response = highest(value, table.cell_response, len(table.response_size))
        return np.column_stack((table.sum_key(key), table.sum_response(response)))

    fate = fate_of(table)
    fates = [
        table.sum_key((fate == number).astype(np.int64)) for number in range(len(FATES))
    ]
    return Clusterwise(
        nearest=sum_highest(index),
        largest=sum_highest(n).astype(np.int64),
        fates=np.column_stack(fates).astype(np.int64),
    )


def highest(value: Ints | Floats, entity: Ints, count: int) -> Floats:
    """Return the highest value of each entity's cells; 0 if it has no cell."""
    best: Floats = np.zeros(count)
    np.maximum.at(best, entity, value)
    return best


def fate_of(table: Contingency) -> Ints:
    """Return the fate of each key entity of a partition, as its number in `FATES`.

    An entity that is part of a larger one was merged. An entity whose mentions make up
    two or more entities was partitioned. Other entities overlap. An entity without a
    common mention has the number -1.
    """
    count = len(table.key_size)
    is_whole = table.overlap == table.response_size[table.cell_response]
    parts = np.bincount(table.cell_key, minlength=count)
    whole_parts = np.bincount(table.cell_key[is_whole], minlength=count)
    is_found = commons(table)[0] == table.key_size
    return np.select(
        [
            parts == 0,
            is_found & (parts == 1) & (whole_parts == 1),
            is_found & (parts == 1),
            is_found & (whole_parts == parts),
        ],
        [-1, 0, 1, 2],
        default=3,
    )


def fates_of(table: Contingency) -> dict[str, int]:
    """Count the entities of both sides, and the key's entities by their fates."""
    table = partition(table)
    fates = clusterwise(table).fates.sum(axis=0).tolist()
    key = int(table.sum_key(np.ones_like(table.key_size)).sum())
    return {
        "key": key,
        "response": int(table.sum_response(np.ones_like(table.response_size)).sum()),
        **dict(zip(FATES, fates, strict=True)),
        "missing": key - sum(fates),
    }


def in_blocks(
    table: Contingency, key: Ints | None = None, response: Ints | None = None
) -> Contingency:
    """Return the table with a document for each block.

    Pairs of entities in ``key`` and ``response`` belong to one block, too.
    """
    none = np.zeros(0, dtype=np.int64)
    key, response = none if key is None else key, none if response is None else response
    keys, responses = len(table.key_size), len(table.response_size)
    label = _connect(
        keys + responses,
        np.append(table.cell_key, key),
        np.append(table.cell_response, response) + keys,
    )
    distinct, block = np.unique(label, return_inverse=True)
    count = len(distinct)
    of_key, of_response = block[:keys], block[keys:]
    of_cell = of_key[table.cell_key]
    return table._replace(
        document_count=count,
        key_document=of_key,
        key_mentions=_sum_by(of_key, table.key_size, count),
        response_document=of_response,
        response_mentions=_sum_by(of_response, table.response_size, count),
        common_mentions=_sum_by(of_cell, table.key_count, count),
    )


def _connect(count: int, one: Ints, other: Ints) -> Ints:
    """Label each node of a graph with the first node that it can reach."""
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

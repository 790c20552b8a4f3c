"""The table of arrays in memory: NumPy, for what fits there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency import Contingency
from scoref.contingency.histogram import entangled, histogram, kinds_of, with_entities

if TYPE_CHECKING:
    from scoref.model import Ints


class Coded(NamedTuple):
    """Mentions by the numbers of their clusters, -1 where a side lacks them.

    Clusters are numbered through all blocks: ``key_block`` says where each is.
    """

    key: Ints
    response: Ints
    key_block: Ints
    response_block: Ints

    def table(self, blocks: int) -> Contingency:
        """Count what clusters share."""
        both = (self.key >= 0) & (self.response >= 0)
        width = np.int64(max(1, len(self.response_block)))
        code, n = np.unique(
            self.key[both] * width + self.response[both], return_counts=True
        )
        key_size = _sizes(self.key, len(self.key_block))
        response_size = _sizes(self.response, len(self.response_block))
        return Contingency(
            document_count=blocks,
            key_document=self.key_block,
            key_size=key_size,
            key_mentions=_by_block(self.key_block, key_size, blocks),
            response_document=self.response_block,
            response_size=response_size,
            response_mentions=_by_block(self.response_block, response_size, blocks),
            common_mentions=_by_block(self.key_block[code // width], n, blocks),
            cell_key=code // width,
            cell_response=code % width,
            key_count=n,
            response_count=n,
            key_mates=n,
            response_mates=n,
            overlap=n,
        )


def _sizes(cluster: Ints, count: int) -> Ints:
    return np.bincount(cluster[cluster >= 0], minlength=count)


def _by_block(block: Ints, values: Ints, count: int) -> Ints:
    return np.bincount(block, values, count).astype(np.int64)


def tabulate(coded: Coded, blocks: int, *, is_aligned: bool) -> Contingency:
    """Count kinds as the engines do, so that the digits are theirs."""
    table = coded.table(blocks)
    found = histogram(kinds_of(table), blocks)
    return with_entities(found, entangled(table)) if is_aligned else found

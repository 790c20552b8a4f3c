"""The table where nothing is taken out, whatever is listed twice.

coval, and the evaluators that neural systems carry, look a mention up in a dictionary,
which has its last entity; sizes count every listing. Where each mention is listed once,
it is the usual table. BLANC, which coval does not have, sees each mention once, in its
last entity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency import Contingency
from scoref.contingency.alignment import counted_cells, listed
from scoref.contingency.links import repeated_links
from scoref.matching.duplicates import last_listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching import Matched, Side
    from scoref.model import Ints

    Mask = NDArray[np.bool_]


def tabulate_owned(matched: Matched) -> Contingency:
    """Count what entities share, where the last one to list a mention owns it."""
    key, response = matched.key, matched.response
    width = np.int64(max(1, len(response.entity_document)))
    cells = counted_cells(matched, listed(key, key.mention, response, width), width)
    documents = len(matched.documents)
    common = last_listed(key) & (matched.from_key >= 0)
    return Contingency(
        document_count=documents,
        key_document=key.entity_document,
        key_size=key.size,
        key_mentions=_mentions(key, last_listed(key), documents),
        response_document=response.entity_document,
        response_size=response.size,
        response_mentions=_mentions(response, last_listed(response), documents),
        common_mentions=_mentions(key, common, documents),
        **cells._asdict(),
        repeated_links=_links(matched),
    )


def _links(matched: Matched) -> Ints | None:
    once = [last_listed(side) for side in (matched.key, matched.response)]
    if once[0].all() and once[1].all():
        return None
    key, response = matched.key.where(once[0]), matched.response.where(once[1])
    return repeated_links(matched._replace(key=key, response=response))


def _mentions(side: Side, rows: Mask, documents: int) -> Ints:
    return np.bincount(side.document[rows], minlength=documents)

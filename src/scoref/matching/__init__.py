"""Two corpora become one set of mentions: who is the same mention as whom.

After this every mention is an integer, and nobody knows what a span was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Ints


class Side(NamedTuple):
    """Which mention stands in which entity, and which entity in which document.

    One row for each time that a mention is listed, sorted by entity. Every
    entity has at least one row, or stands for others (see `plurals`).
    """

    mention: Ints
    entity: Ints
    line: Ints
    row: Ints  # of the mention in its corpus
    entity_document: Ints
    source: str

    @property
    def size(self) -> Ints:
        """Count the rows of each entity."""
        return np.bincount(self.entity, minlength=len(self.entity_document))

    @property
    def document(self) -> Ints:
        """Give the document of each row."""
        return self.entity_document[self.entity]

    def where(self, kept: NDArray[np.bool_] | Ints) -> Side:
        """Keep some rows, and number the entities that are left anew."""
        used = np.zeros(len(self.entity_document), dtype=np.bool_)
        used[self.entity[kept]] = True
        return self.of_entities(kept, used)

    def of_entities(
        self, kept: NDArray[np.bool_] | Ints, used: NDArray[np.bool_]
    ) -> Side:
        """Keep some rows and some entities, which are numbered anew."""
        number = np.cumsum(used) - 1
        return Side(
            mention=self.mention[kept],
            entity=number[self.entity[kept]],
            line=self.line[kept],
            row=self.row[kept],
            entity_document=self.entity_document[used],
            source=self.source,
        )


class Matched(NamedTuple):
    """Both sides in one numbering: equal integers are the same mention."""

    documents: tuple[str, ...]
    mention_count: int
    key: Side
    response: Side

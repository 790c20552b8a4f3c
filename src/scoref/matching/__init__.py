"""Data types for matched mentions: key and response in one numbering.

Matching turns two corpora into one set of mentions. After it, every mention is an
integer: later steps see neither spans nor words. The modules of this package pair
documents, compare texts and match mentions; `spans.match_mentions` is the entry point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.model.arrays import is_all

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching.word_rules import Targets
    from scoref.matching.words import WordMatches
    from scoref.model import Ints, Note


class Side(NamedTuple):
    """The mentions of one side, with the entity of each, and the entities' documents.

    There is one row for each time that a mention is listed, sorted by entity. Every
    entity has at least one row, unless it stands for other entities (see `plurals`).
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
        """Return the document of each row."""
        return self.entity_document[self.entity]

    def where(self, kept: NDArray[np.bool_] | Ints) -> Side:
        """Keep some rows, and renumber the entities that are left."""
        size = np.bincount(self.entity[kept], minlength=len(self.entity_document))
        if kept.dtype == np.bool_ and is_all(kept) and is_all(size):
            return self
        return self.of_entities(kept, size > 0)

    def of_entities(
        self, kept: NDArray[np.bool_] | Ints, used: NDArray[np.bool_]
    ) -> Side:
        """Keep some rows and some entities, and renumber these entities."""
        number = np.cumsum(used) - 1
        return Side(
            mention=self.mention[kept],
            entity=number[self.entity[kept]],
            line=self.line[kept],
            row=self.row[kept],
            entity_document=self.entity_document[used],
            source=self.source,
        )


class Places(NamedTuple):
    """The documents of each unit, and the document of each mention of a corpus."""

    documents: tuple[str, ...]
    unit: Ints  # by document
    key: Ints
    response: Ints


class Matched(NamedTuple):
    """Both sides in one numbering, the result of `match_mentions`.

    If mentions are spans, equal integers are matched mentions. If they are sets of
    words, ``words`` has the pairs, and ``lead`` the counterpart of each mention on the
    other side. If entities cross documents, ``documents`` are units, such as topics,
    and ``places`` has the documents.
    """

    documents: tuple[str, ...]
    mention_count: int
    key: Side
    response: Side
    notes: tuple[Note, ...] = ()
    lead: Targets | None = None
    words: WordMatches | None = None
    places: Places | None = None  # None: each document is a unit
    listed: tuple[Side, Side] | None = None  # the sides before duplicates were dropped

    @property
    def from_key(self) -> Ints:
        """Return the response entity of each row of the key; -1: none."""
        lead = None if self.lead is None else self.lead.key
        return _owners_of(self.key, lead, self.owner(self.response))

    @property
    def from_response(self) -> Ints:
        """Return the key entity of each row of the response; -1: none."""
        lead = None if self.lead is None else self.lead.response
        return _owners_of(self.response, lead, self.owner(self.key))

    @property
    def partners(self) -> tuple[Ints, Ints]:
        """Return the number of each row's match on the other side; -1: it has none."""
        if self.words is not None:
            return self.words.partners(self.mention_count)
        return (
            np.where(self.from_key >= 0, self.key.mention, -1),
            np.where(self.from_response >= 0, self.response.mention, -1),
        )

    def owner(self, side: Side) -> Ints:
        """Return the last entity that lists each mention; -1 if none does."""
        entity = np.empty(self.mention_count, dtype=np.int64)
        entity.fill(-1)
        entity[side.mention] = side.entity
        return entity


def _owners_of(side: Side, lead: Ints | None, owner: Ints) -> Ints:
    """Return the entity that owns the counterpart of each row; -1: none."""
    entity: Ints = owner[side.mention]
    if lead is not None:
        entity = np.append(owner, -1)[lead[side.mention]]
    return entity

"""Data types for matched mentions: key and response in one numbering.

Matching turns two corpora into one set of mentions. After it, every mention is an
integer: later steps see neither spans nor words. The modules of this package pair
documents, compare texts and match mentions; `spans.match_mentions` is the entry point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching.word_rules import Targets
    from scoref.matching.words import WordMatches
    from scoref.model import Ints, Note


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


class Places(NamedTuple):
    """The documents behind units, and in which of them each mention of a corpus is."""

    documents: tuple[str, ...]
    unit: Ints  # by document
    key: Ints
    response: Ints


class Matched(NamedTuple):
    """Both sides in one numbering, whatever mentions are: made by `match_mentions`.

    Where mentions are spans, equal integers were matched. Where they are sets of words,
    ``words`` says who was, and ``lead`` where each mention leads on the other side.
    Where entities go from one document to another, ``documents`` are units, such as
    topics, and ``places`` has the documents.
    """

    documents: tuple[str, ...]
    mention_count: int
    key: Side
    response: Side
    notes: tuple[Note, ...] = ()
    lead: Targets | None = None
    words: WordMatches | None = None
    places: Places | None = None  # None: each document is a unit
    listed: tuple[Side, Side] | None = None  # with what was listed again and taken out

    @property
    def from_key(self) -> Ints:
        """Give the response entity to which each row of the key leads; -1: none."""
        lead = None if self.lead is None else self.lead.key
        return _followed(self.key, lead, self.owner(self.response))

    @property
    def from_response(self) -> Ints:
        """Give the key entity to which each row of the response leads; -1: none."""
        lead = None if self.lead is None else self.lead.response
        return _followed(self.response, lead, self.owner(self.key))

    @property
    def partners(self) -> tuple[Ints, Ints]:
        """Give what each row's match is called on the other side; -1: it has none."""
        if self.words is not None:
            return self.words.partners(self.mention_count)
        return (
            np.where(self.from_key >= 0, self.key.mention, -1),
            np.where(self.from_response >= 0, self.response.mention, -1),
        )

    def owner(self, side: Side) -> Ints:
        """Give each mention the last entity that lists it; -1 if none does."""
        found = np.full(self.mention_count, -1, dtype=np.int64)
        found[side.mention] = side.entity
        return found


def _followed(side: Side, lead: Ints | None, owner: Ints) -> Ints:
    followed: Ints = owner[side.mention]
    if lead is not None:
        followed = np.append(owner, -1)[lead[side.mention]]
    return followed

"""Mentions as they are scored: what a scheme leaves of them, and who matches whom.

Each mention stands here once. Where a side lists one in two entities, the first keeps
it; where mentions are sets of words, the last, as in the official scorers. The
scheme's matches are taken as they were made, one to one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.matching import Places
from scoref.matching.duplicates import first_listed, last_listed
from scoref.matching.ragged import Ragged
from scoref.model import SENTENCE_BITS, Note

if TYPE_CHECKING:
    from scoref.matching import Matched
    from scoref.matching import Side as Listings
    from scoref.model import Corpus, Ints


class Mentions(NamedTuple):
    """One side, in the order of the text.

    ``words`` are numbered alike on both sides; None where mentions are spans, from
    ``first`` to ``last``. ``head`` is one of them; None where the format has no heads.
    ``partner`` is a place in the other side, or -1.
    """

    row: Ints
    document: Ints
    entity: Ints
    first: Ints
    last: Ints
    words: Ragged | None
    head: Ints | None
    partner: Ints

    @property
    def length(self) -> Ints:
        """Count the words of each mention."""
        return self.last - self.first + 1 if self.words is None else self.words.length

    def take(self, order: Ints) -> Mentions:
        """Keep some mentions, in another order."""
        return Mentions(
            row=self.row[order],
            document=self.document[order],
            entity=self.entity[order],
            first=self.first[order],
            last=self.last[order],
            words=None if self.words is None else self.words.take(order),
            head=None if self.head is None else self.head[order],
            partner=self.partner[order],
        )


class Matching(NamedTuple):
    """Both sides, and the unit of each document: itself, or its topic."""

    documents: tuple[str, ...]
    unit: Ints
    key: Mentions
    response: Mentions
    notes: tuple[Note, ...] = ()


def mentions_of(corpora: tuple[Corpus, Corpus], matched: Matched) -> Matching:
    """List the mentions of two corpora that were matched, each once."""
    words, sides = matched.words, (matched.key, matched.response)
    if words is not None:  # numbered alike on both sides
        corpora = words.key.corpus, words.response.corpus
    listed = first_listed if words is None else last_listed
    kept = [np.flatnonzero(listed(side)) for side in sides]
    documents, unit, *of_rows = matched.places or _own_places(matched)
    has_gaps = any(corpus.pieces is not None for corpus in corpora)
    both = [
        _mentions(*side, has_gaps=has_gaps)
        for side in zip(corpora, sides, kept, matched.partners, of_rows, strict=True)
    ]
    (of_key, key), (of_response, response) = both
    count = matched.mention_count
    key = key._replace(partner=_places(of_response, count)[key.partner])
    response = response._replace(partner=_places(of_key, count)[response.partner])
    notes = _repeated(sides, (key, response), "first" if words is None else "last")
    return Matching(documents, unit, key, response, notes)


def _own_places(matched: Matched) -> Places:
    """Say where mentions are if each document is a unit: where their entities are."""
    sides = matched.key, matched.response
    of_rows = [np.zeros(int(side.row.max(initial=-1)) + 1, np.int64) for side in sides]
    for side, document in zip(sides, of_rows, strict=True):
        document[side.row] = side.document
    unit = np.arange(len(matched.documents))
    return Places(matched.documents, unit, of_rows[0], of_rows[1])


def _mentions(  # noqa: PLR0913 - one side, and what is known of it
    corpus: Corpus,
    side: Listings,
    kept: Ints,
    partner: Ints,
    document: Ints,
    *,
    has_gaps: bool,
) -> tuple[Ints, Mentions]:
    """Sort the mentions of one side by the text; partners go by their numbers.

    ``has_gaps`` lists the tokens of spans, because a side has discontinuous mentions.
    """
    row = side.row[kept]
    found = Mentions(
        row=row,
        document=document[row],
        entity=_first_rows(corpus, side)[row],
        first=corpus.mention_start[row],
        last=corpus.mention_end[row],
        words=None,
        head=None,
        partner=partner[kept],
    )
    if corpus.words is not None:
        words = Ragged(corpus.words.start, corpus.words.member).take(row)
        head = None if corpus.words.by_document else corpus.words.head[row]
        found = _with_words(found, words, head)
    elif has_gaps:
        tokens = Ragged(*corpus.token_sets()).take(row)
        code = found.document[tokens.owner()] << SENTENCE_BITS | tokens.value
        found = _with_words(found, Ragged(tokens.start, code), None)
    order = np.lexsort((found.length, found.last, found.first, found.document))
    return side.mention[kept[order]], found.take(order)


def _first_rows(corpus: Corpus, side: Listings) -> Ints:
    """Call the entity of each mention by its first row in the corpus.

    It has several where it was joined with those of other documents.
    """
    own = corpus.mention_entity
    if corpus.words is not None:
        return own
    first = np.full(len(side.entity_document), len(corpus.entity_label))
    np.minimum.at(first, side.entity, own[side.row])
    found = own.copy()
    found[side.row] = first[side.entity]
    return found


def _with_words(mentions: Mentions, words: Ragged, head: Ints | None) -> Mentions:
    return mentions._replace(
        first=words.value[words.start[:-1]],
        last=words.value[words.start[1:] - 1],
        words=words,
        head=head,
    )


def _places(name: Ints, count: int) -> Ints:
    """Say where each mention stands, by what it is called; -1: nowhere."""
    place = np.full(count + 1, -1, dtype=np.int64)
    place[name] = np.arange(len(name))
    return place


def _repeated(
    listings: tuple[Listings, Listings], sides: tuple[Mentions, Mentions], keeper: str
) -> tuple[Note, ...]:
    """Say how many listings were left aside, because a mention stands here once."""
    notes = []
    for role, listed, mentions in zip(
        ("key", "response"), listings, sides, strict=True
    ):
        if count := len(listed.mention) - len(mentions.row):
            are = "listing" if count == 1 else "listings"
            message = (
                f"{count} {are} of repeated mentions of the {role} left aside: the "
                f"{keeper} entity that lists a mention keeps it here"
            )
            notes.append(Note(f"repeated-in-{role}", count, message))
    return tuple(notes)

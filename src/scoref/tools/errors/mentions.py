"""Mentions as they are scored: their matches and their heads.

Each mention is listed once. If a side lists a mention in two entities, the first entity
keeps it; if mentions are sets of words, the last one does, as in the official scorers.
The scheme's one-to-one matches are used unchanged.

In CorefUD files without heads, the official scorer uses the first word of a mention as
its head. Scores follow it. Errors use the dependency trees instead, because otherwise
"the map" would be a pronoun, and a wrong span for "the map".
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.matching import Places
from scoref.matching.duplicates import first_listed, last_listed
from scoref.matching.ragged import Ragged
from scoref.model import SENTENCE_BITS, Note
from scoref.notes import WARNING

if TYPE_CHECKING:
    from scoref.matching import Matched
    from scoref.matching import Side as Listings
    from scoref.model import Corpus, Ints
    from scoref.scheme import Scheme


class Mentions(NamedTuple):
    """One side, in the order of the text.

    ``words`` have the same numbers on both sides; it is None if mentions are spans,
    from ``first`` to ``last``. ``head`` is one of the words; it is None if the format
    has no heads. ``partner`` is a place in the other side, or -1.
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
    if words is not None:  # with the same numbers for words on both sides
        corpora = words.key.corpus, words.response.corpus
    is_kept = first_listed if words is None else last_listed
    kept = [np.flatnonzero(is_kept(side)) for side in sides]
    documents, unit, *of_rows = matched.places or _own_places(matched)
    has_gaps = any(corpus.pieces is not None for corpus in corpora)
    (of_key, key), (of_response, response) = (
        _side_mentions(*side, has_gaps=has_gaps)
        for side in zip(corpora, sides, kept, matched.partners, of_rows, strict=True)
    )
    count = matched.mention_count
    key = key._replace(partner=_places(of_response, count)[key.partner])
    response = response._replace(partner=_places(of_key, count)[response.partner])
    keeper = "first" if words is None else "last"
    notes = _note_repeated(sides, (key, response), keeper)
    return Matching(documents, unit, key, response, notes)


def _own_places(matched: Matched) -> Places:
    """Return the documents of mentions if each document is its own unit."""
    sides = matched.key, matched.response
    of_rows = [np.zeros(int(side.row.max(initial=-1)) + 1, np.int64) for side in sides]
    for side, document in zip(sides, of_rows, strict=True):
        document[side.row] = side.document
    unit = np.arange(len(matched.documents))
    return Places(matched.documents, unit, of_rows[0], of_rows[1])


def _side_mentions(
    corpus: Corpus,
    side: Listings,
    kept: Ints,
    partner: Ints,
    document: Ints,
    *,
    has_gaps: bool,
) -> tuple[Ints, Mentions]:
    """Sort the mentions of one side by the text, and return their numbers as well.

    Partners are numbers of mentions here. ``has_gaps`` lists the tokens of spans,
    because one of the sides has discontinuous mentions.
    """
    row = side.row[kept]
    mentions = Mentions(
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
        mentions = _with_words(mentions, words, head)
    elif has_gaps:
        tokens = Ragged(*corpus.token_sets()).take(row)
        code = mentions.document[tokens.owner()] << SENTENCE_BITS | tokens.value
        mentions = _with_words(mentions, Ragged(tokens.start, code), None)
    order = np.lexsort(
        (mentions.length, mentions.last, mentions.first, mentions.document)
    )
    return side.mention[kept[order]], mentions.take(order)


def _first_rows(corpus: Corpus, side: Listings) -> Ints:
    """Return the entity of each mention as its first row in the corpus.

    An entity has several rows if it was joined with entities of other documents.
    """
    own = corpus.mention_entity
    if corpus.words is not None:
        return own
    first = np.full(len(side.entity_document), len(corpus.entity_label))
    np.minimum.at(first, side.entity, own[side.row])
    entity = own.copy()
    entity[side.row] = first[side.entity]
    return entity


def _with_words(mentions: Mentions, words: Ragged, head: Ints | None) -> Mentions:
    return mentions._replace(
        first=words.value[words.start[:-1]],
        last=words.value[words.start[1:] - 1],
        words=words,
        head=head,
    )


def _places(number: Ints, count: int) -> Ints:
    """Return the place of each mention by its number; -1 if it is not listed."""
    place = np.full(count + 1, -1, dtype=np.int64)
    place[number] = np.arange(len(number))
    return place


def _note_repeated(
    listings: tuple[Listings, Listings], sides: tuple[Mentions, Mentions], keeper: str
) -> tuple[Note, ...]:
    """Note how many listings were dropped because each mention is listed once."""
    notes = []
    for role, listing, mentions in zip(
        ("key", "response"), listings, sides, strict=True
    ):
        if count := len(listing.mention) - len(mentions.row):
            repeated = "repeated mention" if count == 1 else "repeated mentions"
            were = "was" if count == 1 else "were"
            message = (
                f"{WARNING}{count:,} {repeated} of the {role} {were} ignored. In the "
                f"error analysis, the {keeper} entity that lists a mention keeps it."
            )
            notes.append(Note(f"repeated-in-{role}", count, message))
    return tuple(notes)


def with_heads(
    sides: tuple[Corpus, Corpus], scheme: Scheme
) -> tuple[tuple[Corpus, Corpus], Scheme]:
    """Give mentions their heads, and return the scheme that matches them.

    If only one side has heads, mentions match by their words.
    """
    key, response = map(with_tree_heads, sides)
    if scheme.match == "head" and names_heads(key) != names_heads(response):
        scheme = dataclasses.replace(scheme, match="exact")
    return (key, response), scheme


def names_heads(side: Corpus) -> bool:
    """Return whether heads are known, or all mentions have one word."""
    words = side.words
    return words is None or words.names_heads or not (words.length > 1).any()


def with_tree_heads(side: Corpus) -> Corpus:
    """Take heads from the trees if the file has trees and does not name heads."""
    words = side.words
    if words is None or words.tree_head is None or words.tree_upos is None:
        return side
    # Zeros stay those of the official scorer.
    head = np.where(words.is_zero, words.head, words.tree_head)
    upos = np.where(words.is_zero, words.head_upos, words.tree_upos)
    headed = words._replace(head=head, head_upos=upos, names_heads=True)
    return dataclasses.replace(side, words=headed)

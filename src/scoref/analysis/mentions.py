"""Mentions as they are scored: what a scheme leaves of them, and who matches whom.

Each mention stands here once. Where a side lists one in two entities, the first keeps
it; where mentions are sets of words, the last, as in the official scorers. The
scheme's matches are taken as they were made, one to one.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.spans import match_spans
from scoref.contingency.words import same_text
from scoref.matching.duplicates import first_listed, last_listed
from scoref.matching.ragged import Ragged
from scoref.matching.words import match_words
from scoref.model import Note

if TYPE_CHECKING:
    from scoref.matching import Side as Listings
    from scoref.model import Corpus, Ints
    from scoref.scheme import Scheme


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


class Matching(NamedTuple):
    """Both sides."""

    documents: tuple[str, ...]
    key: Mentions
    response: Mentions
    notes: tuple[Note, ...] = ()


def match_mentions(key: Corpus, response: Corpus, scheme: Scheme) -> Matching:
    """Match two corpora as a scheme does; plurals are left aside."""
    if key.words is None:
        return _of_spans(key, response, scheme)
    return _of_words(key, response, scheme)


def _of_spans(key: Corpus, response: Corpus, scheme: Scheme) -> Matching:
    corpora = key, response
    matched, _ = match_spans(key, response, scheme)
    found = []
    for corpus, side in zip(corpora, (matched.key, matched.response), strict=True):
        kept = np.flatnonzero(first_listed(side))
        row = side.row[kept]
        first, last = corpus.mention_start[row], corpus.mention_end[row]
        order = np.lexsort((last, first, side.document[kept]))
        row, kept = row[order], kept[order]
        mentions = Mentions(
            row=row,
            document=side.document[kept],
            entity=corpus.mention_entity[row],
            first=first[order],
            last=last[order],
            words=None,
            head=None,
            partner=side.mention[kept],
        )
        found.append(mentions)
    sides = _with_partners(found, matched.mention_count)
    notes = _repeated((matched.key, matched.response), sides, "first")
    return Matching(matched.documents, *sides, notes)


def _of_words(key: Corpus, response: Corpus, scheme: Scheme) -> Matching:
    key, response, _ = same_text(key, response, scheme)
    without = dataclasses.replace(scheme, split_antecedents="drop")
    matched = match_words(key, response, without)
    is_headless = matched.key.corpus_words.by_document
    # Both ends of a match get one number, and nobody else does.
    count = matched.mention_count
    common = np.arange(len(matched.pairs.key)) + 2 * count
    found = []
    for number, side in enumerate((matched.key, matched.response)):
        name = np.arange(count) + number * count
        name[side.number[matched.pairs[number]]] = common
        kept = np.flatnonzero(last_listed(side.side))
        row = side.side.row[kept]
        words = Ragged(side.corpus_words.start, side.corpus_words.member).take(row)
        first, last = words.value[words.start[:-1]], words.value[words.start[1:] - 1]
        document = side.side.document[kept]
        order = np.lexsort((words.length, last, first, document))
        mentions = Mentions(
            row=row[order],
            document=document[order],
            entity=side.corpus.mention_entity[row[order]],
            first=first[order],
            last=last[order],
            words=words.take(order),
            head=None if is_headless else side.corpus_words.head[row[order]],
            partner=name[side.side.mention[kept[order]]],
        )
        found.append(mentions)
    sides = _with_partners(found, 2 * count + len(common))
    notes = _repeated((matched.key.side, matched.response.side), sides, "last")
    return Matching(matched.documents, *sides, notes)


def _with_partners(found: list[Mentions], count: int) -> tuple[Mentions, Mentions]:
    """Turn names, equal on both sides for equal mentions, into places."""
    places = []
    for mentions in found:
        place = np.full(count, -1, dtype=np.int64)
        place[mentions.partner] = np.arange(len(mentions.partner))
        places.append(place)
    key, response = found
    return (
        key._replace(partner=places[1][key.partner]),
        response._replace(partner=places[0][response.partner]),
    )


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

"""Mentions behind the table, where somebody asks which mentions a count is made of.

For each listing of a mention: its entity, its document, the cell in which it is
counted, whether it is a mention by itself or a repeated one, and whether it was found.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.aligned import owner, tabulate_aligned, targets
from scoref.contingency.plurals import tabulate_plurals
from scoref.contingency.spans import match_spans, tabulate_as
from scoref.contingency.words import same_text
from scoref.matching.duplicates import last_listed
from scoref.matching.words import match_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.contingency import Contingency
    from scoref.matching import Side
    from scoref.model import Corpus, Ints
    from scoref.scheme import Scheme

    Mask = NDArray[np.bool_]


class Listings(NamedTuple):
    """The listings of one side, in columns; ``cell`` is -1 where there is none."""

    corpus: Corpus
    row: Ints
    entity: Ints
    document: Ints
    cell: Ints
    is_counted: Mask
    is_found: Mask


class Listed(NamedTuple):
    """A table, and both sides behind it.

    ``ranks`` sort the entities of each side by their mentions: equal entities have
    equal ranks, in whatever order a file brings them.
    """

    table: Contingency
    key: Listings
    response: Listings
    ranks: tuple[Ints, Ints]


def list_mentions(key: Corpus, response: Corpus, scheme: Scheme) -> Listed:
    """Match two corpora, and keep their mentions."""
    if key.words is None:
        return _of_spans(key, response, scheme)
    return _of_words(key, response, scheme)


def _of_spans(key: Corpus, response: Corpus, scheme: Scheme) -> Listed:
    matched, _ = match_spans(key, response, scheme)
    table = tabulate_as(matched, scheme.duplicates)
    sides = matched.key, matched.response
    once = [last_listed(side) for side in sides]
    owners = []
    for side in sides:
        entity = np.full(matched.mention_count, -1, dtype=np.int64)
        entity[side.mention] = side.entity
        owners.append(entity)
    found = [owners[1][sides[0].mention], owners[0][sides[1].mention]]
    # coval counts a mention as often as it is listed.
    is_every = scheme.duplicates == "coval"
    counted = [np.where(is_every | once[side], found[side], -1) for side in (0, 1)]
    return _listed(
        table,
        (key, response),
        sides,
        counted,
        once,
        [once[side] & (found[side] >= 0) for side in (0, 1)],
    )


def _of_words(key: Corpus, response: Corpus, scheme: Scheme) -> Listed:
    key, response, _ = same_text(key, response, scheme)
    words = match_words(key, response, scheme)
    lead = targets(words, scheme.alignment or "official")
    sides = words.key.side, words.response.side
    owners = [owner(words, side) for side in sides]
    followed = [
        np.append(owners[1], -1)[lead.key[sides[0].mention]],
        np.append(owners[0], -1)[lead.response[sides[1].mention]],
    ]
    once = [last_listed(side) for side in sides]
    matched = (
        words.key.number[words.pairs.key],
        words.response.number[words.pairs.response],
    )
    found = [
        once[side] & np.isin(sides[side].mention, matched[side]) for side in (0, 1)
    ]
    table = tabulate_aligned(words, lead)._replace(
        plurals=tabulate_plurals(words, lead)
    )
    return _listed(table, (key, response), sides, followed, once, found)


def _listed(  # noqa: PLR0913, PLR0917 - both sides, in columns
    table: Contingency,
    corpora: tuple[Corpus, Corpus],
    sides: tuple[Side, Side],
    other: list[Ints],
    once: list[Mask],
    found: list[Mask],
) -> Listed:
    width = max(1, len(table.response_size))
    codes = table.cell_key * width + table.cell_response
    cells = [
        _cells(codes, sides[0].entity * width + other[0], other[0] >= 0),
        _cells(codes, other[1] * width + sides[1].entity, other[1] >= 0),
    ]
    listings = [
        Listings(
            corpora[side],
            sides[side].row,
            sides[side].entity,
            sides[side].document,
            cells[side],
            once[side],
            found[side],
        )
        for side in (0, 1)
    ]
    return Listed(table, listings[0], listings[1], (_ranks(sides[0]), _ranks(sides[1])))


def _ranks(side: Side) -> Ints:
    """Sort the entities of a side by their mentions."""
    mentions = side.mention[np.lexsort((side.mention, side.entity))].tolist()
    bounds = pairwise([0, *np.cumsum(side.size).tolist()])
    contents = [mentions[first:last] for first, last in bounds]
    rank = np.empty(len(contents), dtype=np.int64)
    rank[sorted(range(len(contents)), key=contents.__getitem__)] = np.arange(len(rank))
    return rank


def _cells(codes: Ints, wanted: Ints, there: Mask) -> Ints:
    cell = np.full(len(wanted), -1, dtype=np.int64)
    cell[there] = np.searchsorted(codes, wanted[there])
    return cell

"""Mentions behind the table, where somebody asks which mentions a count is made of.

For each listing of a mention: its entity, its document, the cell in which it is
counted, whether it is a mention by itself or a repeated one, and whether it was found.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.matching.duplicates import last_listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.contingency import Contingency
    from scoref.matching import Matched, Side
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


def list_mentions(
    corpora: tuple[Corpus, Corpus], matched: Matched, table: Contingency, scheme: Scheme
) -> Listed:
    """Say in which cell of the table each mention is counted."""
    # A span counts once, whoever lists it again; for coval as often as it is listed.
    is_once = matched.words is None and scheme.duplicates != "coval"
    width = np.int64(max(1, len(table.response_size)))
    codes = table.cell_key * width + table.cell_response
    sides = matched.key, matched.response
    other = matched.from_key, matched.from_response
    wanted = sides[0].entity * width + other[0], other[1] * width + sides[1].entity
    listings = []
    for place, partner in enumerate(matched.partners):
        side, once = sides[place], last_listed(sides[place])
        is_there = (other[place] >= 0) & (once | (not is_once))
        cell = np.full(len(side.row), -1, dtype=np.int64)
        cell[is_there] = np.searchsorted(codes, wanted[place][is_there])
        found = once & (partner >= 0)
        listings.append(
            Listings(
                corpora[place], side.row, side.entity, side.document, cell, once, found
            )
        )
    return Listed(table, listings[0], listings[1], (_ranks(sides[0]), _ranks(sides[1])))


def _ranks(side: Side) -> Ints:
    """Sort the entities of a side by their mentions."""
    mentions = side.mention[np.lexsort((side.mention, side.entity))].tolist()
    bounds = pairwise([0, *np.cumsum(side.size).tolist()])
    contents = [mentions[first:last] for first, last in bounds]
    rank = np.empty(len(contents), dtype=np.int64)
    rank[sorted(range(len(contents)), key=contents.__getitem__)] = np.arange(len(rank))
    return rank

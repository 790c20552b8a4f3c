"""The table for mentions that were matched one to one, separately for each side.

A mention in two entities belongs to the later one; overlaps count it in both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from scoref.contingency import Contingency
from scoref.errors import TooLargeError
from scoref.model.arrays import is_new

if TYPE_CHECKING:
    from scoref.matching import Matched
    from scoref.matching.word_rules import Targets
    from scoref.matching.words import WordMatches, WordSide
    from scoref.model import Ints


_MOST_PAIRS, _USUAL = 1 << 16, 8
"""How many pairs of entities may share a mention: so many, or so many a listing."""


class AlignedListings(Protocol):
    """Mentions, and the entities that list them."""

    @property
    def mention(self) -> Ints:
        """By number."""

    @property
    def entity(self) -> Ints:
        """By row."""


def tabulate_aligned(
    matched: Matched, words: WordMatches, lead: Targets
) -> Contingency:
    """Count what entities share, each side by its own way to the other."""
    key, response = matched.key, matched.response
    width = np.int64(max(1, len(response.entity_document)))
    cells = counted_cells(
        matched, listed(key, lead.key[key.mention], response, width), width
    )
    documents = len(matched.documents)
    return Contingency(
        document_count=documents,
        key_document=key.entity_document,
        key_size=_sizes(words.key),
        key_mentions=np.bincount(words.key.document, minlength=documents),
        response_document=response.entity_document,
        response_size=_sizes(words.response),
        response_mentions=np.bincount(words.response.document, minlength=documents),
        common_mentions=np.bincount(
            words.key.document[words.pairs.key], minlength=documents
        ),
        **cells._asdict(),
    )


class CountedCells(NamedTuple):
    """Cells, and how many listings lead to them from either side and from both."""

    cell_key: Ints
    cell_response: Ints
    key_count: Ints
    response_count: Ints
    key_mates: Ints
    response_mates: Ints
    overlap: Ints


def counted_cells(matched: Matched, both: Ints, width: np.int64) -> CountedCells:
    """Count the cells that each side leads to, and those of ``both``."""
    of_key, of_response = matched.from_key, matched.from_response
    codes = [
        (matched.key.entity * width + of_key)[of_key >= 0],
        (of_response * width + matched.response.entity)[of_response >= 0],
        both,
    ]
    cells, cell = np.unique(np.concatenate(codes), return_inverse=True)
    bounds = np.cumsum([len(code) for code in codes])[:-1]
    ours, theirs, overlap = (
        np.bincount(part, minlength=len(cells)) for part in np.split(cell, bounds)
    )
    return CountedCells(
        cells // width, cells % width, ours, theirs, ours, theirs, overlap
    )


def _sizes(side: WordSide) -> Ints:
    """Count the listings of each entity, and the plural that it may have."""
    size = side.side.size
    size[side.plurals.entity] += 1
    return size


def listed(
    key: AlignedListings, target: Ints, response: AlignedListings, width: np.int64
) -> Ints:
    """List the cells of every key listing whose counterpart an entity lists.

    An entity that lists a counterpart twice has it all the same.

    Raises:
        TooLargeError: mentions stand in so many entities of both sides that there is
            no end to the pairs.
    """
    # Not by `np.unique`, which loads numpy.ma.
    code = np.sort(response.mention * width + response.entity)
    code = code[is_new(code)]
    mention, entity = code // width, code % width
    # The last place is nobody's: that is where -1 leads.
    last = max(int(mention.max(initial=-1)), int(target.max(initial=-1))) + 1
    entities = np.bincount(mention, minlength=last + 1)
    first, times = (np.cumsum(entities) - entities)[target], entities[target]
    _refuse_too_many(int(times.sum()), len(target) + len(code))
    end = np.cumsum(times)
    place = np.arange(times.sum()) + np.repeat(first - end + times, times)
    cells: Ints = np.repeat(key.entity, times) * width + entity[place]
    return cells


def _refuse_too_many(pairs: int, listings: int) -> None:
    if pairs > max(_MOST_PAIRS, _USUAL * listings):
        raise TooLargeError(
            f"mentions are listed in so many entities that {pairs:,} pairs of entities "
            "would have to be compared\n"
            "  hint: a mention belongs to one entity; `scoref check` finds those that "
            "repeat"
        )

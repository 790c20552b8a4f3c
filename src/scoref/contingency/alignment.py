"""The table for mentions that were matched one to one, separately for each side.

A mention in two entities belongs to the later one; overlaps count it in both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from scoref.contingency import Contingency
from scoref.errors import TooLargeError
from scoref.model.arrays import is_new, ranges, starts

if TYPE_CHECKING:
    from scoref.matching import Matched
    from scoref.matching.word_rules import Targets
    from scoref.matching.words import WordMatches, WordSide
    from scoref.model import Ints


class AlignedListings(Protocol):
    """Mentions, and the entities that list them."""

    @property
    def mention(self) -> Ints:
        """The number of each listing's mention."""

    @property
    def entity(self) -> Ints:
        """The row of each listing's entity."""


def tabulate_aligned(
    matched: Matched, words: WordMatches, lead: Targets
) -> Contingency:
    """Count what entities share, in each direction by the counterparts of its side."""
    key, response = matched.key, matched.response
    width = np.int64(max(1, len(response.entity_document)))
    both = cell_codes(key, lead.key[key.mention], response, width)
    cells = count_cells(matched, both, width)
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
    """Cells, and the number of listings that lead to them, by direction."""

    cell_key: Ints
    cell_response: Ints
    key_count: Ints
    response_count: Ints
    key_mates: Ints
    response_mates: Ints
    overlap: Ints


def count_cells(matched: Matched, both: Ints, width: np.int64) -> CountedCells:
    """Count the cells to which each side leads, and the cells of ``both``."""
    of_key, of_response = matched.from_key, matched.from_response
    codes = [
        (matched.key.entity * width + of_key)[of_key >= 0],
        (of_response * width + matched.response.entity)[of_response >= 0],
        both,
    ]
    cells, cell = np.unique(np.concatenate(codes), return_inverse=True)
    ends = np.cumsum([len(code) for code in codes])[:-1]
    ours, theirs, overlap = (
        np.bincount(part, minlength=len(cells)) for part in np.split(cell, ends)
    )
    return CountedCells(
        cells // width, cells % width, ours, theirs, ours, theirs, overlap
    )


def _sizes(side: WordSide) -> Ints:
    """Count the listings of each entity, and its plural if it has one."""
    size = side.side.size
    size[side.plurals.entity] += 1
    return size


_MOST_PAIRS, _USUAL = 1 << 16, 8
"""The most pairs of entities that may share a mention: so many, or this per listing."""


def cell_codes(
    key: AlignedListings, target: Ints, response: AlignedListings, width: np.int64
) -> Ints:
    """Return the cells of every key listing with each entity of its counterpart.

    An entity that lists a counterpart twice is one cell.

    Raises:
        TooLargeError: mentions are in so many entities of both sides that there are
            too many pairs.
    """
    # Not by `np.unique`, which loads numpy.ma.
    code = np.sort(response.mention * width + response.entity)
    code = code[is_new(code)]
    mention, entity = code // width, code % width
    # The last place has no entities: it is the target -1.
    last = max(int(mention.max(initial=-1)), int(target.max(initial=-1))) + 1
    entities = np.bincount(mention, minlength=last + 1)
    first, times = starts(entities)[target], entities[target]
    pairs = int(times.sum())
    if pairs > max(_MOST_PAIRS, _USUAL * (len(target) + len(code))):
        raise TooLargeError(
            f"mentions are listed in so many entities that {pairs:,} pairs of entities "
            "would have to be compared\n"
            "  hint: a mention belongs to one entity; `scoref check` finds those that "
            "repeat"
        )
    cells: Ints = np.repeat(key.entity, times) * width + entity[ranges(first, times)]
    return cells

"""The table where mentions were matched one to one, and may still go astray.

The official CorefUD scorer keeps its matches in one dictionary for both
directions: where m was matched with another mention m′, m leads to m′ and m′ to m.
Mentions of both sides that are equal share an entry, so that a mention left
unmatched may be led away by the other side's match, and a match may be overwritten
(``alignment:official``). A true one-to-one alignment has two dictionaries, and no
mention leads anywhere that it was not matched (``alignment:one-to-one``).

A mention in two entities belongs to the later one; overlaps count it in both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from scoref.contingency import Contingency
from scoref.errors import TooLargeError

if TYPE_CHECKING:
    from scoref.matching import Side
    from scoref.matching.words import MatchedWords, WordSide
    from scoref.model import Ints
    from scoref.scheme import Alignment


_MOST_PAIRS, _USUAL = 1 << 16, 8
"""How many pairs of entities may share a mention: so many, or so many a listing."""


class Listings(Protocol):
    """Mentions, and the entities that list them."""

    @property
    def mention(self) -> Ints:
        """By number."""

    @property
    def entity(self) -> Ints:
        """By row."""


class Targets(NamedTuple):
    """Where mentions of one side lead on the other, by number; -1: nowhere."""

    key: Ints
    response: Ints


def targets(matched: MatchedWords, alignment: Alignment) -> Targets:
    """Lead mentions to their counterparts."""
    key = matched.key.number[matched.pairs.key]
    response = matched.response.number[matched.pairs.response]
    if alignment == "one-to-one":
        # What was left out before matching may still be part of a plural.
        to_response = np.arange(matched.mention_count)
        to_response[matched.key.number] = -1
        to_key = np.arange(matched.mention_count)
        to_key[matched.response.number] = -1
        to_response[key], to_key[response] = response, key
        return Targets(to_response, to_key)
    both = np.arange(matched.mention_count)
    moved = key != response
    both[key[moved]] = response[moved]
    both[response[moved]] = key[moved]
    return Targets(both, both)


def tabulate_aligned(matched: MatchedWords, lead: Targets) -> Contingency:
    """Count what entities share, each side by its own way to the other."""
    key, response = matched.key.side, matched.response.side
    width = max(1, len(response.entity_document))
    ours, theirs = owner(matched, key), owner(matched, response)
    to_response, to_key = lead.key[key.mention], lead.response[response.mention]
    of_key = _followed(theirs, to_response)
    of_response = _followed(ours, to_key)
    key_code = key.entity * width + of_key
    response_code = of_response * width + response.entity
    overlap_code = listed(key, to_response, response, width)
    codes = [
        key_code[of_key >= 0],
        response_code[of_response >= 0],
        overlap_code,
    ]
    cells, cell = np.unique(np.concatenate(codes), return_inverse=True)
    bounds = np.cumsum([len(code) for code in codes])[:-1]
    key_count, response_count, overlap = (
        np.bincount(part, minlength=len(cells)) for part in np.split(cell, bounds)
    )
    documents = len(matched.documents)
    return Contingency(
        document_count=documents,
        key_document=key.entity_document,
        key_size=_sizes(matched.key),
        key_mentions=np.bincount(matched.key.document, minlength=documents),
        response_document=response.entity_document,
        response_size=_sizes(matched.response),
        response_mentions=np.bincount(matched.response.document, minlength=documents),
        common_mentions=np.bincount(
            matched.key.document[matched.pairs.key], minlength=documents
        ),
        cell_key=cells // width,
        cell_response=cells % width,
        key_count=key_count,
        response_count=response_count,
        key_mates=key_count,
        response_mates=response_count,
        overlap=overlap,
    )


def owner(matched: MatchedWords, side: Side) -> Ints:
    """Give each mention the last entity that lists it; -1 if none does."""
    found = np.full(matched.mention_count, -1, dtype=np.int64)
    found[side.mention] = side.entity
    return found


def _followed(owner: Ints, target: Ints) -> Ints:
    followed: Ints = np.append(owner, -1)[target]
    return followed


def _sizes(side: WordSide) -> Ints:
    """Count the listings of each entity, and the plural that it may have."""
    size = side.side.size
    size[side.plurals.entity] += 1
    return size


def listed(key: Listings, target: Ints, response: Listings, width: int) -> Ints:
    """List the cells of every key listing whose counterpart an entity lists.

    An entity that lists a counterpart twice has it all the same.

    Raises:
        TooLargeError: mentions stand in so many entities of both sides that there is
            no end to the pairs.
    """
    code = np.unique(response.mention * width + response.entity)
    mention, entity = code // width, code % width
    first = np.searchsorted(mention, target, side="left")
    times = np.searchsorted(mention, target, side="right") - first
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

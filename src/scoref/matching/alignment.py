"""Where a match leads: who is looked up on the other side, and may still go astray.

The official CorefUD scorer keeps its matches in one dictionary for both
directions: where m was matched with another mention m′, m leads to m′ and m′ to m.
Mentions of both sides that are equal share an entry, so that a mention left
unmatched may be led away by the other side's match, and a match may be overwritten
(``alignment:official``). A true one-to-one alignment has two dictionaries, and no
mention leads anywhere that it was not matched (``alignment:one-to-one``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from scoref.matching.words import WordMatches
    from scoref.model import Ints
    from scoref.scheme import Alignment


class Targets(NamedTuple):
    """Where mentions of one side lead on the other, by number; -1: nowhere."""

    key: Ints
    response: Ints


def targets(words: WordMatches, count: int, alignment: Alignment) -> Targets:
    """Lead mentions, ``count`` on both sides together, to their counterparts."""
    key, response = words.numbers
    if alignment == "one-to-one":
        # What was left out before matching may still be part of a plural.
        to_response, to_key = np.arange(count), np.arange(count)
        to_response[words.key.number] = -1
        to_key[words.response.number] = -1
        to_response[key], to_key[response] = response, key
        return Targets(to_response, to_key)
    both = np.arange(count)
    moved = key != response
    both[key[moved]] = response[moved]
    both[response[moved]] = key[moved]
    return Targets(both, both)

"""Partial match as in the CRAFT shared task of 2019.

A response mention matches a key mention if one of its runs of consecutive words lies
inside the first run of the key's. Response mentions choose in the order of the text,
each the first key mention that it matches, and have no second choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.model import WORD_BITS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching.ragged import Ragged
    from scoref.model import Ints

_NEXT = 1 << WORD_BITS


class _Runs(NamedTuple):
    """Runs of consecutive words, and whose they are."""

    owner: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(cls, words: Ragged) -> _Runs:
        value, owner = words.value, words.owner()
        starts = (np.diff(value, prepend=-1) != _NEXT) | (
            np.diff(owner, prepend=-1) > 0
        )
        first = np.flatnonzero(starts)
        last = np.append(first, len(value))[1:] - 1
        return cls(owner[first], value[first], value[last])


def craft_matches(
    key: Ragged,
    response: Ragged,
    common: tuple[Ints, Ints, Ints],
    order: tuple[Ints, Ints],
) -> tuple[Ints, Ints]:
    """Match mentions, given in columns which of them share words at all.

    Args:
        key: words of the key's mentions.
        response: words of the response's.
        common: pairs of rows that have a word in common, and how many.
        order: for each side, the place of each row in the text; -1: not to be matched.
    """
    ours, theirs, _ = common
    kept = (order[0][ours] >= 0) & (order[1][theirs] >= 0)
    ours, theirs = ours[kept], theirs[kept]
    kept = _is_inside(key, response, ours, theirs)
    ours, theirs = ours[kept], theirs[kept]
    turn = np.lexsort((order[0][ours], theirs, order[1][theirs]))
    ours, theirs = ours[turn], theirs[turn]
    is_choice = np.diff(theirs, prepend=-1) != 0
    ours, theirs = ours[is_choice], theirs[is_choice]
    # Who comes first gets it.
    _, first = np.unique(ours, return_index=True)
    return ours[first], theirs[first]


def _is_inside(
    key: Ragged, response: Ragged, ours: Ints, theirs: Ints
) -> NDArray[np.bool_]:
    """Tell whether a run of the response lies inside the key's first one."""
    runs, target = _Runs.of(response), _Runs.of(key)
    first_run = np.searchsorted(target.owner, ours)
    low, high = target.first[first_run], target.last[first_run]
    start = np.searchsorted(runs.owner, theirs)
    count = np.searchsorted(runs.owner, theirs, side="right") - start
    pair = np.repeat(np.arange(len(ours)), count)
    end = np.cumsum(count)
    run = np.arange(count.sum()) + np.repeat(start - end + count, count)
    inside = (runs.first[run] >= low[pair]) & (runs.last[run] <= high[pair])
    found = np.zeros(len(ours), dtype=np.bool_)
    found[pair[inside]] = True
    return found

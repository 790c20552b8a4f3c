"""The first step: mentions that were found, but with other words.

A mention of the key and one of the response that were not matched, and have words in
common, may belong together: a rule says when (see `span_rules`). Pairs are taken one to
one, by how much of both they share (Dice's coefficient), and in the order of the text
where that is equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.matching.ragged import Ragged, Runs, overlapping, shared
from scoref.tools.errors.pairing import one_to_one
from scoref.tools.errors.span_rules import HEAD

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.tools.errors.mentions import Mentions
    from scoref.tools.errors.span_rules import SpanRule


class SpanPairs(NamedTuple):
    """Mentions that should have been matched, and where their words differ.

    ``left`` and ``right`` are words that the response has too many (above 0) or too few
    (below); ``inside`` are words that one of them has and the other has not in between.
    """

    key: Ints
    response: Ints
    left: Ints
    right: Ints
    inside: Ints


def pair_overlapping(key: Mentions, response: Mentions, rule: SpanRule) -> SpanPairs:
    """Pair the mentions that nobody was matched with, where a rule lets them."""
    free = np.flatnonzero(key.partner < 0), np.flatnonzero(response.partner < 0)
    if key.words is None or response.words is None:
        ours, theirs, count = _common_of_spans(key, response, free)
    else:
        sets = key.words.take(free[0]), response.words.take(free[1])
        ours, theirs, count = shared(*sets)
    ours, theirs = free[0][ours], free[1][theirs]
    share = 2 * count / (key.length[ours] + response.length[theirs])
    is_pair = share >= rule.floor
    if rule.name == HEAD:
        is_pair = _share_heads(key, response, ours, theirs)
    some = np.flatnonzero(is_pair)
    order = some[np.lexsort((theirs[some], ours[some], -share[some]))]
    found = order[one_to_one(ours[order], theirs[order])]
    found = found[np.argsort(ours[found])]
    ours, theirs, count = ours[found], theirs[found], count[found]
    left, right = _edges(key, response, ours, theirs)
    differing = key.length[ours] + response.length[theirs] - 2 * count
    inside = differing - np.abs(left) - np.abs(right)
    return SpanPairs(ours, theirs, left, right, inside)


def _common_of_spans(
    key: Mentions, response: Mentions, free: tuple[Ints, Ints]
) -> tuple[Ints, Ints, Ints]:
    """Count the tokens that spans have in common: place, place, number."""
    sides = [
        (side.document[rows], side.first[rows], side.last[rows])
        for side, rows in zip((key, response), free, strict=True)
    ]
    # Offsets may be huge; ranks are not, and one code then holds document and place.
    known = np.unique(np.concatenate([each for side in sides for each in side[1:]]))
    runs = []
    for side in sides:
        first, last = (
            side[0] * len(known) + np.searchsorted(known, place) for place in side[1:]
        )
        runs.append(Runs(np.arange(len(first)), first, last))
    ours, theirs, _ = overlapping(*runs)
    last = np.minimum(sides[0][2][ours], sides[1][2][theirs])
    first = np.maximum(sides[0][1][ours], sides[1][1][theirs])
    return ours, theirs, last - first + 1


def _share_heads(
    key: Mentions, response: Mentions, ours: Ints, theirs: Ints
) -> NDArray[np.bool_]:
    """Tell which pairs have each other's heads."""
    assert key.head is not None  # noqa: S101 - the rule found them
    assert response.head is not None  # noqa: S101
    if key.words is None or response.words is None:
        return _is_inside(key, ours, response.head[theirs]) & _is_inside(
            response, theirs, key.head[ours]
        )
    return _have(key.words, response.head, ours, theirs) & _have(
        response.words, key.head, theirs, ours
    )


def _is_inside(mentions: Mentions, rows: Ints, word: Ints) -> NDArray[np.bool_]:
    return (mentions.first[rows] <= word) & (word <= mentions.last[rows])


def _have(words: Ragged, head: Ints, ours: Ints, theirs: Ints) -> NDArray[np.bool_]:
    """Tell which pairs have the other one's head among their words."""
    width = np.int64(max(1, len(head)))
    row, other, _ = shared(words, Ragged(np.arange(len(head) + 1), head))
    return np.isin(ours * width + theirs, row * width + other)


def _edges(
    key: Mentions, response: Mentions, ours: Ints, theirs: Ints
) -> tuple[Ints, Ints]:
    """Count the words that stick out, on the left and on the right."""
    if key.words is None or response.words is None:
        left = key.first[ours] - response.first[theirs]
        return left, response.last[theirs] - key.last[ours]
    mine, other = key.words.take(ours), response.words.take(theirs)
    ends = key.first[ours], key.last[ours]
    other_ends = response.first[theirs], response.last[theirs]
    more, fewer = _outside(other, *ends), _outside(mine, *other_ends)
    return more[0] - fewer[0], more[1] - fewer[1]


def _outside(words: Ragged, first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """Count words before the first and behind the last of some others."""
    owner, rows = words.owner(), len(first)
    before = words.value < first[owner]
    behind = words.value > last[owner]
    return (
        np.bincount(owner[before], minlength=rows),
        np.bincount(owner[behind], minlength=rows),
    )

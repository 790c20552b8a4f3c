"""Mentions of one entity that cross: they overlap, and neither is inside the other.

Of each mention that crosses earlier ones, the first of these is named. Mentions come in
the order of the text, the longer one first. Those without a gap cross if the other one
ends inside them, but not with them: who that is, is found in a tree of ends, so that a
thousand nested mentions are not compared one by one. Those with gaps are compared as
sets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import TooLargeError
from scoref.matching.ragged import Ragged, Runs, shared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.model import Corpus, Ints

_NOBODY = 1 << 62


def crossing_pairs(corpus: Corpus) -> Iterator[tuple[int, int | None]]:
    """Give mentions and the first that each crosses; None: an entity has too many."""
    entity, start, end = corpus.mention_entity, corpus.mention_start, corpus.mention_end
    order = np.lexsort((-end, start, entity))
    has_gaps = _has_gaps(corpus)
    bounds = np.flatnonzero(np.diff(entity[order], prepend=-1, append=-1))
    for rows in np.split(order, bounds[1:-1]) if len(order) else ():
        if not _overlap(start[rows], end[rows]):
            continue
        if has_gaps[rows].any():
            yield from _of_sets(corpus, rows)
        else:
            for row, other in _of_spans(start[rows], end[rows]):
                yield int(rows[row]), int(rows[other])


def _overlap(start: Ints, end: Ints) -> bool:
    """Tell whether any two overlap; they are in the order of the text."""
    return bool((np.maximum.accumulate(end)[:-1] >= start[1:]).any())


def _has_gaps(corpus: Corpus) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    words = corpus.words
    if words is None:
        return np.zeros(len(corpus.mention_entity), dtype=np.bool_)
    runs = Runs.of(Ragged(words.start, words.member))
    return np.bincount(runs.owner, minlength=len(words.head)) > 1


def _of_spans(start: Ints, end: Ints) -> Iterator[tuple[int, int]]:
    """Find who ends inside a span that started before it, and does not end with it."""
    ends, rank = np.unique(end, return_inverse=True)
    # Ends from the start of a span to the one before its own.
    low = np.searchsorted(ends, start).tolist()
    before = np.searchsorted(start, start).tolist()
    earliest, added = _Earliest(len(ends)), 0
    ranks = rank.tolist()
    for row, high in enumerate(ranks):
        while added < before[row]:
            earliest.add(ranks[added], added)
            added += 1
        other = earliest.between(low[row], high)
        if other is not None:
            yield row, other


def _of_sets(corpus: Corpus, rows: Ints) -> Iterator[tuple[int, int | None]]:
    words = corpus.words
    assert words is not None  # noqa: S101 - spans have no gaps
    sets = Ragged(words.start, words.member).take(rows)
    try:
        one, other, common = shared(sets, sets)
    except TooLargeError:
        yield int(rows[0]), None
        return
    crosses = (other < one) & (
        common < np.minimum(sets.length[one], sets.length[other])
    )
    found, first = np.unique(one[crosses], return_index=True)
    for row, earlier in zip(
        found.tolist(), other[crosses][first].tolist(), strict=True
    ):
        yield int(rows[row]), int(rows[earlier])


class _Earliest:
    """A tree over ends: the first mention that has one of some ends."""

    def __init__(self, ends: int) -> None:
        self._size = 1 << max(0, ends - 1).bit_length()
        self._first = [_NOBODY] * (2 * self._size)

    def add(self, end: int, mention: int) -> None:
        """Add a mention; mentions are added in their order."""
        place = end + self._size
        while place and self._first[place] == _NOBODY:
            self._first[place] = mention
            place //= 2

    def between(self, low: int, high: int) -> int | None:
        """Find the first mention with an end from ``low`` to the one below ``high``."""
        found = _NOBODY
        low, high = low + self._size, high + self._size
        while low < high:
            if low % 2:
                found = min(found, self._first[low])
                low += 1
            if high % 2:
                high -= 1
                found = min(found, self._first[high])
            low, high = low // 2, high // 2
        return None if found == _NOBODY else found

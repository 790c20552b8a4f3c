"""Zeros match by what they depend on, not by where an editor put them.

With D the dependencies of an empty node, as pairs of parent and relation, and P
its parents alone, two zeros of the same sentence score

    10 · F(D, D′) + F(P, P′)

where F is the F1 of two sets. A zero without dependencies scores nothing.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from scoref.model import SENTENCE_BITS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from scoref.model import Ints

    Dependencies = Mapping[int, frozenset[tuple[str, str]]]
    Heads = tuple[Ints, NDArray[np.bool_], Dependencies]

_WITH_RELATION = 10


def dependency_scores(
    key: Heads, response: Heads
) -> tuple[Ints, Ints, NDArray[np.float64]]:
    """Score the zeros of one sentence with each other; leave out what scores 0."""
    theirs = defaultdict(list)
    for row, head in _zeros(response):
        theirs[head >> SENTENCE_BITS].append((row, response[2][head]))
    found = [
        (row, other, score)
        for row, head in _zeros(key)
        for other, dependencies in theirs[head >> SENTENCE_BITS]
        if (score := similarity(key[2][head], dependencies)) > 0
    ]
    rows = np.array([each[:2] for each in found], dtype=np.int64).reshape(-1, 2)
    return rows[:, 0], rows[:, 1], np.array([each[2] for each in found], dtype=float)


def similarity(
    one: frozenset[tuple[str, str]], other: frozenset[tuple[str, str]]
) -> float:
    """Compare two zeros.

    >>> subject = frozenset({("4", "nsubj")})
    >>> similarity(subject, subject), similarity(subject, frozenset({("4", "obj")}))
    (11.0, 1.0)
    """
    parents = {parent for parent, _ in one}, {parent for parent, _ in other}
    return _WITH_RELATION * _f1(one, other) + _f1(*parents)


def _zeros(heads: Heads) -> list[tuple[int, int]]:
    rows = np.flatnonzero(heads[1])
    return list(zip(rows.tolist(), heads[0][rows].tolist(), strict=True))


def _f1(one: AbstractSet[object], other: AbstractSet[object]) -> float:
    common = len(one & other)
    if not common:
        return 0.0
    recall, precision = common / len(one), common / len(other)
    return 2 * precision * recall / (precision + recall)

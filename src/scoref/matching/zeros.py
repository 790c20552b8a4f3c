"""Zeros match by what they depend on, not by where an editor put them.

With D the dependencies of an empty node, as pairs of parent and relation, and P
its parents alone, two zeros of the same sentence score

    10 · F(D, D′) + F(P, P′)

where F is the F1 of two sets. A zero without dependencies scores nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import TooLargeError
from scoref.matching.ragged import Ragged, shared
from scoref.model import SENTENCE_BITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from scoref.model import Ints

    Dependencies = Mapping[int, frozenset[tuple[str, str]]]
    Heads = tuple[Ints, NDArray[np.bool_], Dependencies]
    Floats = NDArray[np.float64]
    Known = dict[tuple[int, object], int]

_WITH_RELATION = 10


class _Zeros(NamedTuple):
    """The zeros of one side: their rows, dependencies and parents, as numbers."""

    row: Ints
    dependencies: Ragged
    parents: Ragged

    @classmethod
    def of(cls, heads: Heads, known: Known) -> _Zeros:
        """Number what zeros depend on, each sentence apart, alike on both sides."""
        rows = np.flatnonzero(heads[1])
        found = [
            (head >> SENTENCE_BITS, heads[2][head]) for head in heads[0][rows].tolist()
        ]
        return cls(
            rows,
            _numbered(found, known),
            _numbered(
                ((at, {parent for parent, _ in each}) for at, each in found), known
            ),
        )


def dependency_scores(key: Heads, response: Heads) -> tuple[Ints, Ints, Floats]:
    """Score the zeros of one sentence with each other; leave out what scores 0.

    >>> subject, object_ = (frozenset({("4", name)}) for name in ("nsubj", "obj"))
    >>> rows = np.arange(2), np.ones(2, dtype=np.bool_)
    >>> sides = (*rows, {0: subject, 1: object_}), (*rows, {0: subject, 1: subject})
    >>> [column.tolist() for column in dependency_scores(*sides)]
    [[0, 0, 1, 1], [0, 1, 0, 1], [11.0, 11.0, 1.0, 1.0]]
    """
    known: Known = {}
    ours, theirs = _Zeros.of(key, known), _Zeros.of(response, known)
    width = np.int64(max(1, len(theirs.row)))
    # Who has a dependency in common has its parent in common.
    try:
        pairs, score = _f1(ours.parents, theirs.parents, width)
    except TooLargeError as error:
        raise TooLargeError(
            f"{len(ours.row):,} zeros of the key and {len(theirs.row):,} of the "
            "response have a parent in common in so many ways that they cannot be "
            "compared\n  hint: a word has a few zeros; zeros=linear (--zeros linear) "
            "matches them by their places"
        ) from error
    some, more = _f1(ours.dependencies, theirs.dependencies, width)
    both = np.zeros(len(pairs))
    both[np.searchsorted(pairs, some)] = _WITH_RELATION * more
    return ours.row[pairs // width], theirs.row[pairs % width], both + score


def _numbered(found: Iterable[tuple[int, Iterable[object]]], known: Known) -> Ragged:
    numbers = [
        [known.setdefault((sentence, each), len(known)) for each in every]
        for sentence, every in found
    ]
    start = np.cumsum([0, *map(len, numbers)])
    return Ragged(start, np.array([one for row in numbers for one in row], np.int64))


def _f1(one: Ragged, other: Ragged, width: np.int64) -> tuple[Ints, Floats]:
    """Compare sets that have something in common: their code, and F1."""
    ours, theirs, common = shared(one, other)
    recall, precision = common / one.length[ours], common / other.length[theirs]
    return ours * width + theirs, 2 * precision * recall / (precision + recall)

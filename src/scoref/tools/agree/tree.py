"""Annotators as a tree: those who agree best are joined first.

Two groups are as far apart as their members are on average (UPGMA), by 1 less F1. Who
has no document in common with a group is joined last.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FARTHEST = 1.0


class Branch(NamedTuple):
    """One annotator, or two branches that meet at a height."""

    members: tuple[str, ...]
    height: float = 0.0
    parts: tuple[Branch, ...] = ()


def tree_of(names: Sequence[str], f1: Mapping[tuple[str, str], float]) -> Branch:
    """Join annotators; ``f1`` is that of two whose names are in order."""
    branches = [Branch((name,)) for name in names]
    while len(branches) > 1:
        pairs = combinations(range(len(branches)), 2)
        height, first, second = min(
            (_apart(branches[one], branches[other], f1), one, other)
            for one, other in pairs
        )
        parts = branches[first], branches[second]
        # A branch is never below what it is made of.
        height = max(height, *(each.height for each in parts))
        joined = Branch(parts[0].members + parts[1].members, height, parts)
        branches[first] = joined
        del branches[second]
    return branches[0]


def _apart(one: Branch, other: Branch, f1: Mapping[tuple[str, str], float]) -> float:
    known = [
        1 - f1[low, high]
        for mine in one.members
        for theirs in other.members
        for low, high in [sorted((mine, theirs))]
        if (low, high) in f1
    ]
    return sum(known) / len(known) if known else FARTHEST

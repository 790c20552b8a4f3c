"""The order of brackets in cells, and whether a bare one closes the right markable."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple


class Part(NamedTuple):
    """Words of a mention that stand side by side: the first and the last node."""

    mention: int
    first: int
    last: int


class Bracket(NamedTuple):
    """What opens a part, closes it, or both."""

    node: int
    mention: int
    opens: bool
    closes: bool


def in_order(parts: list[Part]) -> tuple[list[Bracket], bool]:
    """Put brackets in order, and say whether any two parts cross.

    On a node, closing brackets come first, innermost first, then opening ones, the
    longest first, and those of the same length as they are given.
    """
    starting, ending = defaultdict(list), defaultdict(list)
    for part in parts:
        starting[part.first].append(part)
        if part.last > part.first:
            ending[part.last].append(part)
    brackets: list[Bracket] = []
    is_open: list[Part] = []
    crosses = False
    for node in sorted(starting.keys() | ending.keys()):
        closed = sorted(ending.get(node, ()), key=is_open.index, reverse=True)
        crosses |= is_open[len(is_open) - len(closed) :] != closed[::-1]
        for part in closed:
            is_open.remove(part)
            brackets.append(Bracket(node, part.mention, opens=False, closes=True))
        for part in sorted(starting.get(node, ()), key=_longest_first):
            is_single = part.first == part.last
            brackets.append(Bracket(node, part.mention, True, is_single))  # noqa: FBT003
            if not is_single:
                is_open.append(part)
    return brackets, crosses


def _longest_first(part: Part) -> int:
    return -part.last

"""Mentions in a sentence: which lie in which, and how far from the words each is drawn.

The page does the same by its script, for what is on the screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Mark(NamedTuple):
    """A stretch of a mention; where a mention has a hole, the hole is one as well.

    ``reach`` is how far the whole mention goes, ``opens`` and ``closes`` tell whether
    it begins and ends here.
    """

    side: int  # 0 is the key
    mention: int
    start: int
    end: int
    is_gap: bool
    reach: int
    opens: bool
    closes: bool


class Box(NamedTuple):
    """A mark, or a part of one that another mark cuts in two, and what lies in it."""

    mark: Mark
    inner: list[Box]


def marks_of(side: int, mention: int, pieces: Sequence[int]) -> list[Mark]:
    """Cut a mention's pieces and the holes between them into marks."""
    reach = pieces[-1] - pieces[0]
    marks: list[Mark] = []
    for place in range(0, len(pieces), 2):
        start, end = pieces[place], pieces[place + 1]
        before = pieces[place - 1] if place else start
        if start > before + 1:
            gap = Mark(side, mention, before + 1, start - 1, True, reach, False, False)  # noqa: FBT003 - in order
            marks.append(gap)
        closes = place == len(pieces) - 2
        marks.append(Mark(side, mention, start, end, False, reach, not place, closes))  # noqa: FBT003 - in order
    return marks


def clipped(mark: Mark, start: int, end: int) -> Mark | None:
    """Keep what lies within some tokens."""
    if mark.end < start or mark.start > end:
        return None
    return mark._replace(
        start=max(mark.start, start),
        end=min(mark.end, end),
        opens=mark.opens and mark.start >= start,
        closes=mark.closes and mark.end <= end,
    )


def nested(marks: Iterable[Mark]) -> list[Box]:
    """Put marks into each other; where two cross, the later one is cut in two."""
    waiting = sorted(marks, key=_outer_first)
    boxes = []
    while waiting:
        outer, *rest = waiting
        waiting, inner = [], []
        for mark in rest:
            if mark.start > outer.end:
                waiting.append(mark)
            elif mark.end <= outer.end:
                inner.append(mark)
            else:
                inner.append(mark._replace(end=outer.end, closes=False))
                waiting.append(mark._replace(start=outer.end + 1, opens=False))
        waiting.sort(key=_outer_first)
        boxes.append(Box(outer, nested(inner)))
    return boxes


def lanes(marks: Iterable[Mark], side: int) -> dict[int, int]:
    """Give every mention of a side a lane; inner ones are nearer to the words."""
    hulls: dict[int, tuple[int, int]] = {}
    for mark in marks:
        if mark.side == side:
            start, end = hulls.get(mark.mention, (mark.start, mark.end))
            hulls[mark.mention] = min(start, mark.start), max(end, mark.end)
    found: dict[int, int] = {}
    order = sorted(
        hulls.items(), key=lambda each: (each[1][1] - each[1][0], each[1][0], -each[0])
    )
    for mention, (start, end) in order:
        below = (
            lane
            for other, lane in found.items()
            if hulls[other][0] <= end and start <= hulls[other][1]
        )
        found[mention] = max(below, default=-1) + 1
    return found


def _outer_first(mark: Mark) -> tuple[int, ...]:
    return mark.start, -mark.end, mark.side, -mark.reach, mark.mention

"""Six colours for many entities: who must not look alike, and who had better not.

Entities are the nodes of a graph. An edge *parts* two of them that a reader sees on the
same mention, the key's above its words and the response's below: these must not have
the same colour. Others are *near* each other in the text, which counts as often as it
happens. The next to choose is always the one to which the fewest colours are left
(Brélaz, 1979), the largest of these; it takes the colour that parts best, then the one
that is least near, then the least used.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HUES, LINES = 6, 4


class Colouring:
    """Entities by their numbers, and what is between them."""

    def __init__(self) -> None:
        self._parted: dict[int, set[int]] = defaultdict(set)
        self._near: dict[int, Counter[int]] = defaultdict(Counter)

    def part(self, one: int, other: int) -> None:
        """Say that two entities are seen on the same mention."""
        if one != other:
            self._parted[one].add(other)
            self._parted[other].add(one)

    def follow(self, entities: Sequence[int], reach: int) -> None:
        """Say in which order a text brings entities, and how far neighbours are."""
        for distance in range(1, reach + 1):
            for one, other in zip(entities, entities[distance:], strict=False):
                if one != other:
                    self._near[one][other] += 1
                    self._near[other][one] += 1

    def looks(self, sizes: Sequence[int], coloured: Iterable[int]) -> dict[int, int]:
        """Choose a look for each of the entities that are to be coloured.

        A look is a colour plus six times a line.
        """
        look: dict[int, int] = {}
        used = [0] * HUES
        left = {*coloured}
        seen: dict[int, set[int]] = defaultdict(set)  # colours of who is parted
        queue = [(0, -sizes[entity], entity) for entity in left]
        heapify(queue)
        while queue:
            count, _, entity = heappop(queue)
            if entity in look or -count != len(seen[entity]):
                continue  # it has chosen, or stands further in front by now
            hue = self._hue(entity, look, used)
            look[entity] = hue + HUES * self._line(entity, hue, look, used)
            used[hue] += 1
            for other in self._parted[entity]:
                if other in left and other not in look and hue not in seen[other]:
                    seen[other].add(hue)
                    heappush(queue, (-len(seen[other]), -sizes[other], other))
        return look

    def _hue(self, entity: int, look: dict[int, int], used: Sequence[int]) -> int:
        parted, near = [0] * HUES, [0] * HUES
        for other in self._parted[entity]:
            if other in look:
                parted[look[other] % HUES] += 1
        for other, times in self._near[entity].items():
            if other in look:
                near[look[other] % HUES] += times
        return min(
            range(HUES), key=lambda hue: (parted[hue], near[hue], used[hue], hue)
        )

    def _line(
        self, entity: int, hue: int, look: dict[int, int], used: Sequence[int]
    ) -> int:
        """Take the next line, unless somebody of whom it must be parted has that."""
        taken = {look[other] for other in self._parted[entity] if other in look}
        lines = [(used[hue] + step) % LINES for step in range(LINES)]
        free = (each for each in lines if hue + HUES * each not in taken)
        return next(free, lines[0])

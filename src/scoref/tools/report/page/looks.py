"""How entities look: a label, one of six colours, one of four lines; signs of errors.

If an entity of the response and one of the key are each other's best match, they share
label and look. The key's labels are its own; all other entities have letters. A mention
that is alone in its entity on both sides is grey.

Colours show differences: if a key mention and the mention aligned with it are in
entities that look different, their colours differ, as those of neighbours do. To choose
colours, entities are the nodes of a graph. An edge *parts* two entities that a reader
sees on the same mention, the key's above its words and the response's below: these must
not have the same colour. Others are *near* each other in the text, weighted by how
often. The next entity is always one with the fewest colours left (Brélaz, 1979), and
the largest of these. It gets the colour that parts best, then the least near one, then
the least used one.

Kinds of errors have signs, so that they do not depend on colour alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from heapq import heapify, heappop, heappush
from itertools import count, product
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

from scoref.tools.errors.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from scoref.tools.report.page.contract import PageSide, PageText, Response


ALONE = -1

OWN = -1

_PAIR = 2

_NEAR = 4  # mentions before and behind that are neighbours


class Looks(NamedTuple):
    """The looks of one side, by entity; a look is a colour plus six times a line.

    ``main`` is the key's entity that one stands for, or `OWN`.
    """

    label: list[str]
    look: list[int]
    main: list[int]


def looks_of(text: PageText) -> tuple[Looks, list[Looks]]:
    """Choose the looks of the key's entities, and of each system's."""
    mains = [_mains(text.key, system) for system in text.systems]
    ours = range(len(text.key.entities))
    free = count(len(ours))
    nodes = [[next(free) if each == OWN else each for each in main] for main in mains]
    look = _chosen(text, nodes)
    labels = _labels(text.key)
    key = Looks(labels, [look.get(each, ALONE) for each in ours], [*ours])
    triples = zip(text.systems, mains, nodes, strict=True)
    return key, [
        Looks(
            _with_letters(system, main, labels),
            [look.get(each, ALONE) for each in own],
            main,
        )
        for system, main, own in triples
    ]


def _chosen(text: PageText, nodes: Sequence[Sequence[int]]) -> dict[int, int]:
    """Colour the key's entities and those of all systems, each once."""
    systems = [*zip(text.systems, nodes, strict=True)]
    keys = range(len(text.key.entities))
    sides = [(text.key, keys), *systems]
    sizes: Counter[int] = Counter()
    found = Colouring()
    for side, own in sides:
        for node, size in zip(own, _sizes(side), strict=True):
            # A singleton of which a system made more is not alone; beyond that, the
            # key's own sizes count, so that no system moves its colours.
            is_key = side is not text.key and node in keys
            sizes[node] = max(sizes[node], min(size, _PAIR) if is_key else size)
        places = sorted(side.mentions, key=lambda each: each[1:])
        found.follow([own[mention[0]] for mention in places], _NEAR)
    for system, own in systems:
        for mention, partner in zip(system.mentions, system.partner, strict=True):
            if partner >= 0:
                found.part(own[mention[0]], text.key.mentions[partner][0])
    coloured = [each for each, size in sizes.items() if size >= _PAIR]
    return found.looks([sizes[each] for each in range(len(sizes))], coloured)


def _labels(key: PageSide) -> list[str]:
    """Take the labels of the file; who has none is called by its place in the text."""
    labels = [*key.entities]
    order = _by_place(key.mentions, len(labels))
    for number, entity in enumerate(order, start=1):
        labels[entity] = labels[entity] or str(number)
    return labels


def _with_letters(
    system: Response, main: Sequence[int], labels: Sequence[str]
) -> list[str]:
    """Take over labels of the key, and call the rest by letters that it has not."""
    free = _letters({*labels})
    found = ["" if each == OWN else labels[each] for each in main]
    for entity in _by_place(system.mentions, len(main)):
        found[entity] = found[entity] if main[entity] != OWN else next(free)
    return found


def _sizes(side: PageSide) -> list[int]:
    size = Counter(mention[0] for mention in side.mentions)
    return [size[entity] for entity in range(len(side.entities))]


def _by_place(mentions: Sequence[Sequence[int]], count: int) -> list[int]:
    """List entities in the order in which the text brings them."""
    first = dict.fromkeys(
        mention[0] for mention in sorted(mentions, key=lambda each: (each[1], -each[2]))
    )
    return list(first | dict.fromkeys(range(count)))


def _mains(key: PageSide, system: Response) -> list[int]:
    """Find the key entity that an entity stands for, if each is the other's best."""
    shared: dict[int, Counter[int]] = defaultdict(Counter)
    for mention, partner in zip(system.mentions, system.partner, strict=True):
        if partner >= 0:
            shared[key.mentions[partner][0]][mention[0]] += 1
    best = {}
    for entity, counts in shared.items():
        most = max(counts.values())
        equal = [each for each, count in counts.items() if count == most]
        mutual = [each for each in equal if system.entity_partner[each] == entity]
        best[entity] = (mutual or equal)[0]
    return [
        partner if partner >= 0 and best.get(partner) == entity else OWN
        for entity, partner in enumerate(system.entity_partner)
    ]


def _letters(taken: Collection[str]) -> Iterator[str]:
    """Count in letters, and pass over what is taken.

    >>> found = _letters({"b"})
    >>> [next(found) for _ in range(3)], [next(found) for _ in range(24)][-2:]
    (['a', 'c', 'd'], ['aa', 'ab'])
    """
    for length in count(1):
        for letters in product(ascii_lowercase, repeat=length):
            if (label := "".join(letters)) not in taken:
                yield label


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


_SIGNS = {kind.name: kind.sign for kind in KINDS}

_LABELS = {kind.sign: kind.label for kind in KINDS}


def sign_of(kind: str) -> str:
    """Give the sign of a kind of error.

    >>> sign_of("span"), sign_of("another")
    ('↔', '!')
    """
    return _SIGNS.get(kind, "!")


def label_of(sign: str) -> str:
    """Say what a sign means; what is none is its own name.

    >>> label_of("−−"), label_of("!")
    ('missing entity', '!')
    """
    return _LABELS.get(sign, sign)

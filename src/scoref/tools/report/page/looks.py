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
"""The look of an entity with a single mention."""

OWN = -1
"""Instead of a key entity: an entity of the response has its own label and look."""

_PAIR = 2

_NEAR = 4  # mentions before and after that are neighbours


class Looks(NamedTuple):
    """The looks of one side, by entity; a look is a colour plus six times a line.

    ``main`` is the key entity whose label and look an entity has, or `OWN`.
    """

    label: list[str]
    look: list[int]
    main: list[int]


def looks_of(text: PageText) -> tuple[Looks, list[Looks]]:
    """Choose the looks of the key's entities, and of each system's."""
    mains = [_best_matches(text.key, system) for system in text.systems]
    ours = range(len(text.key.entities))
    free = count(len(ours))
    nodes = [
        [next(free) if entity == OWN else entity for entity in main] for main in mains
    ]
    look = _choose_looks(text, nodes)
    # An entity of the key without a label is called by its place in the text.
    labels = [*text.key.entities]
    for number, entity in enumerate(_in_text_order(text.key), start=1):
        labels[entity] = labels[entity] or str(number)
    key = Looks(labels, [look.get(entity, ALONE) for entity in ours], [*ours])
    systems = []
    for system, main, own in zip(text.systems, mains, nodes, strict=True):
        # Entities that the key does not have are called by letters.
        letters = _letters({*labels})
        names = ["" if entity == OWN else labels[entity] for entity in main]
        for entity in _in_text_order(system):
            if main[entity] == OWN:
                names[entity] = next(letters)
        systems.append(Looks(names, [look.get(node, ALONE) for node in own], main))
    return key, systems


def _choose_looks(text: PageText, nodes: Sequence[Sequence[int]]) -> dict[int, int]:
    """Colour the key's entities and those of all systems, each once.

    ``nodes`` are the entities of each system as nodes of the graph. The nodes of the
    key are its entities.
    """
    systems = [*zip(text.systems, nodes, strict=True)]
    keys = range(len(text.key.entities))
    sides = [(text.key, keys), *systems]
    sizes: Counter[int] = Counter()
    colouring = Colouring()
    for side, own in sides:
        mentions = Counter(mention[0] for mention in side.mentions)
        for entity, node in enumerate(own):
            # A singleton that has more mentions in a system gets a colour. Apart from
            # that, the sizes of the key count, so that no system changes its colours.
            is_key = side is not text.key and node in keys
            size = min(mentions[entity], _PAIR) if is_key else mentions[entity]
            sizes[node] = max(sizes[node], size)
        places = sorted(side.mentions, key=lambda mention: mention[1:])
        colouring.follow([own[mention[0]] for mention in places], _NEAR)
    for system, own in systems:
        for mention, partner in zip(system.mentions, system.partner, strict=True):
            if partner >= 0:
                colouring.part(own[mention[0]], text.key.mentions[partner][0])
    coloured = [node for node, size in sizes.items() if size >= _PAIR]
    return colouring.looks([sizes[node] for node in range(len(sizes))], coloured)


def _in_text_order(side: PageSide) -> list[int]:
    """List entities in the order of their first mentions."""
    mentions = sorted(side.mentions, key=lambda mention: (mention[1], -mention[2]))
    first = dict.fromkeys(mention[0] for mention in mentions)
    return list(first | dict.fromkeys(range(len(side.entities))))


def _best_matches(key: PageSide, system: Response) -> list[int]:
    """Find the key entity of each response entity, if each is the other's best."""
    shared: dict[int, Counter[int]] = defaultdict(Counter)
    for mention, partner in zip(system.mentions, system.partner, strict=True):
        if partner >= 0:
            shared[key.mentions[partner][0]][mention[0]] += 1
    best = {}
    for entity, counts in shared.items():
        most = max(counts.values())
        equal = [other for other, count in counts.items() if count == most]
        mutual = [other for other in equal if system.entity_partner[other] == entity]
        best[entity] = (mutual or equal)[0]
    return [
        partner if partner >= 0 and best.get(partner) == entity else OWN
        for entity, partner in enumerate(system.entity_partner)
    ]


def _letters(taken: Collection[str]) -> Iterator[str]:
    """Count in letters, and skip labels that are taken.

    >>> letters = _letters({"b"})
    >>> [next(letters) for _ in range(3)], [next(letters) for _ in range(24)][-2:]
    (['a', 'c', 'd'], ['aa', 'ab'])
    """
    for length in count(1):
        for letters in product(ascii_lowercase, repeat=length):
            if (label := "".join(letters)) not in taken:
                yield label


HUES, LINES = 6, 4


class Colouring:
    """A graph of entities, and the choice of their colours."""

    def __init__(self) -> None:
        self._parted: dict[int, set[int]] = defaultdict(set)
        self._near: dict[int, Counter[int]] = defaultdict(Counter)

    def part(self, one: int, other: int) -> None:
        """Add two entities that are seen on the same mention."""
        if one != other:
            self._parted[one].add(other)
            self._parted[other].add(one)

    def follow(self, entities: Sequence[int], reach: int) -> None:
        """Add the entities of a text in order; neighbours are up to ``reach`` apart."""
        for distance in range(1, reach + 1):
            for one, other in zip(entities, entities[distance:], strict=False):
                if one != other:
                    self._near[one][other] += 1
                    self._near[other][one] += 1

    def looks(self, sizes: Sequence[int], coloured: Iterable[int]) -> dict[int, int]:
        """Choose a look for each of the coloured entities.

        A look is a colour plus six times a line.
        """
        look: dict[int, int] = {}
        used = [0] * HUES
        left = {*coloured}
        seen: dict[int, set[int]] = defaultdict(set)  # colours of parted entities
        queue = [(0, -sizes[entity], entity) for entity in left]
        heapify(queue)
        while queue:
            count, _, entity = heappop(queue)
            if entity in look or -count != len(seen[entity]):
                continue  # it has a look, or a newer place in the queue
            hue = self._choose_hue(entity, look, used)
            # The next line, unless an entity that must be parted has this look.
            taken = {look[other] for other in self._parted[entity] if other in look}
            lines = [(used[hue] + step) % LINES for step in range(LINES)]
            free = (line for line in lines if hue + HUES * line not in taken)
            look[entity] = hue + HUES * next(free, lines[0])
            used[hue] += 1
            for other in self._parted[entity]:
                if other in left and other not in look and hue not in seen[other]:
                    seen[other].add(hue)
                    heappush(queue, (-len(seen[other]), -sizes[other], other))
        return look

    def _choose_hue(
        self, entity: int, look: dict[int, int], used: Sequence[int]
    ) -> int:
        """Choose the colour that parts best, then the least near, then least used."""
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


_SIGNS = {kind.name: kind.sign for kind in KINDS}

_LABELS = {kind.sign: kind.label for kind in KINDS}


def sign_of(kind: str) -> str:
    """Return the sign of a kind of error.

    >>> sign_of("span"), sign_of("another")
    ('↔', '!')
    """
    return _SIGNS.get(kind, "!")


def label_of(sign: str) -> str:
    """Return the label of a sign, or the sign itself if it is unknown.

    >>> label_of("−−"), label_of("!")
    ('missing entity', '!')
    """
    return _LABELS.get(sign, sign)

"""How entities look: a label each, one of six colours, one of four lines.

An entity of the response that stands for one of the key, and that one for it, shares
its label and its look. Labels of the key are its own, those of the rest letters. Who is
alone in an entity on both sides is grey.

Colours say who is who: where a mention of the key and the one that it was aligned to
are in entities that look different, their colours differ, as those of neighbours do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import count, product
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

from scoref.tools.report.page.colouring import HUES, LINES, Colouring

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from scoref.tools.report.page.contract import PageSide, PageText, Response

__all__ = ["ALONE", "HUES", "LINES", "OWN", "Looks", "looks_of"]

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

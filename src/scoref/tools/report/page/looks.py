"""How entities look: a label each, one of six colours, one of four lines.

An entity of the response that stands for one of the key, and that one for it, shares
its label and its look. Labels of the key are numbers, those of the rest letters. Who is
alone in an entity on both sides is grey.

Colours are chosen so that entities whose mentions are neighbours differ; large entities
choose first, and of the colours that are left to them take the least used one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.tools.report.page.contract import PageSide, PageText, Response

HUES, LINES = 6, 4
ALONE = -1
_PAIR = 2
_NEAR = 4  # mentions before and behind that are neighbours


class Looks(NamedTuple):
    """The looks of one side, by entity; a look is a colour plus six times a line."""

    label: list[str]
    look: list[int]


def looks_of(text: PageText) -> tuple[Looks, list[Looks]]:
    """Choose the looks of the key's entities, and of each system's."""
    mains = [_mains(text.key, system) for system in text.systems]
    palette = _Palette()
    sizes = _with_counterparts(_sizes(text.key), text.systems, mains)
    key_look = palette.choose(sizes, _neighbours(text.key))
    labels = numbered(text.key.mentions, len(text.key.entities))
    key = Looks(labels, key_look)
    pairs = zip(text.systems, mains, strict=True)
    return key, [_response(system, main, key, palette) for system, main in pairs]


def numbered(mentions: Sequence[Sequence[int]], count: int) -> list[str]:
    """Number the key's entities in the order in which the text brings them.

    >>> numbered([(1, 0, 0), (0, 0, 5), (1, 7, 7)], 2)
    ['1', '2']
    """
    labels = [""] * count
    for number, entity in enumerate(_by_place(mentions, count), start=1):
        labels[entity] = str(number)
    return labels


def _with_counterparts(
    sizes: list[int], systems: Sequence[PageSide], mains: Sequence[Sequence[int | None]]
) -> list[int]:
    """Count a singleton as a pair if a system made more of it: it is not alone."""
    for system, main in zip(systems, mains, strict=True):
        for partner, size in zip(main, _sizes(system), strict=True):
            if partner is not None:
                sizes[partner] = max(sizes[partner], min(size, _PAIR))
    return sizes


def _response(
    system: Response, main: Sequence[int | None], key: Looks, palette: _Palette
) -> Looks:
    """Take over looks of the key where there is a counterpart, and choose the rest."""
    taken = {
        entity: key.look[partner]
        for entity, partner in enumerate(main)
        if partner is not None
    }
    look = palette.copy().choose(_sizes(system), _neighbours(system), taken)
    label = ["" if each is None else key.label[each] for each in main]
    order = _by_place(system.mentions, len(system.entities))
    own = (entity for entity in order if main[entity] is None)
    for number, entity in enumerate(own):
        label[entity] = _letters(number)
    return Looks(label, look)


class _Palette:
    """How often each colour was used."""

    def __init__(self, used: Iterable[int] = (0,) * HUES) -> None:
        self.used = list(used)

    def copy(self) -> _Palette:
        return _Palette(self.used)

    def choose(
        self,
        sizes: Sequence[int],
        neighbours: Mapping[int, Mapping[int, int]],
        taken: Mapping[int, int] | None = None,
    ) -> list[int]:
        """Choose looks for those who have none, the largest first."""
        look = [ALONE] * len(sizes)
        for entity, chosen in (taken or {}).items():
            look[entity] = chosen
        order = sorted(range(len(sizes)), key=lambda entity: (-sizes[entity], entity))
        for entity in order:
            if (taken and entity in taken) or sizes[entity] < _PAIR:
                continue
            near = [0] * HUES
            for other, times in neighbours.get(entity, {}).items():
                if look[other] != ALONE:
                    near[look[other] % HUES] += times
            hue = min(range(HUES), key=lambda each: (near[each], self.used[each], each))
            look[entity] = hue + HUES * (self.used[hue] % LINES)
            self.used[hue] += 1
        return look


def _sizes(side: PageSide) -> list[int]:
    count = Counter(mention[0] for mention in side.mentions)
    return [count[entity] for entity in range(len(side.entities))]


def _by_place(mentions: Sequence[Sequence[int]], count: int) -> list[int]:
    """List entities in the order in which the text brings them."""
    first = dict.fromkeys(
        mention[0] for mention in sorted(mentions, key=lambda each: (each[1], -each[2]))
    )
    return list(first | dict.fromkeys(range(count)))


def _neighbours(side: PageSide) -> dict[int, Counter[int]]:
    """Count how often mentions of two entities follow each other closely."""
    entities = [m[0] for m in sorted(side.mentions, key=lambda each: each[1:])]
    found: dict[int, Counter[int]] = defaultdict(Counter)
    for distance in range(1, _NEAR + 1):
        for one, other in zip(entities, entities[distance:], strict=False):
            if one != other:
                found[one][other] += 1
                found[other][one] += 1
    return found


def _mains(key: PageSide, system: Response) -> list[int | None]:
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
        partner if partner >= 0 and best.get(partner) == entity else None
        for entity, partner in enumerate(system.entity_partner)
    ]


def _letters(number: int) -> str:
    """Count in letters.

    >>> [_letters(number) for number in (0, 25, 26, 702)]
    ['a', 'z', 'aa', 'aaa']
    """
    text = ""
    while number >= 0:
        number, place = divmod(number, len(ascii_lowercase))
        text = ascii_lowercase[place] + text
        number -= 1
    return text

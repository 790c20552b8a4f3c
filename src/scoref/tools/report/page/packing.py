"""Texts in the form in which a page contains them, which compresses well.

Words are one string, places are steps from one number to the next, and errors are
columns. Mentions are in the order of the text, so the steps are small. A mention of a
system that has the words of its partner in the key is stored without its place. The
script reverses all of this (`web/src/unpacking.ts`).
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from scoref.tools.report.page.contract import read_text
from scoref.tools.report.page.looks import looks_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.tools.report.page.contract import PageError, PageSide, Response
    from scoref.tools.report.page.looks import Looks

    Packed = dict[str, object]

_DIGITS = 10


def pack(text: Mapping[str, object]) -> Packed:
    """Add the looks of entities to a text, and write it in a form that is small."""
    checked = read_text(text)
    key, looks = looks_of(checked)
    return {
        "words": joined(checked.words),
        "sentences": steps(checked.sentences),
        "empty": checked.empty,
        "key": _pack_side(checked.key, key, ()),
        "systems": [
            {
                **_pack_side(system, look, _partners(checked.key, system)),
                "partner": steps(system.partner),
                "why": coded(system.why),
                "entity_partner": system.entity_partner,
                "errors": _pack_errors(system.errors),
                "gains": system.gains,
            }
            for system, look in zip(checked.systems, looks, strict=True)
        ],
    }


def _pack_side(side: PageSide, looks: Looks, known: Sequence[Sequence[int]]) -> Packed:
    return {
        "entities": side.entities,
        "mentions": mention_steps(side.mentions, known),
        "classes": coded(side.classes),
        "names": side.names and _after_first(side.names, side),
        "looks": looks._asdict(),
    }


def _partners(key: PageSide, system: Response) -> list[Sequence[int]]:
    """Return the places of the key's mention for each mention of a system."""
    places = [mention[1:] for mention in key.mentions]
    return [places[partner] if partner >= 0 else () for partner in system.partner]


def _after_first(names: Sequence[int], side: PageSide) -> list[int]:
    """Count the mentions between the first one of each entity and its best one."""
    first: dict[int, int] = {}
    for number, mention in enumerate(side.mentions):
        first.setdefault(mention[0], number)
    return [name - first.get(entity, 0) for entity, name in enumerate(names)]


def _pack_errors(errors: Sequence[PageError]) -> Packed:
    """Write errors as columns."""
    return {
        "kind": [error.kind for error in errors],
        "key_entity": [error.key_entity for error in errors],
        "response_entity": [error.response_entity for error in errors],
        "key_mentions": _ragged([error.key_mentions for error in errors]),
        "response_mentions": _ragged([error.response_mentions for error in errors]),
    }


def _ragged(rows: Sequence[Sequence[int]]) -> Packed:
    """Write lists as their lengths, and the steps through all of them."""
    lengths = [len(row) for row in rows]
    return {"length": lengths, "steps": steps(chain.from_iterable(rows))}


def joined(words: Sequence[str]) -> str | list[str]:
    """Join words by spaces, unless they could not be told apart afterwards.

    >>> joined(["Ada", "saw", "Bob"])
    'Ada saw Bob'
    >>> joined(["New York", "is"])
    ['New York', 'is']
    """
    text = " ".join(words)
    return text if text.split(" ") == [*words] else [*words]


def coded(values: Sequence[str] | None) -> object:
    """Write names as the digits of their places in a list, if there are few.

    >>> coded(["noun", "pronoun", "noun"])
    {'names': ['noun', 'pronoun'], 'places': '010'}
    """
    names = [*dict.fromkeys(values or ())]
    if values is None or len(names) > _DIGITS:
        return values
    digit = {name: str(place) for place, name in enumerate(names)}
    return {"names": names, "places": "".join([digit[value] for value in values])}


def steps(numbers: Iterable[int]) -> list[int]:
    """Return the step from each number to the next; the first step is from 0.

    >>> steps([3, 5, 4])
    [3, 2, -1]
    """
    differences, last = [], 0
    for number in numbers:
        differences.append(number - last)
        last = number
    return differences


def mention_steps(
    mentions: Sequence[Sequence[int]], known: Sequence[Sequence[int]] = ()
) -> list[list[int]]:
    """Write the places of mentions as steps from the mention before.

    Args:
        mentions: the entity of each mention, and its places.
        known: places of other mentions. Where they are the same, none are written.

    >>> mention_steps([(7, 10, 12), (8, 11, 11, 15, 16)])
    [[7, 10, 2], [8, 1, 0, 4, 1]]
    >>> mention_steps([[7, 10, 12], [8, 11, 11]], [[10, 12], []])
    [[7], [8, 1, 0]]
    """
    rows, last = [], 0
    for number, (entity, *places) in enumerate(mentions):
        if known and known[number] == places:
            rows.append([entity])
        else:
            first, *rest = steps(places)
            rows.append([entity, first - last, *rest])
        last = places[0]
    return rows

"""Made-up texts with mentions, as small or as large as a test of the page needs."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import random

Json = dict[str, Any]
Entities = dict[str, list[tuple[int, ...]]]  # pieces of each mention, by entity

KINDS = (
    ("span", "span error", "The words of a mention are not quite the right ones."),
    (
        "conflated-entity",
        "conflated entity",
        "An entity was put together with another.",
    ),
    ("wrong-link", "wrong link", "Mentions were linked to the wrong entity."),
    ("extra-mention", "extra mention", "The key has no such mention."),
    ("extra-entity", "extra entity", "The key has no mention of this entity."),
    ("missing-mention", "missing mention", "A mention of the key was not found."),
    ("missing-entity", "missing entity", "No mention of the entity was found."),
    ("divided-entity", "divided entity", "A part of an entity was left apart."),
)
NUMBER = {name: number for number, (name, _, _) in enumerate(KINDS)}
HOSTILE = (
    "<script>alert(1)</script>",
    "</script>",
    "&amp;",
    "<!--",
    "<img src=x onerror=alert(2)>",
    "\u2028",
    "שלום",
    "😀",
    "w" * 300,
)


class Sides(NamedTuple):
    """Entities of the key, and those of each system by its name."""

    key: Entities
    systems: dict[str, Entities]


STORY = [
    "Ada Lovelace met Charles Babbage at a party in London .",
    (
        "He showed her a small part of the Difference Engine , and she asked him for "
        "the plans of it ."
    ),
    (
        "The young countess , whose mother loved mathematics , saw at once what the "
        "machine could do ."
    ),
    "Ada and later Byron wrote letters .",
    "∅ Said so .",
    (
        "Babbage called her the Enchantress of Numbers ( she liked that ) ; the engine "
        "was never finished ."
    ),
]


def story() -> Json:
    """Tell a short story with nested, discontinuous and empty mentions."""
    key: Entities = {
        "Ada": [
            *((0, 1), (13, 13), (23, 23), (32, 39), (36, 36), (50, 50), (57, 57)),
            *((63, 63), (64, 67), (69, 69)),
        ],
        "Babbage": [(3, 4), (11, 11), (25, 25), (61, 61)],
        "engine": [(18, 20), (30, 30), (45, 46), (74, 75)],
        "mother": [(36, 37)],
        "plans": [(27, 30)],
        "both": [(50, 50, 53, 53)],
        "London": [(9, 9)],
    }
    ours: Entities = {
        "1": [(0, 1), (13, 13), (23, 23), (36, 36), (63, 63), (64, 67), (69, 69)],
        "2": [(3, 4), (11, 11), (25, 25), (61, 61)],
        "3": [(19, 20), (30, 30)],
        "4": [(45, 46), (74, 75)],
        "5": [(32, 34), (50, 50), (57, 57)],
        "6": [(6, 7), (71, 71)],
    }
    theirs: Entities = {
        "x": [(0, 1), (3, 4), (13, 13), (11, 11), (23, 23), (25, 25)],
        "y": [(18, 20), (45, 46), (74, 75)],
    }
    text = text_of(STORY, Sides(key, {"ours": ours, "theirs": theirs}))
    text["words"][text["words"].index("∅")] = "she"
    text["empty"] = [57]
    return text


def hostile() -> Json:
    """Give a text whose every word is a trap, in mentions and out of them."""
    words = list(HOSTILE)
    key: Entities = {"<b>": [(0, 0), (4, 4), (8, 8)], "&": [(6, 7), (1, 1)]}
    response: Entities = {"<i>": [(0, 0), (1, 1), (8, 8)], "'\"": [(6, 6), (3, 3)]}
    made = text_of([" "], Sides(key, {"ours": response, "theirs": {}}))
    return {**made, "words": words, "sentences": [0, 3]}


def empty() -> Json:
    """Give a text without a word."""
    made = text_of([], Sides({}, {"ours": {}, "theirs": {}}))
    return {**made, "sentences": []}


def text_of(sentences: list[str], sides: Sides) -> Json:
    """Make a text of sentences with blanks between words."""
    words = [sentence.split() for sentence in sentences]
    starts = [sum(map(len, words[:place])) for place in range(len(words))]
    key = _side(sides.key)
    return {
        "words": [word for sentence in words for word in sentence],
        "sentences": starts,
        "empty": [],
        "glued": None,
        "key": key,
        "systems": [_system(key, _side(each)) for each in sides.systems.values()],
    }


def _side(entities: Entities) -> Json:
    mentions = [
        [number, *pieces]
        for number, each in enumerate(entities.values())
        for pieces in each
    ]
    classes = [
        "name" if len(each) > 3 or each[2] > each[1] else "pronoun" for each in mentions
    ]
    return {"entities": list(entities), "mentions": mentions, "classes": classes}


def _system(key: Json, side: Json) -> Json:
    """Align mentions by their words, and tell some of the errors."""
    place = {tuple(each[1:]): number for number, each in enumerate(key["mentions"])}
    partner = [place.get(tuple(each[1:]), -1) for each in side["mentions"]]
    shared = Counter(
        (mention[0], key["mentions"][other][0])
        for mention, other in zip(side["mentions"], partner, strict=True)
        if other >= 0
    )
    best: dict[int, int] = {}
    for (response, entity), _ in shared.most_common():
        best.setdefault(response, entity)
    partners = [best.get(number, -1) for number in range(len(side["entities"]))]
    spans = _spans(key, side, partner)
    errors = [
        *spans,
        *_missing(
            key, {*partner, *(row for each in spans for row in each["key_mentions"])}
        ),
        *_extra(side, partner, spans),
        *_divided(side, partners, partner),
    ]
    return {
        **side,
        "partner": partner,
        "why": None,
        "entity_partner": partners,
        "errors": errors,
    }


def _error(
    kind: str, key: list[int], response: list[int], entities: tuple[int, int]
) -> Json:
    return {
        "kind": NUMBER[kind],
        "key_mentions": key,
        "response_mentions": response,
        "key_entity": entities[0],
        "response_entity": entities[1],
    }


def _spans(key: Json, side: Json, partner: list[int]) -> list[Json]:
    """Pair mentions that overlap and have no partner."""
    taken = set(partner)
    free = [row for row in range(len(key["mentions"])) if row not in taken]
    errors = []
    for row, mention in enumerate(side["mentions"] if -1 in taken else []):
        near = [each for each in free if _overlap(key["mentions"][each], mention)]
        if partner[row] < 0 and near:
            free.remove(near[0])
            entities = key["mentions"][near[0]][0], mention[0]
            errors.append(_error("span", [near[0]], [row], entities))
    return errors


def _overlap(one: list[int], other: list[int]) -> bool:
    return one[1] <= other[-1] and other[1] <= one[-1]


def _missing(key: Json, found: set[int]) -> list[Json]:
    return [
        _error("missing-mention", [number], [], (mention[0], -1))
        for number, mention in enumerate(key["mentions"])
        if number not in found
    ]


def _extra(side: Json, partner: list[int], spans: list[Json]) -> list[Json]:
    paired = {row for each in spans for row in each["response_mentions"]}
    return [
        _error("extra-mention", [], [number], (-1, mention[0]))
        for number, mention in enumerate(side["mentions"])
        if partner[number] < 0 and number not in paired
    ]


def _divided(side: Json, partners: list[int], partner: list[int]) -> list[Json]:
    """Call an entity divided for each but the first that has most in common with it."""
    seen: set[int] = set()
    errors = []
    rows: dict[int, list[int]] = {}
    for row, mention in enumerate(side["mentions"]):
        rows.setdefault(mention[0], []).append(row)
    for entity, key in enumerate(partners):
        mine = rows.get(entity, [])
        theirs = [partner[row] for row in mine if partner[row] >= 0]
        if key in seen and theirs:
            errors.append(_error("divided-entity", theirs, mine, (key, entity)))
        seen.add(key)
    return errors


def novel(tokens: int, rng: random.Random) -> Json:
    """Make a long text with a mention every seven words, and a few main persons."""
    names = [f"word{number}" for number in range(4000)]
    words = rng.choices(names, k=tokens)
    starts, place = [], 0
    while place < tokens:
        starts.append(place)
        place += rng.randint(5, 35)
    key: Entities = {str(number): [] for number in range(tokens // 120 + 1)}
    labels = list(key)
    weights = [*accumulate(1 / (1 + number) for number in range(len(labels)))]
    for start in range(0, tokens - 4, 7):
        label = rng.choices(labels, cum_weights=weights)[0]
        key[label].append((start, start + rng.randint(0, 3)))
    key = {label: mentions for label, mentions in key.items() if mentions}
    systems = {name: _noisy(key, rng) for name in ("ours", "theirs")}
    made = text_of([" "], Sides(key, systems))
    return {**made, "words": words, "sentences": starts}


def _noisy(key: Entities, rng: random.Random) -> Entities:
    labels = list(key)
    response: Entities = {label: [] for label in labels}
    for label, mentions in key.items():
        for mention in mentions:
            if rng.random() < 0.85:
                response[label if rng.random() < 0.9 else rng.choice(labels)].append(
                    mention
                )
    return {label: mentions for label, mentions in response.items() if mentions}

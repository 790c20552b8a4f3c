"""Krippendorff's α and links of several keys, slowly, as their definitions are."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

Mention = object
Set = frozenset[Mention]
Entities = Sequence[Sequence[Mention]]
People = Mapping[str, Mapping[str, Entities]]
Unit = list[Set]


def _shape(one: Set, other: Set) -> Fraction:
    if one == other:
        return Fraction(1)
    return Fraction(2, 3) if one <= other or other <= one else Fraction(1, 3)


def _jaccard(one: Set, other: Set) -> Fraction:
    return Fraction(len(one & other), len(one | other))


SIMILARITY: dict[str, Callable[[Set, Set], Fraction]] = {
    "masi": lambda a, b: _jaccard(a, b) * _shape(a, b),
    "jaccard": _jaccard,
    "nominal": lambda a, b: Fraction(a == b),
    "dice": lambda a, b: Fraction(2 * len(a & b), len(a) + len(b)),
    "passonneau-2004": _shape,
    "masi-dkpro": lambda a, b: 1 - (1 - _jaccard(a, b)) * (1 - _shape(a, b)),
}


def distance(name: str, one: Set, other: Set) -> Fraction:
    if one == other:
        return Fraction(0)
    return 1 - SIMILARITY[name](one, other) if one & other else Fraction(1)


def units_of(document: Mapping[str, Entities], missing: str) -> list[Unit]:
    """List the values of each mention of a document, by those who have it."""
    put_with = {
        who: {mention: frozenset(entity) for entity in entities for mention in entity}
        for who, entities in document.items()
    }
    found = []
    for mention in dict.fromkeys(each for sets in put_with.values() for each in sets):
        values = []
        for sets in put_with.values():
            if mention in sets:
                values.append(sets[mention])
            elif missing != "omit":
                alone = {mention} if missing == "singleton" else set()
                values.append(frozenset(alone))
        if len(values) > 1:
            found.append(values)
    return found


def parts(units: list[Unit], name: str) -> tuple[Fraction, Fraction, int]:
    """Give D_o, D_e and n."""
    every = [value for values in units for value in values]
    n = len(every)
    observed = sum(
        (
            Fraction(sum(distance(name, a, b) for a, b in permutations(values, 2)))
            / (len(values) - 1)
            for values in units
        ),
        Fraction(0),
    )
    expected = sum(
        (distance(name, a, b) for a, b in permutations(every, 2)), Fraction(0)
    )
    return observed / n, expected / (n * (n - 1)), n


def alpha(people: People, name: str, missing: str, average: str) -> Fraction:
    names = dict.fromkeys(each for said in people.values() for each in said)
    documents = [
        units_of(
            {who: said[each] for who, said in people.items() if each in said}, missing
        )
        for each in names
    ]
    if average == "corpus":
        # Mentions of two documents are never the same.
        documents = [
            [
                [frozenset((number, mention) for mention in value) for value in values]
                for number, units in enumerate(documents)
                for values in units
            ]
        ]
    found = [parts(units, name) for units in documents if units]
    if average == "macro":
        return sum((_alpha(*each[:2]) for each in found), Fraction(0)) / len(found)
    return _alpha(
        sum((each[0] * each[2] for each in found), Fraction(0)),
        sum((each[1] * each[2] for each in found), Fraction(0)),
    )


def _alpha(observed: Fraction, expected: Fraction) -> Fraction:
    return 1 - observed / expected if expected else Fraction(1)


def links(entities: Entities) -> set[frozenset[Mention]]:
    return {frozenset(pair) for entity in entities for pair in combinations(entity, 2)}


def count_links(people: People, response: Mapping[str, Entities]) -> dict[str, int]:
    counts = dict.fromkeys(
        (
            *("response_links", "any_in_response", "all_links", "all_in_response"),
            *("spurious", "spurious_supported", "missing", "missing_supported"),
            "undecided",
        ),
        0,
    )
    for document, entities in response.items():
        keys = [links(said[document]) for said in people.values() if document in said]
        made = links(entities)
        for link in made.union(*keys) if keys else ():
            votes = sum(link in key for key in keys)
            is_made, by_all = link in made, votes == len(keys)
            counts["response_links"] += is_made
            counts["any_in_response"] += is_made and votes > 0
            counts["all_links"] += by_all
            counts["all_in_response"] += is_made and by_all
            spurious = is_made and 2 * votes < len(keys)
            missing = not is_made and 2 * votes > len(keys)
            counts["spurious"] += spurious
            counts["spurious_supported"] += spurious and votes > 0
            counts["missing"] += missing
            counts["missing_supported"] += missing and not by_all
            counts["undecided"] += 2 * votes == len(keys)
    return counts


def random_annotators(
    seed: int, *, people: int = 4, documents: int = 3, share: float = 0.85
) -> dict[str, Any]:
    """Let people annotate random documents, each with a share of all mentions."""
    chance = random.Random(seed)  # noqa: S311 - it can be repeated
    annotators: dict[str, dict[str, list[list[int]]]] = {}
    for who in range(people):
        own = annotators.setdefault(f"p{who}", {})
        for document in range(documents):
            if chance.random() >= share:
                continue
            entities: list[list[int]] = [[] for _ in range(3)]
            for mention in range(8):
                if chance.random() < share:
                    chance.choice(entities).append(mention)
            own[f"d{document}"] = [entity for entity in entities if entity]
    return annotators

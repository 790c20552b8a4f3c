"""Random pairs of small Universal Anaphora files, with all that makes matching hard.

Markables nest, cross, repeat and come in pieces; there are zeros, plurals, plurals of
plurals and equal plurals; some entities do not refer, and there are bridges. What the
official scorer leaves to the order of a set is avoided: the elements of a plural have
no mention in common.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from support.universal_anaphora import ZERO, Document, Entity, Mention

if TYPE_CHECKING:
    from random import Random

_NAMES = ("e1", "e2", "e3", "e4", "e5", "e6", "e7")


def random_pair(random: Random) -> tuple[list[Document], list[Document]]:
    """Make up a key, and a response that is another one or a damaged key."""
    empty = [_document(random, name) for name in "abc"[: random.choice((1, 1, 2, 3))]]
    key = [_annotated(random, document) for document in empty]
    if random.random() < 0.3:
        response = [_annotated(random, document) for document in empty]
    else:
        response = [_damaged(random, document) for document in key]
    random.shuffle(response)
    return key, response


def _document(random: Random, name: str) -> Document:
    count = random.choice((1, 1, 2))
    return Document(name, [["w"] * random.randint(3, 9) for _ in range(count)])


def _annotated(random: Random, empty: Document) -> Document:
    document = copy.deepcopy(empty)
    for sentence in document.sentences:
        for _ in range(random.choice((0, 0, 1, 2))):
            sentence.insert(random.randint(0, len(sentence)), ZERO)
    for name in random.sample(_NAMES, random.randint(0, len(_NAMES))):
        mentions = [
            _mention(random, document) for _ in range(random.choice((1, 1, 2, 3, 4)))
        ]
        document.entities[name] = Entity(mentions)
        document.entities[name].is_referring = random.random() > 0.1
    _add_plurals(random, document)
    _add_bridges(random, document)
    return document


def _mention(random: Random, document: Document) -> Mention:
    """Take a zero or a few words; sometimes a mention that is there already."""
    known = [markable.mention for markable in document.listed]
    if known and random.random() < 0.15:
        return _mention_of(random, random.choice(known))
    nodes = document.nodes
    zeros = [node for node in nodes if node[1]]
    if zeros and random.random() < 0.25:
        return Mention((random.choice(zeros),))
    words = [node for node in nodes if not node[1]]
    first = random.randrange(len(words))
    chosen = words[first : first + random.choice((1, 1, 1, 2, 3, 4, 5))]
    if len(chosen) > 2 and random.random() < 0.3:
        kept = random.sample(chosen[1:-1], random.randrange(len(chosen) - 2))
        chosen = [chosen[0], *sorted(kept), chosen[-1]]
    return _mention_of(random, Mention(tuple(chosen)))


def _mention_of(random: Random, mention: Mention) -> Mention:
    """Give a mention a minimum of its own."""
    if random.random() < 0.2 or mention.words[0][1]:
        return Mention(mention.words)
    first, last = sorted(random.choices(mention.words, k=2))
    if random.random() < 0.5:
        last = first
    return Mention(mention.words, (first[0], last[0]))


def _add_plurals(random: Random, document: Document) -> None:
    """Let entities stand for others that come later in a random order."""
    names = list(document.entities)
    random.shuffle(names)
    for place, name in enumerate(names[:-1]):
        if random.random() < 0.4:
            later = names[place + 1 :]
            count = min(len(later), random.choice((1, 2, 2, 3)))
            document.entities[name].elements = random.sample(later, count)
    plurals = [name for name in names if document.entities[name].elements]
    if len(plurals) > 1 and random.random() < 0.3:
        # Of two equal plurals none is an element of the other.
        elements = list(document.entities[plurals[1]].elements)
        document.entities[plurals[0]].elements = elements
    _drop_vague_plurals(document)


def _drop_vague_plurals(document: Document) -> None:
    """See that no mention belongs to two elements of a plural."""
    for entity in document.entities.values():
        words = [
            one
            for leaf in _leaves(document, entity)
            for one in {mention.words for mention in document.entities[leaf].mentions}
        ]
        if len(set(words)) < len(words):
            entity.elements = []
            _drop_vague_plurals(document)
            return


def _leaves(document: Document, entity: Entity) -> set[str]:
    found = set()
    for name in entity.elements:
        element = document.entities[name]
        is_plural = element.elements and element.is_referring
        found |= _leaves(document, element) if is_plural else {name}
    return found


def _add_bridges(random: Random, document: Document) -> None:
    count = len(document.listed)
    for _ in range(random.choice((0, 1, 2, 4)) if count > 1 else 0):
        anaphor, antecedent = random.sample(range(count), 2)
        document.bridges.append((anaphor, antecedent))


def _damaged(random: Random, key: Document) -> Document:
    """Shift, drop and move mentions; forget elements of plurals."""
    response = Document(key.name, copy.deepcopy(key.sentences))
    names = list(key.entities)
    for name, entity in key.entities.items():
        for mention in entity.mentions:
            if random.random() < 0.1:
                continue
            to = random.choice(names) if random.random() < 0.15 else name
            place = response.entities.setdefault(to, Entity([]))
            place.mentions.append(_shaken(random, mention, response))
    for name, entity in response.entities.items():
        entity.is_referring = key.entities[name].is_referring ^ (random.random() < 0.05)
        entity.elements = [
            element
            for element in key.entities[name].elements
            if element in response.entities and random.random() > 0.1
        ]
    _drop_vague_plurals(response)
    count = len(response.listed)
    for pair in key.bridges:
        if max(pair) < count and random.random() < 0.7:
            response.bridges.append(pair)
    _add_bridges(random, response)
    return response


def _shaken(random: Random, mention: Mention, response: Document) -> Mention:
    chance = random.random()
    words = mention.words
    if chance < 0.15:
        return _mention(random, response)
    if chance < 0.35 and len(words) > 1:
        return Mention(words[1:] if random.random() < 0.5 else words[:-1])
    return mention

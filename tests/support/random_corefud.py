"""Random pairs of small CorefUD files, with everything that makes matching hard.

Mentions nest, cross, repeat and come in pieces; there are several empty nodes at
one place, and they differ between the sides.
"""

from __future__ import annotations

import copy
from itertools import chain, combinations
from typing import TYPE_CHECKING

from support.corefud import Annotated, Mention, Sentence, runs

if TYPE_CHECKING:
    from random import Random

    from support.corefud import Word

_RELATIONS = ("nsubj", "obj", "obl")


def random_pair(random: Random) -> tuple[Annotated, Annotated]:
    """Make up a key, and a response that is another one or a damaged key."""
    words = _sentences(random)
    key = _annotated(random, words)
    if random.random() < 0.5:
        return key, _annotated(random, words)
    return key, _damaged(random, key)


def _sentences(random: Random) -> list[Sentence]:
    count = random.randint(1, 5)
    sentences = [Sentence(["w"] * random.randint(2, 7)) for _ in range(count)]
    for number, sentence in enumerate(sentences):
        if number == 0 or random.random() < 0.3:
            sentence.newdoc = random.choice("abc")
    return sentences


def _annotated(random: Random, words: list[Sentence]) -> Annotated:
    sentences = copy.deepcopy(words)
    for sentence in sentences:
        for _ in range(random.choice((0, 0, 1, 2, 3))):
            _add_zero(random, sentence)
    annotation = Annotated(sentences, {})
    names = [f"e{number}" for number in random.sample(range(1, 13), 6)]
    for _ in range(random.randint(0, 14)):
        name, mention = random.choice(names), _mention(random, annotation)
        _add(annotation, name, mention)
        if random.random() < 0.1:
            _add(annotation, name, Mention(mention.words, len(mention.words)))
    return annotation


def _add_zero(random: Random, sentence: Sentence) -> None:
    number = random.randint(0, len(sentence.forms))
    empty = 1 + sum(before == number for before, _ in sentence.zeros)
    parents = random.sample(range(len(sentence.forms) + 1), random.choice((1, 1, 2)))
    deps = [f"{parent}:{random.choice(_RELATIONS)}" for parent in parents]
    if random.random() < 0.05:
        deps = ["_"]
    elif random.random() < 0.1:
        deps.append(f"{number}.{empty}:{random.choice(_RELATIONS)}")
    sentence.zeros[number, empty] = "|".join(deps)


def _mention(random: Random, annotation: Annotated) -> Mention:
    """Take a mention, a zero or a few words; sometimes one that is there already."""
    known = [one for each in annotation.entities.values() for one in each]
    if known and random.random() < 0.2:
        words = random.choice(known).words
        return Mention(words, random.randint(1, len(words)))
    number = random.randrange(len(annotation.sentences))
    sentence = annotation.sentences[number]
    nodes = sentence.nodes
    first = random.randrange(len(nodes))
    last = min(len(nodes), first + random.choice((1, 1, 2, 3, 4, 5)))
    chosen = nodes[first:last]
    if sentence.zeros and random.random() < 0.4:
        chosen = [random.choice(list(sentence.zeros))]
    if len(chosen) > 2 and random.random() < 0.3:
        kept = random.sample(chosen[1:-1], random.randrange(len(chosen) - 2))
        chosen = [chosen[0], *sorted(kept), chosen[-1]]
    words = tuple((number + 1, *node) for node in chosen)
    return Mention(words, random.randint(1, len(words)))


def _add(annotation: Annotated, name: str, mention: Mention) -> None:
    """Add a mention if brackets can tell it from the others of its entity."""
    mentions = annotation.entities.get(name, [])
    if all(_can_stand_with(annotation, one, mention) for one in mentions):
        annotation.entities.setdefault(name, []).append(mention)


def _can_stand_with(annotation: Annotated, one: Mention, other: Mention) -> bool:
    if one.words[0][0] != other.words[0][0]:
        return True
    pieces = [runs(each.words, annotation.sentences) for each in (one, other)]
    if min(map(len, pieces)) > 1 and _meet(one.words, other.words):
        return False
    return not any(_cross(*pair) for pair in combinations(chain(*pieces), 2))


def _meet(one: tuple[Word, ...], other: tuple[Word, ...]) -> bool:
    return one[0] <= other[-1] and other[0] <= one[-1]


def _cross(one: list[Word], other: list[Word]) -> bool:
    common = set(one) & set(other)
    return bool(common) and common != set(one) and common != set(other)


def _damaged(random: Random, key: Annotated) -> Annotated:
    """Shift, drop and move; the empty nodes stay, but their dependencies wander."""
    response = Annotated(copy.deepcopy(key.sentences), {})
    for sentence in response.sentences:
        deps = list(sentence.zeros.values())
        if random.random() < 0.5:
            random.shuffle(deps)
        sentence.zeros = dict(zip(sentence.zeros, deps, strict=True))
    names = list(key.entities)
    for name, mentions in key.entities.items():
        for mention in mentions:
            if random.random() < 0.15:
                continue
            to = random.choice(names) if random.random() < 0.2 else name
            _add(response, to, _shaken(random, mention, response))
    return response


def _shaken(random: Random, mention: Mention, response: Annotated) -> Mention:
    chance = random.random()
    words, head = mention
    if chance < 0.15:
        return _mention(random, response)
    if chance < 0.3 and len(words) > 1:
        words = words[1:] if random.random() < 0.5 else words[:-1]
        head = min(head, len(words))
    elif chance < 0.4:
        head = random.randint(1, len(words))
    return Mention(words, head)

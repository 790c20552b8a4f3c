"""Is what was written the same when it is read again?"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.matching.ragged import numbered
from scoref.tools.convert.losses import Loss

if TYPE_CHECKING:
    from scoref.tools.convert.content import Content

    Tokens = tuple[int, ...]
    Mention = tuple[Tokens, int, Tokens]


class PlainEntity(NamedTuple):
    """An entity, whatever it is called: what it says, and its mentions in order."""

    document: int
    type: str
    is_referring: bool
    mentions: tuple[Mention, ...]


class PlainContent(NamedTuple):
    """Content as plain values, but for the text; what is equal is the same content."""

    documents: tuple[str, ...]
    entities: list[PlainEntity]
    plurals: list[tuple[PlainEntity, PlainEntity]]
    bridges: list[tuple[Mention, Mention, str]]


def plain(content: Content) -> PlainContent:
    """Give content in a form that does not depend on rows and labels."""
    mentions = _mentions(content)
    entities = _entities(content, mentions)
    pairs = zip(content.plural.tolist(), content.element.tolist(), strict=True)
    anaphors = content.anaphor.tolist(), content.antecedent.tolist(), content.relation
    return PlainContent(
        documents=content.documents,
        entities=sorted(entities),
        plurals=sorted((entities[a], entities[b]) for a, b in pairs),
        bridges=sorted(
            (mentions[a], mentions[b], relation)
            for a, b, relation in zip(*anaphors, strict=True)
        ),
    )


def differing(mine: Content, theirs: Content) -> str | None:
    """Name what is not the same; None if all of it is."""
    if mine.has_words != theirs.has_words:
        return "words"
    if mine.has_words:
        ours, others = mine.text, theirs.text
        # What stands in an empty node is not part of the text.
        if ours.overt.first_difference(others.overt) >= 0:
            return "words"
        for column in ("is_empty", "is_start"):
            if not np.array_equal(getattr(ours, column), getattr(others, column)):
                return column
    before, after = plain(mine)._asdict(), plain(theirs)._asdict()
    return next((name for name in before if before[name] != after[name]), None)


def reordered(before: Content, after: Content) -> list[Loss]:
    """Count mentions in several entities, the order of which has changed.

    That order decides who keeps such a mention, where each may be in one only.
    """
    if numbered(before.members)[1] == len(before.mention_entity):
        return []
    known: dict[PlainEntity, int] = {}  # numbers are compared in no time
    ours, theirs = _owners(before, known), _owners(after, known)
    changed = [mention for mention, owners in ours.items() if owners != theirs[mention]]
    if not changed:
        return []
    document = before.documents[changed[0][0]]
    what = "mentions in several entities"
    outcome = "these come in another order"
    place = f"{before.source}, document '{document}'"
    return [Loss("duplicates", len(changed), what, outcome, place)]


def _mentions(content: Content) -> list[Mention]:
    offset = content.text.first[content.mention_document].tolist()
    head = content.head.tolist()
    found = []
    for row, tokens in enumerate(content.lists()):
        start = offset[row]
        minimum = tuple(token - start for token in content.minimum.tuple(row))
        own = tuple(token - start for token in tokens)
        found.append((own, -1 if head[row] < 0 else head[row] - start, minimum))
    return found


def _entities(content: Content, mentions: list[Mention]) -> list[PlainEntity]:
    members: list[list[Mention]] = [[] for _ in content.entity_label]
    for entity, mention in zip(content.mention_entity.tolist(), mentions, strict=True):
        members[entity].append(mention)
    return [
        PlainEntity(document, kind, refers, tuple(sorted(found)))
        for document, kind, refers, found in zip(
            content.entity_document.tolist(),
            content.entity_type,
            content.is_referring.tolist(),
            members,
            strict=True,
        )
    ]


def _owners(
    content: Content, known: dict[PlainEntity, int]
) -> dict[tuple[int, Tokens], list[int]]:
    """List the entities of mentions that are in more than one, in their order."""
    mentions = _mentions(content)
    entities = _entities(content, mentions)
    number = [known.setdefault(entity, len(known)) for entity in entities]
    owners: dict[tuple[int, Tokens], list[int]] = defaultdict(list)
    rows = zip(content.mention_entity.tolist(), mentions, strict=True)
    for entity, (tokens, *_) in rows:
        owners[entities[entity].document, tokens].append(number[entity])
    return {key: found for key, found in owners.items() if len(found) > 1}

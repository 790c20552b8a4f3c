"""A response in which one error is really mended, to be scored like any other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scoref.tools.errors.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.model import WordSets
    from scoref.tools.errors.findings import AnalysedSide, Analysis

Mention = tuple[str, int]
Entities = dict[int, set[Mention]]


def key_entities(analysis: Analysis) -> Entities:
    """Give the entities of the key, each mention by its place."""
    return _entities(analysis.key, [("key", place) for place in _places(analysis.key)])


def mended(analysis: Analysis, error: int | None = None) -> Entities:
    """Mend one error, or none; a mention of the key goes by its place there."""
    return mended_all(analysis, [] if error is None else [error])


def mended_all(analysis: Analysis, errors: Sequence[int]) -> Entities:
    """Mend several errors of one kind, one after the other."""
    side = analysis.response
    names: list[Mention] = [
        ("key", int(partner)) if partner >= 0 else ("response", place)
        for place, partner in enumerate(side.partner)
    ]
    found = _entities(side, names)
    for error in errors:
        _mend(analysis, error, found, names)
    return {entity: mentions for entity, mentions in found.items() if mentions}


def _mend(
    analysis: Analysis, error: int, found: Entities, names: list[Mention]
) -> None:
    errors = analysis.errors
    kind = KINDS[int(errors.kind[error])].name
    ours = {("key", each) for each in _members(errors.key_mentions, error)}
    theirs = {names[each] for each in _members(errors.response_mentions, error)}
    entity = int(errors.response_entity[error])
    new: set[Mention] = set()
    homes = [*analysis._home.tolist(), -1]
    home = found.get(homes[errors.key_entity[error]], new)
    if kind == "span":
        found[entity] = found[entity] - theirs | ours
    elif kind.startswith("missing"):
        home |= ours
    else:
        found[entity] -= theirs
        if kind == "conflated-entity":
            new |= theirs
        elif not kind.startswith("extra"):
            home |= theirs
    found[-2 - error] = new


def by_document(
    analysis: Analysis, entities: Entities
) -> dict[str, list[list[Mention]]]:
    """Sort entities into their documents."""
    found: dict[str, list[list[Mention]]] = {name: [] for name in analysis.documents}
    for mentions in entities.values():
        role, place = next(iter(mentions))
        side = analysis.key if role == "key" else analysis.response
        document = analysis.documents[int(side.document[place])]
        found[document].append(sorted(mentions))
    return found


def json_lines(analysis: Analysis, entities: Entities) -> str:
    """Write entities of spans."""
    lines = []
    for name, clusters in by_document(analysis, entities).items():
        spans = [[_span(analysis, each) for each in cluster] for cluster in clusters]
        lines.append(json.dumps({"doc_key": name, "clusters": spans}))
    return "\n".join(lines)


def _span(analysis: Analysis, mention: Mention) -> list[int]:
    number = ("key", "response").index(mention[0])
    side, corpus = (analysis.key, analysis.response)[number], analysis._corpora[number]
    row = side.row[mention[1]]
    return [int(corpus.mention_start[row]), int(corpus.mention_end[row])]


def _entities(side: AnalysedSide, names: list[Mention]) -> Entities:
    found: Entities = {}
    for entity, name in zip(side.entity.tolist(), names, strict=True):
        found.setdefault(entity, set()).add(name)
    return found


def _places(side: AnalysedSide) -> list[int]:
    return [*range(len(side.row))]


def _members(sets: WordSets, row: int) -> list[int]:
    found: list[int] = sets.member[sets.start[row] : sets.start[row + 1]].tolist()
    return found

"""Entities that stand for several others: "Ada … Bob … they".

Such a plural is an additional mention of its entity: the set of the entities that it
stands for. A plural of plurals stands for the entities that these stand for. Two
plurals are equal if their elements have the same mentions. Entities of one side that
have equal plurals are one entity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.matching.ragged import Ragged
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.model import Anaphora, Corpus, Ints

    Elements = frozenset[tuple[int, ...]]


class Plurals(NamedTuple):
    """The plurals of one side, in the order of their entities.

    ``identity`` is the same for equal plurals, on either side. The elements of plural
    ``row`` are rows of ``mentions``, which lists the mentions of each by number.
    """

    entity: Ints
    identity: Ints
    elements: Ragged
    mentions: Ragged


def find_plurals(
    corpus: Corpus, anaphora: Anaphora | None, number: Ints, known: dict[Elements, int]
) -> tuple[Plurals, Ints, list[Note]]:
    """Return the plurals, the entity into which each entity is merged, and notes.

    Args:
        corpus: one side.
        anaphora: its plurals; None if the scheme does not score them.
        number: the numbers of its mentions, the same on both sides.
        known: all plurals so far, of either side, with their identities.
    """
    groups, cyclic = _elements_of(anaphora) if anaphora else ({}, [])
    is_scored = corpus.entity_document >= 0
    groups = {plural: leaves for plural, leaves in groups.items() if is_scored[plural]}
    mentions = _mentions_of(corpus, number, groups)
    merged = np.arange(len(corpus.entity_document))
    first: dict[int, int] = {}
    rows: list[tuple[int, int, list[int]]] = []
    for entity, elements in sorted(groups.items()):
        # Two elements with the same mentions are one.
        distinct = {mentions[element]: element for element in reversed(elements)}
        identity = known.setdefault(frozenset(distinct), len(known))
        owner = first.setdefault(identity, entity)
        merged[entity] = owner
        if owner == entity:
            rows.append((entity, identity, sorted(distinct.values())))
    row_of = {element: row for row, element in enumerate(mentions)}
    plurals = Plurals(
        entity=np.array([entity for entity, _, _ in rows], dtype=np.int64),
        identity=np.array([identity for _, identity, _ in rows], dtype=np.int64),
        elements=_ragged([row_of[leaf] for leaf in leaves] for _, _, leaves in rows),
        mentions=_ragged(mentions.values()),
    )
    notes = [*(anaphora.notes if anaphora else ()), *_notes(corpus, cyclic, merged)]
    return plurals, merged, notes


def _elements_of(anaphora: Anaphora) -> tuple[dict[int, list[int]], list[int]]:
    """Follow plurals of plurals down to entities that stand for themselves.

    An entity that does not refer stands for no others, as in the official scorer. An
    entity that is an element of itself is skipped and reported.
    """
    parts: dict[int, list[int]] = {}
    for plural, element in zip(
        anaphora.plural.tolist(), anaphora.element.tolist(), strict=True
    ):
        if anaphora.is_referring[plural]:
            parts.setdefault(plural, []).append(element)
    groups, cyclic = {}, []
    for plural in parts:
        leaves, is_cyclic = _leaves(plural, parts)
        if is_cyclic or not leaves:
            cyclic.append(plural)
        if leaves:
            groups[plural] = leaves
    return groups, cyclic


def _leaves(plural: int, parts: dict[int, list[int]]) -> tuple[list[int], bool]:
    """Return the entities that a plural stands for in the end; is it one of them?"""
    seen, leaves = {plural}, []
    waiting = parts[plural].copy()
    for entity in waiting:
        if entity in seen:
            continue
        seen.add(entity)
        waiting += parts.get(entity, [])
        if entity not in parts:
            leaves.append(entity)
    return leaves, plural in waiting


def _mentions_of(
    corpus: Corpus, number: Ints, groups: dict[int, list[int]]
) -> dict[int, tuple[int, ...]]:
    """List all mentions of every element, including those that the scheme drops."""
    elements = sorted({leaf for leaves in groups.values() for leaf in leaves})
    start = np.searchsorted(corpus.mention_entity, elements, side="left").tolist()
    end = np.searchsorted(corpus.mention_entity, elements, side="right").tolist()
    return {
        element: tuple(number[first:last].tolist())
        for element, first, last in zip(elements, start, end, strict=True)
    }


def _ragged(rows: Iterable[Iterable[int]]) -> Ragged:
    lists = [list(row) for row in rows]
    start = np.cumsum([0, *map(len, lists)])
    flat = [value for row in lists for value in row]
    return Ragged(start, np.array(flat, dtype=np.int64))


def _notes(corpus: Corpus, cyclic: list[int], merged: Ints) -> list[Note]:
    notes = []
    if cyclic:
        count, first = len(set(cyclic)), corpus.entity_label[min(cyclic)]
        entities = counted(
            count, "split antecedent contains", "split antecedents contain"
        )
        message = (
            f"{WARNING}{corpus.source}: {entities} a cycle (first: {first}). The "
            "elements of the cycle were skipped."
        )
        notes.append(Note("element-cycles", count, message))
    again = np.flatnonzero(merged != np.arange(len(merged)))
    if len(again):
        first = corpus.entity_label[int(again[0])]
        entities = counted(len(again), "split antecedent has", "split antecedents have")
        message = (
            f"{WARNING}{corpus.source}: {entities} the same elements as an earlier one "
            f"(first: {first}). They were merged."
        )
        notes.append(Note("merged-plurals", len(again), message))
    return notes

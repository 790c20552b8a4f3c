"""Rules about mentions: listed twice, crossing each other or a sentence's end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.formats import JSON_LINES
from scoref.rules import (
    CROSSING_MENTIONS,
    DUPLICATE_MENTION,
    EXCLUSIVE_ENDS,
    MENTION_IN_TWO_ENTITIES,
    SENTENCE_CROSSING,
    TOO_MANY_OVERLAPS,
)
from scoref.tools.check.crossing import crossing_pairs
from scoref.tools.check.duplicates import removal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.model import Ints
    from scoref.tools.check.problems import Problem
    from scoref.tools.check.views import View

_FEW = 10


def repetitions(view: View) -> Iterator[int]:
    """List mentions that their entity has listed before."""
    for rows in _groups(view.number):
        seen: set[int] = set()
        for row in rows:
            entity = int(view.corpus.mention_entity[row])
            if entity in seen:
                yield row
            seen.add(entity)


def listed_again(view: View) -> Iterator[Problem]:
    """Find mentions that stand twice in an entity, or in two entities."""
    for rows in _groups(view.number):
        first: dict[int, int] = {}
        for row in rows:
            entity = int(view.corpus.mention_entity[row])
            if entity in first:
                yield _twice(view, row)
            elif first:
                yield _in_two(view, row, next(iter(first.values())))
            first.setdefault(entity, row)


def _groups(number: Ints) -> Iterator[list[int]]:
    """List rows of the same number, where there are several."""
    order = np.argsort(number, kind="stable")
    starts = np.flatnonzero(np.diff(number[order], prepend=-1))
    length = np.diff(starts, append=len(number))
    for start, count in zip(
        starts[length > 1].tolist(), length[length > 1].tolist(), strict=True
    ):
        yield order[start : start + count].tolist()


def _twice(view: View, row: int) -> Problem:
    return view.problem(
        DUPLICATE_MENTION,
        row,
        f"entity {view.label(row)} lists {view.words(row)} a second time",
        "list a mention once: scorers differ in what they make of two, and the "
        "reference scorer refuses more than 10",
        can_fix=removal(view, row) is not None,
    )


def _in_two(view: View, row: int, first: int) -> Problem:
    return view.problem(
        MENTION_IN_TWO_ENTITIES,
        row,
        f"{view.words(row)} is in entity {view.label(row)} and in entity "
        f"{view.label(first)}",
        "a mention belongs to one entity: take it out of one, or merge them",
    )


def crossing(view: View) -> Iterator[Problem]:
    """Find mentions of one entity that overlap, neither of them inside the other."""
    for row, other in crossing_pairs(view.corpus):
        if other is None:
            yield view.problem(
                TOO_MANY_OVERLAPS,
                row,
                f"the mentions of entity {view.label(row)} overlap in so many ways "
                "that it was not checked which of them cross",
                "mentions of one entity are apart, or one is inside the other",
            )
        else:
            yield _crossed(view, row, other)


def _crossed(view: View, row: int, other: int) -> Problem:
    return view.problem(
        CROSSING_MENTIONS,
        row,
        f"{view.words(row)} crosses {view.words(other)} of the same entity "
        f"{view.label(row)}",
        "mentions of one entity are apart, or one is inside the other",
    )


def over_sentences(view: View) -> Iterator[Problem]:
    """Find mentions that start in one sentence and end in another."""
    if view.layout is None or view.ends is None:
        return
    first, last = (view.layout.sentence[rows] for rows in view.ends)
    for row in np.flatnonzero(first != last).tolist():
        yield view.problem(
            SENTENCE_CROSSING,
            row,
            f"{view.words(row)}, of entity {view.label(row)}, goes over the end of a "
            "sentence",
            "a mention ends in the sentence in which it starts",
        )


def exclusive_ends(view: View) -> Iterator[Problem]:
    """Suspect offsets whose end is not meant to be part of the mention."""
    corpus = view.corpus
    count = len(corpus.mention_start)
    if view.format != JSON_LINES or count < _FEW:
        return
    if (corpus.mention_start < corpus.mention_end).all():
        row = int(np.argmin(corpus.mention_line))
        yield view.problem(
            EXCLUSIVE_ENDS,
            row,
            f"none of {count} mentions has one token only",
            "the end is part of the mention: [7, 7] is one token; if yours are as "
            "in Python's slices, subtract 1",
        )

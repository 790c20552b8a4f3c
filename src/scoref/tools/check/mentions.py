"""Rules about mentions, entities and zeros, and the removal of repeated mentions.

Two mentions of an entity cross if they overlap and neither is inside the other. For
each mention that crosses earlier ones, the first of these is reported. Mentions are
sorted in the order of the text, longer ones first. A mention without gaps is crossed by
a later one that starts inside it and ends after it. A tree of ends finds such pairs, so
that thousands of nested mentions are not compared one by one. If a mention of an entity
has gaps, the entity's mentions are compared as sets.

Brackets of one entity at one token are interchangeable. To remove a mention that is
listed twice, it is enough to remove one bracket that opens it and one that closes it,
or one that does both. CorefUD brackets have fields, and are removed only if all
brackets that open there have the same fields.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import TooLargeError
from scoref.formats.catalogue import CONLL_2012, COREFUD, JSON_LINES
from scoref.matching.ragged import Ragged, Runs, count_shared
from scoref.rules import (
    CROSSING_MENTIONS,
    DUPLICATE_MENTION,
    EMPTY_ENTITY,
    EXCLUSIVE_ENDS,
    MENTION_IN_TWO_ENTITIES,
    ONLY_SINGLETONS,
    SENTENCE_CROSSING,
    TOO_MANY_OVERLAPS,
    ZERO_WITHOUT_DEPS,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.model import Corpus, Ints
    from scoref.tools.check.checked_corpus import View
    from scoref.tools.check.problems import Problem


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


_NOBODY = 1 << 62


def crossing_pairs(corpus: Corpus) -> Iterator[tuple[int, int | None]]:
    """Give mentions and the first that each crosses; None: an entity has too many."""
    entity, start, end = corpus.mention_entity, corpus.mention_start, corpus.mention_end
    order = np.lexsort((-end, start, entity))
    has_gaps = _has_gaps(corpus)
    bounds = np.flatnonzero(np.diff(entity[order], prepend=-1, append=-1))
    for rows in np.split(order, bounds[1:-1]) if len(order) else ():
        if not _overlap(start[rows], end[rows]):
            continue
        if has_gaps[rows].any():
            yield from _of_sets(corpus, rows)
        else:
            for row, other in _of_spans(start[rows], end[rows]):
                yield int(rows[row]), int(rows[other])


def _overlap(start: Ints, end: Ints) -> bool:
    """Tell whether any two overlap; they are in the order of the text."""
    return bool((np.maximum.accumulate(end)[:-1] >= start[1:]).any())


def _has_gaps(corpus: Corpus) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    words = corpus.words
    if words is None:
        return np.zeros(len(corpus.mention_entity), dtype=np.bool_)
    runs = Runs.of(Ragged(words.start, words.member))
    return np.bincount(runs.owner, minlength=len(words.head)) > 1


def _of_spans(start: Ints, end: Ints) -> Iterator[tuple[int, int]]:
    """Find who ends inside a span that started before it, and does not end with it."""
    ends, rank = np.unique(end, return_inverse=True)
    # Ends from the start of a span to the one before its own.
    low = np.searchsorted(ends, start).tolist()
    before = np.searchsorted(start, start).tolist()
    earliest, added = _Earliest(len(ends)), 0
    ranks = rank.tolist()
    for row, high in enumerate(ranks):
        while added < before[row]:
            earliest.add(ranks[added], added)
            added += 1
        other = earliest.between(low[row], high)
        if other is not None:
            yield row, other


def _of_sets(corpus: Corpus, rows: Ints) -> Iterator[tuple[int, int | None]]:
    words = corpus.words
    assert words is not None
    sets = Ragged(words.start, words.member).take(rows)
    try:
        one, other, common = count_shared(sets, sets)
    except TooLargeError:
        yield int(rows[0]), None
        return
    crosses = (other < one) & (
        common < np.minimum(sets.length[one], sets.length[other])
    )
    found, first = np.unique(one[crosses], return_index=True)
    for row, earlier in zip(
        found.tolist(), other[crosses][first].tolist(), strict=True
    ):
        yield int(rows[row]), int(rows[earlier])


class _Earliest:
    """A tree over ends: the first mention that has one of some ends."""

    def __init__(self, ends: int) -> None:
        self._size = 1 << max(0, ends - 1).bit_length()
        self._first = [_NOBODY] * (2 * self._size)

    def add(self, end: int, mention: int) -> None:
        """Add a mention; mentions are added in their order."""
        place = end + self._size
        while place and self._first[place] == _NOBODY:
            self._first[place] = mention
            place //= 2

    def between(self, low: int, high: int) -> int | None:
        """Find the first mention with an end from ``low`` to the one below ``high``."""
        found = _NOBODY
        low, high = low + self._size, high + self._size
        while low < high:
            if low % 2:
                found = min(found, self._first[low])
                low += 1
            if high % 2:
                high -= 1
                found = min(found, self._first[high])
            low, high = low // 2, high // 2
        return None if found == _NOBODY else found


_BRACKET = re.compile(r"\([^()|]+\)?|[^()|]+\)")

_ENTITY = re.compile(r"(?<=[\t|]Entity=)[^|\t]*(?=[^\t]*$)")


class Removal(NamedTuple):
    """A bracket that goes, and its line, counted from 1."""

    line: int
    bracket: str


def removal(view: View, mention: int) -> list[Removal] | None:
    """Find the brackets of a mention that is listed twice; None if they differ."""
    if view.format == JSON_LINES:
        return []
    if view.format not in {CONLL_2012, COREFUD} or view.ends is None:
        return None
    assert view.layout is not None
    first, last = (int(view.layout.line[int(rows[mention])]) for rows in view.ends)
    label = view.label(mention)
    starting = _brackets(view, first)[label]
    if first == last and len(starting.whole) > 1:
        return [Removal(first, starting.whole[-1])] if starting.is_uniform else None
    if first == last and starting.whole and view.format == CONLL_2012:
        return [Removal(first, starting.whole[-1])]
    if len(starting.opening) != 1 or not _brackets(view, last)[label].is_closed:
        return None
    return [Removal(first, *starting.opening), Removal(last, f"{label})")]


class LineBrackets:
    """The brackets of one entity in a line: whole ones, and different opening ones."""

    def __init__(self) -> None:
        self.whole: list[str] = []
        self.is_uniform = True
        self.opening: set[str] = set()
        self.is_closed = False

    def add(self, bracket: str) -> None:
        """Add a bracket that starts a mention."""
        if bracket.endswith(")"):
            self.is_uniform &= bracket == (self.whole or [bracket])[0]
            self.whole.append(bracket)
        else:
            self.opening.add(bracket)


def without(text: str, bracket: str, format_name: str) -> str:
    """Take a bracket out of the annotation of a line.

    >>> without("w (0)|(1)|(0)", "(0)", "conll-2012")
    'w (0)|(1)'
    """
    start, end = _annotation(text, format_name)
    found = [
        each.span()
        for each in _BRACKET.finditer(text, start, end)
        if each[0] == bracket
    ]
    if not found:
        return text
    at, to = found[-1]
    left = text[start:at].rstrip("|")
    right = text[to:end].lstrip("|")
    bar = "|" if left and right and "|" in text[start:end] else ""
    return f"{text[:start]}{left}{bar}{right}{text[end:]}"


def _brackets(view: View, line: int) -> defaultdict[str, LineBrackets]:
    """Sort the brackets of a line by entity, once for all that are asked for."""
    if line not in view.brackets:
        text = view.listing.text(line)
        found = view.brackets[line] = defaultdict(LineBrackets)
        for bracket in _BRACKET.findall(text, *_annotation(text, view.format)):
            if not bracket.startswith("("):
                found[bracket[:-1]].is_closed = True
            elif (label := _label(bracket, view)) is not None:
                found[label].add(bracket)
    return view.brackets[line]


def _annotation(text: str, format_name: str) -> tuple[int, int]:
    """Find the part of a line that has the brackets."""
    if format_name == COREFUD:
        found = list(_ENTITY.finditer(text))
        return found[-1].span() if found else (0, 0)
    stripped = text.rstrip()
    tab = stripped.rfind("\t")
    if tab >= 0:
        return tab + 1, len(stripped)
    return len(stripped) - len(stripped.split()[-1]), len(stripped)


def _label(bracket: str, view: View) -> str | None:
    """Give the entity of a bracket that opens; in CorefUD it is one of the fields."""
    name = bracket[1:].removesuffix(")")
    if view.format == CONLL_2012:
        return name
    fields = name.split("-")
    return fields[view.entity_field] if view.entity_field < len(fields) else None


_DEPS = 8


def sizes(corpus: Corpus) -> Ints:
    """Count the mentions of each entity; one that does not refer has none."""
    count = np.bincount(corpus.mention_entity, minlength=len(corpus.entity_label))
    if corpus.anaphora is None:
        return count
    return np.where(corpus.anaphora.is_referring, count, 0)


def sized(view: View) -> Iterator[Problem]:
    """Find entities without mentions, and files in which nothing corefers."""
    corpus = view.corpus
    count = sizes(corpus)
    if view.format == JSON_LINES and view.is_whole:
        for entity in np.flatnonzero(count == 0).tolist():
            document = int(corpus.entity_document[entity])
            yield view.listing.problem(
                EMPTY_ENTITY,
                f"entity {corpus.entity_label[entity]} has no mention",
                int(corpus.document_line[document]),
                hint="leave it out",
                can_fix=True,
            )
    if count.max(initial=0) == 1 and view.way.layer == "identity":
        yield view.listing.problem(
            ONLY_SINGLETONS,
            f"none of {int(count.sum())} entities has more than one mention",
            hint="nothing corefers: MUC has nothing to count, and schemes that drop "
            "singletons drop all",
        )


def zeros(view: View) -> Iterator[Problem]:
    """Find zeros that cannot be matched by their dependencies."""
    words = view.corpus.words
    if view.format != COREFUD or words is None or view.layout is None:
        return
    assert view.layout.code is not None
    lonely = [node for node, found in words.dependencies.items() if not found]
    rows = np.flatnonzero(np.isin(view.layout.code, lonely))
    for line in view.layout.line[rows].tolist():
        cells = view.listing.text(line).split("\t")
        at = sum(len(cell) + 1 for cell in cells[:_DEPS])
        yield view.listing.problem(
            ZERO_WITHOUT_DEPS,
            "this zero is a mention, but depends on nothing",
            line,
            (at, at + 1),
            hint="the ninth column, DEPS, says on what: 3:nsubj",
        )

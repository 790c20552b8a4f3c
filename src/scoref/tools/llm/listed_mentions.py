"""The places of mentions that an answer lists by their words or offsets.

Offsets say where a mention is. Words may occur at several places, and several entities
may list the same words. The rule below does not depend on the order of entities. It
uses the order of mentions inside an entity, because models list them in the order of
the text.

1. If only one entity lists some words, and there are no more places than it lists, it
   gets these places.
2. All other places are guesses. Each mention is looked for between the mentions of its
   entity that are listed before and after it: the first free place after the one, or
   the last free place ahead of the other. Of all mentions, the one that is closest to
   its neighbour gets its place first; then the others are looked for again.
3. A mention without a free place there gets the free place that is closest to its
   neighbour, anywhere in the text.

A place inside a longer mention that the same entity lists is used only if there is no
other place. If no mention of an entity has a place, the entity starts at the first free
place of the mention that it lists first.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.alignment.pieces import ZERO, cut
from scoref.tools.llm.json_clusters import Located

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.model import Ints
    from scoref.tools.llm.json_clusters import Place

    Words = tuple[str, ...]


class Range(NamedTuple):
    """A mention: its first piece, the one after its last, and its entity."""

    start: int
    end: int
    label: str


class UnplacedMention(NamedTuple):
    """A mention that is not in the text: its words in the answer, and its entity."""

    words: str
    label: str
    size: int = 1
    is_zero: bool = False

    @classmethod
    def of(cls, words: str, pieces: Sequence[str], label: str) -> UnplacedMention:
        """Count the pieces of a mention, and check whether it is an empty node."""
        is_zero = bool(pieces) and all(piece == ZERO for piece in pieces)
        return cls(words, label, max(1, len(pieces)), is_zero)


class ListedMentions(NamedTuple):
    """Mentions with and without a place, and how many places are guesses.

    ``other_words`` counts mentions whose offsets are not those of their words.
    """

    placed: list[Range]
    unplaced: list[UnplacedMention]
    guessed: int = 0
    other_words: int = 0


def place_mentions(
    clusters: Sequence[Sequence[Place]],
    pieces: Sequence[str],
    owner: Ints,
    *,
    with_zeros: bool = False,
) -> ListedMentions:
    """Place the mentions of entities in a text, whose pieces belong to tokens.

    >>> words = "She knew Ada . Bea slept until She woke".split()
    >>> clusters = [["Ada", "She"], ["Bea", "She"]]
    >>> listed = place_mentions(clusters, words, np.arange(len(words)))
    >>> [(start, label) for start, _, label in listed.placed], listed.guessed
    ([(0, '1'), (2, '1'), (4, '2'), (7, '2')], 2)
    """
    entities = [_Entity(str(number)) for number in range(1, len(clusters) + 1)]
    unplaced: list[UnplacedMention] = []
    starts, other_words = _Starts(pieces), 0
    for entity, cluster in zip(entities, clusters, strict=True):
        for mention in cluster:
            text = mention if isinstance(mention, str) else ""
            if isinstance(mention, Located):
                text = mention.words
            words = tuple(cut(text, with_zeros=with_zeros).text)
            place = None
            if not isinstance(mention, str):
                place = _pieces_of_tokens(*mention[:2], owner)
            if isinstance(mention, Located) and starts.of(words):
                is_other = not place or tuple(pieces[slice(*place)]) != words
                place = None if is_other else place
                other_words += is_other
            if place:
                entity.add_place(*place)
            elif starts.of(words):
                entity.add_words(text, words)
            else:
                shown = text or str(list(mention))
                unplaced.append(UnplacedMention.of(shown, words, entity.label))
    guessed = _Placement(entities, starts).run()
    placed = []
    for entity in entities:
        placed += sorted(entity.ranges())
        unplaced += entity.unplaced()
    return ListedMentions(placed, unplaced, guessed, other_words)


def _pieces_of_tokens(start: int, end: int, owner: Ints) -> tuple[int, int] | None:
    """Find the pieces of tokens; None if the text does not have these tokens."""
    if not 0 <= start <= end <= owner.max(initial=-1):
        return None
    first, after = np.searchsorted(owner, [start, end + 1]).tolist()
    return first, after


class _Starts:
    """The places where words start in a text."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._pieces = pieces
        self._places: dict[Words, list[int]] = {(): []}
        self._by_piece: dict[str, list[int]] = {}
        for place, piece in enumerate(pieces):
            self._by_piece.setdefault(piece, []).append(place)

    def of(self, words: Words) -> list[int]:
        """List the places of words, in order."""
        if words not in self._places:
            self._places[words] = [
                start
                for start in self._by_piece.get(words[0], ())
                if tuple(self._pieces[start : start + len(words)]) == words
            ]
        return self._places[words]


class _Entity:
    """The mentions of an entity in the order of its list, and their places so far."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.text: list[str] = []
        self.words: list[Words] = []
        self.place: list[tuple[int, int] | None] = []

    def add_words(self, text: str, words: Words) -> None:
        """Add a mention of which only the words are known."""
        self.text.append(text)
        self.words.append(words)
        self.place.append(None)

    def add_place(self, start: int, end: int) -> None:
        """Add a mention whose place is known."""
        self.text.append("")
        self.words.append(())
        self.place.append((start, end))

    def content(self) -> tuple[list[Words], list[tuple[int, int]]]:
        """Return what distinguishes this entity from others, to sort entities by."""
        return self.words, [place or (-1, -1) for place in self.place]

    def open_rows(self) -> list[int]:
        """List the mentions without a place."""
        return [row for row, place in enumerate(self.place) if place is None]

    def closest_open_rows(self, row: int) -> list[int]:
        """List the closest mentions without a place, before and after a row."""
        sides = range(row, -1, -1), range(row, len(self.place))
        closest = (
            next((other for other in side if self.place[other] is None), None)
            for side in sides
        )
        return [other for other in closest if other is not None]

    def is_in_order(self) -> bool:
        """Say whether the places so far are in the order of the text."""
        starts = [place[0] for place in self.place if place]
        return starts == sorted(starts)

    def neighbours(self, row: int) -> tuple[int, int]:
        """Find the mentions with a place that are listed next to one without."""
        before, after = row - 1, row + 1
        while before >= 0 and self.place[before] is None:
            before -= 1
        while after < len(self.place) and self.place[after] is None:
            after += 1
        return before, after

    def ranges(self) -> Iterable[Range]:
        """Return the mentions that have a place."""
        return (Range(*place, self.label) for place in self.place if place)

    def unplaced(self) -> list[UnplacedMention]:
        """Return the mentions that do not have a place."""
        return [
            UnplacedMention.of(self.text[row], self.words[row], self.label)
            for row in self.open_rows()
        ]


class _Step(NamedTuple):
    """A mention and a possible place for it; the smallest step is done first."""

    distance: int
    is_ahead: bool
    start: int
    entity: int
    row: int
    number: int  # of the place among those of the words


class _Placement:
    """The search for places of all entities, which does not depend on their order."""

    def __init__(self, entities: list[_Entity], starts: _Starts) -> None:
        self._entities = sorted(entities, key=_Entity.content)
        all_words = {words for entity in entities for words in entity.words}
        taken = {place for entity in entities for place in entity.place}
        self._starts = {words: starts.of(words) for words in all_words}
        self._is_free = {
            words: [(start, start + len(words)) not in taken for start in places]
            for words, places in self._starts.items()
        }
        self._first_free: dict[Words, int] = {}
        self._nested = [self._nested_starts(entity) for entity in self._entities]

    def _nested_starts(self, entity: _Entity) -> dict[Words, set[int]]:
        """Find where words are part of a longer mention that the same entity lists."""
        by_length = sorted({*entity.words}, key=len)
        return {
            words: {
                start + offset
                for longer in by_length[number + 1 :]
                for offset in range(len(longer) - len(words) + 1)
                if words != longer and longer[offset : offset + len(words)] == words
                for start in self._starts[longer]
            }
            for number, words in enumerate(by_length)
        }

    def run(self) -> int:
        """Place as many mentions as possible, and count the guesses."""
        self._place_certain()
        guessed = self._guess_all()
        for nested in self._nested:
            nested.clear()
        return guessed + self._guess_all()

    def _guess_all(self) -> int:
        """Place mentions near others of their entity, then start another entity."""
        count, changed = 0, list(range(len(self._entities)))
        while True:
            count += self._guess(changed, in_order=True)
            count += self._guess(changed, in_order=False)
            first = self._first_step()
            if first is None:
                return count
            self._take(first.entity, first.row, first.number)
            count, changed = count + 1, [first.entity]

    def _place_certain(self) -> None:
        """Place words that one entity lists at least as often as they occur."""
        owners_of: dict[Words, dict[int, list[int]]] = {}
        for entity, mentions in enumerate(self._entities):
            for row in mentions.open_rows():
                owners = owners_of.setdefault(mentions.words[row], {})
                owners.setdefault(entity, []).append(row)
        for words, owners in owners_of.items():
            (owner, rows), *others = owners.items()
            numbers = range(len(self._starts[words]))
            free = [n for n in numbers if self._may_take(owner, words, n)]
            if not others and len(free) <= len(rows):
                for row, number in zip(rows, free, strict=False):
                    self._take(owner, row, number)

    def _may_take(self, entity: int, words: Words, number: int) -> bool:
        """Say whether a place is free and not inside a mention of the entity."""
        nested = self._nested[entity].get(words, ())
        return (
            self._is_free[words][number] and self._starts[words][number] not in nested
        )

    def _take(self, entity: int, row: int, number: int) -> None:
        words = self._entities[entity].words[row]
        start = self._starts[words][number]
        self._is_free[words][number] = False
        self._entities[entity].place[row] = start, start + len(words)

    def _guess(self, entities: list[int], *, in_order: bool) -> int:
        """Place mentions of entities, the closest first, and count them."""
        steps = [
            step
            for number in entities
            if any(self._entities[number].place)
            if self._entities[number].is_in_order() or not in_order
            for row in self._entities[number].open_rows()
            for step in self._steps(number, row, in_order=in_order)
        ]
        heapify(steps)
        count = 0
        while steps:
            step = heappop(steps)
            entity, row = step.entity, step.row
            if self._entities[entity].place[row] is not None:
                continue
            changed = [row]
            # The place may be taken by now, or a neighbour may have got a place.
            if self._steps(entity, row, in_order=in_order) == [step]:
                self._take(entity, row, step.number)
                count += 1
                # The closest mentions without a place have a new neighbour.
                changed = self._entities[entity].closest_open_rows(row)
            for other in changed:
                for new_step in self._steps(entity, other, in_order=in_order):
                    heappush(steps, new_step)
        return count

    def _steps(self, entity: int, row: int, *, in_order: bool) -> list[_Step]:
        """Return the step to the closest place of a mention, if there is one."""
        place = self._entities[entity].place
        before, after = self._entities[entity].neighbours(row)
        starts = self._starts[self._entities[entity].words[row]]
        low = place[before] if before >= 0 else None
        high = place[after] if after < len(place) else None
        first = bisect_right(starts, low[0]) if low else 0
        last = bisect_left(starts, high[0]) if high else len(starts)
        steps: list[_Step | None] = []
        if in_order:
            if low and before == row - 1:
                steps.append(self._step(entity, row, range(first, last), low[0]))
            if high and after == row + 1:
                backwards = range(last - 1, first - 1, -1)
                steps.append(self._step(entity, row, backwards, high[0]))
        elif origin := low or high:
            here = bisect_left(starts, origin[0])
            following = range(here, len(starts))
            steps.append(self._step(entity, row, following, origin[0]))
            backwards = range(here - 1, -1, -1)
            steps.append(self._step(entity, row, backwards, origin[0]))
        return sorted(step for step in steps if step)[:1]

    def _step(self, entity: int, row: int, numbers: range, origin: int) -> _Step | None:
        """Return the step to the first free one of some places."""
        words = self._entities[entity].words[row]
        for number in numbers:
            if self._may_take(entity, words, number):
                start = self._starts[words][number]
                distance = abs(start - origin)
                return _Step(distance, start < origin, start, entity, row, number)
        return None

    def _places_from_first_free(self, words: Words) -> range:
        """Return the places of words from the first free one on."""
        first, is_free = self._first_free.get(words, 0), self._is_free[words]
        while first < len(is_free) and not is_free[first]:
            first += 1
        self._first_free[words] = first
        return range(first, len(is_free))

    def _first_step(self) -> _Step | None:
        """Find the first place of an entity that does not have any place yet."""
        steps = []
        for number, entity in enumerate(self._entities):
            for row, words in enumerate(() if any(entity.place) else entity.words):
                places = self._places_from_first_free(words)
                if step := self._step(number, row, places, 0):
                    steps.append(step)
                    break
        return min(steps, default=None)

"""Answers in JSON that list mentions by offsets or by words, and where these are.

    {"tokens": ["Ada", "met", "him"], "clusters_token_offsets": [[[0, 0]], [[2, 2]]]}
    {"clusters": [["Ada", "she"], ["him"]]}
    {"Ada": ["Ada", "she"], "Charles": ["him"]}

The first form is the CRAC shared task's. An entity is any list of mentions, at any
depth. A mention is a text, a pair of offsets (both ends are part of it), or an object
with `start` and `end` or with `text`; objects in one list may name their own `cluster`.
If there are lists of offsets and lists of texts, offsets count. The answer may be
surrounded by other words, and may be cut off: all complete mentions are read.

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

import json
import re
from bisect import bisect_left, bisect_right
from heapq import heapify, heappop, heappush
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.alignment.pieces import ZERO, cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoref.model import Ints

    Words = tuple[str, ...]


_FENCED = re.compile(r"```[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)

_START = re.compile(r"^[ \t]*([\[{])", re.MULTILINE)

_PART = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)

_CLOSES = {"[": "]", "{": "}"}

_PREDICTED, _KEY = "predicted_clusters", "clusters"

_OFFSETS = ("clusters_token_offsets", _PREDICTED, _KEY)

_NO_CLUSTERS = {"tokens", "sentences", "text", "doc_id", "doc_key", "id"}

_TEXTS = ("text", "mention", "span", "string")

_LABELS = ("cluster", "cluster_id", "entity", "entity_id", "chain", "chain_id")

_NEXT = re.compile(r"[\s,]*(?=[\[{])")

_PAIR = 2

_LITERAL = len("false")

_TRIED = 50


class Located(NamedTuple):
    """A mention that has both offsets and words."""

    start: int
    end: int
    words: str


Place = tuple[int, int] | str | Located


class Clusters(NamedTuple):
    """Entities as lists of mentions; the text's tokens if the answer has them."""

    clusters: list[list[Place]]
    tokens: list[str] | None = None
    is_cut: bool = False


def find_clusters(answer: str) -> Clusters | None:
    """Find the JSON in an answer; None if there is none that lists mentions.

    >>> find_clusters('Sure: [["Ada", "she"], ["him"')
    Clusters(clusters=[['Ada', 'she'], ['him']], tokens=None, is_cut=True)
    """
    for text, start in _candidates(answer):
        value, is_cut = decode(text, start)
        if _has_no_prediction(value):
            return None  # the lists inside it are the key's
        if _is_part(value):
            value = _values(text, start)
        if found := clusters_of(value):
            return found._replace(is_cut=is_cut)
    return None


def _candidates(answer: str) -> Iterator[tuple[str, int]]:
    """Give the places where JSON may start: in fences first, then at brackets."""
    for fenced in _FENCED.finditer(answer):
        yield fenced[1].strip(), 0
    answer = answer.rstrip()
    for start in islice(_START.finditer(answer), _TRIED):
        yield answer, start.start(1)
    inside = re.search(r"[\[{]\s*[\[{\"]", answer)
    if inside:
        yield answer, inside.start()


def _is_part(value: object) -> bool:
    """Tell whether a value is one entity or one mention, so that others may follow."""
    if isinstance(value, dict):
        return _place(value) is not None or is_entity(value.get("mentions"))
    return is_entity(value)


def _values(text: str, start: int) -> object:
    """Read entities or mentions that follow each other, as in JSON lines."""
    found: list[object] = []
    decoder = json.JSONDecoder(object_pairs_hook=_unique_names)
    while next_value := _NEXT.match(text, start):
        try:
            value, start = decoder.raw_decode(text, next_value.end())
        except (ValueError, RecursionError):
            break
        found.append(value)
    return found if len(found) != 1 or isinstance(found[0], dict) else found[0]


class _RepeatedNameError(ValueError):
    """An object in which a name appears twice: one of its values would be lost."""


def _unique_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = dict(pairs)
    if len(names) < len(pairs):
        raise _RepeatedNameError
    return names


def decode(text: str, start: int = 0) -> tuple[object, bool]:
    """Read JSON, as far as it goes: the value, and whether it was cut off.

    An object in which a name appears twice is not read.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_unique_names)
    try:
        value, _ = decoder.raw_decode(text, start)
    except _RepeatedNameError:
        return None, False
    except json.JSONDecodeError as error:
        is_cut = "Unterminated" in error.msg or len(text) - error.pos < _LITERAL
        return (_decode_cut(text[start:]) if is_cut else None), True
    except RecursionError:
        return None, False
    return value, False


def _decode_cut(text: str) -> object:
    """Close what is still open behind the last value that is complete."""
    stack: list[str] = []
    end, closing = 0, ""
    for part in _PART.finditer(text):
        if part[0] in _CLOSES:
            stack.append(part[0])
            continue
        if part[0] in "]}":
            if not stack or _CLOSES[stack.pop()] != part[0]:
                return None
        elif not stack or stack[-1] != "[":
            continue  # a name, or what it stands for, which may not be all
        end = part.end()
        closing = "".join(_CLOSES[each] for each in reversed(stack))
    try:
        whole = text[:end] + closing
        return json.loads(whole, object_pairs_hook=_unique_names) if end else None
    except (ValueError, RecursionError):
        return None


def has_clusters(record: dict[str, object]) -> bool:
    """Tell whether an object is an answer itself."""
    return any(name in record for name in (*_OFFSETS, "clusters_text_mentions"))


def is_entity(value: object) -> bool:
    """Tell whether a value of JSON is a list of mentions."""
    return isinstance(value, list) and bool(value) and None not in map(_place, value)


def clusters_of(value: object) -> Clusters | None:
    """Find entities in a value of JSON; None if it does not list any.

    A list without entities says that there are none: `[]`, or `{"clusters": []}`.
    """
    tokens = value.get("tokens") if isinstance(value, dict) else None
    if not isinstance(tokens, list) or not all(isinstance(t, str) for t in tokens):
        tokens = None
    if _has_no_prediction(value):
        return None
    for name in _OFFSETS:
        if isinstance(value, dict) and isinstance(value.get(name), list | dict):
            value = value[name]
            break
    entities = list(_entities(value))
    return Clusters(entities, tokens) if entities or _is_empty(value) else None


def _has_no_prediction(value: object) -> bool:
    """Tell whether an object has the field for a response, but no list in it."""
    if not isinstance(value, dict):
        return False
    if _PREDICTED in value and not isinstance(value[_PREDICTED], list | dict):
        return True
    return any(map(_has_no_prediction, value.values()))


def _answer_fields(record: dict[str, object]) -> list[object]:
    """Return the values that may list entities of the answer.

    If an object has `predicted_clusters`, its `clusters` are the key.
    """
    left_out = _NO_CLUSTERS | ({_KEY} if _PREDICTED in record else set())
    return [item for name, item in record.items() if name not in left_out]


def _is_empty(value: object) -> bool:
    """Tell whether a value has lists, and nothing in any of them."""
    if isinstance(value, dict):
        fields = _answer_fields(value)
        lists = [item for item in fields if isinstance(item, dict | list)]
        return not value or (bool(lists) and all(map(_is_empty, lists)))
    return isinstance(value, list) and all(map(_is_empty, value))


def _entities(value: object) -> Iterator[list[Place]]:
    """Go down to the lists whose items are mentions."""
    if isinstance(value, dict):
        for item in _answer_fields(value):
            yield from _entities(item)
    elif isinstance(value, list):
        places = [_place(item) for item in value]
        found = [place for place in places if place is not None]
        if value and len(found) == len(value):
            yield from _by_label(value, found)
        else:
            for item, place in zip(value, places, strict=True):
                if place is None:
                    yield from _entities(item)


def _by_label(items: list[object], places: list[Place]) -> Iterator[list[Place]]:
    """Give one entity, or several if each mention says to which it belongs."""
    labels = [_label(item) for item in items]
    if None in labels:
        yield places
        return
    entities: dict[str | None, list[Place]] = {}
    for label, place in zip(labels, places, strict=True):
        entities.setdefault(label, []).append(place)
    yield from entities.values()


def _label(item: object) -> str | None:
    if not isinstance(item, dict):
        return None
    found = (item[name] for name in _LABELS if isinstance(item.get(name), str | int))
    return next((str(label) for label in found), None)


def _place(item: object) -> Place | None:
    """Tell whether something is a mention, and where."""
    if isinstance(item, str):
        return item
    if isinstance(item, list):
        is_pair = len(item) == _PAIR and all(type(each) is int for each in item)
        return (item[0], item[1]) if is_pair else None
    if not isinstance(item, dict):
        return None
    texts = [item[name] for name in _TEXTS if isinstance(item.get(name), str)]
    start, end = item.get("start"), item.get("end")
    if type(start) is int and type(end) is int:
        return Located(start, end, texts[0]) if texts else (start, end)
    return texts[0] if texts and "mentions" not in item else None


class Range(NamedTuple):
    """A mention: its first piece, the one after its last, and its entity."""

    start: int
    end: int
    label: str


class UnplacedMention(NamedTuple):
    """A mention that is not in the text: what the answer has, and its entity."""

    words: str
    label: str
    size: int = 1
    is_zero: bool = False

    @classmethod
    def of(cls, words: str, pieces: Sequence[str], label: str) -> UnplacedMention:
        """Count the pieces of a mention, and see whether it is an empty node."""
        is_zero = bool(pieces) and all(piece == ZERO for piece in pieces)
        return cls(words, label, max(1, len(pieces)), is_zero)


class ListedMentions(NamedTuple):
    """Mentions with a place, and those without; how many places are guesses.

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
    >>> found = place_mentions(clusters, words, np.arange(len(words)))
    >>> [(start, label) for start, _, label in found.placed], found.guessed
    ([(0, '1'), (2, '1'), (4, '2'), (7, '2')], 2)
    """
    entities = [_Entity(str(number)) for number in range(1, len(clusters) + 1)]
    unplaced: list[UnplacedMention] = []
    starts, other_words = _Starts(pieces), 0
    for entity, cluster in zip(entities, clusters, strict=True):
        for mention in cluster:
            text = _words_of(mention)
            words = tuple(cut(text, with_zeros=with_zeros).text)
            place = None if isinstance(mention, str) else _at(*mention[:2], owner)
            if isinstance(mention, Located) and starts.of(words):
                is_other = not place or tuple(pieces[slice(*place)]) != words
                place = None if is_other else place
                other_words += is_other
            if place:
                entity.list_place(*place)
            elif starts.of(words):
                entity.list_words(text, words)
            else:
                shown = text or str(list(mention))
                unplaced.append(UnplacedMention.of(shown, words, entity.label))
    guessed = _Placing(entities, starts).run()
    placed = []
    for entity in entities:
        placed += sorted(entity.ranges())
        unplaced += entity.unplaced()
    return ListedMentions(placed, unplaced, guessed, other_words)


def _words_of(mention: Place) -> str:
    """Return the words that a mention is given by, if there are any."""
    if isinstance(mention, Located):
        return mention.words
    return mention if isinstance(mention, str) else ""


def _at(start: int, end: int, owner: Ints) -> tuple[int, int] | None:
    """Find the pieces of tokens; None if the text does not have these tokens."""
    if not 0 <= start <= end <= owner.max(initial=-1):
        return None
    first, behind = np.searchsorted(owner, [start, end + 1]).tolist()
    return first, behind


class _Starts:
    """Where words start in a text."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._pieces = pieces
        self._known: dict[Words, list[int]] = {(): []}
        self._by_piece: dict[str, list[int]] = {}
        for place, piece in enumerate(pieces):
            self._by_piece.setdefault(piece, []).append(place)

    def of(self, words: Words) -> list[int]:
        """List the places of words, in order."""
        if words not in self._known:
            self._known[words] = [
                start
                for start in self._by_piece.get(words[0], ())
                if tuple(self._pieces[start : start + len(words)]) == words
            ]
        return self._known[words]


class _Entity:
    """The mentions of an entity in the order of its list, and their places so far."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.written: list[str] = []
        self.words: list[Words] = []
        self.place: list[tuple[int, int] | None] = []

    def list_words(self, written: str, words: Words) -> None:
        """Add a mention that is given by its words."""
        self.written.append(written)
        self.words.append(words)
        self.place.append(None)

    def list_place(self, start: int, end: int) -> None:
        """Add a mention that is given by its offsets."""
        self.written.append("")
        self.words.append(())
        self.place.append((start, end))

    def content(self) -> tuple[list[Words], list[tuple[int, int]]]:
        """Return what tells this entity from others, whatever their order is."""
        return self.words, [place or (-1, -1) for place in self.place]

    def open_rows(self) -> list[int]:
        """List the mentions without a place."""
        return [row for row, place in enumerate(self.place) if place is None]

    def is_in_order(self) -> bool:
        """Tell whether the places so far are in the order of the text."""
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
            UnplacedMention.of(self.written[row], self.words[row], self.label)
            for row in self.open_rows()
        ]


class _Step(NamedTuple):
    """A mention and a place for it; the smallest step is done first."""

    distance: int
    is_ahead: bool
    start: int
    entity: int
    row: int
    number: int  # of the place among those of the words


class _Placing:
    """All entities of an answer on their way to places, in an order of their own."""

    def __init__(self, entities: list[_Entity], starts: _Starts) -> None:
        self._entities = sorted(entities, key=_Entity.content)
        listed = {words for each in entities for words in each.words}
        taken = {place for each in entities for place in each.place}
        self._starts = {words: starts.of(words) for words in listed}
        self._is_free = {
            words: [(start, start + len(words)) not in taken for start in places]
            for words, places in self._starts.items()
        }
        self._first_free: dict[Words, int] = {}
        self._nested = [self._nested_starts(each) for each in self._entities]

    def _nested_starts(self, entity: _Entity) -> dict[Words, set[int]]:
        """Find where words are part of a longer mention that the same entity lists."""
        listed = sorted({*entity.words}, key=len)
        return {
            words: {
                start + offset
                for longer in listed[number + 1 :]
                for offset in range(len(longer) - len(words) + 1)
                if words != longer and longer[offset : offset + len(words)] == words
                for start in self._starts[longer]
            }
            for number, words in enumerate(listed)
        }

    def run(self) -> int:
        """Place what can be placed, and count the guesses."""
        self._place_certain()
        guessed = self._guess_all()
        for nested in self._nested:
            nested.clear()
        return guessed + self._guess_all()

    def _guess_all(self) -> int:
        """Place mentions near others of their entity; then start another entity."""
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
        rows: dict[Words, dict[int, list[int]]] = {}
        for number, entity in enumerate(self._entities):
            for row in entity.open_rows():
                owners = rows.setdefault(entity.words[row], {})
                owners.setdefault(number, []).append(row)
        for words, owners in rows.items():
            (owner, listed), *others = owners.items()
            numbers = range(len(self._starts[words]))
            free = [each for each in numbers if self._may_take(owner, words, each)]
            if not others and len(free) <= len(listed):
                for row, place in zip(listed, free, strict=False):
                    self._take(owner, row, place)

    def _may_take(self, entity: int, words: Words, number: int) -> bool:
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
                changed = self._open_beside(entity, row)
            for other in changed:
                for found in self._steps(entity, other, in_order=in_order):
                    heappush(steps, found)
        return count

    def _open_beside(self, entity: int, row: int) -> list[int]:
        """Find the closest mentions of a list, on either side, without a place."""
        place = self._entities[entity].place
        before = next((each for each in range(row, -1, -1) if place[each] is None), -1)
        after = next((each for each in range(row, len(place)) if not place[each]), -1)
        return [each for each in (before, after) if each >= 0]

    def _steps(self, entity: int, row: int, *, in_order: bool) -> list[_Step]:
        """Find the closest place of a mention; none if there is none."""
        place = self._entities[entity].place
        before, after = self._entities[entity].neighbours(row)
        starts = self._starts[self._entities[entity].words[row]]
        low = place[before] if before >= 0 else None
        high = place[after] if after < len(place) else None
        first = bisect_right(starts, low[0]) if low else 0
        last = bisect_left(starts, high[0]) if high else len(starts)
        found: list[_Step | None] = []
        if in_order:
            if low and before == row - 1:
                found.append(self._step(entity, row, range(first, last), low[0]))
            if high and after == row + 1:
                backwards = range(last - 1, first - 1, -1)
                found.append(self._step(entity, row, backwards, high[0]))
        elif origin := low or high:
            here = bisect_left(starts, origin[0])
            following = range(here, len(starts))
            found.append(self._step(entity, row, following, origin[0]))
            backwards = range(here - 1, -1, -1)
            found.append(self._step(entity, row, backwards, origin[0]))
        return sorted(step for step in found if step)[:1]

    def _step(self, entity: int, row: int, numbers: range, origin: int) -> _Step | None:
        """Go to the first free place of some."""
        words = self._entities[entity].words[row]
        for number in numbers:
            if self._may_take(entity, words, number):
                start = self._starts[words][number]
                distance = abs(start - origin)
                return _Step(distance, start < origin, start, entity, row, number)
        return None

    def _from_first_free(self, words: Words) -> range:
        """Number the places of words from the first free one on."""
        first, is_free = self._first_free.get(words, 0), self._is_free[words]
        while first < len(is_free) and not is_free[first]:
            first += 1
        self._first_free[words] = first
        return range(first, len(is_free))

    def _first_step(self) -> _Step | None:
        """Find the first place of an entity that does not have any place yet."""
        found = []
        for number, entity in enumerate(self._entities):
            for row, words in enumerate(() if any(entity.place) else entity.words):
                if step := self._step(number, row, self._from_first_free(words), 0):
                    found.append(step)
                    break
        return min(found, default=None)

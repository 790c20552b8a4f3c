"""Mentions of a document in JSON, converted from offsets to runs of tokens.

Offsets count words or characters, in the document or in a sentence, and the end may be
part of the mention or not. If a file has the text of its mentions, it is compared, and
the first difference shows that the offsets are counted in another way.

For offsets of characters, the text is cut at blanks and where a mention starts or ends,
so that every mention is a run of whole tokens. Characters are code points, as in
Python. Tools that count UTF-16 units or bytes are recognised from the texts of their
mentions.
"""

from __future__ import annotations

from itertools import chain, compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.model import Texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from scoref.model import DocumentName, Ints

    Span = tuple[int, ...]
    Runs = tuple[Ints, Ints]
    Spans = tuple[Ints, Ints]


_PAIR = 2

_HUGE = 1 << 60

_SHOWN = 60

_OTHER_TEXT = "the text must be the one that the offsets are for"

_SHIFTS = {
    "the last word seems to be part of mentions; ends must lie behind it": (0, 1),
    "ends seem to lie behind mentions; the last word must be part of them": (0, -1),
    "words seem to be counted from 1; count from 0": (-1, -1),
}


class JsonEntity(NamedTuple):
    """The mentions of an entity, as they stand in the JSON; some may be null.

    Args:
        label: what to call it.
        spans: first and last; with the sentence before them if they are counted by it.
        path: where they stand in the JSON.
        said: the text of each mention, if the file gives it.
        paths: where each stands, if not at ``path[0]``, ``path[1]`` and so on.
    """

    label: str
    spans: Sequence[Span | None]
    path: str
    said: Sequence[str | None] | None = None
    paths: Sequence[str] | None = None

    def place(self, row: int) -> str:
        """Say where a mention stands."""
        return f"{self.path}[{row}]" if self.paths is None else self.paths[row]


def numbered(
    clusters: Sequence[Sequence[Span | None]],
    path: str,
    said: Sequence[Sequence[str | None]] | None = None,
) -> list[JsonEntity]:
    """Make entities of lists of mentions, with the texts of these as far as there are.

    >>> numbered([[(0, 3)]], "clusters")[0].place(0)
    'clusters[0][0]'
    """
    texts = said or []
    return [
        JsonEntity(
            str(row), spans, f"{path}[{row}]", _all(texts[row : row + 1], len(spans))
        )
        for row, spans in enumerate(clusters)
    ]


def _all(
    said: Sequence[Sequence[str | None]], count: int
) -> Sequence[str | None] | None:
    """Give the texts of so many mentions, none where they are not as many."""
    return said[0] if said and len(said[0]) == count else None


class JsonDocument(NamedTuple):
    """What a format makes of a record: words by sentence, or else a text.

    Args:
        name: none if the file does not say.
        entities: with offsets of words, or of characters of a text.
        sentences: the words.
        text: given instead of words; its characters are counted.
        is_end_included: whether the last word or character is part of a mention.
        spelt: the words as texts of mentions may spell them, if that differs.
        borders: where a text is to be cut, beside blanks and mentions.
        counts: what is to be noted, by its kind.
        missing: the field that should hold the entities, if the document lacks it.
    """

    name: DocumentName | None
    entities: Sequence[JsonEntity]
    sentences: Sequence[Sequence[str]] = ()
    text: str | None = None
    is_end_included: bool = True
    spelt: Sequence[Sequence[str]] | None = None
    borders: Iterable[int] = ()
    counts: Mapping[str, int] = {}
    missing: str = ""


class Misplaced(Exception):  # noqa: N818 - readers make an error of it
    """Something in a document that cannot be, and its place in the JSON."""

    def __init__(self, path: str, problem: str, hint: str = "") -> None:
        super().__init__(problem)
        self.path = path
        self.problem = problem
        self.hint = hint


class PlacedDocument(NamedTuple):
    """A document in tokens: entities, their mentions, and what has no place in it.

    A mention is a row of ``entity``, ``first`` and ``last``.
    """

    word: Texts
    sentence: Ints
    labels: list[str]
    entity: Ints
    first: Ints
    last: Ints
    misplaced: list[Misplaced]
    nulls: int


class _Mentions(NamedTuple):
    """Mentions by the first word or character and the one behind the last.

    ``row`` is their place among those of their entity.
    """

    entity: Ints
    row: Ints
    start: Ints
    end: Ints

    @classmethod
    def of(cls, document: JsonDocument) -> _Mentions:
        """Count mentions in the whole document; null is none."""
        counts = np.array(
            [len(each.spans) for each in document.entities], dtype=np.int64
        )
        listed = list(chain.from_iterable(each.spans for each in document.entities))
        entity = np.repeat(np.arange(len(counts)), counts)
        row = np.arange(len(listed)) - np.repeat(np.cumsum(counts) - counts, counts)
        if None in listed:
            there = [place for place, span in enumerate(listed) if span is not None]
            entity, row = entity[there], row[there]
        spans = _array([span for span in listed if span is not None])
        return cls(entity, row, *_in_document(spans, document))

    def where(self, kept: NDArray[np.bool_]) -> _Mentions:
        """Keep some of them."""
        return _Mentions(*(column[kept] for column in self))


def placed(document: JsonDocument) -> PlacedDocument:
    """Find the tokens of mentions, and see that they are what the file says."""
    listed = _Mentions.of(document)
    faults = _faults(document, listed)
    is_sound = np.ones(len(listed.row), dtype=np.bool_)
    is_sound[list(faults)] = False
    mentions = listed.where(is_sound)
    word, sentence, (first, last) = _runs(document, mentions)
    is_there = first <= last
    for place in np.flatnonzero(~is_there).tolist():
        row = int(np.flatnonzero(is_sound)[place])
        faults[row] = _misplaced(document, listed, row, "nothing but blanks")
    # Of an entity that has nothing but nulls, nothing is left.
    is_left = [not each.spans or any(each.spans) for each in document.entities]
    number = np.cumsum(is_left) - 1
    return PlacedDocument(
        word,
        sentence,
        [each.label for each in compress(document.entities, is_left)],
        number[mentions.entity[is_there]],
        first[is_there],
        last[is_there],
        [faults[row] for row in sorted(faults)],
        sum(each.spans.count(None) for each in document.entities),
    )


def _array(spans: list[Span]) -> Ints:
    try:
        return np.array(spans, dtype=np.int64)
    except OverflowError:
        # Nothing is so long: these are nowhere, as they would be with any such number.
        return np.array([[min(max(n, -1), _HUGE) for n in span] for span in spans])


def _in_document(spans: Ints, document: JsonDocument) -> tuple[Ints, Ints]:
    """Count spans by document; what goes beyond its sentence is nowhere."""
    more = int(document.is_end_included)
    if not len(spans) or spans.shape[1] == _PAIR:
        start, end = spans.reshape(-1, _PAIR).T
        return start, end + more
    sentence, start, end = spans.T
    length = np.array([*map(len, document.sentences), 0], dtype=np.int64)
    is_there = (sentence >= 0) & (sentence < len(length) - 1)
    sentence = np.where(is_there, sentence, len(length) - 1)
    is_there &= (start >= 0) & (end + more <= length[sentence])
    before = (np.cumsum(length) - length)[sentence]
    start, end = start + before, end + more + before
    return np.where(is_there, start, -1), np.where(is_there, end, -1)


def _runs(document: JsonDocument, mentions: _Mentions) -> tuple[Texts, Ints, Runs]:
    """Give tokens and their sentences, and the first and last token of mentions."""
    _, _, start, end = mentions
    if document.text is None:
        return _without_blanks(document.sentences, start, end)
    borders = np.fromiter(document.borders, dtype=np.int64)
    tokens = cut(document.text, np.concatenate((borders, start, end)))
    return tokens.word, tokens.sentence, tokens.runs(start, end)


def _without_blanks(
    sentences: Sequence[Sequence[str]], start: Ints, end: Ints
) -> tuple[Texts, Ints, Runs]:
    """Leave out words that are nothing but blanks: others have no such words."""
    words = list(chain.from_iterable(sentences))
    lengths = np.array([*map(len, sentences)], dtype=np.int64)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    blank = {word for word in set(words) if not word.strip()}
    if blank:
        is_word = np.array([word not in blank for word in words], dtype=np.bool_)
        words = [*compress(words, is_word)]
        sentence = sentence[is_word]
        before = np.concatenate(([0], np.cumsum(is_word)))
        start, end = before[start], before[end]
    return Texts.of(words), sentence, (start, end - 1)


def _faults(document: JsonDocument, mentions: _Mentions) -> dict[int, Misplaced]:
    """Tell what is wrong with mentions, by their rows."""
    rows, quotes = _quotes(document, mentions)
    other = {rows[each]: each for each in quotes.differences()}
    cause = quotes.likely_cause() if other else ""
    faults = _outside(document, mentions, cause)
    for row, each in other.items():
        said = quotes.said[each][:_SHOWN]
        problem = f"'{quotes.shown(each)}' in the text, not '{said}'"
        error = _misplaced(document, mentions, row, problem, cause or _OTHER_TEXT)
        faults.setdefault(row, error)
    return faults


def _outside(
    document: JsonDocument, mentions: _Mentions, cause: str
) -> dict[int, Misplaced]:
    """Tell of mentions that go beyond their document."""
    size, unit = sum(map(len, document.sentences)), "word"
    if document.text is not None:
        size, unit = len(document.text), "character"
    start, end = mentions.start, mentions.end
    beyond = np.flatnonzero((start < 0) | (start >= end) | (end > size)).tolist()
    where = "part of the mention" if document.is_end_included else "before the end"
    hint = cause or f"{unit}s are counted from 0; the last one is {where}"
    problem = f"no mention in a document of {size} {unit}s"
    return {row: _misplaced(document, mentions, row, problem, hint) for row in beyond}


def _misplaced(
    document: JsonDocument, mentions: _Mentions, row: int, problem: str, hint: str = ""
) -> Misplaced:
    entity, place = document.entities[mentions.entity[row]], int(mentions.row[row])
    there = f"[{', '.join(map(str, entity.spans[place] or ()))}]"
    return Misplaced(entity.place(place), f"{there} is {problem}", hint)


def _quotes(
    document: JsonDocument, mentions: _Mentions
) -> tuple[list[int], Quoted | QuotedWords]:
    """Give the mentions whose texts the file has, by their rows, with these texts."""
    said = _said(document, mentions)
    rows = [row for row, each in enumerate(said) if each is not None]
    texts = [each for each in said if each is not None]
    start, end = mentions.start[rows].tolist(), mentions.end[rows].tolist()
    if document.text is not None:
        return rows, Quoted(document.text, start, end, texts)
    if not rows:
        return rows, QuotedWords([[]], start, end, texts)
    spellings = [document.sentences, *([document.spelt] if document.spelt else [])]
    words = [list(chain.from_iterable(each)) for each in spellings]
    return rows, QuotedWords(words, start, end, texts)


def _said(document: JsonDocument, mentions: _Mentions) -> list[str | None]:
    if all(each.said is None for each in document.entities):
        return []
    found = [each.said for each in document.entities]
    places = zip(mentions.entity.tolist(), mentions.row.tolist(), strict=True)
    return [None if (texts := found[a]) is None else texts[b] for a, b in places]


class QuotedWords(NamedTuple):
    """Runs of words, in one spelling or two, and what a file says that stands there."""

    words: Sequence[Sequence[str]]
    start: Sequence[int]
    end: Sequence[int]
    said: Sequence[str]

    def differences(self, shift: tuple[int, int] = (0, 0)) -> list[int]:
        """List the runs whose words are others; blanks do not count."""
        return [row for row in range(len(self.said)) if self._differs(row, shift)]

    def shown(self, row: int) -> str:
        """Give the words that are there, for a message."""
        found = self.words[0][max(self.start[row], 0) : max(self.end[row], 0)]
        return " ".join(found)[:_SHOWN]

    def likely_cause(self) -> str:
        """Say how words seem to be counted; "" if that is unclear."""
        found = (why for why, shift in _SHIFTS.items() if not self.differences(shift))
        return next(found, "")

    def _differs(self, row: int, shift: tuple[int, int]) -> bool:
        start, end = self.start[row] + shift[0], self.end[row] + shift[1]
        if not 0 <= start < end <= len(self.words[0]):
            return True
        said = "".join(self.said[row].split())
        found = ("".join(words[start:end]) for words in self.words)
        return all(said != "".join(each.split()) for each in found)


BLANKS = " \t\n\r\v\f"

_ONE_BYTE, _TWO_BYTES, _ONE_UNIT = 0x7F, 0x7FF, 0xFFFF


class Cut(NamedTuple):
    """The tokens of a text: from which character to which, the last one not included.

    A line is a sentence.
    """

    start: Ints
    end: Ints
    sentence: Ints
    word: Texts

    def runs(self, start: Ints, end: Ints) -> Spans:
        """Find the first and the last token of spans; the last is lower for blanks."""
        first = np.searchsorted(self.end, start, side="right")
        last = np.searchsorted(self.start, end, side="left") - 1
        return first, last


def cut(text: str, borders: Iterable[int] = (), *, blanks: str = BLANKS) -> Cut:
    """Cut a text at blanks, and at borders that lie inside of what is left.

    >>> found = cut("Ada's house.", [0, 3, 6, 11])
    >>> found.word.strings(), found.start.tolist()
    (['Ada', "'s", 'house', '.'], [0, 3, 6, 11])
    """
    code = _code_points(text)
    is_inside = ~_are_among(code, blanks)
    is_border = np.zeros(len(code) + 1, dtype=np.bool_)
    is_border[np.fromiter(borders, dtype=np.int64)] = True
    around = np.concatenate(([False], is_inside, [False]))
    start = np.flatnonzero(is_inside & (is_border[:-1] | ~around[:-2]))
    last = np.flatnonzero(is_inside & (is_border[1:] | ~around[2:]))
    sentence = np.searchsorted(np.flatnonzero(code == ord("\n")), start)
    return Cut(start, last + 1, sentence, _words(text, code, is_inside, start, last))


def _are_among(code: Ints, signs: str) -> NDArray[np.bool_]:
    """Tell which characters are among some whose code points are low."""
    some = _code_points(signs)
    table = np.zeros(int(some.max()) + 2, dtype=np.bool_)
    table[some] = True
    return table[np.minimum(code, len(table) - 1)]


def _words(
    text: str, code: Ints, is_inside: NDArray[np.bool_], start: Ints, last: Ints
) -> Texts:
    width = _bytes_of(code)
    end = np.cumsum(width)
    data = np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)
    kept = data[np.repeat(is_inside, width)]
    return Texts(kept, end[last] - end[start] + width[start])


def _code_points(text: str) -> Ints:
    encoded = text.encode("utf-32-le", "surrogatepass")
    return np.frombuffer(encoded, dtype="<u4").astype(np.int64)


def _bytes_of(code: Ints) -> Ints:
    """Say how many bytes of UTF-8 each character has."""
    sizes = np.searchsorted([_ONE_BYTE, _TWO_BYTES, _ONE_UNIT], code, side="left") + 1
    return sizes.astype(np.int64)


def _units_of(code: Ints) -> Ints:
    """Say how many units of UTF-16 each character has."""
    units: Ints = 1 + (code > _ONE_UNIT).astype(np.int64)
    return units


class Quoted(NamedTuple):
    """Spans of a text, and what the file says that stands there."""

    text: str
    start: Sequence[int]
    end: Sequence[int]
    said: Sequence[str]

    def first_difference(self) -> int | None:
        """Find the first span whose text is another one; blanks do not count."""
        return next((row for row in range(len(self.said)) if self._differs(row)), None)

    def differences(self) -> list[int]:
        """List the spans whose text is another one."""
        places = zip(self.start, self.end, strict=True)
        if [self.text[start:end] for start, end in places] == [*self.said]:
            return []
        return [row for row in range(len(self.said)) if self._differs(row)]

    def shown(self, row: int) -> str:
        """Give the text that is there, for a message."""
        found = self.text[max(self.start[row], 0) : max(self.end[row], 0)]
        return " ".join(found.split())[:_SHOWN]

    def likely_cause(self) -> str:
        """Say how offsets seem to be counted if not in characters; "" if unclear."""
        found = (why for why, change in _CAUSES.items() if self._agrees(change))
        return next(found, "")

    def _differs(self, row: int) -> bool:
        start, end = self.start[row], self.end[row]
        if not 0 <= start <= end <= len(self.text):
            return True
        found = self.text[start:end]
        said = self.said[row]
        return found != said and found.split() != said.split()

    def _agrees(self, change: Callable[[str, Ints, Ints], Spans | None]) -> bool:
        places = (np.array(each, dtype=np.int64) for each in (self.start, self.end))
        spans = change(self.text, *places)
        if spans is None:
            return False
        start, end = (each.tolist() for each in spans)
        return self._replace(start=start, end=end).first_difference() is None


def _by_size(
    size: Callable[[Ints], Ints],
) -> Callable[[str, Ints, Ints], Spans | None]:
    """Make characters of offsets that count larger things; None if they do not."""

    def change(text: str, start: Ints, end: Ints) -> Spans | None:
        border = np.concatenate(([0], np.cumsum(size(_code_points(text)))))
        places = [np.searchsorted(border, each) for each in (start, end)]
        if max(int(each.max(initial=0)) for each in places) >= len(border):
            return None
        return places[0], places[1]

    return change


_CAUSES: dict[str, Callable[[str, Ints, Ints], Spans | None]] = {
    "offsets look like UTF-16 units, as Java and JavaScript count; count code points": (
        _by_size(_units_of)
    ),
    "offsets look like bytes; count characters": _by_size(_bytes_of),
    "the last character seems to be part of mentions; ends must lie behind it": (
        lambda _, start, end: (start, end + 1)
    ),
    "offsets seem to be counted from 1; count from 0": (
        lambda _, start, end: (start - 1, end - 1)
    ),
    "offsets seem to be counted from 1, with the last character; count from 0, and "
    "give the end behind it": lambda _, start, end: (start - 1, end),
}

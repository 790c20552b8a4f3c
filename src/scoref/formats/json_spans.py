"""Mentions of a document in JSON, converted from offsets to runs of tokens.

Offsets count words or characters, in the document or in a sentence, and the end may be
part of the mention or not. If a file has the texts of its mentions, they are compared
with the text at these offsets. A difference shows that the offsets are counted in
another way, and the message says which one is likely.

For offsets of characters, `cut_text` cuts the text at blanks and where a mention starts
or ends, so that every mention is a run of whole tokens. Characters are code points, as
in Python. Offsets in UTF-16 units or bytes are recognised from the texts of mentions.
"""

from __future__ import annotations

from itertools import chain, compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.model import Texts
from scoref.model.arrays import bounds, ranges, starts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from scoref.model import DocumentName, Ints

    Span = tuple[int, ...]
    Spans = tuple[Ints, Ints]
    Mask = NDArray[np.bool_]


class JsonEntity(NamedTuple):
    """The mentions of an entity, as they are in the JSON; some may be null.

    Args:
        label: the label of the entity.
        spans: first and last, after the number of the sentence if they are counted by
            sentence.
        path: the place of the list of mentions in the JSON.
        texts: the text of each mention, if the file has it.
        paths: the place of each mention, if not ``path[0]``, ``path[1]`` and so on.
    """

    label: str
    spans: Sequence[Span | None]
    path: str
    texts: Sequence[str | None] | None = None
    paths: Sequence[str] | None = None

    def place(self, row: int) -> str:
        """Return the place of a mention in the JSON."""
        return f"{self.path}[{row}]" if self.paths is None else self.paths[row]


def entities_of(
    clusters: Sequence[Sequence[Span | None]],
    path: str,
    texts: Sequence[Sequence[str | None]] | None = None,
) -> list[JsonEntity]:
    """Make entities from lists of mentions. Their labels are their numbers.

    The texts of an entity are ignored unless there is one for each mention.

    >>> entities_of([[(0, 3)]], "clusters")[0].place(0)
    'clusters[0][0]'
    """
    entities = []
    for row, spans in enumerate(clusters):
        known = texts[row] if texts and row < len(texts) else None
        if known is not None and len(known) != len(spans):
            known = None
        entities.append(JsonEntity(str(row), spans, f"{path}[{row}]", known))
    return entities


class JsonDocument(NamedTuple):
    """A document of a record: words by sentence, or else a text.

    Args:
        name: None if the file does not name the document.
        entities: with offsets of words, or of characters of a text.
        sentences: the words.
        text: the text, instead of words; offsets then count characters.
        is_end_included: whether the last word or character is part of a mention.
        spelt: the words as texts of mentions may spell them, if that differs.
        borders: where a text is cut, in addition to blanks and mentions.
        counts: numbers to be noted, by kind of note.
        missing: the field that should hold the entities, if the document lacks it.
        sentence_starts: where sentences of a text start; none: each line is one.
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
    sentence_starts: Ints | None = None


class DocumentError(Exception):
    """Something in a document that cannot be right, and its place in the JSON."""

    def __init__(self, path: str, problem: str, hint: str = "") -> None:
        super().__init__(problem)
        self.path = path
        self.problem = problem
        self.hint = hint


class PlacedDocument(NamedTuple):
    """A document in tokens: entities, mentions, and errors of other mentions.

    A mention is a row of ``entity``, ``first``, ``last`` and ``row``, its number among
    the mentions of its entity.
    """

    word: Texts
    sentence: Ints
    labels: list[str]
    entity: Ints
    first: Ints
    last: Ints
    errors: list[DocumentError]
    nulls: int
    row: Ints


def place_mentions(document: JsonDocument) -> PlacedDocument:
    """Find the tokens of mentions, and compare these with the texts in the file."""
    every = _Mentions.of(document)
    errors = _errors(document, every)
    is_sound = np.ones(len(every.row), dtype=np.bool_)
    is_sound[list(errors)] = False
    mentions = _Mentions(*(column[is_sound] for column in every))
    if document.text is None:
        word, sentence, (first, last) = _nonblank_words(document.sentences, mentions)
    else:
        borders = np.fromiter(document.borders, dtype=np.int64)
        cuts = np.concatenate((borders, mentions.start, mentions.end))
        tokens = cut_text(document.text, cuts)
        word, sentence = tokens.word, tokens.sentence
        if document.sentence_starts is not None and len(document.sentence_starts):
            sentence = np.searchsorted(document.sentence_starts, tokens.start, "right")
        first, last = tokens.runs(mentions.start, mentions.end)
    has_tokens = first <= last
    for row in np.flatnonzero(is_sound)[~has_tokens].tolist():
        errors[row] = _mention_error(document, every, row, "contains only spaces")
    # An entity whose mentions are all null is left out.
    is_kept = [not entity.spans or any(entity.spans) for entity in document.entities]
    number = np.cumsum(is_kept) - 1
    return PlacedDocument(
        word,
        sentence,
        [entity.label for entity in compress(document.entities, is_kept)],
        number[mentions.entity[has_tokens]],
        first[has_tokens],
        last[has_tokens],
        [errors[row] for row in sorted(errors)],
        sum(entity.spans.count(None) for entity in document.entities),
        mentions.row[has_tokens],
    )


_PAIR = 2

_HUGE = 1 << 60


class _Mentions(NamedTuple):
    """Mentions by the first word or character and the one after the last.

    ``row`` is the number of a mention within its entity.
    """

    entity: Ints
    row: Ints
    start: Ints
    end: Ints

    @classmethod
    def of(cls, document: JsonDocument) -> _Mentions:
        """List all mentions that are not null, with offsets in the whole document."""
        entities = document.entities
        count = np.array([len(entity.spans) for entity in entities], dtype=np.int64)
        spans = list(chain.from_iterable(entity.spans for entity in entities))
        entity = np.repeat(np.arange(len(count)), count)
        row = ranges(np.zeros_like(count), count)
        if None in spans:
            there = [place for place, span in enumerate(spans) if span is not None]
            entity, row = entity[there], row[there]
        offsets = [span for span in spans if span is not None]
        try:
            array = np.array(offsets, dtype=np.int64)
        except OverflowError:
            # Such large numbers are outside of any text, and so are these.
            array = np.array([[min(max(n, -1), _HUGE) for n in s] for s in offsets])
        return cls(entity, row, *_document_offsets(array, document))


def _document_offsets(spans: Ints, document: JsonDocument) -> Spans:
    """Return starts and ends in the document; -1 for spans outside of their sentence.

    The end is not part of the mention.
    """
    more = int(document.is_end_included)
    if not len(spans) or spans.shape[1] == _PAIR:
        start, end = spans.reshape(-1, _PAIR).T
        return start, end + more
    sentence, start, end = spans.T
    length = np.array([*map(len, document.sentences), 0], dtype=np.int64)
    is_inside = (sentence >= 0) & (sentence < len(length) - 1)
    sentence = np.where(is_inside, sentence, len(length) - 1)
    is_inside &= (start >= 0) & (end + more <= length[sentence])
    before = starts(length)[sentence]
    start, end = start + before, end + more + before
    return np.where(is_inside, start, -1), np.where(is_inside, end, -1)


def _nonblank_words(
    sentences: Sequence[Sequence[str]], mentions: _Mentions
) -> tuple[Texts, Ints, Spans]:
    """Return words, their sentences, and the first and last word of mentions.

    Words that are blank are left out, because other formats do not have them.
    """
    start, end = mentions.start, mentions.end
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


_SHOWN = 60

_OTHER_TEXT = "Give the text that the offsets refer to."


def _errors(document: JsonDocument, mentions: _Mentions) -> dict[int, DocumentError]:
    """Return errors by row: mentions with another text, or outside of the document."""
    rows, quotes = _quotes(document, mentions)
    differences = quotes.differences()
    cause = quotes.likely_cause() if differences else ""
    size, unit = sum(map(len, document.sentences)), "word"
    if document.text is not None:
        size, unit = len(document.text), "character"
    start, end = mentions.start, mentions.end
    outside = np.flatnonzero((start < 0) | (start >= end) | (end > size)).tolist()
    last = "The last one is part of the mention."
    if not document.is_end_included:
        last = f"The {unit} at the end offset is not included."
    hint = cause or f"{unit.capitalize()}s are counted from 0. {last}"
    problem = f"is not a mention in a document of {size} {unit}s"
    errors = {
        row: _mention_error(document, mentions, row, problem, hint) for row in outside
    }
    for place in differences:
        row, quote = rows[place], quotes.quotes[place][:_SHOWN]
        problem = f"is '{quotes.found_text(place)}' in the text, not '{quote}'"
        error = _mention_error(document, mentions, row, problem, cause or _OTHER_TEXT)
        errors.setdefault(row, error)
    return errors


def _mention_error(
    document: JsonDocument, mentions: _Mentions, row: int, problem: str, hint: str = ""
) -> DocumentError:
    entity, place = document.entities[mentions.entity[row]], int(mentions.row[row])
    span = f"[{', '.join(map(str, entity.spans[place] or ()))}]"
    return DocumentError(entity.place(place), f"{span} {problem}", hint)


def _quotes(
    document: JsonDocument, mentions: _Mentions
) -> tuple[list[int], QuotedSpans | QuotedWords]:
    """Return the rows of mentions whose texts the file has, with these texts."""
    of_entity = [entity.texts for entity in document.entities]
    rows: list[int] = []
    quotes: list[str] = []
    if any(texts is not None for texts in of_entity):
        places = zip(mentions.entity.tolist(), mentions.row.tolist(), strict=True)
        for row, (entity, place) in enumerate(places):
            texts = of_entity[entity]
            text = None if texts is None else texts[place]
            if text is not None:
                rows.append(row)
                quotes.append(text)
    start, end = mentions.start[rows].tolist(), mentions.end[rows].tolist()
    if document.text is not None:
        return rows, QuotedSpans(document.text, start, end, quotes)
    if not rows:
        return rows, QuotedWords([[]], start, end, quotes)
    spellings = [document.sentences, *([document.spelt] if document.spelt else [])]
    words = [list(chain.from_iterable(sentences)) for sentences in spellings]
    return rows, QuotedWords(words, start, end, quotes)


_SHIFTS = {
    "The last word seems to be part of mentions. Add 1 to end offsets.": (0, 1),
    "End offsets seem to be 1 too high. The last word is part of a mention.": (0, -1),
    "Words seem to be counted from 1. Count from 0.": (-1, -1),
}


class QuotedWords(NamedTuple):
    """Runs of words, in one spelling or two, and the texts that the file quotes."""

    words: Sequence[Sequence[str]]
    start: Sequence[int]
    end: Sequence[int]
    quotes: Sequence[str]

    def differences(self, shift: tuple[int, int] = (0, 0)) -> list[int]:
        """Return the rows whose words are different; blanks do not count."""
        return [row for row in range(len(self.quotes)) if self._differs(row, shift)]

    def found_text(self, row: int) -> str:
        """Return the words at these offsets, for a message."""
        words = self.words[0][self.start[row] : self.end[row]]
        return " ".join(words)[:_SHOWN]

    def likely_cause(self) -> str:
        """Say how words seem to be counted; "" if that is unclear."""
        causes = (why for why, shift in _SHIFTS.items() if not self.differences(shift))
        return next(causes, "")

    def _differs(self, row: int, shift: tuple[int, int]) -> bool:
        start, end = self.start[row] + shift[0], self.end[row] + shift[1]
        if not 0 <= start < end <= len(self.words[0]):
            return True
        quote = "".join(self.quotes[row].split())
        spellings = ("".join(words[start:end]) for words in self.words)
        return all(quote != "".join(spelling.split()) for spelling in spellings)


class QuotedSpans(NamedTuple):
    """Spans of a text, and the texts that the file quotes."""

    text: str
    start: Sequence[int]
    end: Sequence[int]
    quotes: Sequence[str]

    def first_difference(self) -> int | None:
        """Return the first row whose text is different; blanks do not count."""
        rows = range(len(self.quotes))
        return next((row for row in rows if self._differs(row)), None)

    def differences(self) -> list[int]:
        """Return the rows whose text is different; blanks do not count."""
        places = zip(self.start, self.end, strict=True)
        if [self.text[start:end] for start, end in places] == [*self.quotes]:
            return []
        return [row for row in range(len(self.quotes)) if self._differs(row)]

    def found_text(self, row: int) -> str:
        """Return the text at these offsets, for a message."""
        text = self.text[self.start[row] : self.end[row]]
        return " ".join(text.split())[:_SHOWN]

    def likely_cause(self) -> str:
        """Say how offsets seem to be counted if not in characters; "" if unclear."""
        causes = (why for why, change in _CAUSES.items() if self._agrees(change))
        return next(causes, "")

    def _differs(self, row: int) -> bool:
        start, end = self.start[row], self.end[row]
        if not 0 <= start <= end <= len(self.text):
            return True
        text, quote = self.text[start:end], self.quotes[row]
        return text != quote and text.split() != quote.split()

    def _agrees(self, change: Callable[[str, Ints, Ints], Spans | None]) -> bool:
        start, end = (np.array(side, dtype=np.int64) for side in (self.start, self.end))
        spans = change(self.text, start, end)
        if spans is None:
            return False
        changed = self._replace(start=spans[0].tolist(), end=spans[1].tolist())
        return changed.first_difference() is None


_ONE_BYTE, _TWO_BYTES, _ONE_UNIT = 0x7F, 0x7FF, 0xFFFF


def _code_points(text: str) -> Ints:
    encoded = text.encode("utf-32-le", "surrogatepass")
    return np.frombuffer(encoded, dtype="<u4").astype(np.int64)


def _utf8_bytes(code: Ints) -> Ints:
    """Return the number of bytes of each character in UTF-8."""
    sizes = np.searchsorted([_ONE_BYTE, _TWO_BYTES, _ONE_UNIT], code, side="left") + 1
    return sizes.astype(np.int64)


def _utf16_units(code: Ints) -> Ints:
    """Return the number of units of each character in UTF-16."""
    units: Ints = 1 + (code > _ONE_UNIT).astype(np.int64)
    return units


def _to_characters(
    size: Callable[[Ints], Ints],
) -> Callable[[str, Ints, Ints], Spans | None]:
    """Return a function from offsets in units of this size to offsets of characters.

    It returns None if an offset is beyond the text.
    """

    def change(text: str, start: Ints, end: Ints) -> Spans | None:
        border = bounds(size(_code_points(text)))
        first, last = np.searchsorted(border, start), np.searchsorted(border, end)
        if max(first.max(initial=0), last.max(initial=0)) >= len(border):
            return None
        return first, last

    return change


def utf16_to_characters(text: str, offsets: Sequence[int]) -> Ints:
    """Turn offsets in UTF-16 units into offsets in characters.

    An offset beyond the text stays beyond it.

    >>> utf16_to_characters("a😀b", [0, 1, 3, 4, 9]).tolist()
    [0, 1, 2, 3, 4]
    """
    border = bounds(_utf16_units(_code_points(text)))
    return np.searchsorted(border, np.array(offsets, dtype=np.int64))


_CAUSES: dict[str, Callable[[str, Ints, Ints], Spans | None]] = {
    "Offsets look like UTF-16 units, as in Java and JavaScript. Count code points.": (
        _to_characters(_utf16_units)
    ),
    "Offsets look like bytes. Count characters.": _to_characters(_utf8_bytes),
    "The last character seems to be part of mentions. Add 1 to end offsets.": (
        lambda _, start, end: (start, end + 1)
    ),
    "Offsets seem to be counted from 1. Count from 0.": (
        lambda _, start, end: (start - 1, end - 1)
    ),
    "Offsets seem to be counted from 1, with the last character. Count from 0, and do "
    "not include the last character.": lambda _, start, end: (start - 1, end),
}


BLANKS = " \t\n\r\v\f"


class TextTokens(NamedTuple):
    """The tokens of a text, by their first character and the one after the last.

    Each line is a sentence.
    """

    start: Ints
    end: Ints
    sentence: Ints
    word: Texts

    def runs(self, start: Ints, end: Ints) -> Spans:
        """Return the first and the last token of spans; last < first if blank."""
        first = np.searchsorted(self.end, start, side="right")
        last = np.searchsorted(self.start, end, side="left") - 1
        return first, last


def cut_text(
    text: str, borders: Iterable[int] = (), *, blanks: str = BLANKS
) -> TextTokens:
    """Cut a text at blanks, and at borders inside of the pieces.

    >>> tokens = cut_text("Ada's house.", [0, 3, 6, 11])
    >>> tokens.word.strings(), tokens.start.tolist()
    (['Ada', "'s", 'house', '.'], [0, 3, 6, 11])
    """
    code = _code_points(text)
    # A table of code points finds blanks; all higher ones share its last row.
    blank_codes = _code_points(blanks)
    is_blank = np.zeros(int(blank_codes.max()) + 2, dtype=np.bool_)
    is_blank[blank_codes] = True
    is_inside = ~is_blank[np.minimum(code, len(is_blank) - 1)]
    is_border = np.zeros(len(code) + 1, dtype=np.bool_)
    is_border[np.fromiter(borders, dtype=np.int64)] = True
    around = np.concatenate(([False], is_inside, [False]))
    start = np.flatnonzero(is_inside & (is_border[:-1] | ~around[:-2]))
    last = np.flatnonzero(is_inside & (is_border[1:] | ~around[2:]))
    sentence = np.searchsorted(np.flatnonzero(code == ord("\n")), start)
    width = _utf8_bytes(code)
    end_byte = np.cumsum(width)
    data = np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)
    kept = data[np.repeat(is_inside, width)]
    word = Texts(kept, end_byte[last] - end_byte[start] + width[start])
    return TextTokens(start, last + 1, sentence, word)

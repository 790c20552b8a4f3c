"""Mentions of a document as JSON counts them, made into runs of its tokens.

Offsets are words or characters, of the document or of a sentence, with the last one or
without it. Where a file gives the text of mentions it is compared: the first difference
tells offsets that are counted in another way.
"""

from __future__ import annotations

from itertools import accumulate, chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.formats._characters import Quoted, cut
from scoref.model import Texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.model import DocumentName, Ints

    Span = tuple[int, ...]
    Run = tuple[int, int]

_PAIR = 2
_NOWHERE = (-1, -1)
_SHOWN = 60
_OTHER_TEXT = "the text must be the one that the offsets are for"
_SHIFTS = {
    "the last word seems to be part of mentions; ends must lie behind it": (0, 1),
    "ends seem to lie behind mentions; the last word must be part of them": (0, -1),
    "words seem to be counted from 1; count from 0": (-1, -1),
}


class Entity(NamedTuple):
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
) -> list[Entity]:
    """Make entities of lists of mentions, with the texts of these as far as there are.

    >>> numbered([[(0, 3)]], "clusters")[0].place(0)
    'clusters[0][0]'
    """
    texts = said or []
    return [
        Entity(
            str(row), spans, f"{path}[{row}]", _all(texts[row : row + 1], len(spans))
        )
        for row, spans in enumerate(clusters)
    ]


def _all(
    said: Sequence[Sequence[str | None]], count: int
) -> Sequence[str | None] | None:
    """Give the texts of so many mentions, none where they are not as many."""
    return said[0] if said and len(said[0]) == count else None


class Document(NamedTuple):
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
    """

    name: DocumentName | None
    entities: Sequence[Entity]
    sentences: Sequence[Sequence[str]] = ()
    text: str | None = None
    is_end_included: bool = True
    spelt: Sequence[Sequence[str]] | None = None
    borders: Iterable[int] = ()
    counts: Mapping[str, int] = {}


class Misplaced(Exception):  # noqa: N818 - readers make an error of it
    """Something in a document that cannot be, and its place in the JSON."""

    def __init__(self, path: str, problem: str, hint: str = "") -> None:
        super().__init__(problem)
        self.path = path
        self.problem = problem
        self.hint = hint


class Placed(NamedTuple):
    """A document in tokens; what has no place in it is listed."""

    word: Texts
    sentence: Ints
    entities: list[tuple[str, list[Run]]]
    misplaced: list[Misplaced]
    nulls: int


class _Mention(NamedTuple):
    """A mention by its first word or character and the one behind the last."""

    entity: Entity
    row: int
    start: int
    end: int

    @property
    def said(self) -> str | None:
        return None if self.entity.said is None else self.entity.said[self.row]

    def misplaced(self, problem: str, hint: str) -> Misplaced:
        span = self.entity.spans[self.row] or ()
        there = f"[{', '.join(map(str, span))}]"
        return Misplaced(self.entity.place(self.row), f"{there} is {problem}", hint)


def placed(document: Document) -> Placed:
    """Find the tokens of mentions, and see that they are what the file says."""
    listed = _mentions(document)
    faults = _faults(document, listed)
    mentions = [each for row, each in enumerate(listed) if row not in faults]
    word, sentence, runs = _runs(document, mentions)
    misplaced = [faults[row] for row in sorted(faults)]
    spans: list[tuple[str, list[Run]]] = [(e.label, []) for e in document.entities]
    of_entity = {id(entity): row for row, entity in enumerate(document.entities)}
    for mention, (first, last) in zip(mentions, runs, strict=True):
        if first <= last:
            spans[of_entity[id(mention.entity)]][1].append((first, last))
        else:
            misplaced.append(mention.misplaced("nothing but blanks", ""))
    nulls = sum(span is None for each in document.entities for span in each.spans)
    # Of an entity that has nothing but nulls, nothing is left.
    lost = [bool(each.spans) and not any(each.spans) for each in document.entities]
    left = [each for each, is_lost in zip(spans, lost, strict=True) if not is_lost]
    return Placed(word, sentence, left, misplaced, nulls)


def _mentions(document: Document) -> list[_Mention]:
    """List mentions as they are counted in the whole document."""
    starts = [0, *accumulate(map(len, document.sentences))]
    more = int(document.is_end_included)
    return [
        _Mention(entity, row, *_in_document(span, starts, more))
        for entity in document.entities
        for row, span in enumerate(entity.spans)
        if span is not None
    ]


def _in_document(span: Span, starts: Sequence[int], more: int) -> Run:
    """Count a span by document; what goes beyond its sentence is nowhere."""
    if len(span) == _PAIR:
        return span[0], span[1] + more
    sentence, start, end = span
    if not 0 <= sentence < len(starts) - 1:
        return _NOWHERE
    start, end = start + starts[sentence], end + more + starts[sentence]
    if not starts[sentence] <= start < end <= starts[sentence + 1]:
        return _NOWHERE
    return start, end


def _runs(
    document: Document, mentions: Sequence[_Mention]
) -> tuple[Texts, Ints, list[Run]]:
    """Give tokens and their sentences, and the first and last token of mentions."""
    if document.text is None:
        return _without_blanks(document.sentences, mentions)
    places = [(each.start, each.end) for each in mentions]
    tokens = cut(document.text, chain(document.borders, *places))
    start, end = np.array(places, dtype=np.int64).reshape(-1, 2).T
    first, last = (each.tolist() for each in tokens.runs(start, end))
    return tokens.word, tokens.sentence, list(zip(first, last, strict=True))


def _without_blanks(
    sentences: Sequence[Sequence[str]], mentions: Sequence[_Mention]
) -> tuple[Texts, Ints, list[Run]]:
    """Leave out words that are nothing but blanks: others have no such words."""
    words = [word for sentence in sentences for word in sentence]
    lengths = np.array([*map(len, sentences)], dtype=np.int64)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    runs = [(each.start, each.end) for each in mentions]
    is_word = np.array([bool(word.strip()) for word in words], dtype=np.bool_)
    if not is_word.all():
        words = [word for word, is_kept in zip(words, is_word, strict=True) if is_kept]
        sentence = sentence[is_word]
        before = np.concatenate(([0], np.cumsum(is_word))).tolist()
        runs = [(before[start], before[end]) for start, end in runs]
    return Texts.of(words), sentence, [(start, end - 1) for start, end in runs]


def _faults(document: Document, mentions: list[_Mention]) -> dict[int, Misplaced]:
    """Tell what is wrong with mentions, by their rows."""
    rows = [row for row, each in enumerate(mentions) if each.said is not None]
    quotes = _quotes(document, [mentions[row] for row in rows])
    other = {rows[each]: quotes.shown(each) for each in quotes.differences()}
    cause = quotes.likely_cause() if other else ""
    faults = _outside(document, mentions, cause)
    for row, found in other.items():
        said = mentions[row].said or ""
        problem = f"'{found}' in the text, not '{said[:_SHOWN]}'"
        error = mentions[row].misplaced(problem, cause or _OTHER_TEXT)
        faults.setdefault(row, error)
    return faults


def _outside(
    document: Document, mentions: list[_Mention], cause: str
) -> dict[int, Misplaced]:
    """Tell of mentions that go beyond their document."""
    text, unit = document.text, "character"
    if text is None:
        size, unit = sum(map(len, document.sentences)), "word"
    else:
        size = len(text)
    where = "part of the mention" if document.is_end_included else "before the end"
    hint = cause or f"{unit}s are counted from 0; the last one is {where}"
    return {
        row: each.misplaced(f"no mention in a document of {size} {unit}s", hint)
        for row, each in enumerate(mentions)
        if not 0 <= each.start < each.end <= size
    }


def _quotes(document: Document, mentions: list[_Mention]) -> Quoted | QuotedWords:
    start, end = [each.start for each in mentions], [each.end for each in mentions]
    said = [each.said or "" for each in mentions]
    if document.text is not None:
        return Quoted(document.text, start, end, said)
    spellings = [document.sentences, *([document.spelt] if document.spelt else [])]
    words = [list(chain(*each)) for each in spellings]
    return QuotedWords(words, start, end, said)


class QuotedWords(NamedTuple):
    """Runs of words, in one spelling or two, and what a file says that stands there."""

    words: Sequence[Sequence[str]]
    start: Sequence[int]
    end: Sequence[int]
    said: Sequence[str]

    def differences(self, shift: Run = (0, 0)) -> list[int]:
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

    def _differs(self, row: int, shift: Run) -> bool:
        start, end = self.start[row] + shift[0], self.end[row] + shift[1]
        if not 0 <= start < end <= len(self.words[0]):
            return True
        said = "".join(self.said[row].split())
        found = ("".join(words[start:end]) for words in self.words)
        return all(said != "".join(each.split()) for each in found)

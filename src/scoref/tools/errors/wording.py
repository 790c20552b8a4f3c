"""Errors in words: one sentence that says what is wrong.

Mentions are quoted by their words or, if a file has no words, by their offsets.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.tools.errors.kinds import KINDS

if TYPE_CHECKING:
    from scoref.model import Corpus, WordSets
    from scoref.tools.errors.findings import AnalysedSide, Analysis


SAME_WORDS = "the same words, but another head"


class Worded(NamedTuple):
    """One error as people and programs read it."""

    kind: int
    document: str
    sentence: int | None
    key_line: int | None
    response_line: int | None
    key_words: tuple[str, ...]
    response_words: tuple[str, ...]
    key_entity: str | None
    response_entity: str | None
    detail: str

    @property
    def name(self) -> str:
        """Give the name of its kind."""
        return KINDS[self.kind].name

    @property
    def label(self) -> str:
        """Give the same as tables have it."""
        return KINDS[self.kind].label


class Wording:
    """The errors of an analysis, put into words."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        key, response = analysis.corpora
        self.key = MentionTexts(key, analysis.key)
        self.response = MentionTexts(response, analysis.response)

    def worded(self, error: int) -> Worded:
        """Put an error into words."""
        errors = self._analysis.errors
        ours, theirs = self._mentions(error)
        sentence = self.key.sentence(ours[0]) if ours else None
        if not ours:
            sentence = self.response.sentence(theirs[0])
        return Worded(
            kind=int(errors.kind[error]),
            document=self._analysis.documents[int(errors.document[error])],
            sentence=sentence,
            key_line=self.key.line(ours[0]) if ours else None,
            response_line=self.response.line(theirs[0]) if theirs else None,
            key_words=tuple(map(self.key.text, ours)),
            response_words=tuple(map(self.response.text, theirs)),
            key_entity=_label(self.key, int(errors.key_entity[error])),
            response_entity=_label(self.response, int(errors.response_entity[error])),
            detail=self.detail(error),
        )

    def detail(self, error: int) -> str:
        """Say what is wrong, in one sentence, and who would have it so, too."""
        kind = KINDS[int(self._analysis.errors.kind[error])]
        said = kind.sentence.format_map(_Phrases(self, error))
        names = self.agreeing(error)
        agree = "agrees" if len(names) == 1 else "agree"
        return f"{said}; {', '.join(names)} {agree}" if names else said

    def agreeing(self, error: int) -> tuple[str, ...]:
        """Name the other annotators who side with the response."""
        supporters = self._analysis.supporters
        return () if supporters is None else supporters[error]

    def _mentions(self, error: int) -> tuple[list[int], list[int]]:
        errors = self._analysis.errors
        sets = errors.key_mentions, errors.response_mentions
        ours, theirs = (
            each.member[each.start[error] : each.start[error + 1]].tolist()
            for each in sets
        )
        return ours, theirs

    def found(self, error: int) -> str:
        """Name the mention of the response whose words are not right."""
        return self.response.quoted(self._mentions(error)[1][0])

    def wanted(self, error: int) -> str:
        """Name the mention that it should have been."""
        return self.key.quoted(self._mentions(error)[0][0])

    def amount(self, error: int) -> str:
        """Say by how much it is wrong."""
        errors = self._analysis.errors
        ours, theirs = self._mentions(error)
        columns = errors.left, errors.right, errors.inside
        amount = amount_of(*(int(column[error]) for column in columns))
        if amount == SAME_WORDS and self.key.has_heads and self.response.has_heads:
            heads = self.response.head(theirs[0]), self.key.head(ours[0])
            amount = f"{amount} ({heads[0]} for {heads[1]})"
        return amount

    def ours(self, error: int) -> str:
        """Name mentions of the key, and the entity that they are of."""
        ours, _ = self._mentions(error)
        entity = int(self._analysis.errors.key_entity[error])
        return f"{_listed(self.key, ours)} of {self._entity(error, entity, ours)}"

    def theirs(self, error: int) -> str:
        """Name mentions that the key does not have."""
        _, theirs = self._mentions(error)
        what = "is no mention" if len(theirs) == 1 else "are no mentions"
        return f"{_listed(self.response, theirs)}, which {what} of the key,"

    def others(self, error: int) -> str:
        """Name the entity of the key that one of the response is for the most part."""
        entity = int(self._analysis.errors.response_entity[error])
        model = int(self._analysis.entity_partner[entity])
        return self._entity(error, model, [])

    def _entity(self, error: int, entity: int, named: list[int]) -> str:
        """Name an entity of the key by its label and, unless it was, a mention."""
        first = self.key.first_of(entity)
        label = f"entity {_label(self.key, entity)}"
        if first in named:
            return label
        return f"{label} ({self.key.quoted(first)}{self._elsewhere(error, first)})"

    def _elsewhere(self, error: int, mention: int) -> str:
        """Name the document of a mention of the key, if it is not the error's."""
        document = int(self._analysis.key.document[mention])
        if document == int(self._analysis.errors.document[error]):
            return ""
        return f" in '{self._analysis.documents[document]}'"


class _Phrases(dict[str, str]):
    """What the sentences about an error are made of; only what is asked for is made."""

    def __init__(self, wording: Wording, error: int) -> None:
        super().__init__()
        self._wording, self._error = wording, error

    def __missing__(self, name: str) -> str:
        made: str = getattr(self._wording, name)(self._error)
        return made


def amount_of(left: int, right: int, inside: int) -> str:
    """Say by how much a span is wrong.

    >>> amount_of(1, -2, 0)
    '1 word too many on the left, 2 words too few on the right'
    """
    parts = [
        f"{_words(abs(count))} too {'many' if count > 0 else 'few'} on the {place}"
        for count, place in ((left, "left"), (right, "right"))
        if count
    ]
    if inside:
        are = "is" if inside == 1 else "are"
        parts.append(f"{_words(inside)} inside {are} not the same")
    return ", ".join(parts) or SAME_WORDS


def _words(count: int) -> str:
    return "1 word" if count == 1 else f"{count} words"


def _listed(side: MentionTexts, mentions: list[int]) -> str:
    first = side.quoted(mentions[0])
    if len(mentions) == 1:
        return first
    more = len(mentions) - 1
    return f"{first} and {more} more {'mention' if more == 1 else 'mentions'}"


def _label(side: MentionTexts, entity: int) -> str | None:
    return None if entity < 0 else side.corpus.entity_label[entity]


ZERO = "∅"

_NO_FORM = {"", "_"}

_SHOWN = 60


class MentionTexts:
    """The mentions of one side, each by its place in `AnalysedSide`."""

    def __init__(self, corpus: Corpus, side: AnalysedSide) -> None:
        self.corpus = corpus
        self._side = side

    @property
    def has_words(self) -> bool:
        """Tell whether there is a text."""
        return self.corpus.tokens is not None

    def text(self, mention: int) -> str:
        """Give the words of a mention, or its first and last token."""
        row = int(self._side.row[mention])
        if self.corpus.tokens is None:
            return self.corpus.place(row)
        return " ".join(map(self._words.__getitem__, self.tokens(mention)))

    def shortened(self, mention: int) -> str:
        """Give the words of a mention, the middle of a long one left out."""
        text = self.text(mention)
        if len(text) <= _SHOWN:
            return text
        head, tail = text[: _SHOWN // 2].rstrip(), text[3 - _SHOWN // 2 :].lstrip()
        return f"{head} … {tail}"

    def quoted(self, mention: int) -> str:
        """Put a mention's words into quotes, the middle of a long one left out."""
        text = self.shortened(mention)
        return f'"{text}"' if self.has_words else text

    def tokens(self, mention: int) -> list[int]:
        """Give the rows of a mention's tokens."""
        row = self._side.row[mention]
        start, end = self._tokens.start[row], self._tokens.start[row + 1]
        found: list[int] = self._tokens.member[start:end].tolist()
        return found

    @property
    def has_heads(self) -> bool:
        """Tell whether mentions have heads, and there is a text to find them in."""
        words = self.corpus.words
        return self.has_words and words is not None and not words.by_document

    def head(self, mention: int) -> str:
        """Quote the head of a mention."""
        words, tokens = self.corpus.words, self.corpus.tokens
        assert words is not None
        assert tokens is not None
        assert tokens.code is not None
        code = words.head[self._side.row[mention]]
        found = next(row for row in self.tokens(mention) if tokens.code[row] == code)
        return f'"{self._words[found]}"'

    def line(self, mention: int) -> int | None:
        """Give the line of a mention's first word; None where there are no lines."""
        if self.corpus.tokens is not None:
            return int(self.corpus.tokens.line[self.tokens(mention)[0]])
        return int(self.corpus.mention_line[self._side.row[mention]]) or None

    def sentence(self, mention: int) -> int | None:
        """Give the number of a mention's sentence in its document, from 1."""
        tokens = self.corpus.tokens
        if tokens is None:
            return None
        entity = self.corpus.mention_entity[self._side.row[mention]]
        first = tokens.first[self.corpus.entity_document[entity]]
        here = tokens.sentence[self.tokens(mention)[0]]
        return int(here - tokens.sentence[first]) + 1

    def first_of(self, entity: int) -> int:
        """Give the first mention of an entity; -1 if none is scored."""
        return int(self._first[entity])

    @cached_property
    def _first(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        first = np.full(len(self.corpus.entity_label), -1, dtype=np.int64)
        places = np.arange(len(self._side.row))[::-1]
        first[self._side.entity[places]] = places
        return first

    @cached_property
    def _words(self) -> list[str]:
        tokens = self.corpus.tokens
        assert tokens is not None
        return tokens.forms(empty=ZERO)

    @cached_property
    def _tokens(self) -> WordSets:
        assert self.corpus.tokens is not None
        return self.corpus.tokens.of_mentions(self.corpus)

"""Errors in words: one sentence that says what is wrong.

Mentions are quoted by their words or, if a file has no words, by their offsets.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.model.arrays import inverse
from scoref.tools.errors.classes import mention_classes
from scoref.tools.errors.kinds import KINDS

if TYPE_CHECKING:
    from scoref.model import Corpus, Ints, WordSets
    from scoref.tools.errors.findings import AnalysedSide, Analysis


SAME_WORDS = "the same words, but a different head"


class Worded(NamedTuple):
    """One error in words, as it is shown and as it is in JSON."""

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
        """The name of its kind."""
        return KINDS[self.kind].name

    @property
    def label(self) -> str:
        """The label of its kind in tables."""
        return KINDS[self.kind].label


class _Members(NamedTuple):
    """The mentions of each error on one side, as lists."""

    start: list[int]
    member: list[int]


class Wording:
    """The errors of an analysis, put into words."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        key, response = analysis._corpora
        self.key = MentionTexts(key, analysis.key)
        self.response = MentionTexts(response, analysis.response, self.key)
        self._words: dict[int, str] = {}

    def worded(self, error: int) -> Worded:
        """Put an error into words."""
        errors = self._analysis.errors
        ours, theirs = self.mentions(error)
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
        """Say in one sentence what is wrong, and which annotators agree with it."""
        kind = KINDS[int(self._analysis.errors.kind[error])]
        sentence = kind.sentence.format_map(_Phrases(self, error))
        clause = self.agreement(error)
        return f"{sentence}; {clause}" if clause else sentence

    def agreement(self, error: int) -> str:
        """Name the other annotators who agree with the response, if there are any."""
        supporters = self._analysis._supporters
        names = () if supporters is None else supporters[error]
        agree = "agrees" if len(names) == 1 else "agree"
        return f"{', '.join(names)} {agree}" if names else ""

    def words(self, error: int) -> str:
        """Return the words of an error's first mention, of the key's if it has any."""
        texts = self._words
        if error not in texts:
            ours, theirs = self.mentions(error)
            side, mentions = (self.key, ours) if ours else (self.response, theirs)
            texts[error] = side.shortened(mentions[0])
        return texts[error]

    def entity_name(self, error: int) -> str:
        """Return the words of the best mention of an error's entity.

        A pronoun is followed by its sentence and document.
        """
        errors = self._analysis.errors
        side, entity = self.key, int(errors.key_entity[error])
        if entity < 0:
            side, entity = self.response, int(errors.response_entity[error])
        best = side.best_of(entity)
        if not (place := side.place_of_pronoun(best)):
            return side.shortened(best)
        if len(self._analysis.documents) > 1:
            place += f" of {self._analysis.documents[int(side.side.document[best])]}"
        return side.quoted(best) + place

    def mentions(self, error: int) -> tuple[list[int], list[int]]:
        """Return the mentions of an error in the key and in the response."""
        ours, theirs = self._members
        return (
            ours.member[ours.start[error] : ours.start[error + 1]],
            theirs.member[theirs.start[error] : theirs.start[error + 1]],
        )

    @cached_property
    def _members(self) -> tuple[_Members, _Members]:
        errors = self._analysis.errors
        ours, theirs = errors.key_mentions, errors.response_mentions
        return (
            _Members(ours.start.tolist(), ours.member.tolist()),
            _Members(theirs.start.tolist(), theirs.member.tolist()),
        )

    def found(self, error: int) -> str:
        """Quote the mention of the response whose words are wrong."""
        return self.response.quoted(self.mentions(error)[1][0])

    def wanted(self, error: int) -> str:
        """Quote the mention of the key that it should have been."""
        return self.key.quoted(self.mentions(error)[0][0])

    def amount(self, error: int) -> str:
        """Say by how much the words are wrong."""
        errors = self._analysis.errors
        ours, theirs = self.mentions(error)
        columns = errors.left, errors.right, errors.inside
        amount = amount_of(*(int(column[error]) for column in columns))
        if amount == SAME_WORDS and self.key.has_heads and self.response.has_heads:
            heads = self.response.head(theirs[0]), self.key.head(ours[0])
            amount = f"{amount} ({heads[0]} instead of {heads[1]})"
        return amount

    def ours(self, error: int) -> str:
        """Name mentions of the key and their entity."""
        ours, _ = self.mentions(error)
        return f"{_phrase(self.key, ours)} of {self.owner(error)}"

    def owner(self, error: int) -> str:
        """Name the entity of an error's mentions in the key."""
        ours, _ = self.mentions(error)
        entity = int(self._analysis.errors.key_entity[error])
        return self._entity(error, entity, ours)

    def theirs(self, error: int) -> str:
        """Name mentions that the key does not have."""
        _, theirs = self.mentions(error)
        are = "is" if len(theirs) == 1 else "are"
        return f"{_phrase(self.response, theirs)}, which {are} not in the key,"

    def was(self, error: int) -> str:
        """Return the verb that agrees with the number of mentions."""
        ours, theirs = self.mentions(error)
        return "was" if len(ours or theirs) == 1 else "were"

    def others(self, error: int) -> str:
        """Name the key entity that has most of the response entity."""
        entity = int(self._analysis.errors.response_entity[error])
        model = int(self._analysis._entity_partner[entity])
        return self._entity(error, model, [])

    def _entity(self, error: int, entity: int, named: list[int]) -> str:
        """Name a key entity by its label and its best mention, unless that is named.

        The sentence of a pronoun is named, too, and the document of the mention if it
        is not that of the error.
        """
        best = self.key.best_of(entity)
        label = f"entity {_label(self.key, entity)}"
        if any(self.key.text(mention) == self.key.text(best) for mention in named[:1]):
            return label
        place = self.key.place_of_pronoun(best)
        document = int(self._analysis.key.document[best])
        if document != int(self._analysis.errors.document[error]):
            place += (
                f" {'of' if place else 'in'} '{self._analysis.documents[document]}'"
            )
        return f"{label} ({self.key.quoted(best)}{place})"


class _Phrases(dict[str, str]):
    """The phrases in the sentence about an error, made when the sentence needs them."""

    def __init__(self, wording: Wording, error: int) -> None:
        super().__init__()
        self._wording, self._error = wording, error

    def __missing__(self, name: str) -> str:
        phrase: str = getattr(self._wording, name)(self._error)
        return phrase


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
        differ = "differs" if inside == 1 else "differ"
        parts.append(f"{_words(inside)} inside {differ}")
    return ", ".join(parts) or SAME_WORDS


def _words(count: int) -> str:
    return "1 word" if count == 1 else f"{count} words"


def _phrase(side: MentionTexts, mentions: list[int]) -> str:
    first = side.quoted(mentions[0])
    if len(mentions) == 1:
        return first
    more = len(mentions) - 1
    return f"{first} and {more} other {'mention' if more == 1 else 'mentions'}"


def _label(side: MentionTexts, entity: int) -> str | None:
    return None if entity < 0 else side.corpus.entity_label[entity]


ZERO = "∅"

_SHOWN = 60

_LONGEST_NAME = 6  # words

_RANKS = {
    name: rank
    for rank, name in enumerate(
        ("proper", "capital", "common", "other", "pronoun", "zero")
    )
}
"""The classes of mentions, the best names first.

Without parts of speech, a mention whose last word has a capital letter may be a name.
"""


_WITHOUT_NAME = ("pronoun", "zero")


class MentionTexts:
    """The texts of the mentions of one side, by their places in `AnalysedSide`."""

    def __init__(
        self, corpus: Corpus, side: AnalysedSide, key: MentionTexts | None = None
    ) -> None:
        self.corpus = corpus
        self.side = side
        self._key = key

    @property
    def has_words(self) -> bool:
        """Whether there is a text."""
        return self.corpus.tokens is not None

    def text(self, mention: int) -> str:
        """Return the words of a mention, or its first and last token."""
        if self.corpus.tokens is None:
            return self.corpus.place(int(self.side.row[mention]))
        return " ".join([self.words[token] for token in self.tokens(mention)])

    def shortened(self, mention: int) -> str:
        """Return the words of a mention, without the middle of a long one."""
        text = self.text(mention)
        if len(text) <= _SHOWN:
            return text
        # One more letter on each side says whether a word ends or begins there.
        head, tail = text[: _SHOWN // 2 + 1], text[2 - _SHOWN // 2 :]
        start = head.rpartition(" ")[0] or head[:-1]
        end = tail.partition(" ")[2] or tail[1:]
        return f"{start.rstrip()} … {end.lstrip()}"

    def quoted(self, mention: int) -> str:
        """Quote the words of a mention, without the middle of a long one."""
        text = self.shortened(mention)
        return f'"{text}"' if self.has_words else text

    def tokens(self, mention: int) -> list[int]:
        """Return the rows of a mention's tokens."""
        starts, ends, rows = self._rows
        return rows[starts[mention] : ends[mention]]

    @property
    def has_heads(self) -> bool:
        """Whether mentions have heads, and there is a text to find them in."""
        words = self.corpus.words
        return self.has_words and words is not None and not words.by_document

    def head(self, mention: int) -> str:
        """Quote the head of a mention."""
        words, tokens = self.corpus.words, self.corpus.tokens
        assert words is not None
        assert tokens is not None
        assert tokens.code is not None
        code = words.head[self.side.row[mention]]
        token = next(row for row in self.tokens(mention) if tokens.code[row] == code)
        return f'"{self.words[token]}"'

    def line(self, mention: int) -> int | None:
        """Return the line of a mention's first word, if the format has lines."""
        if self.corpus.tokens is not None:
            return int(self.corpus.tokens.line[self.tokens(mention)[0]])
        return int(self.corpus.mention_line[self.side.row[mention]]) or None

    def sentence(self, mention: int) -> int | None:
        """Return the number of a mention's sentence in its document, from 1."""
        tokens = self.corpus.tokens
        if tokens is None:
            return None
        entity = self.corpus.mention_entity[self.side.row[mention]]
        first = tokens.first[self.corpus.entity_document[entity]]
        sentence = tokens.sentence[self.tokens(mention)[0]]
        return int(sentence - tokens.sentence[first]) + 1

    def best_of(self, entity: int) -> int:
        """Return the mention that an entity is called by; -1 if none is scored.

        Names come before nouns, nouns before pronouns. Among these, the longest mention
        is the best, unless it is too long for a name.
        """
        return int(self._best[entity])

    def place_of_pronoun(self, mention: int) -> str:
        """Say in which sentence a pronoun or zero is; nothing for other mentions.

        As the name of an entity, its words alone would say nothing.
        """
        if self.classes is None or self.classes[mention] not in _WITHOUT_NAME:
            return ""
        sentence = self.sentence(mention)
        return "" if sentence is None else f" in sentence {sentence:,}"

    @cached_property
    def _best(self) -> Ints:
        best = np.full(len(self.corpus.entity_label), -1, dtype=np.int64)
        places = np.argsort(self.goodness)
        best[self.side.entity[places]] = places
        return best

    @cached_property
    def classes(self) -> list[str] | None:
        """The type of each mention; None if types are unknown."""
        key = None if self._key is None else self._key.corpus
        return mention_classes(self.corpus, self.side, key)

    @cached_property
    def goodness(self) -> Ints:
        """Rank mentions by how good they are as names; the best has the highest."""
        side, count, classes = self.side, len(self.side.row), self.classes
        if classes is None or not self.has_words:
            return np.arange(count)[::-1]
        length = np.diff(self._tokens.start)[side.row]
        last = self._tokens.member[self._tokens.start[side.row + 1] - 1].tolist()
        words = self.words
        rank = [
            _RANKS[name if name != "other" or words[row].islower() else "capital"]
            for name, row in zip(classes, last, strict=True)
        ]
        is_long = length > _LONGEST_NAME
        size = np.where(is_long, -length, length)
        order = np.lexsort((-np.arange(count), size, ~is_long, -np.array(rank)))
        return inverse(order)

    @cached_property
    def words(self) -> list[str]:
        """The forms of all tokens; ∅ for an empty node without a form."""
        tokens = self.corpus.tokens
        assert tokens is not None
        if self._key is not None and self._key.corpus.tokens is not None:
            known = self._key.corpus.tokens
            if (
                np.array_equal(tokens.word.length, known.word.length)
                and np.array_equal(tokens.word.data, known.word.data)
                and np.array_equal(tokens.is_empty, known.is_empty)
            ):
                return self._key.words  # mostly; decoding takes long
        return tokens.forms(empty=ZERO)

    @cached_property
    def _rows(self) -> tuple[list[int], list[int], list[int]]:
        """Where the tokens of each mention start and end in a list of tokens."""
        start, row = self._tokens.start, self.side.row
        return (
            start[row].tolist(),
            start[row + 1].tolist(),
            self._tokens.member.tolist(),
        )

    @cached_property
    def _tokens(self) -> WordSets:
        assert self.corpus.tokens is not None
        return self.corpus.tokens.of_mentions(self.corpus)

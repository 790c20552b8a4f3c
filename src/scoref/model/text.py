"""The text of a corpus in columns: words, sentences, and the tokens of mentions.

The class `Tokens` holds the text of every format. `Tokens.first_difference` finds the
first place where two texts differ.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.errors import TooLargeError
from scoref.model.arrays import bounds, is_new, ranges, starts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints


SENTENCE_BITS, WORD_BITS = 32, 12
"""The code of a word has its sentence, its number and, for an empty node, its second
number: 3.1 of the first sentence is ``0 << SENTENCE_BITS | 3 << WORD_BITS | 1``."""

EMPTY = (1 << WORD_BITS) - 1
LAST_WORD = (1 << SENTENCE_BITS - WORD_BITS) - 1
"""The greatest second number of an empty node, and the greatest number of a word."""


def place_codes(sentence: Ints, number: Ints, empty: Ints) -> Ints:
    """Return the codes of words; the first part may be a document instead."""
    wide = np.int64(SENTENCE_BITS), np.int64(WORD_BITS)
    return sentence << wide[0] | number << wide[1] | empty


_FIRST_BYTE = -64  # of a UTF-8 character, as a signed byte; the others are below


class Texts(NamedTuple):
    """Many short texts in one array: their bytes, concatenated, and their lengths."""

    data: NDArray[np.uint8]
    length: Ints

    @classmethod
    def of(cls, texts: Iterable[str]) -> Texts:
        """Concatenate strings."""
        strings = list(texts)
        text = "".join(strings)
        data = text.encode("utf-8", "surrogatepass")
        length = np.fromiter(map(len, strings), dtype=np.int64, count=len(strings))
        if len(data) > len(text):  # some characters are several bytes
            first = np.flatnonzero(np.frombuffer(data, dtype=np.int8) >= _FIRST_BYTE)
            end = np.append(first, len(data))[np.cumsum(length)]
            length = np.diff(end, prepend=0)
        return cls(np.frombuffer(data, dtype=np.uint8), length)

    @classmethod
    def blank(cls, count: int) -> Texts:
        """Return so many empty texts."""
        return cls(np.zeros(0, dtype=np.uint8), np.zeros(count, dtype=np.int64))

    @classmethod
    def joined(cls, parts: Sequence[Texts]) -> Texts:
        """Concatenate several columns of texts."""
        return cls(
            np.concatenate([part.data for part in parts]),
            np.concatenate([part.length for part in parts]),
        )

    def first_difference(self, other: Texts) -> int:
        """Return the first row whose texts differ; -1: the common rows are equal.

        >>> Texts.of(["a", "bc"]).first_difference(Texts.of(["ab", "c"]))
        0
        """
        common = min(len(self.length), len(other.length))
        unequal = np.flatnonzero(self.length[:common] != other.length[:common])[:1]
        until = int(unequal[0]) if len(unequal) else common
        ends = np.cumsum(self.length[:until])
        size = int(ends[-1]) if until else 0
        byte = np.flatnonzero(self.data[:size] != other.data[:size])[:1]
        if len(byte):
            return int(np.searchsorted(ends, byte[0], side="right"))
        return int(unequal[0]) if len(unequal) else -1

    def text(self, row: int) -> str:
        """Return one text."""
        start = int(self.length[:row].sum())
        piece = self.data[start : start + int(self.length[row])]
        return piece.tobytes().decode("utf-8", "replace")

    def strings(self) -> list[str]:
        """Return all texts.

        They are cut from one string. Only texts that are not UTF-8 are decoded one by
        one.
        """
        data, end = self.data.tobytes(), bounds(self.length)
        is_first = np.append(self.data.view(np.int8) >= _FIRST_BYTE, True)
        whole = None
        if is_first[end].all():  # no character is cut in two
            with suppress(UnicodeDecodeError):
                whole = data.decode("utf-8")
        if whole is None:
            pieces = pairwise(end.tolist())
            return [data[a:b].decode("utf-8", "replace") for a, b in pieces]
        characters = bounds(is_first)[end] if len(whole) < len(data) else end
        return [whole[a:b] for a, b in pairwise(characters.tolist())]

    def take(self, rows: Ints) -> Texts:
        """Keep some texts, in a new order."""
        if np.array_equal(rows, np.arange(len(self.length))):
            return self  # mostly, if documents are paired
        length = self.length[rows]
        return Texts(self.data[ranges(starts(self.length)[rows], length)], length)


class Cells(NamedTuple):
    """Texts by their places in a file, which are decoded only if they are needed."""

    data: bytes
    start: Ints
    end: Ints

    def copied(self) -> Texts:
        """Copy all texts into one array."""
        length = self.end - self.start
        data = np.frombuffer(self.data, dtype=np.uint8)
        return Texts(data[ranges(self.start, length)], length)

    def texts(self, rows: Ints | slice = slice(None)) -> tuple[bytes, ...]:
        """Return some texts, or all."""
        places = zip(self.start[rows].tolist(), self.end[rows].tolist(), strict=True)
        return tuple([self.data[start:end] for start, end in places])

    def take(self, rows: Ints) -> Cells:
        """Keep some texts, in a new order."""
        return Cells(self.data, self.start[rows], self.end[rows])


_MOST_WORDS, _LONG = 1 << 22, 64
"""The most words of all mentions: this many, or this many on average."""


def list_words(first: Ints, length: Ints, step: int = 1, *, source: str = "") -> Ints:
    """List the words of runs, given the first word and the length of each.

    >>> list_words(np.array([3, 8]), np.array([2, 3])).tolist()
    [3, 4, 8, 9, 10]

    Raises:
        TooLargeError: mentions are so long that memory may not suffice.
    """
    end = np.cumsum(length)
    count = int(end[-1]) if len(end) else 0
    if count > max(_MOST_WORDS, _LONG * len(length)):
        place = f"{source}: " if source else ""
        raise TooLargeError(
            f"{place}{len(length):,} mentions have {count:,} words in total, which is "
            f"too many ({count // len(length):,} per mention on average)"
        )
    number = np.arange(count) - np.repeat(end - length, length)
    return np.repeat(first, length) + step * number


class WordSets(NamedTuple):
    """A set of words for each mention: ``member[start[row]:start[row + 1]]``."""

    start: Ints
    member: Ints

    def joined(self, other: WordSets) -> WordSets:
        """Append the sets of another corpus."""
        return WordSets(
            np.concatenate((self.start, self.start[-1] + other.start[1:])),
            np.concatenate((self.member, other.member)),
        )

    def take(self, rows: Ints) -> WordSets:
        """Keep the sets of some mentions, in a new order."""
        length = np.diff(self.start)[rows]
        return WordSets(bounds(length), self.member[ranges(self.start[rows], length)])


class Tokens(NamedTuple):
    """The text of a corpus, a row for each token, to show it or to convert it.

    Tokens are sorted by document, and sentences are numbered through the corpus. In
    CorefUD and Universal Anaphora a token is a word or an empty node, and ``code`` is
    its code in `Words`. In other formats mentions are counted in tokens of a document.
    """

    first: Ints  # by document, and the end of the last one
    sentence: Ints
    line: Ints
    word: Texts  # Universal Anaphora's zeros have none
    code: Ints | None = None

    @property
    def document(self) -> Ints:
        """Return the document of each token."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))

    @property
    def is_start(self) -> NDArray[np.bool_]:
        """Mark the tokens that start a sentence; the first of a document does."""
        is_start = is_new(self.sentence)
        is_start[self.first[:-1][np.diff(self.first) > 0]] = True
        return is_start

    @property
    def is_empty(self) -> NDArray[np.bool_]:
        """Mark empty nodes."""
        if self.code is None:
            return np.zeros(len(self.line), dtype=np.bool_)
        is_empty: NDArray[np.bool_] = (self.code & EMPTY) > 0
        return is_empty

    @property
    def overt(self) -> Tokens:
        """Return the tokens without empty nodes."""
        is_empty = self.is_empty
        return self.keep(~is_empty) if is_empty.any() else self

    def first_difference(self, other: Tokens) -> int:
        """Return the first token that is another word, or in another document.

        It may be the first token that only one text has; -1: the texts are the same.
        """
        common = min(len(self.line), len(other.line))
        is_moved = self.document[:common] != other.document[:common]
        rows = [self.word.first_difference(other.word)]
        rows += np.flatnonzero(is_moved)[:1].tolist()
        rows += [common] if len(self.line) != len(other.line) else []
        return min((row for row in rows if row >= 0), default=-1)

    def by_document(self) -> Iterator[Tokens]:
        """Return the tokens of each document."""
        byte = bounds(self.word.length)
        for start, end in pairwise(self.first.tolist()):
            rows = slice(start, end)
            data = self.word.data[byte[start] : byte[end]]
            yield Tokens(
                np.array([0, end - start]),
                self.sentence[rows],
                self.line[rows],
                Texts(data, self.word.length[rows]),
                None if self.code is None else self.code[rows],
            )

    def of_documents(self, rows: Ints) -> Tokens:
        """Keep some documents, in a new order."""
        length = np.diff(self.first)[rows]
        return self._take(bounds(length), ranges(self.first[rows], length))

    def keep(self, kept: NDArray[np.bool_]) -> Tokens:
        """Keep some tokens."""
        before = np.concatenate(([0], np.cumsum(kept)))
        return self._take(before[self.first], np.flatnonzero(kept))

    def _take(self, first: Ints, rows: Ints) -> Tokens:
        return Tokens(
            first,
            self.sentence[rows],
            self.line[rows],
            self.word.take(rows),
            None if self.code is None else self.code[rows],
        )

    def forms(self, empty: str) -> list[str]:
        """Return the words to show; ``empty`` is shown for a node without a form."""
        words = self.word.strings()
        for row in np.flatnonzero(self.is_empty).tolist():
            words[row] = empty if words[row] in {"", "_"} else words[row]
        return words

    def rows(self, code: Ints) -> Ints:
        """Return the rows of the tokens that have these codes in `Words`."""
        assert self.code is not None
        order = np.argsort(self.code, kind="stable")
        return order[np.searchsorted(self.code[order], code)]

    def of_mentions(self, corpus: Corpus) -> WordSets:
        """Return the rows of each mention's tokens."""
        if corpus.words is not None and self.code is not None:
            return WordSets(corpus.words.start, self.rows(corpus.words.member))
        start, member = corpus.token_sets()
        first = self.first[corpus.mention_document]
        return WordSets(start, member + np.repeat(first, np.diff(start)))


class Sentences(NamedTuple):
    """The sentences of a file; two files with the same ones can be compared by word."""

    document: Ints
    is_start: NDArray[np.bool_]  # of a document, or of a part of one
    line: Ints
    identifier: Texts
    word_count: Ints  # without empty nodes
    word: Texts
    word_line: Ints

    def tokens(self, documents: int = 0) -> Tokens:
        """Return the words as tokens, sorted by document; the last may have none."""
        document = np.repeat(self.document, self.word_count)
        count = np.bincount(document, minlength=documents)
        order = np.argsort(document, kind="stable")
        sentence = np.repeat(np.arange(len(self.line)), self.word_count)
        return Tokens(
            bounds(count),
            sentence[order],
            self.word_line[order],
            self.word.take(order),
        )

    def first_difference(self, other: Sentences) -> int:
        """Return the sentence of the first word that differs; -1: none does."""
        word = self.word.first_difference(other.word)
        if word < 0:
            return -1
        return int(np.searchsorted(np.cumsum(self.word_count), word, side="right"))


class Parses(NamedTuple):
    """The tokens of a CoNLL-2012 file, each with its piece of a parse such as ``(NP*``.

    Token 3 of document ``row`` is in row ``first[row] + 3``. If a line is too short to
    have a word or a parse, that is empty.
    """

    first: Ints  # by document
    sentence: Ints
    line: Ints
    word: Cells
    tag: Cells
    piece: Cells

"""The words of a document in JSON lines, also if its offsets count word pieces.

    {"doc_key": "nw/a_0", "sentences": [["[CLS]", "Ada", "##line", "slept", "[SEP]"]],
     "subtoken_map": [0, 0, 0, 1, 1], "clusters": [[[1, 2]]]}

e2e-coref and its successors with BERT (SpanBERT, coref-hoi, fast-coref) write such
files. ``sentences`` are segments of word pieces, with marks at both ends, and
``subtoken_map`` has the number of the word of each piece, including the marks. A
mention is then from the word of its first piece to the word of its last piece, as in
the converters of these systems. ``sentence_map`` has the sentence of each piece. The
words are in ``tokens`` or ``orig_tokens``. If they are in neither, they are made of
their pieces.

fast-coref adds pieces for speakers, which ``orig_subtoken_map`` marks with -1.
"""

from __future__ import annotations

import functools
from itertools import chain, groupby
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

_MARKS = frozenset(
    ("[CLS]", "[SEP]", "[PAD]", "[SPL]", "<s>", "</s>", "<pad>", "<cls>", "<sep>")
)

UNKNOWN_WORD = "\N{REPLACEMENT CHARACTER}"
"""A word of which a file has no piece."""


class PiecesError(Exception):
    """A map of word pieces that does not fit the document."""


class WordRecord(msgspec.Struct):
    """The words of a document, which it may have in several fields."""

    sentences: list[list[str]] | None = None
    tokens: list[str] | None = None
    document: list[str] | str | None = None
    subtoken_map: list[int] | None = None
    orig_subtoken_map: list[int] | None = None
    orig_tokens: list[str] | None = None
    sentence_map: list[int] | None = None

    def piece_words(self) -> list[int] | None:
        """Return the number of the word of each piece; None if offsets count words.

        Raises:
            PiecesError: the map is not one of the pieces of this document.
        """
        name = "subtoken_map"
        word = self.subtoken_map
        if word is not None and self.orig_subtoken_map is not None:
            name, word = "orig_subtoken_map", self.orig_subtoken_map
        if word is None:
            return None
        if self.sentences is not None:
            pieces = sum(map(len, self.sentences))
            if len(word) != pieces:
                size = f"the length of '{name}' is {len(word)}"
                problem = f"{size}, but there are {pieces} word pieces"
                raise PiecesError(problem)
        before = -1
        for place, number in enumerate(word):
            if number < -1 or -1 < number < before:
                problem = f"{name}[{place}] is {number}, after {before}"
                raise PiecesError(problem)
            before = max(before, number)
        words = self._known_words()
        if words is not None and before >= len(words):
            raise PiecesError(f"'{name}' has word {before} of {len(words)} words")
        return word

    def length(self) -> int | None:
        """Return the number of words, if the document has them."""
        if self.subtoken_map is not None:
            words = self._known_words()
            if words is None and self.sentences is None:
                return None
            numbers = self.orig_subtoken_map or self.subtoken_map
            return max(numbers, default=-1) + 1 if words is None else len(words)
        if self.tokens is not None:
            return len(self.tokens)
        if self.sentences is not None:
            return sum(map(len, self.sentences))
        return len(self.document) if isinstance(self.document, list) else None

    def words(self) -> list[list[str]] | None:
        """Return the words by sentence; None if the document has none."""
        if self.subtoken_map is not None:
            return self._words_of_pieces()
        if self.sentences is not None:
            return self.sentences
        if self.tokens is not None:
            return [self.tokens]
        return [self.document] if isinstance(self.document, list) else None

    def _known_words(self) -> list[str] | None:
        """Return the words of a document of word pieces, if it has them as well."""
        return self.tokens if self.orig_tokens is None else self.orig_tokens

    def _words_of_pieces(self) -> list[list[str]] | None:
        numbers, words = self.piece_words(), self._known_words()
        if numbers is None or (self.sentences is None and words is None):
            return None
        if words is None:
            words = joined_pieces([*chain(*self.sentences or ())], numbers)
        sentences = self.sentence_map or []
        if len(sentences) != len(numbers):
            return [words]
        # The first piece decides: a mark after a word may be in the next sentence.
        places = reversed(range(len(numbers)))
        sentence_of = {numbers[place]: sentences[place] for place in places}
        last, of_word = 0, []
        for number in range(len(words)):
            last = sentence_of.get(number, last)
            of_word.append(last)
        rows = groupby(range(len(words)), of_word.__getitem__)
        return [[words[row] for row in group] for _, group in rows]


def joined_pieces(pieces: Sequence[str], numbers: Sequence[int]) -> list[str]:
    """Make words of pieces in the spelling of BERT, SentencePiece or GPT-2.

    >>> joined_pieces(["[CLS]", "Ada", "##line", "slept", "[SEP]"], [0, 0, 0, 1, 1])
    ['Adaline', 'slept']
    >>> joined_pieces(["\u0120Ada", "line", "\u0120sle", "pt"], [0, 0, 1, 1])
    ['Adaline', 'slept']
    """
    of_word: list[list[str]] = [[] for _ in range(max(numbers, default=-1) + 1)]
    for piece, number in zip(pieces, numbers, strict=True):
        if number >= 0 and piece not in _MARKS:
            of_word[number].append(piece)
    is_bytes = any("\u0120" in piece for piece in pieces)
    spell = _decoded if is_bytes else _plain
    return [spell(of) or UNKNOWN_WORD for of in of_word]


def _plain(pieces: list[str]) -> str:
    first, *rest = pieces or [""]
    word = first + "".join(piece.removeprefix("##") for piece in rest)
    return word.replace("\u2581", "")


def _decoded(pieces: list[str]) -> str:
    """Decode the pieces of GPT-2, in which a character stands for a byte."""
    byte_of = _bytes_by_character()
    text = "".join(pieces)
    if not byte_of.keys() >= set(text):
        return text
    return bytes(byte_of[sign] for sign in text).decode("utf-8", "replace").strip()


@functools.cache
def _bytes_by_character() -> dict[str, int]:
    """Return the byte for each character; unprintable bytes are moved beyond 255."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    moved = {chr(256 + row): byte for row, byte in enumerate(others)}
    return {**{chr(byte): byte for byte in printable}, **moved}

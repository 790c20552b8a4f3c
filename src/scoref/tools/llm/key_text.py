"""A document of the key as a text that a model may have been given.

There is more than one such text where the key has empty nodes, or tokens of several
words: an answer may have the former or not, at their place in the file or behind the
word that they depend on, and `del` or `de el`. The shared task's converter has written
all of these. The text that shares most pairs of neighbouring pieces with the answer is
taken.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.alignment.pieces import ZERO, composed, cut_words
from scoref.model import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from scoref.formats.conllu_trees import DependencyTrees
    from scoref.model import Corpus, Ints, Tokens


class Word(NamedTuple):
    """A word of a text: some tokens of the document, and where it is to stand."""

    place: tuple[int, bool, int]
    first: int
    last: int
    form: str


class KeyText(NamedTuple):
    """The pieces of a text, each of a word, which is some tokens of the document."""

    pieces: list[str]
    word: Ints  # by piece
    first: Ints  # by word
    last: Ints

    @classmethod
    def of(cls, words: Sequence[Word]) -> KeyText:
        """Cut words into pieces."""
        forms = [word.form for word in words]
        pieces, owner = cut_words(forms, with_zeros=True)
        first, last = (
            np.array([word[column] for word in words], dtype=np.int64)
            for column in (1, 2)
        )
        return cls(pieces.text, owner, first, last)


@dataclass(frozen=True)
class KeyDocument:
    """The tokens of one document, and what other texts are made of.

    ``behind`` has, by token, the word that an empty node depends on, and ``surface``
    by its first word a token of several words: the last one, and its form.
    """

    tokens: Tokens
    behind: dict[int, int]
    surface: dict[int, tuple[int, str]]

    @cached_property
    def words(self) -> list[str]:
        """Write accents in one way, as answers are."""
        return list(map(composed, self.tokens.word.strings()))

    @cached_property
    def is_zero(self) -> NDArray[np.bool_]:
        """Mark empty nodes."""
        return self.tokens.is_empty

    def text_for(self, answer: Sequence[str]) -> KeyText:
        """Choose the text that an answer is most like."""
        has_zeros = bool(self.is_zero.any())
        orders: list[bool | None] = [None]
        if has_zeros and ZERO in answer:
            orders = [True, False] if self.behind else [True]
        joins = [False, True] if self.surface else [False]
        if len(orders) == len(joins) == 1:
            return self.text(zeros_in_place=orders[0])
        pairs = Counter(pairwise(answer))
        texts = [
            self.text(zeros_in_place=order, joined=joined)
            for order in orders
            for joined in joins
        ]
        return max(
            texts,
            key=lambda text: (Counter(pairwise(text.pieces)) & pairs).total(),
        )

    def text(self, *, zeros_in_place: bool | None, joined: bool = False) -> KeyText:
        """Write the document: with empty nodes where they are, elsewhere or not."""
        return KeyText.of(self.written(zeros_in_place=zeros_in_place, joined=joined))

    def written(self, *, zeros_in_place: bool | None, joined: bool) -> list[Word]:
        """Give the words of such a text."""
        words = list(self._overt(joined=joined))
        if zeros_in_place is not None:
            words += self._zeros(in_place=zeros_in_place, joined=joined)
        return sorted(words)

    def _overt(self, *, joined: bool) -> Iterator[Word]:
        done = -1
        for row in np.flatnonzero(~self.is_zero).tolist():
            if row <= done:
                continue
            done, form = row, self.words[row]
            if joined and row in self.surface:
                done, form = self.surface[row]
            yield Word((2 * done, False, row), row, done, form)

    def _zeros(self, *, in_place: bool, joined: bool) -> Iterator[Word]:
        within = _within(self.surface) if joined else {}
        for row in np.flatnonzero(self.is_zero).tolist():
            before = self._word_before(row)
            behind = before if in_place else self.behind.get(row, before)
            place = 2 * within.get(behind, behind) + 1
            yield Word((place, behind != before, row), row, row, ZERO)

    def _word_before(self, row: int) -> int:
        while row >= 0 and self.is_zero[row]:
            row -= 1
        return row


def _within(surface: dict[int, tuple[int, str]]) -> dict[int, int]:
    """Find the last word of the token that words are part of."""
    return {
        row: last
        for first, (last, _) in surface.items()
        for row in range(first, last + 1)
    }


def documents_of(key: Corpus, trees: DependencyTrees | None) -> Iterator[KeyDocument]:
    """Give the documents of a key, one by one."""
    assert key.tokens is not None  # noqa: S101 - a key without text was refused
    surfaces = {each.first: each for each in trees.surfaces} if trees else {}
    for tokens in key.tokens.by_document():
        codes = [] if tokens.code is None else tokens.code.tolist()
        places = {code: row for row, code in enumerate(codes)}
        found = (surfaces[each] for each in places if each in surfaces)
        yield KeyDocument(
            tokens,
            _parents(places, tokens.sentence, trees) if trees else {},
            {
                places[each.first]: (places[each.last], each.form)
                for each in found
                if each.last in places
            },
        )


def _parents(
    places: dict[int, int], sentence: Ints, trees: DependencyTrees
) -> dict[int, int]:
    """Find the word that each empty node of a document stands behind in the track."""
    behind: dict[int, int] = {}
    for code, row in places.items():
        if not code & EMPTY:
            continue
        parent, met = trees.parent_of_empty(code), {code}
        while parent & EMPTY and parent not in met:
            met.add(parent)
            parent = trees.parent_of_empty(parent)
        start = int(np.searchsorted(sentence, sentence[row])) - 1
        behind[row] = places.get(parent, start)
    return behind

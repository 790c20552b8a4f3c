"""What mentions look like: their words, or, where a file has none, their offsets."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scoref.model import Corpus, WordSets
    from scoref.tools.errors.findings import AnalysedSide

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
        assert words is not None  # noqa: S101 - asked before
        assert tokens is not None  # noqa: S101
        assert tokens.code is not None  # noqa: S101
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
        assert tokens is not None  # noqa: S101 - asked before
        return tokens.forms(empty=ZERO)

    @cached_property
    def _tokens(self) -> WordSets:
        assert self.corpus.tokens is not None  # noqa: S101 - asked before
        return self.corpus.tokens.of_mentions(self.corpus)

"""Mentions that are any tokens of a document, made into a corpus.

For formats that count tokens by document, and whose mentions may have gaps. A word is
then what `scoref.model.Words` calls one counted by document: the number of a token,
from 1, and for an empty node a second number behind the word before it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import FormatError
from scoref.model import (
    Corpus,
    Sentences,
    Texts,
    Tokens,
    WordSets,
    place_codes,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints

    Mask = NDArray[np.bool_]


def codes(first: Ints, is_empty: Mask) -> Ints:
    """Number the tokens of documents: words from 1, empty nodes behind them.

    >>> found = codes(np.array([0, 3, 4]), np.array([False, True, False, False]))
    >>> [(code >> 32, code >> 12 & 15, code & 15) for code in found.tolist()]
    [(0, 1, 0), (0, 1, 1), (0, 2, 0), (1, 1, 0)]
    """
    return place_codes(*numbers(first, is_empty))


def numbers(first: Ints, is_empty: Mask) -> tuple[Ints, Ints, Ints]:
    """Give each token's document, its number there, and that of an empty node."""
    length = np.diff(first)
    words = np.concatenate(([0], np.cumsum(~is_empty)))
    number: Ints = words[1:] - np.repeat(words[first[:-1]], length)
    # An empty node counts from the last word, or from the start of its document.
    row = np.arange(len(is_empty))
    before = np.where(is_empty, np.repeat(first[:-1], length) - 1, row)
    behind: Ints = np.where(is_empty, row - np.maximum.accumulate(before), 0)
    document: Ints = np.repeat(np.arange(len(length)), length)
    return document, number, behind


def tokens_of(words: Sequence[str], sentence: Sequence[int], line: int = 0) -> Tokens:
    """Make the text of one document of words and the numbers of their sentences."""
    return Tokens(
        first=np.array([0, len(words)], dtype=np.int64),
        sentence=np.array(sentence, dtype=np.int64),
        line=np.full(len(words), line, dtype=np.int64),
        word=Texts.of(words),
    )


def spelt(corpus: Corpus) -> tuple[Tokens, list[str], WordSets]:
    """Give a corpus's tokens, their words, and the tokens of its mentions.

    Raises:
        FormatError: there is no text, or it has empty nodes.
    """
    for fault in corpus.faults.values():
        raise fault
    tokens = corpus.tokens
    if tokens is None:
        raise FormatError(
            "there are no words in this corpus",
            source=corpus.source,
            hint="read it with its tokens; JSON lines must have 'sentences'",
        )
    if tokens.is_empty.any():
        raise FormatError(
            "there are empty nodes, which cannot be written",
            source=corpus.source,
            line=int(tokens.line[np.argmax(tokens.is_empty)]) or None,
            hint="leave them out, and the mentions that are nothing else",
        )
    return tokens, tokens.word.strings(), tokens.of_mentions(corpus)


def runs_of(tokens: Sequence[int]) -> list[tuple[int, int]]:
    """Cut tokens into runs of neighbours: the first and the last of each.

    >>> runs_of([3, 4, 5, 8])
    [(3, 5), (8, 8)]
    """
    breaks = [(a, b) for a, b in pairwise(tokens) if b != a + 1]
    first = [tokens[0], *(after for _, after in breaks)]
    last = [*(before for before, _ in breaks), tokens[-1]]
    return list(zip(first, last, strict=True))


def sentences_of(tokens: Tokens | None) -> Sentences:
    """Describe the sentences of a text; without tokens there are none."""
    if tokens is None:
        nothing = np.zeros(0, dtype=np.int64)
        none = np.zeros(0, dtype=np.bool_)
        blank = Texts.blank(0)
        return Sentences(nothing, none, nothing, blank, nothing, blank, nothing)
    start = np.flatnonzero(tokens.is_start)
    document = tokens.document[start]
    return Sentences(
        document=document,
        is_start=np.diff(document, prepend=-1) != 0,
        line=tokens.line[start],
        identifier=Texts.blank(len(start)),
        word_count=np.diff(start, append=len(tokens.line)),
        word=tokens.word,
        word_line=tokens.line,
    )

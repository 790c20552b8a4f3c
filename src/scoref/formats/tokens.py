"""The text of a file, read in a second pass, and helpers for mentions made of tokens.

Scoring needs no words, so readers skip them. Functions that show mentions to people or
write them in another format call `read_tokens`. Formats that count tokens by document,
and whose mentions may have gaps, number their tokens with `codes`, as described in
`scoref.model.Words`: a word is the number of a token, from 1, and an empty node has a
second number after that of the preceding word.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from scoref.errors import FormatError
from scoref.formats.catalogue import FORMATS
from scoref.formats.input_files import Lines, without_bom
from scoref.model import (
    SENTENCE_BITS,
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


_WORD = 3

_FEWEST = 5  # columns of CoNLL-2012, for the fourth to be the word


def read_tokens(corpus: Corpus, data: bytes) -> Tokens | None:
    """Give the text of a corpus that was read from these bytes.

    None if there is none: JSON lines may come without `sentences`.
    """
    read = FORMATS[corpus.format].read_tokens
    return read(corpus, without_bom(data)) if read else None


def of_conll2012(corpus: Corpus, data: bytes) -> Tokens:
    """Give the text of CoNLL-2012."""
    from scoref.formats.trees import cells_of, token_rows

    lines = Lines.of(data)
    first, row, sentence = token_rows(corpus, lines)
    word, _, _ = cells_of(lines, row)
    for place in np.flatnonzero(word.start == word.end).tolist():
        line = lines[row[place]]
        found = conll2012_word(line)
        word.start[place] = lines.start[row[place]] + line.index(found)
        word.end[place] = word.start[place] + len(found)
    return Tokens(first, sentence, row + 1, word.copied())


def conll2012_word(line: bytes) -> bytes:
    """Take the cell before the brackets where there are too few columns for a word."""
    cells = line.split(b"\t" if b"\t" in line else None)
    word = cells[_WORD] if len(cells) >= _FEWEST else cells[max(len(cells) - 2, 0)]
    return word.strip()


class _Record(msgspec.Struct):
    doc_key: str | int
    sentences: list[list[str]] | None = None
    tokens: list[str] | None = None
    document: list[str] | str | None = None

    def words(self) -> list[list[str]] | None:
        if self.sentences is not None:
            return self.sentences
        if self.tokens is not None:
            return [self.tokens]
        return [self.document] if isinstance(self.document, list) else None


def of_json_lines(corpus: Corpus, data: bytes) -> Tokens | None:
    """Give the text of JSON lines, if there is one."""
    from scoref.formats.json_documents import values  # one format is read

    decode = msgspec.json.Decoder(_Record).decode
    found: dict[str, list[list[str]] | None] = {}
    for value in values(data, corpus.source):
        record = decode(value.data)
        found.setdefault(str(record.doc_key), record.words())
    texts = [found[document.name] for document in corpus.documents]
    sentences = [text for text in texts if text is not None]
    if len(sentences) < len(texts):
        return None
    length = np.array([len(each) for each in chain(*sentences)], dtype=np.int64)
    tokens = np.array([sum(map(len, each)) for each in sentences], dtype=np.int64)
    return Tokens(
        first=np.concatenate(([0], np.cumsum(tokens))),
        sentence=np.repeat(np.arange(len(length)), length),
        line=np.repeat(corpus.document_line, tokens),
        word=Texts.of(chain(*chain(*sentences))),
    )


def of_corefud(corpus: Corpus, data: bytes) -> Tokens:
    """Give the text of CorefUD."""
    from scoref.formats import conllu  # one format is read

    assert corpus.words is not None
    code, line, form = [], [], []
    for block in conllu.blocks(data, corpus.source):
        code.append(block.code)
        line.append(block.line)
        form.append(block.texts(slice(None), conllu.FORM))
    codes = np.concatenate(code)
    sentence = codes >> SENTENCE_BITS
    document = corpus.words.sentences.document[sentence]
    # An empty node may stand before the word that it follows in the text.
    order = np.lexsort((codes, document))
    forms = Texts(*map(np.concatenate, zip(*form, strict=True)))
    return Tokens(
        first=_first(document, len(corpus.documents)),
        sentence=sentence[order],
        line=np.concatenate(line)[order],
        word=forms.take(order),
        code=codes[order],
    )


def of_universal_anaphora(corpus: Corpus, data: bytes) -> Tokens:
    """Give the text of Universal Anaphora."""
    from scoref.formats.builder import Faults  # one format is read
    from scoref.formats.ua_text import (
        IDENTITY,
        columns_of,
        headers,
        read_text,
        with_tabs,
    )

    data = with_tabs(data, corpus.source)
    # Any of the two will do: words are the same.
    deixis = any(IDENTITY not in header.names for header in headers(data))
    columns = columns_of(data, source=corpus.source, deixis=deixis)
    faults = Faults(corpus.source, lenient=True)
    text = read_text(data, columns, corpus.source, faults)
    line, word = text.rows.line, text.sentences.word
    place = np.searchsorted(text.sentences.word_line, line)
    forms = Texts(word.data, np.append(word.length, 0))
    return Tokens(
        first=_first(text.code >> SENTENCE_BITS, len(corpus.documents)),
        sentence=text.rows.sentence,
        line=line,
        word=forms.take(np.where(text.rows.is_zero, len(word.length), place)),
        code=text.code,
    )


def _first(document: Ints, count: int) -> Ints:
    return np.concatenate(([0], np.cumsum(np.bincount(document, minlength=count))))


def token_codes(first: Ints, is_empty: Mask) -> Ints:
    """Number the tokens of documents: words from 1, empty nodes behind them.

    >>> found = token_codes(np.array([0, 3, 4]), np.array([False, True, False, False]))
    >>> [(code >> 32, code >> 12 & 15, code & 15) for code in found.tolist()]
    [(0, 1, 0), (0, 1, 1), (0, 2, 0), (1, 1, 0)]
    """
    return place_codes(*token_numbers(first, is_empty))


def token_numbers(first: Ints, is_empty: Mask) -> tuple[Ints, Ints, Ints]:
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


def text_to_write(corpus: Corpus) -> tuple[Tokens, list[str], WordSets]:
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

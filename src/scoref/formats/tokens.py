"""The text of a file that was read: a second look at its bytes, where one is wanted.

Scoring needs no words, so readers pass over them. What shows mentions to people, or
writes them into another format, asks for them here.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from scoref.formats import FORMATS
from scoref.formats._text import Lines, without_bom
from scoref.model import SENTENCE_BITS, Texts, Tokens

if TYPE_CHECKING:
    from scoref.model import Corpus, Ints

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
    from scoref.formats.parses import cells_of, token_rows  # noqa: PLC0415 - if wanted

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
    from scoref.formats._json_values import values  # noqa: PLC0415 - one format is read

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
    from scoref.formats import conllu  # noqa: PLC0415 - one format is read

    assert corpus.words is not None  # noqa: S101 - CorefUD has words
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
    from scoref.formats._faults import Faults  # noqa: PLC0415 - one format is read
    from scoref.formats._ua_columns import (  # noqa: PLC0415
        IDENTITY,
        columns_of,
        headers,
        with_tabs,
    )
    from scoref.formats._ua_text import read_text  # noqa: PLC0415

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

"""The tokens of a file, which are read in a second pass.

Scoring needs no words, so readers skip them. Commands that show mentions or write them
in another format call `read_tokens`, which has one function per format. The functions
after it number tokens, build `Tokens` from lists of words, check that a corpus has the
text that a writer needs, and lay out this text for formats that count characters.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from scoref.errors import FormatError
from scoref.formats.catalogue import FORMATS
from scoref.formats.input_files import Lines, without_bom
from scoref.formats.word_pieces import WordRecord
from scoref.model import (
    SENTENCE_BITS,
    Cells,
    Corpus,
    Sentences,
    Texts,
    Tokens,
    WordSets,
    place_codes,
)
from scoref.model.arrays import bounds, is_new

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints

    Mask = NDArray[np.bool_]


def read_tokens(corpus: Corpus, data: bytes) -> Tokens | None:
    """Read the text of a corpus that was read from these bytes.

    Returns None for a file without text: JSON lines may lack `sentences`.
    """
    read = FORMATS[corpus.format].read_tokens
    return read(corpus, without_bom(data)) if read else None


def of_conll2012(corpus: Corpus, data: bytes) -> Tokens:
    """Read the text of CoNLL-2012, or take it from the parses if they were read."""
    from scoref.formats.trees import with_parses

    parses = corpus.parses or with_parses(corpus, data).parses
    assert parses is not None
    start, end = parses.word.start.copy(), parses.word.end.copy()
    short = np.flatnonzero(start == end)
    lines = Lines.of(parses.word.data) if len(short) else None
    for place in short.tolist():
        assert lines is not None
        row = parses.line[place] - 1
        text = conll2012_word(lines[row])
        start[place] = lines.start[row] + lines[row].index(text)
        end[place] = start[place] + len(text)
    word = Cells(parses.word.data, start, end).copied()
    first = np.append(parses.first, len(start))
    return Tokens(first, parses.sentence, parses.line, word)


_WORD, _FEWEST = 3, 5
"""The column of the word, and how few columns a line with a word may have."""


def conll2012_word(line: bytes) -> bytes:
    """Return the word of a line; in a line of few columns, the cell before the last."""
    cells = line.split(b"\t" if b"\t" in line else None)
    word = cells[_WORD] if len(cells) >= _FEWEST else cells[max(len(cells) - 2, 0)]
    return word.strip()


class _Record(WordRecord, kw_only=True):
    doc_key: str | int


def of_json_lines(corpus: Corpus, data: bytes) -> Tokens | None:
    """Read the text of JSON lines; None if a document has none."""
    from scoref.formats.json_documents import values

    decode = msgspec.json.Decoder(_Record).decode
    text_of: dict[str, list[list[str]] | None] = {}
    for value in values(data, corpus.source):
        record = decode(value.data)
        text_of.setdefault(str(record.doc_key), record.words())
    texts = [text_of[document.name] for document in corpus.documents]
    documents = [text for text in texts if text is not None]
    if len(documents) < len(texts):
        return None
    sentences = [sentence for document in documents for sentence in document]
    length = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
    tokens = np.array([sum(map(len, text)) for text in documents], dtype=np.int64)
    return Tokens(
        first=bounds(tokens),
        sentence=np.repeat(np.arange(len(length)), length),
        line=np.repeat(corpus.document_line, tokens),
        word=Texts.of(chain(*sentences)),
    )


def of_corefud(corpus: Corpus, data: bytes) -> Tokens:
    """Read the text of CorefUD, with its empty nodes."""
    from scoref.formats import conllu

    assert corpus.words is not None
    code, line, form = [], [], []
    for block in conllu.blocks(data, corpus.source):
        code.append(block.code)
        line.append(block.line)
        form.append(block.texts(slice(None), conllu.FORM))
    codes = np.concatenate(code)
    sentence = codes >> SENTENCE_BITS
    document = corpus.words.sentences.document[sentence]
    # In the file, an empty node may precede the word that it follows in the text.
    order = np.lexsort((codes, document))
    forms = Texts(*map(np.concatenate, zip(*form, strict=True)))
    return Tokens(
        first=bounds(np.bincount(document, minlength=len(corpus.documents))),
        sentence=sentence[order],
        line=np.concatenate(line)[order],
        word=forms.take(order),
        code=codes[order],
    )


def of_universal_anaphora(corpus: Corpus, data: bytes) -> Tokens:
    """Read the text of Universal Anaphora; a zero has no word."""
    from scoref.formats.builder import Faults
    from scoref.formats.ua_text import (
        IDENTITY,
        columns_of,
        headers,
        read_text,
        with_tabs,
    )

    data = with_tabs(data, corpus.source)
    # Both layers have the same words.
    deixis = any(IDENTITY not in header.names for header in headers(data))
    columns = columns_of(data, source=corpus.source, deixis=deixis)
    faults = Faults(corpus.source, lenient=True)
    text = read_text(data, columns, corpus.source, faults)
    line, word = text.rows.line, text.sentences.word
    place = np.searchsorted(text.sentences.word_line, line)
    forms = Texts(word.data, np.append(word.length, 0))
    document = text.code >> SENTENCE_BITS
    return Tokens(
        first=bounds(np.bincount(document, minlength=len(corpus.documents))),
        sentence=text.rows.sentence,
        line=line,
        word=forms.take(np.where(text.rows.is_zero, len(word.length), place)),
        code=text.code,
    )


def token_codes(first: Ints, is_empty: Mask) -> Ints:
    """Return the codes of tokens of documents, as `scoref.model.Words` describes them.

    >>> codes = token_codes(np.array([0, 3, 4]), np.array([False, True, False, False]))
    >>> [(code >> 32, code >> 12 & 15, code & 15) for code in codes.tolist()]
    [(0, 1, 0), (0, 1, 1), (0, 2, 0), (1, 1, 0)]
    """
    return place_codes(*token_numbers(first, is_empty))


def token_numbers(first: Ints, is_empty: Mask) -> tuple[Ints, Ints, Ints]:
    """Return the document of each token, the number of its word, and its second number.

    Words are numbered from 1 in their document. An empty node has the number of the
    word before it, and a second number that counts from 1 after that word.
    """
    length = np.diff(first)
    words = np.concatenate(([0], np.cumsum(~is_empty)))
    number: Ints = words[1:] - np.repeat(words[first[:-1]], length)
    # An empty node counts from the last word, or from the start of its document.
    row = np.arange(len(is_empty))
    before = np.where(is_empty, np.repeat(first[:-1], length) - 1, row)
    second: Ints = np.where(is_empty, row - np.maximum.accumulate(before), 0)
    document: Ints = np.repeat(np.arange(len(length)), length)
    return document, number, second


def tokens_of(words: Sequence[str], sentence: Sequence[int], line: int = 0) -> Tokens:
    """Build the tokens of one document from its words and their sentences."""
    return Tokens(
        first=np.array([0, len(words)], dtype=np.int64),
        sentence=np.array(sentence, dtype=np.int64),
        line=np.full(len(words), line, dtype=np.int64),
        word=Texts.of(words),
    )


def text_to_write(corpus: Corpus) -> tuple[Tokens, list[str], WordSets]:
    """Return the tokens of a corpus, their words, and the tokens of its mentions.

    Raises:
        FormatError: the corpus has no text, or its text has empty nodes.
    """
    for fault in corpus.faults.values():
        raise fault
    tokens = corpus.tokens
    if tokens is None:
        raise FormatError(
            "this corpus has no words",
            source=corpus.source,
            hint="Read it with its tokens. JSON lines must have 'sentences'.",
        )
    if tokens.is_empty.any():
        raise FormatError(
            "cannot write empty nodes",
            source=corpus.source,
            line=int(tokens.line[np.argmax(tokens.is_empty)]) or None,
            hint="Leave out the empty nodes, and the mentions that consist only of "
            "them.",
        )
    return tokens, tokens.word.strings(), tokens.of_mentions(corpus)


class WrittenText(NamedTuple):
    """The text of a document, and the characters and sentences of its tokens.

    Words are separated by a blank, and sentences by a line break. ``first`` is the row
    of the first token in the corpus.
    """

    text: str
    first: int
    start: list[int]
    end: list[int]
    sentence: list[int]

    @classmethod
    def of(
        cls,
        words: Sequence[str],
        starts: Sequence[bool],
        first: int,
        size: Callable[[str], int] = len,
    ) -> WrittenText:
        """Join words; ``size`` counts the characters of a word."""
        text: list[str] = []
        start, end, sentence = list[int](), list[int](), list[int]()
        at = 0
        for word, is_start in zip(words, starts, strict=True):
            if text:
                text.append("\n" if is_start else " ")
                at += 1
            text.append(word)
            start.append(at)
            at += size(word)
            end.append(at)
            sentence.append(is_start + (sentence[-1] if sentence else 0))
        return cls("".join(text) + "\n" * bool(text), first, start, end, sentence)

    def spans(self, tokens: Sequence[int]) -> list[tuple[int, int]]:
        """Return the characters of tokens; each span is within a line."""
        places = [token - self.first for token in tokens]
        # Adding the sentence puts a gap between tokens of two sentences.
        apart = {place: place + self.sentence[place] for place in places}
        back = {value: place for place, value in apart.items()}
        runs = runs_of([apart[place] for place in places])
        return [(self.start[back[a]], self.end[back[b]]) for a, b in runs]


def utf16_size(word: str) -> int:
    """Count UTF-16 units, as Java does.

    >>> utf16_size("a\N{GRINNING FACE}")
    3
    """
    return len(word.encode("utf-16-le", "surrogatepass")) // 2


def runs_of(tokens: Sequence[int]) -> list[tuple[int, int]]:
    """Split tokens into runs of neighbours; return the first and last of each run.

    >>> runs_of([3, 4, 5, 8])
    [(3, 5), (8, 8)]
    """
    breaks = [(a, b) for a, b in pairwise(tokens) if b != a + 1]
    first = [tokens[0], *(after for _, after in breaks)]
    last = [*(before for before, _ in breaks), tokens[-1]]
    return list(zip(first, last, strict=True))


def sentences_of(tokens: Tokens | None) -> Sentences:
    """Return the sentences of a text; without tokens there are none."""
    if tokens is None:
        nothing = np.zeros(0, dtype=np.int64)
        none = np.zeros(0, dtype=np.bool_)
        blank = Texts.blank(0)
        return Sentences(nothing, none, nothing, blank, nothing, blank, nothing)
    start = np.flatnonzero(tokens.is_start)
    document = tokens.document[start]
    return Sentences(
        document=document,
        is_start=is_new(document),
        line=tokens.line[start],
        identifier=Texts.blank(len(start)),
        word_count=np.diff(start, append=len(tokens.line)),
        word=tokens.word,
        word_line=tokens.line,
    )

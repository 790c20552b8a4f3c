"""The parses of CoNLL-2012: a second look at the lines of a file.

    bc/cctv/00/cctv_0000   0   0   The    DT   (TOP(S(NP*   …   (8
    bc/cctv/00/cctv_0000   0   1   dog    NN            *)  …   8)
    bc/cctv/00/cctv_0000   0   2   barked VBD       (VP*)))  …   -

Columns 4, 5 and 6 are the word, its part of speech and its piece of the sentence's
tree. What is wrong with them is found where they are needed: a sentence without a
mention may lack its parse. Of a response only the words are of use.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from scoref.formats._text import Lines, without_bom
from scoref.formats.conll2012 import _sorted_lines
from scoref.model import Parses

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints

    Mask = NDArray[np.bool_]

_WORD, _BEHIND_WORD, _BEHIND_PIECE = 3, 4, 6


def with_parses(corpus: Corpus, data: bytes) -> Corpus:
    """Add the parses to a corpus that was read from the same bytes."""
    lines = Lines.of(without_bom(data))
    first, row, sentence = token_rows(corpus, lines)
    places = zip(lines.start[row].tolist(), lines.end[row].tolist(), strict=True)
    columns = [_columns(lines.data[start:end]) for start, end in places]
    word, tag, piece = zip(*columns, strict=True) if columns else ((), (), ())
    parses = Parses(
        first=first[:-1],
        sentence=sentence,
        line=row + 1,
        word=word,
        tag=tag,
        piece=piece,
    )
    return dataclasses.replace(corpus, parses=parses)


def token_rows(corpus: Corpus, lines: Lines) -> tuple[Ints, Ints, Ints]:
    """Find where documents start, the line of each token, and its sentence."""
    is_blank = lines.is_blank()
    rows = _rows(corpus, lines, ~is_blank)
    length = [len(inside) for inside in rows]
    row = np.concatenate([np.zeros(0, dtype=np.int64), *rows])
    document = np.repeat(np.arange(len(rows)), length)
    blanks_before = np.cumsum(is_blank)[row]
    is_first = np.diff(document, prepend=-1) > 0
    is_first |= np.diff(blanks_before, prepend=-1) != 0
    return np.cumsum([0, *length]), row, np.cumsum(is_first) - 1


def _rows(corpus: Corpus, lines: Lines, is_filled: Mask) -> list[Ints]:
    """Find the lines of each document's tokens, as the reader counted them.

    For the reference reading all lines that are not blank are tokens. Where it counts
    as many as the strict one, the lines are the same.
    """
    is_token, begins, ends = _sorted_lines(lines)
    bounds = np.array(sorted({*begins, *ends, len(lines)}))
    tokens, filled = np.flatnonzero(is_token), np.flatnonzero(is_filled)
    counted = corpus.document_tokens
    found = []
    for document, line in enumerate(corpus.document_line.tolist()):
        begin = line - 1
        # A file without any begin line is one document from its first line on.
        first = begin + 1 if begin in begins else begin
        last = bounds[np.searchsorted(bounds, first)]
        inside = tokens[slice(*np.searchsorted(tokens, (first, last)))]
        if counted is not None and len(inside) != counted[document]:
            start = np.searchsorted(filled, first)
            inside = filled[start : start + counted[document]]
        found.append(inside)
    return found


def _columns(line: bytes) -> tuple[bytes, bytes, bytes]:
    """Cut out word, part of speech and parse; the brackets must stand behind them."""
    by_tabs = b"\t" in line
    cells = line.split(b"\t" if by_tabs else None, _BEHIND_PIECE)
    if len(cells) <= _BEHIND_PIECE:
        return cells[_WORD].strip() if len(cells) > _BEHIND_WORD else b"", b"", b""
    word, tag, piece = cells[_WORD:_BEHIND_PIECE]
    return (word.strip(), tag.strip(), piece.strip()) if by_tabs else (word, tag, piece)

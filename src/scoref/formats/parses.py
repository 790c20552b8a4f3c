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

from scoref.formats._text import TAB, Lines, is_space, without_bom
from scoref.formats.conll2012 import _sorted_lines
from scoref.model import Cells, Parses

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints

    Mask = NDArray[np.bool_]

_WORD, _BEHIND_WORD, _BEHIND_PIECE = 3, 4, 6
_COLUMNS = range(_WORD, _BEHIND_PIECE)


def with_parses(corpus: Corpus, data: bytes) -> Corpus:
    """Add the parses to a corpus that was read from the same bytes."""
    lines = Lines.of(without_bom(data))
    first, row, sentence = token_rows(corpus, lines)
    word, tag, piece = cells_of(lines, row)
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


def cells_of(lines: Lines, row: Ints) -> tuple[Cells, Cells, Cells]:
    """Find word, part of speech and parse; the brackets must stand behind them."""
    start, end = np.zeros((2, _BEHIND_PIECE - _WORD, len(row)), dtype=np.int64)
    by_tabs = lines.count(TAB)[row] > 0
    for mask, cut in ((by_tabs, _cut_at_tabs), (~by_tabs, _cut_at_blanks)):
        if mask.any():
            start[:, mask], end[:, mask] = cut(lines, row[mask])
    word, tag, piece = (
        Cells(lines.data, *each) for each in zip(start, end, strict=True)
    )
    return word, tag, piece


def _cut_at_tabs(lines: Lines, row: Ints) -> tuple[Ints, Ints]:
    """Cut rows at their tabs; blanks around a cell are no part of it."""
    tabs = np.flatnonzero(lines.bytes_ == TAB)
    first = np.searchsorted(tabs, lines.start[row])
    count = np.searchsorted(tabs, lines.end[row]) - first + 1
    tab = np.append(tabs, np.full(_BEHIND_PIECE, len(lines.data)))
    start = np.array([tab[first + column - 1] + 1 for column in _COLUMNS])
    end = np.array([tab[first + column] for column in _COLUMNS])
    start = np.where(_are_there(count), start, end)
    is_padding = np.append(is_space(lines.bytes_), False)
    while (moves := (start < end) & is_padding[np.minimum(start, end)]).any():
        start += moves
    while (moves := (start < end) & is_padding[end - 1]).any():
        end -= moves
    return start, end


def _cut_at_blanks(lines: Lines, row: Ints) -> tuple[Ints, Ints]:
    """Cut rows at their blanks, however many stand together."""
    is_gap = is_space(lines.bytes_)
    starts = np.flatnonzero(~is_gap & np.append(True, is_gap[:-1]))
    ends = np.flatnonzero(~is_gap & np.append(is_gap[1:], True)) + 1
    first = np.searchsorted(starts, lines.start[row])
    count = np.searchsorted(starts, lines.end[row]) - first
    place = np.minimum(first + np.array(_COLUMNS)[:, None], len(starts) - 1)
    start = starts[place]
    return start, np.where(_are_there(count), ends[place], start)


def _are_there(count: Ints) -> Mask:
    """Say, by their number of cells, which rows have a word, and which have a parse."""
    has_parse = count > _BEHIND_PIECE
    return np.array([count > _BEHIND_WORD, has_parse, has_parse])

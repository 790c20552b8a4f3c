"""The lines of a Universal Anaphora file, in columns: words, zeros, what they say.

Words are numbered from 1 through their document. A zero, a line whose id has a dot,
has the number of the word before it, and counts from 1 behind that word. A multiword
token, 1-2, is a word like others, as in the official scorer.

Lines are looked at some megabytes at a time; only cells that say something are
copied.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError
from scoref.formats import _conllu
from scoref.formats._text import NEWLINE, TAB, Lines, shown
from scoref.model import EMPTY, SENTENCE_BITS, WORD_BITS, Texts
from scoref.rules import NO_DOCUMENT, UNREADABLE_LINE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from scoref.formats._ua_columns import Columns
    from scoref.model import Ints

    Mask = NDArray[np.bool_]

_BLOCK = 1 << 22
_DOT, _DASH, _NOTHING = b".-_"
_NEWDOC = re.compile(rb"# newdoc(?:\s+id\s*=\s*(.*?))?\s*")
_SENT_ID = b"# sent_id"
_PACKED = 8
_MOST_WORDS = (1 << SENTENCE_BITS - WORD_BITS) - 1


class Cells(NamedTuple):
    """The cells of a column that say something, and the nodes that they belong to.

    Behind each text there is a line break, so that all of them are lines.
    """

    node: Ints
    text: Texts

    @classmethod
    def none(cls) -> Cells:
        """Make an empty column."""
        nothing = np.zeros(0, dtype=np.int64)
        return cls(nothing, Texts(np.zeros(0, dtype=np.uint8), nothing))

    def moved(self, place: Ints) -> Cells:
        """Give nodes new numbers, and put cells in their order."""
        order = np.argsort(place[self.node])
        return Cells(place[self.node][order], self.text.take(order))


class Rows(NamedTuple):
    """Words and zeros, here called nodes, in the order of the file."""

    line: Ints
    is_zero: Mask
    breaks: Ints  # the lines between sentences
    form: Texts  # of words only
    layer: Cells
    upos: NDArray[np.uint64]  # of the nodes of ``layer``
    bridging: Cells
    newdoc: list[tuple[int, str | None]]  # lines and names
    sent_id: tuple[Ints, Texts]  # lines and ids


def read_rows(data: bytes, columns: Columns, source: str) -> Rows:
    """Read a file whose columns tabs separate."""
    found, nodes = [], 0
    for block in _blocks(data, columns, source):
        rows = _rows(block, columns, source)
        layer, bridging = (
            cells._replace(node=cells.node + nodes)
            for cells in (rows.layer, rows.bridging)
        )
        found.append(rows._replace(layer=layer, bridging=bridging))
        nodes += len(rows.line)
    if not nodes:
        raise FormatError(
            "there is no word in this file",
            rule=NO_DOCUMENT,
            source=source,
            hint="expected a line a word, with columns between tabs",
        )
    return _joined(found)


def numbered(document: Ints, rows: Rows, source: str) -> Ints:
    """Give each node its code; nodes must be sorted by document."""
    is_zero = rows.is_zero
    is_first = np.diff(document, prepend=-1) != 0
    words, zeros = np.cumsum(~is_zero), np.cumsum(is_zero)
    before = np.maximum.accumulate(np.where(is_first, words - ~is_zero, 0))
    number: Ints = words - before
    passed = np.where(is_first & is_zero, zeros - 1, np.where(is_zero, 0, zeros))
    behind = np.where(is_zero, zeros - np.maximum.accumulate(passed), 0)
    beyond = np.flatnonzero((number > _MOST_WORDS) | (behind > EMPTY))
    if len(beyond):
        row = int(beyond[0])
        many = (
            f"more than {_MOST_WORDS} words"
            if number[row] > _MOST_WORDS
            else f"more than {EMPTY} zeros behind one word"
        )
        raise FormatError(
            f"this document has {many}",
            rule=UNREADABLE_LINE,
            source=source,
            line=int(rows.line[row]),
            hint="documents start with '# newdoc id = ...'",
        )
    return document << SENTENCE_BITS | number << WORD_BITS | behind


class _Block(NamedTuple):
    """A piece of a file, where its tabs are, and which of its lines are nodes."""

    lines: Lines
    first_line: int
    tabs: Ints
    row: Ints
    first_tab: Ints
    comment: Ints
    is_blank: Mask

    def column(self, nodes: Ints | slice, column: int) -> tuple[Ints, Ints]:
        """Find where a column of some nodes starts and ends; empty if not there."""
        row, first = self.row[nodes], self.first_tab[nodes] + column
        line_end = self.lines.end[row]
        start = self.lines.start[row]
        if column:
            start = np.minimum(self.tabs.take(first - 1, mode="clip") + 1, line_end)
        return start, np.minimum(self.tabs.take(first, mode="clip"), line_end)

    def cells(self, column: int | None) -> Cells:
        """Copy what a column says where it says something."""
        if column is None:
            return Cells.none()
        start, end = self.column(slice(None), column)
        length = end - start
        node = np.flatnonzero((self.lines.bytes_[start] != _NOTHING) | (length > 1))
        node = node[length[node] > 0]
        text = _conllu.cut(self.lines, start[node], end[node] + 1)
        text.data[np.cumsum(text.length) - 1] = NEWLINE
        return Cells(node, text)

    def packed(self, nodes: Ints, column: int | None) -> NDArray[np.uint64]:
        """Give a column of short values, such as UPOS, as integers."""
        code = np.zeros(len(nodes), dtype=np.uint64)
        if column is None:
            return code
        start, end = self.column(nodes, column)
        length = end - start
        for byte in range(min(_PACKED, int(length.max(initial=0)))):
            here = np.flatnonzero(length > byte)
            value = self.lines.bytes_[start[here] + byte].astype(np.uint64)
            code[here] |= value << np.uint64(8 * byte)
        return code


def _blocks(data: bytes, columns: Columns, source: str) -> Iterator[_Block]:
    first_line = start = 0
    while start < len(data):
        end = len(data)
        if end - start > _BLOCK:
            last = data.rfind(b"\n", start, start + _BLOCK)
            end = (data.find(b"\n", start) if last < 0 else last) + 1 or end
        block = _block(data[start:end], first_line, columns, source)
        yield block
        first_line += len(block.lines)
        start = end


def _block(data: bytes, first_line: int, columns: Columns, source: str) -> _Block:
    lines = Lines.of(data)
    is_comment, is_blank = lines.first_byte() == ord("#"), lines.is_blank()
    row = np.flatnonzero(~(is_comment | is_blank))
    # The last line break as well: there the last column of a line may end.
    is_tab = lines.bytes_ == TAB
    is_tab[-1] = True
    tabs = np.flatnonzero(is_tab)
    first_tab = np.searchsorted(tabs, lines.start)
    count = np.diff(first_tab, append=len(tabs) - 1)[row] + 1
    short = np.flatnonzero(count < columns.needed)
    if len(short):
        at = int(row[short[0]])
        raise columns.too_few(
            int(count[short[0]]),
            source=source,
            line=first_line + at + 1,
            text=shown(lines[at]),
        )
    comment = np.flatnonzero(is_comment)
    return _Block(lines, first_line, tabs, row, first_tab[row], comment, is_blank)


def _rows(block: _Block, columns: Columns, source: str) -> Rows:
    lines, first_line = block.lines, block.first_line + 1
    is_zero = _are_zeros(block, columns, source)
    newdoc = [
        (row + first_line, None if found[1] is None else shown(found[1]))
        for row in _starting(lines, block.comment, b"# newdoc").tolist()
        if (found := _NEWDOC.fullmatch(lines[row]))
    ]
    is_break = block.is_blank
    is_break[[line - first_line for line, _ in newdoc]] = True
    layer = block.cells(columns.layer)
    return Rows(
        line=block.row + first_line,
        is_zero=is_zero,
        breaks=np.flatnonzero(is_break) + first_line,
        form=_conllu.cut(lines, *block.column(np.flatnonzero(~is_zero), columns.form)),
        layer=layer,
        upos=block.packed(layer.node, columns.upos),
        bridging=block.cells(columns.bridging),
        newdoc=newdoc,
        sent_id=_sentence_ids(block),
    )


def _sentence_ids(block: _Block) -> tuple[Ints, Texts]:
    """Copy what stands behind `# sent_id =`, without the white space around it."""
    lines = block.lines
    row = _starting(lines, block.comment, _SENT_ID)
    start, end = lines.start[row] + len(_SENT_ID), lines.end[row]
    for step, place, back, left_out in (
        (1, start, 0, b" \t="),
        (-1, end, 1, b" \t\r\n\v\f"),
    ):
        moving = np.flatnonzero(start < end)
        while len(moving):
            byte = lines.bytes_[place[moving] - back]
            moving = moving[np.isin(byte, list(left_out))]
            place[moving] += step
            moving = moving[start[moving] < end[moving]]
    return row + block.first_line + 1, _conllu.cut(lines, start, end)


def _are_zeros(block: _Block, columns: Columns, source: str) -> Mask:
    """Read ids: 3, 3.1, which is a zero, or 3-4."""
    start, end = block.column(slice(None), columns.number)
    _, place = _conllu.digits(block.lines, start)
    mark = block.lines.bytes_[place]
    is_zero: Mask = (mark == _DOT) & (place < end)
    more = np.flatnonzero((place < end) & (is_zero | (mark == _DASH)))
    _, last = _conllu.digits(block.lines, place[more] + 1)
    is_number = place == end
    is_number[more] = (last == end[more]) & (last > place[more] + 1)
    is_number &= place > start
    strange = np.flatnonzero(~is_number)
    if len(strange):
        row = int(block.row[strange[0]])
        raise FormatError(
            "this line has no number of a word in its column ID",
            rule=UNREADABLE_LINE,
            source=source,
            line=block.first_line + row + 1,
            text=shown(block.lines[row]),
            hint="a line is a word, whose ID is 3, 3.1 or 3-4, or starts with '#'",
        )
    return is_zero


def _starting(lines: Lines, row: Ints, beginning: bytes) -> Ints:
    """Choose the lines that start so."""
    last = len(lines.data) - 1
    # From behind: beginnings differ there.
    for offset in reversed(range(len(beginning))):
        place = np.minimum(lines.start[row] + offset, last)
        row = row[lines.bytes_[place] == beginning[offset]]
    return row


def _joined(blocks: list[Rows]) -> Rows:
    if len(blocks) == 1:
        return blocks[0]

    return Rows(
        line=np.concatenate([block.line for block in blocks]),
        is_zero=np.concatenate([block.is_zero for block in blocks]),
        breaks=np.concatenate([block.breaks for block in blocks]),
        form=_joined_texts([(block.line, block.form) for block in blocks])[1],
        layer=Cells(*_joined_texts([block.layer for block in blocks])),
        upos=np.concatenate([block.upos for block in blocks]),
        bridging=Cells(*_joined_texts([block.bridging for block in blocks])),
        newdoc=[found for block in blocks for found in block.newdoc],
        sent_id=_joined_texts([block.sent_id for block in blocks]),
    )


def _joined_texts(blocks: Sequence[tuple[Ints, Texts]]) -> tuple[Ints, Texts]:
    """Join texts, and the numbers that they have."""
    numbers, texts = zip(*blocks, strict=True)
    data, length = zip(*texts, strict=True)
    return np.concatenate(numbers), Texts(np.concatenate(data), np.concatenate(length))

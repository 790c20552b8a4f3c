"""CoNLL-U as columns: which lines are words, of which sentence and document.

    # newdoc id = one
    # sent_id = one-1
    1      Ada     …   nsubj   _   Entity=(e1-person-1-)
    2      wrote   …
    2.1    _       …           2:obj   Entity=(e2-object-1-)

A line is looked at as a whole only where it says something about coreference.
Files are read in blocks of whole sentences, a few megabytes each: what is known of
each byte is thrown away before the next one, and stays in the processor's cache.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError
from scoref.formats._text import TAB, Lines, shown
from scoref.model import EMPTY, SENTENCE_BITS, WORD_BITS, Texts
from scoref.rules import UNREADABLE_LINE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scoref.model import Ints

FORM, UPOS, DEPS, MISC = 1, 3, 8, 9
_PACKED = 8
_MOST_WORDS = (1 << SENTENCE_BITS - WORD_BITS) - 1
_DIGITS = 18  # that fit into an integer
_COLUMNS = 12
_BLOCK = 1 << 22
_ZERO, _NINE, _DOT, _DASH = b"09.-"
_NEWDOC = re.compile(rb"# newdoc(?:\s+id\s*=\s*(.*?))?\s*")
_SENT_ID = b"# sent_id"


class Block(NamedTuple):
    """A piece of a file: its lines, and its words in columns.

    ``sentence`` counts from 0 through the file; ``number`` and ``empty`` are the two
    parts of a word's id, 3 and 1 for the empty node 3.1.
    """

    lines: Lines
    first_line: int
    tabs: Ints
    row: Ints
    first_tab: Ints
    sentence: Ints
    number: Ints
    empty: Ints
    sentence_line: Ints
    sentence_id: Texts
    newdoc: dict[int, tuple[str | None, int]]

    def column(self, words: Ints, column: int) -> tuple[Ints, Ints]:
        """Find where a column of some words starts and ends; empty if not there."""
        end = self.lines.end[self.row[words]]
        first = self.first_tab[words] + column - 1
        start = np.minimum(self.tabs[first] + 1, end)
        return start, np.minimum(self.tabs[first + 1], end)

    def packed(self, words: Ints, column: int) -> NDArray[np.uint64]:
        """Give a column of short values, such as UPOS, as integers."""
        start, end = self.column(words, column)
        length = end - start
        code = np.zeros(len(words), dtype=np.uint64)
        for byte in range(min(_PACKED, int(length.max(initial=0)))):
            here = np.flatnonzero(length > byte)
            value = self.lines.bytes_[start[here] + byte].astype(np.uint64)
            code[here] |= value << np.uint64(8 * byte)
        return code

    def texts(self, words: Ints, column: int) -> Texts:
        """Copy a column of some words."""
        return cut(self.lines, *self.column(words, column))


def cut(lines: Lines, start: Ints, end: Ints) -> Texts:
    """Copy pieces of a text."""
    length = end - start
    place = np.arange(length.sum()) + np.repeat(
        start - np.cumsum(length) + length, length
    )
    return Texts(lines.bytes_[place], length)


def blocks(data: bytes, source: str) -> Iterator[Block]:
    """Read a file, some megabytes at a time."""
    first_line = sentences = start = 0
    ends = (b"\n\n", b"\n\r\n") if b"\r\n" in data[:_BLOCK] else (b"\n\n",)
    while start < len(data):
        end = _block_end(data, start, ends)
        block = _block(data[start:end], first_line, sentences, source)
        yield block
        first_line += len(block.lines)
        sentences += len(block.sentence_line)
        start = end


def _block_end(data: bytes, start: int, marks: tuple[bytes, ...]) -> int:
    """Find the end of a sentence, not too far away."""
    if len(data) - start <= _BLOCK:
        return len(data)
    found = max(data.rfind(mark, start, start + _BLOCK) for mark in marks)
    if found > start:
        return found + 1
    later = [data.find(mark, start) for mark in marks]
    return min((end + 1 for end in later if end >= 0), default=len(data))


def _block(data: bytes, first_line: int, sentences: int, source: str) -> Block:
    lines = Lines.of(data)
    is_blank = lines.is_blank()
    is_comment = lines.first_byte() == ord("#")
    row = np.flatnonzero(~is_blank & ~is_comment)
    number, empty, row, is_word = _ids(lines, row, first_line, source)
    # A sentence starts at the first word after a blank line.
    blanks = np.cumsum(is_blank)[row]
    starts = np.diff(blanks, prepend=-1) > 0
    sentence = np.cumsum(starts) - 1
    row, sentence = row[is_word], sentence[is_word]
    _, sentence = np.unique(sentence, return_inverse=True)
    first_word = np.flatnonzero(np.diff(sentence, prepend=-1) > 0)
    # With some more behind the last, so that every word has as many as it needs.
    tabs = np.append(np.flatnonzero(lines.bytes_ == TAB), [len(lines.data)] * _COLUMNS)
    comment = np.flatnonzero(is_comment)
    of_comment = np.searchsorted(row[first_word], comment)
    return Block(
        lines=lines,
        first_line=first_line,
        tabs=tabs,
        row=row,
        first_tab=np.searchsorted(tabs, lines.start[row]),
        sentence=sentence + sentences,
        number=number,
        empty=empty,
        sentence_line=row[first_word] + first_line,
        sentence_id=_sentence_ids(lines, comment, of_comment, len(first_word)),
        newdoc=_newdocs(lines, comment, of_comment + sentences, first_line),
    )


def _ids(
    lines: Lines, row: Ints, first_line: int, source: str
) -> tuple[Ints, Ints, Ints, NDArray[np.bool_]]:
    """Read the first column: 3, 3.1, or 3-4, which is no word."""
    number, place = digits(lines, lines.start[row])
    mark = lines.bytes_[place]
    empty, is_word = np.zeros_like(number), mark == TAB
    more = np.flatnonzero((mark == _DOT) | (mark == _DASH))
    second, end = digits(lines, place[more] + 1)
    is_whole = lines.bytes_[end] == TAB
    empty[more] = np.where(mark[more] == _DOT, second, 0)
    is_word[more] = is_whole & (mark[more] == _DOT)
    is_known = is_word.copy()
    is_known[more] = is_whole
    is_large = (place - lines.start[row] >= _DIGITS) | (number > _MOST_WORDS)
    is_large[more] |= (end - place[more] > _DIGITS) | (second > EMPTY)
    is_large &= is_word
    bad = np.flatnonzero((place == lines.start[row]) | ~is_known | is_large)
    if len(bad):
        at = int(bad[0])
        problem = "this line does not start with the number of a word and a tab"
        hint = "CoNLL-U has ten columns between tabs; the first is 3, 3.1 or 3-4"
        if is_large[at]:
            problem = "no word of a sentence can have this number"
            hint = f"words go up to {_MOST_WORDS}, empty nodes behind one up to {EMPTY}"
        line = first_line + int(row[at]) + 1
        text = shown(lines[int(row[at])])
        raise FormatError(
            problem,
            rule=UNREADABLE_LINE,
            source=source,
            line=line,
            text=text,
            hint=hint,
        )
    return number[is_word], empty[is_word], row, is_word


def digits(lines: Lines, start: Ints) -> tuple[Ints, Ints]:
    """Read numbers, all at once, and find where they end."""
    value, place = np.zeros_like(start), start.copy()
    moving = np.arange(len(start))
    while len(moving):
        byte = lines.bytes_[np.minimum(place[moving], len(lines.data) - 1)]
        moving = moving[(byte >= _ZERO) & (byte <= _NINE)]
        digit = lines.bytes_[place[moving]].astype(np.int64) - _ZERO
        value[moving] = value[moving] * 10 + digit
        place[moving] += 1
    return value, np.minimum(place, len(lines.data) - 1)


def _sentence_ids(lines: Lines, comment: Ints, sentence: Ints, count: int) -> Texts:
    """Copy what stands behind `# sent_id =`; the last one of a sentence counts."""
    start, end = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    for prefix_byte, byte in reversed(list(enumerate(_SENT_ID))):
        place = np.minimum(lines.start[comment] + prefix_byte, lines.end[comment])
        same = lines.bytes_[place] == byte
        comment, sentence = comment[same], sentence[same]
    inside = sentence < count
    comment, sentence = comment[inside], sentence[inside]
    start[sentence] = lines.start[comment] + len(_SENT_ID)
    end[sentence] = lines.end[comment]
    return cut(lines, *_trimmed(lines, start, end))


def _trimmed(lines: Lines, start: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Leave out white space and the equals sign around a value."""
    for step, places, back in ((1, start, 0), (-1, end, 1)):
        moving = np.flatnonzero(start < end)
        while len(moving):
            byte = lines.bytes_[places[moving] - back]
            moving = moving[np.isin(byte, list(b" \t=" if step > 0 else b" \t"))]
            places[moving] += step
            moving = moving[start[moving] < end[moving]]
    return start, end


def _newdocs(
    lines: Lines, comment: Ints, sentence: Ints, first_line: int
) -> dict[int, tuple[str | None, int]]:
    """Find the sentences that start a document: its id, if it has one, and its line."""
    third = lines.bytes_[np.minimum(lines.start[comment] + 5, lines.end[comment])]
    found: dict[int, tuple[str | None, int]] = {}
    for index in np.flatnonzero(third == ord("d")).tolist():
        if name := _NEWDOC.fullmatch(lines[int(comment[index])]):
            text = None if name[1] is None else shown(name[1])
            line = first_line + int(comment[index]) + 1
            found[int(sentence[index])] = text, line
    return found

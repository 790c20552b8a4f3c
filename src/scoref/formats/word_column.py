"""The column of words in CoNLL-2012: checksums of it, and how many columns there are.

Scoring needs no words, and reading them takes longer than the rest of a file. A
checksum of the words of each document is cheap. If the checksums of key and response
are equal, their words are equal as well.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.formats.input_files import BLANK, TAB

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from scoref.formats.input_files import Lines
    from scoref.model import Ints

    Codes = NDArray[np.uint32]
    Bytes = NDArray[np.uint8]


def checksum_of(words: Iterable[str]) -> int:
    """Return the checksum of the words of a document."""
    return zlib.crc32("\0".join(words).encode("utf-8", "surrogatepass"))


_ROWS = 1 << 14
"""How many rows are looked at together; their bytes should fit into a cache."""


class WordColumn(NamedTuple):
    """Tokens in the order of the file: how many tabs a row has, and a code of its word.

    Equal words have equal codes, and different words have different codes, except for
    one pair in four billion.
    """

    tabs: NDArray[np.int32]
    code: Codes

    @classmethod
    def of(cls, lines: Lines, row: Ints) -> WordColumn:
        """Find the words of some rows."""
        tabs = np.empty(len(row), dtype=np.int32)
        code = np.empty(len(row), dtype=np.uint32)
        for first in range(0, len(row), _ROWS):
            part = slice(first, first + _ROWS)
            start, end = lines.start[row[part]], lines.end[row[part]]
            origin = int(start[0])
            text = lines.bytes_[origin : int(end[-1])]
            start -= origin
            end -= origin
            words, tabs[part] = _find_words(text, start, end)
            code[part] = _codes(text, *words)
        return cls(tabs, code)

    def checksums(self, bounds: Iterable[tuple[int, int]]) -> list[int]:
        """Return the checksum of each document, given the bounds of its rows."""
        return [zlib.crc32(self.code[first:last].data) for first, last in bounds]


_WORD, _FEWEST = 3, 5
"""The column of the word, and how few columns a row with this column has."""


def _find_words(
    text: Bytes, start: Ints, end: Ints
) -> tuple[tuple[Ints, Ints], Ints | int]:
    """Return where the words of rows begin and end, and how many tabs each row has.

    The word is in the fourth column, or before the last one if there are few columns.
    If other rows have tabs, a row without tabs is a word.
    """
    tabs = np.flatnonzero(text == TAB)
    if not len(tabs):
        return _words_between_blanks(text, start, end), 0
    count, rest = divmod(len(tabs), len(start))
    table = tabs[: len(tabs) - rest].reshape(len(start), count)
    is_even = count + 1 >= _FEWEST and not rest
    if is_even and (table[:, 0] >= start).all() and (table[:, -1] < end).all():
        return (table[:, _WORD - 1] + 1, table[:, _WORD]), count
    first = np.searchsorted(tabs, start)
    counts = np.searchsorted(tabs, end) - first
    column = np.where(counts + 1 >= _FEWEST, _WORD, counts - 1)
    left = tabs[np.maximum(first + column - 1, 0)] + 1
    right = tabs[np.minimum(first + column, len(tabs) - 1)]
    words = np.where(column > 0, left, start), np.where(column >= 0, right, end)
    return words, counts


def _words_between_blanks(text: Bytes, start: Ints, end: Ints) -> tuple[Ints, Ints]:
    is_gap = np.ones(len(text) + 2, dtype=np.bool_)
    # Tab, line feed, vertical tab, form feed and CR are neighbours.
    is_gap[1:-1] = (text == BLANK) | (text - np.uint8(TAB) < np.uint8(5))
    edges = np.flatnonzero(is_gap[1:] != is_gap[:-1])
    starts, ends = edges[::2], edges[1::2]
    first = np.searchsorted(starts, start)
    count = np.searchsorted(starts, end) - first
    cell = first + np.where(count >= _FEWEST, _WORD, np.maximum(count - 2, 0))
    return starts[cell], ends[cell]


_BYTES = 8
_MASK = np.array([(1 << 8 * size) - 1 for size in range(_BYTES + 1)], dtype=np.uint64)
_FACTORS = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64
)


def _codes(text: Bytes, start: Ints, end: Ints) -> Codes:
    """Return a code of each word: of its first and last eight bytes, and its length."""
    padded = np.append(text, np.zeros(_BYTES, dtype=np.uint8))
    eight = np.ndarray((len(text) + 1,), "<u8", padded.data, 0, (1,))
    length = end - start
    size = np.minimum(length, _BYTES)
    mask = _MASK[size]
    code = (eight[start] & mask) * _FACTORS[0]
    code += (eight[end - size] & mask) * _FACTORS[1]
    code ^= code >> np.uint64(29)
    code += length.astype(np.uint64)
    code *= _FACTORS[2]
    codes: Codes = (code >> np.uint64(32)).astype(np.uint32)
    return codes

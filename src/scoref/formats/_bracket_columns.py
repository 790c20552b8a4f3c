"""All brackets of a file at once, for files without a fault.

This is `BracketStack` in columns: the same brackets, the same order, the same
mentions, several times faster. A cell is cut at ``(``, ``)`` and ``|``; the text
between two cuts is a label if an opening bracket stands before it or a closing
one behind it. Where anything is not as it should be there is no answer, and the
rows must be read one by one to say what and where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.formats._text import BLANK, TAB, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scoref.formats._text import Lines
    from scoref.model import Corpus, CorpusBuilder, Ints, Note

_BAR, _OPEN, _CLOSE = 1, 2, 3
_CUT = np.zeros(256, dtype=np.int8)
_CUT[list(b"|()")] = _BAR, _OPEN, _CLOSE
_SINGLE, _OPENING, _CLOSING = range(3)
_PACKED = 8
_ZERO, _NINE = b"09"


class Places(NamedTuple):
    """The rows that may hold brackets, in columns.

    ``end`` is where a row's last column ends; ``token`` is the number of its token
    in its document.
    """

    lines: Lines
    row: Ints
    end: Ints
    token: Ints
    document: Ints


class BracketColumns(NamedTuple):
    """Entities and mentions, in the order in which brackets bring them."""

    entity_document: Ints
    entity_label: list[bytes]
    mentions: Ints  # rows of entity, start, end, line

    def build(self, builder: CorpusBuilder, notes: Sequence[Note] = ()) -> Corpus:
        """Put entities and mentions into a corpus whose documents are known."""
        builder.entity_document = self.entity_document.tolist()
        builder.entity_label = [shown(label) for label in self.entity_label]
        return builder.build(notes, mentions=self.mentions)


class _Brackets(NamedTuple):
    """Brackets in the order in which they are taken, in columns."""

    kind: Ints
    row: Ints
    entity: Ints


def bracket_columns(
    places: Places, *, digits_only: bool = False
) -> BracketColumns | None:
    """Read the last columns of some rows; None if there is a fault in one of them.

    With ``digits_only``, so is anything but tabs between columns and digits and bars
    between brackets: what is left then means the same to the reference scorer.
    """
    lines, rows, _, token, document = places
    start = _last_columns(places, tabs_only=digits_only)
    found = None if start is None else _labels(places, start, digits_only=digits_only)
    if found is None:
        return None
    kind, row, label_start, label_length = found
    order = np.argsort(3 * row + kind, kind="stable")
    kind, row = kind[order], row[order]
    label = _numbered(lines, label_start[order], label_length[order])
    entity, first = _by_first_sight(document[row] * (label.max(initial=0) + 1) + label)
    paired = _paired(_Brackets(kind, row, entity))
    if paired is None:
        return None
    single = np.flatnonzero(kind == _SINGLE)
    opened, closed = (np.concatenate((single, end)) for end in paired)
    sort = np.lexsort((closed, entity[closed]))
    opened, closed = opened[sort], closed[sort]
    return BracketColumns(
        document[row[first]],
        _texts(lines, label_start[order][first], label_length[order][first]),
        np.column_stack(
            (
                entity[closed],
                token[row[opened]],
                token[row[closed]],
                rows[row[closed]] + 1,
            )
        ),
    )


def _last_columns(places: Places, *, tabs_only: bool) -> Ints | None:
    """Find where the last column of each row starts, walking back from its end."""
    lines, rows, end, *_ = places
    line_start, place = lines.start[rows], end.copy()
    behind_blank = np.zeros(len(rows), dtype=np.bool_)
    moving = np.arange(len(rows))
    while len(moving):
        moving = moving[place[moving] > line_start[moving]]
        before = lines.bytes_[place[moving] - 1]
        behind_blank[moving] = before == BLANK
        moving = moving[(before != TAB) & (before != BLANK)]
        place[moving] -= 1
    if (place == end).any():
        return None  # white space at the end
    if tabs_only and behind_blank.any():
        return None
    if behind_blank.any() and (lines.count(TAB)[rows[behind_blank]] > 0).any():
        return None  # a blank inside a column
    return place


def _labels(
    places: Places, start: Ints, *, digits_only: bool
) -> tuple[Ints, Ints, Ints, Ints] | None:
    """Cut cells at their brackets and bars: kind, row, start and length of labels."""
    lines = places.lines
    width = places.end - start + 1
    cell_end = np.cumsum(width)
    place = np.arange(width.sum()) + np.repeat(start - cell_end + width, width)
    text = lines.bytes_[place]
    cut = _CUT[text]
    cut[cell_end - 1] = _BAR  # behind each cell, in place of the line break
    at = np.flatnonzero(cut)
    right = cut[at]
    left = np.concatenate(([_BAR], right[:-1]))
    length = np.diff(at, prepend=-1) - 1
    is_label = (left == _OPEN) | (right == _CLOSE)
    if ((length > 0) != is_label).any():
        return None
    if digits_only and not _are_separate_digits(left, right, text[cut == 0]):
        return None
    at, left, right, length = (
        at[is_label],
        left[is_label],
        right[is_label],
        length[is_label],
    )
    kind = np.where(
        left != _OPEN, _CLOSING, np.where(right == _CLOSE, _SINGLE, _OPENING)
    )
    row = np.searchsorted(cell_end, at, side="right")
    if len(np.unique(row)) < len(width):
        return None  # a cell of bars
    return kind, row, place[at] - length, length


def _are_separate_digits(
    left: NDArray[np.int8], right: NDArray[np.int8], text: NDArray[np.uint8]
) -> bool:
    unseparated = (left == right) & (left != _BAR)
    unseparated |= (left == _CLOSE) & (right == _OPEN)
    return not unseparated.any() and bool(((text >= _ZERO) & (text <= _NINE)).all())


def _numbered(lines: Lines, start: Ints, length: Ints) -> Ints:
    """Give equal labels the same number."""
    if length.max(initial=0) > _PACKED:
        numbers: dict[bytes, int] = {}
        texts = _texts(lines, start, length)
        return np.array([numbers.setdefault(text, len(numbers)) for text in texts])
    packed = np.zeros(len(start), dtype=np.uint64)
    for byte in range(int(length.max(initial=0))):
        here = np.flatnonzero(length > byte)
        packed[here] = packed[here] << 8 | lines.bytes_[start[here] + byte]
    return np.unique(packed, return_inverse=True)[1]


def _by_first_sight(code: Ints) -> tuple[Ints, Ints]:
    """Number codes in the order in which they first appear, and say where."""
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    return rank[inverse], np.sort(first)


def _paired(brackets: _Brackets) -> tuple[Ints, Ints] | None:
    """Pair each closing bracket with the last open one of its entity.

    Inside an entity, a closing bracket and its partner are at the same depth and
    nothing of that depth lies between them.
    """
    those = np.flatnonzero(brackets.kind != _SINGLE)
    those = those[np.argsort(brackets.entity[those], kind="stable")]
    entity = brackets.entity[those]
    is_opening = brackets.kind[those] == _OPENING
    step = np.where(is_opening, 1, -1)
    depth = np.cumsum(step)
    # Each entity must come back to 0, so that the next one starts there, too.
    ends = np.flatnonzero(np.diff(entity, append=-1))
    if depth.min(initial=0) < 0 or depth[ends].any():
        return None
    order = np.lexsort((depth + ~is_opening, entity))
    return those[order[0::2]], those[order[1::2]]


def _texts(lines: Lines, start: Ints, length: Ints) -> list[bytes]:
    places = zip(start.tolist(), (start + length).tolist(), strict=True)
    return [lines.data[first:last] for first, last in places]

"""Mentions written as brackets in a column of CoNLL-2012, read in two ways.

`BracketStack` reads the rows one by one, for both readings of CoNLL-2012; these differ
in how a cell is split into brackets, not in what the brackets mean. `bracket_columns`
reads all brackets of a file at once. It finds the same mentions in the same order and
is several times faster. It cuts a cell at ``(``, ``)`` and ``|``; the text between two
cuts is a label if it follows an opening bracket or precedes a closing one. It returns
None if the file has a fault, and the rows must then be read one by one to report it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.formats.input_files import BLANK, NEWLINE, PACKED, TAB, Lines, shown
from scoref.model.arrays import inverse, is_new, number_and_first, ranges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scoref.formats.builder import CorpusBuilder
    from scoref.model import Corpus, Ints, Note

    Mask = NDArray[np.bool_]


class BracketCell(NamedTuple):
    """The labels of the brackets of one cell.

    As in the reference scorer, they are read in this order, whatever their order in the
    cell is. ``is_clean`` says that the cell contains nothing else.
    """

    single: tuple[bytes, ...] = ()
    opening: tuple[bytes, ...] = ()
    closing: tuple[bytes, ...] = ()
    is_clean: bool = True


Opened = tuple[int, int]
"""The token and the line of an opening bracket that is not closed yet."""


class BracketStack:
    """The mentions of one document, read row by row.

    Entities are numbered in the order of their first brackets, mentions in the order of
    their ends.
    """

    def __init__(self, builder: CorpusBuilder, document: int) -> None:
        self._builder = builder
        self._document = document
        self._add = builder.mentions.extend
        self._entity: dict[bytes, int] = {}
        self._open: dict[bytes, list[Opened]] = {}

    def take(self, cell: BracketCell, token: int, line: int) -> list[bytes]:
        """Add the brackets of a token; return labels that close but were not open."""
        single, opening, closing, _ = cell
        entity, waiting = self._entity, self._open
        unopened: list[bytes] = []
        for label in single:
            row = entity[label] if label in entity else self._new_entity(label)
            self._add((row, token, token, line))
        for label in opening:
            if label not in entity:
                self._new_entity(label)
            waiting.setdefault(label, []).append((token, line))
        for label in closing:
            if waiting.get(label):
                start, _ = waiting[label].pop()
                self._add((entity[label], start, token, line))
            else:
                unopened.append(label)
        return unopened

    def open_brackets(self) -> list[tuple[Opened, bytes]]:
        """List the brackets that are still open, in the order of the file."""
        return sorted(
            (bracket, label)
            for label, brackets in self._open.items()
            for bracket in brackets
        )

    def _new_entity(self, label: bytes) -> int:
        text = label.decode("utf-8", "replace")
        row = self._entity[label] = self._builder.add_entity(text, self._document)
        return row


class BracketRows(NamedTuple):
    """The rows that may hold brackets, in columns.

    ``end`` is where the last column of a row ends; ``token`` is the number of its token
    in its document.
    """

    lines: Lines
    row: Ints
    end: Ints
    token: Ints
    document: Ints


class BracketColumns(NamedTuple):
    """Entities in the order of their first brackets, mentions in that of their ends."""

    entity_document: Ints
    entity_label: list[bytes]
    mentions: Ints  # rows of entity, start, end, line

    def build(self, builder: CorpusBuilder, notes: Sequence[Note] = ()) -> Corpus:
        """Add entities and mentions to a builder with documents; return the corpus."""
        builder.entity_document = self.entity_document.tolist()
        builder.entity_label = [shown(label) for label in self.entity_label]
        return builder.build(notes, mentions=self.mentions)


def bracket_columns(
    places: BracketRows, *, digits_only: bool = False
) -> BracketColumns | None:
    """Read the last columns of some rows; return None if one of them has a fault.

    With ``digits_only``, separators other than tabs, labels other than numbers, and
    brackets without a bar between them are faults, too. The rest then means the same to
    the reference scorer.
    """
    lines, rows, _, token, document = places
    start = _last_columns(places, tabs_only=digits_only)
    if start is None:
        return None
    cells = copy_cells(lines, start, places.end)
    labels = cut_labels(cells, digits_only=digits_only)
    if labels is None:
        return None
    order = np.argsort(3 * labels.cell + labels.kind, kind="stable")
    kind, row, label_start, label_length = (column[order] for column in labels)
    del labels
    label, _ = number_labels(cells, label_start, label_length)
    code = document[row] * (label.max(initial=0) + 1) + label
    code_number, first = number_and_first(code)
    by_first_bracket = np.argsort(first)
    entity, first = inverse(by_first_bracket)[code_number], first[by_first_bracket]
    single, others = np.flatnonzero(kind == SINGLE), np.flatnonzero(kind != SINGLE)
    pairs = pair_brackets(entity[others], kind[others] == OPENING)
    if pairs.is_odd.any():
        return None
    opened = np.concatenate((single, others[pairs.opened]))
    closed = np.concatenate((single, others[pairs.closed]))
    by_end = np.argsort(closed)
    opened, closed = opened[by_end], closed[by_end]
    return BracketColumns(
        document[row[first]],
        _texts(cells, label_start[first], label_length[first]),
        np.column_stack(
            (
                entity[closed],
                token[row[opened]],
                token[row[closed]],
                rows[row[closed]] + 1,
            )
        ),
    )


_LONG = 64
"""Texts up to this length are compared byte by byte for all rows at once."""


def _last_columns(places: BracketRows, *, tabs_only: bool) -> Ints | None:
    """Find where the last column of each row starts, going back from its end."""
    lines, rows, end, *_ = places
    line_start, place = lines.start[rows], end.copy()
    follows_blank = np.zeros(len(rows), dtype=np.bool_)
    moving = np.arange(len(rows))
    for _ in range(_LONG):
        moving = moving[place[moving] > line_start[moving]]
        before = lines.bytes_[place[moving] - 1]
        follows_blank[moving] = before == BLANK
        moving = moving[(before != TAB) & (before != BLANK)]
        place[moving] -= 1
    for row in moving.tolist():
        part = lines.data[line_start[row] : place[row]]
        column = max(part.rfind(b"\t"), part.rfind(b" ")) + 1
        follows_blank[row] = part[column - 1 : column] == b" "
        place[row] = line_start[row] + column
    if (place == end).any():
        return None  # white space at the end
    if tabs_only and follows_blank.any():
        return None
    if follows_blank.any() and (lines.count(TAB)[rows[follows_blank]] > 0).any():
        return None  # a blank inside a column
    return place


def copy_cells(lines: Lines, start: Ints, end: Ints) -> Lines:
    """Copy the cells that start and end at these places, each into its own line."""
    length = end - start
    bytes_ = lines.bytes_[ranges(start, length + 1)]
    end = np.cumsum(length + 1) - 1
    bytes_[end] = NEWLINE
    return Lines(bytes_.tobytes(), bytes_, end - length, end)


class BracketLabels(NamedTuple):
    """The labels of brackets in order: kind of bracket, cell, place in the cells."""

    kind: Ints
    cell: Ints
    start: Ints
    length: Ints


SINGLE, OPENING, CLOSING = range(3)

_BAR, _OPEN, _CLOSE = b"|()"

_ZERO, _NINE = b"09"


def cut_labels(cells: Lines, *, digits_only: bool = False) -> BracketLabels | None:
    """Cut cells at brackets and bars; None if there is text that is not a label."""
    text = cells.bytes_
    is_cut = (text == _OPEN) | (text == _CLOSE) | (text == _BAR) | (text == NEWLINE)
    at = np.flatnonzero(is_cut)
    right = text[at]
    left = np.append(np.uint8(NEWLINE), right[:-1])[: len(at)]
    length = np.diff(at, prepend=-1) - 1
    is_label = (left == _OPEN) | (right == _CLOSE)
    if ((length > 0) != is_label).any():
        return None
    if digits_only:
        lacks_bar = (left == right) & ((left == _OPEN) | (left == _CLOSE))
        lacks_bar |= (left == _CLOSE) & (right == _OPEN)
        label_text = text[~is_cut]
        is_digit = (label_text >= _ZERO) & (label_text <= _NINE)
        if lacks_bar.any() or not is_digit.all():
            return None
    at, left, right, length = (column[is_label] for column in (at, left, right, length))
    kind = np.where(left != _OPEN, CLOSING, np.where(right == _CLOSE, SINGLE, OPENING))
    cell = np.searchsorted(cells.end, at)
    if (np.bincount(cell, minlength=len(cells)) == 0).any():
        return None  # a cell of bars
    return BracketLabels(kind, cell, at - length, length)


_PRIME = np.uint64(1_000_000_007)


def number_labels(lines: Lines, start: Ints, length: Ints) -> tuple[Ints, Ints]:
    """Give equal labels the same number; return also the first row of each number.

    Labels get a hash first, and then each label is compared with the first one of the
    same hash. If two labels share a hash or a label is long, a dictionary is used.
    """
    longest = int(length.max(initial=0))
    if longest <= _LONG:
        end = start + length
        code = lines.packed(start, end)
        for byte in range(PACKED, longest, PACKED):
            here = np.flatnonzero(length > byte)
            more = lines.packed(start[here] + byte, end[here])
            code[here] = code[here] * _PRIME + more
        number, first = number_and_first(code)
        if _are_equal(lines, start, length, first[number]):
            return number, first
    known: dict[bytes, int] = {}
    texts = _texts(lines, start, length)
    number = np.array([known.setdefault(text, len(known)) for text in texts], np.int64)
    return number_and_first(number)


def _are_equal(lines: Lines, start: Ints, length: Ints, other: Ints) -> bool:
    """Say whether all texts are equal to those of the ``other`` rows."""
    if (length[other] != length).any():
        return False
    longest = int(length.max(initial=0))
    if longest <= PACKED:
        return True  # the hash is the text itself
    for byte in range(0, longest, PACKED):
        here = np.flatnonzero(length > byte)
        one, two = (
            lines.packed(start[rows] + byte, (start + length)[rows])
            for rows in (here, other[here])
        )
        if (one != two).any():
            return False
    return True


def _texts(lines: Lines, start: Ints, length: Ints) -> list[bytes]:
    places = zip(start.tolist(), (start + length).tolist(), strict=True)
    return [lines.data[first:last] for first, last in places]


class BracketPairs(NamedTuple):
    """Pairs of opening and closing brackets, and the entities that cannot be paired."""

    opened: Ints
    closed: Ints
    is_odd: Mask


def pair_brackets(entity: Ints, is_opening: Mask) -> BracketPairs:
    """Pair each closing bracket with the last open one of its entity.

    A closing bracket and its partner have the same depth among the brackets of their
    entity, and no bracket between them has this depth. An entity that closes a bracket
    which is not open, or leaves one open, is odd, and none of its brackets is paired.
    """
    is_odd = np.zeros(int(entity.max(initial=-1)) + 1, dtype=np.bool_)
    order = np.argsort(entity, kind="stable")
    entity, is_opening = entity[order], is_opening[order]
    step = np.where(is_opening, 1, -1)
    depth = np.cumsum(step)
    is_first = is_new(entity)
    before = (depth - step)[is_first]
    depth = depth - before[np.cumsum(is_first) - 1]
    is_last = np.append(is_first[1:], True)[: len(entity)]
    is_odd[entity[(depth < 0) | (is_last & (depth != 0))]] = True
    even = np.flatnonzero(~is_odd[entity])
    sort = even[np.lexsort((depth[even] + ~is_opening[even], entity[even]))]
    return BracketPairs(order[sort[0::2]], order[sort[1::2]], is_odd)

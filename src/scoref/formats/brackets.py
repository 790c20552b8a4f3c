"""Mentions written as brackets in a column of CoNLL-2012, read in two ways.

`BracketStack` reads the rows one by one, for both readings of CoNLL-2012; these differ
in how a cell is split into brackets, not in what the brackets mean. `bracket_columns`
reads all brackets of a file at once. It finds the same mentions in the same order and
is several times faster. It cuts a cell at ``(``, ``)`` and ``|``; the text between two
cuts is a label if it follows an opening bracket or precedes a closing one. It returns
None if the file has a fault, and the rows must then be read one by one to report it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.formats.input_files import BLANK, TAB, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scoref.formats.builder import CorpusBuilder
    from scoref.formats.input_files import Lines
    from scoref.model import Corpus, Ints, Note

    Mask = NDArray[np.bool_]


class BracketCell(NamedTuple):
    """The brackets of one cell, by the labels they carry.

    They are taken in this order, whatever their order in the cell is, as the
    reference scorer does. ``is_clean`` tells that the cell holds nothing else.
    """

    single: tuple[bytes, ...] = ()
    opening: tuple[bytes, ...] = ()
    closing: tuple[bytes, ...] = ()
    is_clean: bool = True


Opened = tuple[int, int]
"""The token and the line of a bracket that waits for its end."""


class BracketStack:
    """The mentions of one document while its rows go by.

    Entities are numbered by first sight of their label, mentions by their end.
    """

    def __init__(self, builder: CorpusBuilder, document: int) -> None:
        self._builder = builder
        self._document = document
        self._add = builder.mentions.extend
        self._entity: dict[bytes, int] = {}
        self._open: dict[bytes, list[Opened]] = {}

    def take(self, cell: BracketCell, token: int, line: int) -> list[bytes]:
        """Add a token's brackets; return the labels closed but never opened."""
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

    def unclosed(self) -> list[tuple[Opened, bytes]]:
        """List the brackets that still wait for their end, in order."""
        return sorted(
            (opened, label) for label, all_ in self._open.items() for opened in all_
        )

    def _new_entity(self, label: bytes) -> int:
        text = label.decode("utf-8", "replace")
        row = self._entity[label] = self._builder.add_entity(text, self._document)
        return row


_BAR, _OPEN, _CLOSE = 1, 2, 3

_CUT = np.zeros(256, dtype=np.int8)

_CUT[list(b"|()")] = _BAR, _OPEN, _CLOSE

SINGLE, OPENING, CLOSING = range(3)

_PRIME = np.uint64(1_000_000_007)

_ZERO, _NINE = b"09"

_LONG = 64
"""So many bytes are looked at column by column; longer texts are taken one by one."""


class BracketRows(NamedTuple):
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


class BracketCells(NamedTuple):
    """The text of some cells, each with a byte behind it, and where it stands."""

    text: NDArray[np.uint8]
    place: Ints
    end: Ints  # of each cell, in the text

    @classmethod
    def of(cls, lines: Lines, start: Ints, end: Ints) -> BracketCells:
        """Copy cells, given where they start and end."""
        width = end - start + 1
        cell_end = np.cumsum(width)
        place = np.arange(width.sum()) + np.repeat(start - cell_end + width, width)
        return cls(lines.bytes_[place], place, cell_end)

    def find(self, byte: int) -> Ints:
        """Find every place of a byte."""
        found: Ints = self.place[self.text == byte]
        return found


class BracketLabels(NamedTuple):
    """What stands at brackets, in order: its kind, its cell, and its place."""

    kind: Ints
    cell: Ints
    start: Ints
    length: Ints


class BracketPairs(NamedTuple):
    """Brackets that belong together, and the entities whose brackets do not."""

    opened: Ints
    closed: Ints
    is_odd: Mask


def bracket_columns(
    places: BracketRows, *, digits_only: bool = False
) -> BracketColumns | None:
    """Read the last columns of some rows; None if there is a fault in one of them.

    With ``digits_only``, so is anything but tabs between columns and digits and bars
    between brackets: what is left then means the same to the reference scorer.
    """
    lines, rows, _, token, document = places
    start = _last_columns(places, tabs_only=digits_only)
    if start is None:
        return None
    found = cut_labels(
        BracketCells.of(lines, start, places.end), digits_only=digits_only
    )
    if found is None:
        return None
    kind, row, label_start, label_length = found
    order = np.argsort(3 * row + kind, kind="stable")
    kind, row = kind[order], row[order]
    label, _ = numbered(lines, label_start[order], label_length[order])
    entity, first = _by_first_sight(document[row] * (label.max(initial=0) + 1) + label)
    single, others = np.flatnonzero(kind == SINGLE), np.flatnonzero(kind != SINGLE)
    pairs = pair_brackets(entity[others], kind[others] == OPENING)
    if pairs.is_odd.any():
        return None
    opened = np.concatenate((single, others[pairs.opened]))
    closed = np.concatenate((single, others[pairs.closed]))
    sort = np.argsort(closed)
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


def _last_columns(places: BracketRows, *, tabs_only: bool) -> Ints | None:
    """Find where the last column of each row starts, walking back from its end."""
    lines, rows, end, *_ = places
    line_start, place = lines.start[rows], end.copy()
    behind_blank = np.zeros(len(rows), dtype=np.bool_)
    moving = np.arange(len(rows))
    for _ in range(_LONG):
        moving = moving[place[moving] > line_start[moving]]
        before = lines.bytes_[place[moving] - 1]
        behind_blank[moving] = before == BLANK
        moving = moving[(before != TAB) & (before != BLANK)]
        place[moving] -= 1
    for row in moving.tolist():
        part = lines.data[line_start[row] : place[row]]
        column = max(part.rfind(b"\t"), part.rfind(b" ")) + 1
        behind_blank[row] = part[column - 1 : column] == b" "
        place[row] = line_start[row] + column
    if (place == end).any():
        return None  # white space at the end
    if tabs_only and behind_blank.any():
        return None
    if behind_blank.any() and (lines.count(TAB)[rows[behind_blank]] > 0).any():
        return None  # a blank inside a column
    return place


def cut_labels(
    cells: BracketCells, *, digits_only: bool = False
) -> BracketLabels | None:
    """Cut cells at their brackets and bars; None if one holds anything else."""
    text, place, cell_end = cells
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
    kind = np.where(left != _OPEN, CLOSING, np.where(right == _CLOSE, SINGLE, OPENING))
    row = np.searchsorted(cell_end, at, side="right")
    if (np.bincount(row, minlength=len(cell_end)) == 0).any():
        return None  # a cell of bars
    return BracketLabels(kind, row, place[at] - length, length)


def _are_separate_digits(
    left: NDArray[np.int8], right: NDArray[np.int8], text: NDArray[np.uint8]
) -> bool:
    unseparated = (left == right) & (left != _BAR)
    unseparated |= (left == _CLOSE) & (right == _OPEN)
    return not unseparated.any() and bool(((text >= _ZERO) & (text <= _NINE)).all())


def numbered(lines: Lines, start: Ints, length: Ints) -> tuple[Ints, Ints]:
    """Give equal labels the same number, and say where each is first met.

    Labels are told apart by a hash, and each is then compared with the first of
    its hash.
    """
    if int(length.max(initial=0)) > _LONG:
        return _numbered_one_by_one(_texts(lines, start, length))
    code = length.astype(np.uint64)
    for byte in range(int(length.max(initial=0))):
        here = np.flatnonzero(length > byte)
        code[here] = code[here] * _PRIME + lines.bytes_[start[here] + byte]
    _, first, number = np.unique(code, return_index=True, return_inverse=True)
    if _differ(lines, start, length, first[number]):
        return _numbered_one_by_one(_texts(lines, start, length))
    return number, first


def _numbered_one_by_one(texts: list[bytes]) -> tuple[Ints, Ints]:
    numbers: dict[bytes, int] = {}
    number = [numbers.setdefault(text, len(numbers)) for text in texts]
    _, first = np.unique(number, return_index=True)
    return np.array(number, dtype=np.int64), first


def _differ(lines: Lines, start: Ints, length: Ints, twin: Ints) -> bool:
    if (length[twin] != length).any():
        return True
    for byte in range(int(length.max(initial=0))):
        here = np.flatnonzero(length > byte)
        mine, other = start[here] + byte, start[twin[here]] + byte
        if (lines.bytes_[mine] != lines.bytes_[other]).any():
            return True
    return False


def _by_first_sight(code: Ints) -> tuple[Ints, Ints]:
    """Number codes in the order in which they first appear, and say where."""
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    return rank[inverse], np.sort(first)


def pair_brackets(entity: Ints, is_opening: Mask) -> BracketPairs:
    """Pair each closing bracket with the last open one of its entity.

    Inside an entity, a closing bracket and its partner are at the same depth and
    nothing of that depth lies between them. Entities that close what is not open, or
    leave something open, are odd, and none of their brackets is paired.
    """
    is_odd = np.zeros(int(entity.max(initial=-1)) + 1, dtype=np.bool_)
    order = np.argsort(entity, kind="stable")
    entity, is_opening = entity[order], is_opening[order]
    step = np.where(is_opening, 1, -1)
    depth = np.cumsum(step)
    is_first = np.diff(entity, prepend=-1) > 0
    before = (depth - step)[is_first]
    depth = depth - before[np.cumsum(is_first) - 1]
    is_last = np.append(is_first[1:], True)[: len(entity)]
    is_odd[entity[(depth < 0) | (is_last & (depth != 0))]] = True
    even = np.flatnonzero(~is_odd[entity])
    sort = even[np.lexsort((depth[even] + ~is_opening[even], entity[even]))]
    return BracketPairs(order[sort[0::2]], order[sort[1::2]], is_odd)


def _texts(lines: Lines, start: Ints, length: Ints) -> list[bytes]:
    places = zip(start.tolist(), (start + length).tolist(), strict=True)
    return [lines.data[first:last] for first, last in places]

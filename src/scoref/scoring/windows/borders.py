"""Where texts are cut, and which mentions are in which window.

Evenly: at N, 2N … and each window has the mentions that begin in it.

BookCoref's evaluator (`evaluate.py`, mode `gold_window`) has windows that end at s = N,
2N … and at the end of the text, and each has the mentions with s − N < start < s. So

- what begins at the first token of a window is in none, but for the last window;
- the last window is as long as the others, so that it has mentions of the one before
  it again; all of them, if the length of the text is a multiple of N.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import OptionError, TooLargeError

if TYPE_CHECKING:
    from scoref.model import Ints
    from scoref.scoring.windows.places import PlacedSides, WindowSide


MOST_WINDOWS = 1 << 22
"""A text without words may claim to have any length."""


class Windows(NamedTuple):
    """The windows of all documents: at which words their mentions may begin."""

    document: Ints
    low: Ints
    high: Ints  # the first where they may not


class Members(NamedTuple):
    """Mentions of one side, by row, and the window of each."""

    row: Ints
    window: Ints


def cut_evenly(text: PlacedSides, size: int) -> tuple[Windows, tuple[Members, Members]]:
    """Cut every document into pieces of a size; the last may be shorter."""
    length = _lengths(text, size)
    count = np.maximum(-(-length // size), 1)
    _refuse_many(text, count, size)
    first = np.cumsum(count) - count
    document = np.repeat(np.arange(len(count)), count)
    low = (np.arange(len(document)) - first[document]) * size

    def members(side: WindowSide) -> Members:
        row = np.flatnonzero(side.document >= 0)
        return Members(row, first[side.document[row]] + side.place[row] // size)

    windows = Windows(document, low, np.minimum(low + size, length[document]))
    return windows, (members(text.sides[0]), members(text.sides[1]))


def _refuse_many(text: PlacedSides, count: Ints, size: int) -> None:
    if not len(count) or count.sum(dtype=np.float64) <= MOST_WINDOWS:
        return
    document = int(np.argmax(count))
    raise TooLargeError(
        f"document '{text.names[document]}' would have {count[document]:,} windows of "
        f"{size} tokens; there may be {MOST_WINDOWS:,} windows in all",
        hint="check the positions of its mentions, or give a larger --window",
    )


def _lengths(text: PlacedSides, size: int) -> Ints:
    """See how far each document goes: where nobody says, to the end of a window."""
    last = np.zeros(len(text.names), dtype=np.int64)
    for side in text.sides:
        there = side.document >= 0
        np.maximum.at(last, side.document[there], side.place[there] + 1)
    unknown = -(-last // size) * size
    return np.where(text.length < 0, unknown, np.maximum(text.length, last))


def cut_like_bookcoref(
    text: PlacedSides, size: int
) -> tuple[Windows, tuple[Members, Members]]:
    """Cut as the published evaluator does."""
    length = text.length
    if (length < 0).any():
        raise OptionError(
            "the windows of BookCoref's evaluator depend on how long a document is: "
            "JSON lines need 'sentences' or 'tokens' for it"
        )
    whole = length // size
    first = np.cumsum(whole + 1) - whole - 1
    document = np.repeat(np.arange(len(whole)), whole + 1)
    number = np.arange(len(document)) - first[document]
    is_last = number == whole[document]
    high = np.where(is_last, length[document], (number + 1) * size)

    def members(side: WindowSide) -> Members:
        row = np.flatnonzero(side.document >= 0)  # a key without documents has none
        at, start = side.document[row], side.place[row]
        is_inner = (start % size > 0) & (start < whole[at] * size)
        is_late = (start > length[at] - size) & (start < length[at])
        of_inner = (first[at] + start // size)[is_inner]
        of_late = (first[at] + whole[at])[is_late]
        return Members(
            np.concatenate((row[is_inner], row[is_late])),
            np.concatenate((of_inner, of_late)),
        )

    windows = Windows(document, np.maximum(high - size + 1, 0), high)
    return windows, (members(text.sides[0]), members(text.sides[1]))

"""Mentions whose borders fall inside words that the other side has.

By default they stay what they are, and match nothing; they can be moved. Either way
they are counted.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.alignment.overlay import NOWHERE
from scoref.model import Note
from scoref.notes import WARNING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scoref.alignment.normal_form import Characters, NormalForm
    from scoref.model import Ints
    from scoref.scheme import Borders

    Mask = NDArray[np.bool_]

_MANY, _FEW = 0.2, 3  # more than a fifth; more than a third
_SHIFTS = {
    (0, 1): "do ends of the response belong to mentions?",
    (0, -1): "do ends of the response lie behind mentions, and are read as theirs?",
    (-1, -1): "are characters of the response counted from 1?",
    (-1, 0): "are characters of the response counted from 1?",  # a blank follows
    (1, 1): "do characters of the response begin 1 too early?",
}
_LAST_UNIT = 0xFFFF
_REMEDIES = {"key": "expand or contract", "response": "punctuation"}


class Ranges(NamedTuple):
    """Mentions of one side, as ranges of the key's characters."""

    begin: Ints
    end: Ints

    @property
    def are_there(self) -> Mask:
        """Tell which are somewhere."""
        found: Mask = self.begin != NOWHERE
        return found

    def at(self, rows: Mask) -> Ranges:
        """Keep some of them."""
        return Ranges(self.begin[rows], self.end[rows])

    def where(self, is_there: Mask) -> Ranges:
        """Say that the others are nowhere."""
        begin = np.where(is_there, self.begin, NOWHERE)
        return Ranges(begin, np.where(is_there, self.end, NOWHERE))

    def differing(self, other: Ranges) -> int:
        """Count those that are not the same elsewhere."""
        return int(((self.begin != other.begin) | (self.end != other.end)).sum())

    def are_inside(self, begins: Mask, ends: Mask) -> Mask:
        """Tell which begin or end where no word does, by place."""
        return ~(begins[self.begin] & ends[self.end])


def marked(places: Ints, count: int) -> Mask:
    """Mark some places between characters; sets of so many are slow."""
    found = np.zeros(count + 1, dtype=np.bool_)
    found[places[places != NOWHERE]] = True
    return found


def moved(
    ranges: Ranges, key: NormalForm, own: Ints, there: Mask, how: Borders
) -> Ranges:
    """Move the borders of mentions of the response as it was asked for.

    Args:
        ranges: mentions, in the characters of the key.
        key: the key's words.
        own: where words of the response begin and end in the key.
        there: which mentions there are.
        how: one of the ways.
    """
    if how == "strict" or not there.any():
        return ranges
    begin, end = ranges.begin.copy(), ranges.end.copy()
    inside = ranges.at(there)
    if how == "punctuation":
        found = _without_punctuation(inside, key, own)
    else:
        found = _expanded(inside, key) if how == "expand" else _contracted(inside, key)
    begin[there], end[there] = found
    return Ranges(begin, end)


def _expanded(ranges: Ranges, key: NormalForm) -> Ranges:
    return Ranges(_before(key.border, ranges.begin), _behind(key.border, ranges.end))


def _contracted(ranges: Ranges, key: NormalForm) -> Ranges:
    begin, end = _behind(key.border, ranges.begin), _before(key.border, ranges.end)
    is_left = begin < end  # a mention inside of one word stays what it is
    return Ranges(
        np.where(is_left, begin, ranges.begin), np.where(is_left, end, ranges.end)
    )


def _without_punctuation(ranges: Ranges, key: NormalForm, own: Ints) -> Ranges:
    """Move borders over punctuation to where a word of the key has one."""
    border, count = key.border, np.cumsum(_are_signs(key.characters))
    signs, is_own = np.concatenate(([0], count)), marked(own, len(key.characters))

    def are_signs(start: Ints, end: Ints) -> Mask:
        found: Mask = (signs[end] - signs[start] == end - start) & (start < end)
        return found

    begin, end = ranges
    outer = _before(border, begin), _behind(border, end)
    begin = np.where(are_signs(outer[0], begin), outer[0], begin)
    end = np.where(are_signs(end, outer[1]), outer[1], end)
    while True:
        # What the response has written together with a word: `house,` for `house ,`.
        inner = _behind(border, begin + 1)
        strips = are_signs(begin, inner) & ~is_own[inner] & (inner < end)
        begin = np.where(strips, inner, begin)
        inner = _before(border, end - 1)
        cuts = are_signs(inner, end) & ~is_own[inner] & (inner > begin)
        end = np.where(cuts, inner, end)
        if not (strips | cuts).any():
            return Ranges(begin, end)


def likely_cause(key: Ranges, response: Ranges, characters: Characters) -> str:
    """Ask whether a response whose mentions are characters counts them otherwise.

    ``characters`` are those of the response; those that UTF-16 writes as two units move
    all that stands behind them.
    """
    ours = set(zip(key.begin.tolist(), key.end.tolist(), strict=True))
    for (start, end), question in _SHIFTS.items():
        moved = (response.begin + start).tolist(), (response.end + end).tolist()
        common = sum(pair in ours for pair in zip(*moved, strict=True))
        if common * _FEW > len(response.begin):
            return f"{question} ({common} would be the key's)"
    if (characters > _LAST_UNIT).any():
        return "are offsets UTF-16 units, as Java and JavaScript count?"
    return ""


def border_notes(
    role: str, other: str, inside: Mask, cause: str = ""
) -> Iterator[Note]:
    """Tell how many mentions of one side have a border inside a word of the other.

    ``cause`` asks why, if something is known.
    """
    count, size = int(inside.sum()), len(inside)
    if not count:
        return
    message = f"{count} of {size} mentions of the {role} begin or end inside of a word "
    message += f"of the {other} and match nothing"
    if count > _MANY * size:
        usual = f"does the {other} cut words at blanks? --borders {_REMEDIES[other]} "
        message = f"{WARNING}{message}: {cause or usual + 'would move borders'}"
    yield Note(f"borders-in-words-of-{other}", count, message)


def _before(border: Ints, place: Ints) -> Ints:
    found: Ints = border[np.searchsorted(border, place, side="right") - 1]
    return found


def _behind(border: Ints, place: Ints) -> Ints:
    return border[np.minimum(np.searchsorted(border, place), len(border) - 1)]


def _are_signs(characters: Characters) -> Mask:
    count = np.bincount(characters)
    is_sign = np.zeros(len(count), dtype=np.bool_)
    for code in np.flatnonzero(count).tolist():
        is_sign[code] = not _is_letter(chr(code))
    return is_sign[characters]


def _is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNM"

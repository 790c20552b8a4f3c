"""Alignment of two texts by character, if nearly all their characters are the same.

The share of equal characters must be at least `LEAST_SHARE`. The differences are found
by edit distance. A border inside a difference moves to the nearer end of it. If one
text is longer than the other, callers can compare only the common beginning or the
common end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.alignment.words import align, common_ends, sequences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.alignment.pieces import Characters
    from scoref.model import Ints

LEAST_SHARE = 0.99
_SEQUENCE = 8
NOWHERE = -1


class Overlay(NamedTuple):
    """Equal characters of both texts, in order, and the parts that were compared.

    ``key`` and ``response`` are places of characters; ``key_part`` and
    ``response_part`` the ranges outside of which nothing counts.
    """

    key: Ints
    response: Ints
    key_part: tuple[int, int]
    response_part: tuple[int, int]

    @property
    def differing(self) -> int:
        """Count the characters that are not the same, on the side that has more."""
        return self._size - len(self.key)

    @property
    def share(self) -> float:
        """Say how much is the same."""
        return len(self.key) / self._size if self._size else 1.0

    @property
    def _size(self) -> int:
        parts = self.key_part, self.response_part
        return max(end - start for start, end in parts)

    def begins(self, border: Ints) -> Ints:
        """Find where in the key something begins that begins here in the response."""
        row = np.searchsorted(self.response, border)
        there = np.append(self.response, -1)[row] == border
        return self._placed(border, there, np.append(self.key, 0)[row], row)

    def ends(self, border: Ints) -> Ints:
        """Find where in the key something ends that ends here in the response."""
        row = np.searchsorted(self.response, border - 1)
        there = np.append(self.response, -2)[row] == border - 1
        return self._placed(border, there, np.append(self.key, 0)[row] + 1, row)

    def _placed(
        self, border: Ints, there: NDArray[np.bool_], place: Ints, row: Ints
    ) -> Ints:
        """Move what is in a difference to the nearer end of it."""
        low = np.concatenate(([self.response_part[0]], self.response + 1))[row]
        high = np.append(self.response, self.response_part[1])[row]
        before = np.concatenate(([self.key_part[0]], self.key + 1))[row]
        behind = np.append(self.key, self.key_part[1])[row]
        nearer = np.where(border - low <= high - border, before, behind)
        found: Ints = np.where(there, place, nearer)
        start, end = self.response_part
        return np.where((border < start) | (border > end), NOWHERE, found)


def laid_on(key: Characters, response: Characters) -> Overlay | None:
    """Lay a response on a key; None if it is another text."""
    return _if_alike(_overlay(key, response))


def laid_on_part(key: Characters, response: Characters) -> Overlay | None:
    """Lay one text on the beginning or on the end of the other, if it is that."""
    if len(key) < len(response):
        other = laid_on_part(response, key)
        return other and Overlay(
            other.response, other.key, other.response_part, other.key_part
        )
    # A little more, for what may differ inside.
    size = min(len(key), len(response) + int((1 - LEAST_SHARE) * len(response)) + 1)
    ends = (
        _within(key[:size], response, 0),
        _within(key[len(key) - size :], response, len(key) - size),
    )
    found = [each for each in ends if each is not None]
    return max(found, key=lambda each: each.share) if found else None


def _within(key: Characters, response: Characters, offset: int) -> Overlay | None:
    """Lay a response on a piece of the key, and leave out what is beyond it."""
    before, behind = common_ends(key, response)
    if max(before, behind) == len(response):
        start = 0 if before == len(response) else len(key) - behind
        key = key[start : start + len(response)]
        offset += start
    found = _overlay(key, response)
    if found is None or not len(found.key):
        return None
    part = int(found.key[0]) + offset, int(found.key[-1]) + 1 + offset
    return _if_alike(found._replace(key=found.key + offset, key_part=part))


def _overlay(key: Characters, response: Characters) -> Overlay | None:
    """Find equal characters; None if hardly any would be found."""
    size = max(len(key), len(response))
    before, behind = common_ends(key, response)
    middle = key[before : len(key) - behind], response[before : len(response) - behind]
    if _missing(*middle) > 3 * _SEQUENCE * (1 - LEAST_SHARE) * size:
        return None
    found = align(*map(_text, middle))
    rows = np.flatnonzero(found.is_same)
    return Overlay(
        _around(found.first[rows], before, behind, len(key)),
        _around(rows, before, behind, len(response)),
        (0, len(key)),
        (0, len(response)),
    )


def _if_alike(found: Overlay | None) -> Overlay | None:
    is_alike = found is not None and found.share >= LEAST_SHARE
    return found if is_alike else None


def _missing(key: Characters, response: Characters) -> int:
    """Count the key's sequences of characters that the response does not have.

    A character that differs is part of a few: too many, and it is another text, which
    is not worth an alignment.
    """
    if len(key) < _SEQUENCE:
        return 0
    if len(response) < _SEQUENCE:
        return len(key) - _SEQUENCE + 1
    sides = (side.astype(np.int64) for side in (key, response))
    mine, theirs = (sequences(side, _SEQUENCE) for side in sides)
    return int((~np.isin(mine, theirs)).sum())


def _around(rows: Ints, before: int, behind: int, size: int) -> Ints:
    ends = np.arange(before), np.arange(size - behind, size)
    return np.concatenate((ends[0], rows + before, ends[1]))


def _text(characters: Characters) -> str:
    return characters.tobytes().decode("utf-32-le")

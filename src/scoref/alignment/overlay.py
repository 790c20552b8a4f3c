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
NOWHERE = -1


class Overlay(NamedTuple):
    """Equal characters of both texts, in order, and the parts that were compared.

    ``key`` and ``response`` are places of characters. ``key_part`` and
    ``response_part`` are the ranges that were compared.
    """

    key: Ints
    response: Ints
    key_part: tuple[int, int]
    response_part: tuple[int, int]

    @property
    def differing(self) -> int:
        """Count the characters that differ, on the side that has more of them."""
        return self._size - len(self.key)

    @property
    def share(self) -> float:
        """Return the share of equal characters."""
        return len(self.key) / self._size if self._size else 1.0

    @property
    def _size(self) -> int:
        parts = self.key_part, self.response_part
        return max(end - start for start, end in parts)

    def begins(self, border: Ints) -> Ints:
        """Find the key's places of the response's places where words begin."""
        row = np.searchsorted(self.response, border)
        there = np.append(self.response, -1)[row] == border
        return self._place_borders(border, there, np.append(self.key, 0)[row], row)

    def ends(self, border: Ints) -> Ints:
        """Find the key's places of the response's places where words end."""
        row = np.searchsorted(self.response, border - 1)
        there = np.append(self.response, -2)[row] == border - 1
        place = np.append(self.key, 0)[row] + 1
        return self._place_borders(border, there, place, row)

    def _place_borders(
        self, border: Ints, there: NDArray[np.bool_], place: Ints, row: Ints
    ) -> Ints:
        """Move borders inside a difference to the nearer end of it."""
        low = np.concatenate(([self.response_part[0]], self.response + 1))[row]
        high = np.append(self.response, self.response_part[1])[row]
        before = np.concatenate(([self.key_part[0]], self.key + 1))[row]
        after = np.append(self.key, self.key_part[1])[row]
        nearer = np.where(border - low <= high - border, before, after)
        in_key: Ints = np.where(there, place, nearer)
        start, end = self.response_part
        return np.where((border < start) | (border > end), NOWHERE, in_key)


def overlay_whole(key: Characters, response: Characters) -> Overlay | None:
    """Align two whole texts; None if they are different texts."""
    overlay = _align_characters(key, response)
    return overlay if overlay and overlay.share >= LEAST_SHARE else None


def overlay_part(key: Characters, response: Characters) -> Overlay | None:
    """Align one text with the beginning or the end of the other, if it is that."""
    if len(key) < len(response):
        other = overlay_part(response, key)
        return other and Overlay(
            other.response, other.key, other.response_part, other.key_part
        )
    # The part of the key may be a little longer than the response.
    size = min(len(key), len(response) + int((1 - LEAST_SHARE) * len(response)) + 1)
    ends = (
        _overlay_within(key[:size], response, 0),
        _overlay_within(key[len(key) - size :], response, len(key) - size),
    )
    overlays = [overlay for overlay in ends if overlay and overlay.share >= LEAST_SHARE]
    return max(overlays, key=lambda overlay: overlay.share) if overlays else None


def _overlay_within(
    key: Characters, response: Characters, offset: int
) -> Overlay | None:
    """Align a response with a piece of the key that starts at ``offset``.

    The part that is compared ends with the first and the last equal character.
    """
    before, after = common_ends(key, response)
    if max(before, after) == len(response):
        start = 0 if before == len(response) else len(key) - after
        key = key[start : start + len(response)]
        offset += start
    overlay = _align_characters(key, response)
    if overlay is None or not len(overlay.key):
        return None
    part = int(overlay.key[0]) + offset, int(overlay.key[-1]) + 1 + offset
    return overlay._replace(key=overlay.key + offset, key_part=part)


_SEQUENCE = 8


def _align_characters(key: Characters, response: Characters) -> Overlay | None:
    """Find equal characters; None if it is clear beforehand that there are too few."""
    size = max(len(key), len(response))
    before, after = common_ends(key, response)
    middle = key[before : len(key) - after], response[before : len(response) - after]
    if _count_missing(*middle) > 3 * _SEQUENCE * (1 - LEAST_SHARE) * size:
        return None
    alignment = align(*(part.tobytes().decode("utf-32-le") for part in middle))
    rows = np.flatnonzero(alignment.is_same)
    return Overlay(
        _with_ends(alignment.first[rows], before, after, len(key)),
        _with_ends(rows, before, after, len(response)),
        (0, len(key)),
        (0, len(response)),
    )


def _count_missing(key: Characters, response: Characters) -> int:
    """Count the key's sequences of characters that the response does not have.

    A character that differs is part of a few sequences. If too many are missing, the
    texts are different, and an alignment would take long for nothing.
    """
    if len(key) < _SEQUENCE:
        return 0
    if len(response) < _SEQUENCE:
        return len(key) - _SEQUENCE + 1
    sides = (side.astype(np.int64) for side in (key, response))
    mine, theirs = (sequences(side, _SEQUENCE) for side in sides)
    return int((~np.isin(mine, theirs)).sum())


def _with_ends(rows: Ints, before: int, after: int, size: int) -> Ints:
    ends = np.arange(before), np.arange(size - after, size)
    return np.concatenate((ends[0], rows + before, ends[1]))

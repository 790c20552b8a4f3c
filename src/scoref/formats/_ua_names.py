"""Names inside a text, found and compared eight bytes at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Ints

    Mask = NDArray[np.bool_]
    Codes = NDArray[np.uint64]

_EIGHT = 8
PADDING = np.full(2 * _EIGHT, ord("_"), dtype=np.uint8)
"""What must stand behind a text, so that eight bytes can be read anywhere in it."""

_FIRST_BYTES = np.array([(1 << 8 * n) - 1 for n in range(_EIGHT + 1)], dtype=np.uint64)
_FACTOR, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)
_LENGTH_BITS = 16


class Names(NamedTuple):
    """The eight bytes that start at each place of a text, as integers."""

    eight: Codes

    @classmethod
    def of(cls, text: bytes) -> Names:
        """Look at a text with padding behind it, without a copy."""
        count = len(text) - _EIGHT + 1
        return cls(np.ndarray(count, dtype="<u8", buffer=text, strides=(1,)))

    def find(self, start: Ints, name: bytes) -> Ints:
        """List the rows of ``start`` where a name stands."""
        row = np.arange(len(start))
        for offset in range(0, len(name), _EIGHT):
            piece = name[offset : offset + _EIGHT]
            found = self.eight[start[row] + offset] & _FIRST_BYTES[len(piece)]
            row = row[found == np.uint64(int.from_bytes(piece, "little"))]
        return row

    def hashes(self, start: Ints, end: Ints, document: Ints) -> Codes:
        """Make a number of each name: the same for equal names of a document."""
        length = end - start
        code = _mixed((document << _LENGTH_BITS) + length)
        for offset in range(0, int(length.max(initial=0)), _EIGHT):
            here = np.flatnonzero(length > offset)
            more = self._up_to(start[here] + offset, length[here] - offset)
            code[here] = _mixed(code[here] ^ more)
        return code

    def differ(self, start: Ints, end: Ints, twin: Ints) -> Mask:
        """See which names are not those of their twins."""
        length = end - start
        different: Mask = length != length[twin]
        for offset in range(0, int(length.max(initial=0)), _EIGHT):
            here = np.flatnonzero((length > offset) & ~different)
            rest = length[here] - offset
            mine = self._up_to(start[here] + offset, rest)
            different[here] = mine != self._up_to(start[twin[here]] + offset, rest)
        return different

    def _up_to(self, start: Ints, length: Ints) -> Codes:
        """Read up to eight bytes."""
        codes: Codes = self.eight[start] & _FIRST_BYTES[np.minimum(length, _EIGHT)]
        return codes


def _mixed(values: Ints | Codes) -> Codes:
    """Let each bit change many others."""
    code = values.astype(np.uint64) * _FACTOR
    return code ^ code >> _HALF

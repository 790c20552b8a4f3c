"""Files that are too large: what they hold, what they unpack to."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from scoref.errors import FormatError, TooLargeError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedIOBase

_MOST_BYTES, _TIMES = 1 << 30, 200
"""Archives may unpack to so many bytes in any case, and to so many times their size."""
_PIECE = 1 << 22


@contextmanager
def refusing_size(data: bytes, source: str) -> Iterator[None]:
    """Say which file was too large, and what of it."""
    try:
        yield
    except TooLargeError as error:
        raise FormatError(
            str(error),
            source=source,
            hint="a mention has a few words: is there a bracket that closes too late?",
        ) from error
    except MemoryError as error:
        raise FormatError(
            f"there is not enough memory to read its {len(data):,} bytes",
            source=source,
            hint="read documents in several files, one after another",
        ) from error


def unpacked(archive: BufferedIOBase, size: int, source: str) -> bytes:
    """Unpack an archive of so many bytes, unless it is made to fill the memory."""
    pieces, length = [], 0
    most = max(_MOST_BYTES, _TIMES * size)
    while piece := archive.read(_PIECE):
        pieces.append(piece)
        length += len(piece)
        if length > most:
            raise FormatError(
                f"its {size:,} bytes unpack to more than {most:,}",
                source=source,
                hint="unpack it yourself if you trust it, and give what comes out",
            )
    return b"".join(pieces)

"""Chance that can be repeated: which documents are drawn, and which are swapped.

Draws are made of a generator's raw bits, which stay the same from one version of NumPy
to the next and from one machine to another; its ready-made distributions may not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.metrics.base import Floats

_AT_ONCE = 1 << 22
_FRACTION = 2.0**-53


def resampled(documents: int, times: int, seed: int) -> Iterator[Floats]:
    """Draw documents with replacement: how often each comes, some samples at a time."""
    bits = np.random.PCG64(seed)
    for count in _portions(documents, times):
        raw = bits.random_raw(count * documents) >> np.uint64(11)
        drawn = (raw * _FRACTION * documents).astype(np.int64)
        drawn += np.repeat(np.arange(count) * documents, documents)
        weights = np.bincount(drawn, minlength=count * documents)
        yield weights.reshape(count, documents).astype(np.float64)


def swapped(documents: int, times: int, seed: int) -> Iterator[Floats]:
    """Choose documents to be swapped, each with a chance of one half.

    Where there are no more ways to choose than times to do so, each comes once.
    """
    if is_exact(documents, times):
        ways = np.arange(1 << documents)
        yield ((ways[:, None] >> np.arange(documents)) & 1).astype(np.float64)
        return
    bits, words = np.random.PCG64(seed), -(-documents // 64)
    for count in _portions(documents, times):
        raw = bits.random_raw(count * words).astype("<u8").reshape(count, words)
        coins = np.unpackbits(raw.view(np.uint8), axis=1, count=documents)
        yield coins.astype(np.float64)


def is_exact(documents: int, times: int) -> bool:
    """Tell whether all ways to swap are looked at."""
    return documents < times.bit_length() and 1 << documents <= times


def _portions(documents: int, times: int) -> Iterator[int]:
    """Cut many draws into portions that fit into memory."""
    portion = max(1, _AT_ONCE // max(1, documents))
    while times > 0:
        yield min(portion, times)
        times -= portion

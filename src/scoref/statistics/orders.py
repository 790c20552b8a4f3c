"""Orders of systems, and how far two of them agree: Kendall's τ.

An order is the sign of each pair's difference: 1 if the first is ahead, −1 if the
second is, 0 for a tie. Kendall's τ-b (1945) of two orders is their product, divided by
what it could be at most:

    τ  =  Σ s·t  ÷  √(Σ s² · Σ t²)

which is 1 for the same order, −1 for the reverse, and not defined where all are tied.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from scoref.statistics.cuts import TIE

if TYPE_CHECKING:
    from scoref.metrics.base import Floats


def orders(scores: Floats) -> Floats:
    """Give the order of each row: a column for each pair of its figures."""
    pairs = np.array([*combinations(range(scores.shape[-1]), 2)]).reshape(-1, 2)
    difference = scores[..., pairs[:, 0]] - scores[..., pairs[:, 1]]
    return np.where(np.abs(difference) <= TIE, 0.0, np.sign(difference))


def kendall(rows: Floats) -> Floats:
    """Give τ-b of each two orders, NaN where it is not defined.

    >>> found = kendall(orders(np.array([[3.0, 2.0, 1.0], [2.0, 3.0, 1.0]])))
    >>> round(float(found[0, 1]), 4)
    0.3333
    """
    length = np.sqrt((rows**2).sum(axis=1))
    most = np.outer(length, length)
    undefined = np.full_like(most, np.nan)
    return np.divide(rows @ rows.T, most, out=undefined, where=most > 0)


def ranks(scores: Floats) -> Floats:
    """Rank the figures of each row, the highest first; equal ones share a rank.

    >>> ranks(np.array([[0.5, 0.7, 0.5]])).tolist()
    [[2.0, 1.0, 2.0]]
    """
    higher = scores[..., None, :] > scores[..., :, None] + TIE
    return np.asarray(1.0 + higher.sum(axis=-1))


def is_alone_ahead(scores: Floats) -> Floats:
    """Tell of each figure of a row whether it is higher than all others."""
    not_higher = scores[..., None, :] >= scores[..., :, None] - TIE
    return np.asarray(not_higher.sum(axis=-1) == 1)

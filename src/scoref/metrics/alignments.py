"""CEAF (Luo, 2005) of clusterings, and what it makes of twinless mentions.

Each cluster is aligned with at most one of the other side so that the sum of φ is the
highest: φ3 is the number of shared mentions, φ4 Dice's coefficient. A mention of one
side only adds to its cluster's size; the variants treat it in other ways:

    ceafm-rn   response singletons that the key lacks are left out
    …-sys      these are left out, and each side gets as singletons what it lacks: the
               response what the key has, and for precision the key what the response
               has. For recall, whatever the key lacks is taken from the response.

φ4 is aligned in integers, as a multiple of 2^-40 (less beyond a million clusters).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.metrics._assignment import best_matching
from scoref.metrics.ratios import Ratios

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from scoref.contingency.profile import Cells
    from scoref.metrics.ratios import Number
    from scoref.model import Ints


class Sides(NamedTuple):
    """Sizes of the clusters of cells, with and without one-sided mentions."""

    key: Ints
    key_common: Ints
    response: Ints
    response_common: Ints

    @property
    def is_kept(self) -> NDArray[np.bool_]:
        """Tell response clusters from single mentions that the key lacks."""
        kept: NDArray[np.bool_] = (self.response != 1) | (self.response_common != 0)
        return kept


class Credit(NamedTuple):
    """Pairs of aligned clusters, each with its similarity ``top / bottom``.

    A number beyond the last cluster of its side is that of a singleton that was added.
    """

    key: Ints
    response: Ints
    top: Ints
    bottom: Ints

    @property
    def total(self) -> Number:
        """Add up; equal alignments give equal digits, whatever their pairs are."""
        if not len(self.top):
            return 0
        order = np.argsort(self.bottom, kind="stable")
        bottoms, first = np.unique(self.bottom[order], return_index=True)
        tops = np.add.reduceat(self.top[order], first).tolist()
        if bottoms.tolist() == [1]:
            return int(tops[0])
        pairs = zip(tops, bottoms.tolist(), strict=True)
        total: int = sum((top << _PLACES) // bottom for top, bottom in pairs)
        return total / (1 << _PLACES)


class Alignment(NamedTuple):
    """What aligned clusters earn for recall and for precision, and of how much.

    Key clusters have a part of recall's denominator, response clusters one of
    precision's, and so have the mentions of each key cluster that the response lacks
    (``missing``).
    """

    recall: Credit
    precision: Credit
    key: Ints
    response: Ints
    missing: Ints

    @property
    def ratios(self) -> Ratios:
        """Add it all up."""
        return Ratios(
            (self.recall.total, int(self.key.sum())),
            (self.precision.total, int(self.response.sum() + self.missing.sum())),
        )


def ceaf_m(cells: Cells, sides: Sides) -> Alignment:
    """CEAF by shared mentions (Luo, 2005)."""
    credit = _by_mentions(cells)
    none = np.zeros_like(sides.key)
    return Alignment(credit, credit, sides.key, sides.response, none)


def ceaf_e(cells: Cells, sides: Sides) -> Alignment:
    """CEAF by Dice's coefficient (Luo, 2005)."""
    credit = _by_dice(cells, sides.key, sides.response)
    none = np.zeros_like(sides.key)
    ones = np.ones_like(sides.key), np.ones_like(sides.response)
    return Alignment(credit, credit, *ones, none)


def ceaf_m_rn(cells: Cells, sides: Sides) -> Alignment:
    """CEAFm without response singletons that the key lacks (Rahman and Ng, 2009)."""
    usual = ceaf_m(cells, sides)
    return usual._replace(response=sides.response * sides.is_kept)


def ceaf_m_sys(cells: Cells, sides: Sides) -> Alignment:
    """CEAFm of Cai and Strube (2010): each side gets what it lacks as singletons."""
    return Alignment(
        recall=_by_mentions(_with_singletons(cells, sides, of_response=False)),
        precision=_by_mentions(_with_singletons(cells, sides, of_response=True)),
        key=sides.key,
        response=sides.response * sides.is_kept,
        missing=sides.key - sides.key_common,
    )


def ceaf_e_sys(cells: Cells, sides: Sides) -> Alignment:
    """The same by Dice's coefficient."""
    recall = _with_singletons(cells, sides, of_response=False)
    precision = _with_singletons(cells, sides, of_response=True)
    return Alignment(
        recall=_by_dice(recall, sides.key, sides.response_common),
        precision=_by_dice(precision, sides.key, sides.response),
        key=np.ones_like(sides.key),
        response=np.ones_like(sides.response) * sides.is_kept,
        missing=sides.key - sides.key_common,
    )


ALIGNMENTS: dict[str, Callable[[Cells, Sides], Alignment]] = {
    "ceafm": ceaf_m,
    "ceafe": ceaf_e,
    "ceafm-rn": ceaf_m_rn,
    "ceafm-sys": ceaf_m_sys,
    "ceafe-sys": ceaf_e_sys,
}
"""What needs the clusters themselves: an alignment of one with at most one other."""


def _ratios(
    cells: Cells, sides: Sides, align: Callable[[Cells, Sides], Alignment]
) -> Ratios:
    return align(cells, sides).ratios


ALIGNED: dict[str, Callable[[Cells, Sides], Ratios]] = {
    name: partial(_ratios, align=align) for name, align in ALIGNMENTS.items()
}
"""The same, added up."""

_FINEST, _BITS, _PLACES = 40, 60, 128


def _with_singletons(cells: Cells, sides: Sides, *, of_response: bool) -> Cells:
    """Add a singleton beside each cluster that has a one-sided mention.

    A cluster may be aligned with one of its singletons at most, so that one is enough.
    Those of the response are for precision; it has none beside what is left out.
    """
    own = np.flatnonzero(sides.key > sides.key_common)
    is_spurious = (sides.response > sides.response_common) & sides.is_kept
    other = np.flatnonzero(is_spurious & of_response)
    key = np.concatenate((cells.key, own, len(sides.key) + np.arange(len(other))))
    response = np.concatenate(
        (cells.response, len(sides.response) + np.arange(len(own)), other)
    )
    ones = np.ones(len(own) + len(other), dtype=np.int64)
    return type(cells)(key, response, np.concatenate((cells.n, ones)))


def _by_mentions(cells: Cells) -> Credit:
    chosen = best_matching(cells.key, cells.response, cells.n)
    n = cells.n[chosen]
    return Credit(cells.key[chosen], cells.response[chosen], n, np.ones_like(n))


def _by_dice(cells: Cells, key: Ints, response: Ints) -> Credit:
    """Align by Dice's coefficient; φ4 is rounded down for that only."""
    size = _size(key, cells.key) + _size(response, cells.response)
    most = max(len(key), len(response))
    shift = min(_FINEST, _BITS - most.bit_length())
    # In two steps, so that clusters of a billion mentions do not overflow.
    whole, rest = np.divmod(2 * cells.n << shift // 2, size)
    left = shift - shift // 2
    weight = (whole << left) + (rest << left) // size
    chosen = best_matching(cells.key, cells.response, weight)
    return Credit(
        cells.key[chosen], cells.response[chosen], 2 * cells.n[chosen], size[chosen]
    )


def _size(sizes: Ints, cluster: Ints) -> Ints:
    """Look up sizes; a singleton that was added has 1."""
    found: Ints = np.append(sizes, 1)[np.minimum(cluster, len(sizes))]
    return found

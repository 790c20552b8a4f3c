"""Variants of CEAF that treat twinless mentions, those of one side only, differently.

Plain CEAF counts them in the size of their entity and nowhere else:

    ceafm-rn   response singletons that the key lacks are left out (Rahman and Ng, 2009)
    …-sys      these are left out, and each side gets as singletons what it lacks: the
               response the mentions of the key and, for precision, the key those of the
               response. For recall, mentions that the key lacks are removed from the
               response (Cai and Strube, 2010).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.contingency.partition import commons, partition
from scoref.lazy import np
from scoref.metrics.base import Laws, Metric
from scoref.metrics.ceaf import (
    align_by_entities,
    align_by_mentions,
    alignable,
    phi_four,
    total_of,
)

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats
    from scoref.model import Ints


def _is_kept(table: Contingency) -> Ints:
    """Mark the response entities that are not singletons that the key lacks."""
    is_kept = (table.response_size != 1) | (commons(table)[1] != 0)
    return np.asarray(is_kept, dtype=np.int64)


def _by_mentions(table: Contingency) -> Floats:
    return total_of(table, align_by_mentions(table), table.overlap)


def _by_entities(table: Contingency) -> Floats:
    return total_of(table, align_by_entities(table), phi_four(table))


def _count_missing(table: Contingency) -> Floats:
    """Count the key mentions that the response lacks, by document."""
    return table.sum_key(table.key_size - commons(table)[0])


def _count_mentions_rn(table: Contingency) -> Floats:
    table = partition(alignable(table))
    total = _by_mentions(table)
    counted = table.sum_response(table.response_size * _is_kept(table))
    return np.column_stack((total, table.sum_key(table.key_size), total, counted))


def _count_mentions_sys(table: Contingency) -> Floats:
    table = partition(alignable(table))
    counted = table.sum_response(table.response_size * _is_kept(table))
    return np.column_stack(
        (
            _by_mentions(_for_recall(table)),
            table.sum_key(table.key_size),
            _by_mentions(_for_precision(table)),
            counted + _count_missing(table),
        )
    )


def _count_entities_sys(table: Contingency) -> Floats:
    table = partition(alignable(table))
    return np.column_stack(
        (
            _by_entities(_for_recall(table)),
            table.sum_key(np.ones_like(table.key_size)),
            _by_entities(_for_precision(table)),
            table.sum_response(_is_kept(table)) + _count_missing(table),
        )
    )


def _for_recall(table: Contingency) -> Contingency:
    """Add the key's twinless mentions to the response, and remove its own."""
    return _with_singletons(table._replace(response_size=commons(table)[1]))


def _for_precision(table: Contingency) -> Contingency:
    """Add the other side's twinless mentions to each side, except those left out."""
    own = np.flatnonzero((table.response_size > commons(table)[1]) & _is_kept(table))
    return _with_singletons(_with_singletons(table).swapped, own).swapped


def _with_singletons(table: Contingency, own: Ints | None = None) -> Contingency:
    """Add a response singleton for each key entity that has a twinless mention.

    One singleton is enough, because an entity is aligned with at most one. ``own`` are
    the key entities, if they are not all of those.
    """
    if own is None:
        own = np.flatnonzero(table.key_size > commons(table)[0])
    count, ones = len(own), np.ones(len(own), dtype=np.int64)
    own_times = _times(table.key_times, table.key_size)[own]
    overlap = np.concatenate((table.overlap, ones))
    return table._replace(
        response_document=np.concatenate(
            (table.response_document, table.key_document[own])
        ),
        response_size=np.concatenate((table.response_size, ones)),
        response_common=np.concatenate((commons(table)[1], ones)),
        response_times=np.concatenate(
            (_times(table.response_times, table.response_size), own_times)
        ),
        cell_key=np.concatenate((table.cell_key, own)),
        cell_response=np.concatenate(
            (table.cell_response, len(table.response_size) + np.arange(count))
        ),
        cell_times=np.concatenate((_times(table.cell_times, table.overlap), own_times)),
        key_count=overlap,
        response_count=overlap,
        overlap=overlap,
    )


def _times(times: Ints | int, rows: Ints) -> Ints:
    return np.full(len(rows), times) if isinstance(times, int) else times


def _metric(name: str, label: str, place: int) -> Metric:
    is_sys = name.endswith("-sys")
    return Metric(
        name=name,
        label=label,
        asks="CEAF that adds mentions on one side only as singletons to the other"
        if is_sys
        else "CEAF without singletons that only the response has",
        reference="Cai and Strube (2010)" if is_sys else "Rahman and Ng (2009)",
        page="variants",
        place=place,
        count=_COUNTS[name],
        is_sum_of_blocks=True,
        is_aligned=True,
        laws=Laws(mirror=None, credits_twinless=is_sys),
    )


_COUNTS = {
    "ceafm-rn": _count_mentions_rn,
    "ceafm-sys": _count_mentions_sys,
    "ceafe-sys": _count_entities_sys,
}
METRICS = (
    _metric("ceafm-rn", "CEAFm_r&n", 310),
    _metric("ceafm-sys", "CEAFm_sys", 311),
    _metric("ceafe-sys", "CEAFe_sys", 312),
)

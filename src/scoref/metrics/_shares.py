"""A metric's counts shared out among mentions, so that any class of them has a score.

Recall is shared out among the key's mentions, precision among the response's. Every
mention of an entity gets the same part of the denominator; the numerator goes to the
mentions that earned it. Each metric's own file says how, in ``shares``.

The parts of all mentions add up to the metric's counts, whatever classes there are; a
plural, which stands for other entities, has its part, too. Where several alignments
are the best for CEAF, mentions choose among them, and not the order of entities.
BLANC counts pairs across all entities, and MOR words: they are not shared out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.metrics import METRICS, metrics_of
from scoref.metrics._plurals import weighted
from scoref.metrics.base import Metric

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.contingency.listings import Listed, Listings
    from scoref.metrics.base import Floats, Shares
    from scoref.model import Ints
    from scoref.scheme import Scheme

_MENTIONS = "mentions"


def sliceable() -> tuple[str, ...]:
    """List the metrics that are shared out."""
    return tuple(
        name
        for name, each in METRICS.items()
        if name == _MENTIONS or (isinstance(each, Metric) and each.shares)
    )


def shared_counts(
    listed: Listed, scheme: Scheme, classes: tuple[Ints, Ints], count: int
) -> dict[str, Floats]:
    """Count each metric for each class and document: classes × documents × columns."""
    found = {_MENTIONS: [_mentions(*side, count) for side in _sides(listed, classes)]}
    known = metrics_of(scheme)
    for name in sliceable():
        if name != _MENTIONS:
            own = _with_plurals(listed, known[name])
            shares = _shares(own, known[name])
            both = zip(_sides(own, classes), shares, strict=True)
            found[name] = [_summed(*side, each, count) for side, each in both]
    return {name: np.concatenate(both, axis=-1) for name, both in found.items()}


def _shares(listed: Listed, metric: Metric) -> list[Shares]:
    """Share out both directions, with the same entities aligned."""
    table = listed.table
    aligned = np.empty(0, dtype=np.int64)
    if metric.align is not None:
        aligned = metric.align(table, listed.ranks)
    assert metric.shares is not None  # noqa: S101 - it is one of those that have them
    return [metric.shares(each, aligned) for each in (table, table.swapped)]


def _sides(
    listed: Listed, classes: tuple[Ints, Ints]
) -> list[tuple[Listings, Ints, Contingency]]:
    return [
        (listed.key, classes[0], listed.table),
        (listed.response, classes[1], listed.table.swapped),
    ]


def _with_plurals(listed: Listed, metric: Metric) -> Listed:
    """Let plurals weigh in: other mentions earn more where one is found with them."""
    old, new = listed.table, weighted(metric, listed.table)
    if new is old:
        return listed
    width = np.int64(max(1, len(old.response_size)))
    place = np.searchsorted(
        new.cell_key * width + new.cell_response,
        old.cell_key * width + old.cell_response,
    )
    moved = np.append(place, -1)
    return listed._replace(
        table=new,
        key=listed.key._replace(cell=moved[listed.key.cell]),
        response=listed.response._replace(cell=moved[listed.response.cell]),
    )


def _summed(
    side: Listings, classes: Ints, table: Contingency, shares: Shares, count: int
) -> Floats:
    """Add up numerator and denominator by class and document."""
    earned = np.where(side.cell >= 0, np.append(shares.of_cell, 0.0)[side.cell], 0.0)
    earned = earned + shares.of_entity[side.entity]
    return _by_class(
        side, classes, table, count, earned, shares.denominator[side.entity]
    )


def _mentions(side: Listings, classes: Ints, table: Contingency, count: int) -> Floats:
    found, counted = side.is_found.astype(float), side.is_counted.astype(float)
    return _by_class(side, classes, table, count, found, counted)


def _by_class(
    side: Listings,
    classes: Ints,
    table: Contingency,
    count: int,
    *values: Floats,
) -> Floats:
    code = classes * table.document_count + side.document
    size = count * table.document_count
    sums = [np.bincount(code, value, size).astype(np.float64) for value in values]
    return np.stack(sums, axis=-1).reshape(count, table.document_count, len(values))

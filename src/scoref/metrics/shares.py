"""A metric's counts shared out among mentions, so that any class of them has a score.

Recall is shared out among the key's mentions, precision among the response's. Every
mention of an entity gets the same part of the denominator; the numerator goes to the
mentions that earned it. With n the mentions that an entity of size k shares with
another, a mention among these n gets of

    MUC     (n − 1)/n of (k − 1)/k links        LEA     (n − 1)/(k − 1) of 1
    B³      n/k of 1                            CEAFm   1 of 1, if the two are aligned
    CEAFe   φ4/k of 1/k entities, if its entity is aligned, found or not

The parts of all mentions add up to the metric's counts, whatever classes there are; a
plural, which stands for other entities, has its part, too. Where several alignments
are the best for CEAF, mentions choose among them, and not the order of entities.
BLANC counts pairs across all entities, and MOR words: they are not shared out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency import pairs
from scoref.metrics import metrics_of
from scoref.metrics.base import ratio
from scoref.metrics.ceaf import aligned_by_entities, aligned_by_mentions, phi_four
from scoref.metrics.plurals import weighted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoref.contingency import Contingency
    from scoref.contingency.listings import Listed, Listings
    from scoref.metrics.base import Floats, Metric
    from scoref.model import Ints
    from scoref.scheme import Lea, Scheme

NAMES = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea")


class _Shares(NamedTuple):
    """What a mention gets: by its cell, by its entity, and of the denominator."""

    of_cell: Floats
    of_entity: Floats
    denominator: Floats


def shared_counts(
    listed: Listed, scheme: Scheme, classes: tuple[Ints, Ints], count: int
) -> dict[str, Floats]:
    """Count each metric for each class and document: classes × documents × columns."""
    found = {"mentions": [_mentions(*side, count) for side in _sides(listed, classes)]}
    metrics = metrics_of(scheme)
    for name, make in _makers(scheme).items():
        own = _with_plurals(listed, metrics[name])
        both = zip(_sides(own, classes), _tables(own, name), strict=True)
        found[name] = [_summed(*side, make(*tables), count) for side, tables in both]
    return {name: np.concatenate(both, axis=-1) for name, both in found.items()}


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
    width = max(1, len(old.response_size))
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


def _tables(listed: Listed, name: str) -> list[tuple[Contingency, Ints]]:
    """Give both directions, with the cells that CEAF aligns, the same in both."""
    table = listed.table
    align = {"ceafm": aligned_by_mentions, "ceafe": aligned_by_entities}.get(name)
    aligned = align(table, listed.ranks) if align else np.empty(0, dtype=np.int64)
    return [(table, aligned), (table.swapped, aligned)]


def _makers(
    scheme: Scheme,
) -> Mapping[str, Callable[[Contingency, Ints], _Shares]]:
    return {
        "muc": _muc,
        "bcub": _b_cubed,
        "ceafm": _ceaf_m,
        "ceafe": _ceaf_e,
        "lea": lambda table, _: _lea(table, scheme.lea),
    }


def _muc(table: Contingency, _: Ints) -> _Shares:
    found = (table.key_count + table.key_plural).astype(np.float64)
    size = table.key_size
    return _Shares(
        ratio(np.maximum(found - 1, 0), found), _none(table), (size - 1) / size
    )


def _b_cubed(table: Contingency, _: Ints) -> _Shares:
    mates = table.key_mates + table.key_plural
    return _Shares(mates / table.key_size[table.cell_key], _none(table), _one(table))


def _ceaf_m(table: Contingency, aligned: Ints) -> _Shares:
    gained = np.zeros(len(table.cell_key))
    gained[aligned] = table.overlap[aligned]
    # What no mention is counted for goes to the entity.
    alone = np.where(table.key_count == 0, gained, 0)
    of_entity = np.bincount(table.cell_key, alone, len(table.key_size))
    return _Shares(
        _each(gained, table.key_count), of_entity / table.key_size, _one(table)
    )


def _ceaf_e(table: Contingency, aligned: Ints) -> _Shares:
    of_entity = np.zeros(len(table.key_size))
    of_entity[table.cell_key[aligned]] = phi_four(table)[aligned]
    size = table.key_size
    return _Shares(np.zeros(len(table.cell_key)), of_entity / size, 1 / size)


def _lea(table: Contingency, convention: Lea) -> _Shares:
    size = table.key_size[table.cell_key]
    # Half of each link to another mention, and half of those to a plural.
    links = pairs(table.key_count) + table.key_count * table.key_plural / 2
    resolved = size * ratio(links.astype(np.float64), pairs(size).astype(np.float64))
    weight = _one(table)
    if convention == "self-links":
        alone = (table.response_size[table.cell_response] == 1) & (table.key_count == 1)
        resolved = np.where(size == 1, alone, resolved)
    else:
        weight = np.where(table.key_size > 1, weight, 0)
    return _Shares(_each(resolved, table.key_count), _none(table), weight)


def _each(total: Ints | Floats, count: Ints) -> Floats:
    return ratio(total.astype(np.float64), count.astype(np.float64))


def _one(table: Contingency) -> Floats:
    return np.ones(len(table.key_size))


def _none(table: Contingency) -> Floats:
    return np.zeros(len(table.key_size))


def _summed(
    side: Listings, classes: Ints, table: Contingency, shares: _Shares, count: int
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

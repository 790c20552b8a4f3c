"""The counts of every metric at every threshold, as its own formula takes them.

Each function gives what the metric's `count` would give of the table at a point: a row
for each point. Its `score` is the one that all tables have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency import pairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.tools.curve.growth import Growth


def _columns(points: int, *columns: Floats | float) -> Floats:
    """Put columns side by side; a number stands in every row."""
    return np.column_stack([np.broadcast_to(each, points) for each in columns])


def _true_pairs(growth: Growth) -> Floats:
    return growth.running(0.0, growth.products)


def _pairwise(growth: Growth) -> Floats:
    one, other, _ = growth.parts
    found = _true_pairs(growth)
    predicted = growth.running(0.0, one.size * other.size)
    key = float(pairs(growth.key_size).sum())
    return _columns(len(found), found, key, found, predicted)


def _membership(growth: Growth) -> Floats:
    one, other, _ = growth.parts
    found = growth.running(growth.labelled, 2 * growth.products)
    predicted = growth.running(growth.records, 2 * one.size * other.size)
    key = float(np.square(growth.key_size, dtype=np.int64).sum())
    return _columns(len(found), found, key, found, predicted)


def _b_cubed(growth: Growth) -> Floats:
    recall = growth.running(float(len(growth.key_size)), 2 * growth.shared_products)
    precision = growth.over_size("squares")
    sizes = float(growth.labelled), float(growth.records)
    return _columns(len(recall), recall, sizes[0], precision, sizes[1])


def _b_cubed_by_entity(growth: Growth) -> Floats:
    product = growth.one * growth.other / np.square(growth.event_size)
    first = float((1 / growth.key_size).sum())
    recall = growth.running(first, 2 * growth.by_merge(product))
    clusters = float(len(growth.key_size))
    precision = growth.over_size("shares")
    return _columns(len(recall), recall, clusters, precision, clusters)


def clusters(growth: Growth) -> Floats:
    """Count the components that have a record of the universe."""
    one, other, _ = growth.parts
    is_less = (one.size > 0) & (other.size > 0)
    return growth.running(float(growth.records), -is_less.astype(np.float64))


def _exact(growth: Growth) -> Floats:
    change = growth.change([each.is_exact.astype(np.float64) for each in growth.parts])
    found = growth.running(growth.singletons(growth.is_single), change)
    key = float(len(growth.key_size))
    return _columns(len(found), found, key, found, clusters(growth))


def _muc(growth: Growth) -> Floats:
    kept = growth.running(0.0, growth.by_merge(np.ones(len(growth.one))))
    key = float(growth.labelled - len(growth.key_size))
    return _columns(len(kept), kept, key, kept, growth.records - clusters(growth))


def _lea(growth: Growth) -> Floats:
    """Count links of each entity by its size; a singleton has one, to itself."""
    is_alone = [
        (each.is_exact & (each.size == 1)).astype(np.float64) for each in growth.parts
    ]
    alone = growth.running(growth.singletons(growth.is_single), growth.change(is_alone))
    links = growth.one * growth.other / (growth.event_size - 1)
    recall = alone + growth.running(0.0, 2 * growth.by_merge(links))
    resolved = [
        np.divide(
            each.squares - each.labelled,
            each.size - 1,
            out=np.zeros(len(each.size)),
            where=each.size > 1,
        )
        for each in growth.parts
    ]
    precision = alone + growth.running(0.0, growth.change(resolved))
    sizes = float(growth.labelled), float(growth.records)
    return _columns(len(recall), recall, sizes[0], precision, sizes[1])


def _rand(growth: Growth) -> Floats:
    one, other, _ = growth.parts
    both = _true_pairs(growth)
    key = float(pairs(growth.key_size).sum())
    response = growth.running(0.0, one.labelled * other.labelled)
    return _columns(len(both), both, key, response, float(growth.labelled))


def _entropies(growth: Growth) -> Floats:
    """Count Σ n log(b/n) and its kin, as sums of x log x."""
    cells = growth.by_merge(
        _log(growth.one + growth.other) - _log(growth.one) - _log(growth.other)
    )
    of_cells = growth.running(0.0, cells)
    change = growth.change([_log(each.labelled) for each in growth.parts])
    response = growth.running(0.0, change)
    key, total = float(_log(growth.key_size).sum()), float(growth.labelled)
    whole = float(_log(np.array([total]))[0])
    zero = np.zeros(1)
    return _columns(
        len(of_cells),
        np.maximum(response - of_cells, zero),
        np.maximum(key - of_cells, zero),
        whole - key,
        np.maximum(whole - response, zero),
        whole,
        total,
    )


def _log(value: Floats | Ints) -> Floats:
    number = value.astype(np.float64)
    return np.asarray(number * np.log(np.maximum(number, 1)))


def _cells(growth: Growth) -> Floats:
    one, other, _ = growth.parts
    cells = growth.running(
        float(growth.labelled), -growth.by_merge(np.ones(len(growth.one)))
    )
    is_less = (one.labelled > 0) & (other.labelled > 0)
    response = growth.running(float(growth.labelled), -is_less.astype(np.float64))
    return _columns(len(cells), cells, float(len(growth.key_size)), response)


COUNTS: dict[str, Callable[[Growth], Floats]] = {
    "pairwise": _pairwise,
    "pairwise-membership": _membership,
    "muc": _muc,
    "bcub": _b_cubed,
    "bcub-entity": _b_cubed_by_entity,
    "lea": _lea,
    "cluster": _exact,
    "rand": _rand,
    "ari": _rand,
    "fowlkes-mallows": _rand,
    "homogeneity": _entropies,
    "completeness": _entropies,
    "v-measure": _entropies,
    "vi": _entropies,
    "talburt-wang": _cells,
    "gmd": _cells,
}
"""Metrics that have running sums; all others need an alignment, or a look at cells."""

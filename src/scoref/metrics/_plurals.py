"""Split antecedents (Paun et al., 2023): plurals in every metric.

A plural of the key and one of the response are as similar as the entities that they
stand for, by the metric's own recall, precision and F1. Plurals are aligned one to one
so that the sum of F1 is the highest. An aligned plural counts as a mention that is
found to the extent of its recall, its precision or its F1, whichever the metric needs.
Each metric aligns plurals by its own F1, and BLANC does so for each of its two kinds.

`count_plurals` counts plurals only: how well were they resolved?
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.matching.assignment import assign
from scoref.metrics.base import ratio_score

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.contingency import Contingency, PluralTable
    from scoref.metrics.base import Floats, Metric, Part
    from scoref.model import Ints

    Mask = NDArray[np.bool_]

_BY_EQUALITY = ("lea", "blanc")
"""Metrics that pair a plural with an equal one if the plural was not aligned.

A plural that is the only mention of its entity has no link. LEA resolves it if the
other side has an equal plural, and ignores how it was aligned.
"""


def count_with_plurals(metric: Metric, table: Contingency) -> Floats:
    """Count a metric by document, with plurals as mentions."""
    plurals = table.plurals
    if plurals is None or not metric.parts:
        return metric.count(table)
    return np.hstack(
        [part.count(_weighted(metric, part, table, plurals)) for part in metric.parts]
    )


def weighted(metric: Metric, table: Contingency) -> Contingency:
    """Give a table what plurals add to it by a metric of one part."""
    if table.plurals is None:
        return table
    (part,) = metric.parts
    return _weighted(metric, part, table, table.plurals)


def _weighted(
    metric: Metric, part: Part, table: Contingency, plurals: PluralTable
) -> Contingency:
    aligned = _Aligned.by(part, plurals)
    weights = aligned.weights(plurals)
    if metric.name not in _BY_EQUALITY:
        return weights.into(table)
    equal = _equal(plurals)
    is_free = equal.not_in(weights)
    if metric.name == "lea":
        is_lone, is_lone_there = weights.without_other_mentions(table)
        weights = weights.where(~is_lone, ~is_lone_there, ~is_lone)
        is_lone, is_lone_there = equal.without_other_mentions(table)
        key, response, overlap = is_free
        is_free = key | is_lone, response | is_lone_there, overlap | is_lone
    return weights.joined(equal.where(*is_free)).into(table)


def count_plurals(metric: Metric, table: Contingency) -> Floats:
    """Count plurals alone by document: what is found of all that they stand for.

    BLANC leaves out a kind of links by the document as a whole; its counts follow.
    """
    plurals = table.plurals
    if plurals is None:
        return np.zeros((table.document_count, len(metric.columns)))
    counts = [_sums(part, table.document_count, plurals) for part in metric.parts]
    if len(counts) > 1:
        counts.append(metric.count(table))
    return np.hstack(counts)


def _sums(part: Part, documents: int, plurals: PluralTable) -> Floats:
    """Add up what aligned plurals share, and what all of them stand for."""
    counts = part.count_elements(plurals.elements)
    pairs, keys = len(plurals.pair_key), len(plurals.key_entity)
    row = _Aligned.by(part, plurals).row
    of_pair, of_key, of_response = np.split(counts, [pairs, pairs + keys])
    sums = np.zeros((documents, counts.shape[1]))
    of_recall, recall, of_precision, precision = part.ratios
    np.add.at(sums[:, recall], plurals.key_document, of_key[:, recall])
    np.add.at(sums[:, precision], plurals.response_document, of_response[:, precision])
    document = plurals.key_document[plurals.pair_key[row]]
    for column in {of_recall, of_precision}:
        np.add.at(sums[:, column], document, of_pair[row, column])
    return sums


class _Weights(NamedTuple):
    """What plurals add to cells of the table, whether or not these were there."""

    cell_key: Ints
    cell_response: Ints
    key: Floats
    response: Floats
    overlap: Floats

    def where(self, key: Mask, response: Mask, overlap: Mask) -> _Weights:
        """Keep the weights that the masks mark, and set the others to 0."""
        return self._replace(
            key=self.key * key,
            response=self.response * response,
            overlap=self.overlap * overlap,
        )

    def not_in(self, other: _Weights) -> tuple[Mask, Mask, Mask]:
        """Mark, for each kind of weight, the plurals that have none in the other."""
        key, response = self.cell_key, self.cell_response
        return (
            ~np.isin(key, other.cell_key[other.key > 0]),
            ~np.isin(response, other.cell_response[other.response > 0]),
            ~np.isin(key, other.cell_key[other.overlap > 0]),
        )

    def without_other_mentions(self, table: Contingency) -> tuple[Mask, Mask]:
        """Mark, on each side, the plurals that are the only mention of their entity."""
        return (
            table.key_size[self.cell_key] == 1,
            table.response_size[self.cell_response] == 1,
        )

    def joined(self, other: _Weights) -> _Weights:
        columns = zip(self, other, strict=True)
        return _Weights(*(np.concatenate(both) for both in columns))

    def into(self, table: Contingency) -> Contingency:
        """Give a table these weights beside its counts."""
        width = np.int64(max(1, len(table.response_size)))
        old = table.cell_key * width + table.cell_response
        own = self.cell_key * width + self.cell_response
        cells, place = np.unique(np.concatenate((old, own)), return_inverse=True)
        place, own_place = np.split(place, [len(old)])

        def counted(column: Ints) -> Ints:
            moved = np.zeros(len(cells), dtype=column.dtype)
            moved[place] = column
            return moved

        def weighted(column: Floats) -> Floats:
            return np.bincount(own_place, column, len(cells)).astype(np.float64)

        return table._replace(
            cell_key=cells // width,
            cell_response=cells % width,
            key_count=counted(table.key_count),
            response_count=counted(table.response_count),
            key_mates=counted(table.key_mates),
            response_mates=counted(table.response_mates),
            overlap=counted(table.overlap),
            key_plural=weighted(self.key),
            response_plural=weighted(self.response),
            overlap_plural=weighted(self.overlap),
        )


class _Aligned(NamedTuple):
    """The pairs of plurals that are aligned, and their recall, precision and F1."""

    row: Ints
    score: Floats

    @classmethod
    def by(cls, part: Part, plurals: PluralTable) -> _Aligned:
        """Align plurals by the F1 of what they stand for."""
        counts = part.count_elements(plurals.elements)[: len(plurals.pair_key)]
        score = ratio_score(counts[:, list(part.ratios)])
        row = _assigned(plurals, score)
        return cls(row, score[row])

    def weights(self, plurals: PluralTable) -> _Weights:
        recall, precision, f1 = self.score.T
        return _Weights(
            plurals.key_entity[plurals.pair_key[self.row]],
            plurals.response_entity[plurals.pair_response[self.row]],
            recall,
            precision,
            f1,
        )


def _equal(plurals: PluralTable) -> _Weights:
    """Pair equal plurals of the two sides, with full weights."""
    _, ours, theirs = np.intersect1d(
        plurals.key_identity,
        plurals.response_identity,
        assume_unique=True,
        return_indices=True,
    )
    full = np.ones(len(ours))
    entities = plurals.key_entity[ours], plurals.response_entity[theirs]
    return _Weights(*entities, full, full, full)


def _assigned(plurals: PluralTable, score: Floats) -> Ints:
    """Choose pairs document by document, so that the sum of their F1 is the highest.

    Where mentions repeat, a pair may have recall and no precision. It adds nothing to
    the sum, but counts if the official solver chooses it.
    """
    f1 = score[:, 2]
    edges = np.flatnonzero(score.any(axis=1))
    document = plurals.key_document[plurals.pair_key[edges]]
    order = edges[np.argsort(document, kind="stable")]
    document = plurals.key_document[plurals.pair_key[order]]
    sizes = [
        np.bincount(of, minlength=int(document.max(initial=-1)) + 1)
        for of in (plurals.key_document, plurals.response_document)
    ]
    row = _places(plurals.key_document)[plurals.pair_key]
    column = _places(plurals.response_document)[plurals.pair_response]
    bounds = np.flatnonzero(np.diff(document, prepend=-1, append=-1))
    chosen = [np.empty(0, dtype=np.int64)]
    for first, last in pairwise(bounds.tolist()):
        here, among = int(document[first]), order[first:last]
        size = int(sizes[0][here]), int(sizes[1][here])
        chosen.append(among[assign(*size, row[among], column[among], f1[among])])
    return np.concatenate(chosen)


def _places(document: Ints) -> Ints:
    """Give each plural its place among those of its document."""
    order = np.argsort(document, kind="stable")
    first = np.searchsorted(document[order], document[order])
    place = np.empty_like(order)
    place[order] = np.arange(len(order)) - first
    return place

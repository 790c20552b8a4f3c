"""Split antecedents (Paun et al., 2023): plurals in every metric.

A plural of the key and one of the response are as similar as the entities that they
stand for, by the metric's own recall, precision and F₁. Plurals are aligned one to one
so that the sum of F₁ is the highest. An aligned plural counts as a mention that is
found to the extent of its recall, its precision or its F₁, whichever the metric needs.
Each metric aligns plurals by its own F₁, and BLANC does so for each of its two kinds.

`count_plurals` counts plurals only: how well were they resolved?
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.matching.assignment import assign
from scoref.metrics.base import ratio_score
from scoref.model.arrays import runs

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
        [part.count(_add_weights(metric, part, table)) for part in metric.parts]
    )


def add_plurals(metric: Metric, table: Contingency) -> Contingency:
    """Add the weights of plurals to a table, for a metric of one part."""
    if table.plurals is None:
        return table
    (part,) = metric.parts
    return _add_weights(metric, part, table)


def _add_weights(metric: Metric, part: Part, table: Contingency) -> Contingency:
    plurals = table.plurals
    assert plurals is not None
    weights = _AlignedPairs.by(part, plurals).weights(plurals)
    if metric.name not in _BY_EQUALITY:
        return weights.into(table)
    equal = _equal_plurals(plurals)
    is_free = equal.not_in(weights)
    if metric.name == "lea":
        is_lone, is_lone_there = weights.without_other_mentions(table)
        weights = weights.where(~is_lone, ~is_lone_there, ~is_lone)
        is_lone, is_lone_there = equal.without_other_mentions(table)
        key, response, overlap = is_free
        is_free = key | is_lone, response | is_lone_there, overlap | is_lone
    return weights.append(equal.where(*is_free)).into(table)


def count_plurals(metric: Metric, table: Contingency) -> Floats:
    """Count plurals only, by document: how many of their elements are found.

    BLANC decides by the whole document whether a kind of links is absent, so the counts
    of the document follow.
    """
    plurals = table.plurals
    if plurals is None:
        return np.zeros((table.document_count, len(metric.columns)))
    counts = [_sums(part, table.document_count, plurals) for part in metric.parts]
    if len(counts) > 1:
        counts.append(metric.count(table))
    return np.hstack(counts)


def _sums(part: Part, documents: int, plurals: PluralTable) -> Floats:
    """Sum the counts of aligned plurals, with the denominators of all plurals."""
    counts = part.count_elements(plurals.elements)
    pairs, keys = len(plurals.pair_key), len(plurals.key_entity)
    row = _AlignedPairs.by(part, plurals).row
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
    """The weights that plurals add to cells of the table, which may be new cells."""

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

    def append(self, other: _Weights) -> _Weights:
        columns = zip(self, other, strict=True)
        return _Weights(*(np.concatenate(both) for both in columns))

    def into(self, table: Contingency) -> Contingency:
        """Return the table with these weights next to its counts."""
        width = np.int64(max(1, len(table.response_size)))
        old = table.cell_key * width + table.cell_response
        own = self.cell_key * width + self.cell_response
        cells, place = np.unique(np.concatenate((old, own)), return_inverse=True)
        place, own_place = np.split(place, [len(old)])

        def spread(column: Ints) -> Ints:
            counts = np.zeros(len(cells), dtype=column.dtype)
            counts[place] = column
            return counts

        def weigh(column: Floats) -> Floats:
            return np.bincount(own_place, column, len(cells)).astype(np.float64)

        return table._replace(
            cell_key=cells // width,
            cell_response=cells % width,
            key_count=spread(table.key_count),
            response_count=spread(table.response_count),
            key_mates=spread(table.key_mates),
            response_mates=spread(table.response_mates),
            overlap=spread(table.overlap),
            key_plural=weigh(self.key),
            response_plural=weigh(self.response),
            overlap_plural=weigh(self.overlap),
        )


class _AlignedPairs(NamedTuple):
    """The pairs of plurals that are aligned, and their recall, precision and F₁."""

    row: Ints
    score: Floats

    @classmethod
    def by(cls, part: Part, plurals: PluralTable) -> _AlignedPairs:
        """Align plurals by the F₁ of the entities that they stand for."""
        counts = part.count_elements(plurals.elements)[: len(plurals.pair_key)]
        score = ratio_score(counts[:, list(part.ratios)])
        row = _assign_pairs(plurals, score)
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


def _equal_plurals(plurals: PluralTable) -> _Weights:
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


def _assign_pairs(plurals: PluralTable, score: Floats) -> Ints:
    """Choose pairs document by document, so that the sum of their F₁ is the highest.

    If mentions repeat, a pair may have recall and no precision. It adds nothing to the
    sum, but counts if the official solver chooses it.
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
    chosen = [np.empty(0, dtype=np.int64)]
    for first, length in zip(*runs(document), strict=True):
        here, among = int(document[first]), order[first : first + length]
        size = int(sizes[0][here]), int(sizes[1][here])
        chosen.append(among[assign(*size, row[among], column[among], f1[among])])
    return np.concatenate(chosen)


def _places(document: Ints) -> Ints:
    """Return the place of each plural among those of its document."""
    order = np.argsort(document, kind="stable")
    first = np.searchsorted(document[order], document[order])
    place = np.empty_like(order)
    place[order] = np.arange(len(order)) - first
    return place

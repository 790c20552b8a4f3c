"""Comparison of plurals of both sides, as a table of the entities they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency import Contingency, PluralTable
from scoref.contingency.alignment import cell_codes

if TYPE_CHECKING:
    from scoref.matching.plurals import Plurals
    from scoref.matching.ragged import Ragged
    from scoref.matching.word_rules import Targets
    from scoref.matching.words import WordMatches, WordSide
    from scoref.model import Ints


class _Elements(NamedTuple):
    """The mentions of elements, one row for each listing."""

    mention: Ints
    entity: Ints


class _Cells(NamedTuple):
    """Pairs of plurals with an element of each, and the mentions these share."""

    plural: Ints
    other_plural: Ints
    element: Ints
    other_element: Ints
    key_count: Ints
    response_count: Ints

    @property
    def overlap(self) -> Ints:
        return self.key_count


def tabulate_plurals(words: WordMatches, lead: Targets) -> PluralTable | None:
    """Compare the entities that plurals stand for; None if there are no plurals."""
    sides = words.key, words.response
    ours, theirs = (side.plurals for side in sides)
    if not len(ours.entity) and not len(theirs.entity):
        return None
    cells = _cells_of_plurals(ours, theirs, lead)
    width = np.int64(max(1, len(theirs.entity)))
    code, pair = np.unique(
        cells.plural * width + cells.other_plural, return_inverse=True
    )
    pair_key, pair_response = code // width, code % width
    return PluralTable(
        key_entity=ours.entity,
        key_document=_documents(sides[0]),
        key_identity=ours.identity,
        response_entity=theirs.entity,
        response_document=_documents(sides[1]),
        response_identity=theirs.identity,
        pair_key=pair_key,
        pair_response=pair_response,
        elements=_elements_table(
            (ours, theirs), (pair_key, pair_response), pair, cells
        ),
    )


def _documents(side: WordSide) -> Ints:
    return side.side.entity_document[side.plurals.entity]


def _cells_of_plurals(ours: Plurals, theirs: Plurals, lead: Targets) -> _Cells:
    """Count the mentions that elements share, for each pair of plurals with them."""
    key, response = (
        _Elements(side.mentions.value, side.mentions.owner()) for side in (ours, theirs)
    )
    height, width = (
        np.int64(max(1, len(side.mentions.length))) for side in (ours, theirs)
    )
    there = cell_codes(key, lead.key[key.mention], response, width)
    back = cell_codes(response, lead.response[response.mention], key, height)
    codes = there, back % height * width + back // height
    cells, cell = np.unique(np.concatenate(codes), return_inverse=True)
    key_count, response_count = (
        np.bincount(part, minlength=len(cells)) for part in np.split(cell, [len(there)])
    )
    element, other = cells // width, cells % width
    plural = _plurals_of_elements(ours).take(element)
    row = plural.owner()
    other_plural = _plurals_of_elements(theirs).take(other[row])
    row = row[other_plural.owner()]
    return _Cells(
        plural.value[other_plural.owner()],
        other_plural.value,
        element[row],
        other[row],
        key_count[row],
        response_count[row],
    )


def _plurals_of_elements(plurals: Plurals) -> Ragged:
    """List the plurals that each element belongs to."""
    elements, count = plurals.elements, len(plurals.mentions.length)
    order = np.argsort(elements.value, kind="stable")
    start = np.searchsorted(elements.value[order], np.arange(count + 1))
    return type(elements)(start, elements.owner()[order])


def _elements_table(
    plurals: tuple[Plurals, Plurals],
    pairs: tuple[Ints, Ints],
    pair: Ints,
    cells: _Cells,
) -> Contingency:
    """Return a table with a document for each pair, and for each plural alone."""
    counts = len(plurals[0].entity), len(plurals[1].entity)
    first_alone = len(pairs[0])
    alone = np.arange(counts[0]), np.arange(counts[1])
    documents = (
        np.concatenate((np.arange(first_alone), first_alone + alone[0])),
        np.concatenate((np.arange(first_alone), first_alone + counts[0] + alone[1])),
    )
    rows, sizes, of = [], [], []
    for side in (0, 1):
        taken = plurals[side].elements.take(np.concatenate((pairs[side], alone[side])))
        sizes.append(plurals[side].mentions.length[taken.value])
        rows.append(documents[side][taken.owner()])
        # Elements are sorted and pairs come first, so `searchsorted` finds both.
        count = max(1, len(plurals[side].mentions.length))
        here = (cells.element, cells.other_element)[side]
        of.append(
            np.searchsorted(taken.owner() * count + taken.value, pair * count + here)
        )
    nothing = np.zeros(first_alone + sum(counts), dtype=np.int64)
    return Contingency(
        document_count=len(nothing),
        key_document=rows[0],
        key_size=sizes[0],
        key_mentions=nothing,
        response_document=rows[1],
        response_size=sizes[1],
        response_mentions=nothing,
        common_mentions=nothing,
        cell_key=of[0],
        cell_response=of[1],
        key_count=cells.key_count,
        response_count=cells.response_count,
        key_mates=cells.key_count,
        response_mates=cells.response_count,
        overlap=cells.overlap,
    )

"""Comparison of plurals of both sides, as a table of the entities they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency import Contingency, PluralTable
from scoref.contingency.alignment import listed

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

    @classmethod
    def of(cls, plurals: Plurals) -> _Elements:
        return cls(plurals.mentions.value, plurals.mentions.owner())


class _Cells(NamedTuple):
    """Pairs of plurals, and of an element of each; and what these share."""

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
    """Compare what plurals of the two sides stand for; None if there is no plural."""
    sides = words.key, words.response
    ours, theirs = (side.plurals for side in sides)
    if not len(ours.entity) and not len(theirs.entity):
        return None
    cells = _of_plurals(_shared_elements(ours, theirs, lead), ours, theirs)
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


def _shared_elements(
    ours: Plurals, theirs: Plurals, lead: Targets
) -> tuple[Ints, Ints, Ints, Ints]:
    """Count the mentions that elements share, each side by its own way to the other."""
    key, response = _Elements.of(ours), _Elements.of(theirs)
    height, width = (
        np.int64(max(1, len(side.mentions.length))) for side in (ours, theirs)
    )
    there = listed(key, lead.key[key.mention], response, width)
    back = listed(response, lead.response[response.mention], key, height)
    codes = there, back % height * width + back // height
    cells, cell = np.unique(np.concatenate(codes), return_inverse=True)
    counts = [
        np.bincount(part, minlength=len(cells))
        for part in np.split(cell, [len(codes[0])])
    ]
    return cells // width, cells % width, counts[0], counts[1]


def _of_plurals(
    shared: tuple[Ints, Ints, Ints, Ints], ours: Plurals, theirs: Plurals
) -> _Cells:
    """Say in which pairs of plurals each pair of elements comes."""
    element, other, key_count, response_count = shared
    row, plural = _expanded(_owners(ours.elements, len(ours.mentions.length)), element)
    again, other_plural = _expanded(
        _owners(theirs.elements, len(theirs.mentions.length)), other[row]
    )
    row, plural = row[again], plural[again]
    return _Cells(
        plural,
        other_plural,
        element[row],
        other[row],
        key_count[row],
        response_count[row],
    )


def _owners(elements: Ragged, count: int) -> Ragged:
    """List the plurals of each element."""
    order = np.argsort(elements.value, kind="stable")
    start = np.searchsorted(elements.value[order], np.arange(count + 1))
    return type(elements)(start, elements.owner()[order])


def _expanded(rows: Ragged, chosen: Ints) -> tuple[Ints, Ints]:
    """Write out some rows: the place among those chosen, and each value."""
    taken = rows.take(chosen)
    return taken.owner(), taken.value


def _elements_table(
    plurals: tuple[Plurals, Plurals],
    pairs: tuple[Ints, Ints],
    pair: Ints,
    cells: _Cells,
) -> Contingency:
    """Make a document of each pair, and of each plural alone."""
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
        # Elements are sorted, and pairs come first, so that both are found by search.
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

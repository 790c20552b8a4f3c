"""The list of errors in the order of the text, and the cells that they come from.

A cell is what an entity of the key and an entity of the response have in common. The
largest cell of an entity is its main cell. A cell that is the main cell of both its
entities is right. Otherwise

- if it is the key entity's main cell, the entity was *conflated* with the entity whose
  mentions are the main cell of the response entity;
- if it is the response entity's main cell, it is a separate part of the key entity,
  which is *divided*;
- if it is not a main cell, its mentions were *linked* to the wrong entity.

Among equally large cells, those that are the largest of both their entities come first,
as long as both are free; after that, the order of the text decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.matching.ragged import Ragged
from scoref.model import WordSets
from scoref.model.arrays import bounds, inverse
from scoref.tools.errors.findings import Errors
from scoref.tools.errors.kinds import (
    CONFLATED,
    DIVIDED,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    MISSING_ENTITY,
    MISSING_MENTION,
    SPAN,
    WRONG_LINK,
)
from scoref.tools.errors.spans import one_to_one

if TYPE_CHECKING:
    from scoref.model import Ints
    from scoref.tools.errors.findings import AnalysedSide
    from scoref.tools.errors.mentions import Mentions
    from scoref.tools.errors.spans import SpanPairs


RIGHT = -1


class ErrorCells(NamedTuple):
    """Cells in the order of the text, each with its kind of error or `RIGHT`.

    ``of_mention`` is the cell of each mention of the key; ``main_of_key`` and
    ``main_of_response`` are the main cells of the entities, by row; -1 if none.
    """

    key: Ints
    response: Ints
    size: Ints
    kind: Ints
    of_mention: Ints
    main_of_key: Ints
    main_of_response: Ints

    @property
    def home(self) -> Ints:
        """The response entity that has most of each key entity, or -1."""
        home: Ints = np.append(self.response, -1)[self.main_of_key]
        return home

    @property
    def model(self) -> Ints:
        """The key entity that has most of each response entity, or -1."""
        model: Ints = np.append(self.key, -1)[self.main_of_response]
        return model


def find_cells(
    key_entity: Ints, response_entity: Ints, entities: tuple[int, int]
) -> ErrorCells:
    """Sort mentions into cells, and determine the kind of error of each cell.

    Args:
        key_entity: the entity of each mention of the key, in the order of the text.
        response_entity: the entity of its counterpart; -1 if it has none.
        entities: how many there are on each side.
    """
    matched = np.flatnonzero(response_entity >= 0)
    width = np.int64(max(1, entities[1]))
    code = key_entity[matched] * width + response_entity[matched]
    codes, first, cell, size = np.unique(
        code, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    of_mention = np.full(len(key_entity), -1, dtype=np.int64)
    of_mention[matched] = inverse(order)[cell]
    codes, size = codes[order], size[order]
    key, response = codes // width, codes % width
    main_of_key, main_of_response = _main_cells(key, response, size, entities)
    place = np.arange(len(size))
    is_main = main_of_key[key] == place, main_of_response[response] == place
    kind = np.select(
        [is_main[0] & is_main[1], is_main[0], is_main[1]],
        [RIGHT, CONFLATED, DIVIDED],
        WRONG_LINK,
    )
    return ErrorCells(
        key, response, size, kind, of_mention, main_of_key, main_of_response
    )


def _main_cells(
    key: Ints, response: Ints, size: Ints, entities: tuple[int, int]
) -> tuple[Ints, Ints]:
    """Choose the main cell of each entity."""
    is_largest = []
    for entity, count in zip((key, response), entities, strict=True):
        largest = np.zeros(count, dtype=np.int64)
        np.maximum.at(largest, entity, size)
        is_largest.append(size == largest[entity])
    mains = [np.full(count, -1, dtype=np.int64) for count in entities]
    both = np.flatnonzero(is_largest[0] & is_largest[1])
    both = both[one_to_one(key[both], response[both])]
    mains[0][key[both]] = mains[1][response[both]] = both
    for side, entity in enumerate((key, response)):
        left = np.flatnonzero(is_largest[side] & (mains[side][entity] < 0))
        owners, first = np.unique(entity[left], return_index=True)
        mains[side][owners] = left[first]
    return mains[0], mains[1]


_NO_MENTIONS = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)


class _Part(NamedTuple):
    """Errors of some kinds, numbered from 0.

    ``key`` and ``response`` are pairs of columns: an error and one of its mentions.
    """

    kind: Ints
    key_entity: Ints
    response_entity: Ints
    key: tuple[Ints, Ints]
    response: tuple[Ints, Ints]


def list_errors(
    mentions: tuple[Mentions, Mentions],
    sides: tuple[AnalysedSide, AnalysedSide],
    pairs: SpanPairs,
    cells: ErrorCells,
) -> Errors:
    """List every error once."""
    key, response = mentions
    counterpart = [side.counterpart for side in sides]
    extra = _unmatched(counterpart[1], response, cells.model)
    missing = _unmatched(counterpart[0], key, cells.home)
    parts = [
        _span_errors(key, response, pairs),
        _cell_errors(cells, counterpart[0]),
        _Part(
            np.where(extra.other < 0, EXTRA_ENTITY, EXTRA_MENTION),
            extra.other,
            extra.entity,
            _NO_MENTIONS,
            (extra.error, extra.mention),
        ),
        _Part(
            np.where(missing.other < 0, MISSING_ENTITY, MISSING_MENTION),
            missing.entity,
            missing.other,
            (missing.error, missing.mention),
            _NO_MENTIONS,
        ),
    ]
    return _join(parts, key, response, pairs)


class _Unmatched(NamedTuple):
    """Mentions without a counterpart: one error per mention, or per whole entity."""

    entity: Ints  # by error
    other: Ints  # by error: the entity that it is on the other side, or -1
    error: Ints  # by mention
    mention: Ints


def _unmatched(counterpart: Ints, side: Mentions, other: Ints) -> _Unmatched:
    mention = np.flatnonzero(counterpart < 0)
    entity = side.entity[mention]
    # All mentions of an entity that the other side lacks share a negative code.
    code = np.where(other[entity] < 0, -1 - entity, mention)
    _, first, error = np.unique(code, return_index=True, return_inverse=True)
    owner = entity[first]
    return _Unmatched(owner, other[owner], error, mention)


def _span_errors(key: Mentions, response: Mentions, pairs: SpanPairs) -> _Part:
    number = np.arange(len(pairs.key))
    return _Part(
        np.full(len(number), SPAN, dtype=np.int64),
        key.entity[pairs.key],
        response.entity[pairs.response],
        (number, pairs.key),
        (number, pairs.response),
    )


def _cell_errors(cells: ErrorCells, counterpart: Ints) -> _Part:
    wrong = np.flatnonzero(cells.kind >= 0)
    number = np.full(len(cells.kind) + 1, -1, dtype=np.int64)
    number[wrong] = np.arange(len(wrong))
    error = number[cells.of_mention]
    mention = np.flatnonzero(error >= 0)
    return _Part(
        cells.kind[wrong],
        cells.key[wrong],
        cells.response[wrong],
        (error[mention], mention),
        (error[mention], counterpart[mention]),
    )


def _join(
    parts: list[_Part], key: Mentions, response: Mentions, pairs: SpanPairs
) -> Errors:
    """Concatenate the parts, and sort their errors by the text."""
    before = np.cumsum([0, *(len(part.kind) for part in parts)])
    kind = np.concatenate([part.kind for part in parts])
    count = len(kind)
    members = []
    for side in ("key", "response"):
        errors, mentions = zip(*(getattr(part, side) for part in parts), strict=True)
        owner = np.concatenate(
            [error + start for error, start in zip(errors, before, strict=False)]
        )
        member = np.concatenate(mentions)
        length = np.bincount(owner, minlength=count)
        members.append(Ragged(bounds(length), member[np.lexsort((member, owner))]))
    document, first = _places(members, key, response)
    order = np.lexsort((kind, first, document))
    spans = [
        np.concatenate((column, np.zeros(count - len(column), dtype=np.int64)))[order]
        for column in (pairs.left, pairs.right, pairs.inside)
    ]
    sets = [WordSets(*ragged.take(order)) for ragged in members]
    return Errors(
        kind[order],
        document[order],
        np.concatenate([part.key_entity for part in parts])[order],
        np.concatenate([part.response_entity for part in parts])[order],
        sets[0],
        sets[1],
        *spans,
    )


def _places(
    members: list[Ragged], key: Mentions, response: Mentions
) -> tuple[Ints, Ints]:
    """Find the document and the first word of each error, in the key if possible."""
    count = len(members[0].start) - 1
    document, first = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for rows, side in zip(reversed(members), (response, key), strict=True):
        errors = np.flatnonzero(rows.length)
        mention = rows.value[rows.start[errors]]
        document[errors] = side.document[mention]
        first[errors] = side.first[mention]
    return document, first

"""Cells: what an entity of the key and one of the response share, and what that is.

The largest cell of an entity is its main one. A cell that is the main one of both its
entities is right. Otherwise

- the key entity's main one: the entity was *conflated* with what is the main cell of
  the response entity;
- the response entity's main one: it is a part of the key entity that was left apart,
  which is *divided*;
- nobody's: these mentions were *linked* to the wrong entity.

Where cells are equally large, those that are the largest of both their entities come
first, as long as both are free; then whoever comes first in the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.tools.errors.kinds import CONFLATED, DIVIDED, WRONG_LINK
from scoref.tools.errors.pairing import one_to_one

if TYPE_CHECKING:
    from scoref.model import Ints

RIGHT = -1


class ErrorCells(NamedTuple):
    """Cells in the order of the text, each with its kind of error, or `RIGHT`.

    ``of_mention`` is the cell of each mention of the key, ``main_of_key`` and
    ``main_of_response`` that of each entity, by row; -1 where there is none.
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
        """Give the response entity that most of each key entity is in, or -1."""
        found: Ints = np.append(self.response, -1)[self.main_of_key]
        return found

    @property
    def model(self) -> Ints:
        """Give the key entity that each response entity mostly is, or -1."""
        found: Ints = np.append(self.key, -1)[self.main_of_response]
        return found


def find_cells(
    key_entity: Ints, response_entity: Ints, entities: tuple[int, int]
) -> ErrorCells:
    """Sort mentions into cells, and say what is wrong with each.

    Args:
        key_entity: the entity of each mention of the key, in the order of the text.
        response_entity: the entity of its counterpart; -1 where there is none.
        entities: how many there are on each side.
    """
    matched = np.flatnonzero(response_entity >= 0)
    width = np.int64(max(1, entities[1]))
    code = key_entity[matched] * width + response_entity[matched]
    codes, first, cell, size = np.unique(
        code, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    of_mention = np.full(len(key_entity), -1, dtype=np.int64)
    of_mention[matched] = rank[cell]
    codes, size = codes[order], size[order]
    key, response = codes // width, codes % width
    main_of_key, main_of_response = _mains(key, response, size, entities)
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


def _mains(
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

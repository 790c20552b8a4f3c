"""What was counted of a table, written down: to be scored again without the data.

What was damaged or made up is refused: counts that no two clusterings can have would
give figures that nothing can have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency import FATES, Clusterwise
from scoref.contingency.histogram import Kinds, histogram
from scoref.contingency.partition import clusterwise, commons

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.contingency import Contingency, Floats
    from scoref.model import Ints

_CELL = ("shared", "key size", "response size", "common of key", "common of response")
_ENTITY = ("size", "common")
_TOO_MANY = 1 << 62  # so that integers of 64 bits hold every count


def dumped(table: Contingency) -> dict[str, object]:
    """Give a histogram of one document as JSON knows it."""
    key, response = commons(table)
    cell_key, cell_response = table.cell_key, table.cell_response
    cells = (
        table.overlap,
        table.key_size[cell_key],
        table.response_size[cell_response],
        key[cell_key],
        response[cell_response],
        table.cell_times,
    )
    found = clusterwise(table)
    return {
        "cells": np.column_stack(cells).tolist(),
        "key": np.column_stack((table.key_size, key, table.key_times)).tolist(),
        "response": np.column_stack(
            (table.response_size, response, table.response_times)
        ).tolist(),
        "nearest": found.nearest[0].tolist(),
        "largest": found.largest[0].tolist(),
        "fates": found.fates[0].tolist(),
    }


def loaded(saved: Mapping[str, object]) -> Contingency:
    """Make a histogram of what was saved; ValueError says what cannot be true of it."""
    cells = _rows(saved, "cells", len(_CELL))
    key, response = (_rows(saved, side, len(_ENTITY)) for side in ("key", "response"))
    for name, rows, of_cells in (
        ("key", key, cells[:, [1, 3]]),
        ("response", response, cells[:, [2, 4]]),
    ):
        _check(name, rows, of_cells, cells)
    nothing = np.zeros((0, 3))
    nobody = nothing.astype(np.int64)
    counted = [_of_first_document(rows) for rows in (cells, key, response)]
    kinds = Kinds(*counted, nothing, nothing, nobody, nobody, nobody)  # type: ignore[arg-type,call-arg]
    table = histogram(kinds, 1)
    return table._replace(clusterwise=_clusterwise(saved, table))


def _rows(saved: Mapping[str, object], name: str, width: int) -> Ints:
    """Read rows of counts; the last column says how often."""
    rows = saved.get(name)
    if not isinstance(rows, list) or not all(_is_row(row, width) for row in rows):
        raise ValueError(f"'{name}' must be rows of {width + 1} counts")
    found = np.array(rows, dtype=np.int64).reshape(-1, width + 1)
    if (found < 0).any() or (found[:, [0, -1]] < 1).any():
        raise ValueError(f"'{name}' has a count that is too low")
    return found


def _is_row(row: object, width: int) -> bool:
    return (
        isinstance(row, list)
        and len(row) == width + 1
        and all(type(each) is int and abs(each) < _TOO_MANY for each in row)
    )


def _check(name: str, entities: Ints, of_cells: Ints, cells: Ints) -> None:
    """See that entities have the mentions that their cells say they have."""
    if (entities[:, 1] > entities[:, 0]).any():
        raise ValueError(f"'{name}' has more common mentions than mentions")
    if (cells[:, 0] > of_cells[:, 1]).any():
        raise ValueError(f"'cells' share more than is common in the {name}")
    common: dict[tuple[int, int], int] = {}
    for size, shared, times in entities.tolist():
        common[size, shared] = common.get((size, shared), 0) + shared * times
    for kind, n, times in zip(
        of_cells.tolist(), cells[:, 0].tolist(), cells[:, -1].tolist(), strict=True
    ):
        place = (kind[0], kind[1])
        common[place] = common.get(place, 0) - n * times
    if any(common.values()):
        raise ValueError(f"'cells' and '{name}' do not have the same common mentions")


def _of_first_document(rows: Ints) -> Ints:
    return np.column_stack((np.zeros(len(rows), dtype=np.int64), rows))


def _clusterwise(saved: Mapping[str, object], table: Contingency) -> Clusterwise:
    found = Clusterwise(
        nearest=_numbers(saved, "nearest", 2, (int, float)),
        largest=_numbers(saved, "largest", 2, (int,)).astype(np.int64),
        fates=_numbers(saved, "fates", len(FATES), (int,)).astype(np.int64),
    )
    key, response = commons(table)
    entities = (
        table.sum_key((key > 0).astype(np.int64))[0],
        table.sum_response((response > 0).astype(np.int64))[0],
    )
    mentions = table.common_mentions[0]
    if (
        (found.nearest[0] > np.array(entities) + _ROUNDING).any()
        or (found.largest[0] > mentions).any()
        or found.fates.sum() != entities[0]
    ):
        raise ValueError("'nearest', 'largest' or 'fates' is more than there are")
    return found


_ROUNDING = 1e-6


def _numbers(
    saved: Mapping[str, object], name: str, count: int, kinds: tuple[type, ...]
) -> Floats:
    values = saved.get(name)
    if (
        not isinstance(values, list)
        or len(values) != count
        or not all(type(each) in kinds and 0 <= each < _TOO_MANY for each in values)
    ):
        raise ValueError(f"'{name}' must be {count} numbers")
    return np.array([values], dtype=np.float64)

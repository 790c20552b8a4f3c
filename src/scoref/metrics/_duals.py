"""The proof that a matching is the best: prices that no edge exceeds.

A price for each row and column, none below its floor, such that no edge weighs more
than its two ends cost, matched edges weigh just that, and what is free costs nothing:
then no matching weighs more (see `_assignment`). A floor above 0 stands for what an end
could have elsewhere, by edges that are not in the graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Ints

_MOST_ROUNDS = 200
_NOBODY = -1


class Graph(NamedTuple):
    """Edges with weights, and which of them are matched."""

    row: Ints
    column: Ints
    weight: Ints
    matched: Ints


class Prices(NamedTuple):
    """Prices of rows and columns, and which of both keep to the rules."""

    row: Ints
    column: Ints
    is_row_sound: NDArray[np.bool_]
    is_column_sound: NDArray[np.bool_]


def prices(graph: Graph, row_floor: Ints, column_floor: Ints) -> Prices:
    """Find the lowest prices of rows, and with them the highest of columns.

    If these do not keep to the rules, no others do.
    """
    row_mate = np.full(len(row_floor), _NOBODY, dtype=np.int64)
    column_mate = np.full(len(column_floor), _NOBODY, dtype=np.int64)
    row_mate[graph.row[graph.matched]] = graph.matched
    column_mate[graph.column[graph.matched]] = graph.matched
    of_row = np.maximum(row_floor, 0)
    is_moving = np.zeros(len(row_floor), dtype=np.bool_)
    for _ in range(_MOST_ROUNDS):
        of_column = _of_columns(graph, column_mate, of_row)
        raised = of_row.copy()
        needed = graph.weight - of_column[graph.column]
        np.maximum.at(raised, graph.row, needed)
        is_moving = raised > of_row
        of_row = raised
        if not is_moving.any():
            break
    of_column = _of_columns(graph, column_mate, of_row)
    is_free = row_mate < 0
    return Prices(
        of_row,
        of_column,
        ~is_moving & ~(is_free & (of_row > 0)),
        of_column >= np.maximum(column_floor, 0),
    )


def _of_columns(graph: Graph, mate: Ints, of_row: Ints) -> Ints:
    """Give columns what is left of their matched edges; nothing, if they are free."""
    there = np.append(graph.weight, 0)[mate]
    other = np.append(of_row, 0)[np.append(graph.row, -1)[mate]]
    found: Ints = np.where(mate < 0, 0, there - other)
    return found

"""Tables in which the mentions of one error are moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.tools.errors.repair_tables import (
    NEW,
    NO_ENTITY,
    Moves,
    WholeDocuments,
    copies_of,
)
from support.error_analyses import single, spans

if TYPE_CHECKING:
    from scoref.contingency import Contingency


def moves_and_table(key: list[str], response: list[str]) -> tuple[Moves, Contingency]:
    gains = spans(single(*key), single(*response)).error_gains
    return gains.moves, gains.table


def sizes_after(key: list[str], response: list[str]) -> list[list[int]]:
    """Return the sizes of the response entities in the copy of each move."""
    moves, table = moves_and_table(key, response)
    copies = copies_of(table, moves, WholeDocuments(table).members(moves)).table
    return [
        sorted(copies.response_size[copies.response_document == move].tolist())
        for move in range(len(moves.key))
    ]


def test_a_missing_mention_goes_to_the_home_of_its_entity() -> None:
    moves, _ = moves_and_table(["abc"], ["ab"])
    assert (moves.source.tolist(), moves.target.tolist()) == ([NO_ENTITY], [0])
    assert (moves.arriving.tolist(), moves.leaving.tolist()) == ([1], [0])


def test_a_conflated_entity_gets_an_entity_of_its_own() -> None:
    moves, _ = moves_and_table(["abc", "de"], ["abcde"])
    assert (moves.source.tolist(), moves.target.tolist()) == ([0], [NEW])
    assert (moves.arriving.tolist(), moves.leaving.tolist()) == ([2], [2])


def test_equal_moves_are_counted_once() -> None:
    moves, _ = moves_and_table(["abcd"], ["ab"])
    assert len(moves.key) == 1
    distinct, which = Moves(*np.ones((7, 3), dtype=np.int64)).distinct()
    assert (len(distinct.key), which.tolist()) == (1, [0, 0, 0])


def test_a_copy_has_the_response_after_the_move() -> None:
    assert sizes_after(["abc", "de"], ["abcde"]) == [[2, 3]]
    assert sizes_after(["abcde"], ["abc", "de"]) == [[5]]
    assert sizes_after(["ab"], ["ab", "yz"]) == [[2]]
    assert sizes_after(["ab", "yz"], ["ab"]) == [[2, 2]]


def test_a_copy_has_the_cells_after_the_move() -> None:
    moves, table = moves_and_table(["abc", "de"], ["ab", "cde"])
    rows = WholeDocuments(table)
    assert rows.rows(moves).tolist() == [2 + 2 + 3]
    copies = copies_of(table, moves, rows.members(moves)).table
    assert sorted(copies.overlap.tolist()) == [2, 3]
    unchanged = copies_of(table, moves.none(), rows.members(moves)).table
    assert sorted(unchanged.overlap.tolist()) == [1, 2, 2]

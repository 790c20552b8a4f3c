"""The table of two sides: one row for each pair of entities that share a mention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.contingency.tabulation import tabulate
from scoref.formats.entities import EntityPairs
from scoref.matching.spans import match_mentions
from scoref.scheme import Scheme

if TYPE_CHECKING:
    from scoref.contingency import Contingency

    Entities = list[list[str]]


def table_of(key: Entities, response: Entities, scheme: Scheme) -> Contingency:
    matched = match_mentions(*EntityPairs.of(key, response).build(), scheme)
    return tabulate(matched, scheme)


def test_cells_are_pairs_of_entities_that_share_a_mention() -> None:
    key, response = [["a", "b", "c"], ["d"]], [["a", "b"], ["c", "x"]]
    table = table_of(key, response, Scheme())
    cells = zip(table.cell_key, table.cell_response, table.overlap, strict=True)
    assert [tuple(map(int, cell)) for cell in cells] == [(0, 0, 2), (0, 1, 1)]
    assert table.key_size.tolist() == [3, 1]
    assert table.common_and_all == (3, 5)


def test_the_last_entity_owns_a_mention_that_two_list_under_coval() -> None:
    scheme = Scheme(duplicates="coval")
    table = table_of([["a", "b"], ["a"]], [["a", "b"]], scheme)
    assert table.overlap.tolist() == [2, 1]
    assert table.response_count.tolist() == [1, 1]
    assert table.key_mentions.tolist() == [2]

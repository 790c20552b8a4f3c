"""The table of two sides: one row for each pair of entities that share a mention.

Cells of listings and the entities of their counterparts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from scoref.contingency import tabulation
from scoref.contingency.tabulation import cell_codes, tabulate
from scoref.errors import TooLargeError
from scoref.formats.entities import EntityPairs
from scoref.matching.spans import match_mentions
from scoref.scheme import Scheme

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.model import Ints

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


@pytest.mark.parametrize(
    ("key", "response", "links"),
    [
        ([["a", "b"], ["a"]], [["a", "b"]], [[0, 0, 1, 0, 1, 0]]),
        ([["a", "b"]], [["a", "b"], ["a"]], [[0, 1, 0, 0, 0, 1]]),
        ([["a", "b"]], [["a", "b"]], None),
    ],
)
def test_links_are_those_of_owners_if_either_side_repeats_a_mention(
    key: Entities, response: Entities, links: list[list[int]] | None
) -> None:
    found = table_of(key, response, Scheme(duplicates="coval")).repeated_links
    assert (None if found is None else found.tolist()) == links


WIDTH = np.int64(2)


class Listings(NamedTuple):
    """Mentions, and the entities that list them."""

    mention: Ints
    entity: Ints


KEY = Listings(np.array([0, 1, 2]), np.array([0, 0, 1]))

RESPONSE = Listings(np.array([0, 1, 1, 1]), np.array([0, 0, 1, 1]))


def test_a_counterpart_in_two_entities_is_in_two_cells() -> None:
    target = np.array([0, 1, -1])
    assert cell_codes(KEY, target, RESPONSE, WIDTH).tolist() == [0, 0, 1]


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabulation, "_MOST_PAIRS", 2)
    monkeypatch.setattr(tabulation, "_USUAL", 0)
    with pytest.raises(TooLargeError, match="3 pairs of entities"):
        cell_codes(KEY, np.array([0, 1, -1]), RESPONSE, WIDTH)


def test_a_swapped_table_has_the_pairs_of_the_other_side() -> None:
    table = table_of([["a", "b"]], [["a", "b"]], Scheme())
    assert table.swapped.links is None
    paired = table._replace(links=np.array([[1, 5, 7], [2, 8, 9]]))
    assert paired.swapped.links is not None
    assert paired.swapped.links.tolist() == [[1, 7, 5], [2, 9, 8]]

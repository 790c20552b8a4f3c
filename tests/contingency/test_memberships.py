"""Extended B³, and the mentions from which it is counted."""

from __future__ import annotations

import numpy as np

from scoref.contingency.memberships import Memberships, count_extended


def memberships(
    key: list[tuple[int, int]], response: list[tuple[int, int]]
) -> Memberships:
    """Take pairs of a mention and an entity, of one document."""
    (mention, entity), (other, other_entity) = np.array(key).T, np.array(response).T
    document = np.zeros(int(max(mention.max(), other.max())) + 1, dtype=np.int64)
    return Memberships(mention, entity, other, other_entity, document, 1)


def test_equal_sides_are_right_if_mentions_are_in_two_entities() -> None:
    side = [(0, 0), (1, 0), (0, 1), (2, 1)]
    assert count_extended(memberships(side, side)).tolist() == [[3, 3, 3, 3]]


def test_a_pair_that_shares_two_entities_in_the_key_and_one_in_the_response() -> None:
    key, response = [(0, 0), (1, 0), (0, 1), (1, 1)], [(0, 0), (1, 0)]
    # Recall: each of the two mentions is right in 1 of 2 shared entities.
    assert count_extended(memberships(key, response)).tolist() == [[1, 2, 2, 2]]


def test_a_mention_in_two_entities_and_one_in_one_of_them_share_that_one() -> None:
    several, single = [(0, 0), (0, 1), (1, 0)], [(0, 0), (1, 0)]
    # One of the two entities in which the first is with itself is right: 1/2.
    assert count_extended(memberships(several, single)).tolist() == [[1.75, 2, 2, 2]]
    assert count_extended(memberships(single, several)).tolist() == [[2, 2, 1.75, 2]]

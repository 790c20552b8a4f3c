"""Pairs of mentions, worked out by hand."""

from __future__ import annotations

import pytest

import scoref


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("pairwise", [1, 3, 1, 2]),
        ("pairwise-membership", [6, 10, 6, 8]),
        ("pairwise-s2and", [1, 4, 1, 2]),
    ],
)
def test_pairs_of_one_cluster(name: str, counts: list[int]) -> None:
    key, response = [["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]]
    assert scoref.score(key, response, metrics=name).counts[name].tolist() == [counts]

"""Variants of B³, worked out by hand: b and x are on one side only."""

from __future__ import annotations

import pytest

import scoref


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("bcub-entity", [0.25, 1, 0.25, 1]),
        ("bcub-0", [0.5, 2, 1, 1]),
        ("bcub-all", [1, 2, 1, 2]),
        ("bcub-rn", [1, 2, 1, 2]),
        ("bcub-sys", [1, 2, 2, 3]),
    ],
)
def test_one_of_two_mentions_is_shared(name: str, counts: list[float]) -> None:
    result = scoref.score([["a", "b"]], [["a", "x"]], metrics=name)
    assert result.counts[name].tolist() == [counts]


def test_a_singleton_that_the_key_lacks_is_left_out_of_rn_only() -> None:
    for name, precision in (("bcub-all", [2, 2]), ("bcub-rn", [1, 1])):
        result = scoref.score([["a"]], [["a"], ["y"]], metrics=name)
        assert result.counts[name][0, 2:].tolist() == precision

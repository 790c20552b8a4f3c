"""Variants of CEAF, worked out by hand: b, x and y are on one side only."""

from __future__ import annotations

import pytest

import scoref


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("ceafm-rn", [1, 2, 1, 2]),  # the singleton y is left out
        ("ceafm-sys", [1, 2, 2, 3]),  # b and x are singletons of the other side
    ],
)
def test_mentions_of_one_side(name: str, counts: list[int]) -> None:
    result = scoref.score([["a", "b"]], [["a", "x"], ["y"]], metrics=name)
    assert result.counts[name].tolist() == [counts]

"""CEAF, worked out by hand."""

from __future__ import annotations

import pytest

import scoref

KEY = [["a", "b", "c"], ["d"]]
RESPONSE = [["a", "b"], ["c", "d"]]


def test_the_alignment_shares_three_of_four_mentions() -> None:
    counts = scoref.score(KEY, RESPONSE, metrics="ceafm").counts["ceafm"]
    assert counts.tolist() == [[3, 4, 3, 4]]


def test_aligned_entities_are_compared_by_the_dice_coefficient() -> None:
    counts = scoref.score(KEY, RESPONSE, metrics="ceafe").counts["ceafe"]
    total = 4 / 5 + 2 / 3
    assert counts.tolist() == [pytest.approx([total, 2, total, 2])]

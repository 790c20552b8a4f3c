"""Rand index, ARI and Fowlkes–Mallows, worked out by hand."""

from __future__ import annotations

import pytest

import scoref


@pytest.mark.parametrize(
    ("name", "index"),
    [("rand", 1 / 2), ("ari", 0), ("fowlkes-mallows", 1 / 6**0.5)],
)
def test_three_of_six_pairs_agree(name: str, index: float) -> None:
    key, response = [["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]]
    score = scoref.score(key, response, metrics=name).scores[name]
    assert score.f1 == pytest.approx(index)


def test_without_a_common_mention_they_are_undefined() -> None:
    score = scoref.score([["a"]], [["x"]], metrics="ari").scores["ari"]
    assert not score.is_defined

"""Metrics of clusterings, worked out by hand."""

from __future__ import annotations

import pytest

import scoref

KEY = [["a", "b", "c"], ["d"]]
RESPONSE = [["a", "b"], ["c", "d"]]


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("talburt-wang", 2 / 3),
        ("gmd", 2),
        ("purity", 3 / 4),
        ("inverse-purity", 3 / 4),
    ],
)
def test_three_cells_of_two_clusters_each(name: str, index: float) -> None:
    score = scoref.score(KEY, RESPONSE, metrics=name).scores[name]
    assert score.f1 == pytest.approx(index)


def test_no_cluster_is_equal_and_the_closest_ones_share_half_or_more() -> None:
    counts = scoref.score(KEY, RESPONSE, metrics="cluster closest-cluster").counts
    assert counts["cluster"].tolist() == [[0, 2, 0, 2]]
    nearest = 2 / 3 + 1 / 2
    assert counts["closest-cluster"].tolist() == [
        pytest.approx([nearest, 2, nearest, 2])
    ]

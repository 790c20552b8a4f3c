"""MUC, worked out by hand."""

from __future__ import annotations

import scoref


def test_a_cut_entity_loses_one_link() -> None:
    result = scoref.score([["a", "b", "c"]], [["a", "b"], ["c"]], metrics="muc")
    assert result.counts["muc"].tolist() == [[1, 2, 1, 1]]


def test_singletons_have_no_links() -> None:
    score = scoref.score([["a"]], [["a"]], metrics="muc").scores["muc"]
    assert score.f1 == 0
    assert not score.is_defined

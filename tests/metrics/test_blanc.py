"""BLANC, worked out by hand: the key has no link across entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref

if TYPE_CHECKING:
    from scoref.scheme import Blanc

KEY, RESPONSE = [["a", "b", "c"]], [["a", "b"], ["c"]]


def test_links_inside_and_across_entities_are_counted() -> None:
    counts = scoref.score(KEY, RESPONSE, metrics="blanc").counts["blanc"]
    assert counts.tolist() == [[1, 3, 1, 0, 0, 2]]


@pytest.mark.parametrize(
    ("rule", "figures"),
    [
        ("reference", (1 / 3, 1, 1 / 2)),
        ("corefud", (1 / 6, 1 / 2, 1 / 4)),
        ("both-kinds", (1 / 6, 1 / 2, 1 / 4)),
    ],
)
def test_scorers_disagree_on_absent_links(
    rule: Blanc, figures: tuple[float, float, float]
) -> None:
    score = scoref.score(KEY, RESPONSE, metrics="blanc", blanc=rule).scores["blanc"]
    assert score[:3] == pytest.approx(figures)

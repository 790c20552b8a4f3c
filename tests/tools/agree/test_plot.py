"""The plot of agreement, and the tree of annotators in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.tools.agree.plot import Branch, plot_agreement, tree_of
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

FILES = {who: EXAMPLES / f"agree-{who}.conll" for who in ("ada", "ben", "eva")}


@pytest.mark.parametrize("suffix", ["svg", "html"])
def test_a_plot_has_a_matrix_and_a_tree(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"matrix.{suffix}"
    plot_agreement(path, scoref.agree(FILES))
    drawn = path.read_text(encoding="utf-8")
    assert "CoNLL F₁ of each pair of annotators" in drawn
    assert "distance in F₁ points" in drawn
    assert ">73<" in drawn


def test_each_join_of_the_tree_is_a_line_between_its_branches(tmp_path: Path) -> None:
    path = tmp_path / "matrix.svg"
    plot_agreement(path, scoref.agree(FILES))
    drawn = path.read_text(encoding="utf-8")
    lines = re.findall(
        r'id="LineCollection_\d+">\s*<path d="M (\S+) (\S+)\s+L (\S+) (\S+)', drawn
    )
    ends = [tuple(map(float, line)) for line in lines]
    upright = [abs(y - other_y) for x, y, other_x, other_y in ends if x == other_x]
    # Three annotators are joined twice: two neighbours, then their middle and a third.
    assert len(ends) == 6
    assert upright[0] > 1
    assert upright[1] == pytest.approx(1.5 * upright[0], abs=1e-4)


def test_those_who_agree_best_are_joined_first() -> None:
    f1 = {("a", "b"): 0.5, ("a", "c"): 0.75, ("b", "c"): 0.5}
    pair = Branch(("a", "c"), 0.25, (Branch(("a",)), Branch(("c",))))
    assert tree_of("abc", f1) == Branch(("a", "c", "b"), 0.5, (pair, Branch(("b",))))


def test_who_has_nothing_in_common_is_joined_last() -> None:
    assert tree_of("abc", {("a", "c"): 0.2}).members == ("a", "c", "b")
    assert tree_of("abc", {("a", "c"): 0.2}).height == 1.0

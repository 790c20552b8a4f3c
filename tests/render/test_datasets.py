"""Reports with scores by dataset; `tests/cli` runs them on folders."""

from __future__ import annotations

from scoref.render.datasets import means_line


def test_the_line_on_averages_names_those_over_fewer_datasets() -> None:
    covered = {("a", "MUC"): 2, ("a", "B³"): 0}
    assert means_line(covered, 2) == "Averages are over 2 datasets; B³ over none."

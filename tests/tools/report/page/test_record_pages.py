"""The pages of `table`, `curve` and `estimate` on records, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    Opener = Callable[..., Page]

CALLS = {
    "table": ("table", "table-key.tsv", "table-response.tsv"),
    "curve": ("curve", "curve-key.csv", "curve-pairs.csv"),
    "pairs": ("curve", "pairs-gold.csv", "table-pairs.csv"),
    "estimate": ("estimate", "estimate-sample.csv", "estimate-predicted.csv"),
}


def page_of(name: str, folder: Path) -> str:
    command, *files = CALLS[name]
    path = folder / f"{name}.html"
    arguments = [str(EXAMPLES / file) for file in files]
    weights = ["--weights", "cluster-size"] if command == "estimate" else []
    result = run(command, *arguments, *weights, "--report", str(path))
    assert result.exit_code == 0, result.output
    return path.read_text()


@pytest.mark.parametrize("name", CALLS)
def test_a_page_on_records_opens_with_its_clusters(
    opened: Opener, tmp_path: Path, name: str
) -> None:
    page = opened(page_of(name, tmp_path), viewport={"width": 390, "height": 700})
    page.wait_for_selector("#clusters details", state="attached")
    first = page.locator("#clusters details").first
    assert "members" in first.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert "B³" in page.locator("#scores, main").first.inner_text()


def test_the_plot_and_the_rows_of_a_curve_are_drawn(
    opened: Opener, tmp_path: Path
) -> None:
    page = opened(page_of("curve", tmp_path))
    lines = page.locator("polyline")
    assert lines.count() == 2
    box = lines.first.bounding_box()
    assert box is not None
    assert box["width"] > 100
    text = page.locator("body").inner_text()
    assert "Best by B³: threshold 0.8" in text
    assert "0.9\t4\t40.00" in text


def test_the_assumptions_of_an_estimate_are_shown(
    opened: Opener, tmp_path: Path
) -> None:
    text = opened(page_of("estimate", tmp_path)).locator("body").inner_text()
    assert "Assumed, not checked: labelled clusters are complete" in text
    assert "Population: about 5 clusters" in text

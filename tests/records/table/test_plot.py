from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from scoref import score_table

pytest.importorskip("matplotlib", reason="plots need matplotlib")

from scoref.records.table.report import plot_clusters, size_classes

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.scoring.results import Result

KEY = [["a"], ["b", "c", "d"], ["e", "f", "g", "h", "i"]]
RESPONSE = [["a", "b"], ["c", "d"], ["e", "f", "g"], ["h", "x"]]


def _classes(result: Result) -> list[Any]:
    assert result.table is not None
    return [*size_classes(result.table)]


def test_clusters_are_sorted_by_size_and_b_cubed_is_that_of_each_class() -> None:
    rows = _classes(score_table(KEY, RESPONSE))
    assert [row[:3] for row in rows] == [
        ("1", 1, 0),
        ("2", 0, 3),
        ("3–4", 1, 1),
        ("5–8", 1, 0),
    ]
    # 1; b alone and c, d together of 3; e, f, g together and h alone of 5
    recall = [Fraction(1), None, Fraction(1 + 4, 9), Fraction(9 + 1, 25)]
    # a and b apart, c and d together, h with a stranger; e, f, g
    precision = [None, Fraction(1 + 1 + 4 + 1, 2 * 6), Fraction(1), None]
    for row, *expected in zip(rows, recall, precision, strict=True):
        for found, value in zip(row[3:], expected, strict=True):
            assert found == (None if value is None else pytest.approx(float(value)))


def test_classes_add_up_to_b_cubed() -> None:
    result = score_table(KEY, RESPONSE)
    rows = _classes(result)
    sizes = {"1": 1, "3–4": 3, "5–8": 5}
    right = sum(sizes[row.label] * row.recall for row in rows if row.recall is not None)
    assert right / 9 == pytest.approx(result.scores["bcub"].recall)


@pytest.mark.parametrize("suffix", ["svg", "png", "html"])
def test_a_picture_is_written(tmp_path: Path, suffix: str) -> None:
    result = score_table(KEY, RESPONSE)
    for name in ("first", "second"):
        plot_clusters(tmp_path / f"{name}.{suffix}", result)
    data = (tmp_path / f"first.{suffix}").read_bytes()
    assert data == (tmp_path / f"second.{suffix}").read_bytes()
    if suffix != "png":
        assert result.signature.encode() in data
    if suffix == "html":
        assert b"5\xe2\x80\x938 mentions: 1 in the key, 0 in the response" in data


def test_empty_clusterings_can_be_drawn(tmp_path: Path) -> None:
    plot_clusters(tmp_path / "x.svg", score_table({}, {}))
    assert (tmp_path / "x.svg").exists()

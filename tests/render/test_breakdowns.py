"""Reports by slice and by window, and the lines about averages."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from scoref.render import render
from scoref.render.breakdowns import slices_report, windows_report
from scoref.render.scores import SCORE_COLUMNS, ScoreView
from scoref.scoring.windows import Window
from support.slice_results import sliced
from support.window_results import spans, windowed

if TYPE_CHECKING:
    from scoref.render.breakdowns import Slices, Systems

KEY = {"d": [[(0, 0), (4, 4), (9, 9)], [(2, 2), (6, 6)]]}
RESPONSE = {"d": [[(0, 0), (4, 4)], [(2, 2), (6, 6), (9, 9)]]}
VIEW = ScoreView()


@pytest.fixture(scope="module")
def slices() -> Slices:
    files = spans(KEY), spans(RESPONSE)
    actual, _ = sliced(*files, "entity-size", format="json-lines")
    return {"ours": actual}


@pytest.fixture(scope="module")
def windows() -> Systems:
    return {"ours": windowed(spans(KEY, 10), spans(RESPONSE, 10), 5)}


def test_every_slice_has_a_row(slices: Slices) -> None:
    first, *_ = slices_report(slices, "entity-size").parts()
    assert [row[0] for row in first.rows] == [*slices["ours"]]  # type: ignore[union-attr]
    header, *rows = csv.reader(
        io.StringIO(render(slices_report(slices, "entity-size"), "csv"))
    )
    assert header == ["response", "by", "slice", *SCORE_COLUMNS]
    assert {row[2] for row in rows} == {*slices["ours"]}


def test_whole_documents_and_windows_have_a_row_each(windows: Systems) -> None:
    report = windows_report(windows, Window.of(5), VIEW)
    table, _ = report.parts()
    names = [row[:2] for row in table.rows]  # type: ignore[union-attr]
    assert names == [["whole", "1"], ["windows of 5 tokens", "2"]]
    (result,) = json.loads(render(report, "json"))["results"]
    assert (result["response"], result["window"]) == ("ours", "5")
    assert result["windows"]["documents"] == 2


def test_single_windows_are_rows_if_asked_for(windows: Systems) -> None:
    view = ScoreView(per_document=True)
    report = windows_report(windows, Window.of(5), view)
    table, _ = report.parts()
    assert len(table.rows) == 2 + 2  # type: ignore[union-attr]
    header, *_ = csv.reader(io.StringIO(render(report, "csv")))
    assert header == ["response", "part", "document", *SCORE_COLUMNS]

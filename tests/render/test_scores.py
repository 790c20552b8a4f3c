"""Reports on scores: rows, intervals, and fields of the signature."""

from __future__ import annotations

import csv
import dataclasses
import io
import json

import pytest

from scoref.metrics.base import Score
from scoref.render import render
from scoref.render.report import Cell, Table
from scoref.render.scores import (
    SCORE_COLUMNS,
    ScoreView,
    bound_names,
    bounds_of,
    by_metric,
    by_response,
    intervals_report,
    score_report,
    wide_metrics,
)
from scoref.statistics.confidence import confidence
from support.results_from_counts import counted

ROWS = [[2, 4, 2, 3], [1, 2, 1, 1], [3, 3, 3, 4]]
RESULT = counted(muc=ROWS, bcub=ROWS, ceafe=ROWS)


def test_one_response_has_a_row_for_each_metric() -> None:
    (table,) = by_metric(RESULT, ScoreView())
    assert [column.label for column in table.columns] == [
        "",
        "Recall",
        "Precision",
        "F₁",
    ]
    assert [row[0] for row in table.rows] == ["MUC", "B³", "CEAFe", "CoNLL"]


def test_the_best_response_is_marked() -> None:
    better = counted(muc=[[4, 4, 3, 3]] * 3, bcub=ROWS, ceafe=ROWS)
    table = by_response([RESULT, better], ScoreView())
    marks = [[getattr(cell, "is_best", None) for cell in row[1:]] for row in table.rows]
    assert marks == [[False, True, True, False], [True, True, True, True]]


def test_csv_has_a_row_for_each_document_and_metric() -> None:
    text = render(score_report([RESULT], ScoreView(per_document=True)), "csv")
    header, *rows = csv.reader(io.StringIO(text))
    assert header == ["response", "document", *SCORE_COLUMNS]
    assert len(rows) == 3 * 4


def test_bounds_fill_their_columns() -> None:
    view = ScoreView(confidence=(confidence(RESULT, resamples=20),))
    assert len(bound_names(view)) == len(bounds_of("muc", 0, view)) == 2 * 3 + 1
    assert bound_names(ScoreView()) == bounds_of("muc", 0, ScoreView()) == []


def test_intervals_have_a_report_of_their_own() -> None:
    report = intervals_report(confidence(RESULT, resamples=20))
    (result,) = json.loads(render(report, "json"))["results"]
    header, *rows = csv.reader(io.StringIO(render(report, "csv")))
    assert header == ["metric", "figure", "low", "high", "confidence"]
    for metric, figure, low, high, _ in rows:
        assert result["intervals"][metric][figure] == [float(low), float(high)]


@pytest.mark.parametrize("precision", [0, 3])
def test_figures_have_the_decimals_that_were_asked_for(precision: int) -> None:
    text = ScoreView(precision=precision).figure("muc", 1 / 3, Score(1, 1, 1 / 3))
    assert text == f"{100 / 3:.{precision}f}"


def test_a_wide_table_has_a_row_for_each_response() -> None:
    better = dataclasses.replace(
        counted(muc=[[4, 4, 3, 3]] * 3, bcub=ROWS, ceafe=ROWS), response="better"
    )
    wide = wide_metrics(RESULT.metrics, were_requested=False)
    view = ScoreView(wide=wide)
    table = next(iter(score_report([RESULT, better], view).parts()))
    assert isinstance(table, Table)
    assert [column.full_label for column in table.columns] == [
        *("System", "Rank", "MUC R", "MUC P", "MUC F₁", "B³ R", "B³ P", "B³ F₁"),
        *("CEAFe R", "CEAFe P", "CEAFe F₁", "CoNLL F₁"),
    ]
    assert [row[1] for row in table.rows] == ["2", "1"]
    muc = [[cell for cell in row[2:5] if isinstance(cell, Cell)] for row in table.rows]
    assert [[cell.is_best for cell in row] for row in muc] == [[False] * 3, [True] * 3]
    assert [cell.text for cell in muc[1]] == ["100.00"] * 3


def test_one_response_has_no_rank_and_no_best_figure() -> None:
    (table, _) = score_report([RESULT], ScoreView(wide=("muc", "conll"))).parts()
    assert isinstance(table, Table)
    assert "Rank" not in [column.label for column in table.columns]
    assert not any(cell.is_best for cell in table.rows[0] if isinstance(cell, Cell))


def test_a_response_that_is_given_twice_has_two_rows() -> None:
    (table, _) = score_report([RESULT, RESULT], ScoreView(wide=("muc",))).parts()
    assert isinstance(table, Table)
    assert [row[1] for row in table.rows] == ["1", "1"]


def test_a_wide_table_shows_intervals_of_f1_only() -> None:
    view = ScoreView(confidence=(confidence(RESULT),), wide=("muc",))
    table = next(iter(score_report([RESULT], view).parts()))
    assert isinstance(table, Table)
    has_interval = [
        "[" in cell.text for cell in table.rows[0] if isinstance(cell, Cell)
    ]
    assert has_interval == [False, False, True]


def test_json_and_csv_do_not_depend_on_wide() -> None:
    plain, wide = ScoreView(), ScoreView(wide=("muc",))
    for output in ("json", "csv"):
        texts = [render(score_report([RESULT], view), output) for view in (plain, wide)]
        assert texts[0] == texts[1]


def test_a_wide_table_shows_the_parts_of_a_mean() -> None:
    result = RESULT.of_metrics(["conll"])
    wide = wide_metrics(result.metrics, were_requested=True)
    assert wide == ("muc", "bcub", "ceafe", "conll")
    (table, _) = score_report([result], ScoreView(wide=wide)).parts()
    (whole, _) = score_report([RESULT], ScoreView(wide=wide)).parts()
    assert table == whole

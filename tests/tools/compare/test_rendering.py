"""The report of a comparison: letters, stars, differences and means."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.figures import UNDEFINED
from scoref.render.report import Cell, Table
from scoref.tools.compare.rendering import ComparisonView, comparison_report
from support.commands import run
from support.json_output import result_of
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from scoref.statistics.compare import Comparison

KEY = EXAMPLES / "many-key.conll"
CALL = ("compare", KEY, *(EXAMPLES / f"many-{name}.conll" for name in ("a", "b")))


@pytest.fixture
def comparison() -> Comparison:
    systems = {
        name: scoref.score(KEY, EXAMPLES / f"many-{name}.conll", metrics="muc,conll")
        for name in ("a", "b", "c")
    }
    return scoref.compare(systems, resamples=500)


def tables(comparison: Comparison) -> list[Table]:
    parts = comparison_report(comparison).parts()
    return [part for part in parts if isinstance(part, Table)]


def test_letters_are_those_of_systems_that_are_significantly_worse(
    comparison: Comparison,
) -> None:
    systems, _ = tables(comparison)
    marks = {metric: dict.fromkeys("abc", "") for metric in comparison.metrics}
    for row in comparison.differences:
        if row.adjusted <= 0.05 and row.difference > 0:
            marks[row.metric][row.first] += row.second
        elif row.adjusted <= 0.05 and row.difference < 0:
            marks[row.metric][row.second] += row.first
    assert any(marks["muc"].values())
    for name, (first, *cells) in zip("abc", systems.rows, strict=True):
        assert first == f"{name} {name}"
        for metric, cell in zip(comparison.metrics, cells, strict=True):
            assert isinstance(cell, Cell)
            assert cell.mark == marks[metric][name]
            best = max(f1[metric] or 0 for f1 in comparison.f1.values())
            assert cell.is_best == (comparison.f1[name][metric] == best)


def test_a_system_is_worse_up_to_the_largest_p_that_is_allowed(
    comparison: Comparison,
) -> None:
    first, *others = comparison.differences
    for p, mark in ((comparison.allowed, "b"), (comparison.allowed + 1e-9, "")):
        row = first._replace(difference=0.1, adjusted=p)
        rest = [other._replace(adjusted=1.0) for other in others]
        changed = dataclasses.replace(comparison, differences=(row, *rest))
        (_, cell, *_), *_ = tables(changed)[0].rows
        assert isinstance(cell, Cell)
        assert (first.first, first.second, cell.mark) == ("a", "b", mark)


def test_stars_follow_the_corrected_p(comparison: Comparison) -> None:
    _, differences = tables(comparison)
    for row, difference in zip(differences.rows, comparison.differences, strict=True):
        p, stars = difference.adjusted, row[7]
        assert stars == "*" * sum(p <= limit for limit in (0.05, 0.01, 0.001))
        assert row[0] == f"{difference.first} - {difference.second}"


def test_csv_and_json_have_the_same_differences() -> None:
    options = ("--metrics", "muc,conll", "--resamples", "200", "--output")
    rows = list(csv.DictReader(io.StringIO(run(*CALL, *options, "csv").stdout)))
    fields = result_of(run(*CALL, *options, "json").stdout)
    assert len(rows) == len(fields["differences"]) == 2
    for row, difference in zip(rows, fields["differences"], strict=True):
        assert float(row["difference"]) == difference["difference"]
        assert float(row["low"]) == difference["interval"][0]
        assert row["metric"] == difference["metric"]


def test_an_undefined_figure_has_no_difference(comparison: Comparison) -> None:
    f1 = {**comparison.f1, "a": {**comparison.f1["a"], "muc": None}}
    report = comparison_report(dataclasses.replace(comparison, f1=f1))
    _, differences, *_ = report.parts()
    assert isinstance(differences, Table)
    assert list(differences.rows[0][:4]) == ["a - b", "MUC", UNDEFINED, UNDEFINED]
    assert report.rows is not None
    row = next(iter(report.rows().rows))
    assert list(row)[3:6] == [None, None, None]


def test_a_wide_table_has_letters_after_the_tested_f1(comparison: Comparison) -> None:
    view = ComparisonView(wide=("muc", "bcub", "ceafe", "conll"))
    table = next(iter(comparison_report(comparison, view).parts()))
    plain, _ = tables(comparison)
    assert isinstance(table, Table)
    labels = [column.full_label for column in table.columns]
    for row, expected in zip(table.rows, plain.rows, strict=True):
        cells = dict(zip(labels, row, strict=True))
        assert cells["System"] == expected[0]
        assert [cells["MUC F₁"], cells["CoNLL F₁"]] == expected[1:]
        assert getattr(cells["B³ F₁"], "mark", None) == ""
        assert getattr(cells["MUC R"], "mark", None) == ""


def test_a_wide_table_has_intervals_on_request() -> None:
    options = ("--wide", "--resamples", "200", "--output", "markdown")
    assert "[" not in run(*CALL, *options).stdout.split("\n\n")[0]
    table = run(*CALL, *options, "--confidence", "90").stdout.split("\n\n")[0]
    scored = run(*CALL[1:], *options, "--confidence", "90").stdout.split("\n\n")[0]
    intervals = [re.findall(r"\[.*?\]", text) for text in (table, scored)]
    assert intervals[0] == intervals[1]
    assert len(intervals[0]) == 8

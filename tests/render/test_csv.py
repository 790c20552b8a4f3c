"""CSV: rows of objects, and no formulas."""

from __future__ import annotations

import csv
import io
import math

import pytest

from scoref.render.csv import render_csv
from support.reports import of_objects, of_rows


def test_csv_is_made_of_flat_objects_if_nothing_else_is_said() -> None:
    report = of_objects({"a": 1, "b": None}, {"a": 0.1 + 0.2, "c": "x,y"})
    assert render_csv(report) == 'a,b,c\n1,,\n0.30000000000000004,,"x,y"'


def test_csv_computes_nothing_and_has_no_nan() -> None:
    text = render_csv(of_rows(["=a"], [["=1+1"], ["-0.5"], [math.nan], [" @x"]]))
    assert text.split("\n") == ["'=a", "'=1+1", "-0.5", '""', "' @x"]


@pytest.mark.parametrize(
    "name",
    ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-LRB-", "\t=1", " =1", "＝1+1", "-1+1"],
)
def test_a_spreadsheet_computes_no_name(name: str) -> None:
    written = render_csv(of_rows([name], [[name]]))
    rows = list(csv.reader(io.StringIO(written, newline="")))
    assert rows == [[f"'{name}"], [f"'{name}"]]


@pytest.mark.parametrize("value", ["-1", "+1.5", "-.5", "-1e-05", "+7%", "-", "="])
def test_numbers_and_single_signs_stay_as_they_are(value: str) -> None:
    assert render_csv(of_rows(["x"], [[value]])) == f"x\n{value}"
    assert render_csv(of_rows(["x"], [[-0.5]])) == "x\n-0.5"

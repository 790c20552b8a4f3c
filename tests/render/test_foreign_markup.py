"""Names are text in every report: no tags, links, formulas or options of others."""

from __future__ import annotations

import csv
import io

import pytest

from scoref.printable import printable_json
from scoref.render import render
from scoref.render.json import json_text
from scoref.render.markdown import markdown_text
from scoref.render.report import Report, Rows, Table, columns


def drawn(output: str, name: str, *rows: list[str], title: str = "") -> str:
    """Draw a table with one column for the names of its rows, and others."""
    table = Table(columns(name, *["F1"] * (len(rows[0]) - 1)), rows, title)
    return render(Report(name="x", parts=lambda: [table], objects=list), output)


def csv_text(header: list[str], rows: list[list[object]]) -> str:
    report = Report(name="x", parts=list, objects=list, rows=lambda: Rows(header, rows))
    return render(report, "csv")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<img src=x onerror=y>", r"\<img src=x onerror=y\>"),
        ("[x](javascript:y)", r"[x\](javascript:y)"),
        ("![x][y]", r"![x\][y]"),
        ("[x]: javascript:y", r"[x\]: javascript:y"),
        ("<javascript:y>", r"\<javascript:y\>"),
        ("a|b\\|c", r"a\|b\\\|c"),
        ("`x` *y* _z_ a_b", r"\`x\` \*y\* \_z\_ a_b"),
        ("&lt;b&gt;", r"\&lt;b\&gt;"),
        ("66.67 [60.00, 70.00]", "66.67 [60.00, 70.00]"),
        ("a\n# b", r"a\\n# b"),
    ],
)
def test_markdown_shows_names_as_they_are(name: str, shown: str) -> None:
    assert markdown_text(name) == shown
    table = drawn("markdown", name, [name], title=name)
    assert table == f"{shown}\n\n| {shown} |\n| --- |\n| {shown} |"


@pytest.mark.parametrize(
    "name",
    ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-LRB-", "\t=1", " =1", "＝1+1", "-1+1"],
)
def test_a_spreadsheet_computes_no_name(name: str) -> None:
    written = csv_text([name], [[name]])
    rows = list(csv.reader(io.StringIO(written, newline="")))
    assert rows == [[f"'{name}"], [f"'{name}"]]


@pytest.mark.parametrize("value", ["-1", "+1.5", "-.5", "-1e-05", "+7%", "-", "="])
def test_numbers_and_single_signs_stay_as_they_are(value: str) -> None:
    assert csv_text(["x"], [[value]]) == f"x\n{value}"
    assert csv_text(["x"], [[-0.5]]) == "x\n-0.5"


@pytest.mark.parametrize(("name", "shown"), [("[2em] x", "{[}2em] x"), ("*", "{*}")])
def test_a_row_of_latex_is_no_option_of_the_row_before(name: str, shown: str) -> None:
    lines = drawn("latex", "", ["a", "1"], [name, "[2]"])
    assert lines.split("\n")[4:6] == [r"a & 1 \\", rf"{shown} & [2] \\"]


def test_a_title_stays_in_its_comment() -> None:
    title = "a\n\\input{/etc/passwd}"
    lines = drawn("latex", "F1", ["1"], title=title).split("\n")
    assert lines[:2] == [r"% a\n\input{/etc/passwd}", ""]


def test_json_keeps_what_it_escapes() -> None:
    name = "a\x9b\u202e\U000e0001\ud800é"
    assert json_text(name) == r'"a\u009b\u202e\udb40\udc01\ud800é"'
    assert printable_json('{\n  "é": 1\n}') == '{\n  "é": 1\n}'

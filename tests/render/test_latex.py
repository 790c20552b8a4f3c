"""LaTeX: tabulars, comments, and names that are not commands."""

from __future__ import annotations

import pytest

from scoref.render.latex import render_latex
from scoref.render.report import (
    Column,
    Heading,
    Line,
    Listing,
    Remarks,
    Signatures,
    Table,
)
from support.reports import TABLE, of_parts, render_table


def test_latex_has_tabulars_and_escapes_commands() -> None:
    assert render_latex(of_parts(TABLE)) == (
        "% 50 %\n\n"
        "\\begin{tabular}{lrl}\n"
        "\\toprule\n"
        "F₁ & B$^3$ & cause \\\\\n"
        "\\midrule\n"
        "a\\_1 \\& b & \\textbf{66.67}\\textsuperscript{b} & <none> \\\\\n"
        "{[}x] & -- &  \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}"
    )


def test_latex_has_all_else_in_comments() -> None:
    parts = Heading("en"), Signatures(["a"]), Remarks(["b", "c"]), Listing([Line("d")])
    assert render_latex(of_parts(*parts)) == "% en\n\n% a\n\n% b\n% c\n\n% d"


@pytest.mark.parametrize(("name", "shown"), [("[2em] x", "{[}2em] x"), ("*", "{*}")])
def test_a_row_of_latex_is_no_option_of_the_row_before(name: str, shown: str) -> None:
    lines = render_table("latex", "", ["a", "1"], [name, "[2]"])
    assert lines.split("\n")[4:6] == [r"a & 1 \\", rf"{shown} & [2] \\"]


def test_a_title_stays_in_its_comment() -> None:
    title = "a\n\\input{/etc/passwd}"
    lines = render_table("latex", "F₁", ["1"], title=title).split("\n")
    assert lines[:2] == [r"% a\n\input{/etc/passwd}", ""]


def test_a_common_heading_spans_its_columns() -> None:
    labels = [Column("F₁", "name"), Column("R", group="B³"), Column("P", group="B³")]
    lines = render_latex(of_parts(Table(labels, [["a", "1", "2"]]))).split("\n")
    assert lines[2:5] == [
        r" & \multicolumn{2}{c}{B$^3$} \\",
        r"\cmidrule(lr){2-3}",
        r"F₁ & R & P \\",
    ]

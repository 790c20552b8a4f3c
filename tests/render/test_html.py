"""HTML for notebooks: escaped, emphasised, and not too long."""

from __future__ import annotations

from scoref.render.html import FIRST, LAST, render_html
from scoref.render.report import (
    Heading,
    Line,
    Listing,
    Remarks,
    Signatures,
    Table,
    columns,
)
from support.reports import TABLE, of_parts


def test_cells_are_escaped_and_the_best_is_marked() -> None:
    html = render_html(of_parts(TABLE))
    assert "&lt;none&gt;" in html
    assert "<none>" not in html
    assert "a_1 &amp; b" in html
    assert "66.67" in html
    assert "<b>50 %</b>" in html


def test_other_parts_are_shown() -> None:
    parts = (
        Heading("en"),
        Signatures(["a:1|b:2"]),
        Remarks(["one"]),
        Listing([Line("two")]),
    )
    html = render_html(of_parts(*parts))
    assert "<b>en</b>" in html
    assert "<code>a:1|b:2</code>" in html
    assert "one" in html
    assert "two" in html


def test_a_long_table_shows_both_ends() -> None:
    rows = [[f"row-{number}", "1.00"] for number in range(100)]
    html = render_html(of_parts(Table(columns("", "F₁"), rows)))
    assert f"… {100 - FIRST - LAST} more …" in html
    assert f">row-{FIRST - 1}<" in html
    assert f">row-{FIRST}<" not in html
    assert f">row-{100 - LAST}<" in html


def test_a_table_is_cut_only_if_several_rows_are_left_out() -> None:
    rows = [[f"row-{number}", "1.00"] for number in range(FIRST + LAST + 2)]
    longer = render_html(of_parts(Table(columns("", "F₁"), rows)))
    assert "… 2 more …" in longer
    whole = render_html(of_parts(Table(columns("", "F₁"), rows[:-1])))
    assert "more …" not in whole
    assert f">row-{FIRST}<" in whole

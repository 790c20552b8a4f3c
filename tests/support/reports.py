"""Small reports for tests of renderers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.render import render
from scoref.render.report import Cell, Column, Report, Rows, Table, columns

if TYPE_CHECKING:
    from scoref.render.report import Part

TABLE = Table(
    [*columns("F₁", "B³"), Column("cause", "text")],
    [["a_1 & b", Cell("66.67", is_best=True, mark="b"), "<none>"], ["[x]", "–", ""]],
    title="50 %",
)


def of_parts(*parts: Part) -> Report:
    return Report(name="x", parts=lambda: parts, objects=list)


def of_objects(*objects: dict[str, object], **more: object) -> Report:
    return Report(name="x", parts=list, objects=lambda: objects, **more)  # type: ignore[arg-type]


def of_rows(header: list[str], rows: list[list[object]]) -> Report:
    return Report(name="x", parts=list, objects=list, rows=lambda: Rows(header, rows))


def render_table(output: str, name: str, *rows: list[str], title: str = "") -> str:
    """Render a table with a column for the names of its rows, and others."""
    table = Table(columns(name, *["F₁"] * (len(rows[0]) - 1)), rows, title)
    return render(of_parts(table), output)

"""HTML for notebooks: a report that fits on a screen and needs no script.

A table with many rows shows the first and the last ones; `to_frame` returns all of
them. Other wide or long parts scroll.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from scoref.markup import FigureCell, escaped, listed, minus, shown, table
from scoref.printable import printable, warnings_first
from scoref.render.report import Cell, Heading, Listing, Remarks, Signatures, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.render.report import Part, Report

Row = TypeVar("Row")

FIRST, LAST = 30, 5
"""How many rows of a long table are shown."""


def render_html(report: Report) -> str:
    """Write parts below each other, and the notes below them."""
    parts = map(_part, report.parts())
    return shown(
        *parts, notes=map(printable, warnings_first(report.notes)), is_boxed=True
    )


def _part(part: Part) -> str:
    match part:
        case Table():
            return _title(part.title) + _table(part)
        case Heading(text):
            return _title(text)
        case Signatures(lines):
            codes = [f"<div><code>{_text(line)}</code></div>" for line in lines]
            return "\n".join(codes)
        case Remarks(lines):
            return listed(map(printable, lines))
        case Listing(lines):
            texts = [line.text for line in lines]
            left_out = [f"… {len(texts) - FIRST - LAST:,} more …"]
            return listed(map(printable, _shorten(texts, left_out)))


def _title(text: str) -> str:
    return f"<p><b>{_text(text)}</b></p>" if text else ""


def _table(part: Table) -> str:
    kinds = [column.kind for column in part.columns]
    rows = []
    for row in part.rows:
        cells: list[str | FigureCell] = []
        for cell, kind in zip(row, kinds, strict=True):
            text = printable(cell if isinstance(cell, str) else cell.text)
            text = minus(text) if kind == "figure" else text
            if isinstance(cell, Cell):
                style = "best" if cell.is_best else ""
                cells.append(FigureCell(text, mark=cell.mark, kind=style))
            else:
                cells.append(text)
        rows.append(cells)
    more = [f"… {len(rows) - FIRST - LAST:,} more …", *[""] * (len(kinds) - 1)]
    header = [printable(column.full_label) for column in part.columns]
    texts = [place for place, kind in enumerate(kinds) if kind != "figure"]
    return table(header, _shorten(rows, [[*more]]), texts=texts)


def _shorten(rows: Sequence[Row], left_out: Sequence[Row]) -> list[Row]:
    """Keep both ends of a long list: the last row is often the total."""
    if len(rows) <= FIRST + LAST + 1:
        return list(rows)
    return [*rows[:FIRST], *left_out, *rows[-LAST:]]


def _text(text: str) -> str:
    return escaped(printable(text))

"""HTML for notebooks: a report that fits on a screen and needs no script.

A table with many rows shows the first and the last ones; `to_frame` returns all of
them. Other wide or long parts scroll.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from scoref.markup import FigureCell, escaped, listed, minus, shown, table
from scoref.printable import printable
from scoref.render.report import Cell, Heading, Listing, Remarks, Signatures, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.render.report import Kind, Part, Report

    Drawn = str | FigureCell

Row = TypeVar("Row")
FIRST, LAST = 30, 5
"""How many rows of a long table are shown."""
_BEST = "best"


def render_html(report: Report) -> str:
    """Draw parts below each other, and what was noted below them."""
    parts = map(_drawn, report.parts())
    return shown(*parts, notes=map(printable, report.notes), is_boxed=True)


def _drawn(part: Part) -> str:
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
            return listed(map(printable, _within_a_screen(texts, left_out)))


def _title(text: str) -> str:
    return f"<p><b>{_text(text)}</b></p>" if text else ""


def _table(part: Table) -> str:
    kinds = [column.kind for column in part.columns]
    rows = [
        [_cell(cell, kind) for cell, kind in zip(row, kinds, strict=True)]
        for row in part.rows
    ]
    more = [f"… {len(rows) - FIRST - LAST:,} more …", *[""] * (len(kinds) - 1)]
    header = [printable(column.label) for column in part.columns]
    return table(header, _within_a_screen(rows, [more]), texts=_texts(kinds))


def _texts(kinds: Sequence[Kind]) -> list[int]:
    """List the columns that are read, not compared."""
    return [place for place, kind in enumerate(kinds) if kind != "figure"]


def _cell(cell: str | Cell, kind: Kind) -> Drawn:
    plain = cell if isinstance(cell, str) else cell.text
    text = minus(printable(plain)) if kind == "figure" else printable(plain)
    if isinstance(cell, str):
        return text
    return FigureCell(text, mark=cell.mark, kind=_BEST if cell.is_best else "")


def _within_a_screen(rows: Sequence[Row], left_out: Sequence[Row]) -> list[Row]:
    """Keep both ends of what is long: the last row is often the whole."""
    if len(rows) <= FIRST + LAST + 1:
        return list(rows)
    return [*rows[:FIRST], *left_out, *rows[-LAST:]]


def _text(text: str) -> str:
    return escaped(printable(text))

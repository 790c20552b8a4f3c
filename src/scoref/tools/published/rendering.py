"""Published results as text, alone or with a new system among them.

Percentages have as many decimals as in print; a new system's are rounded to the same.
Programs get fractions: those of the table as exact as they were printed, those of the
new system at full precision.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from scoref.errors import unknown
from scoref.metrics import labels_of
from scoref.render import REPORTS
from scoref.render.figures import percent
from scoref.render.json import json_text
from scoref.render.tables import Cell, Table, aligned, csv_text, drawn, noted
from scoref.scheme import SCHEMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.tools.published import Placed, Published, Row

_NEW, _OLD = "> ", "  "


def render_published(published: Published, output: str) -> str:
    """Write a table as it was printed."""
    _check(output)
    if output == "json":
        return json_text(_table_object(published) | _rows_object(published.rows))
    if output == "csv":
        return _csv(["system"], [[row.system] for row in published.rows], published)
    header = ["F1", *_labels(published)]
    rows = [[row.system, *_figures(row, published)] for row in published.rows]
    table = drawn(Table(published.title, header, rows), output)
    return _joined(table, [_source(published)], output)


def render_placed(placed: Placed, output: str) -> str:
    """Write a table with a new system in it, whose row is marked."""
    _check(output)
    published = placed.published
    if output == "json":
        return json_text(_placed_object(placed))
    if output == "csv":
        heads = [
            [rank, row.system, place == placed.place]
            for place, (rank, row) in enumerate(_ranked(placed))
        ]
        return _csv(["rank", "system", "new"], heads, published, placed.rows)
    header = ["F1", "Rank", *_labels(published)]
    rows = [
        [row.system, "" if rank is None else str(rank), *_figures(row, published)]
        for rank, row in _ranked(placed)
    ]
    table = _marked(Table(published.title, header, rows), placed.place, output)
    signature = f"`{placed.signature}`" if output == "markdown" else placed.signature
    notes = [noted(note.message, output) for note in placed.notes]
    return _joined(table, [_source(published), signature, *notes], output)


def _check(output: str) -> None:
    if output not in REPORTS:
        raise unknown("output", output, REPORTS)


def _marked(table: Table, place: int, output: str) -> str:
    """Draw a table in which one row stands out."""
    rows = [[str(cell) for cell in row] for row in table.rows]
    if output == "text":
        signs = (_NEW if number == place else _OLD for number in range(len(rows)))
        rows = [
            [sign + row[0], *row[1:]] for sign, row in zip(signs, rows, strict=True)
        ]
        header = [_OLD + table.header[0], *table.header[1:]]
        return aligned(table._replace(header=header, rows=rows))
    bold = [Cell(cell, is_best=bool(cell)) for cell in rows[place]]
    marked = [bold if number == place else row for number, row in enumerate(rows)]
    return drawn(table._replace(rows=marked), output)


def _joined(table: str, remarks: list[str], output: str) -> str:
    if output == "latex":
        return "\n\n".join([table, "\n".join(f"% {line}" for line in remarks)])
    between = "\n\n" if output == "markdown" else "\n"
    return "\n\n".join([table, between.join(remarks)])


def _source(published: Published) -> str:
    return f"{published.citation}. https://doi.org/{published.doi}"


def _labels(published: Published) -> list[str]:
    return list(labels_of(SCHEMES[published.scheme], published.columns).values())


def _figures(row: Row, published: Published) -> list[str]:
    return [percent(row.scores[name], published.decimals) for name in published.columns]


def _ranked(placed: Placed) -> list[tuple[int | None, Row]]:
    return list(zip(placed.ranks, placed.rows, strict=True))


def _csv(
    header: list[str],
    heads: Sequence[Sequence[object]],
    published: Published,
    rows: Sequence[Row] | None = None,
) -> str:
    """Write a row for each system, with a column for each metric's F1."""
    shown = zip(heads, published.rows if rows is None else rows, strict=True)
    return csv_text(
        [*header, *published.columns],
        (
            [*head, *(row.scores[name] for name in published.columns)]
            for head, row in shown
        ),
    )


def _table_object(published: Published) -> dict[str, object]:
    shown = dataclasses.asdict(published)
    del shown["rows"]
    return {"title": published.title} | shown


def _rows_object(rows: Sequence[Row]) -> dict[str, object]:
    return {"rows": [row._asdict() for row in rows]}


def _placed_object(placed: Placed) -> dict[str, object]:
    return {
        "table": _table_object(placed.published),
        "system": placed.system,
        "rank": placed.rank,
        "signature": placed.signature,
        "rows": [
            {"rank": rank, "new": place == placed.place} | row._asdict()
            for place, (rank, row) in enumerate(_ranked(placed))
        ],
        "notes": [dataclasses.asdict(note) for note in placed.notes],
    }

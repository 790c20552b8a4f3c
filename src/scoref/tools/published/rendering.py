"""Published results as a report, alone or with a new system among them.

Percentages have as many decimals as in print; a new system's are rounded to the same.
Programs get fractions: those of the table as exact as they were printed, those of the
new system at full precision.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from scoref.figures import percent
from scoref.metrics import labels_of
from scoref.render.report import (
    LINES,
    Cell,
    Remarks,
    Report,
    Rows,
    Signatures,
    Table,
    columns,
)
from scoref.schemes import SCHEMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.tools.published import PlacedTable, Published, PublishedRow

_NEW, _OLD = "> ", "  "


def tables_report(tables: Sequence[Published]) -> Report:
    """List tables, a line for each; programs get them whole."""
    lines = [(each.name, f"{each.title}: {len(each.rows)} systems") for each in tables]
    return Report(
        name="published",
        parts=lambda: [Table(LINES, lines)],
        objects=lambda: map(_table_object, tables),
        rows=lambda: Rows(
            ["name", "title"], [(each.name, each.title) for each in tables]
        ),
    )


def published_report(published: Published) -> Report:
    """Report a table as it was printed."""
    rows = [[row.system, *_figures(row, published)] for row in published.rows]
    table = Table(columns("F1", *_labels(published)), rows, published.title)
    return Report(
        name="published",
        parts=lambda: [table, Remarks([_source(published)])],
        objects=lambda: [_table_object(published)],
        rows=lambda: _rows(
            ["system"], [[row.system] for row in published.rows], published
        ),
    )


def placed_report(
    placed: PlacedTable, output: str = "text", notes: Iterable[str] = ()
) -> Report:
    """Report a table with a new system in it, whose row is marked."""
    source = _source(placed.published)
    return Report(
        name="beside",
        parts=lambda: [
            _marked(placed, is_plain=output == "text"),
            Remarks([source]),
            Signatures([placed.signature]),
        ],
        objects=lambda: [_placed_object(placed)],
        rows=lambda: _placed_rows(placed),
        notes=[*notes, *(note.message for note in placed.notes)],
    )


def _marked(placed: PlacedTable, *, is_plain: bool) -> Table:
    """Let the new row stand out: by a sign in plain text, in bold otherwise."""
    published = placed.published
    rows: list[list[str | Cell]] = []
    for place, (rank, row) in enumerate(_ranked(placed)):
        sign = (_NEW if place == placed.place else _OLD) if is_plain else ""
        number = "" if rank is None else str(rank)
        cells = [sign + row.system, number, *_figures(row, published)]
        is_bold = place == placed.place and not is_plain
        rows.append([Cell(each, is_best=is_bold and bool(each)) for each in cells])
    name = (_OLD if is_plain else "") + "F1"
    return Table(columns(name, "Rank", *_labels(published)), rows, published.title)


def _placed_rows(placed: PlacedTable) -> Rows:
    heads = [
        [rank, row.system, place == placed.place]
        for place, (rank, row) in enumerate(_ranked(placed))
    ]
    return _rows(["rank", "system", "new"], heads, placed.published, placed.rows)


def _source(published: Published) -> str:
    return f"{published.citation}. https://doi.org/{published.doi}"


def _labels(published: Published) -> list[str]:
    return list(labels_of(SCHEMES[published.scheme], published.columns).values())


def _figures(row: PublishedRow, published: Published) -> list[str]:
    return [percent(row.scores[name], published.decimals) for name in published.columns]


def _ranked(placed: PlacedTable) -> list[tuple[int | None, PublishedRow]]:
    return list(zip(placed.ranks, placed.rows, strict=True))


def _rows(
    header: list[str],
    heads: Sequence[Sequence[object]],
    published: Published,
    rows: Sequence[PublishedRow] | None = None,
) -> Rows:
    """Give each system a row, with a column for each metric's F1."""
    shown = zip(heads, published.rows if rows is None else rows, strict=True)
    figures = (
        [*head, *(row.scores[name] for name in published.columns)]
        for head, row in shown
    )
    return Rows([*header, *published.columns], figures)


def _table_object(published: Published) -> dict[str, object]:
    rows = [row._asdict() for row in published.rows]
    about = dataclasses.asdict(published)
    return {"title": published.title} | about | {"rows": rows}


def _placed_object(placed: PlacedTable) -> dict[str, object]:
    table = _table_object(placed.published)
    del table["rows"]
    return {
        "table": table,
        "system": placed.system,
        "rank": placed.rank,
        "signature": placed.signature,
        "rows": [
            {"rank": rank, "new": place == placed.place} | row._asdict()
            for place, (rank, row) in enumerate(_ranked(placed))
        ],
        "notes": placed.notes,
    }

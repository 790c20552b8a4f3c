"""The command `scoref published`, and reports with published results.

A report shows a table alone or with a new system in it. Percentages have as many
decimals as in print, and a new system's are rounded to the same. Programs get
fractions: those of the table as printed, those of the new system at full precision.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

import click

from scoref.figures import percent
from scoref.metrics import labels_of
from scoref.render import OUTPUTS
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
from scoref.terminal.help import Command
from scoref.terminal.printing import print_report
from scoref.terminal.running import refusing
from scoref.tools.published.tables import COLLECTION, line_about

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.tools.published import PlacedTable, Published, PublishedRow, Source


@click.command(
    cls=Command,
    examples={
        "scoref published": "List the tables.",
        "scoref published conll-2012-english": "Show one of them.",
    },
)
@click.argument("name", required=False)
@click.option("--output", type=click.Choice(OUTPUTS), default="text", show_default=True)
def command(name: str | None, output: str) -> None:
    """Show a table of published results; without a NAME, list the tables."""
    with refusing():
        from scoref.tools.published import names, table

        if name is None:
            print_report(tables_report([table(each) for each in names()]), output)
        else:
            print_report(published_report(table(name)), output)


_NEW, _OLD = "> ", "  "

_MARK = " †"


def tables_report(tables: Sequence[Published]) -> Report:
    """List tables, a line for each; programs get them whole."""
    lines = [(each.name, line_about(each)) for each in tables]
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
    about = _About.of(published)
    rows = [
        [about.name(row), *about.cells(row), *_figures(row, published)]
        for row in published.rows
    ]
    labels = columns("F1", *about.labels, *_labels(published))
    return Report(
        name="published",
        parts=lambda: [Table(labels, rows, published.title), Remarks(about.remarks())],
        objects=lambda: [_table_object(published)],
        rows=lambda: _rows(
            ["system"], [[row.system] for row in published.rows], published
        ),
    )


class _About(NamedTuple):
    """What is told of rows beside their figures: the year and the source, if several.

    A table from one place says so below, and needs no column for it.
    """

    published: Published
    has_years: bool
    has_sources: bool

    @classmethod
    def of(cls, published: Published) -> _About:
        has_years = len({row.year for row in published.rows}) > 1
        return cls(published, has_years, len(published.sources) > 1)

    @property
    def labels(self) -> list[str]:
        return [
            *(["Year"] if self.has_years else []),
            *(["Source"] if self.has_sources else []),
        ]

    def name(self, row: PublishedRow) -> str:
        """Name a system, with a mark if nobody nearer than a collection says it."""
        is_marked = row.source is not None and row.source.evidence == COLLECTION
        return f"{row.system}{_MARK}" if is_marked else row.system

    def cells(self, row: PublishedRow) -> list[str]:
        year = "" if row.year is None else str(row.year)
        number = self._number(row.source) if row.source else ""
        return [
            *([year] if self.has_years else []),
            *([number] if self.has_sources else []),
        ]

    def remarks(self) -> list[str]:
        """Say where figures are from, and what is to be known of them."""
        published = self.published
        told = [self._told(each) for each in published.sources]
        if any(each.evidence == COLLECTION for each in published.sources):
            told.append(f"{_MARK.strip()} as a collection has it that others keep")
        told += published.remarks
        return told + [
            f"{row.system}: {row.note}" for row in published.rows if row.note
        ]

    def _number(self, source: Source) -> str:
        return str(self.published.sources.index(source) + 1)

    def _told(self, source: Source) -> str:
        start = f"{self._number(source)}: " if self.has_sources else ""
        return (
            f"{start}{source.title}, {source.where} ({source.evidence}). {source.url}"
        )


def placed_report(
    placed: PlacedTable, output: str = "text", notes: Iterable[str] = ()
) -> Report:
    """Report a table with a new system in it, whose row is marked."""
    return Report(
        name="beside",
        parts=lambda: [
            _marked(placed, is_plain=output == "text"),
            Remarks(_About.of(placed.published).remarks()),
            Signatures([placed.signature]),
        ],
        objects=lambda: [_placed_object(placed)],
        rows=lambda: _placed_rows(placed),
        notes=[*notes, *(note.message for note in placed.notes)],
    )


def _marked(placed: PlacedTable, *, is_plain: bool) -> Table:
    """Let the new row stand out: by a sign in plain text, in bold otherwise."""
    published, about = placed.published, _About.of(placed.published)
    rows: list[list[str | Cell]] = []
    for place, (rank, row) in enumerate(_ranked(placed)):
        sign = (_NEW if place == placed.place else _OLD) if is_plain else ""
        number = "" if rank is None else str(rank)
        heads = [sign + about.name(row), number, *about.cells(row)]
        is_bold = place == placed.place and not is_plain
        cells = [*heads, *_figures(row, published)]
        rows.append([Cell(each, is_best=is_bold and bool(each)) for each in cells])
    name = (_OLD if is_plain else "") + "F1"
    labels = columns(name, "Rank", *about.labels, *_labels(published))
    return Table(labels, rows, published.title)


def _placed_rows(placed: PlacedTable) -> Rows:
    heads = [
        [rank, row.system, place == placed.place]
        for place, (rank, row) in enumerate(_ranked(placed))
    ]
    return _rows(["rank", "system", "new"], heads, placed.published, placed.rows)


def _labels(published: Published) -> list[str]:
    if published.datasets:
        return ["Macro", *published.datasets]
    return list(labels_of(SCHEMES[published.scheme], published.columns).values())


def _figures(row: PublishedRow, published: Published) -> list[str]:
    return [
        percent(row.scores[name], published.decimals_of(name))
        for name in published.columns
    ]


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
    rows = [_row_object(row) for row in published.rows]
    about = dataclasses.asdict(published)
    del about["dataset_keys"]
    return about | {"rows": rows}


def _row_object(row: PublishedRow) -> dict[str, object]:
    source = None if row.source is None else row.source._asdict()
    return row._asdict() | {"source": source}


def _placed_object(placed: PlacedTable) -> dict[str, object]:
    table = _table_object(placed.published)
    del table["rows"]
    return {
        "table": table,
        "system": placed.system,
        "rank": placed.rank,
        "signature": placed.signature,
        "rows": [
            {"rank": rank, "new": place == placed.place} | _row_object(row)
            for place, (rank, row) in enumerate(_ranked(placed))
        ],
        "notes": placed.notes,
    }

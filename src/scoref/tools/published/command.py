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
@click.option(
    "--output",
    type=click.Choice(OUTPUTS),
    default="text",
    show_default=True,
    help="Output format.",
)
def command(name: str | None, output: str) -> None:
    """Show a table of published results; without a NAME, list the tables."""
    with refusing():
        from scoref.tools.published import names, table

        if name is None:
            print_report(tables_report([table(known) for known in names()]), output)
        else:
            print_report(published_report(table(name)), output)


def tables_report(tables: Sequence[Published]) -> Report:
    """List tables, one line for each; JSON has them completely."""
    return Report(
        name="published",
        parts=lambda: [
            Table(LINES, [(table.name, line_about(table)) for table in tables])
        ],
        objects=lambda: map(_table_object, tables),
        rows=lambda: Rows(
            ["name", "title"], [(table.name, table.title) for table in tables]
        ),
    )


def published_report(published: Published) -> Report:
    """Report a table as it was printed."""
    layout = _Layout.of(published)
    rows = [
        [layout.name(row), *layout.about(row), *layout.figures(row)]
        for row in published.rows
    ]
    labels = columns("F₁", *layout.about_labels, *layout.figure_labels)
    return Report(
        name="published",
        parts=lambda: [Table(labels, rows, published.title), Remarks(layout.remarks())],
        objects=lambda: [_table_object(published)],
        rows=lambda: Rows(
            ["system", *published.columns],
            ([row.system, *_scores(row, published)] for row in published.rows),
        ),
    )


_MARK = " †"


class _Layout(NamedTuple):
    """The cells of a table: year and source of a row, if there are several, and F₁.

    If all figures have the same source, only the remarks name it.
    """

    published: Published
    has_years: bool
    has_sources: bool

    @classmethod
    def of(cls, published: Published) -> _Layout:
        has_years = len({row.year for row in published.rows}) > 1
        return cls(published, has_years, len(published.sources) > 1)

    @property
    def about_labels(self) -> list[str]:
        return [
            *(["Year"] if self.has_years else []),
            *(["Source"] if self.has_sources else []),
        ]

    @property
    def figure_labels(self) -> list[str]:
        published = self.published
        if published.datasets:
            return ["Macro", *published.datasets]
        return list(labels_of(SCHEMES[published.scheme], published.columns).values())

    def name(self, row: PublishedRow) -> str:
        """Return the name of a system, with a mark if only a collection has it."""
        is_marked = row.source is not None and row.source.evidence == COLLECTION
        return f"{row.system}{_MARK}" if is_marked else row.system

    def about(self, row: PublishedRow) -> list[str]:
        year = "" if row.year is None else str(row.year)
        number = self._number(row.source) if row.source else ""
        return [
            *([year] if self.has_years else []),
            *([number] if self.has_sources else []),
        ]

    def figures(self, row: PublishedRow) -> list[str]:
        published = self.published
        return [
            percent(row.scores[name], published.decimals_of(name))
            for name in published.columns
        ]

    def remarks(self) -> list[str]:
        """List the sources of figures, and notes on them."""
        published = self.published
        lines = []
        for source in published.sources:
            start = f"{self._number(source)}: " if self.has_sources else ""
            place = f"{source.title}, {source.where} ({source.evidence})"
            lines.append(f"{start}{place}. {source.url}")
        if any(source.evidence == COLLECTION for source in published.sources):
            lines.append(
                f"{_MARK.strip()} Figure from a collection, not from the paper itself."
            )
        lines += published.remarks
        return lines + [
            f"{row.system}: {row.note}" for row in published.rows if row.note
        ]

    def _number(self, source: Source) -> str:
        return str(self.published.sources.index(source) + 1)


def placed_report(
    placed: PlacedTable, output: str = "text", notes: Iterable[str] = ()
) -> Report:
    """Report a table with a new system in it, whose row is marked."""
    published = placed.published
    return Report(
        name="beside",
        parts=lambda: [
            _placed_table(placed, is_plain=output == "text"),
            Remarks(_Layout.of(published).remarks()),
            Signatures([placed.signature]),
        ],
        objects=lambda: [_placed_object(placed)],
        rows=lambda: Rows(
            ["rank", "system", "new", *published.columns],
            (
                [rank, row.system, is_new, *_scores(row, published)]
                for rank, row, is_new in _ranks(placed)
            ),
        ),
        notes=[*notes, *(note.message for note in placed.notes)],
    )


def _placed_table(placed: PlacedTable, *, is_plain: bool) -> Table:
    """Mark the new row: by a sign in plain text, in bold otherwise."""
    published, layout = placed.published, _Layout.of(placed.published)
    new, old = ("> ", "  ") if is_plain else ("", "")
    rows: list[list[str | Cell]] = []
    for rank, row, is_new in _ranks(placed):
        texts = [
            (new if is_new else old) + layout.name(row),
            "" if rank is None else str(rank),
            *layout.about(row),
            *layout.figures(row),
        ]
        is_bold = is_new and not is_plain
        rows.append([Cell(text, is_best=is_bold and bool(text)) for text in texts])
    labels = columns(f"{old}F₁", "Rank", *layout.about_labels, *layout.figure_labels)
    return Table(labels, rows, published.title)


def _ranks(placed: PlacedTable) -> list[tuple[int | None, PublishedRow, bool]]:
    """List all rows with their ranks, and whether a row is the new one."""
    return [
        (rank, row, place == placed.place)
        for place, (rank, row) in enumerate(zip(placed.ranks, placed.rows, strict=True))
    ]


def _scores(row: PublishedRow, published: Published) -> list[float | None]:
    return [row.scores[name] for name in published.columns]


def _table_object(published: Published) -> dict[str, object]:
    fields = dataclasses.asdict(published)
    del fields["dataset_keys"]
    return fields | {"rows": [_row_object(row) for row in published.rows]}


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
            {"rank": rank, "new": is_new} | _row_object(row)
            for rank, row, is_new in _ranks(placed)
        ],
        "notes": placed.notes,
    }

"""Scores by the classes of records as a report, with sentences on what is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.records.columns import columns_line
from scoref.records.slices import sentence_of
from scoref.render.breakdowns import slices_report
from scoref.render.report import Remarks, Report, Rows, Signatures, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.records.slices import TableSlices
    from scoref.render.report import Part


def table_slices_report(sliced: TableSlices, precision: int = 2) -> Report:
    """Report the scores by class, column by column."""
    response = sliced.whole.response
    reports = [
        slices_report({response: slices}, column, precision)
        for column, slices in sliced.slices.items()
    ]
    tables = [report.table for report in reports]
    return Report(
        name="slices",
        parts=lambda: _parts(sliced, reports, precision),
        objects=lambda: [each for report in reports for each in report.objects()],
        rows=lambda: Rows(tables[0].header, (row for t in tables for row in t.rows)),
        notes=[note.message for note in sliced.notes],
        more={"losses": [loss._asdict() for loss in sliced.losses]},
    )


def _parts(
    sliced: TableSlices, reports: list[Report], precision: int
) -> Iterator[Part]:
    for report in reports:
        yield from (part for part in report.parts() if isinstance(part, Table))
    whole = sliced.whole.score_by("bcub")
    lines = [
        sentence_of(loss, getattr(whole, loss.figure), precision)
        for loss in sliced.losses
    ]
    if not lines:
        lines = ["B³ does not differ much between the classes of these columns."]
    if sliced.whole.columns:
        lines.append(columns_line(sliced.whole.columns))
    yield Remarks(lines)
    yield Signatures([sliced.whole.signature])

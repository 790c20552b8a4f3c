"""A summary of clusters as a report and as a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.figures import percent
from scoref.records.columns import columns_line
from scoref.render.plots import (
    BLUE,
    VERMILION,
    Captions,
    canvases,
    check_plot,
    finish,
    render_figure,
    settings,
)
from scoref.render.report import Remarks, Report, Rows, Signatures, Table, columns
from scoref.writing import write_whole

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from scoref.records.summary import Summary
    from scoref.render.report import Part

_PERCENT = {
    "matching_rate": "Matching rate",
    "homonymy": "Homonymy",
    "name_variation": "Name variation",
}

_COUNTS = {
    "records": "Records",
    "clusters": "Clusters",
    "largest": "Largest cluster",
    "singletons": "Singletons",
    "links": "Pairs within clusters",
}

_NUMBERS = {
    "mean_size": "Mean size",
    "hill_0": "Sizes, Hill number 0",
    "hill_1": "Sizes, Hill number 1",
    "hill_2": "Sizes, Hill number 2",
}


def summary_report(summary: Summary, precision: int = 2) -> Report:
    """Report a summary."""
    return Report(
        name="summary",
        parts=lambda: _parts(summary, precision),
        objects=lambda: [_object(summary)],
        rows=lambda: Rows(["figure", "value"], summary.figures.items()),
        notes=[note.message for note in summary.notes],
    )


def _parts(summary: Summary, precision: int) -> Iterator[Part]:
    figures = summary.figures
    rows = []
    for name, label in _COUNTS.items():
        rows.append([label, f"{figures[name]:,}"])
    for name, label in _NUMBERS.items():
        rows.append([label, f"{figures[name]:.{precision}f}"])
    for name, label in _PERCENT.items():
        value = figures[name]
        if value is not None:
            rows.append([f"{label}, %", percent(value, precision)])
    yield Table(columns("", "Value"), rows)
    sizes = [
        [
            row.label,
            f"{row.clusters:,}",
            f"{row.records:,}",
            percent(row.share, precision),
        ]
        for row in size_classes(summary)
    ]
    yield Table(columns("Size", "Clusters", "Records", "% of records"), sizes)
    lines = []
    if summary.names is not None:
        names = summary.names
        lines.append(
            f"Names: {names.names:,}, of which several clusters have {names.shared:,}; "
            f"{names.varied:,} of {names.clusters:,} clusters have several names"
        )
    if summary.columns:
        lines.append(columns_line(summary.columns))
    yield Remarks(lines)
    yield Signatures([summary.signature])


def _object(summary: Summary) -> dict[str, object]:
    return {
        "source": summary.source,
        **summary.figures,
        "sizes": [[size, times] for size, times in sorted(summary.sizes.items())],
        "names": None if summary.names is None else summary.names._asdict(),
        "columns": summary.columns,
        "signature": summary.signature,
        "notes": summary.notes,
    }


class SizeClass(NamedTuple):
    """The clusters of some sizes."""

    label: str
    clusters: int
    records: int
    share: float


def size_classes(summary: Summary) -> list[SizeClass]:
    """Sort clusters by size into the classes 1, 2, 3 to 4, 5 to 8 and so on."""
    last = (max(summary.sizes) - 1).bit_length()
    classes = []
    for number in range(last + 1):
        first, most = 2**number // 2 + 1, 2**number
        sizes = {n: k for n, k in summary.sizes.items() if first <= n <= most}
        label = f"{most:,}" if first >= most else f"{first:,}–{most:,}"
        records = sum(n * k for n, k in sizes.items())
        classes.append(
            SizeClass(label, sum(sizes.values()), records, records / summary.records)
        )
    return classes


_ROW_HEIGHT = 0.3


def plot_summary(path: str | os.PathLike[str], summary: Summary) -> None:
    """Draw how many clusters and how many records there are of each size.

    Args:
        path: where to write; the suffix is ``.svg``, ``.png`` or ``.html``.
        summary: the result of `scoref.summarise_table`.
    """
    kind = check_plot(path)
    rows = size_classes(summary)
    subtitle = (
        f"{summary.clusters:,} clusters of {summary.records:,} records; matching rate "
        f"{percent(summary.matching_rate)} %"
    )
    captions = Captions("Clusters by size", subtitle, (summary.signature,))
    with settings():
        figure, (count, share) = canvases(len(rows) * _ROW_HEIGHT, 2)
        places = range(len(rows))
        count.barh(places, [row.clusters for row in rows], color=BLUE, zorder=3)
        count.set_xscale("symlog", linthresh=1)
        count.set_xlim(0, None)
        count.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        share.barh(places, [100 * row.share for row in rows], color=VERMILION, zorder=3)
        for axes, labels in ((count, [row.label for row in rows]), (share, [])):
            axes.set_yticks(places, labels or [""] * len(rows))
            axes.set_ylim(len(rows) - 0.5, -0.5)
        count.set_ylabel("records in a cluster")
        finish(count, captions, "clusters")
        share.set_xlabel("percent of the records")
        hovers = [
            f"{row.label} records: {row.clusters:,} clusters, {row.records:,} records"
            for row in rows
        ]
        data = render_figure(figure, kind, captions, hovers)
    write_whole(path, data)

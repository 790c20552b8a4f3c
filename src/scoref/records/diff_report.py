"""The difference of two releases as a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.figures import percent
from scoref.records.columns import columns_line
from scoref.render.report import Remarks, Report, Rows, Signatures, Table, columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.records.diff import ChangedCluster, Diff
    from scoref.render.report import Part

_CLUSTERS = {
    "kept": "Kept",
    "unchanged": "Kept unchanged",
    "split": "Split",
    "merged": "Merged",
    "split_and_merged": "Split and merged",
    "removed": "Removed",
    "added": "New",
}

_RECORDS = {
    "moved": "Moved",
    "removed_records": "Removed",
    "added_records": "New",
}

_LISTED = 10  # clusters in the text


def diff_report(diff: Diff, precision: int = 2) -> Report:
    """Report what changed between two releases."""
    return Report(
        name="diff",
        parts=lambda: _parts(diff, precision),
        objects=lambda: [_object(diff)],
        rows=lambda: Rows(["figure", "value"], diff.figures.items()),
        notes=[note.message for note in diff.notes],
    )


def _parts(diff: Diff, precision: int) -> Iterator[Part]:
    figures = diff.figures
    rows = [[label, f"{figures[name]:,}"] for name, label in _CLUSTERS.items()]
    yield Table(columns("Clusters", "Number"), rows)
    rows = [[label, f"{figures[name]:,}"] for name, label in _RECORDS.items()]
    yield Table(columns("Records", "Number"), rows)
    if diff.changed:
        yield Table(
            columns(
                "Least retained",
                "Size",
                "Parts",
                "Retained, %",
                "Largest part",
                "Others there",
            ),
            [_row(cluster, precision) for cluster in diff.changed[:_LISTED]],
        )
    retained = percent(diff.retained, precision)
    lines = [
        f"Clusters: {figures['old_clusters']:,} old, {figures['new_clusters']:,} new",
        f"Records: {figures['old_records']:,} old, {figures['new_records']:,} new",
        f"Retained: {retained} % of the old records stayed with most of their cluster",
    ]
    if diff.columns:
        names = {
            use.replace("key ", "old ").replace("response ", "new "): name
            for use, name in diff.columns.items()
        }
        lines.append(columns_line(names))
    yield Remarks(lines)
    yield Signatures([diff.signature])


def _row(cluster: ChangedCluster, precision: int) -> list[str]:
    return [
        cluster.cluster,
        f"{cluster.size:,}",
        f"{cluster.parts:,}",
        percent(cluster.retained, precision),
        cluster.largest or "–",
        f"{cluster.others:,}",
    ]


def _object(diff: Diff) -> dict[str, object]:
    return {
        "old": diff.old,
        "new": diff.new,
        **diff.figures,
        "changed": None
        if diff.changed is None
        else [
            {**cluster._asdict(), "retained": cluster.retained}
            for cluster in diff.changed
        ],
        "columns": diff.columns,
        "signature": diff.signature,
        "notes": diff.notes,
    }

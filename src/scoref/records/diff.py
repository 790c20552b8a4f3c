"""The function `diff_tables`: what changed between two releases of clusters.

Records that only one release has are new or removed. What happened to a cluster is told
by the records of both releases: it is *split* if they are in several clusters now, and
*merged* if their clusters also have records of another old cluster. A cluster is *kept*
if neither happened. The retained share of a cluster is the part of its records that
stayed together: the largest number that is in one new cluster, divided by its size.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency import FATES
from scoref.contingency.partition import clusterwise, commons
from scoref.displayed import Displayed
from scoref.records.api import score_table
from scoref.records.cluster_labels import can_be_listed, labels_of_result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    from scoref.contingency import Contingency
    from scoref.model import Ints, Note
    from scoref.records.api import TableOptions
    from scoref.scoring.results import Result

_KEPT, _MERGED, _SPLIT, _BOTH = range(len(FATES))


class ChangedCluster(NamedTuple):
    """A cluster of the old release that did not stay as it was.

    Args:
        cluster: its name.
        size: how many records it had.
        parts: in how many new clusters they are.
        removed: how many of them the new release lacks.
        largest: the new cluster that has most of them.
        together: how many of them that one has.
        others: how many records of other old clusters that one has.
        records: some of the records that left.
    """

    cluster: str
    size: int
    parts: int
    removed: int
    largest: str | None
    together: int
    others: int
    records: tuple[str, ...]

    @property
    def retained(self) -> float:
        """The share of its records that stayed together."""
        return self.together / self.size


@dataclass(frozen=True, eq=False, repr=False)
class Diff(Displayed):
    """What changed between two releases.

    ``changed`` lists clusters that were split, merged or lost records, the one with the
    smallest retained share first; None if the tables are too large to list them.
    """

    old: str
    new: str
    figures: dict[str, float]
    signature: str
    notes: tuple[Note, ...]
    changed: tuple[ChangedCluster, ...] | None = None
    columns: Mapping[str, str] = field(default_factory=dict)

    _reported_by = "records.diff_report:diff_report"

    @property
    def _in_short(self) -> str:
        return f"{100 * self.retained:.2f} % retained"

    @property
    def retained(self) -> float:
        """The mean of the retained shares over the records of the old release."""
        return self.figures["retained"]


def diff_tables(old: object, new: object, **options: Unpack[TableOptions]) -> Diff:
    """Compare two releases of clusters.

    Args:
        old: the earlier release, as `score_table` takes a key.
        new: the later one, as `score_table` takes a response.
        options: those of `score_table` that are about reading.

    >>> diff = diff_tables([["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]])
    >>> diff.figures["split"], diff.figures["merged"], diff.figures["moved"]
    (1, 2, 1)
    >>> diff.retained
    0.75
    """
    result = score_table(
        old, new, **options, metrics="bcub", ceaf=False, universe="both"
    )
    mentions = result.mentions
    is_same = mentions["key"] == mentions["response"] == mentions["common"]
    common = result
    if not is_same:
        common = score_table(
            old, new, **options, metrics="bcub", ceaf=False, universe="common"
        )
    diff = diff_of(result, common)
    tables = [old, new]
    if not can_be_listed(tables, mentions["key"] + mentions["response"]):
        return diff
    labels = labels_of_result(result, tables, options)
    return replace(diff, changed=changed_clusters(*labels))


_ABOUT_SCORES = {"only-in-key", "only-in-response", "key-is-a-sample", "coverage"}


def diff_of(result: Result, common: Result) -> Diff:
    """Return what changed, from the counts of all records and of the common ones."""
    whole, both = result.table, common.table
    assert whole is not None
    assert both is not None
    fates = clusterwise(both).fates.sum(axis=0).tolist()
    largest = int(clusterwise(both).largest[:, 0].sum())
    unchanged = int(clusterwise(whole).fates[:, _KEPT].sum())
    old, new, shared = whole.mention_totals
    figures = {
        "old_clusters": result.clusters["key"],
        "new_clusters": result.clusters["response"],
        "kept": fates[_KEPT],
        "unchanged": unchanged,
        "split": fates[_SPLIT] + fates[_BOTH],
        "merged": fates[_MERGED] + fates[_BOTH],
        "split_and_merged": fates[_BOTH],
        "removed": _without_common(whole, 0),
        "added": _without_common(whole, 1),
        "old_records": old,
        "new_records": new,
        "moved": shared - largest,
        "removed_records": old - shared,
        "added_records": new - shared,
        "retained": largest / old,
    }
    notes = tuple(note for note in result.notes if note.kind not in _ABOUT_SCORES)
    return Diff(
        result.key,
        result.response,
        figures,
        result.signature.partition("|undefined")[0],  # the rest is about scores
        notes,
        columns=result.columns,
    )


def _without_common(table: Contingency, side: int) -> int:
    """Count the clusters of a side without a record that the other side has."""
    times = table.response_times if side else table.key_times
    lone = commons(table)[side] == 0
    return int(np.broadcast_to(times, lone.shape)[lone].sum())


MOST_RECORDS = 20
"""How many records of a changed cluster are listed."""


def changed_clusters(
    old: Sequence[str | None], new: Sequence[str | None], records: Sequence[str]
) -> tuple[ChangedCluster, ...]:
    """List the clusters that changed, the smallest retained share first.

    Args:
        old: the old cluster of each record; None if it has none.
        new: its new cluster.
        records: the names of the records.

    >>> (one,) = changed_clusters(["x", "x", "x"], ["a", "a", None], ["r", "s", "t"])
    >>> one.retained, one.removed, one.records
    (0.6666666666666666, 1, ('t',))
    """
    (old_names, g), (new_names, p) = _coded(old), _coded(new)
    in_old = np.flatnonzero(g >= 0)
    size = np.bincount(g[in_old], minlength=len(old_names))
    both = in_old[p[in_old] >= 0]
    width = np.int64(max(1, len(new_names)))
    cell, n = np.unique(g[both] * width + p[both], return_counts=True)
    owner, part = cell // width, cell % width
    parts = np.bincount(owner, minlength=len(size))
    common = np.bincount(owner, n, len(size)).astype(np.int64)
    of_new = np.bincount(part, n, len(new_names)).astype(np.int64)
    # The largest part of each cluster is the last one in this order.
    order = np.lexsort((-part, n, owner))
    last = np.searchsorted(owner[order], np.arange(len(size)), side="right") - 1
    is_there = parts > 0
    main = np.full(len(size), -1, dtype=np.int64)
    main[is_there] = order[last[is_there]]
    together = np.where(is_there, np.append(n, 0)[main], 0)
    others = np.where(is_there, np.append(of_new[part] - n, 0)[main], 0)
    is_merged = np.bincount(owner, of_new[part] - n, len(size)) > 0
    changed = np.flatnonzero((parts > 1) | is_merged | (common < size))
    changed = changed[
        np.lexsort((changed, -size[changed], together[changed] / size[changed]))
    ]
    gone = _records_that_left(g, p, np.append(part, -1)[main], in_old)
    return tuple(
        ChangedCluster(
            old_names[cluster],
            int(size[cluster]),
            int(parts[cluster]),
            int(size[cluster] - common[cluster]),
            new_names[int(part[main[cluster]])] if is_there[cluster] else None,
            int(together[cluster]),
            int(others[cluster]),
            tuple(records[row] for row in gone.get(cluster, ())),
        )
        for cluster in changed.tolist()
    )


def _coded(labels: Sequence[str | None]) -> tuple[list[str], Ints]:
    """Number clusters in the order of their names; -1 for none."""
    names = sorted({label for label in labels if label is not None})
    place = {name: number for number, name in enumerate(names)}
    codes = [-1 if label is None else place[label] for label in labels]
    return names, np.array(codes, dtype=np.int64)


def _records_that_left(
    g: Ints, p: Ints, main: Ints, in_old: Ints
) -> dict[int, list[int]]:
    """Return the first rows of each old cluster that are not in its largest part."""
    left = in_old[(p[in_old] < 0) | (p[in_old] != main[g[in_old]])]
    rows: dict[int, list[int]] = {}
    for row, cluster in zip(left.tolist(), g[left].tolist(), strict=True):
        of_cluster = rows.setdefault(cluster, [])
        if len(of_cluster) < MOST_RECORDS:
            of_cluster.append(row)
    return rows

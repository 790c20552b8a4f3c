"""The engine NumPy: counts, names of clusters, and samples."""

from __future__ import annotations

import numpy as np
import pytest

from scoref.errors import DuplicateError
from scoref.records.columns import WantedColumns
from scoref.records.numpy_engine import (
    CodedClusters,
    cluster_names,
    count,
    count_sample,
    tabulate,
)
from scoref.records.request import CountRequest, Overlap
from scoref.records.sources import Columns

KEY = Columns("key", {"id": ["a", "b", "c", ""], "c": ["x", "x", "NA", "y"]})
RESPONSE = Columns("response", {"id": ["a", "b", "d"], "c": [1, 2, 2]})


def test_rows_are_counted_by_what_they_lack() -> None:
    counts = count([KEY, RESPONSE], CountRequest(ceaf=False))
    side = counts.key
    assert (side.rows, side.unnamed, side.unclustered, side.null_words) == (4, 1, 1, 1)
    assert side.clustered == 2
    assert counts.overlap == Overlap(key_only=0, response_only=1, common=2)
    assert counts.blocks == [""]


def test_a_mention_with_two_rows_is_refused_or_kept_once() -> None:
    twice = Columns("key", {"id": ["a", "b", "a"], "c": ["x", "x", "y"]})
    with pytest.raises(DuplicateError, match="'a'"):
        count([twice, RESPONSE], CountRequest())
    second = Columns("key", {"id": ["a", "b", "b"], "c": ["x", "x", "y"]})
    with pytest.raises(DuplicateError, match="'b'"):
        count([second, RESPONSE], CountRequest())
    names = {
        which: cluster_names([twice, RESPONSE], CountRequest(duplicates=which))[0][0]
        for which in ("first", "last")
    }
    assert names == {"first": "x", "last": "y"}


def test_names_of_clusters_begin_with_their_group() -> None:
    table = Columns(
        "both", {"id": ["a", "b"], "gold": [1, 1], "pred": [2, None], "day": ["m", "t"]}
    )
    wanted = WantedColumns(group="day")
    assert cluster_names([table], CountRequest(wanted=wanted)) == (
        *(["m: 1", "t: 1"], ["m: 2", None]),
        ["a", "b"],
    )


def test_a_sample_has_the_cells_of_labelled_clusters() -> None:
    counts = count_sample([KEY, RESPONSE], CountRequest())
    assert counts.clusters == ["x"]
    assert counts.size.tolist() == counts.predicted_records.tolist() == [2]
    assert counts.shared.tolist() == [1, 1]
    assert counts.predicted_size.tolist() == [1, 2]
    assert counts.predicted_clusters == 2


def test_clusters_are_tabulated_by_block() -> None:
    zero = np.zeros(2, dtype=np.int64)
    clusters = CodedClusters(
        np.array([0, 0, 1, -1]), np.array([0, 1, 1, 1]), zero, zero
    )
    table = clusters.table(1)
    assert table.overlap.tolist() == [1, 1, 1]
    assert (table.key_mentions.tolist(), table.common_mentions.tolist()) == ([3], [3])
    counts = tabulate(clusters, 1, is_aligned=False)
    assert counts.common_mentions.tolist() == [3]

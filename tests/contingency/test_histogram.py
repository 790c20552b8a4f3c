"""Tables in which a row represents equal entities score as tables of entities do."""

from __future__ import annotations

import numpy as np

from scoref.contingency.histogram import (
    count_rows,
    histogram,
    join_histograms,
    kinds_of,
    of_documents,
)
from scoref.metrics.b_cubed import B_CUBED
from scoref.metrics.muc import MUC
from support.clusterings import tabulate

KEY = [["a", "b"], ["c", "d"], ["e"]]
RESPONSE = [["a", "b"], ["c", "d"], ["e", "x"]]


def test_equal_rows_are_counted_and_sorted() -> None:
    columns = np.array([2, 1, 2]), np.array([5, 7, 5])
    assert count_rows(*columns).tolist() == [[1, 7, 1], [2, 5, 2]]


def test_a_histogram_has_the_counts_of_its_table() -> None:
    table = tabulate(KEY, RESPONSE)
    rows = histogram(kinds_of(table), 1)
    assert len(rows.key_size) == 2  # two equal entities are one row
    for metric in (MUC, B_CUBED):
        assert metric.count(rows).tolist() == metric.count(table).tolist()


def test_histograms_are_joined_and_taken_apart() -> None:
    one, other = (
        histogram(kinds_of(tabulate(*sides)), 1)
        for sides in ((KEY, RESPONSE), (RESPONSE, KEY))
    )
    both = join_histograms([one, other], [0, 1])
    counts = [MUC.count(table)[0].tolist() for table in (one, other)]
    assert MUC.count(both).tolist() == counts
    assert MUC.count(of_documents(both, [1])).tolist() == MUC.count(other).tolist()

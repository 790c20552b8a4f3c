"""The spanning forest, and the metrics with running sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.records.curve.thresholds import COUNTS, merge_records, spanning_forest
from support.nightly import IS_NIGHTLY

if TYPE_CHECKING:
    Pair = tuple[int, int, float]

KEY = {1: "a", 2: "a", 3: "a", 4: "b", 5: "b"}


@settings(max_examples=60 if IS_NIGHTLY else 25)
@given(
    ends=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30),
)
def test_the_forest_is_what_a_union_find_over_all_pairs_takes(
    ends: list[tuple[int, int]],
) -> None:
    left, right = (
        np.array([each[side] for each in ends], dtype=np.int64) for side in (0, 1)
    )
    parent = list(range(10))

    def root(record: int) -> int:
        return record if parent[record] == record else root(parent[record])

    taken = []
    for place, (a, b) in enumerate(ends):
        if root(a) != root(b):
            parent[root(a)] = root(b)
            taken.append(place)
    assert spanning_forest(left, right, 10).tolist() == taken
    actual = merge_records(left, right, -np.arange(len(ends), dtype=np.float64), 10)
    assert sorted(actual.place.tolist()) == list(range(10))


def test_every_metric_of_a_curve_is_one_of_tables() -> None:
    assert set(COUNTS) <= set(scoref.score_table(KEY, KEY).metrics) | {
        "pairwise-membership"
    }

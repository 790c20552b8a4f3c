"""Divided and conflated clusters of tables."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scoref.tools.report.clusters import LISTED, MOST, clusters_of

if TYPE_CHECKING:
    from collections.abc import Sequence

LABELS = st.lists(
    st.tuples(st.integers(-1, 4), st.integers(-1, 4)), min_size=0, max_size=20
)


def slow(ours: Sequence[int], theirs: Sequence[int]) -> dict[int, dict[int, int]]:
    """Count what each cluster shares with those of the other side, if with several."""
    shared: dict[int, dict[int, int]] = {}
    for one, other in zip(ours, theirs, strict=True):
        if one >= 0 and other >= 0:
            shared.setdefault(one, {}).setdefault(other, 0)
            shared[one][other] += 1
    return {one: parts for one, parts in shared.items() if len(parts) > 1}


@given(pairs=LABELS)
def test_clusters_are_those_that_have_several_parts(
    pairs: list[tuple[int, int]],
) -> None:
    ours, theirs = [one for one, _ in pairs], [other for _, other in pairs]
    ids = [f"m{row}" for row in range(len(pairs))]
    clusters = clusters_of(np.array(ours, np.int64), np.array(theirs, np.int64), ids)
    for listed, sides, roles in (
        (clusters["divided"], (ours, theirs), ("key", "response")),
        (clusters["conflated"], (theirs, ours), ("response", "key")),
    ):
        expected = slow(*sides)
        assert {int(str(cluster[roles[0]])) for cluster in listed} == set(expected)
        for cluster in listed:
            name = int(str(cluster[roles[0]]))
            parts: list[dict[str, int]] = cluster["parts"]  # type: ignore[assignment]
            assert {int(p[roles[1]]): p["shared"] for p in parts} == expected[name]
            assert [p["size"] for p in parts] == [
                sides[1].count(int(p[roles[1]])) for p in parts
            ]
            assert all(a["shared"] >= b["shared"] for a, b in pairwise(parts))
            assert cluster["size"] == sides[0].count(name)
            assert cluster["mentions"] == [
                ids[row] for row, label in enumerate(sides[0]) if label == name
            ]
        sizes = [int(str(cluster["size"])) for cluster in listed]
        assert sizes == sorted(sizes, reverse=True)


def test_labels_may_be_anything_and_nothing() -> None:
    ours = ["x", "x", "x", None, "", "y"]
    clusters = clusters_of(ours, ["a", "b", None, "a", "b", "a"], range(6))
    assert [cluster["key"] for cluster in clusters["divided"]] == ["x"]
    assert clusters["divided"][0]["size"] == 3
    assert clusters["divided"][0]["mentions"] == ["0", "1", "2"]
    assert [cluster["response"] for cluster in clusters["conflated"]] == ["a"]
    json.dumps(clusters)


def test_no_more_are_listed_than_a_page_holds() -> None:
    count = 3 * MOST
    whole = np.zeros(count, np.int64)
    clusters = clusters_of(whole, np.arange(count), range(count))
    (divided,) = clusters["divided"]
    assert len(divided["parts"]) == len(divided["mentions"]) == MOST  # type: ignore[arg-type]
    assert divided["part_count"] == divided["size"] == count
    pairs = np.repeat(np.arange(LISTED + 7), 2)
    many = clusters_of(pairs, np.arange(len(pairs)), pairs)
    assert len(many["divided"]) == LISTED
    assert (many["divided_count"], many["conflated_count"]) == (LISTED + 7, 0)


def test_nothing_is_nothing() -> None:
    counts = {"divided_count": 0, "conflated_count": 0}
    assert clusters_of([], [], []) == {"divided": [], "conflated": [], **counts}

"""Prices prove the best matching, and no other."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest

from scoref.metrics._assignment import best_matching
from scoref.metrics._duals import Graph, prices

NOTHING = -(1 << 62)


def is_proved(
    graph: Graph,
    row_floor: list[int] | None = None,
    column_floor: list[int] | None = None,
) -> bool:
    rows, columns = (int(end.max()) + 1 for end in (graph.row, graph.column))
    found = prices(
        graph,
        np.array(row_floor or [NOTHING] * rows),
        np.array(column_floor or [NOTHING] * columns),
    )
    return bool(found.is_row_sound.all() and found.is_column_sound.all())


def drawn(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = Random(seed)  # noqa: S311 - no secret is made
    edges = [(row, column) for row in range(4) for column in range(4)]
    chosen = sorted(random.sample(edges, 7))
    row, column = (np.array(end) for end in zip(*chosen, strict=True))
    return row, column, np.array([random.randint(1, 5) for _ in chosen])


@pytest.mark.parametrize("seed", range(20))
def test_a_matching_is_proved_if_none_weighs_more(seed: int) -> None:
    row, column, weight = drawn(seed)
    best = int(weight[best_matching(row, column, weight)].sum())
    for count in range(5):
        for some in combinations(range(len(row)), count):
            matched = np.array(some, dtype=np.int64)
            is_matching = len({*row[matched]}) == len({*column[matched]}) == count
            if is_matching:
                graph = Graph(row, column, weight, matched)
                assert is_proved(graph) == (int(weight[matched].sum()) == best)


def test_what_an_end_could_have_elsewhere_is_a_floor() -> None:
    one = np.array([0])
    graph = Graph(one, one, np.array([5]), one)
    assert is_proved(graph, [2], [3])
    assert not is_proved(graph, [3], [3])
    nobody = Graph(one, one, np.array([5]), one[:0])
    assert not is_proved(nobody, [0], [0])

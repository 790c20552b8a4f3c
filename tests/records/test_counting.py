"""Counting by SQL: clusters in one cell are counted from the cells."""

from __future__ import annotations

import numpy as np

from scoref.contingency.histogram import Kinds
from scoref.records.counting import KindRows, add_undivided, kinds_of_rows
from scoref.records.queries import CELLS, DIVIDED_KEYS

NOBODY = np.empty((0, 3), dtype=np.int64)


def test_a_cell_tells_of_the_clusters_that_lie_in_it_whole() -> None:
    cells = [
        # document, n, a, b, common of both, times
        [0, 2, 2, 2, 2, 2, 5],  # equal clusters
        [0, 1, 1, 4, 1, 4, 3],  # a key's cluster in a larger one
        [0, 3, 4, 3, 4, 3, 1],  # a response's cluster in a larger one
        [1, 1, 4, 4, 4, 4, 1],  # both divided
    ]
    kinds = Kinds(
        cells=np.array(cells),
        key=np.empty((0, 4), dtype=np.int64),
        response=np.empty((0, 4), dtype=np.int64),
        key_nearest=np.array([[0, 0.75, 1], [1, 1 / 7, 1]]),
        response_nearest=np.array([[0, 0.25, 2]]),
        key_largest=np.array([[0, 1, 2]]),
        response_largest=NOBODY,
        fates=np.array([[0, 3, 1]]),
    )
    actual = add_undivided(kinds)
    assert {name: getattr(actual, name).tolist() for name in Kinds._fields[3:]} == {
        "key_nearest": [[0, 0.25, 3], [0, 0.75, 1], [0, 1, 5], [1, 1 / 7, 1]],
        "response_nearest": [[0, 0.25, 2], [0, 0.75, 1], [0, 1, 5]],
        "key_largest": [[0, 1, 5], [0, 2, 5]],
        "response_largest": [[0, 2, 5], [0, 3, 1]],
        "fates": [[0, 0, 5], [0, 1, 3], [0, 3, 1]],
    }
    assert actual.key_largest.dtype == np.int64


def test_entities_are_counted_from_the_mentions_of_equal_cells() -> None:
    cells = [
        # part, block, n, a, b, common of both, times
        [CELLS, 0, 2, 3, 2, 2, 2, 4],  # four key entities with two common mentions
        [CELLS, 0, 1, 3, 0, 2, 0, 4],  # and a mention that the response lacks
        [CELLS, 0, 5, 0, 5, 0, 0, 1],  # an entity that only the response has
        [DIVIDED_KEYS, 0, 2, 3, 0, 0, 0, 4],  # n is the largest share, a the fate
    ]
    names = "part", "block", "n", "a", "b", "a_common", "b_common", "times"
    columns = dict(zip(names, np.array(cells).T, strict=True))
    best = np.array([0, 0, 0, 2 / 3])
    actual = kinds_of_rows(KindRows(**columns, best=best))
    assert actual.cells.tolist() == [[0, 2, 3, 2, 2, 2, 4]]
    assert actual.key.tolist() == [[0, 3, 2, 4]]
    assert actual.response.tolist() == [[0, 2, 2, 4], [0, 5, 0, 1]]
    assert actual.key_nearest.tolist() == [[0, 2 / 3, 4]]
    assert actual.key_largest.tolist() == [[0, 2, 4]]
    assert actual.fates.tolist() == [[0, 3, 4]]
    assert not len(actual.response_nearest)

"""The SQL of the queries, run by an engine on a small table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scoref.records.queries import ESCAPE, FRESH, Queries

if TYPE_CHECKING:
    from scoref.scheme import Universe

duckdb = pytest.importorskip("duckdb")

TABLES = """
CREATE TABLE key AS
SELECT * FROM (VALUES ('a', 'g1'), ('b', 'g1'), ('c', 'g2')) AS k(mention, cluster);
CREATE TABLE response AS
SELECT * FROM (VALUES ('a', 'p1'), ('b', 'p2'), ('d', 'p2')) AS r(mention, cluster);
"""


def count_parts(queries: Queries) -> list[tuple[object, ...]]:
    database = duckdb.connect()
    database.execute(TABLES)
    parts = queries.parts_of_sides("key", "response")
    database.execute(f"CREATE TABLE parts AS {parts}")
    return sorted(database.execute(queries.counted()).fetchall(), key=str)


def test_mentions_of_one_side_have_no_cluster_on_the_other() -> None:
    assert count_parts(Queries("both", is_grouped=False)) == [
        *(("g1", "p1", 1), ("g1", "p2", 1)),
        *(("g2", None, 1), (None, "p2", 1)),
    ]


@pytest.mark.parametrize(
    ("universe", "rows"),
    [
        ("common", [("g1", "p1", 1), ("g1", "p2", 1)]),
        ("key", [("g1", "p1", 1), ("g1", "p2", 1), ("g2", f"{FRESH}c", 1)]),
        ("response", [(f"{FRESH}d", "p2", 1), ("g1", "p1", 1), ("g1", "p2", 1)]),
    ],
)
def test_a_universe_leaves_mentions_out_or_makes_clusters(
    universe: Universe, rows: list[tuple[object, ...]]
) -> None:
    queries = Queries(universe, is_grouped=False)
    assert sorted(count_parts(queries), key=str) == sorted(rows, key=str)


@pytest.mark.parametrize("is_grouped", [False, True])
def test_sizes_of_a_complete_table_are_counted_once_with_the_same_counts(
    is_grouped: bool,
) -> None:
    database = duckdb.connect()
    cells = "('g1', 'p1', 3), ('g1', 'p2', 1), ('g2', 'p2', 2), ('g3', 'p3', 4)"
    database.execute(f"CREATE TABLE all_cells AS FROM (VALUES {cells}) AS c(g, p, n)")
    database.execute("CREATE VIEW counted AS SELECT 'b' AS block, * FROM all_cells")
    found = []
    for is_complete in (False, True):
        queries = Queries("both", is_grouped, is_complete=is_complete)
        database.execute(f"CREATE OR REPLACE TABLE sized AS {queries.sized()}")
        asked = queries.kinds(), queries.entangled()
        found.append([sorted(database.execute(each).fetchall()) for each in asked])
        columns = [row[0] for row in database.execute("DESCRIBE sized").fetchall()]
        assert ("a_common" in columns) != is_complete
    assert found[0] == found[1]
    assert [len(rows) for rows in found[0]] == [6, 3]


def test_made_clusters_differ_from_escaped_ones() -> None:
    assert not FRESH.startswith(ESCAPE)
    assert not ESCAPE.startswith(FRESH)


def test_groups_are_a_column_of_every_query() -> None:
    queries = Queries("both", is_grouped=True)
    assert all("block" in query for query in (queries.kinds(), queries.sized()))
    without = Queries("both", is_grouped=False)
    assert not any("block" in query for query in (without.kinds(), without.sized()))

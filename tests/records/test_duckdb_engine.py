"""DuckDB within a memory limit, and closed to files that were not given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb
import numpy as np
import pytest

import scoref
from scoref.errors import DuplicateError, FormatError, OptionError
from scoref.records import duckdb_engine
from scoref.records.api import score_table
from scoref.records.duckdb_engine import DuckSession, SidePieces
from scoref.records.request import CountRequest

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.records.queries import Queries
    from scoref.records.request import Duplicates

    Clustering = dict[tuple[str, str], str]
    Table = dict[str, list[str | None]]

pa = pytest.importorskip("pyarrow")
ROWS = {"m1": "a", "m2": "a", "m3": "b"}


def write_parquet(path: Path, rows: dict[str, str]) -> None:
    from pyarrow import parquet  # if it is there

    table = pa.table({"mention": list(rows), "cluster": list(rows.values())})
    parquet.write_table(table, path)


def test_memory_is_no_sql(tmp_path: Path) -> None:
    target = tmp_path / "written.csv"
    with pytest.raises(OptionError, match="is not an amount of memory"):
        score_table(
            ROWS,
            ROWS,
            engine="duckdb",
            memory=f"1GB'; COPY (SELECT 1) TO '{target}'; SET memory_limit = '1GB",
        )
    assert not target.exists()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM read_csv('{secret}')",
        "SELECT content AS id, 1 AS c FROM read_text('{secret}')",
        "SELECT file AS id, 1 AS c FROM glob('{folder}/*')",
    ],
)
def test_a_view_reads_no_other_file(tmp_path: Path, query: str) -> None:
    (secret := tmp_path / "secret.csv").write_text("id,c\nm1,secret\n")
    path = tmp_path / "people.duckdb"
    with duckdb.connect(str(path)) as database:
        view = query.format(secret=secret, folder=tmp_path)
        database.execute(f"CREATE VIEW people AS {view}")
    with pytest.raises(FormatError, match="reads another file, which is not allowed"):
        score_table(path, ROWS)


def test_a_view_of_its_own_database_is_read(tmp_path: Path) -> None:
    path = tmp_path / "people.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE t AS SELECT 'm1' AS id, 'a' AS c")
        database.execute("CREATE VIEW people AS SELECT * FROM t")
    before = path.read_bytes()
    assert score_table(path, ROWS, table="people").mentions["key"] == 1
    assert path.read_bytes() == before


@pytest.mark.parametrize("memory", [None, "100MB"])
def test_a_page_that_is_damaged_is_told_with_its_file(
    tmp_path: Path, memory: str | None
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    count = 300_000
    ids = [f"m{number:07}" for number in range(count)]
    clusters = [f"c{number // 3}" for number in range(count)]
    table = pa.table({"mention": ids, "cluster": clusters})
    paths = [tmp_path / "key.parquet", tmp_path / "response.parquet"]
    for path in paths:
        parquet.write_table(table, path, compression="snappy", row_group_size=50_000)
    data = bytearray(paths[1].read_bytes())
    for start in (len(data) // 3, len(data) // 2):
        place = slice(start, start + 400)
        data[place] = bytes(each ^ 0x5A for each in data[place])
    paths[1].write_bytes(data)
    with pytest.raises(FormatError, match=r"response\.parquet: cannot be read: Snappy"):
        score_table(*map(str, paths), engine="duckdb", memory=memory)


def random_labels(rows: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(5)
    key = rng.integers(0, rows // 8, rows)
    moved = rng.random(rows) < 0.1
    return {"key": key, "response": np.where(moved, rng.permutation(key), key)}


def test_passes_over_parts_of_the_mentions_add_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    labels = random_labels(5_000)
    sides = [
        {"id": [f"m{i}" for i in range(5_000)][:-9], "c": labels["key"][:-9]},
        {"id": [f"m{i}" for i in range(5_000)][9:], "c": labels["response"][9:]},
    ]
    at_once = score_table(*sides, engine="duckdb")
    monkeypatch.setattr(duckdb_engine, "_BYTES_OF_A_ROW", 2**50)
    assert score_table(*sides, engine="duckdb", memory="8GB") == at_once


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing fit into memory, so that sides are cut into pieces on disk."""
    monkeypatch.setattr(duckdb_engine, "_BYTES_OF_A_ROW", 2**50)


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize("kinds", [("int16", "int64"), ("int64", "int8")])
def test_negative_ids_meet_in_passes_even_if_columns_differ_in_width(
    kinds: tuple[str, str],
) -> None:
    sides = [
        {"mention": np.arange(-40, 40, dtype=kind), "cluster": np.arange(80) // 4}
        for kind in kinds
    ]
    assert score_table(*sides, engine="duckdb").scores["bcub"].f1 == 1


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize("group", [None, "day"])
def test_mentions_that_are_listed_twice_are_found_in_pieces(group: str | None) -> None:
    days = ["m", "m", "t", "t"]
    key = {"day": days, "mention": ["a", "b", "a", "b"], "cluster": [1, 1, 2, 2]}
    twice = {**key, "mention": ["a", "b", "a", "a"]}
    if group is None:
        with pytest.raises(DuplicateError):
            score_table(
                *(key, key),
                mention="mention",
                key_cluster="cluster",
                response_cluster="cluster",
                engine="duckdb",
            )
        return
    assert score_table(key, key, group=group, engine="duckdb").scores["muc"].f1 == 1
    with pytest.raises(DuplicateError):
        score_table(key, twice, group=group, engine="duckdb")
    actual = score_table(
        *(key, twice), group=group, engine="duckdb", duplicates="first", memory="1GB"
    )
    by_numpy = score_table(
        *(key, twice), group=group, engine="numpy", duplicates="first"
    )
    assert actual == by_numpy


@pytest.mark.usefixtures("little")
def test_a_disk_that_is_full_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(SidePieces, "_write", full)
    sides = [{"mention": ["a", "b"], "cluster": [1, 1]}] * 2
    with pytest.raises(OptionError, match=r"No space left on device\. Set TMPDIR"):
        score_table(*sides, engine="duckdb")


@pytest.mark.usefixtures("little")
def test_what_was_cut_goes_before_it_is_cut_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sides = [{"mention": ["a", "b"], "cluster": [1, 1]}] * 2
    there: list[list[str]] = []
    table = SidePieces.table

    def failing(self: SidePieces, number: int, passes: int) -> object:
        folder = self._folder.parent
        there.append(sorted(path.name[:4] for path in folder.iterdir()))
        if passes < 4:
            raise duckdb.OutOfMemoryException
        return table(self, number, passes)

    def passes(_: DuckSession, __: int) -> int:
        return 2

    monkeypatch.setattr(SidePieces, "table", failing)
    monkeypatch.setattr(SidePieces, "count_distinct", lambda _: 2)
    monkeypatch.setattr(DuckSession, "_passes", passes)
    assert score_table(*sides, engine="duckdb").scores["muc"].f1 == 1
    assert all(names.count("key_") == names.count("resp") == 1 for names in there)


def test_a_join_that_does_not_fit_is_tried_in_passes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = []
    join = DuckSession._join  # noqa: SLF001 - to make it fail

    def failing(self: DuckSession, queries: Queries, passes: int) -> None:
        tried.append(passes)
        if passes == 1:
            raise duckdb.OutOfMemoryException
        join(self, queries, passes)

    monkeypatch.setattr(DuckSession, "_join", failing)
    actual = score_table({"m": 1}, {"m": 1}, engine="duckdb")
    assert (actual.scores["muc"].f1, tried) == (0.0, [1, 2])


@pytest.mark.parametrize("twice", [False, True], ids=["once", "twice"])
@pytest.mark.parametrize("wide", [False, True], ids=["narrow", "wide"])
def test_numbers_that_stand_twice_are_found(*, twice: bool, wide: bool) -> None:
    pytest.importorskip("duckdb")
    arrow = pytest.importorskip("pyarrow")
    mentions = [-3, 5, 7, 5 if twice else 2**62 if wide else 6]
    table = arrow.table({"m": mentions, "k": [1, 1, 2, 2], "r": [1, 1, 1, 2]})

    def score() -> float | None:
        actual = scoref.score_table(
            table,
            mention="m",
            key_cluster="k",
            response_cluster="r",
            engine="duckdb",
            memory="1GB",
        )
        return actual.scores["pairwise"].recall

    if not twice:
        assert score() == 1 / 2  # of two links one is found
        return
    with pytest.raises(scoref.ScorefError, match="5"):
        score()


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [
        ("TINYINT", -128, 127),
        ("INTEGER", 2**31 - 9, 2**31 - 1),
        ("BIGINT", -(2**63), -(2**63) + 9),
        ("BIGINT", 0, 10**9 - 1),
        ("BIGINT", 0, 10**9),  # too wide for bits
        ("BIGINT", -(2**63), 2**63 - 1),
    ],
)
def test_numbers_are_counted_up_to_the_limits_of_their_type(
    kind: str, low: int, high: int
) -> None:
    pytest.importorskip("pyarrow")
    with DuckSession(CountRequest(memory="4GB"), []) as session:
        for twice, expected in ((low + 1, 3), (high, None)):
            values = ", ".join(f"(CAST({n} AS {kind}))" for n in (low, high, twice))
            session.keep("given", f"FROM (VALUES {values}) AS t(mention)")
            assert session.count_distinct("given", 3) == expected
        session.keep("given", f"SELECT CAST(1 AS {kind}) AS mention WHERE false")
        assert session.count_distinct("given", 0) == 0


@pytest.mark.parametrize(
    ("duplicates", "keeps_order"), [("error", False), ("first", True), ("last", True)]
)
def test_rows_keep_their_order_if_it_matters(
    duplicates: Duplicates, *, keeps_order: bool
) -> None:
    request = CountRequest(duplicates=duplicates)
    with DuckSession(request, []) as session:
        (row,) = session.rows("SELECT current_setting('preserve_insertion_order')")
    assert row == (keeps_order,)

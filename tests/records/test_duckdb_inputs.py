"""How DuckDB reads tables: the kinds of columns, and errors with file and line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scoref.errors import FormatError
from scoref.records import duckdb_inputs
from scoref.records.duckdb_inputs import literal, load, reading_error
from scoref.records.request import TableReading
from scoref.records.scratch import Scratch
from scoref.records.sources import Columns, recognise

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

ROWS = [("m1", "a"), ("m2", "b")]


@pytest.fixture
def scratch() -> Iterator[Scratch]:
    folder = Scratch()
    yield folder
    folder.close()


def test_columns_keep_their_kinds(scratch: Scratch) -> None:
    connection = duckdb.connect()
    table = Columns("key", {"mention": np.array([1, 2]), "cluster": ["a", None]})
    columns = load(connection, table, "t", TableReading("key", "key"), scratch)
    assert [(column.name, column.kind) for column in columns] == [
        *(("mention", "integer"), ("cluster", "text")),
    ]
    assert connection.execute("FROM t").fetchall() == [(1, "a"), (2, None)]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_files_are_read_by_their_format(
    tmp_path: Path, scratch: Scratch, suffix: str
) -> None:
    path = tmp_path / f"[t].{suffix}"
    if suffix == "csv":
        path.write_text("mention,cluster\nm1,a\nm2,b\n")
    elif suffix == "jsonl":
        lines = [json.dumps({"mention": m, "cluster": c}) for m, c in ROWS]
        path.write_text("\n".join(lines))
    else:
        rows = ", ".join(f"('{m}', '{c}')" for m, c in ROWS)
        query = f"SELECT * FROM (VALUES {rows}) AS t(mention, cluster)"  # noqa: S608
        duckdb.sql(query).write_parquet(str(path))
    connection = duckdb.connect()
    table = recognise(path, "key")
    load(connection, table, "t", TableReading(str(path), "key"), scratch)
    assert sorted(connection.execute("FROM t").fetchall()) == ROWS


def test_columns_of_parquet_are_found_behind_nested_ones(
    tmp_path: Path, scratch: Scratch
) -> None:
    path = str(tmp_path / "t.parquet")
    about = "{'mention': 'x', 'more': {'cluster': ['y']}} AS about"
    query = f"SELECT {about}, 'm1' AS mention, [[1]] AS list, 'a' AS cluster"
    duckdb.sql(query).write_parquet(path)
    table = recognise(path, "key")
    connection = duckdb.connect()
    load(connection, table, "t", TableReading(path, "key"), scratch)
    assert connection.execute("FROM t").fetchall() == [("m1", "a")]


def test_two_columns_of_parquet_with_one_name_are_refused(
    tmp_path: Path, scratch: Scratch
) -> None:
    arrow = pytest.importorskip("pyarrow")
    path = str(tmp_path / "t.parquet")
    columns = [arrow.array(["m1"]), arrow.array(["a"]), arrow.array(["b"])]
    names = ["mention", "cluster", "cluster"]
    table = arrow.Table.from_arrays(columns, names=names)
    pytest.importorskip("pyarrow.parquet").write_table(table, path)
    with pytest.raises(FormatError, match="cluster"):
        load(
            *(duckdb.connect(), recognise(path, "key"), "t"),
            *(TableReading(path, "key"), scratch),
        )


def test_a_missing_table_of_a_database_is_named(
    tmp_path: Path, scratch: Scratch
) -> None:
    path = tmp_path / "people.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE people AS SELECT 'm1' AS id, 'a' AS c")
    reading = TableReading(str(path), "key", table="places")
    with pytest.raises(FormatError, match="The tables are people"):
        load(duckdb.connect(), recognise(path, "key"), "t", reading, scratch)


def test_errors_of_duckdb_get_file_and_line() -> None:
    text = (
        "CSV Error on Line: 7\nOriginal Line: m1,a,b\nToo many columns\n"
        "Expected Number of Columns: 2 Found: 3\n  file = key.csv\n"
    )
    error = reading_error(duckdb.Error(text), "other.csv")
    assert (error.source, error.line) == ("key.csv", 7)
    assert "expected 2 fields, found 3" in str(error)


def test_quotes_are_doubled() -> None:
    assert literal("it's") == "'it''s'"


@pytest.mark.parametrize(("ratio", "is_stored"), [(3, True), (1e15, False)])
def test_rows_of_text_files_are_stored_if_they_fit(
    tmp_path: Path,
    scratch: Scratch,
    monkeypatch: pytest.MonkeyPatch,
    ratio: float,
    is_stored: bool,
) -> None:
    monkeypatch.setattr(duckdb_inputs, "_STORED_RATIO", ratio)
    path = tmp_path / "key.csv"
    path.write_text("mention,cluster\nm1,a\nm2,b\n")
    connection = duckdb.connect()
    reading = TableReading(str(path), "key")
    load(connection, recognise(path, "key"), "t", reading, scratch)
    path.write_text("")
    if is_stored:
        assert sorted(connection.execute("FROM t").fetchall()) == ROWS
    else:
        assert connection.execute("FROM t").fetchall() == []

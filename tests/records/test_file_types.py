"""Files whose names do not tell what they are."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from scoref import FormatError, score_table

if TYPE_CHECKING:
    from pathlib import Path


RESPONSE = {"m1": 1, "m2": 1, "m3": 2}

ROWS = [("m1", "a"), ("m2", "b"), ("m3", "b")]

CSV = "".join(f"{m},{c}\n" for m, c in ROWS).encode()

JSON = "".join(f'{{"mention": "{m}", "cluster": "{c}"}}\n' for m, c in ROWS).encode()

EXPECTED = score_table(dict(ROWS), RESPONSE)


@pytest.mark.parametrize("name", ["key", "key.20260401", "part-00000"])
@pytest.mark.parametrize(
    "data",
    [
        CSV,
        CSV.replace(b",", b"\t"),
        CSV.replace(b",", b";"),
        JSON,
        gzip.compress(CSV),
        lzma.compress(JSON),
        bz2.compress(CSV),
    ],
    ids=["commas", "tabs", "semicolons", "json", "gzip", "xz", "bz2"],
)
def test_text_is_looked_into(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    for engine in ("numpy", "duckdb"):
        found = score_table(path, RESPONSE, engine=engine)
        assert found.scores == EXPECTED.scores


@pytest.mark.parametrize("kind", ["parquet", "arrow", "sqlite", "duckdb"])
def test_binary_files_are_looked_into(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "key"
    rows = ", ".join(f"('{m}', '{c}')" for m, c in ROWS)
    duckdb, arrow = pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
    table = arrow.table(
        {"mention": [m for m, _ in ROWS], "cluster": [c for _, c in ROWS]}
    )
    if kind == "parquet":
        pytest.importorskip("pyarrow.parquet").write_table(table, path)
    elif kind == "arrow":
        with arrow.ipc.new_file(path, table.schema) as file:
            file.write_table(table)
    else:
        connect = sqlite3.connect if kind == "sqlite" else duckdb.connect
        with closing(connect(str(path))) as database:
            database.execute("CREATE TABLE t (mention TEXT, cluster TEXT)")
            database.execute(f"INSERT INTO t VALUES {rows}")  # noqa: S608
            database.commit()
    assert score_table(path, RESPONSE).scores == EXPECTED.scores


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    with pytest.raises(FormatError, match="neither the name nor what is in it"):
        score_table(path, RESPONSE)


def test_what_dedupe_partitions_is_taken_as_it_is() -> None:
    numpy = pytest.importorskip("numpy")
    partition = [
        (("m1",), (1.0,)),
        (("m2", "m3"), numpy.array([0.9, 0.9])),
    ]
    assert score_table(partition, RESPONSE).scores == EXPECTED.scores

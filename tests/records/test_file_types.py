"""The files of a path, and their formats."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scoref.errors import FormatError, OptionError
from scoref.records import file_types
from scoref.records.api import score_table
from support.nightly import IS_NIGHTLY

if TYPE_CHECKING:
    Clustering = dict[str, str | None]

RESPONSE = {"m1": 1, "m2": 1, "m3": 2}
ROWS = [("m1", "a"), ("m2", "b"), ("m3", "b")]
CSV = "".join(f"{m},{c}\n" for m, c in ROWS).encode()
JSON = "".join(f'{{"mention": "{m}", "cluster": "{c}"}}\n' for m, c in ROWS).encode()
EXPECTED = score_table(dict(ROWS), RESPONSE)
CLUSTERS = {"m1": "a", "m2": "a", "m3": "b"}


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
        actual = score_table(path, RESPONSE, engine=engine)
        assert actual.scores == EXPECTED.scores


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
    with pytest.raises(FormatError, match="cannot tell the format from the name"):
        score_table(path, RESPONSE)


def test_what_dedupe_partitions_is_taken_as_it_is() -> None:
    partition = [
        (("m1",), (1.0,)),
        (("m2", "m3"), np.array([0.9, 0.9])),
    ]
    assert score_table(partition, RESPONSE).scores == EXPECTED.scores


pa = pytest.importorskip("pyarrow")


def write_parquet(path: Path, rows: dict[str, str]) -> None:
    from pyarrow import parquet  # if it is there

    table = pa.table({"mention": list(rows), "cluster": list(rows.values())})
    parquet.write_table(table, path)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_a_path_that_exists_is_that_file(
    tmp_path: Path, suffix: str, engine: str | None
) -> None:
    for name, rows in (("p[12]", CLUSTERS), ("p1", {"m1": "a"}), ("p2", {"m2": "a"})):
        if suffix == ".csv":
            text = "".join(f"{m},{c}\n" for m, c in rows.items())
            (tmp_path / f"{name}.csv").write_text(text)
        else:
            write_parquet(tmp_path / f"{name}.parquet", rows)
    actual = score_table(tmp_path / f"p[12]{suffix}", CLUSTERS, engine=engine)
    assert (actual.mentions["key"], actual.notes) == (3, ())


def test_the_files_of_a_pattern_are_named(tmp_path: Path) -> None:
    for name in ("p1", "p2"):
        (tmp_path / f"{name}.csv").write_text(f"{name},a\n")
    (tmp_path / "p3.csv").mkdir()
    note, *_ = score_table(tmp_path / "p[123].csv", {"p1": 1}).notes
    assert note.message == (
        f"'{tmp_path}/p[123].csv' was read as 2 files: '{tmp_path}/p1.csv', "
        f"'{tmp_path}/p2.csv'."
    )


@pytest.mark.parametrize("engine", ["numpy", "duckdb", "spark", None])
def test_a_pipe_is_refused(tmp_path: Path, engine: str | None) -> None:
    os.mkfifo(tmp_path / "key.csv")
    with pytest.raises(FormatError, match="this is a pipe or a device"):
        score_table(tmp_path / "key.csv", CLUSTERS, engine=engine)


@pytest.mark.parametrize(
    "address", ["https://example.org/key.csv", "s3://b/k.parquet", "hdfs:///k.csv"]
)
def test_addresses_have_to_be_allowed(address: str) -> None:
    with pytest.raises(FormatError, match="this is an address") as caught:
        score_table(address, CLUSTERS)
    assert "hint: Add --remote (remote=True in Python)" in str(caught.value)


@pytest.mark.parametrize("name", ["key.csv", "semicolons.csv", "key.parquet"])
def test_an_allowed_address_is_read_like_the_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    columns = {"record": ["a", "b", "c", "d"], "cluster": ["x", "x", "y", "z"]}
    if name == "key.parquet":
        from pyarrow import parquet  # if it is there

        parquet.write_table(pa.table(columns), path)
    else:
        sign = ";" if name == "semicolons.csv" else ","
        rows = zip(*columns.values(), strict=True)
        path.write_text("\n".join(map(sign.join, (columns, *rows))))
    clusters = [["a", "b", "c"], ["d"]]
    remote = score_table(f"file://{path}", clusters, remote=True)
    assert remote.scores == score_table(path, clusters).scores
    assert remote.scores["pairwise"].precision == 1 / 3


@pytest.mark.parametrize("text", ["", "\n  \n"])
def test_an_address_without_rows_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "key.csv").write_text(text)
    address = f"file://{tmp_path}/key.csv"
    with pytest.raises(FormatError, match="this file has no rows") as caught:
        score_table(address, CLUSTERS, remote=True)
    assert caught.value.source == address


def test_an_address_of_nothing_is_named(tmp_path: Path) -> None:
    address = f"file://{tmp_path}/none.csv"
    with pytest.raises(FormatError, match="No files found") as caught:
        score_table(address, CLUSTERS, remote=True)
    assert caught.value.source == address


def test_a_damaged_feather_file_ends_nothing(tmp_path: Path) -> None:
    from pyarrow import feather  # if it is there

    path = tmp_path / "key.feather"
    table = pa.table(
        {"id": [f"m{i}" for i in range(99)], "c": [f"c{i % 7}" for i in range(99)]}
    )
    feather.write_feather(table, str(path), compression="uncompressed")
    whole, rng = path.read_bytes(), random.Random(22)  # noqa: S311 - damage
    paths = []
    for number in range(150 if IS_NIGHTLY else 30):
        data = bytearray(whole)
        for _ in range(rng.choice([1, 2, 8])):
            data[rng.randrange(len(data))] = rng.choice([0, 127, 255])
        paths.append(tmp_path / f"{number}.feather")
        paths[-1].write_bytes(data)
    program = (
        "import sys\nfrom scoref.errors import ScorefError\n"
        "from scoref.records.api import score_table\n"
        "for path in sys.argv[1:]:\n"
        "    try: score_table(path, {'m1': 1}, ceaf=False)\n"
        "    except ScorefError: print('refused')\n"
    )
    command = [sys.executable, "-c", program, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=300)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"refused" in done.stdout


def test_a_name_that_is_not_utf8_is_read_or_refused(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/k\xff.csv"
    Path(os.fsdecode(path)).write_text("m1,a\nm2,a\nm3,b\n")
    name = os.fsdecode(path)
    assert score_table(name, CLUSTERS).scores["bcub"].f1 == 1
    with pytest.raises(FormatError, match="whose name is not UTF-8"):
        score_table(name, CLUSTERS, engine="duckdb")


@pytest.mark.parametrize(
    ("name", "problem", "extra"),
    [
        ("duckdb", "tables need DuckDB", "table"),
        ("pyarrow", "this table needs Arrow", "table"),
        ("pyspark.sql", "Spark needs PySpark", "spark"),
    ],
)
def test_a_missing_package_is_told(
    monkeypatch: pytest.MonkeyPatch, name: str, problem: str, extra: str
) -> None:
    def missing(_: str) -> object:
        raise ImportError

    monkeypatch.setattr(file_types, "import_module", missing)
    with pytest.raises(OptionError) as caught:
        file_types.import_extra(name)
    assert caught.value.problem == problem
    assert f"pip install '.[{extra}]'" in caught.value.hint

"""What is damaged, hostile or in motion: told, and nobody is let in."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest

from scoref.errors import FormatError, OptionError
from scoref.records import counting, numpy_engine, scratch
from scoref.records.api import score_table
from scoref.records.scratch import Scratch
from support.nightly import IS_NIGHTLY

pa = pytest.importorskip("pyarrow")
ROWS = {"m1": "a", "m2": "a", "m3": "b"}
COMMAND = "from scoref.records.table.command import command; command()"


def write_parquet(path: Path, rows: dict[str, str]) -> None:
    from pyarrow import parquet  # if it is there

    table = pa.table({"mention": list(rows), "cluster": list(rows.values())})
    parquet.write_table(table, path)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_a_path_that_exists_is_that_file(
    tmp_path: Path, suffix: str, engine: str | None
) -> None:
    for name, rows in (("p[12]", ROWS), ("p1", {"m1": "a"}), ("p2", {"m2": "a"})):
        if suffix == ".csv":
            text = "".join(f"{m},{c}\n" for m, c in rows.items())
            (tmp_path / f"{name}.csv").write_text(text)
        else:
            write_parquet(tmp_path / f"{name}.parquet", rows)
    found = score_table(tmp_path / f"p[12]{suffix}", ROWS, engine=engine)
    assert (found.mentions["key"], found.notes) == (3, ())


def test_the_files_of_a_pattern_are_named(tmp_path: Path) -> None:
    for name in ("p1", "p2"):
        (tmp_path / f"{name}.csv").write_text(f"{name},a\n")
    (tmp_path / "p3.csv").mkdir()
    note, *_ = score_table(tmp_path / "p[123].csv", {"p1": 1}).notes
    assert note.message == (
        f"'{tmp_path}/p[123].csv' was read as 2 files: '{tmp_path}/p1.csv', "
        f"'{tmp_path}/p2.csv'"
    )


@pytest.mark.parametrize("engine", ["numpy", "duckdb", "spark", None])
def test_a_pipe_is_refused(tmp_path: Path, engine: str | None) -> None:
    os.mkfifo(tmp_path / "key.csv")
    with pytest.raises(FormatError, match="this is no file, but a pipe or a device"):
        score_table(tmp_path / "key.csv", ROWS, engine=engine)


@pytest.mark.parametrize(
    "address", ["https://example.org/key.csv", "s3://b/k.parquet", "hdfs:///k.csv"]
)
def test_addresses_have_to_be_allowed(address: str) -> None:
    with pytest.raises(FormatError, match="this is an address") as caught:
        score_table(address, ROWS)
    assert "--remote allows it" in str(caught.value)


@pytest.mark.parametrize("engine", ["numpy", "duckdb", None])
@pytest.mark.parametrize(
    "memory",
    [
        "1KB",
        "-1GB",
        "0GB",
        "much",
        "",
        "GB",
        "1",
        "none",
        "1e3MB",
        "1GB'; SELECT 1; --",
    ],
)
def test_memory_is_a_size(memory: str, engine: str | None) -> None:
    with pytest.raises(OptionError, match=r"no size of memory|is too little"):
        score_table(ROWS, ROWS, memory=memory, engine=engine)


def test_memory_is_no_sql(tmp_path: Path) -> None:
    target = tmp_path / "written.csv"
    with pytest.raises(OptionError, match="is no size of memory"):
        score_table(
            ROWS,
            ROWS,
            engine="duckdb",
            memory=f"1GB'; COPY (SELECT 1) TO '{target}'; SET memory_limit = '1GB",
        )
    assert not target.exists()


@pytest.mark.parametrize("memory", ["100MB", "1.5 gb", "1GiB"])
def test_sizes_are_written_in_many_ways(memory: str) -> None:
    assert score_table(ROWS, ROWS, memory=memory).scores["bcub"].f1 == 1


def test_the_temporary_folder_is_no_sql(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "it's"
    folder.mkdir()
    write_parquet(tmp_path / "key.parquet", ROWS)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    assert score_table(tmp_path / "key.parquet", ROWS).scores["bcub"].f1 == 1
    assert list(folder.iterdir()) == []


def test_a_temporary_folder_that_is_a_pattern_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "t[1]"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    with pytest.raises(OptionError, match="set TMPDIR"):
        score_table(ROWS, ROWS, engine="duckdb")
    assert list(folder.iterdir()) == []


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


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_a_file_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "key.csv"
    path.write_text("m1,a\nm2,b\n")
    module = numpy_engine if engine == "numpy" else counting
    original = module.count

    def count(*arguments: Any) -> object:  # noqa: ANN401 - those of the engine
        path.write_text("m1,a\nm2,b\nm3,c\nm4\n")
        return original(*arguments)

    monkeypatch.setattr(module, "count", count)
    with pytest.raises(FormatError, match="was changed while it was read"):
        score_table(path, ROWS, engine=engine)


@pytest.mark.parametrize("engine", [None, "numpy", "duckdb"])
def test_columns_have_the_same_number_of_rows(engine: str | None) -> None:
    with pytest.raises(OptionError) as caught:
        score_table({"id": ["m1", "m2"], "c": [1]}, ROWS, engine=engine)
    assert str(caught.value) == (
        "the key's columns have different numbers of rows: 'id' 2, 'c' 1"
    )


def test_a_name_that_is_not_utf8_is_read_or_refused(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/k\xff.csv"
    Path(os.fsdecode(path)).write_text("m1,a\nm2,a\nm3,b\n")
    name = os.fsdecode(path)
    assert score_table(name, ROWS).scores["bcub"].f1 == 1
    with pytest.raises(FormatError, match="whose name is not UTF-8"):
        score_table(name, ROWS, engine="duckdb")


def test_what_a_killed_process_left_is_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    at_work = Scratch()
    (left := tmp_path / "scoref-left").mkdir()
    (left / scratch._LOCK).touch()  # noqa: SLF001 - which nobody holds
    (foreign := tmp_path / "scoref-notes").mkdir()
    Scratch().close()
    assert sorted(tmp_path.iterdir()) == sorted([at_work.path, foreign])
    at_work.close()


SLOW = """
import os, sys, threading
from scoref.records import counting

def follow():
    os.read(0, 1)  # ends with the process that holds the other end
    os._exit(1)

threading.Thread(target=follow, daemon=True).start()

def slow(session, *_):
    print("ready", flush=True)
    query = "SELECT sum(a.range * b.range) FROM range(9999999) a, range(9999999) b"
    return session.connection.execute(query).fetchall()

counting.count = slow
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_leaves_nothing_behind(tmp_path: Path, name: str) -> None:
    (key := tmp_path / "key.csv").write_text("m1,a\nm2,a\n")
    (folder := tmp_path / "temporary").mkdir()
    number = getattr(signal, name)
    program = [
        sys.executable,
        "-c",
        SLOW + COMMAND,
        str(key),
        str(key),
        "--engine",
        "duckdb",
    ]
    with subprocess.Popen(
        program,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(folder)},
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.5)
        process.send_signal(number)
        process.wait(timeout=60)
        assert process.stderr is not None
        errors = process.stderr.read()
    assert (process.returncode, errors) == (128 + number, b"")
    assert list(folder.iterdir()) == []


def test_a_link_is_not_taken_for_one_whose_name_it_begins() -> None:
    made = Scratch()
    paths = [f"/für/{number}" for number in range(12)]
    links = made.links("key_table", paths)
    found = [made.original_of(f'Failed to read file "{link}": no') for link in links]
    made.close()
    assert found == paths


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

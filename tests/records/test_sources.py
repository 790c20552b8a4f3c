"""Every kind of table has the scores of plain dicts, digit by digit."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any
from uuid import UUID

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoref.errors import FormatError, OptionError, ScorefError
from scoref.records import counting, numpy_engine
from scoref.records.api import score_table
from scoref.records.columns import is_header
from scoref.records.ids import CodedColumn, text_of
from support.clusterings import whole

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Clustering = dict[str, str | None]

KEY: Clustering = {"m1": "a", "m2": "a", "m3": "b", "007": "b", "7": "c", "m6": None}
RESPONSE: Clustering = {
    "m1": "x",
    "m2": "y",
    "m3": "y",
    "007": "x",
    "7": "x",
    "m8": "z",
}
ENGINES = ("numpy", "duckdb")


def library(name: str) -> Any:
    """Load a library whose tables are read, or skip the test."""
    return pytest.importorskip(name)


pa = library("pyarrow")


def columns_of(clustering: Clustering) -> dict[str, list[str | None]]:
    return {"mention": list(clustering), "cluster": list(clustering.values())}


def relation_of(clustering: Clustering) -> duckdb.DuckDBPyRelation:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (mention VARCHAR, cluster VARCHAR)")
    for row in clustering.items():
        connection.execute("INSERT INTO t VALUES (?, ?)", row)
    return connection.table("t")


def clusters_of(clustering: Clustering) -> list[set[str]]:
    names = dict.fromkeys(name for name in clustering.values() if name is not None)
    return [{m for m, c in clustering.items() if c == name} for name in names]


IN_MEMORY: dict[str, Callable[[Clustering], object]] = {
    "pairs": lambda c: list(c.items()),
    "generator": lambda c: iter(c.items()),
    "clusters": clusters_of,
    "lists": lambda c: [sorted(each) for each in clusters_of(c)],
    "columns": columns_of,
    "array": lambda c: np.array(list(c.items()), dtype=object),
    "pandas": lambda c: library("pandas").DataFrame(columns_of(c)),
    "pandas-objects": lambda c: library("pandas").DataFrame(
        columns_of(c), dtype=object
    ),
    "pandas-series": lambda c: library("pandas").Series(
        list(c.values()), index=list(c)
    ),
    "polars": lambda c: library("polars").DataFrame(columns_of(c)),
    "polars-lazy": lambda c: library("polars").LazyFrame(columns_of(c)),
    "arrow": lambda c: pa.table(columns_of(c)),
    "arrow-reader": lambda c: pa.table(columns_of(c)).to_reader(),
    "duckdb": relation_of,
}


@pytest.mark.parametrize("kind", IN_MEMORY)
@pytest.mark.parametrize("engine", ENGINES)
def test_tables_in_memory_give_the_same(kind: str, engine: str) -> None:
    make = IN_MEMORY[kind]
    actual = score_table(make(KEY), make(RESPONSE), engine=engine)
    expected = score_table(KEY, RESPONSE)
    assert whole(actual)["tables"] == whole(expected)["tables"]
    assert actual.scores == expected.scores


def delimited(clustering: Clustering, delimiter: str, header: str = "") -> str:
    rows = [f"{m}{delimiter}{c or ''}\n" for m, c in clustering.items()]
    return header + "".join(rows)


def write_csv(path: Path, clustering: Clustering) -> None:
    path.write_text(delimited(clustering, ",", "mention,cluster\n"))


def write_tsv(path: Path, clustering: Clustering) -> None:
    path.write_text(delimited(clustering, "\t"))


def write_packed(opened: Callable[[Path, str], Any]) -> Callable[..., None]:
    def write(path: Path, clustering: Clustering) -> None:
        with opened(path, "wb") as file:
            file.write(delimited(clustering, "\t").encode())

    return write


def write_zst(path: Path, clustering: Clustering) -> None:
    with pa.CompressedOutputStream(str(path), "zstd") as file:
        file.write(delimited(clustering, "\t").encode())


def write_json(path: Path, clustering: Clustering) -> None:
    rows = [{"mention": m, "cluster": c} for m, c in clustering.items()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def write_parquet(path: Path, clustering: Clustering) -> None:
    library("pyarrow.parquet").write_table(pa.table(columns_of(clustering)), path)


def write_feather(path: Path, clustering: Clustering) -> None:
    library("pyarrow.feather").write_feather(
        pa.table(columns_of(clustering)), str(path)
    )


def write_sqlite(path: Path, clustering: Clustering) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE clusters (mention, cluster)")
        rows = list(clustering.items())
        database.executemany("INSERT INTO clusters VALUES (?, ?)", rows)


def write_duckdb(path: Path, clustering: Clustering) -> None:
    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE clusters (mention VARCHAR, cluster VARCHAR)")
        for row in clustering.items():
            database.execute("INSERT INTO clusters VALUES (?, ?)", row)


FILES: dict[str, Callable[[Path, Clustering], None]] = {
    ".csv": write_csv,
    ".tsv": write_tsv,
    ".tsv.gz": write_packed(gzip.open),
    ".tsv.xz": write_packed(lzma.open),
    ".tsv.bz2": write_packed(bz2.open),
    ".tsv.zst": write_zst,
    ".jsonl": write_json,
    ".parquet": write_parquet,
    ".feather": write_feather,
    ".arrow": write_feather,
    ".sqlite": write_sqlite,
    ".db": write_duckdb,
    ".duckdb": write_duckdb,
}


@pytest.mark.parametrize("suffix", FILES)
def test_files_give_the_same(tmp_path: Path, suffix: str) -> None:
    key, response = tmp_path / f"key{suffix}", tmp_path / f"response{suffix}"
    FILES[suffix](key, KEY)
    FILES[suffix](response, RESPONSE)
    actual = score_table(key, str(response))
    expected = score_table(KEY, RESPONSE)
    assert whole(actual)["tables"] == whole(expected)["tables"]
    assert actual.scores == expected.scores
    assert [note.kind for note in actual.notes] == [n.kind for n in expected.notes]


_IDS = st.text(
    "ab0,;\t\"'| \N{LATIN SMALL LETTER E WITH ACUTE}", min_size=1, max_size=4
)


# Clusters that were records as well would be taken for pairs.
@given(key=st.dictionaries(_IDS, _IDS.map("c{}".format), min_size=1, max_size=6))
@settings(max_examples=15)
def test_any_text_is_an_id(tmp_path_factory: Any, key: dict[str, str]) -> None:
    path = tmp_path_factory.mktemp("ids") / "key.csv"
    library("pandas").DataFrame(
        {"mention": list(key), "cluster": list(key.values())}
    ).to_csv(path, index=False)
    actual = score_table(path, key)
    assert actual.scores["cluster"].f1 == 1
    assert {note.kind for note in actual.notes} <= {"only-singletons"}


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (["mention", "cluster"], True),
        (["Paper ID", "Cluster ID"], True),
        (["id", "gold", "predicted_2022"], True),
        (["paper_id", "author"], True),
        (["rec-1-org", "entity_7"], False),
        (["the gold ring", "c"], False),
        (["key", "3"], False),
        (["m1", ""], False),
    ],
)
def test_a_first_row_of_names_is_a_header(row: list[str], *, expected: bool) -> None:
    assert is_header(row) is expected


def test_headers_can_be_settled(tmp_path: Path) -> None:
    path = tmp_path / "key.tsv"
    path.write_text("paper\tauthor\nm1\ta\n")
    assert score_table(path, {"m1": "a", "paper": "b"}).mentions["key"] == 2
    assert score_table(path, {"m1": "a"}, header=True).mentions["key"] == 1
    assert score_table(path, {"m1": "a"}, mention="paper").mentions["key"] == 1
    swapped = score_table(path, {"a": "m1"}, mention="2", universe="common")
    assert swapped.mentions["key"] == 1


def test_columns_are_found_by_name_in_one_table(tmp_path: Path) -> None:
    path = tmp_path / "both.csv"
    path.write_text("year,goldCluster,pred_cluster,rec_id\n1,a,x,m\n1,a,x,n\n2,b,,o\n")
    actual = score_table(path)
    assert actual.mentions == {"key": 3, "response": 2, "common": 2}
    grouped = score_table(path, group="year")
    assert list(grouped.groups) == ["1", "2"]
    named = score_table(path, key_cluster="pred_cluster", response_cluster="rec_id")
    assert (named.clusters["key"], named.clusters["response"]) == (1, 3)


def test_rows_are_mentions_where_no_column_names_them() -> None:
    frame = library("pandas").DataFrame(
        {"gold": [1, 1, 2], "predicted": ["x", None, "x"]}
    )
    for engine in ENGINES:
        actual = score_table(frame, engine=engine, universe="union")
        expected = score_table([1, 1, 2], ["x", "own", "x"])
        assert actual.scores == expected.scores


@pytest.mark.parametrize("engine", ENGINES)
def test_ids_are_compared_as_text(engine: str) -> None:
    number = UUID("12345678-1234-5678-1234-567812345678")
    key = {7: 1, 8.0: 1, "x": 2, str(number): 2, True: 3, 2.5: 3}
    response = {"7": "1", "8": "1", "x": "2", number: "2", "true": 3, "2.5": 3, "07": 4}
    actual = score_table(key, response, engine=engine)
    assert actual.mentions == {"key": 6, "response": 7, "common": 6}


@pytest.mark.parametrize("engine", ENGINES)
def test_integers_that_became_floats_are_integers(engine: str) -> None:
    key = library("pandas").DataFrame(
        {"id": [1.0, 2.0, np.nan], "c": [1.0, np.nan, 3.0]}
    )
    response = library("pandas").DataFrame({"id": ["1", "2"], "c": ["x", ""]})
    actual = score_table(key, response, engine=engine)
    assert actual.mentions == {"key": 1, "response": 1, "common": 1}
    assert [(note.kind, note.count) for note in actual.notes] == [
        ("unnamed-in-key", 1),
        ("unclustered-in-key", 1),
        ("unclustered-in-response", 1),
    ]


def test_json_numbers_are_as_good_as_texts(tmp_path: Path) -> None:
    path = tmp_path / "key.json"
    path.write_text(
        '{"id": 7, "c": 1.0}\n{"id": "007", "c": "1"}\n{"id": 8, "c": null}\n'
    )
    assert score_table(path, {"7": "a", "007": "a"}).scores["cluster"].f1 == 1


def test_labels_are_ids_in_numpy_and_in_text() -> None:
    numbers = CodedColumn.of(np.array([10, 9, 10]))
    assert (numbers.codes.tolist(), numbers.labels) == ([0, 1, 0], ["10", "9"])
    texts = CodedColumn.of(["10", None, 9])
    assert (texts.codes.tolist(), texts.labels) == ([0, -1, 1], ["10", "9"])
    gaps = library("pandas").NA, library("pandas").NaT
    actual = [text_of(each) for each in (b"x", *gaps, False)]
    assert actual == ["x", None, None, "false"]


def test_labels_by_position_must_be_as_many() -> None:
    with pytest.raises(OptionError, match="2 gold labels and 3 predicted labels"):
        score_table([1, 1], np.array([1, 1, 2]))
    assert (
        score_table(library("polars").Series([1, 1]), pa.array([5, 5]))
        .scores["cluster"]
        .f1
        == 1
    )


def test_parts_in_a_folder_and_patterns_are_one_table(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    (folder / "year=2020").mkdir(parents=True)
    write_parquet(folder / "year=2020" / "part-0.parquet", dict([*KEY.items()][:3]))
    write_parquet(folder / "year=2020" / "part-1.parquet", dict([*KEY.items()][3:]))
    (folder / "_SUCCESS").touch()
    expected = score_table(KEY, RESPONSE).scores
    assert score_table(folder, RESPONSE).scores == expected
    assert score_table(f"{folder}/**/*.parquet", RESPONSE).scores == expected


def test_one_database_may_hold_both_sides(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE gold AS SELECT 'm' AS id, 1 AS c")
        database.execute("CREATE TABLE system AS SELECT 'm' AS id, 2 AS c")
    assert score_table(path, path, table=("gold", "system")).mentions["common"] == 1
    with pytest.raises(FormatError, match="The tables are gold, system"):
        score_table(path, path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.csv", None, "this file does not exist"),
        ("x.foo", "a\0b", "cannot tell the format from the name or the content"),
        ("x.csv", "", "this file has no rows"),
        ("x.csv", "mention,cluster\nm,1\nn\n", "x.csv:3: expected 2 fields, found 1"),
        ("x.tsv", "m1\n", "but there is only one column"),
        ("x.parquet", "no parquet", "x.parquet: "),
        ("x.feather", "no feather", "x.feather: "),
        ("x.jsonl", "{", "x.jsonl"),
    ],
)
def test_files_that_cannot_be_read(
    tmp_path: Path, name: str, content: str | None, message: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    with pytest.raises(ScorefError) as caught:
        score_table(path, {"m": 1})
    assert message in str(caught.value)


def test_a_column_that_is_not_there_is_told(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("id,gold,system\nm,1,1\n")
    for given_ in (path, library("pandas").read_csv(path)):
        with pytest.raises(FormatError) as caught:
            score_table(given_, mention="record")
        assert "column 'record' does not exist" in str(caught.value)
        assert "The columns are id, gold, system" in str(caught.value)
    with pytest.raises(FormatError, match="has the predicted clusters"):
        score_table(library("pandas").DataFrame({"gold": [1], "other": [1]}))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (7, "the key is an int, not a table"),
        (b"id,cluster\n1,a\n", "the key is 15 bytes, not a table"),
        (io.StringIO("id,cluster\n1,a\n"), "the key is a StringIO, not a table"),
        ({1, 2}, "the key is a set of 2 numbers. Labels need an order"),
        ([np.zeros((2, 2))], "cluster 0 of the key is a list of 2 lists"),
        ([("m", 1), ["n"]], "the key mixes several kinds of items"),
        ([("m", 1, 2)], "Give pairs"),
        (np.zeros((2, 3)), "the key is an array of shape \\(2, 3\\)"),
    ],
)
def test_what_is_no_table_is_refused(table: object, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        score_table(table, {"m": 1})


class Eager:
    """A tensor: it can become an array, and nothing else."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self._value, dtype)


@pytest.mark.parametrize("array", [np.array, Eager])
def test_arrays_and_tensors_are_labels_or_clusters(array: Any) -> None:
    labels = array([1, 1, 2])
    assert score_table(labels, labels).scores["pairwise"].f1 == 1
    assert score_table([0, 0, 1], labels).scores["pairwise"].f1 == 1
    assert score_table([array(1), array(1)], [0, 0]).scores["pairwise"].f1 == 1
    clusters = [array([1, 2]), array([3, 4])]
    assert score_table(clusters, clusters).scores["pairwise"].f1 == 1
    assert score_table(clusters, [[1, 2], [3, 4]]).scores["pairwise"].f1 == 1


ROWS = {"m1": "a", "m2": "a", "m3": "b"}


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_a_file_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "key.csv"
    path.write_text("m1,a\nm2,b\n")
    module = numpy_engine if engine == "numpy" else counting
    original = module.count

    def count(*arguments: Any) -> object:
        path.write_text("m1,a\nm2,b\nm3,c\nm4\n")
        return original(*arguments)

    monkeypatch.setattr(module, "count", count)
    with pytest.raises(FormatError, match="this file changed while it was read"):
        score_table(path, ROWS, engine=engine)


@pytest.mark.parametrize("engine", [None, "numpy", "duckdb"])
def test_columns_have_the_same_number_of_rows(engine: str | None) -> None:
    with pytest.raises(OptionError) as caught:
        score_table({"id": ["m1", "m2"], "c": [1]}, ROWS, engine=engine)
    assert str(caught.value) == (
        "the columns of the key have different numbers of rows: 'id' 2, 'c' 1"
    )

"""Spark runs the same queries and gives the same digits, on one machine here."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings

from scoref.errors import DuplicateError, FormatError, OptionError
from scoref.records import spark_engine
from scoref.records.api import score_table
from scoref.records.curve.curve import curve
from scoref.records.diff import diff_tables
from scoref.records.estimate.estimate import estimate
from scoref.records.ids import text_of
from scoref.records.request import CountRequest
from scoref.records.sources import readings, recognise
from scoref.records.summary import summarise_table
from scoref.records.text_files import load_into_memory
from support.clusterings import whole
from support.odd_text_files import odd_tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from scoref.records.ids import EngineColumn

pyspark = pytest.importorskip(
    "pyspark", reason="Spark is not tested: pip install '.[spark]'"
)
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark is not tested: it needs Java", allow_module_level=True)
KEY = [("m1", 1, "x"), ("m2", 1, "x"), ("m3", 2, "x"), ("m3", 2, "y"), ("m5", 1, "y")]
RESPONSE = [
    ("m1", 7, "x"),
    ("m2", 8, "x"),
    ("m3", 8, "x"),
    ("m3", 7, "y"),
    ("m6", 7, "y"),
]
NAMES = ("id", "cluster", "group")


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession  # only if it is there

    # What Java would compile for long runs is not worth it for a few rows.
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def columns_of(rows: list[tuple[str, int, str]]) -> dict[str, list[object]]:
    return dict(zip(NAMES, map(list, zip(*rows, strict=True)), strict=True))


@pytest.mark.parametrize(
    "universe", ["both", pytest.param("union", marks=pytest.mark.nightly)]
)
def test_dataframes_give_the_same(spark: Any, universe: Any) -> None:
    frames = [spark.createDataFrame(rows, list(NAMES)) for rows in (KEY, RESPONSE)]
    actual = score_table(*frames, group="group", universe=universe)
    expected = score_table(
        columns_of(KEY), columns_of(RESPONSE), group="group", universe=universe
    )
    assert whole(actual) == whole(expected)
    assert spark.catalog.listTables() == []


@pytest.mark.nightly
def test_one_dataframe_may_have_both_sides(spark: Any) -> None:
    rows = [("m1", 1, 7.0), ("m2", 1, 8.0), ("m3", None, 8.0), ("m4", 2, None)]
    names = ["id", "gold", "predicted"]
    actual = score_table(spark.createDataFrame(rows, names), universe="key")
    expected = score_table(
        dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)),
        universe="key",
    )
    assert whole(actual) == whole(expected)


@pytest.mark.usefixtures("spark")
def test_files_give_the_same(tmp_path: Path) -> None:
    key, response = tmp_path / "key.tsv", tmp_path / "response.csv"
    key.write_text("007\ta\nm2\ta\nm3\t\n")
    response.write_text("mention,cluster\n007,x\nm2,x\nm3,y\n")
    actual = score_table(key, response, engine="spark", ceaf=False)
    expected = score_table(key, response, engine="duckdb", ceaf=False)
    assert whole(actual) == whole(expected)


def test_partitions_fit_the_table_unless_the_user_chose_their_number(
    spark: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "spark.sql.shuffle.partitions"
    path = tmp_path / "both.csv"
    path.write_text("key,response\na,x\na,x\nb,y\n")
    seen = []
    load = spark_engine.SparkSession.load

    def watched(self: spark_engine.SparkSession, *given: Any) -> list[EngineColumn]:
        seen.append(spark.conf.get(name))
        return load(self, *given)

    monkeypatch.setattr(spark_engine.SparkSession, "load", watched)
    spark.conf.unset(name)
    usual = spark.conf.get(name)
    score_table(path, engine="spark", ceaf=False, metrics="pairwise")
    assert spark.conf.get(name) == usual
    for chosen in ("200", "3"):
        spark.conf.set(name, chosen)
        score_table(path, engine="spark", ceaf=False, metrics="pairwise")
        assert spark.conf.get(name) == chosen
    spark.conf.set(name, "2")
    assert seen == [str(spark.sparkContext.defaultParallelism), "200", "3"]


def test_progress_is_drawn_in_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    built = []

    class Session:
        def __init__(self) -> None:
            self.builder = self

        def getActiveSession(self) -> None:  # noqa: N802 - Spark's
            return None

        def config(self, *setting: str) -> Session:
            built.append(setting)
            return self

        def getOrCreate(self) -> Session:  # noqa: N802
            return self

    for is_terminal in (False, True):
        monkeypatch.setattr(sys.stderr, "isatty", lambda seen=is_terminal: seen)
        spark_engine.start_session(Session())
    progress = "spark.ui.showConsoleProgress"
    assert built == [(progress, "false"), (progress, "true")]


@pytest.mark.nightly
@given(data=odd_tables())
@example(data=b"\nmention,cluster\nm1,a\nm2,b\n")
@example(data=b"m1,a\n \nm2,b\n")
@example(data=b"mention,cluster\r\nm1,a\r\nm2, b\r\n")
@settings(max_examples=25, deadline=None)
@pytest.mark.usefixtures("spark")
def test_odd_files_are_read_alike(tmp_path_factory: Any, data: bytes) -> None:
    path = tmp_path_factory.mktemp("odd") / "key.csv"
    path.write_bytes(data)
    assert rows_of("spark", str(path)) == rows_of("numpy", str(path))


def rows_of(engine: str, path: str) -> object:
    request = CountRequest()
    tables = [recognise(path, "key"), recognise({"m1": 1}, "response")]
    reading = readings(tables, request)[0]
    try:
        if engine == "numpy":
            (actual, _) = load_into_memory(tables, request)
            columns = list(actual.take(actual.names).values.values())
            texts = [[text_of(value) for value in column] for column in columns]
            return actual.names, sorted(zip(*texts, strict=True), key=repr)
        with spark_engine.SparkSession(request, tables) as session:
            names = session.load(tables[0], "drawn", reading)
            ids = ", ".join(column.sql(session.quote) for column in names)
            rows = session.rows(f"SELECT {ids} FROM drawn")  # noqa: S608
            return [column.name for column in names], sorted(rows, key=repr)
    except FormatError as error:
        return str(error)


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("m1,a\nm2\nm3,c\n", "key.csv:2: expected 2 fields, found 1"),
        ("m1,a\nm2,b,c\n", "key.csv:2: expected 2 fields, found 3"),
        ('m1,a\nm2,"b\n', "key.csv:2: a quotation mark is in the wrong place"),
        ("", "this file has no rows"),
    ],
)
def test_bad_files_are_explained(tmp_path: Path, text: str, message: str) -> None:
    (path := tmp_path / "key.csv").write_text(text)
    with pytest.raises(FormatError) as caught:
        score_table(path, {"m1": 1}, engine="spark", ceaf=False)
    assert message in str(caught.value)


@pytest.mark.nightly
@pytest.mark.usefixtures("spark")
def test_a_path_that_exists_is_that_file(tmp_path: Path) -> None:
    for name, rows in (("p[12].csv", "m1,a\nm2,b\n"), ("p1.csv", "m1,a\n")):
        (tmp_path / name).write_text(rows)
    actual = score_table(tmp_path / "p[12].csv", {"m1": 1}, engine="spark", ceaf=False)
    assert actual.mentions["key"] == 2


@pytest.mark.nightly
@pytest.mark.usefixtures("spark")
def test_of_duplicates_the_smaller_cluster_is_the_first() -> None:
    rows = [("m1", "b"), ("m1", "a"), ("m2", "a")]
    with pytest.raises(DuplicateError, match="1 mention is listed more than once"):
        score_table(rows, rows[1:], engine="spark")
    actual = score_table(rows, rows[1:], engine="spark", duplicates="first", ceaf=False)
    assert "|duplicates:first|row-order:text|" in actual.signature
    assert actual.scores["cluster"].f1 == 1


@pytest.mark.usefixtures("spark")
def test_words_for_a_missing_value_are_no_cluster(tmp_path: Path) -> None:
    rows = [("r1", "a"), ("r2", "a"), ("r3", "NaN"), ("NA", "None"), ("-1", "-1")]
    path = tmp_path / "response.csv"
    path.write_text("id,cluster\n" + "".join(f"{a},{b}\n" for a, b in rows))
    key = {"r1": 1, "r2": 1, "r3": 2, "NA": 3, "-1": 3}
    actual = score_table(key, path, engine="spark")
    by_numpy = score_table(key, path, engine="numpy")
    assert actual.mentions == {"key": 5, "response": 2, "common": 2}
    assert (actual.scores, actual.notes) == (by_numpy.scores, by_numpy.notes)


def test_too_many_cells_for_ceaf_are_refused(
    spark: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spark_engine, "_MOST_CELLS", 1)
    frame = spark.createDataFrame([("m", 1, 1), ("n", 1, 2)], ["id", "key", "response"])
    with pytest.raises(OptionError, match="CEAF needs 2 pairs of clusters"):
        score_table(frame)


def test_other_engines_leave_dataframes_alone(spark: Any) -> None:
    frame = spark.createDataFrame([("m", 1, 1)], ["id", "key", "response"])
    for engine in ("numpy", "duckdb"):
        with pytest.raises(OptionError, match="only Spark can read a Spark DataFrame"):
            score_table(frame, engine=engine)


def test_an_estimate_on_spark_has_the_digits_of_the_others(
    spark: Any,
    tmp_path: Path,
) -> None:
    records = range(60)
    predicted = [(f"r{n}", n // 3 + (n % 10 == 0)) for n in records]
    labelled = [(f"r{n}", f"t{n // 4}", 1 / (1 + n // 4)) for n in records if n < 40]
    names = ["record", "person", "weight"]
    sample = spark.createDataFrame(labelled, names)
    frame = spark.createDataFrame(predicted, ["record", "cluster"])
    frame.write.parquet(str(tmp_path / "predicted"))
    columns = dict(zip(names, map(list, zip(*labelled, strict=True)), strict=True))
    expected = estimate(columns, dict(predicted), weights="weight")
    for prediction, engine in (
        (frame, None),
        (str(tmp_path / "predicted"), "spark"),
        (str(tmp_path / "predicted"), "duckdb"),
    ):
        given_sample = columns if engine == "duckdb" else sample
        actual = estimate(given_sample, prediction, weights="weight", engine=engine)
        assert actual.scores == expected.scores
        assert actual.intervals == expected.intervals
        assert actual.values == expected.values


def test_a_curve_on_spark_has_the_points_of_the_others(spark: Any) -> None:
    key = [(f"r{n}", f"t{n // 4}") for n in range(30)]
    pairs = [(f"r{n}", f"r{(n * 7 + 1) % 33}", n % 9 / 10) for n in range(30)]
    expected = curve(dict(key), pairs).points[:]
    frames = (
        spark.createDataFrame(key, ["record", "person"]),
        spark.createDataFrame(
            pairs, ["unique_id_l", "unique_id_r", "match_probability"]
        ),
    )
    actual = curve(*frames).points
    assert [each.threshold for each in actual] == [each.threshold for each in expected]
    for point, other in zip(actual, expected, strict=True):
        assert point.clusters == other.clusters
        for name, score in point.scores.items():
            assert score == pytest.approx(other.scores[name], abs=1e-12)


def test_summaries_and_differences_are_the_same(spark: Any) -> None:
    rows = [(1, "a", "x"), (2, "a", "y"), (3, "b", "x"), (4, None, "z"), (5, "c", None)]
    table = {
        name: [row[place] for row in rows]
        for place, name in enumerate(("id", "cluster", "name"))
    }
    frame = spark.createDataFrame(rows, ["id", "cluster", "name"])
    expected = summarise_table(table, name="name")
    actual = summarise_table(frame, name="name")
    assert actual.figures == expected.figures
    assert actual.names == expected.names
    new = [(1, "p"), (2, "q"), (3, "q"), (6, "r")]
    later = {"id": [1, 2, 3, 6], "cluster": ["p", "q", "q", "r"]}
    frames = frame, spark.createDataFrame(new, ["id", "cluster"])
    diff = diff_tables(*frames, mention="id", key_cluster="cluster")
    expected_diff = diff_tables(table, later, mention="id", key_cluster="cluster")
    assert diff.figures == expected_diff.figures
    assert diff.changed is None  # their names are in Spark


def test_a_session_is_started_if_there_is_none(spark: Any) -> None:
    spark.stop()  # so this test is the last one
    gold = [("a", "b"), ("b", "c"), ("d", "e")]
    found = [("b", "a"), ("c", "d"), ("a", "b"), ("e", "e")]
    results = [
        score_table(
            gold,
            [(*pair, 0.5) for pair in found],
            key_pairs=True,
            response_pairs=True,
            threshold=0.5,
            engine=engine,
        )
        for engine in ("numpy", "duckdb", "spark")
    ]
    pyspark.sql.SparkSession.getActiveSession().stop()
    assert results[0].scores == results[1].scores == results[2].scores
    assert len({result.signature for result in results}) == 1

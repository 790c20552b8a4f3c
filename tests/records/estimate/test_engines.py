"""Estimates through every engine and kind of file: the same digits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.records.engines import count_sample
from scoref.records.request import CountRequest
from scoref.records.sources import recognise

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.records.request import SampleCounts

RECORDS = range(60)
PREDICTED = {f"r{n}": f"p{n // 3 + (n % 10 == 0)}" for n in RECORDS}
SAMPLE = {f"r{n}": f"t{n // 4}" for n in RECORDS if n < 40}
few = settings(max_examples=15)

clusterings = st.dictionaries(
    st.integers(0, 20), st.sampled_from(["a", "b", "7", "x y"]), min_size=1
)


def as_lists(counts: SampleCounts) -> list[object]:
    arrays = (
        *(counts.size, counts.cell, counts.predicted),
        *(counts.shared, counts.predicted_size),
    )
    numbers = [array.tolist() for array in arrays]
    return [counts.clusters, numbers, counts.others, counts.predicted_clusters]


@few
@given(sample=clusterings, predicted=clusterings)
def test_engines_count_the_same_cells(
    sample: dict[int, str], predicted: dict[int, str]
) -> None:
    pytest.importorskip("duckdb")
    ours, theirs = (
        count_sample(
            [recognise(sample, "sample"), recognise(predicted, "prediction")],
            CountRequest(),
            engine,
            with_total=True,
        )
        for engine in ("numpy", "duckdb")
    )
    assert as_lists(ours) == as_lists(theirs)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    duckdb = pytest.importorskip("duckdb")
    rows = ", ".join(f"('{m}', '{c}')" for m, c in PREDICTED.items())
    query = f"SELECT * FROM (VALUES {rows}) AS t(record, cluster)"  # noqa: S608
    actual = {
        kind: str(tmp_path / f"all.{kind}") for kind in ("parquet", "duckdb", "csv")
    }
    duckdb.sql(query).write_parquet(actual["parquet"])
    duckdb.sql(query).write_csv(actual["csv"])
    with duckdb.connect(actual["duckdb"]) as database:
        database.execute(f"CREATE TABLE found AS {query}")
    return actual


@pytest.mark.parametrize("kind", ["parquet", "duckdb", "csv"])
def test_files_have_the_digits_of_a_dict(kind: str, files: dict[str, str]) -> None:
    expected = scoref.estimate(SAMPLE, PREDICTED, weights="cluster-size")
    actual = scoref.estimate(SAMPLE, files[kind], weights="cluster-size")
    assert actual.scores == expected.scores
    assert actual.errors == expected.errors
    assert actual.intervals == expected.intervals
    assert actual.columns == {
        "response mention": "record",
        "response cluster": "cluster",
    }


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_have_the_digits_of_a_dict(library: str) -> None:
    pytest.importorskip("duckdb")
    module: Any = pytest.importorskip(library)
    make = module.table if library == "pyarrow" else module.DataFrame
    sample = make({"id": list(SAMPLE), "person": list(SAMPLE.values())})
    predicted = make({"key": list(PREDICTED), "cluster": list(PREDICTED.values())})
    expected = scoref.estimate(SAMPLE, PREDICTED)
    for engine in ("numpy", "duckdb"):
        actual = scoref.estimate(sample, predicted, engine=engine)
        assert actual.scores == expected.scores
        assert actual.errors == expected.errors


def test_samples_may_call_their_columns_otherwise(tmp_path: Path) -> None:
    sample, predicted = tmp_path / "sample.csv", tmp_path / "all.csv"
    rows = [f"{record},{person},x" for record, person in SAMPLE.items()]
    sample.write_text("\n".join(["patent,inventor,remark", *rows]))
    rows = [f"{cluster},{record},y" for record, cluster in PREDICTED.items()]
    predicted.write_text("\n".join(["found,id,name", *rows]))
    actual = scoref.estimate(
        sample,
        predicted,
        key_mention="patent",
        key_cluster="inventor",
        response_mention="id",
        response_cluster="found",
    )
    assert actual.scores == scoref.estimate(SAMPLE, PREDICTED).scores

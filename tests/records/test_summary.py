"""Summaries of clusters without gold data."""

from __future__ import annotations

import json
from math import exp, log
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.records.summary import Summary
from scoref.records.summary_report import size_classes
from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE: dict[str, list[object]] = {
    "id": [1, 2, 3, 4, 5, 6, 7, 8],
    "cluster": ["a", "a", "a", "b", "c", "c", None, "d"],
    "name": ["x", "x", "y", "z", "z", None, "w", None],
}
FILE = str(EXAMPLES / "people.csv")


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_the_figures_of_a_table(engine: str) -> None:
    summary = scoref.summarise_table(PEOPLE, name="name", engine=engine)
    assert summary.sizes == {1: 2, 2: 1, 3: 1}
    p = (0.5, 0.25, 0.25)
    assert summary.figures == {
        "records": 7,
        "clusters": 4,
        "mean_size": 1.75,
        "largest": 3,
        "singletons": 2,
        "links": 4,
        "matching_rate": 5 / 7,
        "hill_0": 3.0,
        "hill_1": pytest.approx(exp(-sum(share * log(share) for share in p))),
        "hill_2": pytest.approx(1 / sum(share**2 for share in p)),
        "homonymy": 2 / 3,  # b and c have a z; d has no name
        "name_variation": 1 / 3,
    }
    assert summary.names == (3, 1, 2, 3, 1)
    assert [note.kind for note in summary.notes] == ["unclustered-in-table"]
    without = scoref.summarise_table(PEOPLE, mention="id", cluster="cluster")
    assert without.homonymy is None
    assert without.sizes == summary.sizes


@pytest.mark.parametrize("duplicates", ["first", "last"])
def test_the_name_is_that_of_the_row_that_counts(duplicates: str) -> None:
    more = {"id": 1, "cluster": "b", "name": None}
    table = {name: [*PEOPLE[name], more[name]] for name in PEOPLE}
    both = [
        scoref.summarise_table(
            table,
            name="name",
            duplicates=duplicates,  # type: ignore[arg-type]
            engine=engine,
        )
        for engine in ("numpy", "duckdb")
    ]
    assert both[0].to_dict() == both[1].to_dict()
    assert both[0].sizes == (
        {1: 2, 2: 1, 3: 1} if duplicates == "first" else {1: 1, 2: 3}
    )
    with pytest.raises(scoref.DuplicateError):
        scoref.summarise_table(table, name="name")


def test_equal_sizes_have_one_hill_number() -> None:
    summary = scoref.summarise_table([["a", "b"], ["c", "d"]])
    assert [summary.hill_number(order) for order in (0, 1, 2)] == [1, 1, 1]
    assert summary.matching_rate == 1


def test_conditions_decide_the_exit_code(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot = tmp_path / "plot.svg"
    options = ["table", FILE, "--summary", "--name", "name"]
    fine = run(*options, "--fail-if", "homonymy>0.34", "--plot", str(plot))
    assert fine.exit_code == 0, fine.output
    assert "Clusters by size" in plot.read_text()
    failed = run(*options, "--fail-if", "homonymy>=0.3,largest>2,clusters<1")
    assert failed.exit_code == 3
    message = failed.stderr.replace("\n  ", " ")
    assert (
        "homonymy is 0.333333, and --fail-if is 'homonymy>=0.3'; largest is 3"
        in message
    )
    assert "clusters" not in message
    for condition in ("homonymy", "homonymy=3", "homonymy<x", "<3"):
        assert run(*options, "--fail-if", condition).exit_code == 2
    unknown = run(*options, "--fail-if", "homonomy>1")
    assert unknown.exit_code == 2
    assert "does not know 'homonomy'" in unknown.stderr


def test_json_and_csv_have_the_same_figures() -> None:
    (result,) = json.loads(run("table", FILE, "--summary", "--output", "json").stdout)[
        "results"
    ]
    assert result["sizes"] == [[1, 3], [2, 2], [3, 1]]
    rows = run("table", FILE, "--summary", "--output", "csv").stdout.splitlines()
    assert rows[0] == "figure,value"
    assert f"matching_rate,{result['matching_rate']}" in rows


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ([FILE, FILE, "--summary"], "needs one table"),
        ([FILE, "--summary", "--metrics", "muc"], "--metrics"),
        ([FILE, "--summary", "--threshold", "1"], "--threshold"),
        ([FILE, "--summary", "--diff"], "--diff"),
        ([FILE, "--name", "name"], "--name needs --summary"),
        ([FILE, "--summary", "--name", "nobody"], "'nobody' does not exist"),
        ([str(EXAMPLES / "pairs-gold.csv"), "--summary"], "a record and its cluster"),
    ],
)
def test_wrong_calls_are_refused(options: list[str], problem: str) -> None:
    result = run("table", *options)
    assert result.exit_code in {1, 2}
    assert problem in result.stderr.replace("\n  ", " ")
    assert not result.stdout


@pytest.mark.parametrize(
    ("sizes", "labels"),
    [
        ({1: 5}, ["1"]),
        ({1: 1, 3: 2}, ["1", "2", "3–4"]),
        ({4: 1}, ["1", "2", "3–4"]),
        ({5: 1}, ["1", "2", "3–4", "5–8"]),
    ],
)
def test_the_last_class_of_sizes_has_the_largest_cluster(
    sizes: dict[int, int], labels: list[str]
) -> None:
    classes = size_classes(Summary("", sizes, None, "", ()))
    assert [row.label for row in classes] == labels
    assert sum(row.share for row in classes) == pytest.approx(1)

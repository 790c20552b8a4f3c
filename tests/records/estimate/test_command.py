"""The command `scoref estimate`, as it is typed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import scoref
from support.commands import run

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.usefixtures("wide")

PREDICTED = dict(zip(range(1, 13), "ppqrqsssttuu", strict=True))

SAMPLE = {1: "c1", 2: "c1", 3: "c1", 4: "c2", 5: "c2", 9: "c3", 10: "c3"}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    actual = []
    for name, table in (("sample", SAMPLE), ("all", PREDICTED)):
        path = tmp_path / f"{name}.csv"
        rows = [f"{record},{cluster}" for record, cluster in table.items()]
        path.write_text("\n".join(["record,cluster", *rows]))
        actual.append(str(path))
    return actual


def test_figures_stand_with_their_intervals_and_the_promise(files: list[str]) -> None:
    result = run("estimate", *files, "--weights", "uniform")
    assert result.exit_code == 0
    table, counts, signature = result.stdout.split("\n\n")
    lines = table.splitlines()
    assert lines[0].split() == ["Recall", "Precision", "F₁"]
    assert [each.strip() for each in lines[2].split("  ")[-3:]] == [
        "66.67 [6.0, 99.6] (2.9)",
        "85.71 [42.3, 99.6] (2.9)",
        "75.00 [13.9, 99.8] (2.9)",
    ]
    assert counts.splitlines() == [
        "Sample: 3 clusters of 7 records",
        (
            "Population: about 5 clusters of 2.33 records on average; matching rate "
            "about 100.00 %"
        ),
        (
            "Columns: gold record 'record', gold cluster 'cluster', predicted record "
            "'record', predicted cluster 'cluster'"
        ),
        (
            "Assumed, not checked: labelled clusters are complete and were "
            "sampled with equal probability, independently of the "
            "prediction; the prediction is complete"
        ),
    ]
    assert signature == (
        f"scoref:{scoref.__version__}|format:table|estimator:ratio|weights:uniform|"
        "missing:error|level:95|interval:korn-graubard\n"
    )
    assert "The sample has only 3 clusters" in result.stderr


def test_weights_must_be_thought_about(files: list[str]) -> None:
    result = run("estimate", *files)
    assert result.exit_code == 2
    for choice in ("uniform", "cluster-size", "COLUMN"):
        assert f"--weights {choice}" in result.output


def test_json_has_a_schema_and_every_figure(files: list[str]) -> None:
    result = run(
        "estimate",
        *files,
        "--weights",
        "cluster-size",
        "--plan",
        "10",
        "--output",
        "json",
    )
    written = json.loads(result.stdout)
    assert written["schema"] == "scoref/estimate/1"
    (actual,) = written["results"]
    expected = scoref.estimate(SAMPLE, PREDICTED, weights="cluster-size")
    recall = actual["estimates"]["pairwise"]["recall"]
    assert recall["estimate"] == expected.scores["pairwise"].recall
    assert recall["error"] == expected.errors["pairwise"]["recall"]
    assert (recall["low"], recall["high"]) == expected.intervals["pairwise"]["recall"]
    assert recall["draws_planned"] == expected.plan(0.1)["pairwise"]["recall"]
    assert actual["promise"] == expected.promise


def test_csv_has_a_row_for_each_figure(files: list[str]) -> None:
    result = run(
        "estimate",
        *files,
        "--weights",
        "uniform",
        "--metrics",
        "muc",
        "--output",
        "csv",
    )
    head, *rows = result.stdout.splitlines()
    assert head.startswith("metric,figure,estimate,error,low,high,effective")
    assert [row.split(",")[:3] for row in rows] == [
        ["muc", "recall", "0.5"],
        ["muc", "precision", "0.6666666666666666"],
        ["muc", "f1", "0.5714285714285715"],
    ]


def test_labelled_pairs_are_another_sample(files: list[str], tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("left,right,match,w\n1,2,1,2\n6,7,0,2\n3,9,1,5\n4,12,0,5\n")
    result = run("estimate", "--pairs", str(pairs), files[1], "--weights", "w")
    assert result.exit_code == 0
    assert "Sample: 4 pairs of 8 records" in result.stdout
    assert "|sample:pairs|weights:w|" in result.stdout


@pytest.mark.parametrize(
    ("options", "code", "problem"),
    [
        (
            ["--weights", "sise"],
            2,
            "The columns are record, cluster. Weights may also be",
        ),
        (["--weights", "uniform", "--metrics", "conll"], 2, "Choose from pairwise"),
        (["--weights", "uniform", "--level", "100"], 2, "--confidence"),
        (["--weights", "record"], 1, "there is only one column"),
        (["--weights", "uniform", "--block"], 0, ""),
    ],
)
def test_exit_codes(
    files: list[str], options: list[str], code: int, problem: str
) -> None:
    result = run("estimate", *files, *options)
    assert result.exit_code == code, result.output
    assert problem in result.output


def test_records_that_are_missing_end_it_with_what_to_do(
    files: list[str], tmp_path: Path
) -> None:
    more = tmp_path / "more.csv"
    more.write_text("record,cluster\n1,a\n99,a\n")
    result = run("estimate", str(more), files[1], "--weights", "uniform")
    assert result.exit_code == 1
    assert "1 of 2 labelled records are not in the prediction" in result.output
    assert "--missing-records alone" in result.output

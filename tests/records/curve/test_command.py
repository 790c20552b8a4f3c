"""The command `scoref curve`, as it is typed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from support.commands import run

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.usefixtures("wide")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    key, pairs = tmp_path / "key.csv", tmp_path / "pairs.csv"
    key.write_text("record,person\n1,a\n2,a\n3,a\n4,b\n5,b\n")
    pairs.write_text(
        "match_weight,match_probability,unique_id_l,unique_id_r\n"
        "9,0.9,1,2\n8,0.8,4,5\n8,0.8,3,4\n6,0.6,2,3\n5,0.5,1,3\n"
    )
    return [str(key), str(pairs)]


def test_the_best_metric_can_be_an_alias(files: list[str]) -> None:
    by_name, by_alias = (
        run("curve", *files, "--best", name, "--output", "json")
        for name in ("bcub", "B3")
    )
    assert by_alias.exit_code == 0
    assert by_alias.stdout == by_name.stdout


def test_points_stand_below_each_other_and_the_best_is_marked(files: list[str]) -> None:
    result = run("curve", *files, "--metrics", "bcub,links")
    assert result.exit_code == 0
    table, best, *_ = result.stdout.split("\n\n")
    assert [line.split() for line in table.splitlines()] == [
        ["Threshold", "Clusters", "B³", "Links"],
        ["∞", "5", "57.14", "0.00"],
        ["0.9", "4", "69.57", "40.00"],
        ["0.8", "2", "73.33", "*", "57.14"],
        ["0.6", "1", "68.42", "75.00"],
        ["0.5", "1", "68.42", "88.89"],
    ]
    assert best.startswith(
        "* Best by B³: threshold 0.8 (the same for 0.6 < t ≤ 0.8), F₁ 73.33 "
        "(95 % interval 0.50 to 100.00), 2 clusters (2 gold)"
    )
    assert "score 'match_probability'" in best
    assert "CEAFe" in result.stdout
    assert "its score is optimistic" in result.stderr


def test_few_rows_are_shown_and_all_are_written(files: list[str]) -> None:
    shown = run("curve", *files, "--points", "2").stdout.partition("\n\n")[0]
    thresholds = [line.split()[0] for line in shown.splitlines()[1:]]
    assert thresholds == ["∞", "0.8", "0.6", "0.5"]  # the best are always there
    rows = run("curve", *files, "--points", "2", "--output", "csv").stdout.splitlines()
    assert [row.split(",")[:3] for row in rows[1:]] == [
        ["", "0.9", "5"],  # nothing is linked: the threshold is infinite
        ["0.9", "0.8", "4"],
        ["0.8", "0.6", "2"],
        ["0.6", "0.5", "1"],
        ["0.5", "", "1"],
    ]


def test_json_has_a_schema_and_every_point(files: list[str]) -> None:
    written = json.loads(
        run("curve", *files, "--at", "0.85", "--output", "json").stdout
    )
    assert written["schema"] == "scoref/curve/1"
    (actual,) = written["results"]
    assert [point["threshold"] for point in actual["points"]] == [
        "infinity",
        0.9,
        0.8,
        0.6,
        0.5,
    ]
    assert actual["best"]["bcub"]["threshold"] == 0.8
    (at,) = actual["at"]
    assert at["threshold"] == 0.85
    assert at["scores"]["bcub"]["precision"] == 1
    assert "conll" in at["scores"]


def test_it_is_drawn(files: list[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "curve.svg"
    assert run("curve", *files, "--plot", str(path)).exit_code == 0
    assert "B³ by threshold" in path.read_text()


@pytest.mark.parametrize(
    ("options", "code", "problem"),
    [
        (["--best", "ceafe"], 2, "curve metric"),
        (["--score", "x"], 1, "column 'x' does not exist"),
        (["--left", "match_weight"], 1, "which columns are the two records"),
        (["--plot", "curve.pdf"], 2, ".svg"),
        (["--score", "match_weight"], 0, ""),
    ],
)
def test_exit_codes(
    files: list[str], options: list[str], code: int, problem: str
) -> None:
    result = run("curve", *files, *options)
    assert result.exit_code == code, result.output
    assert problem in result.output

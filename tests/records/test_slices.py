"""Scores by the classes of records, and sentences on what is lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.scoring.slices import PLURALS
from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

BOTH = str(EXAMPLES / "table-both.csv")
NAMES = ["--record", "record", "--gold", "person", "--cluster", "predicted"]
ROWS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.sampled_from("pq")),
    min_size=1,
    max_size=12,
)


@given(ROWS, st.sampled_from(["both", "common", "union", "key", "response"]))
@settings(deadline=None)
def test_classes_add_up_to_the_table(
    rows: list[tuple[str, str, str]], universe: str
) -> None:
    key = {"id": [*range(len(rows)), 97], "gold": [*(r[0] for r in rows), "a"]}
    response = {
        "id": [*range(len(rows)), 98],
        "found": [*(r[1] for r in rows), "x"],
        "kind": [*(r[2] for r in rows), "q"],
    }
    sliced = scoref.slice_table(
        key,
        response,
        by="kind",
        universe=universe,
        key_mention="id",
        response_mention="id",
        response_cluster="found",
    )
    slices = sliced.slices["kind"]
    assert PLURALS not in slices
    for name in ("muc", "bcub", "ceafe", "lea"):
        parts = sum(result.counts[name].sum(axis=0) for result in slices.values())
        assert np.allclose(parts, sliced.whole.counts[name].sum(axis=0))


def test_b_cubed_of_a_class_is_the_mean_of_its_records() -> None:
    table = {
        "id": [1, 2, 3, 4, 5],
        "gold": ["a", "a", "b", "b", "b"],
        "system": ["x", "x", "y", "y", "x"],
        "year": [7, 7, 8, 8, 8],
    }
    slices = scoref.slice_table(table, by=["year"]).slices["year"]
    assert [*slices] == ["7", "8"]
    assert slices["8"].scores["bcub"].recall == pytest.approx((2 / 3 * 2 + 1 / 3) / 3)
    assert slices["7"].scores["bcub"].precision == pytest.approx(2 / 3)


def test_the_tree_finds_the_class_that_loses_recall() -> None:
    records = range(400)
    gold = [n // 2 for n in records]
    # Pairs from the web are split if they are from before 1990.
    source = ["web" if n // 2 % 2 else "paper" for n in records]
    year = [1980 + n // 2 // 2 % 20 for n in records]
    is_split = [s == "web" and y < 1990 for s, y in zip(source, year, strict=True)]
    system = [f"s{n}" if is_split[n] else f"c{n // 2}" for n in records]
    table = {
        "id": [*records],
        "gold": gold,
        "system": system,
        "source": source,
        "year": year,
    }
    (loss,) = scoref.slice_table(table, by=["source", "year"]).losses
    assert loss.figure == "recall"
    assert {*loss.conditions} == {"source web", "year up to 1989"}
    assert (loss.records, loss.value, loss.lost) == (100, 0.5, 1.0)


def test_a_single_record_is_no_class() -> None:
    gold = [record // 3 for record in range(12)]
    table = {
        "id": [*range(12)],
        "gold": gold,
        "system": ["alone", *gold[1:]],
        "year": [*range(1980, 1992)],
    }
    (loss,) = scoref.slice_table(table, by=["year"]).losses
    assert (loss.conditions, loss.records) == (("year up to 1982",), 3)
    assert loss.value == pytest.approx((1 / 3 + 2 / 3 + 2 / 3) / 3)


def test_the_class_may_be_in_a_table_of_all_records(tmp_path: Path) -> None:
    records = tmp_path / "records.csv"
    records.write_text("id,country\n1,no\n2,no\n3,se\n4,se\n9,fi\n")
    (gold := tmp_path / "gold.csv").write_text("id,cluster\n1,a\n2,a\n3,b\n4,b\n")
    (found := tmp_path / "found.csv").write_text("id,cluster\n1,x\n2,x\n3,y\n4,z\n")
    call = ["table", str(gold), str(found), "--by", "country"]
    result = run(*call, "--records", str(records))
    assert result.exit_code == 0, result.output
    assert "B³ recall is 50.00 (75.00 overall) for 2 records with country se" in (
        result.stdout.replace("\n  ", " ")
    )
    (pairs := tmp_path / "pairs.csv").write_text("id_a,id_b\n1,2\n3,4\n")
    call = ["table", str(pairs), str(found), "--by", "country"]
    of_pairs = run(*call, "--records", str(records), "--output", "json")
    assert of_pairs.exit_code == 0, of_pairs.output
    (sliced,) = json.loads(of_pairs.stdout)["results"]
    assert [*sliced["slices"]] == ["fi", "no", "se"]
    nowhere = run(*call)
    assert nowhere.exit_code == 2
    assert "no table has the column 'country'" in nowhere.stderr


def test_engines_agree_on_classes() -> None:
    both = [
        run("table", BOTH, *NAMES, "--by", "source", "--engine", engine).stdout
        for engine in ("numpy", "duckdb")
    ]
    assert both[0] == both[1]
    assert "parish" in both[0]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--by", "source", "--group", "source"], "--group"),
        (["--by", "source", "--fail-under", "3"], "--fail-under"),
        (["--by", "nothing"], "no table has the column 'nothing'"),
        (["--by", "source", "--metrics", "ari"], "has only these metrics"),
    ],
)
def test_wrong_calls_are_refused(options: list[str], problem: str) -> None:
    result = run("table", BOTH, *NAMES, *options)
    assert result.exit_code == 2
    assert problem in result.stderr.replace("\n  ", " ")

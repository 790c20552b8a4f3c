"""Tables of pairs: their columns, and records and scores as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import scoref
from scoref.errors import FormatError, OptionError
from scoref.records.pairs import (
    MATCHES,
    WantedKeyAndPairs,
    WantedPairs,
    read_scored_pairs,
    recognise_pairs,
)
from scoref.records.request import CountRequest

if TYPE_CHECKING:
    from pathlib import Path

KEY = {"a": 1, "b": 1, "c": 2}
PAIRS = [("a", "b", 0.9), ("b", "d", 0.4)]
REQUEST = CountRequest(wanted=WantedKeyAndPairs())


@pytest.mark.parametrize(
    ("columns", "chosen"),
    [
        (["x", "y", "z"], ["x", "y", "z"]),
        (["match_weight", "unique_id_l", "unique_id_r", "gamma"], None),
        (["city", "score", "person_id_l", "person_id_r"], None),
    ],
)
def test_columns_are_found_by_name_or_as_the_only_three(
    columns: list[str], chosen: list[str] | None
) -> None:
    names = WantedPairs().choose(columns, "pairs.csv", None).names
    ids = [name for name in columns if name.endswith(("_l", "_r"))]
    score = next((name for name in columns if name in {"match_weight", "score"}), "")
    assert names == (chosen or [*ids, score])


def test_columns_that_are_not_clear_must_be_named() -> None:
    with pytest.raises(FormatError, match="which columns are the two records"):
        WantedPairs().choose(["v", "w", "x", "y"], "pairs.csv", None)
    wanted = WantedPairs("v", "w", "x", kind="match", known=MATCHES)
    uses = wanted.choose(["v", "w", "x", "y"], "pairs.csv", None).uses("key")
    assert uses == {"left": "v", "right": "w", "match": "x"}


@pytest.mark.parametrize(
    ("row", "is_header"), [(["a", "b", "s"], True), (["a", "b", "0.5"], False)]
)
def test_a_header_has_no_number(row: list[str], *, is_header: bool) -> None:
    assert WantedPairs().is_header(row) == is_header


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_records_become_numbers(engine: str) -> None:
    pytest.importorskip("duckdb")
    read = read_scored_pairs(KEY, PAIRS, REQUEST, engine=engine)
    assert sorted(read.cluster.tolist()) == [-1, 0, 0, 1]
    assert sorted(read.score.tolist()) == [0.4, 0.9]
    best = int(np.argmax(read.score))
    assert read.cluster[[read.left[best], read.right[best]]].tolist() == [0, 0]
    assert (read.key.rows, read.source) == (3, "pairs")


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
@pytest.mark.parametrize(
    ("row", "problem"),
    [("a,c,much", "'much' is not a number"), ("a,,1", "a pair has only one record")],
)
def test_a_bad_row_is_refused_with_its_line(
    tmp_path: Path, engine: str, row: str, problem: str
) -> None:
    pytest.importorskip("duckdb")
    path = tmp_path / "pairs.csv"
    path.write_text(f"left,right,score\na,b,0.5\n{row}\n")
    with pytest.raises(FormatError, match=problem) as caught:
        read_scored_pairs(KEY, path, REQUEST, engine=engine)
    assert caught.value.line == 3


@pytest.mark.parametrize("table", [[("a", "b")], np.zeros((2, 2))])
def test_a_table_without_scores_is_refused(table: Any) -> None:
    with pytest.raises(OptionError, match="pairs"):
        recognise_pairs(table, "pairs")


def test_progress_with_pairs_is_told_in_steps() -> None:
    pytest.importorskip("duckdb")
    told: list[tuple[str, float]] = []
    key, pairs = {"a": 1, "b": 1, "c": 2}, [("a", "b", 0.9), ("c", "b", 0.3)]
    scoref.curve(key, pairs, engine="duckdb", progress=lambda *step: told.append(step))
    assert told == [
        ("reading key", 0),
        ("reading pairs", 0),
        ("numbering records", 0.2),
        ("fetching pairs", 0.5),
    ]

"""Tables in an engine: progress, duplicates, and rows that are skipped."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scoref.errors import DuplicateError
from scoref.records.api import score_table
from scoref.records.ids import EngineColumn
from scoref.records.loading import TableSides
from scoref.records.request import CountRequest, TableSide

if TYPE_CHECKING:
    Clustering = dict[tuple[str, str], str]
    Table = dict[str, list[str | None]]


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_duplicates_are_counted_and_refused(engine: str) -> None:
    rows = [("m", 1), ("m", 1), ("n", 1), ("n", 2), ("o", 1)]
    with pytest.raises(DuplicateError) as caught:
        score_table(rows, [("m", 1)], engine=engine)
    assert str(caught.value) == (
        "key: 2 records are listed more than once, for example 'm'\n"
        "  hint: Use --duplicates first or last to keep one row of "
        "each (duplicates in Python)."
    )
    kept = score_table(rows, [("m", 1)], engine=engine, duplicates="last")
    assert kept.notes[0].message == (
        "The gold data lists 2 records more than once. scoref kept the last row of "
        "each."
    )


def test_progress_is_told_in_steps() -> None:
    told: list[tuple[str, float]] = []
    score_table(
        {"m": 1}, {"m": 1}, engine="duckdb", progress=lambda *step: told.append(step)
    )
    assert told == [
        ("reading key", 0),
        ("reading response", 0),
        ("joining key and response", 0.1),
        ("counting pairs of clusters", 0.2),
        ("counting the sizes of clusters", 0.4),
        ("counting equal clusters", 0.6),
        ("aligning clusters", 0.9),
        ("done", 1),
    ]


class Recorder:
    """A session that records queries, and answers them with fixed rows."""

    quote, prefix = '"', "t_"
    place: str | None = "row_number() OVER ()"
    number = "row_number() OVER ()"

    def __init__(self, *answers: list[tuple[object, ...]]) -> None:
        self.views: dict[str, str] = {}
        self.answers = list(answers)

    def view(self, name: str, query: str) -> None:
        self.views[name] = query

    def rows(self, _: str) -> list[tuple[object, ...]]:
        return self.answers.pop(0)


def sides_of(recorder: Recorder, **options: object) -> TableSides:
    request = CountRequest(**options)  # type: ignore[arg-type]
    return TableSides(recorder, request)  # type: ignore[arg-type]


def test_names_have_the_prefix_of_the_session() -> None:
    recorder = Recorder()
    sides = sides_of(recorder)
    sides.view("rows", "SELECT 1")
    assert recorder.views == {"t_rows": "SELECT 1"}


def test_the_place_of_a_row_matters_only_for_duplicates() -> None:
    assert sides_of(Recorder()).place() == ""
    assert sides_of(Recorder(), duplicates="first").place().endswith("AS place")


def test_null_words_are_counted_if_rows_are_not_clustered() -> None:
    sides = sides_of(Recorder([(3,)]))
    sides.set_row_queries("key", "key_table", EngineColumn("c", "text"), "m")
    side = TableSide("key", rows=9, unclustered=4)
    assert sides.count_null_words(side, "key").null_words == 3
    assert sides.count_null_words(TableSide("key", rows=9), "key").null_words == 0


def test_columns_without_gaps_are_taken_as_they_are() -> None:
    column = EngineColumn("c", "text")
    assert "nullif" in column.cluster_sql('"')
    assert replace(column, has_gaps=False).cluster_sql('"') == '"c"'

"""Requests: sizes of memory, headers and delimiters."""

from __future__ import annotations

import pytest

from scoref.errors import AlignmentError, OptionError
from scoref.records.api import score_table
from scoref.records.request import (
    ROLES,
    CountRequest,
    Overlap,
    TableReading,
    TableSide,
    delimiter_of,
)

ROWS = {"m1": "a", "m2": "a", "m3": "b"}


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
    with pytest.raises(OptionError, match=r"is not an amount of memory|is too little"):
        score_table(ROWS, ROWS, memory=memory, engine=engine)


@pytest.mark.parametrize("memory", ["100MB", "1.5 gb", "1GiB"])
def test_sizes_are_written_in_many_ways(memory: str) -> None:
    assert score_table(ROWS, ROWS, memory=memory).scores["bcub"].f1 == 1


@pytest.mark.parametrize(
    ("line", "form", "delimiter"),
    [("a,b", "csv", ","), ('"a,b";c', "csv", ";"), ("a b\tc,d,e", "tsv", "\t")],
)
def test_the_delimiter_is_found_in_the_first_line(
    line: str, form: str, delimiter: str
) -> None:
    assert delimiter_of(line, form) == delimiter


def test_columns_without_a_header_are_called_by_number() -> None:
    reading = TableReading("key.csv", "key")
    assert reading.text_columns("m1,a", "csv") == (",", ["1", "2"], False)
    assert reading.text_columns("mention,cluster", "csv")[2]


def test_a_side_of_a_database_has_its_own_table() -> None:
    request = CountRequest(table=("people", "found"))
    assert [request.table_of(role) for role in ROLES] == ["people", "found"]


def test_sides_without_a_common_mention_are_compared_only_by_their_union() -> None:
    overlap = Overlap(key_only=1, response_only=2, common=0)
    sides = TableSide("key.csv"), TableSide("response.csv")
    with pytest.raises(AlignmentError, match="no record in common"):
        overlap.check(CountRequest(), *sides)
    overlap.check(CountRequest(universe="union"), *sides)

"""Scores of single entities: partners, parts, what is missed and what is merged."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.errors import OptionError
from scoref.scoring.evaluate import score_entities
from support.commands import run
from support.paths import EXAMPLES

KEY, RESPONSE = (str(EXAMPLES / f"{name}.conll") for name in ("key", "response"))


def test_an_entity_that_was_split_and_merged() -> None:
    rows = score_entities([[1, 2, 3, 4], [5, 6], [7]], [[1, 2, 5], [3, 6], [8, 9]])
    first, second, third, invented = rows
    assert (first.key_size, first.response_size, first.shared) == (4, 3, 2)
    assert (first.recall, first.precision) == (2 / 4, 2 / 3)
    assert first.f1 == pytest.approx(4 / 7)
    assert (first.parts, first.missed, first.merged_with) == (2, 1, ("1",))
    # Both response entities share one mention with it; the smaller one is its partner.
    assert (second.response_entity, second.parts, second.missed) == ("1", 2, 0)
    assert second.merged_with == ("0",)
    assert (third.response_entity, third.precision, third.f1) == (None, None, 0)
    assert (third.parts, third.missed) == (0, 1)
    assert (invented.entity, invented.response_size, invented.recall) == (None, 2, None)


ENTITIES = st.lists(st.integers(0, 4), min_size=1, max_size=12).map(
    lambda labels: [
        [place for place, label in enumerate(labels) if label == wanted]
        for wanted in sorted({*labels})
    ]
)


@given(ENTITIES, ENTITIES)
def test_rows_are_those_of_an_obvious_computation(
    key: list[list[int]], response: list[list[int]]
) -> None:
    rows = iter(score_entities(key, response, singletons="keep"))
    for entity in key:
        row = next(rows)
        shared = [len({*entity} & {*other}) for other in response]
        overlaps = [
            (-count, len(other), place)
            for place, (count, other) in enumerate(zip(shared, response, strict=True))
            if count
        ]
        assert row.parts == len(overlaps)
        assert row.missed == len(entity) - sum(shared)
        if not overlaps:
            assert row.response_entity is None
            continue
        most, size, _ = min(overlaps)
        assert (row.shared, row.response_size) == (-most, size)
        partner = {*response[int(row.response_entity or 0)]}
        assert len(partner & {*entity}) == row.shared
        merged = {
            str(place)
            for place, other in enumerate(key)
            if other is not entity and partner & {*other}
        }
        assert {*row.merged_with} == merged
    assert all(row.entity is None for row in rows)


@pytest.mark.parametrize(
    ("sort", "first"),
    [("f1", "2"), ("recall", "2"), ("size", "0"), ("missed", "2"), ("document", "0")],
)
def test_entities_are_sorted(sort: str, first: str) -> None:
    assert score_entities(KEY, RESPONSE, sort=sort)[0].entity == first


def test_json_and_csv_have_the_same_rows() -> None:
    written = run(KEY, RESPONSE, "--per-entity", "--sort", "f1", "--output", "json")
    objects = json.loads(written.stdout)["results"]
    table = run(KEY, RESPONSE, "--per-entity", "--sort", "f1", "--output", "csv")
    lines = [*csv.DictReader(io.StringIO(table.stdout))]
    assert [row["entity"] for row in lines] == [row["entity"] for row in objects]
    assert [float(row["f1"]) for row in lines] == [row["f1"] for row in objects]
    for line, row in zip(lines, objects, strict=True):
        counts = line["parts"], line["missed"], line["merged_with"]
        assert counts == (
            *(str(row["parts"]), str(row["missed"])),
            " ".join(row["merged_with"]),
        )
    by_document: dict[str, int] = defaultdict(int)
    for row in objects:
        by_document[row["document"]] += row["key_size"]
    assert {*by_document.values()} == {10, 5}


@pytest.mark.parametrize(
    "arguments",
    [
        ("--sort", "f1"),
        ("--per-entity", "--sort", "best"),
        ("--per-entity", "--per-document"),
        ("--per-entity", "--by", "genre"),
        ("--per-entity", "--confidence"),
        ("--per-entity", "--score-only"),
        ("--per-entity", "--fail-under", "0"),
        ("--per-entity", "--save", "x.json"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments: tuple[str, ...]) -> None:
    result = run(KEY, RESPONSE, *arguments)
    assert result.exit_code in {1, 2}
    assert result.stdout == ""


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(OptionError, match="Known: document, size"):
        score_entities(KEY, RESPONSE, sort="best")

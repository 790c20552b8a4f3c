"""What is told of each error beside its kind and its mentions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

import scoref
from scoref.tools.errors.details import ErrorRows
from scoref.tools.errors.kinds import KINDS
from support.error_analyses import NAMES, analysis_of_texts, spans
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.tools.errors.findings import Analysis

WORDS = "Ada wrote | she wrote | her book | it sold | Ben and her"
ADA, SHE, HER, BOOK, IT, BEN, HER_AGAIN = (
    *((0, 0), (2, 2), (4, 4), (4, 5), (6, 6)),
    *((8, 8), (10, 10)),
)


def begins(analysis: Analysis, column: list[int], number: int) -> list[int | None]:
    """Say at which word the mentions of a column begin."""
    side, corpus = (analysis.key, analysis.response)[number], analysis._corpora[number]
    return [
        None if place < 0 else int(corpus.mention_start[side.row[place]])
        for place in column
    ]


def test_an_error_knows_what_it_should_have_been_linked_to_and_what_it_was() -> None:
    analysis = spans(
        [[ADA, SHE, HER, HER_AGAIN], [BOOK, IT]],
        [[ADA, SHE], [HER, BOOK, IT], [BEN, HER_AGAIN]],
        WORDS,
    )
    kinds = [NAMES[kind] for kind in analysis.errors.kind.tolist()]
    assert kinds == ["wrong-link", "extra-mention", "divided-entity"]
    details = analysis.details
    assert begins(analysis, details.antecedent.tolist(), 0) == [2, None, 4]
    assert begins(analysis, details.linked_to.tolist(), 1) == [4, 10, 8]
    assert details.distance is not None
    assert details.distance.tolist() == [-1, -1, 2]
    assert details.entity_size.tolist() == [4, 4, 4]
    assert details.mention_class is not None
    assert details.mention_class.names == ("pronoun", "other")
    assert details.mention_class.of_error.tolist() == [0, 1, 0]
    assert details.genre is None


def test_a_first_mention_is_linked_to_one_behind_it_that_is_not_of_the_error() -> None:
    key = [[ADA, SHE, HER, IT, HER_AGAIN], [BEN, BOOK, (1, 1)]]
    response = [[HER, IT, HER_AGAIN], [ADA, SHE, BEN, BOOK, (1, 1)]]
    analysis = spans(key, response, WORDS)
    (kind,) = analysis.errors.kind.tolist()
    assert NAMES[kind] == "wrong-link"
    assert begins(analysis, analysis.details.antecedent.tolist(), 0) == [4]
    assert begins(analysis, analysis.details.linked_to.tolist(), 1) == [1]


def test_a_missing_entity_has_nothing_to_be_linked_to() -> None:
    analysis = spans([[ADA, SHE], [BEN]], [[BEN]], WORDS)
    assert analysis.details.antecedent.tolist() == [-1]
    assert analysis.details.linked_to.tolist() == [-1]
    assert analysis.details.entity_size.tolist() == [2]


def test_classes_are_those_of_heads_where_there_are_parts_of_speech() -> None:
    paths = [EXAMPLES / f"corefud-{side}.conllu" for side in ("key", "response")]
    classes = scoref.find_errors(*paths).details.mention_class
    assert classes is not None
    names = [classes.names[number] for number in classes.of_error.tolist()]
    assert sorted(names) == ["common", "common", "zero", "zero"]


def test_a_genre_is_what_the_key_says(tmp_path: Path) -> None:
    key, response = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    line = '{{"doc_key": "d", "genre": "{}", "clusters": [[[0, 0]]]}}'
    key.write_text(line.format("news"))
    response.write_text(line.format("wrong").replace("[0, 0]", "[1, 1]"))
    assert scoref.find_errors(key, response).details.genre == ["news"]


def test_without_sentences_there_is_no_distance() -> None:
    analysis = spans([[ADA, SHE]], [[ADA], [SHE]])
    assert analysis.details.distance is None


@pytest.mark.parametrize(
    ("count", "shown"),
    [(4, "+14.29"), (20, "+2.56"), (51, "+0.990"), (200, "+0.251"), (2000, "+0.0250")],
)
def test_gains_have_more_decimals_if_all_are_small(count: int, shown: str) -> None:
    # One of the entities is missing, so its gain is 100 / (2 * count - 1) points.
    key = [[(2 * entity, 2 * entity), (2 * entity + 1,) * 2] for entity in range(count)]
    rows = ErrorRows(spans(key, key[1:]), range(len(KINDS)), "cost")
    assert [rows.signed(error, 2) for error, _ in rows] == [shown]


@pytest.mark.parametrize(
    ("gain", "shown"),
    [(0.01, "+1.00"), (0.00995, "+0.995"), (0.001, "+0.100"), (0.0009, "+0.0900")],
)
def test_the_largest_gain_has_three_digits(gain: float, shown: str) -> None:
    rows = ErrorRows(spans([[ADA, SHE]], [[ADA, BEN]]), range(len(KINDS)), "cost")
    vars(rows)["gain"] = np.array([gain, -gain / 10])  # computed once, and kept
    assert rows.signed(0, 2) == shown


def test_gains_of_nothing_have_the_usual_decimals() -> None:
    key, response = (
        json.dumps({"doc_key": "d", "clusters": clusters})
        for clusters in ([[ADA, SHE], [BEN]], [[ADA, SHE]])
    )
    analysis = analysis_of_texts(key, response, "json-lines", ("muc",))
    rows = ErrorRows(analysis, range(len(KINDS)), "cost")
    assert [rows.signed(error, 2) for error, _ in rows] == ["0.00"]


def test_the_first_mention_of_the_only_entity_should_be_linked_to_the_next() -> None:
    analysis = spans([[ADA, SHE, HER]], [[SHE, HER]], WORDS)
    assert begins(analysis, analysis.details.antecedent.tolist(), 0) == [2]

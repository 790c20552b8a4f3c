"""Columns of any kind give what `scoref.score` gives for the same values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

import scoref
from scoref.adapters.datasets import score_columns
from scoref.errors import ScorefError
from support.strategies import corpora

if TYPE_CHECKING:
    from collections.abc import Callable

    from support.strategies import Documents

pyarrow = pytest.importorskip(
    "pyarrow", reason="pyarrow is not there: pip install '.[datasets]'"
)

NAMES = ["a", "b", "c"]
KEY = [[[[0, 1], [5, 5], [9, 9]], [[3, 3], [7, 8]]], [[[0, 1], [5, 5]]], []]
RESPONSE = [[[[0, 1], [5, 5]], [[9, 9], [3, 3]]], [[[0, 1], [5, 5]]], []]
COLUMNS = {"doc_key": NAMES, "clusters": KEY, "predicted_clusters": RESPONSE}
EXPECTED = scoref.score(
    dict(zip(NAMES, KEY, strict=True)),
    dict(zip(NAMES, RESPONSE, strict=True)),
)

Mention = list[int]
Column = list[list[list[Mention]]]


def mapped(make: Callable[[Mention], object], column: Column) -> list[Any]:
    return [[[make(mention) for mention in entity] for entity in row] for row in column]


def both(make: Callable[[Mention], object]) -> dict[str, list[Any]]:
    return {
        "clusters": mapped(make, KEY),
        "predicted_clusters": mapped(make, RESPONSE),
    }


def library(name: str) -> Any:
    """Load a library whose tables are read, or skip the test."""
    return pytest.importorskip(name, reason=f"{name} is not there")


def assert_as_expected(result: scoref.Result) -> None:
    assert result.scores == EXPECTED.scores
    assert result.per_document == EXPECTED.per_document
    assert result.signature == EXPECTED.signature


def test_a_mapping_of_columns_is_scored() -> None:
    assert_as_expected(score_columns(COLUMNS))


def test_an_arrow_table_is_scored_in_any_number_of_pieces() -> None:
    table = pyarrow.table(COLUMNS)
    pieces = [table.slice(row, 1) for row in range(3)]
    assert_as_expected(score_columns(table))
    assert_as_expected(score_columns(pyarrow.concat_tables(pieces)))


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_a_data_frame_is_scored(name: str) -> None:
    assert_as_expected(score_columns(library(name).DataFrame(COLUMNS)))


def test_texts_of_polars_are_texts() -> None:
    frame = library("polars").DataFrame(both(str))
    assert score_columns(frame, document=None).scores == EXPECTED.scores


def test_a_dataset_is_scored() -> None:
    assert_as_expected(score_columns(library("datasets").Dataset.from_dict(COLUMNS)))


def test_a_selection_of_a_dataset_is_scored_in_its_order() -> None:
    dataset = library("datasets").Dataset.from_dict(COLUMNS).select([2, 0])
    result = score_columns(dataset)
    assert result.documents == ("c", "a")
    assert result.per_document["a"] == EXPECTED.per_document["a"]


def test_a_streamed_dataset_is_scored() -> None:
    dataset = library("datasets").Dataset.from_dict(COLUMNS).to_iterable_dataset()
    assert_as_expected(score_columns(dataset))


def test_a_dataset_with_splits_is_refused_and_its_splits_are_named() -> None:
    datasets = library("datasets")
    dataset = datasets.Dataset.from_dict(COLUMNS)
    splits = datasets.DatasetDict({"train": dataset, "test": dataset})
    with pytest.raises(scoref.OptionError, match=r"splits \(train, test\)"):
        score_columns(splits)


@pytest.mark.parametrize(
    "make",
    [
        str,
        lambda mention: {"start": mention[0], "end": mention[1]},
        lambda mention: [mention[0], mention[1], -1],
        lambda mention: list(range(mention[0], mention[1] + 1)),
        lambda mention: [2**30 + mention[0], 2**30, 2**30, 2**30 + mention[1]],
        lambda mention: [mention[0] - 2**60, mention[1] * 2**50],
    ],
    ids=["texts", "structs", "triples", "tokens", "large", "larger"],
)
def test_mentions_are_values_of_any_shape(make: Callable[[Mention], object]) -> None:
    result = score_columns(both(make), document=None)
    assert result.scores == EXPECTED.scores


def test_mentions_of_another_width_or_list_are_the_same() -> None:
    pair = pyarrow.list_(pyarrow.int32(), 2)
    column = pyarrow.large_list(pyarrow.list_(pair))
    table = {**COLUMNS, "clusters": pyarrow.array(KEY, type=column)}
    assert_as_expected(score_columns(table))


def test_texts_in_a_dictionary_are_the_same_as_texts() -> None:
    coded = pyarrow.dictionary(pyarrow.int8(), pyarrow.string())
    column = pyarrow.list_(pyarrow.list_(coded))
    texts = both(str)
    key = pyarrow.array(texts["clusters"], type=column)
    result = score_columns({**texts, "clusters": key}, document=None)
    assert result.scores == EXPECTED.scores


@given(corpora())
def test_columns_give_the_scores_of_lists(both: tuple[Documents, Documents]) -> None:
    key, response = both
    columns: dict[str, list[Any]] = {
        "doc_key": list(key),
        "clusters": [_pairs(entities) for entities in key.values()],
        "predicted_clusters": [_pairs(entities) for entities in response.values()],
    }
    expected = scoref.score(key, response)
    found = score_columns(columns)
    assert found.scores == expected.scores
    assert found.documents == expected.documents


def _pairs(entities: list[list[int]]) -> list[list[list[int]]]:
    """Make pairs of numbers that look alike if parts are mixed up: 3 becomes 1, 0."""
    return [[[number // 3, number % 3] for number in entity] for entity in entities]


def test_documents_go_by_their_rows_if_they_have_no_names() -> None:
    assert score_columns(COLUMNS, document=None).documents == ("0", "1", "2")


def test_columns_and_conventions_can_be_chosen() -> None:
    columns = {"gold": KEY, "system": RESPONSE}
    result = score_columns(
        columns,
        key="gold",
        response="system",
        document=None,
        metrics="lea",
        singletons="drop",
        lea="no-singletons",
    )
    assert list(result.scores) == ["lea"]
    assert "|singletons:drop|" in result.signature
    assert (result.key, result.response) == ("gold", "system")


def test_duplicates_are_noted() -> None:
    columns = {"clusters": [[[[0, 0]]]], "predicted_clusters": [[[[0, 0]], [[0, 0]]]]}
    (note, *_) = score_columns(columns, document=None).notes
    assert note.kind == "duplicates-in-response"


def test_empty_columns_score_0_and_say_why() -> None:
    columns: dict[str, list[Any]] = {"clusters": [[]], "predicted_clusters": [[]]}
    result = score_columns(columns, document=None)
    assert result.conll == 0
    assert result.notes[0].message == (
        "warning: The key has no mentions. Is it the right file?"
    )


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"clusters": [1, 2, 3]}, "column 'clusters' is int64"),
        ({"clusters": [[0, 1], [], []]}, "column 'clusters' is list<item: int64>"),
        ({"clusters": [[[0, 1]], [], []]}, "mentions in column 'clusters' are int64"),
        ({"clusters": [[[0.5]], [], []]}, "mentions in column 'clusters' are double"),
        ({"clusters": [[["x"]], [], []]}, "are lists of numbers here, but texts in"),
        ({"clusters": [[], None, []]}, "for document 'b', nothing"),
        ({"clusters": [None, None, None]}, "for document 'a', nothing"),
        ({"clusters": [[], [[[0, 1]], None], []]}, "'b', an entity that is null"),
        ({"clusters": [[[]], [[[0, 1], None]], []]}, "'b', a mention that is null"),
        ({"clusters": [[[[0, 1]]], [[[0, None]]], []]}, "'b', a mention with a part"),
        (
            {"clusters": [[[{"start": 1, "end": None}]], [], []]},
            "'a', a mention with a part",
        ),
        ({"clusters": [[[1]], [["x"]], []]}, "these are not columns of entities:"),
        ({"clusters": KEY[:2]}, "these are not columns of entities:"),
        ({"doc_key": ["a", "b", "a"]}, "document 'a' is in two rows"),
        ({"doc_key": ["a", None, "b"]}, "rows without a name"),
        ({name: [] for name in COLUMNS}, "the table has no rows"),
    ],
)
def test_what_are_no_columns_of_entities_is_refused(
    changed: dict[str, Any], problem: str
) -> None:
    with pytest.raises(scoref.ScorefError, match=problem):
        score_columns({**COLUMNS, **changed})


@pytest.mark.parametrize("table", [7, "clusters", [1, 2]])
def test_what_is_no_table_is_refused(table: object) -> None:
    with pytest.raises(scoref.OptionError, match="Arrow cannot make a table of this"):
        score_columns(table)


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(scoref.OptionError, match="Did you mean clusters"):
        score_columns(pyarrow.table(COLUMNS), key="cluster")


ENTITIES = [[[0, 0], [2, 2]], [[4, 5], [7, 7]]]
TABLE = {
    "doc_key": ["a", "b"],
    "clusters": [ENTITIES, ENTITIES],
    "predicted_clusters": [ENTITIES, ENTITIES[:1]],
}
WRONG: dict[str, tuple[Any, dict[str, Any], str]] = {
    "the key twice": (
        {},
        {"response": "clusters"},
        "given as the key and as the respo",
    ),
    "no such column": ({}, {"response": "prediction"}, "unknown column 'prediction'"),
    "no such name": ({}, {"document": "id"}, "unknown column 'id'"),
    "a null": (
        {"predicted_clusters": [ENTITIES, None]},
        {},
        "for document 'b', nothing",
    ),
    "all null": ({"predicted_clusters": [None, None]}, {}, "for document 'a', nothing"),
    "one document twice": ({"doc_key": ["a", "a"]}, {}, "document 'a' is in two"),
    "fewer rows": ({"predicted_clusters": [ENTITIES]}, {}, "expected length 2"),
    "JSON as text": ({"predicted_clusters": ["[]", "[]"]}, {}, "is string"),
    "flat lists": ({"predicted_clusters": [[0, 1], [2]]}, {}, "is list<"),
    "an unknown metric": ({}, {"metrics": "ceaf"}, "unknown metric 'ceaf'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_column_is_an_error(case: str) -> None:
    changes, options, message = WRONG[case]
    with pytest.raises(ScorefError) as error:
        score_columns(TABLE | changes, **options)
    assert message in str(error.value)


def test_mentions_of_several_lengths_are_compared_to_their_end() -> None:
    columns = {
        "doc_key": ["a"],
        "clusters": [[[[1, 2, 3], [1, 2]]]],
        "predicted_clusters": [[[[1, 2, 4], [1, 2]]]],
    }
    assert score_columns(columns).scores["mentions"].f1 == 0.5

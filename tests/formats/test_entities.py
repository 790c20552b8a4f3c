"""Entities in Python: what is one document, what is several, and what is neither."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import scoref
from scoref import Evaluator, ScorefError

if TYPE_CHECKING:
    from pathlib import Path

FIRST: Any = [[(0, 1), (5, 5), (9, 9)], [(3, 3), (7, 8)]]
SECOND = [[(0, 1), (2, 2)], [(4, 4), (6, 6)]]
GUESS: Any = [[(0, 1), (5, 5)], [(9, 9), (3, 3)]]


class Tensor:
    """What is compared by identity, as torch's tensors are."""

    def __init__(self, value: object) -> None:
        self._array = np.asarray(value)
        self.shape = self._array.shape

    def __iter__(self) -> Any:
        return map(Tensor, self._array)

    def tolist(self) -> Any:
        return self._array.tolist()


class Eager:
    """What can become an array, and nothing else."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self._value, dtype)


def as_lists(document: Any) -> Any:
    return [[list(mention) for mention in entity] for entity in document]


def as_tuples(document: Any) -> Any:
    return tuple(tuple(map(tuple, entity)) for entity in document)


@pytest.mark.parametrize("make", [list, as_lists])
@pytest.mark.parametrize("collect", [list, tuple, iter], ids=lambda each: each.__name__)
def test_a_list_of_documents_is_like_a_dict(make: Any, collect: Any) -> None:
    def sides() -> tuple[Any, Any]:
        return collect([make(FIRST), make(SECOND)]), collect(
            [make(GUESS), make(SECOND)]
        )

    key, response = {"0": FIRST, "1": SECOND}, {"0": GUESS, "1": SECOND}
    expected = scoref.score(key, response)
    result = scoref.score(*sides())
    assert (result.scores, result.documents) == (expected.scores, ("0", "1"))
    assert scoref.assert_score(*sides(), conll=0.1).scores == expected.scores
    costs = scoref.find_errors(*sides()).costs
    assert costs == scoref.find_errors(key, response).costs
    row = scoref.explain(*sides()).reference
    assert row.scores == scoref.explain(key, response).reference.scores
    evaluator = Evaluator()
    key_list, response_list = sides()
    evaluator.update(key=key_list, response=response_list)
    assert evaluator.compute().scores == expected.scores
    one, other = sides()
    agreement = scoref.agree({"a": one, "b": other})
    assert agreement.alpha == scoref.agree({"a": key, "b": response}).alpha


def test_documents_of_labelled_entities_may_be_a_list() -> None:
    documents: Any = [{"E1": [(0, 1)]}, {"E1": [(0, 1)]}]
    result = scoref.score(documents, documents, scope="corpus")
    assert result.scores["muc"].f1 == 1  # one entity with a mention in each document


def test_sets_in_lists_are_entities() -> None:
    documents: Any = [[{"a", "b"}, {"c"}], [{"a"}]]
    assert scoref.score(documents, documents).documents == ("0", "1")


def test_an_empty_document_does_not_hide_the_others() -> None:
    assert scoref.score([[], FIRST], [[], []]).documents == ("0", "1")
    with pytest.raises(ScorefError, match="list of documents on one side only"):
        scoref.score(FIRST, [GUESS])


def test_lists_of_documents_are_paired_by_position() -> None:
    with pytest.raises(ScorefError, match="2 in the key, 1 in the response"):
        scoref.score([FIRST, SECOND], [FIRST])
    with pytest.raises(ScorefError, match="one side is a dict"):
        scoref.score([FIRST], {"d": FIRST})


def test_tuples_of_tuples_may_be_entities_or_mentions() -> None:
    documents = [as_tuples(FIRST), as_tuples(SECOND)]
    with pytest.raises(ScorefError, match="or of mentions with several pieces"):
        scoref.score(documents, documents)
    # The other side shows that these are documents.
    assert scoref.score(documents, [FIRST, SECOND]).conll == 1


@pytest.mark.parametrize(
    "documents",
    [
        [[["a", "b"], ["c"]], [["d", "e"]]],
        [[["a", "b"], ["c", "d"]]],
        [[[1, 2, 3], [4, 5]], [[6, 7]]],
        [[[1], [2]], [[3]]],
    ],
)
def test_lists_that_may_be_documents_are_refused(documents: Any) -> None:
    with pytest.raises(ScorefError, match="these lists may be documents") as caught:
        scoref.score(documents, documents)
    assert "write mentions as tuples" in str(caught.value)
    named = {f"d{row}": each for row, each in enumerate(documents)}
    assert scoref.score(named, named).scores["mentions"].f1 == 1


def test_mentions_of_several_pieces_stay_mentions() -> None:
    pieces = ((0, 1), (3, 4))
    assert scoref.score([[(0, 1), pieces]], [[(0, 1), pieces]]).conll == 1
    # The other side shows that these are pieces.
    assert scoref.score([[(0, 1), pieces]], [[pieces]]).scores["mentions"].recall == 0.5
    document = {"d": [[pieces, ((7, 7), (9, 9))]]}
    assert scoref.score(document, document).conll == 1
    evaluator = Evaluator()
    evaluator.update(key=document, response=document)
    sets = [[frozenset(pieces), frozenset(((7, 7), (9, 9)))]]
    evaluator.update(key=sets, response=sets)
    assert evaluator.compute().conll == 1


@pytest.mark.parametrize("array", [np.array, Tensor, Eager])
def test_arrays_and_tensors_are_values_at_every_level(array: Any) -> None:
    expected = scoref.score(FIRST, GUESS).scores
    forms = [
        [[array(mention) for mention in entity] for entity in GUESS],
        [[tuple(map(array, mention)) for mention in entity] for entity in GUESS],
        [array(entity) for entity in GUESS],
        array(GUESS),
    ]
    for form in forms:
        assert scoref.score(FIRST, form).scores == expected
        assert scoref.score(form, form).conll == 1
        evaluator = Evaluator()
        evaluator.update(key=FIRST, response=form)
        assert evaluator.compute().scores == expected
    numbers = [array([1, 2, 3]), [array(4), array(5)]]
    assert scoref.score([[1, 2, 3], [4, 5]], numbers).conll == 1
    documents = scoref.score([FIRST], [[array(entity) for entity in GUESS]])
    assert documents.scores == expected


def test_a_table_of_numbers_has_no_entities() -> None:
    spans = np.array([[0, 1], [5, 5]])
    with pytest.raises(
        ScorefError, match=r"an ndarray of shape \(2, 2\), not entities"
    ):
        scoref.score(spans, spans)


@pytest.mark.parametrize("array", [np.array, Tensor, Eager])
def test_label_vectors_are_refused_with_a_hint(array: Any) -> None:
    for labels in ([0, 0, 1], ["a", "a", "b"]):
        with pytest.raises(ScorefError, match=r"use scoref\.score_table"):
            scoref.score(array(labels), array(labels))


def test_labels_by_item_are_refused_with_a_hint() -> None:
    labels = {"first": 0, "second": 1}
    with pytest.raises(ScorefError, match=r"use scoref\.score_table"):
        scoref.score(labels, labels)


def test_padding_is_not_taken_for_mentions() -> None:
    padded = np.array([[[0, 1], [5, 5]], [[3, 3], [-1, -1]]])
    with pytest.raises(ScorefError, match="negative or not numbers"):
        scoref.score(padded, padded)


def test_arrays_may_have_a_dimension_for_documents() -> None:
    spans = np.arange(16).reshape(2, 2, 2, 2)
    assert scoref.score(spans, spans).documents == ("0", "1")


def test_a_refusal_describes_what_was_passed_in_a_few_words() -> None:
    for value in (["x" * 10_000], "x" * 10_000, [["a"], "x" * 10_000], [range(10**6)]):
        with pytest.raises(ScorefError) as refused:
            scoref.score({"d": value}, {"d": [["a"]], "e": 1})
        assert len(str(refused.value)) < 400


def test_an_iterator_is_not_a_mention() -> None:
    documents = [[iter(entity) for entity in each] for each in (FIRST, SECOND)]
    with pytest.raises(ScorefError, match="a mention is a value, not a list_iterator"):
        scoref.score(documents, documents)


def test_arrays_of_arrays_are_like_lists() -> None:
    entities = [np.array(entity) for entity in FIRST]
    ragged = np.empty(len(entities), dtype=object)
    ragged[:] = entities
    assert scoref.score(FIRST, ragged).conll == 1
    series = pytest.importorskip("pandas").Series(FIRST)
    assert scoref.score(series, FIRST).conll == 1


def test_padding_in_one_entity_is_refused() -> None:
    padded = [np.array([[0, 1], [-1, -1]])]
    with pytest.raises(ScorefError, match=r"an entity is an ndarray of .* neg"):
        scoref.score(FIRST, padded)


def test_a_mention_that_is_not_equal_to_itself_is_refused() -> None:
    for mention in (float("nan"), (0, float("nan"))):
        with pytest.raises(ScorefError, match="a mention is NaN"):
            scoref.score([[mention, 1]], [[mention, 1]])


def test_a_list_of_files_is_not_a_list_of_labels(tmp_path: Path) -> None:
    file = tmp_path / "key.conll"
    file.write_text("")
    files: Any
    for files in ([file], [str(file)]):
        with pytest.raises(ScorefError, match="the first of which is a file"):
            scoref.score(files, files)


@pytest.mark.parametrize("count", [1, 2])
def test_nested_lists_are_documents_with_a_note(count: int) -> None:
    nested: Any = [[[[0, 1], [5, 5]]], [[[3, 3], [7, 7]]]][:count]
    result = scoref.score(nested, nested)
    (note,) = result.notes
    assert (note.kind, note.count) == ("listed-documents", count)
    assert len(result.documents) == count
    tuples = [[[tuple(span) for span in entity] for entity in doc] for doc in nested]
    assert not scoref.score(tuples, tuples).notes

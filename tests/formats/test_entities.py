"""Entities in Python: what is one document, what is several, and what is neither."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import scoref
from scoref import Evaluator, ScorefError

FIRST: Any = [[(0, 1), (5, 5), (9, 9)], [(3, 3), (7, 8)]]
SECOND = [[(0, 1), (2, 2)], [(4, 4), (6, 6)]]
GUESS: Any = [[(0, 1), (5, 5)], [(9, 9), (3, 3)]]


class Tensor:
    """What is compared by identity, as torch's tensors are."""

    def __init__(self, value: object) -> None:
        self._array = np.asarray(value)
        self.shape = self._array.shape

    def __iter__(self) -> Any:  # noqa: ANN401
        return map(Tensor, self._array)

    def tolist(self) -> Any:  # noqa: ANN401
        return self._array.tolist()


class Eager:
    """What can become an array, and nothing else."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:  # noqa: ANN401
        return np.asarray(self._value, dtype)


def as_lists(document: Any) -> Any:  # noqa: ANN401
    return [[list(mention) for mention in entity] for entity in document]


def as_tuples(document: Any) -> Any:  # noqa: ANN401
    return tuple(tuple(map(tuple, entity)) for entity in document)


@pytest.mark.parametrize("make", [list, as_lists, as_tuples])
@pytest.mark.parametrize("collect", [list, tuple, iter], ids=lambda each: each.__name__)
def test_a_list_of_documents_is_refused(make: Any, collect: Any) -> None:  # noqa: ANN401
    def sides() -> tuple[Any, Any]:
        return collect([make(FIRST), make(SECOND)]), collect(
            [make(GUESS), make(SECOND)]
        )

    with pytest.raises(ScorefError, match="looks like a list of documents"):
        scoref.score(*sides())
    with pytest.raises(ScorefError, match="looks like a list of documents"):
        scoref.assert_score(*sides(), conll=0.1)
    with pytest.raises(ScorefError, match="looks like a list of documents"):
        scoref.find_errors(*sides())
    with pytest.raises(ScorefError, match="looks like a list of documents"):
        scoref.explain(*sides())
    evaluator = Evaluator()
    for document in (None, "batch"):
        key, response = sides()
        with pytest.raises(ScorefError, match="looks like a list of documents"):
            evaluator.update(key=key, response=response, document=document)
    assert len(evaluator) == 0
    key, response = sides()
    with pytest.raises(ScorefError, match="looks like a list of documents"):
        scoref.agree({"a": key, "b": response})


def test_an_empty_document_does_not_hide_the_others() -> None:
    with pytest.raises(ScorefError, match="looks like a list of documents"):
        scoref.score([[], FIRST], [[], []])
    with pytest.raises(ScorefError, match="looks like a list of documents"):
        scoref.score(FIRST, [GUESS])


@pytest.mark.parametrize(
    "documents",
    [
        [[["a", "b"], ["c"]], [["d", "e"]]],
        [[["a", "b"], ["c", "d"]]],
        [[[1, 2, 3], [4, 5]], [[6, 7]]],
        [[[1], [2]], [[3]]],
    ],
)
def test_lists_that_may_be_documents_are_refused(documents: Any) -> None:  # noqa: ANN401
    with pytest.raises(ScorefError, match="these lists may be documents") as caught:
        scoref.score(documents, documents)
    assert "write mentions as tuples" in str(caught.value)
    named = {f"d{row}": each for row, each in enumerate(documents)}
    assert scoref.score(named, named).scores["mentions"].f1 == 1


def test_documents_of_labelled_entities_are_refused_in_a_list() -> None:
    documents: Any = [{"E1": [(0, 1)]}, {"E1": [(0, 1)]}]
    with pytest.raises(ScorefError, match="not a dict"):
        scoref.score(documents, documents)


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
def test_arrays_and_tensors_are_values_at_every_level(array: Any) -> None:  # noqa: ANN401
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
    with pytest.raises(ScorefError, match="looks like a list of documents"):
        scoref.score([FIRST], [[array(entity) for entity in GUESS]])


def test_a_table_of_numbers_has_no_entities() -> None:
    spans = np.array([[0, 1], [5, 5]])
    with pytest.raises(ScorefError, match="2 dimensions cannot hold entities"):
        scoref.score(spans, spans)


def test_an_iterator_is_not_a_mention() -> None:
    documents = [[iter(entity) for entity in each] for each in (FIRST, SECOND)]
    with pytest.raises(ScorefError, match="a mention is a value, not a list_iterator"):
        scoref.score(documents, documents)  # type: ignore[arg-type]

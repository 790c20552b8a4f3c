"""Natural but wrong calls of the adapters: each gets an error or a warning."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from scoref.adapters._batches import add_batch
from scoref.adapters.spacy import score_docs
from scoref.errors import ScorefError
from scoref.scoring.evaluator import Evaluator

ENTITIES = [[[0, 0], [2, 2]], [[4, 5], [7, 7]]]
TABLE = {
    "doc_key": ["a", "b"],
    "clusters": [ENTITIES, ENTITIES],
    "predicted_clusters": [ENTITIES, ENTITIES[:1]],
}
BATCHES = {  # what torchmetrics and evaluate pass on
    "one document": (ENTITIES, ENTITIES, "0 is no mention"),
    "fewer documents": ([ENTITIES, ENTITIES], [ENTITIES], "but 2 in the key"),
    "no document": ([ENTITIES], [None], "found None where a list was expected"),
    "a mapping": ([ENTITIES], [{"a": ENTITIES}], "where a list was expected"),
    "a text": ([ENTITIES], ["Ada"], "found 'Ada' where a list was expected"),
    "probabilities": ([ENTITIES], [[[0.1, 0.9]]], "0.1 is no mention"),
    "a batch in a batch": (
        [[ENTITIES]],
        [[ENTITIES]],
        "looks like a list of documents",
    ),
}
COLUMNS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "the key twice": (
        {},
        {"response": "clusters"},
        "given as the key and as the respo",
    ),
    "no such column": ({}, {"response": "prediction"}, "no column 'prediction'"),
    "no such name": ({}, {"document": "id"}, "no column 'id'"),
    "a null": (
        {"predicted_clusters": [ENTITIES, None]},
        {},
        "for document 'b', nothing",
    ),
    "all null": ({"predicted_clusters": [None, None]}, {}, "for document 'a', nothing"),
    "one document twice": ({"doc_key": ["a", "a"]}, {}, "document 'a' stands in two"),
    "fewer rows": ({"predicted_clusters": [ENTITIES]}, {}, "expected length 2"),
    "JSON as text": ({"predicted_clusters": ["[]", "[]"]}, {}, "is string"),
    "flat lists": ({"predicted_clusters": [[0, 1], [2]]}, {}, "is list<"),
    "an unknown metric": ({}, {"metrics": "ceaf"}, "no metric 'ceaf'"),
}


class Doc(list[Any]):
    """A stand-in for spaCy's documents: tokens, and groups of spans."""

    def __init__(self, text: str, **groups: list[tuple[int, int]]) -> None:
        super().__init__(SimpleNamespace(text=word) for word in text.split())
        self.spans = {
            name: [SimpleNamespace(start=start, end=end) for start, end in spans]
            for name, spans in groups.items()
        }


TEXT = "Ada met Bob and she left"
KEY = Doc(TEXT, coref_clusters_1=[(0, 1), (4, 5)])
RESPONSE = Doc(TEXT, coref_clusters_1=[(0, 1), (4, 5)])
DOCS: dict[str, tuple[Any, Any, str]] = {
    "one document": (KEY, RESPONSE, "give lists of documents"),
    "fewer documents": ([KEY, KEY], [RESPONSE], "this ends after 1 document"),
    "no document": ([], [], "there is nothing to score"),
    "texts": ([TEXT], [TEXT], "give spaCy's documents (Doc), not their texts"),
    "another text": ([KEY], [Doc("Eve met Bob and she left")], "another text than in"),
    "another prefix": ([Doc(TEXT, x_1=[(0, 1)])], [RESPONSE], "no group of the key"),
}
DOUBTFUL_DOCS: dict[str, tuple[Any, Any, str]] = {
    "the key twice": ([KEY], [KEY], "the same Doc is in the key and in the response"),
    "another prefix": ([KEY], [Doc(TEXT, x_1=[(0, 1)])], "no group of the response"),
    "no groups": ([KEY], [Doc(TEXT)], "the response has no mention at all"),
}


@pytest.mark.parametrize("case", BATCHES)
def test_a_wrong_batch_is_an_error(case: str) -> None:
    key, response, message = BATCHES[case]
    with pytest.raises(ScorefError) as error:
        add_batch(Evaluator(), key=key, response=response)
    assert message in str(error.value)


@pytest.mark.parametrize("case", COLUMNS)
def test_a_wrong_column_is_an_error(case: str) -> None:
    pytest.importorskip("pyarrow")
    from scoref.adapters.datasets import score_columns  # an extra

    changes, options, message = COLUMNS[case]
    with pytest.raises(ScorefError) as error:
        score_columns(TABLE | changes, **options)
    assert message in str(error.value)


@pytest.mark.parametrize("case", DOCS)
def test_wrong_documents_of_spacy_are_an_error(case: str) -> None:
    key, response, message = DOCS[case]
    with pytest.raises(ScorefError) as error:
        score_docs(key, response)
    assert message in str(error.value)


@pytest.mark.parametrize("case", DOUBTFUL_DOCS)
def test_doubtful_documents_of_spacy_get_a_note(case: str) -> None:
    key, response, message = DOUBTFUL_DOCS[case]
    notes = score_docs(key, response).notes
    assert any(message in note.message for note in notes)

"""Documents of spaCy, also with two tokenisations; the library itself is not needed."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.adapters.spacy import in_one_numbering, score_docs
from scoref.errors import AlignmentError, ScorefError

WORDS = ["Ada", "said", "she", "can't", "stay", "because", "Ada", "'s", "tired"]

OTHER_WORDS = ["Ada", "said", "she", "ca", "n't", "stay", "because", "Ada's", "tired"]


def test_mentions_are_counted_in_tokens_that_both_have() -> None:
    found = in_one_numbering(
        "0",
        (WORDS, OTHER_WORDS),
        ([[(0, 0), (6, 6)]], [[(0, 0), (3, 3)], [(4, 4), (7, 7)]]),
    )
    # `can't` is two tokens now, and `Ada's` two of the key.
    assert found.key == [[(0, 0), (7, 7)]]
    assert found.response == [[(0, 0), (3, 3)], [(4, 4), (7, 8)]]
    assert {note.kind: note.count for note in found.notes} == {
        "borders-in-words-of-key": 2,
        "borders-in-words-of-response": 1,
    }


@pytest.mark.parametrize("other", [WORDS[:-1], ["Bob", *WORDS[1:]]])
def test_another_text_is_refused_however_many_tokens_it_has(other: list[str]) -> None:
    with pytest.raises(
        AlignmentError, match="the text of document 'x' differs from key"
    ):
        in_one_numbering("x", (WORDS, other), ([[(0, 0)]], [[(0, 0)]]))


@given(st.text("abc", min_size=2, max_size=12), st.data())
def test_characters_decide_whatever_the_tokens(text: str, data: st.DataObject) -> None:
    sides = []
    for _ in range(2):
        places = data.draw(st.sets(st.integers(1, len(text) - 1)))
        borders = [0, *sorted(places), len(text)]
        token = st.integers(0, len(borders) - 2)
        pairs = st.tuples(token, token).map(lambda pair: (min(pair), max(pair)))
        mentions = data.draw(st.lists(pairs, unique=True, max_size=6))
        sides.append((borders, [mentions[0::2], mentions[1::2]]))
    words = [[text[a:b] for a, b in pairwise(borders)] for borders, _ in sides]
    found = in_one_numbering("0", (words[0], words[1]), (sides[0][1], sides[1][1]))
    expected = [
        [[(borders[a], borders[b + 1]) for a, b in entity] for entity in entities]
        for borders, entities in sides
    ]
    assert scoref.score(*found[:2]).scores == scoref.score(*expected).scores


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
    "one key": (KEY, [RESPONSE], "give lists of documents"),
    "one response": ([KEY], RESPONSE, "give lists of documents"),
    "fewer documents": ([KEY, KEY], [RESPONSE], "this side ends after 1 document"),
    "no document": ([], [], "there is nothing to score"),
    "texts": ([TEXT], [TEXT], "give spaCy's documents (Doc), not their texts"),
    "another text": ([KEY], [Doc("Eve met Bob and she left")], "differs from"),
    "another prefix": ([Doc(TEXT, x_1=[(0, 1)])], [RESPONSE], "the key has no group"),
}
DOUBTFUL_DOCS: dict[str, tuple[Any, Any, str]] = {
    "the key twice": ([KEY], [KEY], "The same Doc is in the key and in the response"),
    "another prefix": ([KEY], [Doc(TEXT, x_1=[(0, 1)])], "The response has no group"),
    "no groups": ([KEY], [Doc(TEXT)], "The response has no mentions"),
}


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

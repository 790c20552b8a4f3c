"""Content without some tokens, mentions or documents keeps the rest."""

from __future__ import annotations

import numpy as np

from scoref.formats.reading import read_data
from scoref.tools.convert.content import NONE, Content, content_of
from support.corefud import corefud
from support.universal_anaphora import read, universal


def content(text: str) -> Content:
    data = text.encode()
    return content_of(read_data(data, source="x", role="key", with_tokens=True))


def test_members_are_rows_of_the_text() -> None:
    whole = content(corefud("w w 2.1/_ w", e1="1-2*2 2.1", e2="3"))
    assert whole.lists() == [[0, 1], [2], [3]]
    assert whole.head.tolist() == [1, 2, 3]
    assert whole.text.is_empty.tolist() == [False, False, True, False]
    assert whole.mention_first.tolist() == [0, 2, 3]
    assert whole.mention_last.tolist() == [1, 2, 3]


def test_mentions_without_tokens_go_and_so_do_their_entities() -> None:
    whole = content(corefud("w w 2.1/_ w", e1="1-2*2 3", e2="2.1"))
    left = whole.keep_tokens(~whole.text.is_empty)
    assert left.lists() == [[0, 1], [2]]
    assert left.entity_label == ("e1",)
    assert left.head.tolist() == [1, 2]


def test_a_head_that_is_left_out_is_unknown() -> None:
    whole = content(corefud("w w w", e1="1-2*2 3"))
    left = whole.keep_tokens(np.array([True, False, True]))
    assert left.head.tolist() == [NONE, 1]


def test_other_mentions_are_left_out() -> None:
    whole = content(corefud("w w w", e1="1 2", e2="3"))
    left = whole.keep_mentions(np.array([False, True, True]))
    assert (left.lists(), left.entity_label) == ([[1], [2]], ("e1", "e2"))
    left = whole.keep_mentions(np.array([True, True, False]))
    assert (left.lists(), left.entity_label) == ([[0], [1]], ("e1",))


def test_documents_without_mentions_can_be_left_out() -> None:
    lines = [
        f"""{{"doc_key": "{name}", "tokens": ["a", "b"], "clusters": {clusters}}}"""
        for name, clusters in (("d", "[]"), ("e", "[[[1, 1]]]"), ("f", "[]"))
    ]
    left = content("\n".join(lines)).keep_documents(np.array([False, True, False]))
    assert (left.documents, left.lists()) == (("e",), [[1]])
    assert left.text.first.tolist() == [0, 2]
    assert left.entity_document.tolist() == [0]


def test_without_words_a_document_ends_with_its_last_mention() -> None:
    whole = content("""{"doc_key": "d", "clusters": [[[0, 0], [2, 3]]]}""")
    assert not whole.has_words
    assert whole.text.first.tolist() == [0, 4]
    assert whole.lists() == [[0], [2, 3]]


def test_words_of_sets_are_numbered_in_their_document() -> None:
    corpus = read(universal("@a w w w w", "@b w w w", e1="a:2-3 a:4", e2="b:1 b:3"))
    assert corpus.tokens is None
    content = content_of(corpus)
    assert content.lists() == [[1, 2], [3], [4], [6]]

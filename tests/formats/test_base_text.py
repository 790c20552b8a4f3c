"""Texts without mentions, to which writers add mentions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoref import AlignmentError, FormatError
from scoref.formats.base_text import (
    BaseDocuments,
    base_of_file,
    can_hold_name,
    can_hold_word,
    multiword_tokens,
    plain_base,
    with_relations,
    with_trees,
)
from scoref.formats.entities import EntityPairs
from scoref.formats.reading import read_data
from scoref.formats.tokens import tokens_of
from scoref.model import DocumentName

WORDS = tokens_of(["Mia", "slept", "."], [0, 0, 1])


def columns(data: bytes, *places: int) -> list[list[str]]:
    rows = [line.split("\t") for line in data.decode().split("\n") if "\t" in line]
    return [[row[place] for place in places] for row in rows]


def test_bare_words_become_numbered_sentences() -> None:
    base = plain_base(["d"], WORDS)
    assert base.data.decode().splitlines()[:3] == [
        "# newdoc id = d",
        "# sent_id = d-1",
        "1\tMia\t_\t_\t_\t_\t_\t_\t_\t_",
    ]
    assert columns(base.data, 0, 1) == [["1", "Mia"], ["2", "slept"], ["1", "."]]
    lines = base.data.split(b"\n")
    words = [lines[number - 1].split(b"\t")[1] for number in base.line.tolist()]
    assert words == [b"Mia", b"slept", b"."]


def test_a_file_keeps_its_columns_without_its_mentions() -> None:
    data = (
        b"# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n"
        b"1\tMia\tmia\tX\t_\t_\t0\troot\t_\tEntity=(e1-x-1-)|SpaceAfter=No\n"
        b"2\t.\t.\tX\t_\t_\t1\tx\t_\tBridge=e1<e2\n\n"
    )
    base = base_of_file(data, "corefud", np.array([4, 5]))
    assert base is not None
    assert b"global.Entity" not in base.data
    assert columns(base.data, 2, 9) == [["mia", "SpaceAfter=No"], [".", "_"]]
    assert base.line.tolist() == [3, 4]


def test_words_without_heads_depend_on_the_root() -> None:
    base = with_trees(plain_base(["d"], WORDS))
    assert columns(base.data, 6, 7) == [["0", "root"], ["1", "dep"], ["0", "root"]]


def test_attributes_are_added_to_the_last_column() -> None:
    base = plain_base(["d"], WORDS)
    both = with_relations(with_relations(base, {1: b"A=1"}), {1: b"B=2"})
    assert columns(both.data, 9) == [["_"], ["A=1|B=2"], ["_"]]


def test_multiword_tokens_of_universal_anaphora_are_counted() -> None:
    data = (
        b"# global.columns = ID FORM IDENTITY\n# newdoc id = d\n# sent_id = 1\n"
        b"1-2\tdel\t_\n1\tde\t_\n2\tel\t_\n\n"
    )
    assert multiword_tokens(data, np.array([4, 5, 6])) == [2, 0, 0]


def test_only_some_words_and_names_can_be_read_back() -> None:
    assert can_hold_word("a b")
    assert not can_hold_word("a\tb")
    assert not can_hold_word("")
    assert can_hold_name("bc/cctv 1")
    assert not can_hold_name(" d")


def documents(*names: str, words: int = 3) -> BaseDocuments:
    count = len(names)
    plain = tuple(map(DocumentName.plain, names))
    return BaseDocuments("base", plain, np.arange(1, count + 1), np.full(count, words))


def test_documents_must_be_the_same_in_the_same_order() -> None:
    line = b'{"doc_key": "%s", "tokens": ["a", "b", "c"], "clusters": [[[1, 2]]]}\n'
    corpus = read_data(line % b"d" + line % b"e", source="x", role="key")
    start, end = documents("d", "e").spans(corpus)
    assert (start.tolist(), end.tolist()) == ([1, 4], [2, 5])
    with pytest.raises(AlignmentError, match="this file has 1 documents, but x has 2"):
        documents("d").check(corpus)
    with pytest.raises(AlignmentError, match="document 'e' has 3 words here"):
        documents("e", "d").check(corpus)
    with pytest.raises(AlignmentError, match="document 'd' has 2 words here"):
        documents("d", "e", words=2).check(corpus)


def test_values_are_not_words_of_a_text() -> None:
    corpus, _ = EntityPairs.of([["a"]], [["a"]]).build()
    with pytest.raises(
        FormatError, match="these mentions are plain values, not words of a text"
    ):
        documents("0").spans(corpus)


@pytest.mark.parametrize("span", [(-1, 1), (2, 1), (1, 3)])
def test_mentions_outside_their_document_are_refused(span: tuple[int, int]) -> None:
    data = b'{"doc_key": "d", "clusters": [[[0, 2]]]}\n'
    corpus = read_data(data, source="x.jsonl", role="key", format="json-lines")
    ends = {"mention_start": np.array(span[:1]), "mention_end": np.array(span[1:])}
    moved = replace(corpus, **ends)  # type: ignore[arg-type]
    with pytest.raises(
        AlignmentError, match=r"goes beyond its document, which has 3 words in base"
    ):
        documents("d").spans(moved)

"""CorefUD as it should be, and as people have it: what is read from it."""

from __future__ import annotations

import gzip
import io
import lzma
import sys
from dataclasses import fields
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scoref import Note
from scoref.formats import conllu, reading
from scoref.model import Relation
from support.corefud import annotated, corefud, lines_of, mentions_in, read
from support.random_corefud import random_pair

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.model import Corpus

THREE = corefud(
    "Ada wrote 2.1/2:obj code",
    "she slept",
    "@b Ada ran",
    e1="1 2:1",
    e2="2.1 1-3*2",
    e3="3:1-2*2 3:1",
)


def _plain(corpus: Corpus) -> dict[str, object]:
    """Turn every column into values that can be compared."""
    assert corpus.words is not None
    columns = {
        field.name: getattr(corpus, field.name)
        for field in fields(corpus)
        if field.compare
    }
    columns |= corpus.words._asdict() | corpus.words.sentences._asdict()
    found: dict[str, object] = {}
    for name, value in columns.items():
        if name in {"words", "sentences"}:
            continue
        if isinstance(value, np.ndarray):
            found[name] = value.tolist()
        elif name in {"identifier", "word"}:
            found[name] = value.data.tobytes(), value.length.tolist()
        else:
            found[name] = value
    return found


def test_mentions_have_words_and_heads() -> None:
    assert mentions_in(read(THREE)) == {
        "e2": ["1:1,2,2.1,3*2", "1:2.1*1"],
        "e1": ["1:1*1", "2:1*1"],
        "e3": ["3:1,2*2", "3:1*1"],
    }


def test_sentences_have_ids_words_and_documents() -> None:
    corpus = read(THREE)
    assert corpus.words is not None
    sentences = corpus.words.sentences
    words = [sentences.word.text(row) for row in range(7)]
    assert words == ["Ada", "wrote", "code", "she", "slept", "Ada", "ran"]
    assert [sentences.identifier.text(row) for row in range(3)] == ["s1", "s2", "s3"]
    assert sentences.document.tolist() == [0, 0, 1]
    assert sentences.word_count.tolist() == [3, 2, 2]
    assert sentences.line.tolist() == [4, 10, 15]
    assert [document.name for document in corpus.documents] == ["d", "b"]


def test_a_zero_is_a_mention_with_an_empty_head_and_keeps_its_dependencies() -> None:
    text = corefud("w w 2.1/1:obj|2:nsubj:pass w", e1="2.1 2-3*2 2-3*1")
    words = read(text).words
    assert words is not None
    assert words.is_zero.tolist() == [True, False, True]
    zero = int(words.head[2])
    pairs = {("1", "obj"), ("2", "nsubj:pass")}
    assert words.dependencies == {zero: frozenset(pairs)}


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.rstrip(b"\n"),
        lambda data: data.rstrip(b"\n") + b"\n",
        lambda data: data.replace(b"\n\n", b"\n\n\n"),
        lambda data: data.replace(b"\n\n", b"\n \t\n"),
        lambda data: data.replace(b"# global.Entity = ", b"# global.Entity="),
        lambda data: data.replace(b"# sent_id = ", b"# sent_id "),
        lambda data: data.replace(b"# newdoc id = ", b"# newdoc id= "),
        lambda data: data.replace(b"Entity=(", b"SpaceAfter=No|Entity=("),
        lambda data: data.replace(b"\tEntity=", b"\tEntity=(e8-x-1-)|Entity="),
    ],
    ids=[
        "plain",
        "CRLF",
        "BOM",
        "no last line break",
        "one line break at the end",
        "two blank lines",
        "blanks in blank lines",
        "header without blanks",
        "sent_id without an equals sign",
        "newdoc without a blank",
        "other attributes",
        "the later of two counts",
    ],
)
def test_layout_does_not_matter(change: object) -> None:
    assert callable(change)
    expected, found = read(THREE), read(change(THREE.encode()))
    assert mentions_in(found) == mentions_in(expected)
    assert found.documents == expected.documents
    columns = _plain(found), _plain(expected)
    for name in ("identifier", "word"):
        assert columns[0][name] == columns[1][name]


@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, lzma.compress], ids=["plain", "gzip", "xz"]
)
def test_packed_files_are_unpacked(pack: object, tmp_path: Path) -> None:
    assert callable(pack)
    path = tmp_path / "x.conllu"
    path.write_bytes(pack(THREE.encode()))
    corpus = reading.read(path, role="key")
    assert corpus.format == "corefud"
    assert mentions_in(corpus) == mentions_in(read(THREE))


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(THREE.encode())))
    corpus = reading.read("-", role="response")
    assert corpus.source == "<stdin>"
    assert mentions_in(corpus) == mentions_in(read(THREE))


@pytest.mark.parametrize(
    "text",
    [THREE, THREE.replace("# global.Entity = eid-etype-head-other\n", "")],
    ids=["header", "no header"],
)
def test_corefud_is_told_from_its_beginning(text: str) -> None:
    assert reading.detect(text.encode()) == "corefud"


def test_plain_conllu_has_no_mentions_if_it_is_said_to_be_corefud() -> None:
    text = corefud("w w", "w").replace("# global.Entity = eid-etype-head-other\n", "")
    data = text.encode()
    assert reading.detect(data) == "corefud"
    corpus = reading.read_data(data, source="x", role="key", format="corefud")
    assert mentions_in(corpus) == {}


@pytest.mark.parametrize("size", [1, 40, 90, 200])
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_blocks_do_not_matter(
    size: int, line_break: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [THREE, *(random_pair(Random(seed))[0].text() for seed in range(20))]  # noqa: S311
    datas = [text.replace("\n", line_break) for text in texts]
    expected = [_plain(read(data)) for data in datas]
    monkeypatch.setattr(conllu, "_BLOCK", size)
    assert [_plain(read(data)) for data in datas] == expected


def test_lines_are_counted_through_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conllu, "_BLOCK", 1)
    assert sorted(read(THREE).mention_line.tolist()) == [4, 6, 7, 10, 15, 16]


@pytest.mark.parametrize(
    ("header", "bracket"),
    [
        ("eid-etype-head-other", "(e1-x-2-"),
        ("eid-etype-head-other", "(e1-x-2"),
        ("eid-etype-head-minspan-link-identity", "(e1-x-2-1,2-coref-Ada"),
        ("etype-head-eid", "(x-2-e1"),
        ("head-eid", "(2-e1"),
        ("eid-head", "(e1-2-and-more"),
        ("entity-GRP-head", "(x-e1-2"),
        ("eid-etype-infstat-head-other", "(e1-x-giv-2-a:b"),
    ],
)
def test_fields_stand_in_the_order_of_the_header(header: str, bracket: str) -> None:
    text = lines_of(f"Entity={bracket}", "_", "Entity=e1)", header=header)
    assert mentions_in(read(text)) == {"e1": ["1:1,2,3*2"]}


@pytest.mark.parametrize("bracket", ["(e1-x-0-", "(e1-x--", "(e1-x-", "(e1-x", "(e1"])
def test_without_a_number_the_first_word_is_the_head(bracket: str) -> None:
    text = lines_of(f"Entity={bracket}", "Entity=e1)")
    assert mentions_in(read(text)) == {"e1": ["1:1,2*1"]}


def test_the_last_header_counts_for_the_whole_file() -> None:
    text = lines_of("Entity=(2-e1", "Entity=e1)", header="eid-head")
    corpus = read(text + "# global.Entity = head-eid\n1\tw" + "\t_" * 8 + "\n")
    assert mentions_in(corpus) == {"e1": ["1:1,2*2"]}
    message = "2 different headers; 'head-eid', the last, counts"
    assert corpus.notes == (Note("headers", 2, message),)


def test_a_header_that_comes_again_is_no_news() -> None:
    header = "# global.Entity = eid-etype-head-other\n"
    corpus = read(THREE.replace("# newdoc id = b\n", f"# newdoc id = b\n{header}"))
    assert corpus.notes == ()


def test_an_entity_of_two_documents_is_one_in_each() -> None:
    text = corefud("@a w w", "@b w w", e2="1 2:2", e1="2:1 2")
    corpus = read(text)
    labels = zip(corpus.entity_label, corpus.entity_document.tolist(), strict=True)
    assert list(labels) == [("e2", 0), ("e2", 1), ("e1", 0), ("e1", 1)]


def test_ids_in_a_group_field_are_those_of_a_document() -> None:
    # So e1, the first entity of document b, comes before its e2.
    annotation = annotated("@a w w", "@b w w", e2="1 2:2", e1="2:1 2")
    corpus = read(annotation.text("GRP-etype-head-other"))
    labels = zip(corpus.entity_label, corpus.entity_document.tolist(), strict=True)
    assert list(labels) == [("e2", 0), ("e1", 0), ("e1", 1), ("e2", 1)]


def test_a_document_that_comes_again_goes_on() -> None:
    corpus = read(corefud("@a w w", "@b w", "@a w", e1="1 3:1", e2="2 2:1"))
    assert [document.name for document in corpus.documents] == ["a", "b"]
    assert corpus.words is not None
    assert corpus.words.sentences.document.tolist() == [0, 1, 0]
    labels = zip(corpus.entity_label, corpus.entity_document.tolist(), strict=True)
    assert list(labels) == [("e1", 0), ("e2", 0), ("e2", 1)]


def test_documents_without_ids_go_by_their_numbers() -> None:
    text = corefud("@a w w", "@b w", e1="1 2:1")
    text = text.replace(" id = a", "").replace(" id = b", "")
    assert [document.name for document in read(text).documents] == [
        "document 1",
        "document 2",
    ]


def test_a_document_without_an_id_is_not_the_one_called_by_its_number() -> None:
    text = corefud("@2 w w", "@b w w", e1="1 2:1").replace(" id = b", "")
    words = read(text).words
    assert words is not None
    assert words.sentences.document.tolist() == [0, 1]


def test_words_before_the_first_document_are_one() -> None:
    text = corefud("@a w w", "@b w", e1="1 2:1").replace("# newdoc id = a\n", "")
    assert [document.name for document in read(text).documents] == ["", "b"]


def test_mentions_are_sorted_by_first_word_length_and_last_word() -> None:
    text = corefud("w w w w w", e1="3 1 1-3*2 1,3 1,4", e2="2-4 1-5")
    assert mentions_in(read(text)) == {
        "e2": ["1:1,2,3,4,5*1", "1:2,3,4*1"],
        "e1": ["1:1,2,3*2", "1:1,3*1", "1:1,4*1", "1:1*1", "1:3*1"],
    }


def test_entities_nest_and_cross() -> None:
    entities = {"e1": "1-3*2", "e2": "2-4*3", "e3": "3 1-4"}
    assert mentions_in(read(corefud("w w w w", **entities))) == {
        "e3": ["1:1,2,3,4*1", "1:3*1"],
        "e1": ["1:1,2,3*2"],
        "e2": ["1:2,3,4*3"],
    }


def test_a_closing_bracket_closes_what_was_opened_last() -> None:
    cells = "Entity=(e1-x-3-", "Entity=(e1-x-2-", "Entity=e1)(e1-x-1-", "Entity=e1)e1)"
    assert mentions_in(read(lines_of(*cells))) == {
        "e1": ["1:1,2,3,4*3", "1:2,3*2", "1:3,4*1"]
    }


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["(e1[1/2]-x-3-", "e1[1/2])", "_", "(e1[2/2]-x-3-)"], "1:1,2,4*3"),
        (["(e1[1/2]-x-1-)", "_", "(e1[2/2]-x-3-", "e1[2/2])"], "1:1,3,4*3"),
        (["(e1[1/2]-x-1-)", "_", "(e1[2/2]-x-0-)"], "1:1,3*2"),
        (["(e1[1/2]-x-2-", "e1)", "_", "(e1[2/2]-x-1-)"], "1:1,2,4*1"),
        (["(e1[1/3]-x-1-)", "_", "(e1[3/3]-x-2-)"], "1:1,3*2"),
        (["(e1[1/2]-x-2-", "e1[1/2])", "_"], "1:1,2*1"),
        (["(e1[1/3]-x-)", "_", "(e1[2/3]-x-)", "_", "(e1[3/3]-x-2-)"], "1:1,3,5*2"),
        (["(e1[1/2])", "_", "(e1[2/2])"], "1:1,3*1"),
        (["(e1[1/1]-x-2-", "e1[1/1])"], "1:1,2*2"),
    ],
    ids=[
        "one word behind",
        "the last piece has the head",
        "0 in a last piece of one word is that word",
        "a bare name closes a piece",
        "a piece in the middle is missing",
        "the last piece never comes",
        "three pieces",
        "no head",
        "one piece of one",
    ],
)
def test_mentions_come_in_pieces(cells: list[str], expected: str) -> None:
    miscs = [cell if cell == "_" else f"Entity={cell}" for cell in cells]
    assert mentions_in(read(lines_of(*miscs))) == {"e1": [expected]}


def test_pieces_of_two_mentions_alternate() -> None:
    # The official scorer refuses them.
    cells = "(e1[1/2]-x-2-)", "(e1[1/2]-x-1-)", "(e1[2/2]-x-2-)", "(e1[2/2]-x-1-)"
    text = lines_of(*(f"Entity={cell}" for cell in cells))
    assert mentions_in(read(text)) == {"e1": ["1:1,3*2", "1:2,4*1"]}


def test_a_piece_may_lie_inside_another_mention_of_its_entity() -> None:
    text = corefud("w w w w w", e1="1-5*3 2,4*2 3")
    assert mentions_in(read(text)) == {"e1": ["1:1,2,3,4,5*3", "1:2,4*2", "1:3*1"]}


def test_an_empty_node_in_a_gap_is_no_word_of_the_mention() -> None:
    text = corefud("w 1.1/2:obj w w", e1="1,2*2 1-2*2")
    assert mentions_in(read(text)) == {"e1": ["1:1,1.1,2*2", "1:1,2*2"]}


def test_an_empty_node_may_come_before_the_first_word() -> None:
    text = corefud("0.1/1:nsubj 0.2/1:obj w w", e1="0.1 0.2-2*3")
    assert mentions_in(read(text)) == {"e1": ["1:0.1*1", "1:0.2,1,2*3"]}


def test_one_word_never_has_its_head_elsewhere() -> None:
    assert mentions_in(read(lines_of("Entity=(e1-x-4-)"))) == {"e1": ["1:1*1"]}


def test_multiword_tokens_say_nothing_of_entities() -> None:
    token = "1-2\tww" + "\t_" * 7 + "\tEntity=(e9-x-1-)\n"
    text = corefud("w w", e1="1 2")
    corpus = read(text.replace("1\tw", token + "1\tw", 1))
    assert mentions_in(corpus) == {"e1": ["1:1*1", "1:2*1"]}
    assert corpus.words is not None
    assert corpus.words.sentences.word_count.tolist() == [2]


@pytest.mark.parametrize(
    "misc", ["Entity=", "Entity", "MyEntity=(e1-x-1-)", "X=Entity"]
)
def test_what_is_no_entity_attribute_is_none(misc: str) -> None:
    assert mentions_in(read(lines_of(misc, "Entity=(e2-x-1-)"))) == {"e2": ["1:2*1"]}


def test_lines_may_be_cut_short_where_there_is_no_entity() -> None:
    text = lines_of("_", "Entity=(e1-x-1-)").replace("1\tw" + "\t_" * 8, "1\tw")
    assert mentions_in(read(text)) == {"e1": ["1:2*1"]}


def test_columns_beyond_the_tenth_are_ignored() -> None:
    text = lines_of("Entity=(e1-x-1-)", "_").replace("_\n", "_\tEntity=(e2-x-1-)\n")
    assert mentions_in(read(text)) == {"e1": ["1:1*1"]}


def test_a_word_may_look_like_an_attribute() -> None:
    text = lines_of("_", "Entity=(e1-x-1-)").replace("1\tw", "1\tEntity=7", 1)
    assert mentions_in(read(text)) == {"e1": ["1:2*1"]}


def test_a_later_empty_attribute_counts_too() -> None:
    text = lines_of("Entity=(e1-x-1-)|Entity=", "Entity=(e2-x-1-)")
    assert mentions_in(read(text)) == {"e2": ["1:2*1"]}


def test_relations_are_kept_as_they_stand() -> None:
    text = lines_of(
        "Bridge=e1<e2:part,e1<e3|Entity=(e2-x-1-)",
        "Entity=(e3-x-1-)|SplitAnte=e2<e3",
        "Entity=(e4-x-1-)|Split=e2<e4",
    )
    words = read(text).words
    assert words is not None
    assert words.relations == (
        Relation("Bridge", 4, "e1<e2:part,e1<e3"),
        Relation("SplitAnte", 5, "e2<e3"),
        Relation("SplitAnte", 6, "e2<e4"),
    )

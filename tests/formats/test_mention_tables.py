"""Tables of mentions: a row each, and what cannot be one is refused.

TAC EDL and neleval: characters by number, and no text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given

import scoref
from scoref import FormatError
from scoref.formats import mention_tables
from scoref.formats.reading import detect, read_data
from scoref.tools.convert.content import content_of as content_in
from scoref.tools.convert.conversion import fit
from scoref.tools.convert.sources import SourceContent
from scoref.tools.convert.targets import TARGETS
from support.paths import EXAMPLES
from support.random_texts import Document, Kind, content_of, headless, same, texts
from support.span_lists import spans_of

if TYPE_CHECKING:
    from pathlib import Path


HEADER = "document\tentity\tstart\tend\tpieces\ttext\n"


def mentions(text: str) -> list[tuple[str, str, list[int]]]:
    """List documents, labels and tokens of a table."""
    content = content_in(
        read_data(text.encode(), source="x.tsv", role="key", format="mention-table")
    )
    offset = content.text.first[content.mention_document].tolist()
    return [
        (
            content.documents[content.entity_document[entity]],
            content.entity_label[entity],
            [token - start for token in tokens],
        )
        for entity, tokens, start in zip(
            content.mention_entity.tolist(), content.lists(), offset, strict=True
        )
    ]


def test_a_row_is_a_mention() -> None:
    text = HEADER + "d\te1\t0\t1\t\tAda Lovelace\nd\te1\t4\t4\t\tshe\n"
    assert mentions(text) == [("d", "e1", [0, 1]), ("d", "e1", [4])]


def test_pieces_tell_the_gaps() -> None:
    assert mentions(HEADER + "d\t0\t3\t9\t3-5,8-9\t\n") == [("d", "0", [3, 4, 5, 8, 9])]
    assert mentions(HEADER + "d\t0\t3\t9\t3,9\t\n") == [("d", "0", [3, 9])]


def test_columns_may_come_in_any_order_with_commas_and_others() -> None:
    text = '\ufeffend,note,Entity,document,start\n1,"x, y",e,"a ""b""",0\n\n'
    assert mentions(text) == [('a "b"', "e", [0, 1])]


def test_rows_may_come_in_any_order() -> None:
    text = HEADER + "b\t0\t1\t1\t\t\na\t0\t0\t0\t\t\nb\t1\t2\t2\t\t\nb\t0\t0\t0\t\t\n"
    assert mentions(text) == [
        ("b", "0", [1]),
        ("b", "0", [0]),
        ("b", "1", [2]),
        ("a", "0", [0]),
    ]


def test_what_is_written_has_names_labels_and_texts() -> None:
    data = (
        b"#begin document (a); part 001\n"
        b'a\t1\t0\t"Ada\t(7\na\t1\t1\tLovelace"\t7)\n'
        b"a\t1\t2\tsaw\t-\na\t1\t3\ther\t(7)|(8\na\t1\t4\tdog\t8)\n"
        b"#end document\n"
    )
    corpus = read_data(data, source="x", role="key", with_tokens=True)
    table = mention_tables.write(corpus).decode()
    assert table == HEADER + (
        'a_1\t7\t0\t1\t\t"""Ada Lovelace"""\n'
        "a_1\t7\t3\t3\t\ther\n"
        "a_1\t8\t3\t4\t\ther dog\n"
    )
    texts = mention_tables.texts(table.encode(), source="x")
    assert texts == {2: '"Ada Lovelace"', 3: "her", 4: "her dog"}
    bare = read_data(data, source="x", role="key")
    assert mention_tables.write(bare, delimiter=",").decode().splitlines() == [
        "document,entity,start,end,pieces,text",
        "a_1,7,0,1,,",
        "a_1,7,3,3,,",
        "a_1,8,3,4,,",
    ]


@given(documents=texts(Kind(zeros=False)))
def test_mentions_come_back(documents: list[Document]) -> None:
    target = TARGETS["csv"]
    fitted, _ = fit(content_of(documents), target)
    data = target.write(fitted, SourceContent(fitted, "json-lines", b"", ()))[""]
    found = mentions(data.decode())
    entities: dict[tuple[str, str], list[tuple[int, ...]]] = {}
    for name, label, tokens in found:
        entities.setdefault((name, label), []).append(tuple(tokens))
    again: dict[str, list[list[tuple[int, ...]]]] = {}
    for (name, _), members in entities.items():
        again.setdefault(name, []).append(sorted(members))
    expected = {
        document.name: [
            [mention.tokens for mention in entity] for entity in document.entities
        ]
        for document in same(headless(documents))
        if document.entities
    }
    assert {name: sorted(found) for name, found in again.items()} == expected


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("d\t0\t3\t1\t\t", "3 to 1 is not a mention"),
        ("d\t0\t-1\t1\t\t", "-1 to 1 is not a mention"),
        ("d\t0\tx\t1\t\t", "x to 1 is not a mention"),
        ("d\t0\t0\t9999999\t\t", "0 to 9999999 is not a mention"),
        ("d\t0\t3\t9\t3-5,5-9\t", "3 to 9 (3-5,5-9) is not a mention"),
        ("d\t0\t3\t9\t3-5\t", "3 to 9 (3-5) is not a mention"),
        ("d\t0\t3\t9\t5-3,9\t", "3 to 9 (5-3,9) is not a mention"),
        ("d\t0\t3\t9\tall\t", "3 to 9 (all) is not a mention"),
        ("d\t0\t3", "this row has 3 columns instead of 6"),
    ],
)
def test_what_is_no_mention_is_refused(row: str, problem: str) -> None:
    with pytest.raises(FormatError) as error:
        mentions(HEADER + "d\t0\t0\t0\t\t\n" + row + "\n")
    assert (error.value.problem, error.value.line) == (problem, 3)


@pytest.mark.parametrize("text", ["", "document\tentity\tstart\n", "001\tada\n"])
def test_columns_that_lack_are_named(text: str) -> None:
    with pytest.raises(FormatError, match=r"this table has no column '(document|end)'"):
        mentions(text)


def test_a_field_longer_than_any_text_is_refused() -> None:
    long = "x" * 200_000
    with pytest.raises(FormatError, match="this is not a table:"):
        mentions(HEADER + f'd\t0\t0\t0\t\t"{long}"\n')


def test_empty_nodes_are_refused() -> None:
    data = (EXAMPLES / "corefud-key.conllu").read_bytes()
    corpus = read_data(data, source="x", role="key", with_tokens=True)
    with pytest.raises(FormatError, match="empty nodes"):
        mention_tables.write(corpus)


def test_columns_may_tell_types_ids_and_topics() -> None:
    text = (
        "document,entity,start,end,type,kbid,topic,subtopic\n"
        "b,E2,0,0,PER,Q1,36,36ecb\na,E1,4,4,LOC,,36,\nb,E2,3,4,ORG,NIL,36,36ecb\n"
    )
    corpus = read_data(
        text.encode(), source="x.csv", role="key", format="mention-table"
    )
    assert corpus.mention_type == ("PER", "ORG", "LOC")
    assert corpus.mention_kbid == ("Q1", "NIL", "")
    assert corpus.document_topic == (("36", "36ecb"), ("36", None))


def test_a_table_without_such_columns_has_none_of_it() -> None:
    corpus = read_data(
        (HEADER + "d\te\t0\t0\t\t\n").encode(), source="x.tsv", role="key"
    )
    found = corpus.mention_type, corpus.mention_kbid, corpus.document_topic
    assert found == (None, None, None)


def test_a_document_of_two_topics_is_refused() -> None:
    text = "document,entity,start,end,topic\nd,E,0,0,1\nd,E,3,4,2\n"
    with pytest.raises(FormatError, match="has another topic in line 2") as caught:
        read_data(text.encode(), source="x.csv", role="key", format="mention-table")
    assert caught.value.line == 3


TAC = (
    "run1\tM1\tMia\ta:b:0-2\tNIL1\tPER\tNAM\t1.0\n"
    "run1\tM2\tBo\tc:5-6\tE77\tPER\tNAM\t1.0\n"
    "run1\tM3\tshe\ta:b:9-11\tNIL1\tPER\tPRO\t1.0\textra\n"
)

NELEVAL = "a:b\t0\t2\tNIL1\t1.0\tPER\nc\t5\t6\tE77\na:b\t9\t11\tNIL1\t0.5\tPER\n"


@pytest.mark.parametrize(("text", "name"), [(TAC, "tac-edl"), (NELEVAL, "neleval")])
def test_the_last_character_is_part_of_a_mention(text: str, name: str) -> None:
    data = text.encode()
    corpus = read_data(data, source="x.tab", role="key")
    assert (detect(data), corpus.format) == (name, name)
    assert spans_of(corpus) == {"a:b": [[(0, 2), (9, 11)]], "c": [[(5, 6)]]}
    assert corpus.entity_label == ("NIL1", "E77")
    assert corpus.document_tokens is None


def test_both_count_the_same(tmp_path: Path) -> None:
    (tmp_path / "key.tab").write_text(TAC)
    (tmp_path / "response.tab").write_text(NELEVAL)
    assert scoref.score(tmp_path / "key.tab", tmp_path / "response.tab").conll == 1


def test_characters_are_not_compared_with_tokens(tmp_path: Path) -> None:
    (tmp_path / "key.tab").write_text(TAC)
    rows = "document,entity,start,end\na:b,0,0,0\nc,0,5,5\n"
    (tmp_path / "response.csv").write_text(rows)
    with pytest.raises(scoref.ScorefError, match="are character offsets"):
        scoref.score(tmp_path / "key.tab", tmp_path / "response.csv")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("run1\tM1\tMia\ta:0\tNIL1\tPER\tNAM\t1.0\n", "this is not a mention"),
        (
            "run1\tM1\tMia\ta:3-2\tE\tPER\tNAM\t1\n",
            "this mention ends before it starts",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(FormatError) as error:
        read_data((TAC + text).encode(), source="x", role="key", format="tac-edl")
    assert (error.value.problem, error.value.line) == (problem, 4)
    lenient = read_data(
        (TAC + text).encode(),
        source="x",
        role="key",
        format="tac-edl",
        reading="lenient",
    )
    assert len(lenient.mention_entity) == 3


@pytest.mark.parametrize("text", [TAC, NELEVAL])
def test_mentions_have_types_and_ids(text: str) -> None:
    corpus = read_data(text.encode(), source="x.tab", role="key")
    assert corpus.mention_kbid == ("NIL1", "NIL1", "E77")
    assert corpus.mention_type == ("PER", "PER", "PER" if text is TAC else "")


def test_a_table_without_types_has_none() -> None:
    corpus = read_data(b"a\t0\t2\tNIL1\n", source="x.tab", role="key")
    assert corpus.mention_type is None


def test_the_candidate_of_the_highest_score_counts() -> None:
    line = b"a\t0\t2\tE1\t0.25\tPER\tE2\t5e-1\tORG\tE3\t.5\tLOC\n"
    corpus = read_data(line, source="x.tab", role="key", format="neleval")
    assert corpus.entity_label == ("E2",)
    assert corpus.mention_type == ("ORG",)


def test_a_score_that_is_none_is_refused() -> None:
    with pytest.raises(FormatError, match="this is not a mention"):
        read_data(b"a\t0\t2\tE1\thigh\tPER\n", source="x", role="key", format="neleval")

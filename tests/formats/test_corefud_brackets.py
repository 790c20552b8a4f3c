"""The brackets of CorefUD: headers, fields, attributes, and numbers of labels."""

from __future__ import annotations

import pytest

from scoref import Note
from scoref.formats import conllu
from scoref.formats.brackets import CLOSING, OPENING, SINGLE
from scoref.formats.builder import Faults
from scoref.formats.corefud_brackets import (
    BracketReader,
    EntityHeader,
    entity_headers,
)
from scoref.model import Relation
from support.corefud import corefud, lines_of, mentions_in, read


def test_a_header_says_which_fields_are_read() -> None:
    assert EntityHeader.of("eid-etype-head-other") == (0, 2, False, 1)
    assert EntityHeader.of("entity-GRP-head") == (1, 2, True, 0)
    assert EntityHeader.of("head-eid") == (1, 0, False, None)
    assert EntityHeader.of("etype-head") is None


def test_headers_are_found_at_the_start_of_a_line() -> None:
    data = b"# global.Entity = eid\n# x # global.Entity = GRP\n# global.Entity=GRP\n"
    assert entity_headers(data) == [("eid", 0), ("GRP", data.rfind(b"#"))]


def test_labels_and_types_have_the_same_numbers_in_all_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(conllu, "_BLOCK", 1)
    first = lines_of("Entity=(b-x-1-", "Entity=(a-y-1-)b)")
    text = first + lines_of("Entity=(a-y-2-", "Entity=a)(c-x-1-)").partition("\n")[2]
    data = text.encode().rstrip()
    reader = BracketReader("x", Faults("x", lenient=False), with_types=True)
    header = reader.header(data)
    blocks = conllu.blocks(data, "x")
    one, two = (reader.read_block(block, header, 0) for block in blocks)
    numbers = reader.labels
    assert one.kind.tolist() == [OPENING, SINGLE, CLOSING]
    assert one.node.tolist() == [0, 1, 1]
    assert one.label.tolist() == [numbers[b"b"], numbers[b"a"], numbers[b"b"]]
    assert two.label.tolist() == [numbers[b"a"], numbers[b"a"], numbers[b"c"]]
    assert one.head.tolist() == [1, 1, -1]
    assert two.head.tolist() == [2, -1, 1]
    types = reader.types
    assert one.type.tolist() == [types[b"x"], types[b"y"], types[b""]]
    assert two.type.tolist() == [types[b"y"], types[b""], types[b"x"]]


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
    message = (
        "warning: x.conllu has 2 different '# global.Entity' lines. The last one, "
    )
    message += "'head-eid', was used for the whole file."
    assert corpus.notes == (Note("headers", 2, message),)


def test_a_header_that_is_repeated_is_not_noted() -> None:
    header = "# global.Entity = eid-etype-head-other\n"
    text = corefud("Ada ran", "@b Ada ran", e1="1 2:1")
    corpus = read(text.replace("# newdoc id = b\n", f"# newdoc id = b\n{header}"))
    assert corpus.notes == ()


@pytest.mark.parametrize(
    "misc", ["Entity=", "Entity", "MyEntity=(e1-x-1-)", "X=Entity"]
)
def test_similar_attributes_are_not_entities(misc: str) -> None:
    assert mentions_in(read(lines_of(misc, "Entity=(e2-x-1-)"))) == {"e2": ["1:2*1"]}


def test_lines_without_an_entity_may_lack_columns() -> None:
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


def test_entities_of_multiword_tokens_are_ignored() -> None:
    token = "1-2\tww" + "\t_" * 7 + "\tEntity=(e9-x-1-)\n"
    text = corefud("w w", e1="1 2")
    corpus = read(text.replace("1\tw", token + "1\tw", 1))
    assert mentions_in(corpus) == {"e1": ["1:1*1", "1:2*1"]}
    assert corpus.words is not None
    assert corpus.words.sentences.word_count.tolist() == [2]

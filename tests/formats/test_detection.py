"""Formats are detected from the first bytes of a file, or from fields in JSON."""

from __future__ import annotations

import json

import pytest

from scoref.formats.catalogue import detect_format, detection_sample
from scoref.formats.reading import detect
from support.json_documents import (
    EVERY,
    RECORDS,
    TEXT,
    WORDS,
    entity_texts,
    read_records,
)


@pytest.mark.parametrize("name", EVERY)
def test_a_file_is_known_by_its_fields(name: str) -> None:
    line = json.dumps(EVERY[name]).encode()
    pretty = json.dumps(EVERY[name], indent=2).encode()
    for data in (line, pretty, b"[" + line + b"]", b"\xef\xbb\xbf\n" + pretty):
        assert detect(data) == name


@pytest.mark.parametrize("tag", ["TEI", "xmi:XMI"])
def test_only_the_beginning_of_xml_is_looked_at(tag: str) -> None:
    formats = [
        detect_format(f"<x>{' ' * size}<{tag} a='1'/></x>".encode(), "x.dat")
        for size in (10, 5000)
    ]
    assert formats[0] != formats[1]


def test_what_offsets_count_can_be_said() -> None:
    record = {"doc_key": "d", "text": TEXT, "clusters": [[[0, 3]]]}
    assert entity_texts(read_records(record, format="fastcoref")) == [["Mia"]]
    assert read_records(record, format="json-lines").mention_end.tolist() == [3]


def test_strings_tell_that_characters_are_counted_whatever_the_name() -> None:
    record = {"doc_key": "d", **RECORDS["fastcoref"]}
    assert read_records(record).format == "fastcoref"
    assert read_records(record).documents[0].aliases == ("d",)
    assert (
        read_records({**record, "tokens": WORDS, "clusters": []}).format == "json-lines"
    )


def test_a_document_of_words_may_be_json_lines() -> None:
    record = {"doc_key": "d", **RECORDS["allennlp"]}
    found = read_records(record, with_tokens=True)
    assert found.format == "json-lines"
    assert entity_texts(found) == [["Mia", "She"]]


CONLLU = b"# sent_id = 1\n1\tMia\t_\tX\t_\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b"#begin document (d);\n", "conll-2012"),
        (CONLLU, "corefud"),
        (CONLLU.replace(b"_\n", b"coref_chains=unit-id0\n"), "stanza"),
        (CONLLU.replace(b"_\n", b"Entity=(e1)|coref_chains=unit-id0\n"), "corefud"),
        (b"# global.columns = ID FORM IDENTITY\n" + CONLLU, "universal-anaphora"),
        (b"T1\tMention 0 3\tMia\n", "brat"),
        (b"T1\tPROP_PER 0 3\tMia\n", "litbank-brat"),
        (b"MENTION\tT1\t0\t0\t0\t0\tMia\tPER\tPROP\n", "litbank-tsv"),
        (b'<?xml version="1.0"?>\n<Document doc_name="a">', "ecbplus"),
        (b'"End",start,DOCUMENT,entity\n', "mention-table"),
        (b"#FORMAT=WebAnno TSV 3.3\n", "webanno"),
        (b"COREF\tstart_token\tend_token\tprop\n", "booknlp"),
        (b"r\tM1\tMia\td:0-2\tNIL1\tPER\tNAM\t1.0\nr\tM2\tcut", "tac-edl"),
        (b"d\t0\t2\tNIL1\t1.0\tPER\nd\t8", "neleval"),
        (b"d\t0\t2\tNIL1\t1.0\tPER\nanother\tline\n", "conll-2012"),
    ],
)
def test_a_file_is_known_by_its_first_bytes(start: bytes, name: str) -> None:
    assert detect(start) == name


def test_a_response_without_signs_has_the_format_of_the_key() -> None:
    assert detect_format(CONLLU, "universal-anaphora") == "universal-anaphora"
    assert detect_format(CONLLU, "json-lines") == "corefud"
    marked = CONLLU.replace(b"_\n", b"coref_chains=unit-id0\n")
    assert detect_format(marked, "universal-anaphora") == "stanza"


def test_the_first_mention_of_conllu_may_come_late() -> None:
    late = CONLLU * 3000 + b"\n" + CONLLU.replace(b"_\n", b"coref_chains=unit-id0\n")
    assert detect_format(detection_sample(late)) == "stanza"

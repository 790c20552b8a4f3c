"""Formats are detected from the first bytes of a file, or from fields in JSON."""

from __future__ import annotations

import json

import pytest

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

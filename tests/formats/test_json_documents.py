"""Values are found in a file of JSON, decoded and collected; faults have a place."""

from __future__ import annotations

import json

import pytest

from scoref import FormatError
from scoref.formats.json_documents import first_fields, values
from scoref.formats.reading import read_data
from scoref.rules import REPEATED_FIELD
from scoref.tools.check.check import check_data
from support.json_documents import (
    EVERY,
    RECORDS,
    damaged,
    entity_texts,
    problem_of,
    read_records,
)


def values_of(data: bytes) -> list[tuple[bytes, int, str]]:
    return [
        (bytes(value.data).strip(), value.line, value.path)
        for value in values(data, "x")
    ]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"[]", []),
        (b'{"a":1}\n\n{"b":2}', [(b'{"a":1}', 1, ""), (b'{"b":2}', 3, "")]),
        (b'\xef\xbb\xbf\n{"a":1}\n', [(b'{"a":1}', 2, "")]),
        (b'{\n"a":1}\n{"b":\n2}\n', [(b'{\n"a":1}', 1, ""), (b'{"b":\n2}', 3, "")]),
        (
            b'\n[\n {"a":1},\n\n {"b":[1,\n2]}, {"c":3}]',
            [
                (b'{"a":1}', 3, "[0]"),
                (b'{"b":[1,\n2]}', 5, "[1]"),
                (b'{"c":3}', 6, "[2]"),
            ],
        ),
        # A damaged line does not make one object of a file of lines.
        (b'{"a":1\n{"b":1}\n', [(b'{"a":1', 1, ""), (b'{"b":1}', 2, "")]),
    ],
)
def test_values_are_lines_items_or_objects_over_many_lines(
    data: bytes, expected: list[tuple[bytes, int, str]]
) -> None:
    assert values_of(data) == expected


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b'{\n"a":1,\n"b":}\n', 3),
        (b'{\n"a":1\n', 2),
        (b'[{"a":1},\n{"b"', 2),
        (b'{\n"a":1}\n{"b":\n2', 4),
        (b'[{"a":1}] x', 1),
    ],
)
def test_damage_is_reported_with_its_line(data: bytes, line: int) -> None:
    with pytest.raises(FormatError, match="this is not JSON:") as caught:
        values_of(data)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b'{"a":{"x":1},"b":[{"y":2}]}', ["a", "b"]),
        (b'{"a":{"x":1},"b":[{"y":2', ["a", "b"]),
        (b'{"a\\"":"{[","b":1', ['a\\"', "b"]),
        (b'[{"a":1},{"b"', ["a"]),
        (b'{"a":1\n{"b":1}\n', ["b"]),
    ],
)
def test_fields_are_those_of_the_top_level_even_if_cut_off(
    data: bytes, names: list[str]
) -> None:
    assert [*next(first_fields(data))] == names


@pytest.mark.parametrize("name", EVERY)
def test_lines_and_arrays_and_objects_over_lines_are_the_same(name: str) -> None:
    record, other = EVERY[name], {**EVERY[name]}
    for field in {"id", "document_id", "title"} & other.keys():
        other[field] = "another"
    if name == "prodigy":
        other["_input_hash"] = 8
    if name == "scorch":
        other["name"] = "another"
    lines = read_records(record, other)
    pretty = "\n".join(json.dumps(each, indent=1) for each in (record, other))
    for data in (
        json.dumps([record, other]),
        pretty,
        json.dumps([record, other], indent=1),
    ):
        found = read_data(data.encode(), source="d.json", role="key")
        assert found.documents == lines.documents
        assert found.mention_start.tolist() == lines.mention_start.tolist()
        assert found.mention_end.tolist() == lines.mention_end.tolist()


@pytest.mark.parametrize("name", EVERY)
def test_a_file_that_is_cut_off_is_refused(name: str) -> None:
    for data in (
        json.dumps(EVERY[name]).encode(),
        json.dumps([EVERY[name]] * 2, indent=1).encode(),
        json.dumps(EVERY[name], indent=1).encode(),
    ):
        for end in range(2, len(data), 7):
            with pytest.raises(FormatError) as caught:
                read_data(data[:end], source="x", role="key")
            assert caught.value.line


@pytest.mark.parametrize("name", EVERY)
def test_damaged_records_are_refused_or_read_and_nothing_else(name: str) -> None:
    lines = set()
    for record in damaged(EVERY[name]):
        try:
            read_records(record, format=name)
        except FormatError as error:
            lines.add(error.line)
    assert lines <= {1, None}
    assert 1 in lines


@pytest.mark.parametrize("name", ["fastcoref", "allennlp", "maverick", "spacy"])
def test_documents_without_names_have_numbers(name: str) -> None:
    record = RECORDS[name]
    assert [each.name for each in read_records(record, record).documents] == ["1", "2"]
    assert [each.aliases for each in read_records(record).documents] == [()]
    for field in ("doc_key", "doc_id", "id", "name"):
        assert read_records({**record, field: "x"}).documents[0].aliases == ("x",)


@pytest.mark.parametrize("name", ["corenlp", "rucoco"])
def test_the_one_document_of_a_file_is_called_like_the_file(name: str) -> None:
    assert read_records(RECORDS[name]).documents[0].short == "d"


@pytest.mark.parametrize("name", ["fastcoref", "preco"])
def test_a_name_that_comes_twice_is_refused(name: str) -> None:
    record = {**RECORDS[name], "id": "d"}
    found, _ = problem_of(record, record)
    assert found == "document 'd' appears twice (first: line 1)"
    assert len(read_records(record, record, reading="lenient").documents) == 1


def test_places_in_an_array_are_named() -> None:
    records = [RECORDS["fastcoref"], {"text": "Mia", "clusters": [[[0, 4]]]}]
    found, _ = problem_of(records)
    assert (
        found
        == "[1].clusters[0][0]: [0, 4] is not a mention in a document of 3 characters"
    )
    found, _ = problem_of([RECORDS["fastcoref"], {"text": "Mia", "clusters": [[0]]}])
    assert "at `[1].clusters[0][0]`" in found


@pytest.mark.parametrize("name", RECORDS)
def test_a_response_in_a_field_that_a_format_does_not_have_is_refused(
    name: str,
) -> None:
    record = {**RECORDS[name], "predicted_clusters": []}
    if name == "label-studio":  # other fields of a task are data
        texts = entity_texts(read_records(record, role="response", format=name))
        assert texts == [["Mia", "She"]]
        return
    assert entity_texts(read_records(record, format=name)) == [["Mia", "She"]]
    with pytest.raises(FormatError, match="the field 'predicted_clusters', which"):
        read_records(record, role="response", format=name)


TWICE = {
    "fastcoref": '"clusters": [], ',
    "allennlp": '"clusters": [], ',
    "corenlp": '"corefs": {}, ',
    "maverick": '"clusters_token_offsets": [], ',
    "xcore": '"clusters_token_offsets": [[[0, 0, 0]]], ',
    "preco": '"mention_clusters": [], ',
    "spacy": '"spans": {"coref_clusters_1": []}, ',
    "maven-ere": '"events": [], ',
    "label-studio": '"annotations": [], ',
    "rucoco": '"entities": [], ',
    "scorch": '"clusters": {}, ',
}


@pytest.mark.parametrize("name", TWICE)
def test_a_field_that_appears_twice_is_refused(name: str) -> None:
    whole = json.dumps(EVERY[name])
    twice = ("{" + TWICE[name] + whole[1:]).encode()
    field = TWICE[name].split('"')[1]
    for data in (twice, b"[" + twice + b"]"):
        with pytest.raises(FormatError, match=f"field '{field}' appears twice") as one:
            read_data(data, source="d.json", role="key")
        assert one.value.rule == REPEATED_FIELD
        assert [each.rule for each in check_data(data, source="d.json")] == [
            "repeated-field"
        ]


@pytest.mark.parametrize(
    ("name", "old", "new", "field"),
    [
        ("corenlp", '"7": [', '"7": [], "7": [', "'7' appears twice in 'corefs'"),
        (
            "spacy",
            '"coref_clusters_1"',
            '"coref_clusters_1": [], "coref_clusters_1"',
            "'coref_clusters_1' appears twice in 'spans'",
        ),
        ("scorch", '"a": [', '"a": [], "a": [', "'a' appears twice in 'clusters'"),
        (
            "label-studio",
            '"start": 0',
            '"start": 1, "start": 0',
            "'start' appears twice in 'annotations'",
        ),
    ],
)
def test_an_entity_that_appears_twice_is_refused(
    name: str, old: str, new: str, field: str
) -> None:
    data = json.dumps(EVERY[name]).replace(old, new).encode()
    with pytest.raises(FormatError, match=f"the field {field}"):
        read_data(data, source="d.json", role="key")

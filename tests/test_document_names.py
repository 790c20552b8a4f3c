"""Names of documents: what does not count in them, and lists of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.document_names import (
    file_name,
    mapped,
    name_of_file,
    with_part,
    without_endings,
    without_folders,
)
from scoref.errors import AlignmentError, FormatError, OptionError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("emma.txt", "emma"),
        ("emma.txt.json", "emma"),
        ("wsj_0001.v4_gold_conll", "wsj_0001"),
        ("a.b", "a.b"),
        (".txt", ".txt"),
        ("no. 3", "no. 3"),
    ],
)
def test_endings_of_files_do_not_count(name: str, expected: str) -> None:
    assert without_endings(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("emma-000", "emma_0"),
        ("emma-012.json", "emma_12"),
        ("emma_part_3", "emma_3"),
        ("emma.part003", "emma_3"),
        ("covid-19", "covid-19"),
        ("-000", "-000"),
    ],
)
def test_parts_have_numbers(name: str, expected: str) -> None:
    assert with_part(name) == expected


@pytest.mark.parametrize("name", ["x/y/emma.txt", "emma", "C:\\texts\\emma.xml"])
def test_folders_do_not_count(name: str) -> None:
    assert without_folders(name) == "emma"


def lines(path: Path, *names: str) -> Path:
    """Write a document with one entity for each name."""
    path.write_text(
        "".join(
            json.dumps({"doc_key": name, "clusters": [[[0, 0], [row, row + 1]]]}) + "\n"
            for row, name in enumerate(names)
        )
    )
    return path


def names_scored(tmp_path: Path, key: list[str], response: list[str]) -> list[str]:
    files = (
        lines(tmp_path / "key.jsonl", *key),
        lines(tmp_path / "response.jsonl", *response),
    )
    result = scoref.score(*files)
    assert result.conll == 1
    return list(result.documents)


@pytest.mark.parametrize(
    ("key", "response"),
    [
        (["a", "b"], ["a.txt", "b.json"]),
        (["a_0", "a_1"], ["a-000", "a-001"]),
        (["nw/a", "bc/b"], ["a", "b"]),
        (["nw/a.xml", "b"], ["out/run1/a.txt.json", "out/run1/b.txt.json"]),
        (["x/a", "y/a"], ["x/a.txt", "y/a.txt"]),
    ],
)
def test_documents_are_paired_by_what_is_left_of_names(
    tmp_path: Path, key: list[str], response: list[str]
) -> None:
    assert names_scored(tmp_path, key, response) == key


def test_a_full_name_goes_before_one_that_is_cut(tmp_path: Path) -> None:
    key = lines(tmp_path / "k.jsonl", "a", "a.txt")
    response = lines(tmp_path / "r.jsonl", "a", "a.txt")
    assert scoref.score(key, response).conll == 1


def test_two_documents_of_one_short_name_are_not_paired(tmp_path: Path) -> None:
    key = lines(tmp_path / "k.jsonl", "x/a", "y/a")
    response = lines(tmp_path / "r.jsonl", "a", "b")
    with pytest.raises(AlignmentError) as caught:
        scoref.score(key, response)
    message = str(caught.value)
    assert "k.jsonl:1: document 'x/a' (and 1 more) is not in" in message
    assert "k.jsonl: 'x/a', 'y/a'" in message
    assert "r.jsonl: 'a', 'b'" in message
    assert "--document-names FILE" in message


def test_a_list_says_which_is_which(tmp_path: Path) -> None:
    key = lines(tmp_path / "k.jsonl", "x/a", "y/a")
    response = lines(tmp_path / "r.jsonl", "one", "two")
    listed = tmp_path / "names.tsv"
    listed.write_text("one\tx/a\n\ntwo\ty/a\n")
    result = scoref.score(key, response, document_names=str(listed))
    assert result.conll == 1
    assert "|document-names:file|" in result.signature
    given = {"one": "y/a", "two": "x/a"}
    crossed = scoref.score(key, response, document_names=given)
    assert crossed.conll < 1
    assert "|document-names:dict|" in crossed.signature


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("one", "names.tsv:1: expected two names, found 1 columns"),
        (
            "one,a\n\none,b",
            "names.tsv:3: document 'one' of the response appears twice",
        ),
        ("one,a\ntwo,a", "names.tsv:2: document 'a' of the key appears twice"),
        ("one,", "names.tsv:1: expected two names"),
    ],
)
def test_a_list_that_is_none_is_refused_by_line(
    tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "names.tsv"
    path.write_text(text)
    with pytest.raises(FormatError, match=problem):
        mapped(str(path))


def test_a_list_of_documents_that_nobody_has_is_refused(tmp_path: Path) -> None:
    key, response = (lines(tmp_path / name, "a") for name in ("k.jsonl", "r.jsonl"))
    with pytest.raises(AlignmentError, match=r"r\.jsonl has no document 'b'"):
        scoref.score(key, response, document_names={"b": "a"})
    with pytest.raises(OptionError, match="is not a file"):
        scoref.score(key, response, document_names="nowhere.tsv")


def written(
    path: Path, *documents: tuple[str, str, list[list[tuple[int, int]]]]
) -> Path:
    """Write documents with words."""
    path.write_text(
        "".join(
            json.dumps({"doc_key": name, "sentences": [text.split()], "clusters": each})
            + "\n"
            for name, text, each in documents
        )
    )
    return path


def test_one_document_on_each_side_is_the_same_if_the_text_is(tmp_path: Path) -> None:
    key = written(tmp_path / "k.jsonl", ("a", "Ada 's cat", [[(0, 0)]]))
    response = written(tmp_path / "r.jsonl", ("b", "Ada's cat", [[(0, 1)]]))
    other = written(tmp_path / "o.jsonl", ("b", "Ida's cat", [[(0, 1)]]))
    assert scoref.score(key, response).documents == ("a",)
    with pytest.raises(AlignmentError, match="document 'a' is not in"):
        scoref.score(key, other)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=12))
def test_every_name_can_be_that_of_a_file(name: str) -> None:
    file = file_name(name)
    assert name_of_file(file) == name
    parts = file.split("/")
    assert all(part not in {"", ".", ".."} for part in parts)
    assert not set(file) & set('\0\n\\:*?"<>| ')

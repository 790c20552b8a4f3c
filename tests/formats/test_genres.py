"""Genres of documents come from comments, or from fields of JSON lines."""

from __future__ import annotations

import json

import pytest

from scoref.formats.catalogue import ReadOptions
from scoref.formats.reading import open_data, read_opened
from support.bad_files import COREFUD


def genres(data: bytes) -> tuple[str, ...] | None:
    opened = open_data(data, "x", None)
    return read_opened(opened, ReadOptions("key", with_genres=True)).document_genre


@pytest.mark.parametrize(
    "comment", ["# meta::genre = news", "# Genre=news ", "# newdoc genre = news"]
)
def test_a_comment_names_the_genre_before_or_after_the_name(comment: str) -> None:
    name, _, rest = COREFUD.decode().partition("\n")
    for head in (f"{name}\n{comment}", f"{comment}\n{name}"):
        assert genres(f"{head}\n{rest}".encode()) == ("news",)


def test_the_first_comment_of_a_document_counts() -> None:
    second = COREFUD.replace(b"newdoc id = d", b"newdoc id = e")
    head, _, rest = second.partition(b"\n")
    genre = b"\n# genre = talk\n# genre = other\n"
    assert genres(COREFUD + b"\n" + head + genre + rest) == ("", "talk")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"genre": "news"}, "news"),
        ({"meta": {"genre": "news"}}, "news"),
        ({"metadata": {"genre": "news"}, "genre": ""}, "news"),
        ({"genre": 3, "meta": "news"}, ""),
        ({}, ""),
    ],
)
def test_json_lines_have_a_field(fields: dict[str, object], expected: str) -> None:
    record = {"doc_key": "d", "clusters": [], **fields}
    assert genres(json.dumps(record).encode()) == (expected,)

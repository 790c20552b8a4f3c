"""Formats in JSON: errors are what scoring refuses, whatever happened to a file."""

from __future__ import annotations

import json

import pytest

from scoref import ScorefError
from scoref.formats.reading import read_data
from scoref.tools.check.check import check_data
from support.json_documents import EVERY, damaged


def is_refused(data: bytes) -> bool:
    try:
        read_data(data, source="x", role="key")
    except ScorefError:
        return True
    return False


def has_errors(data: bytes) -> bool:
    return any(each.severity == "error" for each in check_data(data, source="x"))


@pytest.mark.parametrize("name", EVERY)
def test_errors_are_what_a_reader_refuses(name: str) -> None:
    whole = json.dumps(EVERY[name]).encode()
    assert not has_errors(whole)
    texts = [json.dumps(record) for record in damaged(EVERY[name])]
    files = [*(text.encode() for text in texts), whole[: len(whole) // 2]]
    found = [(has_errors(data), is_refused(data)) for data in files]
    assert [
        file for file, (one, other) in zip(files, found, strict=True) if one != other
    ] == []
    assert (True, True) in found

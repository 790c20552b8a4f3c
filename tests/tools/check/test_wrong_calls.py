"""Wrong ways to call `scoref check`: each gets an error or a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.wrong_calls import outcome

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("call", "code", "message"),
    [
        ("", 2, "Missing argument"),
        ("nosuch.conll", 1, "cannot be read"),
        ("plain.txt", 1, "error[unreadable-file]"),
        ("nothing.conll", 1, "error[no-document]"),
        ("empty", 1, "there is no file to score"),
        ("paper.pdf", 1, "this is a binary file"),
        ("table-key.tsv", 1, "error[unreadable-file]"),
        ("gap-key.tsv", 1, "error[unreadable-file]"),
        ("key.conll --format corefud", 1, "error[unreadable-line]"),
        ("--key key.conll many-a.conll", 1, "error[missing-document]"),
        ("response.conll key.conll", 0, "each was checked by itself"),
        ("--key response.conll key.conll", 0, "singletons-on-one-side"),
        ("key.conll --expect many-key.conll", 2, "no known key"),
    ],
)
def test_a_wrong_call_is_not_silent(
    call: str, code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = outcome(f"check {call}", tmp_path, monkeypatch)
    assert found.startswith(f"{code}: ")
    assert message in found

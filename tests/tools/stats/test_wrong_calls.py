"""Wrong ways to call `scoref stats`: each gets an error or a warning."""

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
        ("plain.txt", 1, "plain.txt:1:"),
        ("nothing.conll", 1, "there is no document"),
        ("empty", 1, "empty"),
        ("paper.pdf", 1, "this is a binary file"),
        ("table-key.tsv", 1, "table-key.tsv:1:"),
        ("gap-key.tsv", 1, "gap-key.tsv:1:"),
        ("llm-crac.txt", 1, "llm-crac.txt:1:"),
        ("curve-pairs.csv", 1, "curve-pairs.csv:1:"),
        ("key.conll key.conll", 2, "called the same"),
        ("key.conll --format corefud", 1, "key.conll:2:"),
    ],
)
def test_a_wrong_call_is_not_silent(
    call: str, code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = outcome(f"stats {call}", tmp_path, monkeypatch)
    assert found.startswith(f"{code}: ")
    assert message in found

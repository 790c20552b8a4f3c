"""Wrong ways to call `scoref convert`: each gets an error or a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.wrong_calls import outcome

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("call", "code", "message"),
    [
        ("key.conll", 2, "Missing argument"),
        ("key.conll response.conll", 2, "is there already"),
        ("key.conll key.conll --force", 2, "would be overwritten"),
        ("key.conll out.xyz", 2, "Say it with --to"),
        ("key.conll out.jsonl --from corefud", 1, "key.conll:2:"),
        ("key.conll out.jsonl --side response", 0, "warning: key.conll: conll-2012"),
        ("key.conll out.jsonl --disputes d.csv", 2, "--merge majority"),
        ("key.conll response.conll out.jsonl", 2, "--merge majority"),
        ("key.conll out.jsonl --merge majority", 2, "two files at least"),
        ("key.conll key.conll out.jsonl --merge majority", 2, "is given twice"),
        ("agree-ada.conll key.conll o.jsonl --merge majority", 1, "lacks what others"),
        ("table-key.tsv out.jsonl", 1, "table-key.tsv:1:"),
        ("plain.txt out.jsonl", 1, "plain.txt:1:"),
        ("nothing.conll out.jsonl", 1, "there is no document"),
    ],
)
def test_a_wrong_call_is_not_silent(
    call: str, code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = outcome(f"convert {call}", tmp_path, monkeypatch)
    assert found.startswith(f"{code}: ")
    assert message in found

"""Wrong ways to call `scoref agree`: each gets an error or a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.wrong_calls import outcome

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("call", "code", "message"),
    [
        ("", 2, "give annotators"),
        ("agree-ada.conll", 1, "two annotators at least"),
        ("agree-ada.conll agree-ada.conll", 2, "two systems are called"),
        ("a=agree-ada.conll b=agree-ada.conll", 0, "warning: 'a' and 'b' are the same"),
        (
            "agree-ada.conll agree-ben.conll --response agree-ada.conll",
            0,
            "warning: 'agree-ada.conll' and 'response' are the same file",
        ),
        ("agree-ada.conll agree-ben.conll --response key.conll", 1, "no document in"),
        ("key.conll many-a.conll", 1, "no two annotators have a document in common"),
        ("agree-ada.conll corefud-key.conllu", 1, "no two annotators"),
        ("table-key.tsv table-response.tsv", 1, "table-key.tsv:1:"),
        ("agree-ada.conll plain.txt", 1, "plain.txt:1:"),
        ("agree-ada.conll empty", 1, "there is no file to score in this folder"),
        ("agree-ada.conll agree-ben.conll --metrics nosuch", 2, "nosuch"),
    ],
)
def test_a_wrong_call_is_not_silent(
    call: str, code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = outcome(f"agree {call}", tmp_path, monkeypatch)
    assert found.startswith(f"{code}: ")
    assert message in found

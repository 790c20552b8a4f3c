"""`scoref data`: which key is this?"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from click.testing import CliRunner

from scoref.cli import command
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result


KEY = str(EXAMPLES / "key.conll")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, ["data", *arguments])


def test_known_keys_are_listed() -> None:
    result = run()
    assert result.exit_code == 0
    assert "litbank-fold-0-test" in result.stdout
    assert "3338d1b5b0" in result.stdout


def test_a_strange_key_has_a_fingerprint_all_the_same() -> None:
    result = run(KEY)
    assert result.exit_code == 0
    assert "a key that is not known: 2 documents, 15 mentions" in result.stdout
    assert "key 8d4bec4b13" in result.stdout


def test_programs_get_all_digits() -> None:
    (found,) = json.loads(run(KEY, "--output", "json").stdout)["results"]
    assert len(found["key"]) == len(found["text"]) == len(found["annotation"]) == 64
    assert found["known"] == []


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.conll"
    path.write_text("nothing of the kind\n")
    result = run(str(path))
    assert result.exit_code == 1
    assert "error:" in result.stderr


def test_the_signature_names_the_key() -> None:
    response = str(EXAMPLES / "response.conll")
    result = CliRunner().invoke(command, [KEY, response, "--fingerprint"])
    assert "key:8d4bec4b13" in result.stdout
    assert "key:" not in CliRunner().invoke(command, [KEY, response]).stdout

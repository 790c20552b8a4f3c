"""Natural but wrong ways to call `scoref report`: each gets an error or a warning."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scoref.tools.report.command import command
from support.paths import EXAMPLES, ROOT

if TYPE_CHECKING:
    from pathlib import Path

ERRORS = {
    "no response": ("key.conll -o x.html", 1, "this file holds no response"),
    "a folder": ("key.conll response.conll -o folder", 1, "is a directory"),
    "no such folder": (
        "key.conll response.conll -o no/x.html",
        1,
        "there is no such folder",
    ),
    "over the key": ("key.conll response.conll -o key.conll", 2, "is read by the same"),
    "over the response": (
        "key.conll response.conll -o response.conll",
        2,
        "is read by the same",
    ),
    "over another file": (
        "key.conll response.conll -o README.md",
        1,
        "this file exists and is not an HTML page",
    ),
    "the page as a response": (
        "key.conll response.conll x.html",
        1,
        "x.html: cannot be read",
    ),
    "an unknown document": (
        "key.conll response.conll -o x.html --documents nope",
        2,
        "no document 'nope'",
    ),
    "no document": (
        "key.conll response.conll -o x.html --documents ,",
        2,
        "--documents needs a name",
    ),
    "texts without names": (
        "key.conll response.conll -o x.html --no-names",
        2,
        "add --no-text",
    ),
    "documents without texts": (
        "key.conll response.conll -o x.html --no-text --documents *",
        2,
        "--documents chooses texts",
    ),
    "a README": ("key.conll README.md -o x.html", 1, "is this CoNLL-2012?"),
    "an empty response": ("key.conll empty.conll -o x.html", 1, "there is no document"),
    "another split": ("key.conll many-key.conll -o x.html", 1, "is not in many-key"),
    "an unknown metric": (
        "key.conll response.conll -o x.html --metrics ceaf",
        2,
        "no metric 'ceaf'",
    ),
    "no place": ("key.conll response.conll -o", 2, "requires an argument"),
}
WARNINGS = {
    "the wrong order": ("response.conll key.conll", "swapped?"),
    "the key twice": ("key.conll key.conll", "was given as the key and as the respon"),
    "the key among systems": (
        "key.conll response.conll gold=key.conll",
        "gold: key.conll was given as the key and as the response",
    ),
    "an other key of other texts": (
        "key.conll response.conll --other-key many-key.conll",
        "has 0 of the key's 2 documents",
    ),
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("key", "response", "many-key"):
        shutil.copy(EXAMPLES / f"{name}.conll", tmp_path)
    shutil.copy(ROOT / "README.md", tmp_path)
    (tmp_path / "empty.conll").touch()
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.parametrize("case", ERRORS)
def test_a_wrong_call_is_an_error(place: Path, case: str) -> None:
    before = {path: path.is_dir() or path.read_bytes() for path in place.iterdir()}
    call, code, message = ERRORS[case]
    done = CliRunner().invoke(command, call.split())
    assert done.exit_code == code
    assert message in " ".join(done.stderr.split())
    after = {path: path.is_dir() or path.read_bytes() for path in place.iterdir()}
    assert after == before


@pytest.mark.parametrize("case", WARNINGS)
@pytest.mark.usefixtures("place")
def test_a_doubtful_call_gets_a_warning(case: str) -> None:
    call, message = WARNINGS[case]
    done = CliRunner().invoke(command, [*call.split(), "-o", "x.html"])
    assert done.exit_code == 0, done.output
    assert "warning: " in done.stderr
    assert message in " ".join(done.stderr.split())

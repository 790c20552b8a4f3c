"""Natural but wrong ways to call `scoref errors`: each gets an error or a warning."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scoref.tools.errors.command import command
from support.paths import EXAMPLES, ROOT

if TYPE_CHECKING:
    from pathlib import Path

ERRORS = {
    "no response": ("key.conll", 1, "this file holds no response"),
    "another split": ("key.conll many-a.conll", 1, "is not in many-a.conll"),
    "half of the documents": ("many-key.conll half.conll", 1, "is not in half.conll"),
    "an empty response": ("key.conll empty.conll", 1, "there is no document"),
    "a README": ("key.conll README.md", 1, "is this CoNLL-2012?"),
    "a table of GAP": ("gap-key.tsv gap-response.tsv", 1, "is this CoNLL-2012?"),
    "no such file": ("key.conll nowhere.conll", 1, "nowhere.conll: cannot be read"),
    "a response twice": (
        "key.conll response.conll response.conll",
        2,
        "two systems are called 'response.conll'",
    ),
    "an unknown kind": ("key.conll response.conll --kind span-error", 2, "'span-erro"),
    "a list of counts": (
        "key.conll response.conll --list --by document",
        2,
        "--list has each error, --by counts them",
    ),
    "an order without a list": (
        "key.conll response.conll --sort cost",
        2,
        "--sort is for --list, CSV and JSON",
    ),
    "a share in percent": (
        "key.conll response.conll --span-errors share:50",
        2,
        "no rule for span errors 'share:50'",
    ),
    "heads without parses": (
        "key.conll response.conll --span-errors head",
        1,
        "there is no parse in column 6",
    ),
    "classes without heads": (
        "key.conll response.conll --by mention-class",
        2,
        "only CorefUD says what a mention's head is",
    ),
    "metrics": ("key.conll response.conll --metrics muc", 2, "No such option"),
    "an empty other key": (
        "key.conll response.conll --other-key empty.conll",
        1,
        "there is no document",
    ),
}
WARNINGS = {
    "the wrong order": ("response.conll key.conll", "swapped?"),
    "the key twice": ("key.conll key.conll", "was given as the key and as the respon"),
    "a copy of the key": ("many-key.conll copy.conll", "is it a response?"),
    "an other key of other texts": (
        "key.conll response.conll --other-key many-a.conll",
        "many-a.conll has 0 of the key's 2 documents",
    ),
    "half of another key": (
        "many-key.conll many-a.conll --other-key half.conll",
        "half.conll has 12 of the key's 24 documents",
    ),
    "the key as another key": (
        "key.conll response.conll --other-key key.conll",
        "key.conll was given as the key and as another key",
    ),
    "the response as another key": (
        "key.conll response.conll --other-key ben=response.conll",
        "response.conll was given as the response and as another key",
    ),
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("key", "response", "many-key", "many-a"):
        shutil.copy(EXAMPLES / f"{name}.conll", tmp_path)
    for name in ("gap-key", "gap-response"):
        shutil.copy(EXAMPLES / f"{name}.tsv", tmp_path)
    shutil.copy(ROOT / "README.md", tmp_path)
    shutil.copy(EXAMPLES / "many-key.conll", tmp_path / "copy.conll")
    documents = (EXAMPLES / "many-a.conll").read_text().split("#begin")
    (tmp_path / "half.conll").write_text("#begin".join(documents[:13]))
    (tmp_path / "empty.conll").touch()
    return tmp_path


@pytest.mark.parametrize("case", ERRORS)
@pytest.mark.usefixtures("place")
def test_a_wrong_call_is_an_error(case: str) -> None:
    call, code, message = ERRORS[case]
    done = CliRunner().invoke(command, call.split())
    assert done.exit_code == code
    assert not done.stdout
    assert message in " ".join(done.stderr.split())


@pytest.mark.parametrize("case", WARNINGS)
@pytest.mark.usefixtures("place")
def test_a_doubtful_call_gets_a_warning(case: str) -> None:
    call, message = WARNINGS[case]
    done = CliRunner().invoke(command, call.split())
    assert done.exit_code == 0, done.output
    assert "warning: " in done.stderr
    assert message in " ".join(done.stderr.split())

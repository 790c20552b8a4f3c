"""Natural but wrong ways to call `scoref bias`: each gets an error or a warning."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scoref.tools.bias.command import command
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

RIGHT = "pro.key.conll pro.conll anti.key.conll anti.conll"
ERRORS = {
    "one half": ("pro.key.conll pro.conll", 2, "Missing argument 'ANTI_KEY'"),
    "no response": (
        "pro.key.conll pro.conll anti.key.conll",
        2,
        "Missing argument 'ANTI_RESPONSE'",
    ),
    "a shorter half": (
        "pro.key.conll pro.conll short.key.conll short.conll",
        1,
        "has no text in short.key.conll",
    ),
    "a shorter response": (
        "pro.key.conll pro.conll anti.key.conll short.conll",
        1,
        "is not in short.conll",
    ),
    "documents without pairs": (
        "many-key.conll many-a.conll anti.key.conll anti.conll",
        1,
        "does not fit '//(\\d+)'",
    ),
    "an empty response": (
        "pro.key.conll pro.conll anti.key.conll empty.conll",
        1,
        "there is no document",
    ),
    "a broken pattern": (f"{RIGHT} --pairs (", 2, "this is no regular expression"),
    "no group": (f"{RIGHT} --pairs [0-9]+", 2, "this pattern has no group"),
    "one pair": (f"{RIGHT} --pairs (nw)", 1, "are both of pair 'nw'"),
    "a level": (f"{RIGHT} --confidence 101", 2, "is not between 0 and 100 percent"),
    "an unknown metric": (f"{RIGHT} --metrics ceaf", 2, "no metric 'ceaf'"),
}
WARNINGS = {
    "one half twice": (
        "pro.key.conll pro.conll pro.key.conll pro.conll",
        "'pro.key.conll' was given as the key of both halves",
    ),
    "one response twice": (
        "pro.key.conll pro.conll anti.key.conll ./pro.conll",
        "'pro.conll' was given as the response of both halves",
    ),
    "halves in the wrong order": (
        "anti.key.conll anti.conll pro.key.conll pro.conll",
        "anti.key.conll was given for the pro half: swapped?",
    ),
    "responses in the wrong order": (
        "pro.key.conll anti.conll anti.key.conll pro.conll",
        "anti.conll was given for the pro half: swapped?",
    ),
    "keys first": (
        "pro.key.conll anti.key.conll pro.conll anti.conll",
        "anti.key.conll has the mentions and entities of the key",
    ),
    "keys as responses": (
        "pro.key.conll pro.key.conll anti.key.conll anti.key.conll",
        "was given as the key and as the response",
    ),
}


def _half(path: Path, source: str, half: str, documents: int = 99) -> None:
    """Write documents of an example as those of a half."""
    parts = (EXAMPLES / source).read_text().split("#begin document (")[1:]
    named = [
        re.sub(r"^[^)]*", f"#begin document ({half}/nw//{number}", part)
        for number, part in enumerate(parts[:documents])
    ]
    path.write_text("".join(named))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for half, response in (("pro", "many-a.conll"), ("anti", "many-b.conll")):
        _half(tmp_path / f"{half}.key.conll", "many-key.conll", half)
        _half(tmp_path / f"{half}.conll", response, half)
    _half(tmp_path / "short.key.conll", "many-key.conll", "anti", 10)
    _half(tmp_path / "short.conll", "many-b.conll", "anti", 10)
    for name in ("many-key.conll", "many-a.conll"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    (tmp_path / "empty.conll").touch()
    return tmp_path


@pytest.mark.usefixtures("place")
def test_the_right_call_gets_no_warning() -> None:
    done = CliRunner().invoke(command, [*RIGHT.split(), "--resamples", "100"])
    assert done.exit_code == 0, done.output
    assert "warning: " not in done.stderr


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
    done = CliRunner().invoke(command, [*call.split(), "--resamples", "100"])
    assert done.exit_code == 0, done.output
    assert "warning: " in done.stderr
    assert message in " ".join(done.stderr.split())

"""Text fits 80 columns, or as many as there are, whatever is shown."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from scoref.render.text import width_of
from support.commands import run
from support.paths import ROOT

KEY, RESPONSE = "examples/key.conll", "examples/response.conll"
MANY = "examples/many-key.conll examples/many-a.conll examples/many-b.conll"
TABLES = "table examples/table-both.csv --mention record --key-cluster person"
LONG = "a-system-with-a-name-that-nobody-wants-to-type/and-a-folder/" * 2
if TYPE_CHECKING:
    from click.testing import Result

SCOREF = [sys.executable, "-c", "from scoref.cli import main; main()"]

COMMANDS = [
    f"{KEY} {RESPONSE}",
    f"{KEY} {RESPONSE} --metrics all",
    f"{KEY} {RESPONSE} --confidence",
    f"{KEY} {LONG}={RESPONSE} --per-document",
    f"{MANY} --confidence --resamples 50",
    f"{KEY} {LONG}={RESPONSE} {LONG}2={KEY}",
    f"{MANY} --per-document",
    f"{MANY} --by mention-length",
    f"{MANY} --window 10 --per-document",
    f"{KEY} {LONG}={RESPONSE} --beside conll-2012-english",
    f"compare {MANY} --resamples 50",
    f"compare {KEY} {LONG}={RESPONSE} {LONG}2={KEY} --resamples 50",
    f"errors {MANY}",
    f"errors {KEY} {LONG}={RESPONSE} {LONG}2={KEY}",
    f"errors {MANY} --list",
    f"errors {MANY} --by document",
    "errors examples examples",
    "examples examples",
    f"examples {LONG}=examples {LONG}2=examples",
    f"explain {KEY} {RESPONSE} --got 59.62 --got 1.23",
    "explain examples examples",
    f"stats {MANY} --per-document",
    f"stats {LONG}={KEY} {RESPONSE}",
    f"check {KEY} examples/explain-response.conll",
    "check --rules",
    "--signature-help",
    f"llm {KEY} examples/llm-answers.jsonl --show-breaks",
    "published",
    "published conll-2012-english",
    f"{TABLES} --response-cluster predicted",
    f"{TABLES} --response-cluster predicted --group source --per-group --metrics all",
    "agree examples/agree-ada.conll examples/agree-ben.conll examples/agree-eva.conll",
    "curve examples/table-key.tsv examples/table-pairs.csv",
    "estimate examples/table-key.tsv examples/table-response.tsv --weights uniform",
    "data",
    f"data {KEY}",
    "gap examples/gap-key.tsv examples/gap-response.tsv --confidence",
    *("formats", "metrics", "schemes", "schemes crac-2026", "docs"),
]


@pytest.fixture(autouse=True)
def _at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def run_line(line: str) -> Result:
    return run(*line.split())


def is_note(line: str) -> bool:
    """Return whether a line is not an error, which is never folded."""
    return not line.startswith("error: ")


@pytest.mark.parametrize("line", COMMANDS)
def test_nothing_is_wider_than_80_columns(line: str) -> None:
    result = run_line(line)
    assert result.exit_code in {0, 1, 3}, result.output
    assert result.stdout
    wide = [each for each in result.stdout.splitlines() if width_of(each) > 80]
    assert wide == []
    notes = [each for each in result.stderr.splitlines() if is_note(each)]
    if result.exit_code == 0:
        assert [each for each in notes if width_of(each) > 80] == []


@pytest.mark.parametrize("line", COMMANDS)
def test_a_narrower_terminal_is_kept_to(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert [
        each for each in run_line(line).stdout.splitlines() if width_of(each) > 60
    ] == []


def test_a_wide_terminal_has_room_for_a_signature(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run_line(f"{KEY} {RESPONSE}").stdout.splitlines()[-1].startswith("scoref:")


@pytest.mark.parametrize("columns", ["0", "-1", "many", ""])
def test_a_width_that_is_none_is_passed_over(
    columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = run_line(f"{KEY} {RESPONSE}").stdout
    monkeypatch.setenv("COLUMNS", columns)
    assert run_line(f"{KEY} {RESPONSE}").stdout == usual


@pytest.mark.parametrize("columns", ["1", "2", "9", "10000"])
def test_any_terminal_has_every_row(
    columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    result = run_line(f"explain {KEY} {RESPONSE}")
    assert result.exit_code == 0
    assert "metric4coref" in "".join(result.stdout.split())


@pytest.mark.parametrize("output", ["json", "csv"])
def test_what_programs_read_has_no_width(
    output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = f"{MANY} --per-document --output {output}"
    usual = run_line(line).stdout
    monkeypatch.setenv("COLUMNS", "40")
    assert run_line(line).stdout == usual


@pytest.mark.skipif(sys.platform == "win32", reason="there are no terminals to open")
@pytest.mark.parametrize("columns", [50, 170])
def test_a_terminal_is_asked_how_wide_it_is(columns: int) -> None:
    import fcntl  # not on every system
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {**os.environ, "NO_COLOR": "1"}
    subprocess.run([*SCOREF, KEY, RESPONSE], stdout=theirs, env=environment, check=True)
    os.close(theirs)
    text = _read(ours).decode()
    widest = max(len(line.rstrip()) for line in text.splitlines())
    assert widest <= columns
    assert (widest > 80) == (columns > 80)


def _read(terminal: int) -> bytes:
    """Read until the terminal is closed, which raises an error on some systems."""
    text = b""
    with contextlib.suppress(OSError):
        while part := os.read(terminal, 4096):
            text += part
    os.close(terminal)
    return text

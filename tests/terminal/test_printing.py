"""What a terminal gets: colours where they are welcome, and nothing else than text."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from places import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

KEY, RESPONSE = (str(EXAMPLES / f"{side}.conll") for side in ("key", "response"))
ESCAPE = b"\x1b["
COMMANDS = {
    "score": [KEY, RESPONSE],
    "several": [KEY, RESPONSE, KEY],
    "compare": ["compare", KEY, RESPONSE, KEY],
    "check": ["check", "--key", KEY, RESPONSE],
    "errors": ["errors", KEY, RESPONSE],
    "help": ["-h"],
    "table": ["table", "table.csv"],
}

every_command = pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)


def seen(arguments: list[str], folder: Path, **environment: str) -> bytes:
    """Give what a command writes to a terminal, on both of its streams."""
    (folder / "table.csv").write_text("id,gold,predicted\na,1,1\nb,1,2\n")
    ours, theirs = pty.openpty()
    usual = {name: text for name, text in os.environ.items() if name != "NO_COLOR"}
    child = subprocess.Popen(
        [sys.executable, "-m", "scoref", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env=usual | {"TERM": "xterm"} | environment,
    )
    os.close(theirs)
    written = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    assert child.wait() in {0, 1}, written
    return written


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # how Linux says that the other end is closed
        return b""


def test_a_header_stands_out_on_a_terminal(tmp_path: Path) -> None:
    assert ESCAPE in seen(COMMANDS["score"], tmp_path)


def test_an_empty_wish_is_none(tmp_path: Path) -> None:
    assert ESCAPE in seen(COMMANDS["score"], tmp_path, NO_COLOR="")


@every_command
def test_nobody_gets_colours_who_wants_none(
    arguments: list[str], tmp_path: Path
) -> None:
    assert ESCAPE not in seen(arguments, tmp_path, NO_COLOR="1")


@every_command
def test_a_dumb_terminal_gets_plain_lines(arguments: list[str], tmp_path: Path) -> None:
    written = seen(arguments, tmp_path, TERM="dumb").replace(b"\r\n", b"\n")
    assert ESCAPE not in written
    assert b"\r" not in written


def test_without_sequences_blanks_wipe_out_how_far_it_is(tmp_path: Path) -> None:
    written = seen(COMMANDS["several"], tmp_path, NO_COLOR="1")
    assert b"100%  scoring" in written
    assert b"\r" + b" " * 79 + b"\r" in written

"""Streams that are closed or full, and interrupts: an error, never a traceback."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from support.nightly import IS_NIGHTLY
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

KEY, RESPONSE = (str(EXAMPLES / f"{side}.conll") for side in ("key", "response"))
COREFUD, UA = str(EXAMPLES / "corefud-key.conllu"), str(EXAMPLES / "ua-key.ua")
STARTED = "from scoref import _entry_points; _entry_points.{}()"
LOSING = [">&-", ">/dev/full"]
WRITING: list[tuple[str, list[str]]] = [
    ("scoref", [KEY, RESPONSE]),
    ("scoref", [KEY, RESPONSE, "--output", "csv"]),
    ("scoref", [KEY, RESPONSE, "--score-only"]),
    ("scoref", ["convert", KEY, "-", "--to", "json-lines"]),
    ("scoref", ["check", KEY, "--fix", "-"]),
    ("scoref", ["llm", KEY, "--write-input", "-"]),
    ("scoref", ["report", KEY, RESPONSE, "-o", "-"]),
    ("scoref", ["stats", KEY]),
    ("scoref", ["formats"]),
    ("scoref", []),
    ("scoref", ["--help"]),
    ("scoref", ["--version"]),
    ("scoref", ["check", "-h"]),
    ("scoref_conll", []),
    ("scoref_corefud", ["-h"]),
    ("scoref_ua", ["-h"]),
    ("scoref_conll", ["muc", KEY, RESPONSE]),
    ("scoref_corefud", [COREFUD, COREFUD]),
    ("scoref_ua", [UA, UA]),
]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


def run(command: str, *arguments: str, streams: str) -> tuple[int, str]:
    """Run a command with streams closed by a shell, and give what it complains."""
    called = [sys.executable, "-c", STARTED.format(command), *arguments]
    done = subprocess.run(
        ["/bin/sh", "-c", f"{shlex.join(called)} {streams}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("scoref", ["-", RESPONSE]),
        ("scoref", ["stats", "-"]),
        ("scoref", ["convert", "-", "-", "--to", "json-lines"]),
        ("scoref_corefud", ["-", COREFUD]),
        ("scoref_ua", ["-", UA]),
    ],
)
def test_closed_input_is_an_error(command: str, arguments: list[str]) -> None:
    code, complaint = run(command, *arguments, streams="<&-")
    assert code == 1
    first = complaint.splitlines()[0]
    assert first == "error: <stdin>: cannot be read: standard input is closed"


@pytest.mark.parametrize(
    ("command", "arguments", "streams"),
    [
        (*call, streams)
        for number, call in enumerate(WRITING)
        for streams in (LOSING if IS_NIGHTLY else LOSING[number % 2 :][:1])
    ],
)
def test_output_that_is_lost_is_an_error(
    command: str, arguments: list[str], streams: str
) -> None:
    if streams == ">/dev/full" and not os.path.exists("/dev/full"):
        pytest.skip("there is no full device here")
    code, complaint = run(command, *arguments, streams=streams)
    assert code == 1
    why = "standard output is closed" if streams == ">&-" else "No space left on device"
    assert complaint.splitlines()[-1] == f"error: cannot write the output: {why}"


def test_what_goes_to_a_file_needs_no_output(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    code, _ = run("scoref", "report", KEY, RESPONSE, "-o", str(page), streams=">&- <&-")
    assert code == 0
    assert page.stat().st_size


@pytest.mark.parametrize("module", ["click", "scoref.terminal.options", "numpy"])
def test_an_interrupt_while_modules_load_leaves_without_a_traceback(
    module: str,
) -> None:
    interrupting = f"""
import sys, signal
class Finder:
    def find_spec(self, name, *_):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder())
{STARTED.format("scoref")}
"""
    done = subprocess.run(
        [sys.executable, "-c", interrupting, KEY, RESPONSE],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.split()) == (130, ["interrupted"])


def test_without_memory_the_largest_file_is_named(tmp_path: Path) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_bytes(b"x")
    large.write_bytes(b"x" * 1234)
    failing = """
import sys
from scoref.terminal.running import running
with running():
    raise MemoryError
"""

    def complaint(*arguments: str) -> str:
        called = [sys.executable, "-c", failing, *arguments]
        done = subprocess.run(called, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        return done.stderr

    assert complaint(str(small), f"a={large}") == (
        f"error: not enough memory for {large}, which has 1,234 bytes\n"
    )
    assert complaint("nothing") == "error: not enough memory for this command\n"

"""Options of tables, and the exit on signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from scoref.errors import OptionError
from scoref.records.options import (
    reading_arguments,
    refuse_standard_input,
    table_argument,
)

if TYPE_CHECKING:
    from pathlib import Path

COMMAND = "from scoref.records.table.command import command; command()"
SLOW = """
import os, sys, threading
from scoref.records import counting

def follow():
    os.read(0, 1)  # ends with the process that holds the other end
    os._exit(1)

threading.Thread(target=follow, daemon=True).start()

def slow(session, *_):
    print("ready", flush=True)
    query = "SELECT sum(a.range * b.range) FROM range(9999999) a, range(9999999) b"
    return session.connection.execute(query).fetchall()

counting.count = slow
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_leaves_nothing_behind(tmp_path: Path, name: str) -> None:
    (key := tmp_path / "key.csv").write_text("m1,a\nm2,a\n")
    (folder := tmp_path / "temporary").mkdir()
    number = getattr(signal, name)
    program = [
        sys.executable,
        "-c",
        SLOW + COMMAND,
        str(key),
        str(key),
        "--engine",
        "duckdb",
    ]
    with subprocess.Popen(
        program,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(folder)},
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.5)
        process.send_signal(number)
        process.wait(timeout=60)
        assert process.stderr is not None
        errors = process.stderr.read()
    assert (process.returncode, errors) == (128 + number, b"")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("names", "argument"), [([], None), (["t"], "t"), (["k", "r"], ("k", "r"))]
)
def test_a_table_is_named_once_or_once_for_each_side(
    names: list[str], argument: object
) -> None:
    assert table_argument(names) == argument


def test_three_tables_are_refused() -> None:
    with pytest.raises(OptionError, match="--table can be given once"):
        table_argument(["a", "b", "c"])


def test_options_become_arguments() -> None:
    options = {"table": ("t",), "engine": None, "best": "muc"}
    assert reading_arguments(options) == {"table": "t", "engine": None, "best": "muc"}


def test_standard_input_is_refused() -> None:
    with pytest.raises(OptionError, match="standard input"):
        refuse_standard_input("key.csv", "-")

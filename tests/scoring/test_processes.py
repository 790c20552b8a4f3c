"""Tasks in processes of their own: none takes another with it, none stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scoref.scoring.processes import Died, run_apart


def squared(number: int) -> int:
    if number < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    if number > 100:
        sys.exit(7)
    return number * number


@pytest.mark.parametrize("at_once", [1, 2, 5])
def test_every_task_has_its_result(at_once: int) -> None:
    found = dict(run_apart(squared, range(6), at_once))
    assert found == {number: number * number for number in range(6)}


def test_a_task_that_dies_takes_no_other_with_it() -> None:
    found = dict(run_apart(squared, [2, -1, 3, 101, 4], 2))
    assert found == {0: 4, 1: Died(-9), 2: 9, 3: Died(7), 4: 16}
    assert str(found[1]) == "was killed by SIGKILL"
    assert str(found[3]) == "ended with code 7"


def test_who_stops_listening_leaves_no_process_behind() -> None:
    results = run_apart(sleeping, [0, 600, 600], 3)
    assert next(results) == (0, 0)
    results.close()
    assert dict(run_apart(squared, [2], 1)) == {0: 4}


def sleeping(seconds: int) -> int:
    time.sleep(seconds)
    return seconds


PROGRAM = """
import os, time
from pathlib import Path
from scoref.scoring.processes import run_apart

def task(number):
    Path(f"{number}.pid").write_text(str(os.getpid()))
    time.sleep(600)

if __name__ == "__main__":
    list(run_apart(task, [1, 2, 3], 3))
"""


def is_running(process: int) -> bool:
    """Tell whether a process lives; one that has ended may still have its number."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_processes_end_with_the_one_that_started_them(
    number: signal.Signals, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    parent = subprocess.Popen([sys.executable, str(program)], cwd=tmp_path)
    files = [tmp_path / f"{each}.pid" for each in (1, 2, 3)]
    while not all(file.exists() and file.read_text() for file in files):
        assert parent.poll() is None
        time.sleep(0.05)
    workers = [int(file.read_text()) for file in files]
    assert all(map(is_running, workers))
    parent.send_signal(number)
    parent.wait()
    while any(map(is_running, workers)):  # a test that hangs has found a survivor
        time.sleep(0.05)

"""Folders of datasets in Python; tests/cli/test_folders.py has the command.

Tasks in processes of their own: none takes another with it, none stays behind.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import scoref
from scoref import OptionError
from scoref.scoring.datasets import DEFAULT, Died, run_apart, score_folders


def conll(*cells: str) -> str:
    rows = (f"d\t0\t{row}\tw{row}\t{cell}\n" for row, cell in enumerate(cells))
    return f"#begin document (d); part 000\n{''.join(rows)}\n#end document\n"


KEYS = {"a.conll": conll("(1)", "(1)", "(2)", "(2)"), "b.conll": conll("(1)", "(1)")}


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    for folder in ("key", "ours"):
        (tmp_path / folder).mkdir()
        for name, text in KEYS.items():
            (tmp_path / folder / name).write_text(text)
    return tmp_path / "key", tmp_path / "ours"


def test_the_macro_average_is_over_datasets(folders: tuple[Path, Path]) -> None:
    key, ours = folders
    (ours / "a.conll").write_text(conll("(1)", "(1)", "(1)", "(1)"))
    results = score_folders(key, {"ours": ours}, folder="datasets")
    figures = [results.f1("ours", name, DEFAULT, "muc") for name in ("a", "b")]
    assert figures == [
        scoref.score(key / name, ours / name).scores["muc"].f1 for name in KEYS
    ]
    assert results.macro("ours", DEFAULT, "muc") == sum(map(float, figures)) / 2  # type: ignore[arg-type]
    assert results.signature(DEFAULT).endswith("|datasets:macro")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_dataset_that_cannot_be_read_counts_as_zero(
    folders: tuple[Path, Path], jobs: int
) -> None:
    key, ours = folders
    (ours / "a.conll").write_text(conll("(1", "-"))
    results = score_folders(key, [ours], folder="datasets", jobs=jobs)
    assert results.datasets == ("a", "b")
    assert not results.is_scored(str(ours), "a", DEFAULT)
    assert results.macro(str(ours), DEFAULT, "muc") == pytest.approx(0.5)
    (failure,) = results.failures
    assert (failure.dataset, failure.is_missing) == ("a", False)
    assert "a.conll" in failure.message


def test_failures_are_listed_by_system_and_dataset(tmp_path: Path) -> None:
    for folder in ("key", "ours", "theirs"):
        (tmp_path / folder).mkdir()
        for name, text in KEYS.items():
            damaged = text if folder == "key" else conll("(1", "-")
            (tmp_path / folder / name).write_text(damaged)
    systems = {name: tmp_path / name for name in ("theirs", "ours")}
    results = score_folders(tmp_path / "key", systems, folder="datasets")
    listed = [(failure.system, failure.dataset) for failure in results.failures]
    assert listed == [*(("ours", "a"), ("ours", "b"), ("theirs", "a"), ("theirs", "b"))]


def test_options_that_suit_no_file_are_refused(folders: tuple[Path, Path]) -> None:
    key, ours = folders
    with pytest.raises(OptionError, match="needs heads"):
        score_folders(key, [ours], folder="datasets", match="head")
    with pytest.raises(OptionError, match="is not a folder"):
        score_folders(key / "a.conll", [ours])
    with pytest.raises(OptionError, match="column 'heads'"):
        score_folders(key, [ours], columns="heads")


def test_a_folder_of_documents_is_one_corpus(folders: tuple[Path, Path]) -> None:
    results = score_folders(folders[0], [folders[1]])
    assert results.datasets == ("corpus",)
    assert "datasets:macro" not in results.signature(DEFAULT)


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
from scoref.scoring.datasets import run_apart

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

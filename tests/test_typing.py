"""A program that uses the whole API passes type checkers, and runs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import scoref
from support.paths import EXAMPLES, ROOT

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = ROOT / "tests" / "typed" / "whole_api.py"
WRONG = """
import scoref

result = scoref.score([["a"]], [["a"]])
print(result.scores["conll"].recall)
"""


def check(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a type checker in a folder without the configuration of this project."""
    return subprocess.run(
        command, cwd=folder, capture_output=True, check=False, text=True
    )


def test_the_program_uses_every_public_name() -> None:
    used = set(re.findall(r"scoref\.(\w+)", PROGRAM.read_text(encoding="utf-8")))
    assert {*scoref.__all__} - used == set()


def test_the_program_runs(tmp_path: Path) -> None:
    done = check([sys.executable, str(PROGRAM), str(EXAMPLES), str(tmp_path)], tmp_path)
    assert done.returncode == 0, done.stderr


def test_mypy_accepts_the_program_and_knows_that_a_mean_has_no_recall(
    tmp_path: Path,
) -> None:
    (tmp_path / "wrong.py").write_text(WRONG)
    # mypy checks again what has changed since the last run
    options = ["--strict", "--config-file=", f"--cache-dir={ROOT / 'build' / 'mypy'}"]
    mypy = [sys.executable, "-m", "mypy", *options, str(PROGRAM), "wrong.py"]
    done = check(mypy, tmp_path)
    assert done.stdout.splitlines() == [
        'wrong.py:5: error: "Value" has no attribute "recall"  [attr-defined]',
        "Found 1 error in 1 file (checked 2 source files)",
    ]


def test_pyright_accepts_the_program(tmp_path: Path) -> None:
    pyright = shutil.which("pyright")
    if pyright is None:
        pytest.skip("pyright is not installed (npm install --global pyright)")
    program = tmp_path / "program.py"
    text = PROGRAM.read_text(encoding="utf-8")
    program.write_text(f"# pyright: strict\n{text}", encoding="utf-8")
    done = check([pyright, "--pythonpath", sys.executable, str(program)], tmp_path)
    assert done.returncode == 0, done.stdout

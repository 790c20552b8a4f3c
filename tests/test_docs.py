"""Every example in the README, the docs and the docstrings is run."""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import scoref
from support.paths import ROOT

PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
MODULES = [
    module.name for module in pkgutil.walk_packages(scoref.__path__, prefix="scoref.")
]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SESSION = re.compile(r"```console\n(.*?)```", re.DOTALL)
COMMANDS = {"scoref": "scoref.cli", "scoref-conll": "scoref.dropins.conll"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_on_a_page_work(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, _ = doctest.testfile(
        str(page), module_relative=False, optionflags=FLAGS, encoding="utf-8"
    )
    assert failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_a_module_work(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert failed == 0


def test_the_first_screen_shows_what_the_command_prints() -> None:
    session = _sessions(ROOT / "README.md")[0]
    command, _, expected = session.partition("$ scoref ")[2].partition("\n")
    assert _output("scoref", command) == expected


def _sessions(page: Path) -> list[str]:
    return SESSION.findall(page.read_text(encoding="utf-8"))


def _output(command: str, arguments: str) -> str:
    program = f"from {COMMANDS[command]} import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments.split()],
        capture_output=True,
        check=True,
        cwd=ROOT,
        encoding="utf-8",
    )
    return done.stdout

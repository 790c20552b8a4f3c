"""Every example in the README, the docs and the docstrings is run."""

import doctest
import importlib
import linecache
import pkgutil
import re
import shutil
from pathlib import Path

import pytest

import scoref
from support.pages import HAS_JQ, commands, is_as_shown, run_page
from support.paths import ROOT

PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
MODULES = [
    module.name for module in pkgutil.walk_packages(scoref.__path__, prefix="scoref.")
]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
REASONS = {
    "needs a package index",
    "needs a container engine",
    "needs a cluster",
    "needs a corpus",
    "needs Prodigy",
    "needs predictions",
    "needs another scorer",
    "needs another shell",
    "needs the example plugin",  # tests/test_plugins.py runs these
    "takes minutes",
}
needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_on_a_page_work(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, _ = doctest.testfile(
        str(page), module_relative=False, optionflags=FLAGS, encoding="utf-8"
    )
    assert failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_a_module_work(name: str) -> None:
    linecache.clearcache()  # doctest looks at the file of each entry, again and again
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert failed == 0


@needs_bash
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_on_a_page_work(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    wrong = [
        f"$ {command.line}\n{printed.text}"
        for command, printed in run_page(page, tmp_path)
        if not is_as_shown(command, printed)
    ]
    assert not wrong, "\n".join([*wrong, "python tests/refresh_pages.py writes output"])
    if not HAS_JQ and "jq " in page.read_text("utf-8"):
        pytest.skip("jq is not installed: its commands were not run")


def test_commands_that_are_not_run_need_something_from_elsewhere() -> None:
    left_out = [
        (str(page.relative_to(ROOT)), command)
        for page in PAGES
        for command in commands(page.read_text(encoding="utf-8"))
        if command.not_run
    ]
    for page, command in left_out:
        print(f"{page}: {command.line} ({command.not_run})")  # noqa: T201 - with -rP
    assert {command.not_run for _, command in left_out} <= REASONS


def test_commands_are_in_blocks_that_are_run() -> None:
    """A block of text with commands would not be run, unless it shows the usage."""
    for page in PAGES:
        for block in re.findall(
            r"^```text\n(scoref(?:-\w+)? .*)", page.read_text("utf-8"), re.MULTILINE
        ):
            assert "[" in block, f"{page.name}: make it a block of sh: {block}"

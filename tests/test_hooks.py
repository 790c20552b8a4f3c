"""The hooks for pre-commit: which files they get, and what they say of them."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

yaml = pytest.importorskip("yaml")
HOOKS = {
    hook["id"]: hook
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
}
UNENDED = "#begin document (d); part 000\nd\t0\t0\tAda\t(0)\nd\t0\t1\tshe\t(0)\n"


def code(hook: str, *files: str) -> int:
    """Run a hook as pre-commit does: all files behind its command."""
    name, *words = HOOKS[hook]["entry"].split()
    assert name == "scoref"
    command = [sys.executable, "-m", "scoref", *words, *files]
    return subprocess.run(
        command, check=False, cwd=ROOT, capture_output=True
    ).returncode


@pytest.mark.parametrize("hook", HOOKS)
def test_files_of_known_formats_are_looked_at(hook: str) -> None:
    pattern = re.compile(HOOKS[hook]["files"])
    names = ["a/b.conll", "b.conllu", "c.v4_gold_conll", "d.ua", "e.conll.gz"]
    others = ["conll", "conll.py", "a.conll.md", "a.json", "a.txt", "a.tsv"]
    assert [name for name in names + others if pattern.search(name)] == names


@pytest.mark.parametrize("hook", HOOKS)
def test_files_that_have_nothing_to_do_with_each_other_pass(hook: str) -> None:
    keys = ["key.conll", "corefud-key.conllu", "many-key.conll"]
    assert code(hook, *(f"examples/{name}" for name in keys)) == 0


@pytest.mark.parametrize(
    ("hook", "expected"), [("scoref-check", 0), ("scoref-check-strict", 1)]
)
def test_warnings_count_if_asked(hook: str, expected: int, tmp_path: Path) -> None:
    file = tmp_path / "a.conll"
    file.write_text(UNENDED, encoding="utf-8")
    assert code(hook, "examples/key.conll", str(file)) == expected


@pytest.mark.parametrize("hook", HOOKS)
def test_one_broken_file_among_others_is_enough(hook: str, tmp_path: Path) -> None:
    file = tmp_path / "a.conll"
    file.write_text(UNENDED.replace("(0)", "(0", 1), encoding="utf-8")
    assert code(hook, "examples/key.conll", str(file)) == 1

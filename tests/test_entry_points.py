"""Entry points of the commands handle an interrupt even during loading."""

from __future__ import annotations

import gc
import importlib
import subprocess
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from scoref import _entry_points
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MODULES = {
    "scoref": "scoref.cli",
    "scoref_conll": "scoref.dropins.conll",
    "scoref_corefud": "scoref.dropins.corefud",
    "scoref_ua": "scoref.dropins.ua",
}


@pytest.fixture(autouse=True)
def _collect_again() -> Iterator[None]:
    yield
    gc.enable()  # what is frozen may stay so, as the tests themselves do


@pytest.mark.parametrize("name", MODULES)
def test_an_entry_point_runs_the_main_function_of_its_module(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def load(module: str) -> SimpleNamespace:
        return SimpleNamespace(main=lambda: calls.append(module))

    monkeypatch.setattr(importlib, "import_module", load)
    getattr(_entry_points, name)()
    assert calls == [MODULES[name]]


def test_an_interrupt_during_loading_has_its_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(module: str) -> None:
        raise KeyboardInterrupt(module)

    monkeypatch.setattr(importlib, "import_module", load)
    with pytest.raises(SystemExit) as left:
        _entry_points.scoref()
    assert left.value.code == 130
    assert capsys.readouterr().err == "interrupted\n"


AT_THE_END = """
import atexit, gc, sys
def look():
    print(gc.isenabled(), gc.get_freeze_count() > len(gc.get_objects()), sep=", ")
atexit.register(look)
from scoref._entry_points import scoref
scoref()
"""


@pytest.mark.parametrize("arguments", [["--version"], ["key.conll"], ["missing.conll"]])
def test_a_command_collects_no_garbage_even_at_its_end(arguments: list[str]) -> None:
    command = [sys.executable, "-c", AT_THE_END, *arguments]
    done = subprocess.run(
        command, cwd=EXAMPLES, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1] == "False, True"


def test_duckdb_reports_no_object_that_was_not_collected(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    table = tmp_path / "both.csv"
    table.write_text("mention,key,response\na,1,1\nb,1,1\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "scoref", "table", str(table), "--engine", "duckdb"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "100.00" in done.stdout
    assert "leaked" not in done.stderr

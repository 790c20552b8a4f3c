"""The notebook in `examples`: every cell runs, and shows something."""

from __future__ import annotations

import ast
import json
import shutil
from typing import TYPE_CHECKING

from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

TOUR = EXAMPLES / "tour.ipynb"


def run(source: str, names: dict[str, object]) -> object:
    """Run a cell as a notebook does: its last value is what it shows."""
    *statements, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        exec(source, names)  # noqa: S102 - the project's own
        return None
    before = ast.Module(body=statements, type_ignores=[])
    exec(compile(before, TOUR.name, "exec"), names)  # noqa: S102
    shown = ast.Expression(last.value)
    return eval(compile(shown, TOUR.name, "eval"), names)  # noqa: S307


def test_the_tour_can_be_walked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    cells = json.loads(TOUR.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    for source in sources:
        value = run(source, names)
        drawn = getattr(value, "_repr_html_", lambda value=value: repr(value))()
        assert (drawn and value is not None) or capsys.readouterr().out, source
    assert len(sources) > 10
    assert (tmp_path / "report.html").stat().st_size > 100_000


def test_the_tour_keeps_no_output_that_could_grow_old() -> None:
    cells = json.loads(TOUR.read_text(encoding="utf-8"))["cells"]
    assert all(not cell.get("outputs") for cell in cells)

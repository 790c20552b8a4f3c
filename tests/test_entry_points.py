"""Entry points of the commands handle an interrupt even during loading."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import pytest

from scoref import _entry_points

MODULES = {
    "scoref": "scoref.cli",
    "scoref_conll": "scoref.dropins.conll",
    "scoref_corefud": "scoref.dropins.corefud",
    "scoref_ua": "scoref.dropins.ua",
}


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

"""Natural but wrong calls of commands, for tests that none of them passes silently."""

from __future__ import annotations

import io
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

import pytest

from scoref.cli import main
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path


def outcome(call: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a call in a folder of example files; give its exit code and messages."""
    for file in EXAMPLES.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    (folder / "plain.txt").write_text("just a text\nwithout annotation\n")
    (folder / "nothing.conll").write_text("")
    (folder / "paper.pdf").write_bytes(b"%PDF-1.4\n\x00\x01")
    (folder / "empty").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["scoref", *call.split()])
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as left:
        main()
    # `check` reports problems as its result.
    said = out.getvalue() + err.getvalue() if "check" in call else err.getvalue()
    return f"{left.value.code}: {' '.join(said.split())}"

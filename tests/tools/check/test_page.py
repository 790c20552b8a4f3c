"""The page about checking says what the code says, and shows what it prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from rules import with_rules
from scoref.rules import RULES
from support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `([\w-]+)` \| \w+ \| .+ \| .+ \|$", re.MULTILINE)
SESSION = re.compile(r"```text\n(\$ .*?)```", re.DOTALL)


def test_the_table_of_rules_is_that_of_the_code() -> None:
    assert ROW.findall(PAGE) == [*RULES]
    assert with_rules(PAGE) == PAGE, "make docs writes it"


@pytest.mark.skipif(sys.platform == "win32", reason="the examples are for a shell")
def test_the_sessions_show_what_the_command_prints(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    program = tmp_path / "scoref"
    code = "from scoref.cli import main; main()"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{code}" "$@"\n')
    program.chmod(0o755)
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    sessions = SESSION.findall(PAGE)
    assert len(sessions) == 5
    for session in sessions:
        commands = re.findall(r"^\$ (.*)", session, re.MULTILINE)
        done = subprocess.run(
            ["/bin/sh", "-c", "\n".join(commands)],
            capture_output=True,
            check=False,
            cwd=tmp_path,
            encoding="utf-8",
            env={**os.environ, "PATH": path, "PYTHONUTF8": "1"},
        )
        expected = re.sub(r"^\$ .*\n", "", session, flags=re.MULTILINE)
        assert done.stdout == expected

"""An emulated worker of Codabench: its folders, its command, how it reads scores."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from scoref.tools.leaderboard.board import LONGEST

METADATA = "metadata"


class App(NamedTuple):
    """What a worker sees: folders as the platform mounts them."""

    root: Path

    @property
    def submitted(self) -> Path:
        return self.root / "input" / "res"

    @property
    def output(self) -> Path:
        return self.root / "output"

    def scores(self) -> dict[str, float]:
        """Read scores as the site does: finite numbers of at most 20 digits."""
        found: dict[str, float] = json.loads((self.output / "scores.json").read_text())
        for name, value in found.items():
            assert len(name) <= LONGEST
            assert name.isascii()
            assert Decimal(str(value)).is_finite()
            assert abs(Decimal(str(value))) < 10**10
        lines = (self.output / "scores.txt").read_text().splitlines()
        told = dict(line.split(": ") for line in lines)
        assert {name: float(value) for name, value in told.items()} == found
        return found


def installed(bundle: Path, root: Path) -> App:
    """Unpack a bundle as the platform does, with an empty submission."""
    shutil.copytree(bundle / "scoring_program", root / "program")
    shutil.copytree(bundle / "reference_data", root / "input" / "ref")
    (root / "input" / "res").mkdir()
    (root / "output").mkdir()
    return App(root)


def work(app: App) -> subprocess.CompletedProcess[str]:
    """Run the command of the scoring program, without a home and without a shell."""
    metadata = (app.root / "program" / "metadata.yaml").read_text()
    command = metadata.partition("command: ")[2].replace("/app", str(app.root))
    parts = shlex.split(command)
    path = str(Path(sys.executable).parent) + os.pathsep + os.environ["PATH"]
    done = subprocess.run(
        [sys.executable, *parts[1:]],
        cwd=app.root / "program",
        env={"PATH": path, "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )
    assert not (app.output / METADATA).exists()
    return done

"""Plugins for tests: folders with packages that look as if they were installed."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

from support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

COUNT = """
import numpy as np
from scoref.plugins import Mean, Metric

def count(table):
    common = table.sum_cells(table.overlap)
    return np.column_stack((
        common, table.sum_key(table.key_size),
        common, table.sum_response(table.response_size),
    ))

def metric(name, **fields):
    return Metric(name=name, label=name, asks="what?", **{"count": count, **fields})
"""


def write_plugin(
    folder: Path,
    package: str,
    code: str,
    *,
    metrics: Mapping[str, str] | None = None,
    formats: Mapping[str, str] | None = None,
    version: str = "1.0",
) -> None:
    """Write a package with a module of its name, and the metadata of an installation.

    ``metrics`` and ``formats`` map entry points to names in the module.
    """
    module = package.replace("-", "_")
    (folder / f"{module}.py").write_text(textwrap.dedent(code), encoding="utf-8")
    info = folder / f"{module}-{version}.dist-info"
    info.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    lines = []
    for group, points in (("metrics", metrics), ("formats", formats)):
        lines.append(f"[scoref.{group}]")
        lines += [f"{name} = {module}:{what}" for name, what in (points or {}).items()]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


def run_with(
    folder: Path | str, *command: object, code: int | None = 0
) -> subprocess.CompletedProcess[str]:
    """Run ``scoref`` in a new process that finds the plugins of a folder."""
    words = [sys.executable, "-m", "scoref", *map(str, command)]
    return _run(folder, words, code)


def python_with(
    folder: Path | str, program: str, code: int | None = 0
) -> subprocess.CompletedProcess[str]:
    """Run a program in a new process that finds the plugins of a folder."""
    words = [sys.executable, "-c", textwrap.dedent(program)]
    return _run(folder, words, code)


def _run(
    folder: Path | str, words: list[str], code: int | None
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        words,
        capture_output=True,
        check=False,
        cwd=ROOT,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONUTF8": "1"},
    )
    assert code is None or done.returncode == code, done.stdout + done.stderr
    return done

"""Run the suite on every Python that is installed, with the oldest libraries, too.

    make matrix                 # all of them; environments stay in .matrix
    make matrix ONLY=3.12       # one Python

The oldest libraries are the lower bounds of pyproject.toml: bounds that nobody tried
are guesses. They have no builds for Pythons that came later. Extras are left out, and
so are their tests: what is tried here is what everybody loads.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

from support.paths import ROOT

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
HAVE_OLDEST = ("3.11", "3.12")
TOOLS = (
    *("hypothesis", "matplotlib", "pandas", "polars", "pytest>=9,<10", "pytest-xdist"),
    *("pyyaml", "click>=8.2"),
)
EXTRAS = ("adapters", "tables", "tools/table", "tools/report/page")
_BOUND = re.compile(r"([a-z]+)>=([\d.]+)")


class Setting(NamedTuple):
    """A Python, and which libraries it gets."""

    python: str
    libraries: str

    @property
    def folder(self) -> Path:
        """Where its environment is."""
        return ROOT / ".matrix" / f"{self.python}-{self.libraries}"


def settings(only: str | None) -> list[Setting]:
    """List what can be tried on this machine."""
    found = [
        each for each in PYTHONS if interpreter(each) and (only is None or only == each)
    ]
    oldest = [Setting(each, "oldest") for each in found if each in HAVE_OLDEST]
    return oldest + [Setting(each, "newest") for each in found]


def interpreter(version: str) -> str | None:
    """Find a Python by its version, on the path or among those of pyenv and uv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    uv = Path.home() / ".local" / "share" / "uv" / "python"
    kept = [
        *sorted(uv.glob(f"cpython-{version}.*/bin/python{version}")),
        *sorted(pyenv.glob(f"{version}.*/bin/python")),
    ]
    return str(kept[-1]) if kept else shutil.which(f"python{version}")


def lower_bounds() -> list[str]:
    """Pin what scoref needs to the oldest versions that it says it works with."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        needed = tomllib.load(file)["project"]["dependencies"]
    bounds = [_BOUND.fullmatch(each) for each in needed]
    # The tests themselves need a later click than scoref does.
    return [f"{each[1]}=={each[2]}.*" for each in bounds if each and each[1] != "click"]


def prepare(setting: Setting) -> None:
    """Make the environment, if it is not there."""
    if (setting.folder / "ready").exists():
        return
    python = interpreter(setting.python)
    assert python is not None  # settings() has looked
    run(python, "-m", "venv", "--clear", str(setting.folder))
    pinned = lower_bounds() if setting.libraries == "oldest" else []
    pip = (str(setting.folder / "bin" / "python"), "-m", "pip", "install", "--quiet")
    run(*pip, "--disable-pip-version-check", *TOOLS, *pinned, "-e", str(ROOT))
    (setting.folder / "ready").touch()


def run(*command: str) -> bool:
    """Run a command; its output is for whoever watches."""
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def suite(setting: Setting) -> bool:
    """Run the tests that need no extras."""
    left_out = [f"--ignore=tests/{each}" for each in EXTRAS]
    python = str(setting.folder / "bin" / "python")
    return run(
        python, "-m", "pytest", "-n", "auto", "-p", "no:cacheprovider", *left_out
    )


def main() -> int:
    """Try all, and say what came out."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", metavar="VERSION", help="one Python, such as 3.12")
    outcome: dict[Setting, bool] = {}
    for setting in settings(parser.parse_args().only):
        print(f"== Python {setting.python}, {setting.libraries} libraries", flush=True)
        prepare(setting)
        outcome[setting] = suite(setting)
    for setting, passed in outcome.items():
        word = "passed" if passed else "FAILED"
        print(f"Python {setting.python}, {setting.libraries} libraries: {word}")
    missing = [each for each in PYTHONS if interpreter(each) is None]
    if missing:
        print(f"not installed here: {', '.join(missing)}")
    return 0 if outcome and all(outcome.values()) else 1


if __name__ == "__main__":
    sys.exit(main())

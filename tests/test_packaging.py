"""What is handed out: a wheel and a source archive that lack nothing; a citation."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

import scoref
from scoref.tools.leaderboard.bundle import PYTHON
from support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

BUILD = "import sys; from hatchling import build; build.{}(sys.argv[1])"
EPOCH = {"SOURCE_DATE_EPOCH": "1700000000"}


def built(kind: str, folder: Path, source: Path = ROOT) -> Path:
    """Build a wheel or a source archive as an installer would."""
    pytest.importorskip("hatchling")
    folder.mkdir()
    command = [sys.executable, "-c", BUILD.format(f"build_{kind}"), str(folder)]
    subprocess.run(command, check=True, cwd=source, env=EPOCH)
    (path,) = folder.iterdir()
    return path


def scripts() -> list[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return list(settings["project"]["scripts"])


def test_the_same_sources_give_the_same_wheel(tmp_path: Path) -> None:
    once, again = (built("wheel", tmp_path / name) for name in ["once", "again"])
    assert once.read_bytes() == again.read_bytes()


def test_a_wheel_has_pages_manuals_and_licence(tmp_path: Path) -> None:
    with ZipFile(built("wheel", tmp_path / "wheel")) as wheel:
        names = {*wheel.namelist()}
    start = f"scoref-{scoref.__version__}"
    manuals = {f"{start}.data/data/share/man/man1/{each}.1" for each in scripts()}
    paths = [each.relative_to(ROOT).as_posix() for each in ROOT.glob("docs/**/*.md")]
    pages = {f"scoref/{each}" for each in paths}
    licence = f"{start}.dist-info/licenses/LICENSE"
    assert sorted((manuals | pages | {licence}) - names) == []


def test_a_source_archive_has_all_sources(tmp_path: Path) -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("what the sources are is known to git, in a clone")
    listed = subprocess.check_output([git, "ls-files", "-z"], cwd=ROOT, text=True)
    with tarfile.open(built("sdist", tmp_path / "sdist")) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert sorted({*listed.split("\0")} - {""} - names) == []


def test_a_container_is_built_from_all_that_a_wheel_needs(tmp_path: Path) -> None:
    context = tmp_path / "context"
    context.mkdir()
    listed = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    for name in re.findall(r"^!(\S+)$", listed, re.MULTILINE):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, context / name)
    inside, outside = (
        built("wheel", tmp_path / "a", context),
        built("wheel", tmp_path / "b"),
    )
    assert inside.read_bytes() == outside.read_bytes()


def test_the_container_says_which_version_it_has() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    (version,) = re.findall(r'image\.version="([^"]+)"', text)
    assert version == scoref.__version__


def stages() -> dict[str, list[tuple[str, str]]]:
    """Read the Containerfile: the instructions of each stage, with its base's first."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    lines = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    found: dict[str, list[tuple[str, str]]] = {}
    here: list[tuple[str, str]] = []
    for line in filter(str.strip, lines.splitlines()):
        instruction, _, rest = line.partition(" ")
        if instruction == "FROM":
            base, _, name = rest.partition(" AS ")
            here = found.setdefault(name, [*found.get(base, [])])
        here.append((instruction, " ".join(rest.split())))
    return found


@pytest.mark.parametrize("stage", ["codabench", "scoref"])
def test_no_container_runs_as_root(stage: str) -> None:
    instructions = stages()[stage]
    users = [rest for name, rest in instructions if name == "USER"]
    assert users[-1] == "1000"
    last = len(instructions) - instructions[::-1].index(("USER", "1000"))
    assert not [rest for name, rest in instructions[last:] if name == "RUN"]
    (made,) = [rest for name, rest in instructions if "useradd" in rest]
    assert "--uid 1000" in made


def test_the_container_of_a_worker_runs_any_command_and_can_write_scores() -> None:
    instructions = stages()["codabench"]
    names = [name for name, _ in instructions]
    assert "ENTRYPOINT" not in names
    assert "CMD" not in names
    (made,) = [rest for _, rest in instructions if "useradd" in rest]
    assert "mkdir -p /app/program /app/input /app/output" in made
    assert "chmod 1777 /app/output" in made
    assert ("WORKDIR", "/app/program") in instructions


def test_the_usual_container_is_scoref_itself() -> None:
    *_, last = stages()
    assert last == "scoref"
    instructions = stages()[last]
    assert instructions[-1] == ("ENTRYPOINT", '["scoref"]')
    (version,) = re.findall(r"^ARG PYTHON=(\S+)$", _containerfile(), re.MULTILINE)
    bases = [rest for name, rest in instructions if name == "FROM"]
    assert bases[0].startswith("docker.io/library/python:${PYTHON}-slim")
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    oldest = wanted["project"]["requires-python"].removeprefix(">=")
    assert [*map(int, version.split("."))] >= [*map(int, oldest.split("."))]
    assert tuple(map(int, version.split("."))) == PYTHON


def _containerfile() -> str:
    return (ROOT / "Containerfile").read_text(encoding="utf-8")


def test_the_citation_names_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    fields = dict(re.findall(r"^([a-z]+): (\S.*)$", text, re.MULTILINE))
    assert fields["version"] == scoref.__version__
    assert fields["license"] == "MIT"

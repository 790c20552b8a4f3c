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
from places import ROOT

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


def test_the_citation_names_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    fields = dict(re.findall(r"^([a-z]+): (\S.*)$", text, re.MULTILINE))
    assert fields["version"] == scoref.__version__
    assert fields["license"] == "MIT"

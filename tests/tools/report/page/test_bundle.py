"""What is committed is what its sources make."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from support.paths import ROOT

WEB = ROOT / "web"
PAGE = WEB.parent / "src" / "scoref" / "tools" / "report" / "page"
MADE = (
    *("report.js", "index.js", "adjudication.js"),
    *("report.css", "adjudication.css", "mentions.css"),
)


@pytest.fixture
def npm() -> str:
    found = shutil.which("npm")
    if found is None:
        pytest.skip("the page's sources are built with Node.js, which is not installed")
    if not (WEB / "node_modules").is_dir():
        pytest.skip("the page's sources are built with esbuild: npm ci in web/")
    return found


def run(npm: str, *arguments: str, folder: Path = WEB) -> None:
    done = subprocess.run(
        [npm, "--silent", *arguments],
        cwd=folder,
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_sources_make_the_files_that_are_committed(
    npm: str, tmp_path: Path
) -> None:
    copy = tmp_path / "web"
    ignored = shutil.ignore_patterns("node_modules", "build")
    shutil.copytree(WEB, copy, ignore=ignored)
    (copy / "node_modules").symlink_to(WEB / "node_modules")
    made = tmp_path / "src" / "scoref" / "tools" / "report" / "page"
    made.mkdir(parents=True)
    run(npm, "run", "build", folder=copy)
    for name in MADE:
        assert (made / name).read_bytes() == (PAGE / name).read_bytes(), name


def test_the_sources_make_the_interactive_pages_that_are_committed(
    npm: str, tmp_path: Path
) -> None:
    copy = tmp_path / "web"
    ignored = shutil.ignore_patterns("node_modules", "build")
    shutil.copytree(WEB, copy, ignore=ignored)
    (copy / "node_modules").symlink_to(WEB / "node_modules")
    run(npm, "run", "build", folder=copy)
    drawings = Path("docs", "images", "metrics")
    made = [Path("website", "pages", "explainer.js")]
    made += [drawings / path.name for path in (ROOT / drawings).glob("*.svg")]
    assert len(made) > 10
    for name in made:
        assert (tmp_path / name).read_bytes() == (ROOT / name).read_bytes(), name


def test_the_sources_are_sound(npm: str) -> None:
    run(npm, "run", "check")


def test_the_tests_of_the_sources_pass(npm: str) -> None:
    run(npm, "test")

"""`scoref docs`: every page, wherever scoref is installed."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from places import ROOT
from scoref.cli import command
from scoref.render import render
from scoref.tools.docs.rendering import page_report, titles

if TYPE_CHECKING:
    from pathlib import Path

PAGES = sorted(
    path.relative_to(ROOT / "docs").with_suffix("").as_posix()
    for path in (ROOT / "docs").rglob("*.md")
)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, ["docs", *arguments])


def test_every_page_is_listed_with_its_title() -> None:
    lines = run().stdout.splitlines()
    assert [line.split()[0] for line in lines[: len(PAGES)]] == [*titles()]
    assert sorted(titles()) == PAGES
    assert titles()["metrics/muc"] == "MUC"


@pytest.mark.parametrize(
    "name", ["metrics/muc", "muc", "MUC", "docs/metrics/muc.md", "muc.md#edge-cases"]
)
def test_a_page_has_several_names(name: str) -> None:
    assert run(name).stdout == run("metrics/muc").stdout


def test_markdown_is_the_page_as_it_is_written() -> None:
    page = (ROOT / "docs" / "metrics" / "muc.md").read_text(encoding="utf-8")
    assert run("muc", "--output", "markdown").stdout == page


@pytest.mark.parametrize("page", PAGES)
def test_all_words_of_a_page_are_shown_on_lines_that_fit(page: str) -> None:
    shown = render(page_report(page))
    written = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    plain = [line for line in shown.splitlines() if not line.startswith("    ")]
    assert [line for line in plain if len(line) > 80 and " " in line.strip()] == []
    written = re.sub(r"^```.*|\]\([^)\s]+\)", "", written, flags=re.MULTILINE)
    assert {*re.findall(r"\w+", written)} <= {*re.findall(r"\w+", shown)}


def test_a_page_names_those_that_it_points_to() -> None:
    last = " ".join(
        render(page_report("metrics/muc")).rpartition("See also: ")[2].split()
    )
    assert last.endswith("(`scoref docs PAGE`)")
    assert "metrics/index" in last


def test_a_wide_table_becomes_paragraphs() -> None:
    shown = render(page_report("metrics/muc"))
    assert "\ncase: singletons\n    what happens: have no link: neither" in shown


def test_an_unknown_page_is_bad_usage() -> None:
    result = run("convention")
    assert result.exit_code == 2
    assert "no page 'convention'; did you mean 'conventions'?" in result.stderr


def test_an_installed_wheel_has_the_pages(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    code = (
        "import sys; from hatchling.build import build_wheel; "
        "print(build_wheel(sys.argv[1]))"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, cwd=ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    program = "import sys; sys.path.insert(0, sys.argv.pop(1)); import scoref._starting"
    program += "; scoref._starting.scoref()"
    unpacked = tmp_path / "unpacked"
    subprocess.run(
        [sys.executable, "-m", "zipfile", "-e", str(wheel), str(unpacked)], check=True
    )
    for words in (["docs", "muc"], ["metrics", "muc"], ["formats", "corefud"]):
        done = subprocess.run(
            [sys.executable, "-I", "-c", program, str(unpacked), *words],
            capture_output=True,
            check=True,
            cwd=tmp_path,
            encoding="utf-8",
        )
        assert done.stdout.startswith("# ")

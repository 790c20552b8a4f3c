"""`scoref docs`: every page, wherever scoref is installed.

`scoref formats`, `metrics` and `schemes`: everything is listed, with a page.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from scoref.cli import COMMANDS, GROUPS
from scoref.errors import ScorefError
from scoref.formats.catalogue import FORMATS
from scoref.metrics import METRICS, metrics_of
from scoref.render import WIDTH, render
from scoref.scheme import Scheme
from scoref.schemes import SCHEMES
from scoref.tools import docs
from scoref.tools.docs import LISTS, page_report, page_text, titles
from support.commands import run
from support.json_output import result_of, results_of
from support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path


PAGES = sorted(
    path.relative_to(ROOT / "docs").with_suffix("").as_posix()
    for path in (ROOT / "docs").rglob("*.md")
)


def test_every_page_is_listed_with_its_title() -> None:
    lines = run("docs").stdout.splitlines()
    assert [line.split()[0] for line in lines[: len(PAGES)]] == [*titles()]
    assert sorted(titles()) == PAGES
    assert titles()["metrics/muc"] == "MUC"


@pytest.mark.parametrize("name", ["metrics/muc", "muc", "MUC", "docs/metrics/muc.md"])
def test_a_page_has_several_names(name: str) -> None:
    assert run("docs", name).stdout == run("docs", "metrics/muc").stdout


def test_markdown_is_the_page_as_it_is_written() -> None:
    page = (ROOT / "docs" / "metrics" / "muc.md").read_text(encoding="utf-8")
    assert run("docs", "muc", "--output", "markdown").stdout == page


@pytest.mark.parametrize("page", PAGES)
def test_all_words_of_a_page_are_shown_on_lines_that_fit(page: str) -> None:
    shown = render(page_report(page))
    written = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    plain = [line for line in shown.splitlines() if not line.startswith("    ")]
    assert [line for line in plain if len(line) > 80 and " " in line.strip()] == []
    written = re.sub(r"<!--.*?-->", "", written, flags=re.DOTALL)
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
    assert "\ncase: only singletons\n    what happens: MUC is 0/0" in shown


def test_an_unknown_page_is_bad_usage() -> None:
    result = run("docs", "convention")
    assert result.exit_code == 2
    assert "unknown page 'convention'. Did you mean conventions?" in result.stderr


def test_an_installed_wheel_has_the_pages(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    code = (
        "import sys; from hatchling.build import build_wheel; "
        "print(build_wheel(sys.argv[1]))"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, cwd=ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    program = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); import scoref._entry_points"
    )
    program += "; scoref._entry_points.scoref()"
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


_WHEN = ("always", "texts", "tables", "never")

NAMES = {
    "formats": [*FORMATS],
    "metrics": sorted(METRICS, key=lambda name: _WHEN.index(METRICS[name].usual)),
    "schemes": [*SCHEMES],
}

every_list = pytest.mark.parametrize("name", LISTS)


def lines_of(name: str) -> list[str]:
    result = run(name)
    assert result.exit_code == 0, result.output
    listed = result.stdout.rpartition("\n\n")[0]
    return [
        line
        for line in listed.splitlines()
        if line and not line.endswith("):") and not line.startswith((" ", "computed"))
    ]


@every_list
def test_everything_has_a_line_of_its_own(name: str) -> None:
    assert [line.split()[0] for line in lines_of(name)] == NAMES[name]


@every_list
def test_every_link_leads_to_a_page(name: str) -> None:
    for entry in LISTS[name]():
        page, _, section = entry.link.partition("#")
        assert (ROOT / page).is_file()
        # A section is found by its heading, which is the first line that is shown.
        assert page_text(entry.link).startswith("## " if section else "# ")


def test_a_section_ends_before_the_next_heading_of_its_level() -> None:
    text = page_text("formats/corpora#preco")
    assert text.startswith("## PreCo\n")
    assert text.count("\n## ") == 0
    assert page_text("preco") == page_text("formats/preco") == text
    with pytest.raises(ScorefError, match="no section 'nowhere'"):
        page_text("muc#nowhere")


@every_list
def test_every_line_says_something_and_fits_a_terminal(name: str) -> None:
    entries = LISTS[name]()
    assert all(each.text.strip() == each.text != "" for each in entries)
    assert max(map(len, run(name).stdout.splitlines())) <= 80


@every_list
def test_json_has_the_same(name: str) -> None:
    written = results_of(run(name, "--output", "json").stdout)
    assert [each["name"] for each in written] == NAMES[name]
    lines = " ".join(run(name).stdout.split())
    assert [each["text"] for each in written if each["text"] not in lines] == []


@every_list
def test_every_name_can_be_asked_for(name: str) -> None:
    for wanted in NAMES[name]:
        result = run(name, wanted)
        assert result.exit_code == 0, result.output
        heading, _, text = result.stdout.partition("\n")
        assert heading
        assert text.strip()


def test_a_metric_is_shown_by_its_page_whatever_it_is_called() -> None:
    pages = [run("metrics", name).stdout for name in ("bcub", "BCUB", "B³")]
    assert pages[0].startswith("# B³")
    assert pages == [pages[0]] * 3


def test_a_scheme_is_shown_by_its_choices() -> None:
    shown = run("schemes", "crac-2022").stdout
    assert shown.startswith("crac-2022: the CorefUD scorer: partial match")
    assert "\nmatch              partial\n" in shown
    assert "\nsplit-antecedents  " in run("schemes", "codi-crac-2022-ar").stdout
    assert "See `scoref docs corefud-scorer`." in shown


def test_one_entry_for_programs_is_one_of_the_list() -> None:
    every = results_of(run("metrics", "--output", "json").stdout)
    one = result_of(run("metrics", "muc", "--output", "json").stdout)
    assert one == next(each for each in every if each["name"] == "muc")


def test_rows_have_a_cell_for_each_choice() -> None:
    rows = list(csv.DictReader(run("schemes", "--output", "csv").stdout.splitlines()))
    choices = SCHEMES["crac-2022"].chosen()
    (row,) = (row for row in rows if row["name"] == "crac-2022")
    assert "choices" not in row
    assert row["match"] == choices["match"] == "partial"


def test_metrics_say_who_is_behind_them() -> None:
    written = results_of(run("metrics", "--output", "json").stdout)
    found = {each["name"]: each.get("reference") for each in written}
    for name, metric in metrics_of(Scheme()).items():
        assert found[name] == metric.reference


def test_metrics_are_sorted_by_who_gets_them() -> None:
    headings = [
        line for line in run("metrics").stdout.splitlines() if line.endswith(":")
    ]
    assert headings == [
        "computed by default:",
        "computed by default if the format has them:",
        ("computed by default for tables (scoref table), on request for texts:"),
        "computed on request (--metrics NAME):",
    ]


def test_schemes_say_to_programs_what_they_choose() -> None:
    for each in results_of(run("schemes", "--output", "json").stdout):
        fields = SCHEMES[each["name"]].chosen()
        assert {**dict.fromkeys(fields), **each["choices"]} == fields


def test_schemes_that_are_the_same_are_said_to_be() -> None:
    texts = {each.name: each.text for each in LISTS["schemes"]()}
    for name, text in texts.items():
        if text.startswith("the same as "):
            assert SCHEMES[name] == SCHEMES[text.removeprefix("the same as ")]


def test_schemes_are_listed_without_a_numerical_library() -> None:
    code = (
        "import sys; from scoref.cli import command; "
        "command(['schemes'], standalone_mode=False); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    )
    assert not {"numpy", "scipy", "msgspec"} & set(done.stdout.split())


def test_the_help_text_lists_every_command_by_group() -> None:
    lines = run("-h").stdout.splitlines()
    listed = lines[lines.index(f"{next(iter(GROUPS))}:") :]
    listed = listed[: listed.index("")]
    assert [line for line in listed if line[0] != " "] == [
        f"{name}:" for name in GROUPS
    ]
    assert [line.split()[0] for line in listed if line[0] == " "] == [*COMMANDS]


def test_the_page_about_commands_names_commands_that_exist() -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    table = text.partition("\n## ")[0].partition("\n|")[2]
    names = re.findall(r"`scoref ([a-z]+)`", table)
    assert len(names) > len(COMMANDS) / 2
    assert {*names} <= {*COMMANDS, "version"}


@every_list
def test_what_is_not_on_a_list_is_bad_usage(name: str) -> None:
    result = run(name, NAMES[name][1] + "x")
    assert result.exit_code == 2
    assert f"Did you mean {NAMES[name][1]}?" in result.stderr


CALLS = {
    "a page that is almost right": ["leaderbord"],
    "a folder of pages": ["metrics"],
    "no such page": ["nothing"],
    "no name": [""],
    "two pages": ["conventions", "output"],
    "a file above": ["../README"],
    "a file of the system": ["/etc/passwd"],
    "an address": ["https://example.org"],
    "a page through another folder": ["metrics/../conventions"],
    "a page for a browser": ["conventions", "--output", "html"],
    "an option of another command": ["--match", "exact"],
    "standard input": ["-"],
}


@pytest.mark.parametrize("case", CALLS)
def test_a_wrong_call_is_an_error(case: str) -> None:
    result = run("docs", *CALLS[case], code=2)
    assert "error: " in result.stderr
    assert not result.stdout


@pytest.mark.parametrize(("more", "is_table"), [(0, True), (1, False)])
def test_a_table_may_be_as_wide_as_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: int, *, is_table: bool
) -> None:
    long = "y" * (WIDTH - 5 + more)
    (tmp_path / "index.md").write_text(
        f"# Page\n\n| a | b |\n|---|---|\n| xxx | {long} |\n"
    )
    monkeypatch.setattr(docs, "_home", lambda: tmp_path)
    shown = render(page_report("index"))
    assert (f"\nxxx  {long}" in shown) == is_table
    assert ("\na: xxx\n    b:" in shown) != is_table

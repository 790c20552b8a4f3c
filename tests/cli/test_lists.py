"""`scoref formats`, `metrics` and `schemes`: everything is listed, with a page."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from scoref.cli import COMMANDS, _options, command
from scoref.formats import FORMATS
from scoref.metrics import ALL_NAMES, VARIANTS, metrics_of
from scoref.reports.clusterings import EVERY
from scoref.reports.lists import LISTS
from scoref.scheme import SCHEMES, Scheme

ROOT = Path(__file__).parents[2]
NAMES = {
    "formats": [*FORMATS],
    "metrics": list(dict.fromkeys((*ALL_NAMES, *VARIANTS, *EVERY))),
    "schemes": [*SCHEMES],
}

every_list = pytest.mark.parametrize("name", LISTS)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def lines_of(name: str) -> list[str]:
    result = run(name)
    assert result.exit_code == 0, result.output
    return [line for line in result.stdout.splitlines() if "docs/" in line]


@every_list
def test_everything_has_a_line_of_its_own(name: str) -> None:
    assert [line.split()[0] for line in lines_of(name)] == NAMES[name]


@every_list
def test_every_link_leads_to_a_page(name: str) -> None:
    links = [line.split()[-1] for line in lines_of(name)]
    assert [link for link in links if not (ROOT / link).is_file()] == []


@every_list
def test_every_line_says_something_and_is_aligned(name: str) -> None:
    entries = LISTS[name]()
    assert all(each.text.strip() == each.text != "" for each in entries)
    places = {line.index("docs/") for line in lines_of(name)}
    assert len(places) == 1


@every_list
def test_json_has_the_same(name: str) -> None:
    written = json.loads(run(name, "--output", "json").stdout)
    assert [each["name"] for each in written] == NAMES[name]
    shown = [f"{each['text']} {each['link']}" for each in written]
    lines = [" ".join(line.split()) for line in lines_of(name)]
    assert all(line.endswith(text) for line, text in zip(lines, shown, strict=True))


def test_metrics_say_who_is_behind_them() -> None:
    written = json.loads(run("metrics", "--output", "json").stdout)
    found = {each["name"]: each.get("reference") for each in written}
    for name, metric in metrics_of(Scheme()).items():
        assert found[name] == metric.reference


def test_metrics_are_sorted_by_who_gets_them() -> None:
    headings = [
        line for line in run("metrics").stdout.splitlines() if line.endswith(":")
    ]
    assert headings == [
        "computed by default, where a format has them:",
        "only by name (--metrics NAME):",
        "only for tables (scoref table):",
    ]


def test_schemes_say_to_programs_what_they_choose() -> None:
    for each in json.loads(run("schemes", "--output", "json").stdout):
        fields = dataclasses.asdict(SCHEMES[each["name"]])
        assert {**dict.fromkeys(fields), **each["choices"]} == fields


def test_schemes_that_are_the_same_are_said_to_be() -> None:
    texts = {each.name: each.text for each in LISTS["schemes"]()}
    for name, text in texts.items():
        if text.startswith("the same as "):
            assert SCHEMES[name] == SCHEMES[text.removeprefix("the same as ")]


def test_the_help_text_names_the_same_metrics_and_formats() -> None:
    assert _options.METRICS.split(", ") == [*ALL_NAMES]
    assert _options.VARIANTS.split(", ") == [*VARIANTS]
    assert [*_options.FORMATS] == [*FORMATS]


def test_schemes_are_listed_without_a_numerical_library() -> None:
    code = (
        "import sys; from scoref.cli import command; "
        "command(['schemes'], standalone_mode=False); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    )
    assert not {"numpy", "scipy", "msgspec"} & set(done.stdout.split())


def test_the_help_text_lists_every_command_below_its_options() -> None:
    lines = run("-h").stdout.splitlines()
    listed = lines[lines.index("Commands:") + 1 :]
    names = [line.split()[0] for line in listed if line[2:3].strip()]
    assert names[: len(COMMANDS)] == [*COMMANDS]
    assert lines.index("Commands:") > lines.index("Options:")


def test_the_page_about_commands_names_each_of_them() -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"`scoref {name}`" not in text] == []


@pytest.mark.parametrize("name", LISTS)
def test_a_list_takes_no_files(name: str) -> None:
    result = run(name, "key.conll")
    assert result.exit_code == 2
    assert f" {name} [OPTIONS]\n" in result.stderr

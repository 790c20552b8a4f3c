"""The manual page: it is what the commands say today, and every `man` can show it."""

from __future__ import annotations

import re
import shutil
import subprocess

import click
import pytest

from places import ROOT
from scoref.cli import COMMANDS, command, load
from scoref.cli.man import page

PAGE = ROOT / "share" / "man" / "man1" / "scoref.1"


def plain(text: str) -> str:
    """Undo what is special to roff."""
    return re.sub(r"\\f[BRI]|\\[%:&]", "", text).replace(r"\-", "-")


def test_the_page_is_what_the_commands_say() -> None:
    hint = "`python -m scoref.cli.man > share/man/man1/scoref.1` writes it anew"
    assert PAGE.read_text(encoding="ascii") == page(), hint


def test_every_command_has_a_section() -> None:
    sections = re.findall(r"^\.SS scoref (\S+)$", page(), re.MULTILINE)
    assert sections == [*COMMANDS]


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_every_option_is_on_the_page(name: str) -> None:
    each = load(name) if name else command
    begin, end = (f".SS scoref {name}\n", ".S") if name else (".SH OPTIONS\n", ".SH")
    section = page().partition(begin)[2].partition(f"\n{end}")[0]
    words = re.findall(r"--[a-z][a-z-]*", plain(section))
    options = [each for each in each.params if isinstance(each, click.Option)]
    assert {opt for each in options for opt in each.opts if opt[:2] == "--"} <= {*words}


def test_exit_codes_are_a_list() -> None:
    section = page().partition(".SH EXIT STATUS\n")[2].partition("\n.SH")[0]
    assert plain(section).splitlines() == [
        *(".TP", ".B 0", "fine", ".TP", ".B 1", "bad input"),
        *(".TP", ".B 2", "bad usage", ".TP", ".B 3", "below --fail-under"),
    ]


def test_no_line_is_taken_for_a_request_by_mistake() -> None:
    known = {"TH", "SH", "SS", "PP", "TP", "B", "br", "nf", "fi", "RS", "RE", "ad"}
    requests = re.findall(r"^[.\'](\S*)", page(), re.MULTILINE)
    assert {*requests} <= known


def test_nothing_but_ascii_is_on_the_page() -> None:
    assert page().isascii()


def test_groff_has_nothing_to_complain_about() -> None:
    groff = shutil.which("groff")
    if groff is None:
        pytest.skip("there is no groff here")
    done = subprocess.run(
        [groff, "-man", "-ww", "-Tutf8"],
        input=page(),
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert done.stderr == ""
    assert "score coreference resolution" in done.stdout

"""The manual page: it is what the commands say today, and every `man` can show it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import click
import pytest

from scoref.cli import COMMANDS, VARIANTS, load
from scoref.cli.man import DROPINS, page, pages

every_page = pytest.mark.parametrize("name", pages())


def plain(text: str) -> str:
    """Undo what is special to roff."""
    return re.sub(r"\\f[BRI]|\\[%:&]", "", text).replace(r"\-", "-")


@every_page
def test_all_that_is_typed_is_explained(name: str) -> None:
    texts = re.findall(r"^\.TP\n.+\n(.*)$", pages()[name](), re.MULTILINE)
    assert texts
    assert not [text for text in texts if text.startswith(("None", "."))]


@pytest.mark.parametrize("name", ["scoref-corefud", "scoref-ua"])
def test_every_option_of_a_drop_in_is_on_its_page(name: str) -> None:
    program = f"from {DROPINS[name]} import main; main()"
    shown = subprocess.run(
        [sys.executable, "-c", program, "-h"],
        capture_output=True,
        text=True,
        check=True,
    )
    options = re.findall(r"--[a-z][a-z-]*", shown.stdout)
    assert options
    assert {*options} <= {*re.findall(r"--[a-z][a-z-]*", plain(pages()[name]()))}


def test_every_command_has_a_section() -> None:
    sections = re.findall(r"^\.SS scoref (.+)$", plain(page()), re.MULTILINE)
    variants = {f"{name} {flag}" for name, flag in VARIANTS}
    assert [each for each in sections if each not in variants] == [*COMMANDS]
    assert variants <= {*sections}


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_every_option_is_on_the_page(name: str) -> None:
    each = load(name or "score")
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


@every_page
def test_no_line_is_taken_for_a_request_by_mistake(name: str) -> None:
    known = {"TH", "SH", "SS", "PP", "TP", "B", "br", "nf", "fi", "RS", "RE", "ad"}
    requests = re.findall(r"^[.\'](\S*)", pages()[name](), re.MULTILINE)
    assert {*requests} <= known


@every_page
def test_nothing_but_ascii_is_on_a_page(name: str) -> None:
    page = pages()[name]()
    assert page.isascii()
    assert page.replace("\n", "").isprintable()


@every_page
def test_groff_has_nothing_to_complain_about(name: str) -> None:
    groff = shutil.which("groff")
    if groff is None:
        pytest.skip("there is no groff here")
    done = subprocess.run(
        [groff, "-man", "-ww", "-Tutf8"],
        input=pages()[name](),
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert done.stderr == ""
    assert f"{name} - " in done.stdout


def test_pages_are_written_without_the_libraries_that_scoring_needs() -> None:
    # A wheel is built in an environment that has only hatchling and click.
    blocked = "dict.fromkeys(('numpy', 'scipy', 'msgspec'))"
    program = (
        f"import sys; sys.modules.update({blocked})\n"
        "from scoref.cli.man import pages\n"
        "print(*(len(write()) > 500 for write in pages().values()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert done.stdout.split() == ["True"] * len(pages())

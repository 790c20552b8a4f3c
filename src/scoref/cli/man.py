"""The manual pages, made from the commands: `python -m scoref.cli.man [NAME]`.

Without a NAME, it prints the page of `scoref`; otherwise that of another command, such
as `scoref-conll`. Pages are roff in plain ASCII with the macros of man(7), which every
`man` can show.
"""

from __future__ import annotations

import re
import sys
from functools import partial
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING

import click

from scoref._version import __version__
from scoref.cli import COMMANDS, VARIANTS, load
from scoref.cli.options import command
from scoref.terminal.help import Command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Record = tuple[str, str]


_OPTION = re.compile(r"(?<![\w|-])--?[a-z][a-z-]*")


def roff_title(name: str, text: str) -> list[str]:
    """Write the title of a page, and its subject in a line."""
    return [
        f'.TH {name.upper()} 1 "" "scoref {roff_escape(__version__)}" "User Commands"',
        ".ad l",
        *roff_section("NAME", [rf"{name} \- {roff_escape(text)}"]),
    ]


def roff_section(heading: str, lines: Iterable[str]) -> list[str]:
    """Write a section."""
    return [f".SH {heading}", *lines]


def roff_paragraphs(texts: Iterable[str]) -> Iterator[str]:
    """Write paragraphs."""
    for text in texts:
        yield ".PP"
        if text.startswith("\b"):  # lines that click leaves as they are
            yield ".nf"
            yield from map(roff_escape, text.split("\n")[1:])
            yield ".fi"
        else:
            yield roff_text(" ".join(text.split()))


def roff_options(records: Iterable[Record]) -> Iterator[str]:
    """Write a list of options, each with its text."""
    for names, text in records:
        yield ".TP"
        yield roff_text(names)
        yield roff_text(text)


def roff_text(text: str) -> str:
    """Escape a text, and set options in bold without line breaks."""
    marked, place = "", 0
    for option in _OPTION.finditer(text):
        marked += roff_escape(text[place : option.start()])
        marked += rf"\fB\%{roff_escape(option[0])}\fR"
        place = option.end()
    return _protect(marked + roff_escape(text[place:]))


def roff_escape(text: str) -> str:
    """Escape characters that are special in roff or not ASCII."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    # A line may be broken between choices.
    text = text.replace("|", r"|\:")
    ascii_only = (each if each.isascii() else rf"\[u{ord(each):04X}]" for each in text)
    return _protect("".join(ascii_only))


def _protect(line: str) -> str:
    """Escape a line that roff would take for a request."""
    return rf"\&{line}" if line.startswith((".", "'")) else line


_NAME = "scoref"

_COMMAND = (f".B {_NAME}", r"\fICOMMAND\fR [OPTIONS] ...")

_OTHERS = (
    "scoref-conll(1), scoref-corefud(1) and scoref-ua(1) take the words of the "
    "official scorers and print their digits."
)

DROPINS = {
    "scoref-conll": "scoref.dropins.conll",
    "scoref-corefud": "scoref.dropins.corefud",
    "scoref-ua": "scoref.dropins.ua",
}
"""The modules of the other commands, whose docstrings are their pages."""


def pages() -> dict[str, Callable[[], str]]:
    """Return the function that writes each page, by the name of its command."""
    return {_NAME: page} | {name: partial(_dropin_page, name) for name in DROPINS}


def page() -> str:
    """Write the page of `scoref`."""
    *texts, codes = _texts(command)
    lines = [
        *roff_title(_NAME, "score coreference resolution"),
        *roff_section("SYNOPSIS", [*_usage(command, _NAME), ".br", *_COMMAND]),
        *roff_section("DESCRIPTION", roff_paragraphs(texts)),
        *roff_section("OPTIONS", _option_groups()),
        *roff_section("COMMANDS", _commands()),
        *roff_section("EXIT STATUS", _exit_codes(codes)),
        *roff_section("EXAMPLES", _examples(command)),
        *roff_section("SEE ALSO", roff_paragraphs([_OTHERS])),
    ]
    return "\n".join(lines) + "\n"


def _usage(each: click.Command, name: str) -> list[str]:
    pieces = " ".join(each.collect_usage_pieces(_context(each, name)))
    return [rf".B {roff_escape(name)}", roff_escape(pieces)]


def _context(each: click.Command, name: str) -> click.Context:
    return click.Context(each, info_name=name, **each.context_settings)


def _texts(each: click.Command) -> list[str]:
    """Return the paragraphs of a help text."""
    return cleandoc(each.help or "").split("\f")[0].split("\n\n")


def _option_groups() -> Iterator[str]:
    """Write options by group."""
    context = _context(command, _NAME)
    assert isinstance(command, Command)
    for title, options in command.grouped(context).items():
        yield f".SS {title}"
        yield from roff_options(_records_of(options, context))


def _records(each: click.Command) -> list[Record]:
    """List options, each with its help text."""
    context = _context(each, _NAME)
    params = each.get_params(context)
    return _records_of(
        [option for option in params if isinstance(option, click.Option)], context
    )


def _records_of(
    options: Iterable[click.Option], context: click.Context
) -> list[Record]:
    found = [option.get_help_record(context) for option in options]
    return [(names, " ".join(text.split())) for names, text in filter(None, found)]


def _commands() -> Iterator[str]:
    """Describe each command, with the options that `scoref` does not have."""
    known = _records(command)
    for name in COMMANDS:
        yield from _command(name, load(name), known)
        for (command_name, flag), variant in VARIANTS.items():
            if command_name == name:
                yield from _command(f"{name} {flag}", load(variant), known)


def _command(name: str, each: click.Command, known: list[Record]) -> Iterator[str]:
    yield f".SS {_NAME} {roff_escape(name)}"
    yield from _usage(each, f"{_NAME} {name}")
    yield from roff_paragraphs(_texts(each))
    records = _records(each)
    yield from roff_options(record for record in records if record not in known)
    shared = ", ".join(
        next(word.rstrip(",") for word in names.split() if word.startswith("--"))
        for names, _ in filter(known.__contains__, records)
    )
    yield from roff_paragraphs([f"As above: {shared}."] if shared else [])
    if name != "score":  # its own are those of `scoref`
        yield from _examples(each)


def _exit_codes(text: str) -> Iterator[str]:
    """Make a list of the sentence about exit codes in the help text."""
    codes = " ".join(text.split()).removeprefix("Exit codes: ").rstrip(".")
    for code in codes.split(", "):
        number, _, meaning = code.partition(" ")
        yield from (".TP", f".B {number}", roff_text(meaning))


def _examples(each: click.Command) -> Iterator[str]:
    assert isinstance(each, Command)
    for line, text in each.examples.items():
        yield from (".PP", roff_escape(text), ".PP", ".nf", ".RS")
        yield from (rf"\fB{roff_escape(line)}\fR", ".RE", ".fi")


def _dropin_page(name: str) -> str:
    """Write the page of a drop-in."""
    module = import_module(DROPINS[name])
    first, usage, *texts = cleandoc(module.__doc__ or "").split("\n\n")
    words = " ".join(usage.split()).removeprefix(f"{name} ")
    lines = [
        *roff_title(name, first.partition(": ")[2].rstrip(".")),
        *roff_section("SYNOPSIS", [f".B {roff_escape(name)}", roff_escape(words)]),
        *roff_section("DESCRIPTION", roff_paragraphs(texts)),
        *roff_section("OPTIONS", roff_options(module.records())),
        *roff_section("SEE ALSO", roff_paragraphs(["scoref(1)"])),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (page_name,) = sys.argv[1:] or [_NAME]
    click.echo(pages()[page_name](), nl=False)

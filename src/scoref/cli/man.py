"""The manual page, made from the commands: `python -m scoref.cli.man`.

With the name of another command behind it, that one's page is made.
"""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING

import click

from scoref.cli import COMMANDS, command, load, roff
from scoref.terminal.help import Command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scoref.cli.roff import Record

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
"""Where each other command is, whose module says what its page says."""


def pages() -> dict[str, Callable[[], str]]:
    """Say how each page is written, by the name of its command."""
    return {_NAME: page} | {name: partial(_dropin_page, name) for name in DROPINS}


def page() -> str:
    """Write the page."""
    *texts, codes = _texts(command)
    lines = [
        *roff.title(_NAME, "score coreference resolution"),
        *roff.section("SYNOPSIS", [*_usage(command, _NAME), ".br", *_COMMAND]),
        *roff.section("DESCRIPTION", roff.paragraphs(texts)),
        *roff.section("OPTIONS", _groups()),
        *roff.section("COMMANDS", _commands()),
        *roff.section("EXIT STATUS", _exit_codes(codes)),
        *roff.section("EXAMPLES", _examples(command)),
        *roff.section("SEE ALSO", roff.paragraphs([_OTHERS])),
    ]
    return "\n".join(lines) + "\n"


def _usage(each: click.Command, name: str) -> list[str]:
    pieces = " ".join(each.collect_usage_pieces(_context(each, name)))
    return [rf".B {roff.escaped(name)}", roff.escaped(pieces)]


def _context(each: click.Command, name: str) -> click.Context:
    return click.Context(each, info_name=name, **each.context_settings)


def _texts(each: click.Command) -> list[str]:
    """Give the paragraphs of a help text."""
    return cleandoc(each.help or "").split("\f")[0].split("\n\n")


def _groups() -> Iterator[str]:
    """Write options by what they are about."""
    context = _context(command, _NAME)
    assert isinstance(command, Command)  # noqa: S101 - all of them are
    for title, options in command.grouped(context).items():
        yield f".SS {title}"
        yield from roff.options(_records_of(options, context))


def _records(each: click.Command) -> list[Record]:
    """List options as they are written, each with its help text."""
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
    """Write of each command what the others have not."""
    known = _records(command)
    for name in COMMANDS:
        each = load(name)
        yield f".SS {_NAME} {name}"
        yield from _usage(each, f"{_NAME} {name}")
        yield from roff.paragraphs(_texts(each))
        records = _records(each)
        yield from roff.options(record for record in records if record not in known)
        again = [names.split()[0] for names, _ in filter(known.__contains__, records)]
        shared = ", ".join(name for name in again if name.startswith("--"))
        yield from roff.paragraphs([f"As above: {shared}."] if shared else [])
        if name != "score":  # its own are those of `scoref`
            yield from _examples(each)


def _exit_codes(text: str) -> Iterator[str]:
    """Make a list of what is one sentence in the help text."""
    codes = " ".join(text.split()).removeprefix("Exit codes: ").rstrip(".")
    for code in codes.split(", "):
        number, _, meaning = code.partition(" ")
        yield from (".TP", f".B {number}", roff.marked(meaning))


def _examples(each: click.Command) -> Iterator[str]:
    assert isinstance(each, Command)  # noqa: S101 - all of them are
    for line, text in each.examples.items():
        yield from (".PP", roff.escaped(text), ".PP", ".nf", ".RS")
        yield from (rf"\fB{roff.escaped(line)}\fR", ".RE", ".fi")


def _dropin_page(name: str) -> str:
    """Write the page of a drop-in."""
    module = import_module(DROPINS[name])
    first, usage, *texts = cleandoc(module.__doc__ or "").split("\n\n")
    lines = [
        *roff.title(name, first.partition(": ")[2].rstrip(".")),
        *roff.section("SYNOPSIS", _dropin_usage(name, usage)),
        *roff.section("DESCRIPTION", roff.paragraphs(texts)),
        *roff.section("OPTIONS", roff.options(module.records())),
        *roff.section("SEE ALSO", roff.paragraphs(["scoref(1)"])),
    ]
    return "\n".join(lines) + "\n"


def _dropin_usage(name: str, usage: str) -> list[str]:
    words = " ".join(usage.split()).removeprefix(f"{name} ")
    return [f".B {roff.escaped(name)}", roff.escaped(words)]


if __name__ == "__main__":
    (wanted,) = sys.argv[1:] or [_NAME]
    click.echo(pages()[wanted](), nl=False)

"""The manual page, made from the commands: `python -m scoref.cli.man`.

It is plain ASCII in the macros of man(7), so that every `man` can show it.
"""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import TYPE_CHECKING

import click

from scoref._version import __version__
from scoref.cli import COMMANDS, command, load
from scoref.terminal.help import Command

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Record = tuple[str, str]

_NAME = "scoref"
_OPTION = re.compile(r"(?<![\w|-])--?[a-z][a-z-]*")
_COMMAND = (f".B {_NAME}", r"\fICOMMAND\fR [OPTIONS] ...")
_OTHERS = (
    "The commands scoref-conll, scoref-corefud and scoref-ua take the words of the "
    "official scorers and print their digits; -h tells more about each of them."
)


def page() -> str:
    """Write the page."""
    *texts, codes = _texts(command)
    lines = [
        f'.TH SCOREF 1 "" "scoref {_escaped(__version__)}" "User Commands"',
        ".ad l",
        *_section("NAME", [rf"{_NAME} \- score coreference resolution"]),
        *_section("SYNOPSIS", [*_usage(command, _NAME), ".br", *_COMMAND]),
        *_section("DESCRIPTION", _paragraphs(texts)),
        *_section("OPTIONS", _groups()),
        *_section("COMMANDS", _commands()),
        *_section("EXIT STATUS", _exit_codes(codes)),
        *_section("EXAMPLES", _examples(command)),
        *_section("SEE ALSO", _paragraphs([_OTHERS])),
    ]
    return "\n".join(lines) + "\n"


def _section(title: str, lines: Iterable[str]) -> list[str]:
    return [f".SH {title}", *lines]


def _usage(each: click.Command, name: str) -> list[str]:
    pieces = " ".join(each.collect_usage_pieces(_context(each, name)))
    return [rf".B {_escaped(name)}", _escaped(pieces)]


def _context(each: click.Command, name: str) -> click.Context:
    return click.Context(each, info_name=name, **each.context_settings)


def _texts(each: click.Command) -> list[str]:
    """Give the paragraphs of a help text."""
    return cleandoc(each.help or "").split("\f")[0].split("\n\n")


def _paragraphs(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield ".PP"
        if text.startswith("\b"):  # lines that click leaves as they are
            yield ".nf"
            yield from map(_escaped, text.split("\n")[1:])
            yield ".fi"
        else:
            yield _marked(" ".join(text.split()))


def _groups() -> Iterator[str]:
    """Write options by what they are about."""
    context = _context(command, _NAME)
    assert isinstance(command, Command)  # noqa: S101 - all of them are
    for title, options in command.grouped(context).items():
        yield f".SS {title}"
        yield from _options(_records_of(options, context))


def _options(records: Iterable[Record]) -> Iterator[str]:
    for names, text in records:
        yield ".TP"
        yield _marked(names)
        yield _marked(text)


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
        yield from _paragraphs(_texts(each))
        records = _records(each)
        yield from _options(record for record in records if record not in known)
        again = [names.split()[0] for names, _ in filter(known.__contains__, records)]
        shared = ", ".join(name for name in again if name.startswith("--"))
        yield from _paragraphs([f"As above: {shared}."] if shared else [])
        if name != "score":  # its own are those of `scoref`
            yield from _examples(each)


def _exit_codes(text: str) -> Iterator[str]:
    """Make a list of what is one sentence in the help text."""
    codes = " ".join(text.split()).removeprefix("Exit codes: ").rstrip(".")
    for code in codes.split(", "):
        number, _, meaning = code.partition(" ")
        yield from (".TP", f".B {number}", _marked(meaning))


def _examples(each: click.Command) -> Iterator[str]:
    assert isinstance(each, Command)  # noqa: S101 - all of them are
    for line, text in each.examples.items():
        yield from (".PP", _escaped(text), ".PP", ".nf", ".RS")
        yield from (rf"\fB{_escaped(line)}\fR", ".RE", ".fi")


def _marked(text: str) -> str:
    """Escape a text, and set options in bold, never broken."""
    marked, place = "", 0
    for option in _OPTION.finditer(text):
        marked += _escaped(text[place : option.start()])
        marked += rf"\fB\%{_escaped(option[0])}\fR"
        place = option.end()
    return _protected(marked + _escaped(text[place:]))


def _escaped(text: str) -> str:
    """Write what is special to roff, and what is not ASCII, in its own way."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    # A line may be broken between choices.
    text = text.replace("|", r"|\:")
    ascii_only = (each if each.isascii() else rf"\[u{ord(each):04X}]" for each in text)
    return _protected("".join(ascii_only))


def _protected(line: str) -> str:
    """Keep a line from being taken for a request."""
    return rf"\&{line}" if line.startswith((".", "'")) else line


if __name__ == "__main__":
    click.echo(page(), nl=False)

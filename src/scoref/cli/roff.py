"""The parts of a manual page, as roff: plain ASCII in the macros of man(7).

Every `man` can show it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoref._version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Record = tuple[str, str]

_OPTION = re.compile(r"(?<![\w|-])--?[a-z][a-z-]*")


def title(name: str, text: str) -> list[str]:
    """Write how a page begins: what it is about, in a line."""
    return [
        f'.TH {name.upper()} 1 "" "scoref {escaped(__version__)}" "User Commands"',
        ".ad l",
        *section("NAME", [rf"{name} \- {escaped(text)}"]),
    ]


def section(heading: str, lines: Iterable[str]) -> list[str]:
    """Write a section."""
    return [f".SH {heading}", *lines]


def paragraphs(texts: Iterable[str]) -> Iterator[str]:
    """Write paragraphs."""
    for text in texts:
        yield ".PP"
        if text.startswith("\b"):  # lines that click leaves as they are
            yield ".nf"
            yield from map(escaped, text.split("\n")[1:])
            yield ".fi"
        else:
            yield marked(" ".join(text.split()))


def options(records: Iterable[Record]) -> Iterator[str]:
    """Write a list of what is typed, and what it does."""
    for names, text in records:
        yield ".TP"
        yield marked(names)
        yield marked(text)


def marked(text: str) -> str:
    """Escape a text, and set options in bold, never broken."""
    marked, place = "", 0
    for option in _OPTION.finditer(text):
        marked += escaped(text[place : option.start()])
        marked += rf"\fB\%{escaped(option[0])}\fR"
        place = option.end()
    return _protected(marked + escaped(text[place:]))


def escaped(text: str) -> str:
    """Write what is special to roff, and what is not ASCII, in its own way."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    # A line may be broken between choices.
    text = text.replace("|", r"|\:")
    ascii_only = (each if each.isascii() else rf"\[u{ord(each):04X}]" for each in text)
    return _protected("".join(ascii_only))


def _protected(line: str) -> str:
    """Keep a line from being taken for a request."""
    return rf"\&{line}" if line.startswith((".", "'")) else line

"""Everything that commands print, on its way to the terminal."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from scoref.printable import called, printable, printable_lines
from scoref.writing import standard_output, write_standard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Show = Callable[[str, float], None]

_WIDTH = 79


def has_colours() -> bool:
    """Tell whether a terminal may get colours: https://no-color.org asks not to."""
    return not os.environ.get("NO_COLOR") and not _is_dumb()


def _is_dumb() -> bool:
    return os.environ.get("TERM") == "dumb"


@contextmanager
def progress() -> Iterator[Show | None]:
    """Say how far it is, on a terminal that can, and wipe it out at the end."""
    if sys.stderr is None or not sys.stderr.isatty() or _is_dumb():
        yield None
        return

    # Who wants no colours may not want other sequences, either.
    wipe = "\r\x1b[K" if has_colours() else f"\r{' ' * _WIDTH}\r"

    def show(step: str, share: float) -> None:
        text = f"{share:4.0%}  {printable(step)} …"[:_WIDTH]
        click.echo(f"{wipe}{text}", err=True, nl=False, color=True)

    try:
        yield show
    finally:
        click.echo(wipe, err=True, nl=False, color=True)


def tell(
    text: str, *, err: bool = False, styled: Callable[[str], str] | None = None
) -> None:
    """Print text for people, in which nothing steers a terminal but our own styles."""
    shown = printable_lines(text)
    stream = None if err else standard_output()
    # `click.echo` drops colours where nobody sees them.
    click.echo(styled(shown) if styled else shown, file=stream, err=err)


def print_report(report: str, output: str) -> None:
    """Print a report; the header of one for people stands out.

    CSV is data, which only a terminal does not get as they are.
    """
    if output == "csv":
        write_standard(f"{report}\n".encode("utf-8", "surrogateescape"))
    else:
        tell(report, styled=_with_header if output == "text" else None)


def print_notes(messages: Iterable[str]) -> None:
    """Tell what was noted, once, beside an output that has no room for it."""
    for message in dict.fromkeys(messages):
        tell(called(printable(message)), err=True)


def print_failures(messages: Iterable[str]) -> None:
    """Tell what is wrong with some of many files, with the lines of each error."""
    for message in dict.fromkeys(messages):
        tell(f"note: {message}", err=True)


def _with_header(report: str) -> str:
    header, newline, rest = report.partition("\n")
    return click.style(header, bold=True) + newline + rest

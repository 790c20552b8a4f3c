"""Reports and notes on their way to the terminal."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

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
    if not sys.stderr.isatty() or _is_dumb():
        yield None
        return

    # Who wants no colours may not want other sequences, either.
    wipe = "\r\x1b[K" if has_colours() else f"\r{' ' * _WIDTH}\r"

    def show(step: str, share: float) -> None:
        text = f"{share:4.0%}  {step} …"[:_WIDTH]
        click.echo(f"{wipe}{text}", err=True, nl=False, color=True)

    try:
        yield show
    finally:
        click.echo(wipe, err=True, nl=False, color=True)


def print_report(report: str, output: str) -> None:
    """Print a report; the header of one for people stands out."""
    if output == "text":
        header, newline, rest = report.partition("\n")
        # `click.echo` drops colours where nobody sees them.
        report = click.style(header, bold=True) + newline + rest
    click.echo(report)


def print_notes(messages: Iterable[str]) -> None:
    """Tell what was noted, once, beside an output that has no room for it."""
    for message in dict.fromkeys(messages):
        click.echo(f"note: {message}", err=True)

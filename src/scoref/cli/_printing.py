"""Reports and notes on their way to the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable


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

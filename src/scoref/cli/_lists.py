"""What the commands that print a list have in common."""

from __future__ import annotations

import click

from scoref.cli._running import refusing


def listing(name: str, text: str) -> click.Command:
    """Make the command that prints a list."""

    @click.command(
        name, help=text, context_settings={"help_option_names": ["-h", "--help"]}
    )
    @click.option(
        "--output",
        type=click.Choice(("text", "json")),
        default="text",
        show_default=True,
        help="Lines for people, or a list for programs.",
    )
    def command(output: str) -> None:
        with refusing():
            from scoref.reports.lists import render_list  # noqa: PLC0415 - loads NumPy

            click.echo(render_list(name, output))

    return command

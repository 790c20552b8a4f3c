"""What the commands that print a list have in common."""

from __future__ import annotations

import click

from scoref.cli._completing import names_in
from scoref.cli._help import Command
from scoref.cli._printing import tell
from scoref.cli._running import refusing


def listing(name: str, text: str, examples: dict[str, str]) -> click.Command:
    """Make the command that prints a list, or what there is to say of one entry."""

    @click.command(name, cls=Command, help=text, examples=examples)
    @click.argument("entry", metavar="[NAME]", required=False, shell_complete=names_in)
    @click.option(
        "--output",
        type=click.Choice(("text", "json")),
        default="text",
        show_default=True,
        help="Lines for people, or a list for programs.",
    )
    def command(entry: str | None, output: str) -> None:
        with refusing():
            from scoref.reports.lists import (  # noqa: PLC0415 - loads NumPy
                render_entry,
                render_list,
            )

            if entry is None:
                tell(render_list(name, output))
            else:
                tell(render_entry(name, entry, output))

    return command

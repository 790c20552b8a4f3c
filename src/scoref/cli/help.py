"""The command `scoref help`: what a command takes."""

from __future__ import annotations

import click

from scoref.cli import COMMANDS, load
from scoref.cli import command as scoref
from scoref.errors import unknown
from scoref.terminal.completing import one_of
from scoref.terminal.help import Command
from scoref.terminal.printing import tell


@click.command(
    cls=Command,
    examples={
        "scoref help compare": "Tell what `scoref compare` takes.",
    },
)
@click.argument(
    "name",
    metavar="[COMMAND]",
    required=False,
    shell_complete=one_of("scoref.cli", "COMMANDS"),
)
def command(name: str | None) -> None:
    """Tell what a COMMAND takes; without one, what `scoref` takes."""
    if name is not None and name not in COMMANDS:
        raise click.UsageError(str(unknown("command", name, COMMANDS)))
    asked = scoref if name is None else load(name)
    called = "scoref" if name is None else f"scoref {name}"
    with click.Context(asked, info_name=called, **asked.context_settings) as context:
        tell(asked.get_help(context))

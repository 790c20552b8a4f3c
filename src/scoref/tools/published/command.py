"""The command `scoref published`: results from the literature."""

from __future__ import annotations

import click

from scoref.terminal.help import Command
from scoref.terminal.options import OUTPUTS
from scoref.terminal.printing import print_report, tell
from scoref.terminal.running import refusing


@click.command(
    cls=Command,
    examples={
        "scoref published": "List the tables.",
        "scoref published conll-2012-english": "Show one of them.",
    },
)
@click.argument("name", required=False)
@click.option("--output", type=click.Choice(OUTPUTS), default="text", show_default=True)
def command(name: str | None, output: str) -> None:
    """Show a table of published results; without a NAME, list the tables."""
    with refusing():
        from scoref.tools.published import names, table  # noqa: PLC0415 - data

        if name is None:
            width = max(map(len, names()))
            for each, text in names().items():
                tell(f"{each.ljust(width)}  {text}")
            return
        from scoref.tools.published.rendering import render_published  # noqa: PLC0415

        print_report(render_published(table(name), output), output)

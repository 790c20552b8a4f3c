"""The command `scoref published`: results from the literature."""

from __future__ import annotations

import click

from scoref.render import OUTPUTS
from scoref.terminal.help import Command
from scoref.terminal.printing import print_report
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
        from scoref.tools.published.rendering import (  # noqa: PLC0415
            published_report,
            tables_report,
        )

        if name is None:
            print_report(tables_report([table(each) for each in names()]), output)
        else:
            print_report(published_report(table(name)), output)

"""The command `scoref docs`: the documentation, wherever scoref is installed."""

from __future__ import annotations

import click

from scoref.terminal.completing import one_of
from scoref.terminal.help import Command
from scoref.terminal.printing import tell
from scoref.terminal.running import refusing


@click.command(
    cls=Command,
    examples={
        "scoref docs": "List the pages.",
        "scoref docs conventions": "Read one.",
        "scoref docs metrics/muc --output markdown": "Have it as it is written.",
    },
)
@click.argument(
    "page",
    metavar="[PAGE]",
    required=False,
    shell_complete=one_of("scoref.tools.docs.rendering", "titles"),
)
@click.option(
    "--output",
    type=click.Choice(("text", "markdown")),
    default="text",
    show_default=True,
    help="Lines that fit a terminal, or the page as it is written.",
)
def command(page: str | None, output: str) -> None:
    """Show a PAGE of the documentation; without one, list the pages."""
    with refusing():
        from scoref.tools.docs.rendering import (  # noqa: PLC0415 - after the options
            page_text,
            render_page,
            render_titles,
        )

        if page is None:
            tell(render_titles())
        elif output == "markdown":
            tell(page_text(page).removesuffix("\n"))
        else:
            tell(render_page(page))

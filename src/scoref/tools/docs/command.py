"""The command `scoref docs`: the documentation, wherever scoref is installed."""

from __future__ import annotations

import click

from scoref.terminal.completing import one_of
from scoref.terminal.help import Command
from scoref.terminal.printing import print_report, tell
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
    type=click.Choice(("text", "markdown", "json")),
    default="text",
    show_default=True,
    help="Lines that fit a terminal, the page as it is written, or that for programs.",
)
def command(page: str | None, output: str) -> None:
    """Show a PAGE of the documentation; without one, list the pages."""
    with refusing():
        from scoref.tools.docs.rendering import (  # noqa: PLC0415 - after the options
            titles_report,
        )

        if page is None:
            print_report(titles_report(), output)
        else:
            print_page(page, output)


def print_page(page: str, output: str) -> None:
    """Print a page: as Markdown it is what it is."""
    from scoref.tools.docs.rendering import page_report, page_text  # noqa: PLC0415

    if output == "markdown":
        tell(page_text(page).removesuffix("\n"))
    else:
        print_report(page_report(page), output)

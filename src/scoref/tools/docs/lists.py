"""The commands `scoref formats`, `scoref metrics` and `scoref schemes`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scoref.render import OUTPUTS
from scoref.terminal.completing import items
from scoref.terminal.help import Command
from scoref.terminal.printing import print_report
from scoref.terminal.running import refusing

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _names_in(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """Complete a name of the list that a command is called by."""
    from scoref.tools.docs.entries import LISTS  # noqa: PLC0415 - a shell asks

    names = [entry.name for entry in LISTS[str(context.command.name)]()]
    return items(names, incomplete)


def _listing(name: str, text: str, examples: dict[str, str]) -> click.Command:
    """Make the command that prints a list, or what there is to say of one entry."""

    @click.command(name, cls=Command, help=text, examples=examples)
    @click.argument("entry", metavar="[NAME]", required=False, shell_complete=_names_in)
    @click.option(
        "--output",
        type=click.Choice(OUTPUTS),
        default="text",
        show_default=True,
        help="Lines for people, or a list for programs.",
    )
    def command(entry: str | None, output: str) -> None:
        with refusing():
            from scoref.tools.docs import entries  # noqa: PLC0415 - after the options
            from scoref.tools.docs.command import print_page  # noqa: PLC0415

            if entry is None:
                print_report(entries.list_report(name), output)
                return
            found = entries.found(name, entry)
            if output in {"text", "markdown"} and found.choices is None:
                print_page(found.link, output)
            else:
                print_report(entries.entry_report(name, entry), output)

    return command


formats = _listing(
    "formats",
    "List the formats that can be read, or show the page about the one of a NAME.",
    {"scoref formats corefud": "Show the page about CorefUD."},
)
metrics = _listing(
    "metrics",
    "List the metrics, with what each one asks, or show the page about the one of a "
    "NAME.",
    {"scoref metrics muc": "Show how MUC is defined."},
)
schemes = _listing(
    "schemes",
    "List the conventions that have a name, or say what the one of a NAME chooses.",
    {"scoref schemes crac-2026": "Say what the shared task of 2026 chose."},
)

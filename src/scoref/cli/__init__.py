"""The command `scoref`: it reads the options and runs a command.

The first word may be the name of a command, such as `compare`; otherwise files are
scored. Options are loaded with their command, and numerical libraries only after the
options have been checked.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from scoref.errors import did_you_mean
from scoref.terminal.help import HELP, Command, with_files
from scoref.terminal.printing import has_colours
from scoref.terminal.running import alike, running

if TYPE_CHECKING:
    from typing import NoReturn

GROUPS = {
    "Score": {
        "score": "Score responses against a key. The word `score` may be omitted.",
        "compare": "Test whether the differences between systems are significant.",
        "explain": "Show why tools report different scores for the same files.",
    },
    "Inspect": {
        "errors": "Count errors by kind, and show what each kind costs.",
        "report": "Write an HTML page with scores, errors and texts.",
        "stats": "Count words, mentions and entities.",
    },
    "Files": {
        "check": "Find problems in files, and repair them.",
        "convert": "Convert a file to another format.",
    },
    "Annotators": {
        "agree": "Measure the agreement between annotators.",
    },
    "Records": {
        "table": "Score clusterings of records, from ten rows to a billion.",
        "estimate": "Estimate the scores of a prediction from a labelled sample.",
        "curve": "Score a linker's pairs at every threshold.",
    },
    "Tasks": {
        "llm": "Score the answers of a language model.",
        "bias": "Measure gender bias with WinoBias or GAP.",
        "leaderboard": "Score a submission for Codabench, or write a bundle for it.",
    },
    "Reference": {
        "metrics": "List the metrics.",
        "formats": "List the input formats.",
        "schemes": "List the named sets of conventions.",
        "published": "List published results to compare with.",
        "conformance": "Test another scorer with a suite of small cases.",
        "data": "Identify a key by its fingerprint.",
        "docs": "Show a page of the documentation.",
        "help": "Show help for a command.",
        "completion": "Print a script for shell completion.",
    },
}
"""The commands by group, as `scoref -h` lists them."""

COMMANDS = {name: text for group in GROUPS.values() for name, text in group.items()}
"""The commands, each with a package of its name in `tools`, except for `_HOMES`."""

VARIANTS = {("bias", "--gap"): "gap", ("compare", "--multiverse"): "multiverse"}
"""Options that run another command, which has options and help of its own."""

UNLISTED = (*VARIANTS.values(), "version")
"""Commands that work but are not listed: former names, and one that people try."""

_HOMES = {
    "completion": ("cli.help", "completion_command"),
    "formats": ("tools.docs", "formats_command"),
    "curve": ("records.curve.command", "command"),
    "data": ("tools.data", "command"),
    "docs": ("tools.docs", "command"),
    "estimate": ("records.estimate.command", "command"),
    "gap": ("tools.bias.command", "gap_command"),
    "help": ("cli.help", "help_command"),
    "metrics": ("tools.docs", "metrics_command"),
    "multiverse": ("tools.compare.multiverse_command", "command"),
    "schemes": ("tools.docs", "schemes_command"),
    "score": ("cli.options", "command"),
    "table": ("records.table.command", "command"),
    "version": ("cli.help", "version_command"),
}
"""Commands in other modules: the module, and the name of the command in it."""

_NEAR = 0.7
COMPLETE = "_SCOREF_COMPLETE"
"""The variable that a shell sets to ask for completions."""


def load(name: str) -> click.Command:
    """Load one of the commands."""
    module, attribute = _HOMES.get(name, (f"tools.{name}.command", "command"))
    loaded: click.Command = getattr(import_module(f"scoref.{module}"), attribute)
    return loaded


def _refuse_misspelt(word: str) -> None:
    """Refuse a word that looks like a misspelt command and is not a file."""
    if os.path.exists(word) or word.startswith("-"):
        return
    if meant := did_you_mean(word, COMMANDS, _NEAR):
        raise click.UsageError(
            f"'{word}' is neither a file nor a command. {meant} See `scoref -h`."
        )


def _run_by(arguments: list[str]) -> tuple[str, str, list[str]] | None:
    """Return how a command is called, its name and its arguments, if there is one.

    >>> _run_by(["bias", "--gap", "gold.tsv", "system.tsv"])
    ('bias --gap', 'gap', ['gold.tsv', 'system.tsv'])
    """
    if not arguments or arguments[0] not in (*COMMANDS, *UNLISTED):
        return None
    name, *rest = arguments
    for (command_name, flag), variant in VARIANTS.items():
        if name == command_name and flag in rest:
            rest.remove(flag)
            return f"{name} {flag}", variant, rest
    return name, name, rest


class ScorefCommand(Command):
    """Lists the commands, runs the one that is the first word, or scores files."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Use the command that is named, or the one that scores."""
        is_shell = extra.get("resilient_parsing")  # it asks how the line can go on
        extra.setdefault("color", None if has_colours() else False)
        if chosen := _run_by(args):
            called, name, rest = chosen
            run = with_files(load(name)) if is_shell else load(name)
            return run.make_context(f"{info_name} {called}", rest, parent, **extra)
        if not is_shell:
            if not args or args[0] in HELP:
                return super().make_context(info_name, [HELP[1]], parent, **extra)
            with alike(parsing="scoref"):
                _refuse_misspelt(args[0])
        return load("score").make_context(info_name, args, parent, **extra)

    def format_help(
        self,
        ctx: click.Context,  # noqa: ARG002 - as click has it
        formatter: click.HelpFormatter,
    ) -> None:
        """List the commands by group; `scoref score -h` lists the options."""
        formatter.write(
            "Usage: scoref [OPTIONS] KEY [RESPONSE]...\n"
            "       scoref COMMAND ...\n\n"
            "  Score coreference and entity resolution as the official scorers do.\n\n"
        )
        width = max(map(len, COMMANDS))
        for title, commands in GROUPS.items():
            formatter.write(f"{title}:\n")
            for name, text in commands.items():
                formatter.write(f"  {name:{width}}  {text}\n")
        formatter.write(
            "\n`scoref score -h` lists the options for scoring, `scoref COMMAND -h` "
            "those of a\ncommand. `scoref -V` shows the version.\n"
        )


command = ScorefCommand("scoref")


def main() -> NoReturn:
    """Run the command, and exit with its code."""
    if COMPLETE in os.environ:
        from scoref.cli.help import prepare  # a shell asks

        prepare()
    with running():
        code = command.main(sys.argv[1:], prog_name="scoref", standalone_mode=False)
    # A command that exits early returns its code.
    sys.exit(code if isinstance(code, int) else 0)

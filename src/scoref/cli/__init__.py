"""The command `scoref`: it reads the options and runs a command.

The first word may be the name of a command, such as `compare`; otherwise files are
scored. Numerical libraries are loaded only after the options have been checked.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from scoref.errors import did_you_mean
from scoref.terminal.help import (
    commands_and_files,
    files,
    one_of,
    several_of,
    with_files,
)
from scoref.terminal.options import (
    LEVEL,
    ScoringCommand,
    chance,
    one_number,
    scoring,
    shown,
    wide,
)
from scoref.terminal.printing import has_colours, print_report
from scoref.terminal.running import OUTPUT, alike, refusing, running

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
    "score": ("cli.score", "command"),
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


class ScorefCommand(ScoringCommand):
    """Scores files, or runs the command that is the first word."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Use the named command; without arguments, show the help."""
        is_shell = extra.get("resilient_parsing")  # it asks how the line can go on
        extra.setdefault("color", None if has_colours() else False)
        if chosen := _run_by(args):
            called, name, rest = chosen
            run = with_files(load(name)) if is_shell else load(name)
            return run.make_context(f"{info_name} {called}", rest, parent, **extra)
        if args and not is_shell:
            with alike(parsing="scoref"):
                _refuse_misspelt(args[0])
        asked = args if args or is_shell else ["--help"]
        return super().make_context(info_name, asked, parent, **extra)

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


@click.command(
    cls=ScorefCommand,
    examples={
        "scoref key.conll response.conll": "Score a system's output.",
        "scoref key.conll a.conll b.conll -m muc": "Score two systems by one metric.",
        "scoref key.conll response.conll --per-document --output json": "Write the "
        "scores of each document as JSON.",
        "scoref key.conll response.conll --fail-under 80": "Fail in CI if CoNLL F₁ "
        "is below 80.",
        "scoref gold/ ours/ theirs/": "Score all datasets of two systems.",
        "scoref key.conll ours=s1.conll,s2.conll,s3.conll": "Score three runs of a "
        "system: mean and standard deviation.",
    },
)
@click.argument("key", shell_complete=commands_and_files(COMMANDS))
@click.argument("responses", metavar="[RESPONSE]...", nargs=-1, shell_complete=files)
@scoring
@click.option("--per-document", is_flag=True, help="Show a row for each document.")
@click.option(
    "--per-entity",
    is_flag=True,
    help="Show a row for each entity: sizes, recall, precision, parts, and what it was "
    "merged with.",
)
@click.option(
    "--sort",
    metavar="WHAT",
    shell_complete=one_of("scoref.scoring.entities", "SORTS"),
    help="For --per-entity: order by document, size, recall, precision, f1, parts, "
    "missed or merged.  [default: document]",
)
@wide
@click.option(
    "--trivial",
    is_flag=True,
    help="Also show trivial systems, such as all singletons and one entity, and the "
    "best score possible with the response's mentions.",
)
@click.option(
    "--by",
    metavar="WHAT",
    shell_complete=one_of("scoref.scoring.slices", "BY"),
    help="Break scores down by document, genre, genre:PATTERN, entity-size, "
    "entity-range, mention-length, mention-type or class; for CorefUD also by upos, "
    "entity-type or distance.",
)
@click.option(
    "--classes",
    metavar="FILE",
    shell_complete=files,
    help="For --by class: a table with the columns document, start, end and class.",
)
@click.option(
    "--window",
    metavar="N",
    shell_complete=one_of("scoref.scoring.windows", "PUBLISHED"),
    help="Also score windows of N tokens as if they were documents. "
    "bookcoref or bookcoref:N cuts windows as the published evaluator "
    "does.",
)
@click.option(
    "--confidence",
    type=LEVEL,
    metavar="[LEVEL]",
    help="Show confidence intervals, by bootstrapping over documents. LEVEL "
    "is a percentage or a fraction; 95 if omitted.",
)
@chance
@click.option(
    "--unit",
    type=click.Choice(("documents", "entities")),
    help="Resample documents, or blocks of entities if there are few "
    "documents.  [default: documents]",
)
@click.option(
    "--columns",
    metavar="LIST",
    shell_complete=several_of("scoref.scoring.datasets", "COLUMNS"),
    help="For folders of CorefUD: columns of the CRAC shared task's table, any of "
    "head, partial, exact and singletons.",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1),
    metavar="N",
    help="For folders: number of datasets to score in parallel.  [default: all cores]",
)
@click.option(
    "--fingerprint",
    is_flag=True,
    help="Add the key's fingerprint to the signature; see `scoref data`.",
)
@shown
@click.option(
    "--beside",
    metavar="NAME",
    shell_complete=one_of("scoref.tools.published", "names"),
    help="Show the response in a table of published results; see `scoref published`.",
)
@click.option(
    "--save",
    type=OUTPUT,
    metavar="FILE",
    help="Save the result for `scoref compare --baseline`.",
)
@click.option(
    "--plot",
    type=OUTPUT,
    metavar="FILE",
    shell_complete=files,
    help="Plot the intervals to a .svg, .png or .html file.",
)
@one_number
@click.option(
    "--signature-help",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, value: _explain_signature(context, value=value),
    help="Explain each field of the signature and exit.",
)
def command(
    key: str,
    responses: tuple[str, ...],
    **options: Any,
) -> None:
    """Score coreference: each RESPONSE against the KEY.

    Formats are detected from the content; `scoref formats` lists them. Files may be
    compressed (.gz, .xz, .bz2, .zst, .zip), and "-" is standard input. One file of JSON
    lines may contain both sides. NAME=RESPONSE gives a system a name. Several runs of a
    system, or the folds of a corpus, are NAME=RESPONSE,RESPONSE,RESPONSE.

    KEY and RESPONSE may be folders or zips with a file for each dataset. The report
    then shows each dataset, each system and the macro average. RESPONSE may also be a
    folder of system folders.

    Exit codes: 0 fine, 1 bad input, 2 bad usage, 3 below --fail-under.
    """
    with refusing():
        from scoref.cli.score import ScoreRun, run

        run(ScoreRun.of(key, responses, options))


def _explain_signature(context: click.Context, *, value: bool) -> None:
    if value:
        from scoref.render.signature import fields_report

        print_report(fields_report(), "text")
        context.exit()


def main() -> NoReturn:
    """Run the command, and exit with its code."""
    if COMPLETE in os.environ:
        from scoref.cli.help import prepare  # a shell asks

        prepare()
    with running():
        code = command.main(sys.argv[1:], prog_name="scoref", standalone_mode=False)
    # A command that exits early returns its code.
    sys.exit(code if isinstance(code, int) else 0)

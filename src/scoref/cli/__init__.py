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

from scoref._version import __version__
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
)
from scoref.terminal.printing import has_colours, print_report, tell
from scoref.terminal.running import OUTPUT, refusing, running

if TYPE_CHECKING:
    from typing import NoReturn

COMMANDS = {
    "agree": "Say how far annotators agree, and score against several keys.",
    "bias": "Score pairs of texts, with a stereotype and against it, as in WinoBias.",
    "check": "Find everything that is wrong with a file, and mend what can be mended.",
    "compare": "Test whether the difference between systems is real.",
    "completion": "Print a script that lets a shell complete commands and options.",
    "convert": "Write a file in another format.",
    "curve": "Score what a linker's pairs make, at every threshold.",
    "data": "Say which key a file is, by its fingerprint.",
    "docs": "Show a page of the documentation.",
    "errors": "Count errors by type, and what each type costs.",
    "estimate": "Estimate the scores of a whole prediction from a labelled sample.",
    "explain": "Show why tools disagree about the same two files.",
    "formats": "List the formats that can be read.",
    "gap": "Score pronouns of both genders on GAP, and the ratio of the two.",
    "help": "Tell what a command takes.",
    "leaderboard": "Score a submission for Codabench, or write a bundle for it.",
    "llm": "Score what a language model wrote, where its words may differ.",
    "metrics": "List the metrics.",
    "multiverse": "See who wins under which conventions, and how stable that is.",
    "published": "List published results, to stand beside one's own.",
    "report": "Write a page to look at scores and errors in a browser.",
    "schemes": "List the conventions that have a name.",
    "score": "Score files; the word may be left out.",
    "stats": "Count what is in a file.",
    "table": "Score clusterings of records, from ten rows to a billion.",
}
"""The commands, each with a package of its name in `tools`, except for `_HOMES`."""

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
}
"""Commands that are in other modules."""

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
    from difflib import get_close_matches

    for near in get_close_matches(word, COMMANDS, 1, _NEAR):
        raise click.UsageError(
            f"'{word}' is neither a file nor a command. Did you mean '{near}'?"
        )


class ScorefCommand(ScoringCommand):
    """Scores files, or runs the command that is the first word."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401 - as click has it
    ) -> click.Context:
        """Use the named command; without arguments, show the help."""
        is_shell = extra.get("resilient_parsing")  # it asks how the line can go on
        extra.setdefault("color", None if has_colours() else False)
        if not args or args[0] not in COMMANDS:
            if args and not is_shell:
                _refuse_misspelt(args[0])
            asked = args if args or is_shell else ["--help"]
            return super().make_context(info_name, asked, parent, **extra)
        chosen = load(args[0])
        if is_shell:
            chosen = with_files(chosen)
        name = f"{info_name} {args[0]}"
        return chosen.make_context(name, args[1:], parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click has it
        """Run the command that was chosen."""
        return super().invoke(ctx) if ctx.command is self else ctx.command.invoke(ctx)

    def format_options(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """List the commands below the options."""
        super().format_options(ctx, formatter)
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
        formatter.write_paragraph()
        formatter.write_text("`scoref COMMAND -h` tells more about each of them.")


@click.command(
    cls=ScorefCommand,
    examples={
        "scoref key.conll response.conll": "Score a system's output.",
        "scoref key.conll a.conll b.conll --metrics muc": "Two systems, one metric.",
        "scoref key.conll response.conll --per-document --output json": "Say which "
        "document is how good, for a program.",
        "scoref key.conll response.conll --fail-under 80": "Let a build fail if the "
        "CoNLL score is below 80.",
        "scoref gold/ ours/ theirs/": "Score all datasets of two systems.",
    },
)
@click.argument("key", shell_complete=commands_and_files(COMMANDS))
@click.argument("responses", metavar="[RESPONSE]...", nargs=-1, shell_complete=files)
@scoring
@click.option("--per-document", is_flag=True, help="A row for each document.")
@click.option(
    "--by",
    metavar="WHAT",
    shell_complete=one_of("scoref.scoring.slices", "BY"),
    help="A row for each slice: document, genre, genre:PATTERN, entity-size, "
    "mention-length; with CorefUD also upos, mention-type, entity-type, distance.",
)
@click.option(
    "--window",
    metavar="N",
    shell_complete=one_of("scoref.scoring.windows", "PUBLISHED"),
    help="Beside the whole, score windows of N tokens as documents; bookcoref or "
    "bookcoref:N cuts as the published evaluator does.",
)
@click.option(
    "--confidence",
    type=LEVEL,
    metavar="[LEVEL]",
    help="Intervals of every figure, by the bootstrap over documents. LEVEL is in "
    "percent or a fraction up to 1; 95 if it is left out.",
)
@chance
@click.option(
    "--unit",
    type=click.Choice(("documents", "entities")),
    help="What to draw for intervals: entities, in blocks, where documents are few.  "
    "[default: documents]",
)
@click.option(
    "--columns",
    metavar="LIST",
    shell_complete=several_of("scoref.scoring.datasets", "COLUMNS"),
    help="For folders: the shared task's table, any of head, partial, exact, "
    "singletons.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="For folders: how many datasets to score at once.  [default: all cores]",
)
@click.option(
    "--fingerprint",
    is_flag=True,
    help="Say in the signature which key it was; `scoref data` tells more.",
)
@shown
@click.option(
    "--beside",
    metavar="NAME",
    shell_complete=one_of("scoref.tools.published", "names"),
    help="Put the response into a table of published results; see `scoref published`.",
)
@click.option(
    "--save",
    type=OUTPUT,
    metavar="FILE",
    help="Keep the result, for `scoref compare --baseline`.",
)
@click.option(
    "--plot",
    type=OUTPUT,
    metavar="FILE",
    shell_complete=files,
    help="Draw the intervals: .svg, .png or .html.",
)
@one_number
@click.option(
    "--signature-help",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, value: _explain_signature(context, value=value),
    help="Explain each field of the signature, and leave.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, value: _show_version(context, value=value),
    help="Show the version and exit.",
)
def command(
    key: str,
    responses: tuple[str, ...],
    **options: Any,  # noqa: ANN401 - `ScoreRun` has their types
) -> None:
    """Score coreference: each RESPONSE against the KEY.

    KEY and RESPONSE may be folders with a file for each dataset: the report then
    has datasets, systems and the macro average. NAME=RESPONSE gives a system a name.

    Files are CoNLL-2012, CorefUD, Universal Anaphora or JSON lines, plain or compressed
    (.gz, .xz); "-" is standard input. One file of JSON lines may hold both sides.

    Exit codes: 0 fine, 1 bad input, 2 bad usage, 3 below --fail-under.
    """
    with refusing():
        from scoref.cli.score import ScoreRun, run

        run(ScoreRun.of(key, responses, options))


def _explain_signature(context: click.Context, *, value: bool) -> None:
    if value:
        from scoref.render.scores import fields_report

        print_report(fields_report(), "text")
        context.exit()


def _show_version(context: click.Context, *, value: bool) -> None:
    if value:
        tell(f"scoref {__version__}")
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

"""The command `scoref`: options in, a report out; it decides nothing about numbers.

Numerical libraries are loaded after the options are understood.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

import click

from scoref._version import __version__
from scoref.cli._running import refusing, running
from scoref.scheme import SCHEMES, choices

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    Command = TypeVar("Command", bound=Callable[..., object])

METRICS = (
    "mentions, muc, bcub, ceafm, ceafe, blanc, lea, mor, zero, non-referring, "
    "bridging-anaphors, bridging-markables, bridging-entities, conll"
)
FORMATS = ("conll-2012", "json-lines", "corefud", "universal-anaphora")
OUTPUTS = ("text", "json", "csv", "markdown", "latex")

_CONVENTIONS = {
    "match": "How mentions are matched: CorefUD by exact, partial or head, Universal "
    "Anaphora by exact, partial or craft, CoNLL-2012 by exact or min.",
    "singletons": "Entities of one mention.",
    "zeros": "How empty nodes are matched, or that they are left out.",
    "split_antecedents": "Entities that stand for several others.",
    "evaluate": "What of Universal Anaphora is evaluated.",
    "phrases": "Leave out verb phrases; CoNLL-2012 with parses.",
    "nested": "Mentions inside another one of the same entity.",
    "alignment": "Matches of words: the official scorers', or truly one to one.",
    "duplicates": "Who keeps a mention that is listed twice.",
    "missing": "A document that only one side has.",
    "blanc": "Which scorer's rule BLANC follows where links are absent.",
    "lea": "How LEA counts singletons.",
    "average": "Sum over documents, or average their scores.",
    "anaphors": "Which CorefUD's anaphor score is for: zeros, pronouns, all, "
    "upos:NOUN,PROPN, or distance:1-3 in sentences.",
}


def _conventions(command: Command) -> Command:
    """Add an option for each choice that can move a figure."""
    for name, text in reversed(_CONVENTIONS.items()):
        values = choices(name)
        kind = click.Choice(values) if values else None
        option = f"--{name.replace('_', '-')}"
        command = click.option(option, type=kind, help=text)(command)
    return command


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("key")
@click.argument("responses", metavar="[RESPONSE]...", nargs=-1)
@click.option(
    "--metrics",
    metavar="LIST",
    help=f"Which to compute, separated by commas: {METRICS}.  [default: all]",
)
@click.option(
    "--scheme",
    type=click.Choice(list(SCHEMES)),
    help="A set of conventions by name; options below change single ones.",
)
@_conventions
@click.option(
    "--lenient",
    is_flag=True,
    help="Score what cannot be read or paired all the same, and say what was passed "
    "over.",
)
@click.option(
    "--format", type=click.Choice(FORMATS), help="Of the files.  [default: detected]"
)
@click.option("--per-document", is_flag=True, help="A row for each document.")
@click.option(
    "--columns",
    metavar="LIST",
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
    "--output",
    type=click.Choice(OUTPUTS),
    default="text",
    show_default=True,
    help="JSON and CSV have fractions at full precision.",
)
@click.option(
    "--score-only",
    is_flag=True,
    help="Print one number: the CoNLL score in percent, or the F1 of the one metric "
    "that was asked for.",
)
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="SCORE",
    help="Leave with exit code 3 if that number is lower: in percent, or as a "
    "fraction up to 1.",
)
@click.version_option(__version__, prog_name="scoref", message="%(prog)s %(version)s")
def command(  # noqa: PLR0913 - the options
    key: str,
    responses: tuple[str, ...],
    output: str,
    *,
    per_document: bool,
    score_only: bool,
    fail_under: float | None,
    lenient: bool,
    columns: str | None,
    jobs: int | None,
    **options: str | None,
) -> None:
    """Score coreference: each RESPONSE against the KEY.

    KEY and RESPONSE may be folders with a file for each dataset: the report then
    has datasets, systems and the macro average.

    Files are CoNLL-2012, CorefUD, Universal Anaphora or JSON lines, plain or compressed
    (.gz, .xz); "-" is standard input. One file of JSON lines may hold both sides.

    Exit codes: 0 fine, 1 bad input, 2 bad usage, 3 below --fail-under.
    """
    with refusing():
        from scoref.cli._score import Request, run  # noqa: PLC0415 - loads NumPy
        from scoref.evaluate import Wanted  # noqa: PLC0415

        wanted = Wanted(
            format=options["format"],
            scheme=options["scheme"],
            metrics=options["metrics"],
            lenient=lenient,
            changes={name: options[name] for name in _CONVENTIONS},
        )
        run(
            Request(
                key=key,
                responses=responses,
                wanted=wanted,
                output=output,
                per_document=per_document,
                score_only=score_only,
                fail_under=fail_under,
                columns=columns,
                jobs=jobs,
            )
        )


def main() -> NoReturn:
    """Run the command, and leave the way a command should."""
    with running():
        command.main(prog_name="scoref", standalone_mode=False)
    sys.exit(0)

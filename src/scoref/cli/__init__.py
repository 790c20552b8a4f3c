"""The command `scoref`: options in, a report out; it decides nothing about numbers.

Numerical libraries are loaded after the options are understood.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

import click

from scoref._version import __version__
from scoref.cli._leave import BelowThreshold, leaving, refusing
from scoref.errors import OptionError
from scoref.scheme import SCHEMES, choices

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from scoref.results import Result

    Command = TypeVar("Command", bound=Callable[..., object])

METRICS = "mentions, muc, bcub, ceafm, ceafe, blanc, lea, mor, zero, conll"
FORMATS = ("conll-2012", "json-lines", "corefud")
OUTPUTS = ("text", "json", "csv", "markdown", "latex")

_CONVENTIONS = {
    "match": "How mentions are matched; CoNLL-2012 knows exact only.",
    "singletons": "Entities of one mention.",
    "zeros": "How CorefUD's empty nodes are matched, or that they are left out.",
    "alignment": "CorefUD's matches: the official scorer's, or truly one to one.",
    "duplicates": "Who keeps a mention that is listed twice.",
    "missing": "A document that only one side has.",
    "blanc": "Which scorer's rule BLANC follows where links are absent.",
    "lea": "How LEA counts singletons.",
    "average": "Sum over documents, or average their scores.",
}


def _conventions(command: Command) -> Command:
    """Add an option for each choice that can move a figure."""
    for name, text in reversed(_CONVENTIONS.items()):
        option = click.option(f"--{name}", type=click.Choice(choices(name)), help=text)
        command = option(command)
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
    **options: str | None,
) -> None:
    """Score coreference: each RESPONSE against the KEY.

    Files are CoNLL-2012, CorefUD or JSON lines, plain or compressed (.gz, .xz); "-" is
    standard input. One file of JSON lines may hold both sides.

    Exit codes: 0 fine, 1 bad input, 2 bad usage, 3 below --fail-under.
    """
    with refusing():
        if score_only and (per_document or output != "text"):
            raise OptionError("--score-only prints one number and nothing else")
        results = _score(key, responses, options, lenient=lenient)
        wants_one = score_only or fail_under is not None
        single = _single_metric(results) if wants_one else ""
        from scoref.reports import REPORTS  # noqa: PLC0415 - after the options

        if score_only:
            report = "\n".join(_number(result, single) for result in results)
        else:
            report = REPORTS[output](results, per_document)
    click.echo(_coloured(report) if output == "text" and not score_only else report)
    if score_only or output == "csv":
        for note in dict.fromkeys(n for result in results for n in result.notes):
            click.echo(f"note: {note.message}", err=True)
    if fail_under is not None:
        _check_threshold(results, single, fail_under)


def main() -> NoReturn:
    """Run the command, and leave the way a command should."""
    with leaving():
        command.main(prog_name="scoref", standalone_mode=False)
    sys.exit(0)


def _score(
    key: str,
    responses: tuple[str, ...],
    options: dict[str, str | None],
    *,
    lenient: bool,
) -> list[Result]:
    if [key, *responses].count("-") > 1:
        raise OptionError("standard input can be read once only")
    from scoref.evaluate import Wanted, score_files  # noqa: PLC0415 - loads NumPy

    wanted = Wanted(
        format=options["format"],
        scheme=options["scheme"],
        metrics=options["metrics"],
        lenient=lenient,
        changes={name: options[name] for name in _CONVENTIONS},
    )
    results = score_files(key, responses, wanted)
    if len(responses) < 2:  # noqa: PLR2004 - nothing to count
        return list(results)
    bar = click.progressbar(
        results,
        length=len(responses),
        label="scoring",
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
    )
    with bar:
        return list(bar)


def _single_metric(results: Sequence[Result]) -> str:
    names = results[0].metrics
    if "conll" in names:
        return "conll"
    if len(names) == 1:
        return names[0]
    raise OptionError("one number is wanted, so ask for one metric, or for conll")


def _number(result: Result, metric: str) -> str:
    return f"{100 * result.scores[metric].f1:.2f}"


def _check_threshold(results: Sequence[Result], metric: str, threshold: float) -> None:
    least = threshold if threshold <= 1 else threshold / 100
    for result in results:
        if result.scores[metric].f1 < least:
            raise BelowThreshold(
                f"{result.response}: {metric} is {_number(result, metric)}, "
                f"below {100 * least:.2f}"
            )


def _coloured(report: str) -> str:
    """Make the header stand out; `click.echo` drops colours where nobody sees them."""
    header, newline, rest = report.partition("\n")
    return click.style(header, bold=True) + newline + rest

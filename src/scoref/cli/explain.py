"""The command `scoref explain`: why tools disagree about the same two files."""

from __future__ import annotations

import click

from scoref.cli._help import Command
from scoref.cli._options import FORMATS, shown
from scoref.cli._printing import print_notes
from scoref.cli._running import BadInput, refusing
from scoref.scheme import choices


class NobodyGivesIt(BadInput):
    """A figure that no convention gives."""

    exit_code = 3


@click.command(
    cls=Command,
    examples={
        "scoref explain key.conll response.conll --got 59.62": "Whose figure is "
        "that, and why?",
    },
)
@click.argument("key")
@click.argument("response", required=False)
@click.option(
    "--got",
    multiple=True,
    metavar="[METRIC=]FIGURE",
    help="A figure from elsewhere: which convention gives it? In percent, or as a "
    "fraction up to 1; 59.62, conll=0.5962, muc/recall=71.43. May be given several "
    "times.",
)
@click.option(
    "--format", type=click.Choice(FORMATS), help="Of the files.  [default: detected]"
)
@click.option(
    "--lenient",
    is_flag=True,
    help="Score what cannot be read or paired all the same, and say what was passed "
    "over.",
)
@click.option(
    "--missing",
    type=click.Choice(choices("missing")),
    help="A document that only one side has.",
)
@shown
def command(  # noqa: PLR0913 - the options
    key: str,
    response: str | None,
    *,
    got: tuple[str, ...],
    format: str | None,  # noqa: A002 - the name that users type
    lenient: bool,
    missing: str | None,
    output: str,
    precision: int,
) -> None:
    """Score RESPONSE against KEY under every convention in use, side by side.

    Each row is a tool or a habit, with the cause of the difference to the first one.
    --got says which of them gives a figure that you cannot explain.

    Exit codes: 0 fine, 1 bad input, 2 bad usage, 3 no convention gives the figure.
    """
    with refusing():
        from scoref.explain import Figure, explain  # noqa: PLC0415 - NumPy
        from scoref.reports.explanation import (  # noqa: PLC0415
            answers,
            render_explanation,
        )

        for text in got:
            Figure.parse(text)  # complains before anything is read
        explanation = explain(
            key,
            response,
            format=format,
            lenient=lenient,
            missing=missing,  # type: ignore[arg-type] # one of the choices
        )
        findings = [explanation.find(text) for text in got]
        click.echo(render_explanation(explanation, findings, output, precision))
        if output == "csv":
            notes = [note.message for note in explanation.notes]
            print_notes([*answers(explanation, findings), *notes])
        unknown = [found.figure.text for found in findings if not found.matches]
        if unknown:
            raise NobodyGivesIt(f"no convention gives {', '.join(unknown)}")

"""The command `scoref llm`: score the answers of a language model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from scoref.terminal.options import ScoringCommand, request_of, scoring, shown
from scoref.terminal.printing import print_report
from scoref.terminal.running import OUTPUT, refusing

if TYPE_CHECKING:
    from scoref.model import Note
    from scoref.scoring.request import Request
    from scoref.tools.llm.scoring import Scored

_STANDARD = "-"
_NOTATIONS = (
    "crac",
    "markdown",
    "xml",
    "subscript",
    "colon",
    "bar",
    "prefix",
    "parentheses",
    "json",
    "list",
)


@click.command(
    cls=ScoringCommand,
    examples={
        "scoref llm key.conll --write-input input.txt": "Write what a model is given.",
        "scoref llm key.conll answers.jsonl": "Score what it answered.",
    },
)
@click.argument("key")
@click.argument("outputs", metavar="OUTPUT...", nargs=-1)
@click.option(
    "--notation",
    type=click.Choice(_NOTATIONS),
    metavar="NAME",
    help="How mentions are marked, see above.  [default: what fits best]",
)
@click.option(
    "--unplaced",
    type=click.Choice(("count", "ignore")),
    default="count",
    show_default=True,
    help="Mentions that are not in the text: count them as wrong mentions, or ignore "
    "them.",
)
@click.option(
    "--show-breaks",
    is_flag=True,
    help="Show every place where words were changed, lost or added, or brackets are "
    "broken.",
)
@click.option(
    "--write-response",
    type=OUTPUT,
    metavar="FILE",
    help="Write the mentions that are in the text as a file of the key's format.",
)
@click.option(
    "--write-input",
    type=OUTPUT,
    metavar="FILE",
    help="Write the key's text as the shared task gives it to models, and leave.",
)
@click.option(
    "--write-example",
    type=OUTPUT,
    metavar="FILE",
    help="Write it with the key's mentions, to show a model how, and leave.",
)
@click.option("--per-document", is_flag=True, help="A row for each document.")
@scoring
@shown
def command(
    key: str,
    outputs: tuple[str, ...],
    *,
    notation: str | None,
    unplaced: str,
    show_breaks: bool,
    write_response: str | None,
    write_input: str | None,
    write_example: str | None,
    per_document: bool,
    lenient: bool,
    output: str,
    precision: int,
    **options: str | None,
) -> None:
    """Score what a language model wrote: each OUTPUT against the KEY.

    The words of an answer are aligned with the key's by edit distance, so that they may
    be changed, cut off or invented. Mentions that are not in the text count as wrong
    mentions. The report says how many words and mentions were changed, lost or added.

    OUTPUT is a folder with a file for each document, called as the document; JSON lines
    {"doc_key": "...", "output": "..."}; the results of a batch, with the names of
    documents as custom_id; JSON that maps documents to answers; or a text with a line
    for each document, which may be the whole file if there is one document.
    NAME=OUTPUT gives a system a name.

    Mentions are marked as in the CRAC shared task's LLM track, crac: Ada|[e1
    Lovelace|e1]; markdown: [Ada](#1); xml: <m id="1">Ada</m>; subscript: [Ada]_1;
    colon: [Ada: 1]; bar: [Ada | 1]; prefix: [1 Ada]; parentheses: ((1: Ada)); or they
    are listed, json: [["Ada", "she"], ["him"]]; list: 1. Ada: "Ada", "she".
    """
    with refusing():
        wanted = request_of(options, lenient=lenient)
        wanted = replace(wanted, changes={**wanted.changes, "unplaced": unplaced})
        if write_input or write_example:
            if outputs:
                raise click.UsageError("what a model is given needs no OUTPUT")
            _write_texts(key, wanted, write_input, write_example)
            return
        if not outputs:
            raise click.UsageError("Missing argument 'OUTPUT...'.")
        if write_response:
            _check_response(write_response, outputs)
        from scoref.render.scores import ScoreView
        from scoref.tools.llm.rendering import llm_report

        scored = _scored(key, outputs, wanted, notation)
        if write_response and unplaced == "count" and scored[0].counts.unplaced:
            scored = [scored[0].noting(_not_written(scored[0], write_response))]
        view = ScoreView(per_document, precision)
        report = llm_report(scored, view, with_breaks=show_breaks)
        if write_response:
            from scoref.tools.llm.key_text import response_file
            from scoref.writing import write_whole

            write_whole(write_response, response_file(scored[0]))
        print_report(report, output)


def _check_response(path: str, outputs: tuple[str, ...]) -> None:
    """Refuse a place for the response that would mix it up with something else."""
    if len(outputs) > 1:
        raise click.UsageError("--write-response is for one OUTPUT")
    if path == _STANDARD:
        raise click.UsageError(
            "--write-response needs a file: standard output has the report"
        )


def _not_written(scored: Scored, path: str) -> Note:
    """Say that the file scores better than the answers."""
    from scoref.model import Note

    count = scored.counts.unplaced
    are = "mention is" if count == 1 else "mentions are"
    text = (
        f"{count} {are} not in the text and therefore not in {path}: its scores are "
        "those of --unplaced ignore"
    )
    return Note("not-written", count, text)


def _scored(
    key: str, outputs: tuple[str, ...], wanted: Request, notation: str | None
) -> list[Scored]:
    from scoref.formats.input_files import refuse_second_reading
    from scoref.terminal.systems import by_name
    from scoref.tools.llm.scoring import score_outputs

    names = by_name(outputs)
    refuse_second_reading([key, *names.values()])
    found = score_outputs(key, names.values(), wanted, notation=notation)
    return [
        each.called(name) if name != path else each
        for (name, path), each in zip(names.items(), found, strict=True)
    ]


def _write_texts(
    key: str, wanted: Request, plain: str | None, marked: str | None
) -> None:
    from scoref.tools.llm.key_text import track_text
    from scoref.tools.llm.scoring import read_key
    from scoref.writing import write_output

    read = read_key(key, wanted)
    if plain:
        write_output(plain, track_text(read).encode())
    if marked:
        write_output(marked, track_text(read, marked=True).encode())

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
    from scoref.tools.llm.scoring import AnswerResult

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
        "scoref llm key.conll --write-input input.txt": "Write the model's input.",
        "scoref llm key.conll answers.jsonl": "Score the model's answers.",
    },
)
@click.argument("key")
@click.argument("outputs", metavar="OUTPUT...", nargs=-1)
@click.option(
    "--notation",
    type=click.Choice(_NOTATIONS),
    metavar="NAME",
    help="Notation of mentions; see above.  [default: the one that fits best]",
)
@click.option(
    "--unplaced",
    type=click.Choice(("count", "ignore")),
    default="count",
    show_default=True,
    help="Mentions that are not in the text: count them as wrong mentions, "
    "or ignore them.",
)
@click.option(
    "--show-breaks",
    is_flag=True,
    help="Show every place where words were changed, lost or added, or "
    "where brackets are broken.",
)
@click.option(
    "--write-response",
    type=OUTPUT,
    metavar="FILE",
    help="Write the mentions that are in the text as a response file in the "
    "key's format.",
)
@click.option(
    "--write-input",
    type=OUTPUT,
    metavar="FILE",
    help="Write the key's text as the shared task gives it to models, and exit.",
)
@click.option(
    "--write-example",
    type=OUTPUT,
    metavar="FILE",
    help="Write the key's text with its mentions as an example for a model, and exit.",
)
@click.option("--per-document", is_flag=True, help="Show a row for each document.")
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
    """Score the answers of a language model: each OUTPUT against the KEY.

    The words of an answer are aligned with the key's by edit distance, so words may be
    changed, cut off or invented. Mentions that are not in the text count as wrong
    mentions. The report shows how many words and mentions were changed, lost or added.

    OUTPUT is one of: a folder with a file for each document, named after the document;
    JSON lines {"doc_key": "...", "output": "..."}; the results of a batch, with
    document names as custom_id; JSON that maps documents to answers; a text file with a
    line for each document, or a whole text for a single document. NAME=OUTPUT gives a
    system a name.

    Notations of mentions: as in the CRAC shared task's LLM track, crac: Ada|[e1
    Lovelace|e1]; markdown: [Ada](#1); xml: <m id="1">Ada</m>; subscript: [Ada]_1;
    colon: [Ada: 1]; bar: [Ada | 1]; prefix: [1 Ada]; parentheses: ((1: Ada)); or as a
    list, json: [["Ada", "she"], ["him"]]; list: 1. Ada: "Ada", "she".
    """
    with refusing():
        wanted = request_of(options, lenient=lenient)
        wanted = replace(wanted, changes={**wanted.changes, "unplaced": unplaced})
        if write_input or write_example:
            if outputs:
                raise click.UsageError(
                    "--write-input and --write-example take only the KEY. Leave "
                    "out OUTPUT"
                )
            _write_texts(key, wanted, write_input, write_example)
            return
        if not outputs:
            raise click.UsageError("Missing argument 'OUTPUT...'.")
        if write_response and len(outputs) > 1:
            raise click.UsageError("--write-response needs exactly one OUTPUT")
        if write_response == "-":
            raise click.UsageError(
                "--write-response needs a file, because the report is written "
                "to standard output"
            )
        from scoref.render.scores import ScoreView
        from scoref.tools.llm.rendering import llm_report

        systems = _score_systems(key, outputs, wanted, notation)
        if write_response and unplaced == "count" and systems[0].counts.unplaced:
            note = _unwritten_note(systems[0], write_response)
            systems = [systems[0]._with_note(note)]
        view = ScoreView(per_document, precision)
        report = llm_report(systems, view, with_breaks=show_breaks)
        if write_response:
            from scoref.tools.llm.key_text import response_file
            from scoref.writing import write_whole

            write_whole(write_response, response_file(systems[0]))
        print_report(report, output)


def _score_systems(
    key: str, outputs: tuple[str, ...], wanted: Request, notation: str | None
) -> list[AnswerResult]:
    """Score all outputs, and give each system the name that the user wants."""
    from scoref.formats.input_files import refuse_second_reading
    from scoref.terminal.systems import by_name
    from scoref.tools.llm.scoring import score_outputs

    names = by_name(outputs)
    refuse_second_reading([key, *names.values()])
    systems = score_outputs(key, names.values(), wanted, notation=notation)
    return [
        system._with_name(name) if name != path else system
        for (name, path), system in zip(names.items(), systems, strict=True)
    ]


def _unwritten_note(scored: AnswerResult, path: str) -> Note:
    """Report that the written file scores better than the answers."""
    from scoref.model import Note
    from scoref.notes import WARNING
    from scoref.printable import counted

    count = scored.counts.unplaced
    text = (
        f"{WARNING}{path} lacks {counted(count, 'mention')} that the text does not "
        "contain. Its scores are those of --unplaced ignore."
    )
    return Note("not-written", count, text)


def _write_texts(
    path: str, wanted: Request, plain_path: str | None, marked_path: str | None
) -> None:
    """Write the text of a key for a model, without and with its mentions."""
    from scoref.tools.llm.key_text import track_text
    from scoref.tools.llm.scoring import read_key
    from scoref.writing import write_output

    key = read_key(path, wanted)
    if plain_path:
        write_output(plain_path, track_text(key).encode())
    if marked_path:
        write_output(marked_path, track_text(key, marked=True).encode())

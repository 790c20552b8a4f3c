"""The command `scoref score`: its options, which `scoref` has without the word, too."""

from __future__ import annotations

from typing import Any

import click

from scoref.cli import COMMANDS
from scoref.terminal.help import commands_and_files, files, one_of, several_of
from scoref.terminal.options import (
    LEVEL,
    ScoringCommand,
    chance,
    one_number,
    scoring,
    shown,
    wide,
)
from scoref.terminal.printing import print_report
from scoref.terminal.running import OUTPUT, refusing


@click.command(
    cls=ScoringCommand,
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
        from scoref.cli.score import ScoreRun, run  # they load NumPy

        run(ScoreRun.of(key, responses, options))


def _explain_signature(context: click.Context, *, value: bool) -> None:
    if value:
        from scoref.render.signature import fields_report

        print_report(fields_report(), "text")
        context.exit()

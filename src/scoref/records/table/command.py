"""The command `scoref table`: clusterings as tables, from ten rows to a billion."""

from __future__ import annotations

from typing import get_args

import click

from scoref.records.options import column_options, exit_on_signals, reading_options
from scoref.records.request import Duplicates
from scoref.render import OUTPUTS
from scoref.scheme import choices
from scoref.terminal.help import several_of
from scoref.terminal.options import LEVEL, ScoringCommand, chance, one_number
from scoref.terminal.running import OUTPUT, refusing


@click.command(
    cls=ScoringCommand,
    examples={
        "scoref table gold.csv predicted.csv": "Score two tables.",
        "scoref table both.csv --key-cluster gold --response-cluster auto": "Score two "
        "columns of one table.",
        "scoref table gold.csv a.csv b.csv --group year --compare": "Is one better?",
    },
)
@click.argument("files", metavar="KEY [RESPONSE]...", nargs=-1, required=True)
@column_options
@click.option(
    "--group",
    "--document",
    "group",
    metavar="COLUMN",
    help="Documents, blocks, years: clusters do not reach from one to another.",
)
@click.option("--per-group", is_flag=True, help="A row for each group.")
@click.option(
    "--universe",
    type=click.Choice(choices("universe")),
    help="Which mentions are scored: both: each side's own; common: those of both; "
    "union, key, response: of either or of that side, and one that is missing on the "
    "other is a cluster of its own there.  [default: both]",
)
@click.option(
    "--duplicates",
    type=click.Choice(get_args(Duplicates)),
    help="A mention that is listed twice: refuse it, or keep one of its rows.  "
    "[default: error]",
)
@click.option(
    "--undefined",
    type=click.Choice(choices("undefined")),
    default="zero",
    show_default=True,
    help="What 0/0 is.",
)
@click.option(
    "--metrics",
    metavar="LIST",
    shell_complete=several_of("scoref.metrics", "METRICS"),
    help="Which to compute, separated by commas, or all; `scoref metrics` lists them.  "
    "[default: the usual ones in tables, all in JSON and CSV]",
)
@click.option(
    "--no-ceaf",
    is_flag=True,
    help="Leave out what needs an alignment of clusters: CEAF, and CoNLL with it.",
)
@reading_options
@click.option(
    "--save-profile",
    type=OUTPUT,
    metavar="FILE",
    help="Write what was counted, to be merged and scored again without the data.",
)
@click.option(
    "--profile",
    "from_profiles",
    is_flag=True,
    help="FILEs are such profiles, of different tables: score them as one.",
)
@click.option(
    "--plot",
    type=OUTPUT,
    metavar="FILE",
    help="Draw clusters by size, and how well they are found: .svg, .png or .html.",
)
@click.option(
    "--report",
    type=OUTPUT,
    metavar="FILE",
    help="Write a page with the scores and the biggest clusters that were divided or "
    "conflated: .html.",
)
@click.option(
    "--confidence",
    type=LEVEL,
    metavar="[LEVEL]",
    help="Intervals of every figure, by the bootstrap over groups. LEVEL is in percent "
    "or a fraction up to 1; 95 if it is left out.",
)
@chance
@click.option(
    "--compare",
    is_flag=True,
    help="Test whether responses differ, by swapping their groups.",
)
@one_number
@click.option(
    "--output",
    type=click.Choice(OUTPUTS),
    default="text",
    show_default=True,
    help="JSON and CSV have fractions at full precision.",
)
@click.option(
    "--precision",
    type=click.IntRange(0, 13),
    default=2,
    show_default=True,
    metavar="N",
    help="Decimals of percentages; other numbers get two more.",
)
def command(files: tuple[str, ...], **options: object) -> None:
    """Score clusterings: which mention is in which cluster, KEY against RESPONSE.

    \b
    scoref table KEY RESPONSE...
    scoref table FILE --key-cluster gold --response-cluster predicted
    scoref table --profile FILE...

    Files are CSV, TSV, Parquet, Arrow, JSON lines, SQLite or DuckDB, plain or
    compressed; a pattern such as 'part-*.parquet' or a folder of parts is one table.
    Ids are compared as text. An empty cluster means: not clustered. NAME=RESPONSE gives
    a response a name.

    Exit codes: 0 fine, 1 bad input, 2 bad usage, 3 below --fail-under.
    """  # noqa: D301 - click's mark for lines that stay
    with refusing(), exit_on_signals():
        from scoref.records.table.run import TableRequest, run

        run(TableRequest(files, **options))  # type: ignore[arg-type]  # as declared above

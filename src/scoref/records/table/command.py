"""The command `scoref table`: clusterings as tables, from ten rows to a billion."""

from __future__ import annotations

from typing import get_args

import click

from scoref.records.options import (
    column_options,
    exit_on_signals,
    pair_options,
    reading_options,
)
from scoref.records.request import Duplicates
from scoref.render import OUTPUTS
from scoref.scheme import choices
from scoref.terminal.gates import CONDITIONS
from scoref.terminal.help import Option, several_of
from scoref.terminal.options import LEVEL, ScoringCommand, chance, one_number, short
from scoref.terminal.running import OUTPUT, refusing


@click.command(
    cls=ScoringCommand,
    examples={
        "scoref table gold.csv predicted.csv": "Score two tables.",
        "scoref table both.csv --gold person --cluster auto": "Score two "
        "columns of one table.",
        "scoref table gold.csv predicted.csv --by source,country": "Find out where "
        "errors come from.",
        "scoref table gold.csv a.csv b.csv --group year --compare": ""
        "Test whether one is better.",
    },
)
@click.argument("files", metavar="KEY [RESPONSE]...", nargs=-1, required=True)
@column_options
@pair_options
@click.option(
    "--group",
    "--document",
    "group",
    cls=Option,
    former=("--document",),
    metavar="COLUMN",
    help="Column of groups, such as blocks or years. Clusters do not extend from "
    "one to another.",
)
@click.option("--per-group", is_flag=True, help="Show a row for each group.")
@click.option(
    "--universe",
    type=click.Choice(choices("universe")),
    help="Records to score if only one side has some of them: both (each side "
    "keeps its own), common (records of both sides only), union (all), key "
    "or response (those of one side). With union, key and response, a missing "
    "record is a singleton.  [default: both]",
)
@click.option(
    "--duplicates",
    type=click.Choice(get_args(Duplicates)),
    help="Records that are listed twice: stop (error), or keep the first "
    "or last row.  [default: error]",
)
@click.option(
    "--undefined",
    type=click.Choice(choices("undefined")),
    default="zero",
    show_default=True,
    help="Value of 0/0.",
)
@click.option(
    "--metrics",
    "-m",
    metavar="LIST",
    shell_complete=several_of("scoref.metrics", "all_metrics"),
    help="Metrics to compute, separated by commas, or all; see `scoref "
    "metrics`.  [default: the usual ones in tables, all in JSON and "
    "CSV]",
)
@click.option(
    "--no-ceaf",
    is_flag=True,
    help="Omit CEAF, which aligns clusters, and CoNLL F₁.",
)
@reading_options
@click.option(
    "--save-profile",
    type=OUTPUT,
    metavar="FILE",
    help="Write the counts to a profile, to be merged and scored later "
    "without the data.",
)
@click.option(
    "--from-profile",
    "from_profiles",
    cls=Option,
    former=("--profile",),
    is_flag=True,
    help="FILEs are profiles of different tables: score them together.",
)
@click.option(
    "--plot",
    type=OUTPUT,
    metavar="FILE",
    help="Plot clusters by size, and how well they are found, to a .svg, "
    ".png or .html file.",
)
@click.option(
    "--report",
    type=OUTPUT,
    metavar="FILE",
    help="Write an HTML page with scores and the largest clusters that were "
    "divided or conflated.",
)
@click.option(
    "--by",
    multiple=True,
    metavar="COLUMN,…",
    help="Score the records of each class separately, by any column of either table or "
    "of --records, and say where recall and precision are lost.",
)
@click.option(
    "--summary",
    is_flag=True,
    help="Summarise the clusters of one table, without gold data: sizes, matching rate "
    "and Hill numbers.",
)
@click.option(
    "--name",
    metavar="COLUMN",
    help="With --summary: column of names, for homonymy and name variation.",
)
@click.option(
    "--diff",
    is_flag=True,
    help="Compare two releases, the old one first: clusters kept, split and merged, "
    "and records moved.",
)
@click.option(
    "--fail-if",
    type=CONDITIONS,
    metavar="CONDITION,…",
    help="With --summary or --diff: exit with code 3 if a figure of the JSON output "
    "meets a condition, such as 'retained<0.8'.",
)
@click.option(
    "--confidence",
    type=LEVEL,
    metavar="[LEVEL]",
    help="Show confidence intervals, by bootstrapping over groups. LEVEL is "
    "a percentage or a fraction; 95 if omitted.",
)
@chance
@click.option(
    "--compare",
    is_flag=True,
    help="Test whether responses differ, by swapping their groups.",
)
@one_number
@click.option(
    "--max-cluster",
    type=click.IntRange(1),
    metavar="N",
    help="Exit with code 3 if a predicted cluster has more than N records.",
)
@click.option(
    "--beta",
    type=click.FloatRange(0, min_open=True),
    default=1.0,
    metavar="B",
    help="Also show Fβ, which weights recall B times as much as precision.",
)
@short
@click.option(
    "--output",
    type=click.Choice(OUTPUTS),
    default="text",
    show_default=True,
    help="Output format. JSON and CSV have fractions at full precision.",
)
@click.option(
    "--precision",
    "-w",
    type=click.IntRange(0, 15),
    default=2,
    show_default=True,
    metavar="N",
    help="Decimal places of percentages; other numbers get two more.",
)
def command(files: tuple[str, ...], **options: object) -> None:
    """Score clusterings of records: each RESPONSE against the KEY.

    \b
    scoref table KEY RESPONSE...
    scoref table FILE --gold person --cluster predicted
    scoref table GOLD_PAIRS PAIRS --key-pairs --response-pairs [--threshold T]
    scoref table --from-profile FILE...
    scoref table CLUSTERS --summary [--name COLUMN]
    scoref table OLD NEW --diff [--fail-if 'retained<0.8']

    Files are CSV, TSV, Parquet, Arrow, JSON lines, SQLite or DuckDB, plain or
    compressed. A pattern such as 'part-*.parquet' or a folder of parts is one table.
    Ids are compared as text. A record with an empty cluster is not clustered.
    NAME=RESPONSE gives a response a name.

    Exit codes: 0 fine, 1 bad input, 2 bad usage, 3 a gate failed, such as --fail-under.
    """  # noqa: D301 - click's mark for lines that stay
    with refusing(), exit_on_signals():
        from scoref.records.table.run import TableRequest, run

        run(TableRequest(files, **options))  # type: ignore[arg-type]  # as declared above

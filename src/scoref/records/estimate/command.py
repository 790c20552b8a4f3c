"""The command `scoref estimate`: scores of a prediction from a labelled sample."""

from __future__ import annotations

from typing import Any

import click

from scoref.records.options import (
    column_options,
    exit_on_signals,
    reading_arguments,
    reading_options,
    refuse_standard_input,
)
from scoref.terminal.help import Command
from scoref.terminal.options import LEVEL, shown
from scoref.terminal.printing import print_report, progress
from scoref.terminal.running import refusing


@click.command(
    cls=Command,
    examples={
        "scoref estimate labelled.csv all.parquet --weights cluster-size": "Records "
        "were drawn, and the whole cluster of each was resolved.",
        "scoref estimate labelled.csv all.parquet --weights uniform --plan 4": "How "
        "many clusters to label for intervals of 4 points.",
    },
)
@click.argument("sample")
@click.argument("predicted")
@click.option(
    "--weights",
    required=True,
    metavar="uniform|cluster-size|COLUMN",
    help="How clusters were drawn. uniform: each as likely as any other; cluster-size: "
    "by drawing records, so that large ones are likelier; otherwise the column that "
    "has 1/chance, up to a factor.",
)
@click.option(
    "--times", metavar="COLUMN", help="How often each was drawn.  [default: once]"
)
@click.option(
    "--missing",
    type=click.Choice(("error", "alone", "drop")),
    default="error",
    show_default=True,
    help="Labelled records that PREDICTED lacks. alone: each is a predicted singleton; "
    "drop: they are not part of the population.",
)
@click.option(
    "--metrics",
    metavar="LIST",
    help="Any of pairwise, bcub, bcub-entity, cluster, muc.  [default: all]",
)
@click.option(
    "--level",
    type=LEVEL,
    default=95.0,
    show_default=True,
    metavar="LEVEL",
    help="Level of the intervals, in percent or as a fraction up to 1.",
)
@click.option(
    "--estimator",
    type=click.Choice(("ratio", "er-evaluation")),
    default="ratio",
    show_default=True,
    help="er-evaluation gives that package's figures, for comparison.",
)
@click.option(
    "--block",
    is_flag=True,
    help="SAMPLE is all of one block, such as a country or a name: no intervals.",
)
@click.option(
    "--pairs",
    is_flag=True,
    help="SAMPLE has labelled pairs: record, record, match (0 or 1), and the weight.",
)
@click.option("--left", metavar="COLUMN", help="With --pairs: the first record.")
@click.option("--right", metavar="COLUMN", help="With --pairs: the second one.")
@click.option("--match", metavar="COLUMN", help="With --pairs: the label.")
@click.option(
    "--plan",
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    metavar="POINTS",
    help="Also say how many draws make each interval so wide at most, in percentage "
    "points from end to end.",
)
@column_options
@reading_options
@shown
def command(
    sample: str,
    predicted: str,
    *,
    plan: float | None,
    output: str,
    precision: int,
    **options: Any,  # noqa: ANN401 - as declared above
) -> None:
    """Estimate the scores of all that was PREDICTED from a SAMPLE of true clusters.

    SAMPLE is a table of labelled records and their true clusters, PREDICTED one of all
    records and their predicted clusters; see `scoref table` for files and columns.

    You promise what cannot be seen from the data: every labelled cluster is complete;
    clusters were drawn by chance, as --weights says; true ones were drawn, not
    predicted ones; and PREDICTED has everything that its clusters hold.

    Exit codes: 0 fine, 1 bad input, 2 bad usage.
    """
    with refusing(), exit_on_signals():
        from scoref.records.estimate.estimate import estimate
        from scoref.records.estimate.report import estimate_report

        refuse_standard_input(sample, predicted)
        with progress() as show:
            result = estimate(
                sample, predicted, **reading_arguments(options), progress=show
            )
        width = None if plan is None else plan / 100
        print_report(estimate_report(result, width, precision), output)

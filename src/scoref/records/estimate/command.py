"""The command `scoref estimate`: scores of a prediction from a labelled sample."""

from __future__ import annotations

from typing import Any

import click

from scoref.errors import OptionError
from scoref.records.options import (
    column_options,
    exit_on_signals,
    reading_arguments,
    reading_options,
    refuse_standard_input,
)
from scoref.terminal.help import Option
from scoref.terminal.options import LEVEL, ScoringCommand, shown
from scoref.terminal.printing import print_report, progress
from scoref.terminal.running import OUTPUT, refusing


@click.command(
    cls=ScoringCommand,
    examples={
        "scoref estimate labelled.csv all.parquet --weights cluster-size": ""
        "Records were sampled, and the whole cluster of each was labelled.",
        "scoref estimate labelled.csv all.parquet --weights uniform --plan 4": ""
        "Compute how many clusters to label for intervals 4 points wide.",
    },
)
@click.argument("sample")
@click.argument("predicted")
@click.option(
    "--weights",
    metavar="uniform|cluster-size|COLUMN",
    help="How clusters were sampled: uniform (all equally likely), "
    "cluster-size (by sampling records, so large clusters are more "
    "likely), or a COLUMN with 1/probability, or a multiple of it.  [required]",
)
@click.option(
    "--times",
    metavar="COLUMN",
    help="Column with the number of times each cluster was sampled.  [default: once]",
)
@click.option(
    "--missing-records",
    "missing",
    cls=Option,
    former=("--missing",),
    type=click.Choice(("error", "alone", "drop")),
    default="error",
    show_default=True,
    help="Labelled records that PREDICTED lacks: stop (error), treat each "
    "as a predicted singleton (alone), or exclude them from the "
    "population (drop).",
)
@click.option(
    "--metrics",
    "-m",
    metavar="LIST",
    help="Metrics to estimate, any of pairwise, bcub, bcub-entity, cluster "
    "and muc.  [default: all]",
)
@click.option(
    "--confidence",
    "level",
    cls=Option,
    former=("--level",),
    type=LEVEL,
    default=95.0,
    show_default=True,
    metavar="[LEVEL]",
    help="Confidence level of the intervals, as a percentage or a fraction.",
)
@click.option(
    "--estimator",
    type=click.Choice(("ratio", "er-evaluation")),
    default="ratio",
    show_default=True,
    help="Estimator; er-evaluation gives the figures of that package, for comparison.",
)
@click.option(
    "--block",
    is_flag=True,
    help="SAMPLE is one complete block, such as a country or a name; there "
    "are no intervals.",
)
@click.option(
    "--key-pairs",
    cls=Option,
    former=("--pairs",),
    is_flag=True,
    default=None,
    help="SAMPLE has pairs: with a label (0 or 1) and perhaps a weight, pairs were "
    "sampled; without one, they link the records of a cluster.  [default: by the names "
    "of the columns]",
)
@click.option(
    "--left", metavar="COLUMN", help="With --key-pairs: column of the first record."
)
@click.option(
    "--right", metavar="COLUMN", help="With --key-pairs: column of the second record."
)
@click.option(
    "--label",
    cls=Option,
    former=("--match",),
    metavar="COLUMN",
    help="With --key-pairs: column of the label.",
)
@click.option(
    "--plan",
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    metavar="POINTS",
    help="Also compute how many clusters to sample so that each interval is "
    "at most POINTS percentage points wide.",
)
@click.option(
    "--report",
    type=OUTPUT,
    metavar="FILE",
    help="Write an HTML page with the estimates, and the worst labelled clusters.",
)
@column_options
@reading_options
@shown
def command(
    sample: str,
    predicted: str,
    *,
    plan: float | None,
    report: str | None,
    output: str,
    precision: int,
    **options: Any,
) -> None:
    """Estimate the scores of the whole PREDICTED table from a SAMPLE of true clusters.

    SAMPLE is a table of labelled records and their true clusters. PREDICTED is a table
    of all records and their predicted clusters. See `scoref table -h` for files and
    columns.

    scoref cannot check these assumptions: each labelled cluster is complete; true
    clusters, not predicted ones, were sampled at random as --weights says; and
    PREDICTED is complete.

    Exit codes: 0 fine, 1 bad input, 2 bad usage.
    """
    with refusing(), exit_on_signals():
        from scoref.records.estimate.estimate import estimate
        from scoref.records.estimate.report import estimate_report

        if options["weights"] is None:
            raise OptionError(
                "missing option '--weights'",
                hint="Say how the labelled clusters were sampled: --weights uniform if "
                "all were equally likely, --weights cluster-size if records were "
                "sampled, or --weights COLUMN for a column of weights.",
            )
        refuse_standard_input(sample, predicted)
        arguments = reading_arguments(options)
        with progress() as show:
            result = estimate(sample, predicted, **arguments, progress=show)
        if report:
            from scoref.records.pages import write_estimate_page

            write_estimate_page(report, result, sample, predicted, arguments)
        width = None if plan is None else plan / 100
        print_report(estimate_report(result, width, precision), output)

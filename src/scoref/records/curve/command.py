"""The command `scoref curve`: the scores of a linker's pairs at every threshold."""

from __future__ import annotations

from typing import Any

import click

from scoref.records.options import (
    exit_on_signals,
    reading_arguments,
    reading_options,
    refuse_standard_input,
)
from scoref.terminal.help import Command
from scoref.terminal.options import shown
from scoref.terminal.printing import print_report, progress
from scoref.terminal.running import OUTPUT, refusing


@click.command(
    cls=Command,
    examples={
        "scoref curve gold.csv predictions.parquet": "Score Splink's predictions at "
        "every threshold.",
        "scoref curve gold.csv pairs.csv --best cluster --plot curve.svg": "Plot the "
        "curve, and select the threshold by exact clusters.",
    },
)
@click.argument("key")
@click.argument("pairs")
@click.option(
    "--left",
    metavar="COLUMN",
    help="Column of the first record of a pair.  [default: by name]",
)
@click.option(
    "--right",
    metavar="COLUMN",
    help="Column of the second record of a pair.  [default: by name]",
)
@click.option(
    "--score",
    metavar="COLUMN",
    help="Column of the score of a pair.  [default: by name]",
)
@click.option(
    "--distance",
    is_flag=True,
    help="Treat scores as distances: lower means more similar.",
)
@click.option(
    "--record",
    "--mention",
    "mention",
    metavar="COLUMN",
    help="Column of records in KEY.  [default: by usual names, such as id, or the "
    "first of two columns]",
)
@click.option(
    "--gold",
    "--key-cluster",
    "key_cluster",
    metavar="COLUMN",
    help="Column of clusters in KEY.  [default: by usual names, such as cluster, or "
    "the second of two columns]",
)
@click.option(
    "--key-pairs",
    is_flag=True,
    default=None,
    help="The rows of KEY are pairs of matching records.  [default: by the names of "
    "the columns]",
)
@click.option(
    "--key-left", metavar="COLUMN", help="With --key-pairs: column of the first record."
)
@click.option(
    "--key-right",
    metavar="COLUMN",
    help="With --key-pairs: column of the second record.",
)
@click.option(
    "--key-label",
    metavar="COLUMN",
    help="With --key-pairs: column that says whether a pair matches: 0 or 1.",
)
@click.option(
    "--two-sources/--one-source",
    default=None,
    help="With --key-pairs: whether left and right records may have the same "
    "ids.  [default: by the names of the columns]",
)
@click.option(
    "--missing-values",
    metavar="LIST",
    help='Clusters that mean "not clustered", separated by commas.  [default: as for '
    "`scoref table`]",
)
@click.option(
    "--universe",
    type=click.Choice(("both", "key", "union")),
    default="both",
    show_default=True,
    help="Records that KEY lacks: both (they reduce precision), key "
    "(they are ignored) or union (each is a cluster of its own).",
)
@click.option(
    "--metrics",
    "-m",
    metavar="LIST",
    help="Metrics to compute at every threshold, separated by commas, or "
    "all.  [default: pairwise, bcub, bcub-entity, cluster, muc, links]",
)
@click.option(
    "--best",
    default="bcub",
    show_default=True,
    metavar="METRIC",
    help="Metric that selects the best threshold.",
)
@click.option(
    "--at",
    multiple=True,
    type=float,
    metavar="T",
    help="Show every metric, including CEAF, at this threshold. May be "
    "repeated.  [default: the best threshold]",
)
@click.option(
    "--points",
    type=click.IntRange(2),
    default=20,
    show_default=True,
    metavar="N",
    help="Number of rows to show. JSON and CSV always have all rows.",
)
@click.option(
    "--plot",
    type=OUTPUT,
    metavar="FILE",
    help="Plot F₁, precision, recall and the number of clusters to a .svg, "
    ".png or .html file.",
)
@click.option(
    "--report",
    type=OUTPUT,
    metavar="FILE",
    help="Write an HTML page with the curve, and the worst clusters at the best "
    "threshold.",
)
@reading_options
@shown
def command(
    key: str,
    pairs: str,
    *,
    best: str,
    at: tuple[float, ...],
    points: int,
    plot: str | None,
    report: str | None,
    output: str,
    precision: int,
    **options: Any,
) -> None:
    """Score the clusters that PAIRS form, against the KEY, at every threshold.

    PAIRS has two records and a score in each row. The columns that Splink and pyJedAI
    write are detected. At a threshold, clusters are the connected components of all
    pairs whose score is at least the threshold.

    Exit codes: 0 fine, 1 bad input, 2 bad usage.
    """
    with refusing(), exit_on_signals():
        from scoref.records.curve.curve import curve
        from scoref.records.curve.report import curve_report, plot_curve

        refuse_standard_input(key, pairs)
        if plot:
            from scoref.render.plots import check_plot

            check_plot(plot)
        arguments = reading_arguments(options)
        with progress() as show:
            result = curve(*(key, pairs), best=best, **arguments, progress=show)
        if report:
            from scoref.records.pages import write_curve_page

            write_curve_page(report, result, key, pairs, arguments)
        if plot:
            plot_curve(plot, result)
        print_report(curve_report(result, at, points, precision), output)

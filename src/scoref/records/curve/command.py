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
        "scoref curve gold.csv pairs.csv --best cluster --plot curve.svg": "Draw it, "
        "and choose by whole clusters.",
    },
)
@click.argument("key")
@click.argument("pairs")
@click.option(
    "--left", metavar="COLUMN", help="The first record of a pair.  [default: by name]"
)
@click.option("--right", metavar="COLUMN", help="The second one.")
@click.option("--score", metavar="COLUMN", help="The score of a pair.")
@click.option(
    "--distance", is_flag=True, help="Scores are distances: the lower, the nearer."
)
@click.option(
    "--mention", metavar="COLUMN", help="The key's records.  [default: the first]"
)
@click.option(
    "--key-cluster", metavar="COLUMN", help="Its clusters.  [default: the second]"
)
@click.option(
    "--universe",
    type=click.Choice(("both", "key", "union")),
    default="both",
    show_default=True,
    help="Records that the key lacks: both: they cost precision; key: they are left "
    "out; union: each is a cluster of its own.",
)
@click.option(
    "--metrics",
    metavar="LIST",
    help="Which to compute at every threshold, or all.  [default: pairwise, bcub, "
    "bcub-entity, cluster, muc, links]",
)
@click.option(
    "--best",
    default="bcub",
    show_default=True,
    metavar="METRIC",
    help="By which the best threshold is chosen.",
)
@click.option(
    "--at",
    multiple=True,
    type=float,
    metavar="T",
    help="Show every metric, CEAF among them, at a threshold; may be repeated.  "
    "[default: the best]",
)
@click.option(
    "--points",
    type=click.IntRange(2),
    default=20,
    show_default=True,
    metavar="N",
    help="How many rows to show; JSON and CSV have all.",
)
@click.option(
    "--plot",
    type=OUTPUT,
    metavar="FILE",
    help="Draw F1, precision and recall, and clusters: .svg, .png or .html.",
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
    output: str,
    precision: int,
    **options: Any,  # noqa: ANN401 - as declared above
) -> None:
    """Score the clusters that PAIRS make, against the KEY, at every threshold.

    PAIRS has two records and a score in each row; the columns that Splink, dedupe and
    pyJedAI write are found by themselves. At a threshold, clusters are the connected
    components of all pairs that score as high, or higher.

    Exit codes: 0 fine, 1 bad input, 2 bad usage.
    """
    with refusing(), exit_on_signals():
        from scoref.records.curve.curve import curve
        from scoref.records.curve.report import curve_report, plot_curve

        refuse_standard_input(key, pairs)
        if plot:
            from scoref.render.plots import check_plot

            check_plot(plot)
        with progress() as show:
            result = curve(
                *(key, pairs), best=best, **reading_arguments(options), progress=show
            )
        if plot:
            plot_curve(plot, result, best)
        print_report(curve_report(result, best, at, points, precision), output)

"""The command `scoref agree`: agreement between annotators, and with a response."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scoref.formats.folders import is_datasets, special_files
from scoref.terminal.help import several_of
from scoref.terminal.options import (
    LEVEL,
    ScoringCommand,
    chance,
    scoring_without,
    shown,
)
from scoref.terminal.printing import print_notes, print_report
from scoref.terminal.running import OUTPUT, refusing
from scoref.tools.agree.options import AVERAGES, DISPUTED, METRICS, MISSING, UNITS

if TYPE_CHECKING:
    from scoref.tools.agree.options import Average, Missing, Unit


@click.command(
    cls=ScoringCommand,
    examples={
        "scoref agree ada=a.conll ben=b.conll eva=e.conll": "How far do they agree?",
        "scoref agree a/ b/ c/ --response system/ --confidence": "And how good is a "
        "system, where they differ?",
    },
)
@click.argument("annotators", metavar="ANNOTATOR ANNOTATOR...", nargs=-1)
@click.option(
    "--table",
    metavar="PATH",
    help="Records in place of texts: CSV or TSV with the record's name in the first "
    "column, and an annotator's clusters in each other one.",
)
@click.option(
    "--response",
    metavar="FILE",
    help="A system's file or folder, to be scored against each annotator.",
)
@click.option(
    "--distances",
    metavar="LIST",
    default="masi,jaccard,nominal",
    show_default=True,
    shell_complete=several_of("scoref.tools.agree.options", "DISTANCES"),
    help="How far apart two sets of mentions are: any of masi, jaccard, nominal, dice, "
    "passonneau-2004, masi-dkpro. The first one says what is disputed.",
)
@click.option(
    "--missing",
    type=click.Choice(MISSING),
    default="singleton",
    show_default=True,
    help="A mention that an annotator does not have stands alone, has no value, or is "
    "said to be none.",
)
@click.option(
    "--average",
    type=click.Choice(AVERAGES),
    default="within",
    show_default=True,
    help="Chance is that of each document or of the corpus; macro averages documents.",
)
@click.option(
    "--metrics",
    metavar="LIST",
    default=",".join(METRICS),
    show_default=True,
    shell_complete=several_of("scoref.metrics", "METRICS"),
    help="What two annotators are scored by, separated by commas, or all.",
)
@click.option("--per-document", is_flag=True, help="All documents, not only some.")
@click.option("--matrices", is_flag=True, help="F1 of each two, for every metric.")
@click.option(
    "--by",
    metavar="CLASS",
    help="Classes as well: genre, entity-size, mention-length, upos, mention-type or "
    "entity-type.",
)
@click.option(
    "--disputed",
    type=click.IntRange(0),
    default=DISPUTED,
    show_default=True,
    metavar="N",
    help="How many mentions to list, those on which people differ most.",
)
# These options of scoring mean something else here, or nothing between people.
@scoring_without("missing", "average", "metrics", "scope", "topics")
@click.option(
    "--confidence",
    type=LEVEL,
    metavar="[LEVEL]",
    help="Intervals, by the bootstrap. LEVEL is in percent or a fraction up to 1; 95 "
    "if it is left out.",
)
@chance
@click.option(
    "--unit",
    type=click.Choice(UNITS),
    default="documents",
    show_default=True,
    help="What to draw for intervals.",
)
@shown
@click.option(
    "--plot",
    type=OUTPUT,
    metavar="FILE",
    help="Draw F1 of each two, and annotators as a tree: .svg, .png or .html.",
)
@click.option(
    "--report",
    type=OUTPUT,
    metavar="FILE",
    help="Write a page for a browser: all of this, and texts with what annotators "
    "differ by, marked against the first one.",
)
def command(
    annotators: tuple[str, ...],
    *,
    table: str | None,
    response: str | None,
    distances: str,
    missing: Missing,
    average: Average,
    metrics: str,
    per_document: bool,
    matrices: bool,
    by: str | None,
    disputed: int,
    lenient: bool,
    confidence: float | None,
    bootstrap: str,
    resamples: int,
    seed: int,
    unit: Unit,
    output: str,
    precision: int,
    plot: str | None,
    report: str | None,
    **options: str | None,
) -> None:
    """Say how far annotators agree: beyond chance (α), and in F1 between two of them.

    Each ANNOTATOR is a file, or a folder with a file for each text, of any format that
    can be scored; NAME=FILE gives a name. Documents that not all annotators have are
    compared among those who have them.

    With --response, a system is scored against each of them: mean, best and spread, and
    how many of its errors some annotator would have made.
    """
    with refusing():
        from scoref.statistics.confidence import method_named
        from scoref.terminal.systems import by_name
        from scoref.tools.agree.agreement import agree
        from scoref.tools.agree.rendering import AgreeView, agreement_report
        from scoref.tools.agree.results import read_records

        if bool(table) == bool(annotators):
            raise click.UsageError("give either annotators or --table")
        if plot:
            from scoref.render.plots import check_plot

            check_plot(plot)
        folders = filter(is_datasets, by_name(annotators).values())
        print_notes(message for path in folders for message in special_files(path))
        agreement = agree(
            read_records(table) if table else by_name(annotators),
            response=response,
            distances=distances,
            missing=missing,
            average=average,
            metrics=metrics,
            level=confidence,
            unit=unit,
            method=method_named(bootstrap),
            resamples=resamples,
            seed=seed,
            by=by,
            disputed=disputed,
            lenient=lenient,
            **options,  # type: ignore[arg-type] # click has checked them
        )
        if plot:
            from scoref.tools.agree.plot import plot_agreement

            plot_agreement(plot, agreement)
        view = AgreeView(precision, per_document, matrices)
        if report:
            from scoref.tools.agree.rendering import agreement_page
            from scoref.writing import write_output

            page = agreement_page(agreement, view)
            write_output(report, page.encode("utf-8", "replace"))
        print_report(agreement_report(agreement, view), output)

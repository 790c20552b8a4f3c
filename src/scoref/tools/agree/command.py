"""The command `scoref agree`: agreement between annotators, and with a response."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scoref.formats.folders import is_datasets, special_files
from scoref.terminal.help import Option, several_of
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
        "scoref agree ada=a.conll ben=b.conll eva=e.conll": "Measure the agreement.",
        "scoref agree a/ b/ c/ --response system/ --confidence": "Also score a "
        "system against each annotator.",
        "scoref agree ada=a.conll ben=b.conll --adjudicate page.html": "Write a page "
        "on which a curator decides.",
    },
)
@click.argument("annotators", metavar="ANNOTATOR ANNOTATOR...", nargs=-1)
@click.option(
    "--records",
    "table",
    cls=Option,
    former=("--table",),
    metavar="PATH",
    help="Table of records instead of texts: CSV or TSV with a record's "
    "name in the first column and each annotator's cluster in another "
    "column.",
)
@click.option(
    "--response",
    metavar="FILE",
    help="File or folder of a system to score against each annotator.",
)
@click.option(
    "--distances",
    metavar="LIST",
    default="masi,jaccard,nominal",
    show_default=True,
    shell_complete=several_of("scoref.tools.agree.options", "DISTANCES"),
    help="Distances between two sets of mentions, any of masi, jaccard, "
    "nominal, dice, passonneau-2004 and masi-dkpro. The first one "
    "ranks the disputed mentions.",
)
@click.option(
    "--missing-mentions",
    "missing",
    cls=Option,
    former=("--missing",),
    type=click.Choice(MISSING),
    default="singleton",
    show_default=True,
    help="Mentions that an annotator lacks: treat them as singletons "
    "(singleton), as missing values (omit), or as a category of their "
    "own (nothing).",
)
@click.option(
    "--alpha-average",
    "average",
    cls=Option,
    former=("--average",),
    type=click.Choice(AVERAGES),
    default="within",
    show_default=True,
    help="Chance agreement per document (within) or over the whole corpus "
    "(corpus); macro averages the documents' alphas.",
)
@click.option(
    "--metrics",
    "-m",
    metavar="LIST",
    default=",".join(METRICS),
    show_default=True,
    shell_complete=several_of("scoref.metrics", "all_metrics"),
    help="Metrics to score each pair of annotators, separated by commas, or all.",
)
@click.option("--per-document", is_flag=True, help="Show all documents, not only some.")
@click.option(
    "--matrices",
    is_flag=True,
    help="Show the F₁ of each pair of annotators for every metric.",
)
@click.option(
    "--by",
    metavar="CLASS",
    help="Also break agreement down by genre, entity-size, entity-range, "
    "mention-length, mention-type, upos or entity-type.",
)
@click.option(
    "--disputed",
    type=click.IntRange(0),
    default=DISPUTED,
    show_default=True,
    metavar="N",
    help="Number of mentions to list, the most disputed first.",
)
# These options of scoring mean something else here, or nothing between people.
@scoring_without("missing", "average", "metrics", "scope", "topics")
@click.option(
    "--confidence",
    type=LEVEL,
    metavar="[LEVEL]",
    help="Show bootstrap confidence intervals. LEVEL is a percentage or a "
    "fraction; 95 if omitted.",
)
@chance
@click.option(
    "--unit",
    type=click.Choice(UNITS),
    default="documents",
    show_default=True,
    help="Resample documents, or documents and annotators.",
)
@shown
@click.option(
    "--plot",
    type=OUTPUT,
    metavar="FILE",
    help="Plot the F₁ of each pair, and a tree of annotators, to a .svg, "
    ".png or .html file.",
)
@click.option(
    "--report",
    type=OUTPUT,
    metavar="FILE",
    help="Write an HTML page with all results and the texts. Differences "
    "from the first annotator are marked.",
)
@click.option(
    "--adjudicate",
    type=OUTPUT,
    metavar="FILE",
    help="Write an HTML page on which a curator decides what annotators disagree "
    "about. `scoref convert --decisions` turns the decisions into a key.",
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
    adjudicate: str | None,
    **options: str | None,
) -> None:
    """Measure agreement between annotators: beyond chance (α), and as F₁ of each pair.

    Each ANNOTATOR is a file, or a folder with a file for each text, in any input
    format; NAME=FILE gives an annotator a name. A project export of INCEpTION or
    WebAnno (project.zip) stands for all its annotators. A document that some annotators
    lack is compared among those who have it.

    With --response, a system is scored against each annotator. The report shows the
    mean, the best and the spread, and how many of its errors some annotator also makes.
    """
    with refusing():
        from scoref.statistics.confidence import method_named
        from scoref.terminal.systems import by_name
        from scoref.tools.agree.agreement import agree
        from scoref.tools.agree.rendering import AgreeView, agreement_report
        from scoref.tools.agree.results import read_records

        if table and annotators:
            raise click.UsageError(
                "agree needs either the files of annotators or --records FILE, not both"
            )
        if not table and not annotators:
            raise click.UsageError(
                "agree needs the files of two or more annotators: scoref agree "
                "ada=A.conll ben=B.conll, or scoref agree --records FILE"
            )
        if plot:
            from scoref.render.plots import check_plot

            check_plot(plot)
        paths = by_name(annotators, "annotators")
        folders = filter(is_datasets, paths.values())
        print_notes(message for path in folders for message in special_files(path))
        agreement = agree(
            read_records(table) if table else paths,
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
            from scoref.tools.agree.page import agreement_page
            from scoref.writing import write_output

            page = agreement_page(agreement, view)
            write_output(report, page.encode("utf-8", "replace"))
        if adjudicate:
            from scoref.tools.agree.adjudication_page import adjudication_page
            from scoref.writing import write_output

            page = adjudication_page(agreement)
            write_output(adjudicate, page.encode("utf-8", "replace"))
        print_report(agreement_report(agreement, view), output)
